"""Kill −9 again and again under load: `python -m tests.soak.kills --kills 500`, a part of `make soak`.

Rooms of eight persons over real sockets; the server is killed at random moments and started again. Whoever loses a
seat, a line of news or an acknowledged move stops it; so does a finished game whose record does not verify, or a person
who is not back three seconds after the server is.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path

from rich.console import Console

from tests.e2e.persons import Person
from tests.e2e.serving import ServerProcess
from tests.e2e.test_sockets import check_the_end, is_over, seated

CONSOLE = Console(width=200)
BACK_WITHIN_S = 3.0
SLICE_S = 0.1
SETTINGS: dict[str, object] = {"first_holder": "vote", "kill_target": 5, "sage_slain_ends": False}


@dataclass
class Tally:
    """What was seen. `attempts` counts returns in tenths of a second after the server answered again."""

    kills: int = 0
    games: int = 0
    back: list[float] = field(default_factory=list)
    attempts: Counter[int] = field(default_factory=Counter)

    def line(self) -> str:
        back = sorted(self.back)
        p99 = back[int(len(back) * 0.99)] if back else 0.0
        spread = " ".join(f"{at * SLICE_S:.1f}s:{self.attempts[at]}" for at in sorted(self.attempts))
        return (
            f"{self.kills} kills, {self.games} games ended and verified, {len(back)} returns: "
            f"p99 {p99:.2f} s, worst {back[-1] if back else 0:.2f} s\n"
            f"returns by time since the server answered: {spread}"
        )


class Soak:
    def __init__(self, server: ServerProcess, rooms: int, tally: Tally) -> None:
        self.server, self.tally = server, tally
        self.rooms = rooms
        self.people: list[Person] = []
        self.is_up = asyncio.Event()
        self.is_up.set()
        self.is_ended = False

    async def one_room(self) -> None:
        """Game after game, each in a room of its own."""
        while not self.is_ended:
            await self.is_up.wait()
            try:
                people = await asyncio.to_thread(seated, self.server, SETTINGS)
            except (OSError, HTTPException):
                continue  # killed while the room was being made: nothing of it was acknowledged
            for person in people:
                person.is_patient = True
            self.people += people
            await asyncio.gather(*(person.live(is_over) for person in people))
            self.people = [person for person in self.people if person not in people]
            while True:
                await self.is_up.wait()
                try:
                    await asyncio.to_thread(check_the_end, self.server, people)
                except (OSError, HTTPException):
                    continue
                break
            self.tally.games += 1

    async def kill(self, rng: random.Random, kills: int) -> None:
        while self.tally.kills < kills:
            await asyncio.sleep(rng.uniform(0.1, 1.0))
            self.is_up.clear()
            before = {person: person.sockets for person in self.people}
            self.server.kill()
            self.tally.kills += 1
            await asyncio.to_thread(self.server.start)
            up = time.monotonic()
            self.is_up.set()
            await self._all_back(before, up)
            if self.tally.kills % 25 == 0:
                CONSOLE.print(self.tally.line(), highlight=False)
        self.is_ended = True

    async def _all_back(self, before: dict[Person, int], up: float) -> None:
        missing = {person: count for person, count in before.items() if not is_over(person)}
        while missing:
            since = time.monotonic() - up
            for person in [p for p, count in missing.items() if p.sockets > count or is_over(p)]:
                del missing[person]
                self.tally.back.append(since)
                self.tally.attempts[int(since / SLICE_S)] += 1
            assert since < BACK_WITHIN_S, f"{len(missing)} are not back after {since:.1f} s"
            await asyncio.sleep(0.01)


async def soak(data: Path, kills: int, rooms: int, seed: int, tempo: float) -> Tally:
    server = ServerProcess(data, tempo=tempo, env={"CINDERFORGE_LIMITS": "off"})
    server.start()
    run = Soak(server, rooms, tally := Tally())
    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(rooms):
                group.create_task(run.one_room())
            await run.kill(random.Random(seed), kills)
    finally:
        server.stop()
    return tally


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--rooms", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tempo", type=float, default=6, help="how many seconds pass in one")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as data:
        tally = asyncio.run(soak(Path(data), args.kills, args.rooms, args.seed, args.tempo))
    CONSOLE.print(tally.line(), highlight=False)
    return 0


if __name__ == "__main__":
    sys.exit(main())
