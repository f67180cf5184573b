"""Rooms opened and abandoned in one process, and what is left of them: `python -m tests.soak.abandon --rooms 5000`.

Persons of a few hundred sessions come through the front door with sockets of a sort, sit, watch, talk, fill chairs with
AIs, begin games and leave, in every way there is; time jumps until each room has closed. Then everything is counted as
before: objects by type, tasks, alarms, threads, open files. What is not as it was before is a leak, and stops it.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import logging
import sys
import tempfile
import threading
import time
import weakref
from collections import Counter
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

from rich.console import Console

from cinderforge.server.clock import LoopClock
from cinderforge.server.conn import CLOSE_ABNORMAL, Admission, Cause, Gone, Guest, UpgradeHead
from cinderforge.server.identity import COOKIE, Tickets, begin_session, session_of
from cinderforge.server.limits import Limits
from cinderforge.server.lobby import Lobby
from cinderforge.server.socket import FrontDoor
from cinderforge.server.store_sqlite import SqliteStore

CONSOLE = Console(width=200)
T = TypeVar("T")
AT_ONCE = 100
"""Rooms that are open at the same time."""
PERSONS = 3
STEP_S = 4.0
"""Time jumps to what is due next and so much further, so that the disk is asked seldom."""
LONGEST_S = 7200.0
"""Every room must have closed by then."""


class JumpingLoop(asyncio.SelectorEventLoop):
    """A loop whose time can be moved on."""

    skipped = 0.0

    def time(self) -> float:
        return super().time() + self.skipped

    def alarms(self) -> list[float]:
        """When those ring that are set and not cancelled."""
        return [alarm.when() for alarm in self._scheduled if not alarm.cancelled()]  # type: ignore[attr-defined]

    def is_at_rest(self) -> bool:
        return not self._ready  # type: ignore[attr-defined]


class WatchedStore(SqliteStore):
    """Knows whether anything is asked of it."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.asked = 0
        self.is_quiet = asyncio.Event()
        self.is_quiet.set()

    async def _write(self, do: Callable[[Any], T]) -> T:
        return await self._counted(super()._write(do))

    async def _read(self, do: Callable[[Any], T]) -> T:
        return await self._counted(super()._read(do))

    async def _counted(self, what: Coroutine[Any, Any, T]) -> T:
        self.asked += 1
        self.is_quiet.clear()
        try:
            return await what
        finally:
            self.asked -= 1
            if not self.asked:
                self.is_quiet.set()


class Wire:
    """A connection without a network."""

    behind = False

    def __init__(self, guest: Guest) -> None:
        self._guest: Guest | None = guest
        self.kinds: Counter[str] = Counter()
        guest.on_open(self)

    def send(self, message: bytes) -> None:
        said = json.loads(message)
        self.kinds[said.get("code") or said["t"]] += 1

    show = send

    def close(self, code: int, reason: str = "") -> None:
        asyncio.get_running_loop().call_soon(self.end, Gone(Cause.HOUSE, code, reason))

    def say(self, **message: Any) -> None:
        if self._guest is not None:
            self._guest.on_message(json.dumps(message).encode())

    def end(self, gone: Gone | None = None) -> None:
        """The socket is gone, once."""
        guest, self._guest = self._guest, None
        if guest is not None:
            guest.on_gone(gone or Gone(Cause.LOST, CLOSE_ABNORMAL))


class House:
    """A server without its ports."""

    def __init__(self, store: WatchedStore) -> None:
        self.store = store
        self.clock = LoopClock()
        self.lobby = Lobby(store, self.clock)
        self.tickets = Tickets(self.clock)
        self.door = FrontDoor(self.lobby, store, self.clock, self.tickets, Limits(self.clock))
        self.cookies: list[str] = []
        self.heard: Counter[str] = Counter()
        self._ids = 0

    async def open_room(self, cookie: str) -> str:
        session = await session_of(self.store, cookie)
        assert session
        return (await self.lobby.create(session, "Host")).room.code

    async def enter(self, code: str, cookie: str, **hello: Any) -> Wire:
        session = await session_of(self.store, cookie)
        assert session
        query = f"ticket={self.tickets.issue(session, code)}"
        answer = await self.door.admit(UpgradeHead(f"/ws/{code}", query, {"cookie": f"{COOKIE}={cookie}"}, "::1"))
        assert isinstance(answer, Admission)
        wire = Wire(answer.guest)
        wire.say(t="hello", protocol=1, **hello)
        return wire

    async def ask(self, wire: Wire, kind: str, **wish: Any) -> None:
        """Asks, and leaves time for the answer."""
        self._ids += 1
        wire.say(t=kind, id=f"a{self._ids}", **wish)
        await asyncio.sleep(0.3)

    def leave(self, *wires: Wire) -> None:
        """The pages are closed."""
        for wire in wires:
            wire.end()
            self.heard += wire.kinds


async def never_entered(house: House, code: str, *cookies: str) -> None:
    """The host's page closed before it was there."""


async def looked_in(house: House, code: str, *cookies: str) -> None:
    """Tabs, reloads, somebody who only looks, one that says nothing and one that talks nonsense."""
    first, second = await house.enter(code, cookies[0]), await house.enter(code, cookies[0])
    stranger = await house.enter(code, cookies[1])
    for _ in range(4):
        stranger.say(t="nonsense")
    await asyncio.sleep(1)
    again = await house.enter(code, cookies[0], game=3, heard=10, lines=7)
    house.leave(first, second, stranger, again)


async def company(house: House, code: str, *cookies: str) -> list[Wire]:
    """Three at the table, who have talked; one more was there, watched and was removed."""
    wires = [await house.enter(code, cookie) for cookie in cookies]
    await house.ask(wires[1], "watch", name="Guest")
    await house.ask(wires[1], "join", name="Guest")
    await house.ask(wires[2], "watch", name="Watcher")
    await house.ask(wires[0], "say", text="hello to all")
    await house.ask(wires[1], "phrase", phrase="hello")
    await house.ask(wires[1], "mute", member=1)
    await house.ask(wires[1], "report", member=1, text="too friendly")
    await house.ask(wires[1], "ready", ready=True)
    await house.ask(wires[0], "kick", member=3)
    await house.ask(wires[0], "let_back", member=3)
    return wires


async def met(house: House, code: str, *cookies: str) -> None:
    house.leave(*await company(house, code, *cookies))


async def said_goodbye(house: House, code: str, *cookies: str) -> None:
    wires = await company(house, code, *cookies)
    for wire in wires:
        await house.ask(wire, "leave")
    house.leave(*wires)


async def dealt(house: House, code: str, *cookies: str, **settings: Any) -> list[Wire]:
    """Two persons and AIs, who have looked at their roles."""
    wires = await company(house, code, *cookies)
    await house.ask(wires[0], "change", settings={"seats": 5, "first_holder": "vote", "preset": "fast"} | settings)
    await house.ask(wires[0], "fill")
    await house.ask(wires[0], "start")
    for wire in wires[:2]:
        await house.ask(wire, "contribute", bytes="ab" * 16)
    await asyncio.sleep(6)
    for wire in wires[:2]:
        await house.ask(wire, "seen")
    return wires


async def left_at_night(house: House, code: str, *cookies: str) -> None:
    """AIs play on for them, and the game has a record."""
    house.leave(*await dealt(house, code, *cookies))


async def left_on_purpose(house: House, code: str, *cookies: str) -> None:
    wires = await dealt(house, code, *cookies)
    await asyncio.sleep(15)
    await house.ask(wires[0], "vote", target=None)
    await house.ask(wires[0], "skip")
    await house.ask(wires[0], "leave")
    house.leave(*wires)


async def left_in_a_pause(house: House, code: str, *cookies: str) -> None:
    wires = await dealt(house, code, *cookies, preset="none")
    await asyncio.sleep(11)
    house.leave(wires[1])
    await asyncio.sleep(6)
    await house.ask(wires[0], "poll", poll="pause")
    await asyncio.sleep(30)
    await house.ask(wires[0], "poll", poll="replace", seat=2)
    house.leave(wires[0])


async def stayed_to_the_end(house: House, code: str, *cookies: str) -> None:
    """And began again, twice: the next one is called off."""
    wires = await dealt(house, code, *cookies, kill_target=1, activation_target=2)
    await asyncio.sleep(900)
    await house.ask(wires[0], "rematch")
    await house.ask(wires[0], "start")
    await house.ask(wires[1], "hold")
    house.leave(*wires)


STORIES = (
    never_entered,
    looked_in,
    met,
    said_goodbye,
    left_at_night,
    left_on_purpose,
    left_in_a_pause,
    stayed_to_the_end,
)


async def settled(house: House, loop: JumpingLoop) -> None:
    """Everybody waits for time to pass."""
    while True:
        await house.store.is_quiet.wait()
        for _ in range(3):
            await asyncio.sleep(0)
        if not house.store.asked and loop.is_at_rest():
            return


async def tell(house: House, first: int, count: int) -> None:
    """So many rooms, each with a story, until all of them have closed."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, JumpingLoop)
    end = loop.time() + LONGEST_S

    async def one(number: int) -> None:
        at = (number - first) * PERSONS
        cookies = house.cookies[at : at + PERSONS]
        await STORIES[number % len(STORIES)](house, await house.open_room(cookies[0]), *cookies)

    stories = [asyncio.create_task(one(number)) for number in range(first, first + count)]
    while len(house.lobby) or not all(story.done() for story in stories):
        await settled(house, loop)
        if alarms := loop.alarms():
            loop.skipped += max(0.0, min(alarms) - loop.time()) + STEP_S
        assert loop.time() < end, f"{len(house.lobby)} rooms do not close"
        await asyncio.sleep(0)
    for story in stories:
        story.result()
    await settled(house, loop)


def counted() -> Counter[str]:
    """Everything there is."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, JumpingLoop)
    gc.collect()
    objects = (one for one in gc.get_objects() if not is_dead(one))
    seen = Counter(f"{type(one).__module__}.{type(one).__qualname__}" for one in objects)
    seen["(tasks)"] = len(asyncio.all_tasks())
    seen["(alarms)"] = len(loop.alarms())
    seen["(threads)"] = threading.active_count()
    seen["(open files)"] = sum(1 for _ in Path("/proc/self/fd").iterdir()) if Path("/proc/self/fd").exists() else 0
    return seen


def is_dead(one: object) -> bool:
    """A weak reference to nothing: a connection to SQLite keeps up to 200 of them, to cursors that were."""
    return type(one) is weakref.ref and one() is None


class Outcome:
    """What a run has shown."""

    def __init__(self, before: Counter[str], after: Counter[str], heard: Counter[str], records: int) -> None:
        self.before, self.after, self.heard, self.records = before, after, heard, records

    @property
    def left(self) -> dict[str, int]:
        """By kind, how many there are more than before, or fewer."""
        kinds = self.before.keys() | self.after.keys()
        return {kind: self.after[kind] - self.before[kind] for kind in kinds if self.after[kind] != self.before[kind]}


async def abandon(path: Path, rooms: int, at_once: int) -> Outcome:
    store = await WatchedStore.open(path)
    assert isinstance(store, WatchedStore)
    house = House(store)
    house.cookies = [await begin_session(store, house.clock.now()) for _ in range(at_once * PERSONS)]
    await tell(house, 0, at_once)  # what is made once and kept (caches, imports, buckets of these sessions) is there
    before = counted()
    before = counted()  # with one count in memory, as there is at the end
    house.heard.clear()
    for first in range(0, rooms, at_once):
        await tell(house, first, min(at_once, rooms - first))
    after = counted()
    records = await store._fetch("SELECT count(*) FROM record", ())
    await store.close()
    assert records
    return Outcome(before, after, house.heard, records[0])


def run(path: Path, rooms: int, at_once: int = AT_ONCE) -> Outcome:
    with asyncio.Runner(loop_factory=JumpingLoop) as runner:
        return runner.run(abandon(path, rooms, at_once))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rooms", type=int, default=5000)
    args = parser.parse_args()
    logging.basicConfig(level=logging.WARNING)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        outcome = run(Path(folder) / "abandon.db", args.rooms)
    kinds = ("(tasks)", "(alarms)", "(threads)", "(open files)")
    total = {name: sum(seen.values()) for name, seen in (("before", outcome.before), ("after", outcome.after))}
    CONSOLE.print(
        f"{args.rooms} rooms opened and abandoned in {time.monotonic() - began:.0f} s: objects {total['before']} → "
        f"{total['after']}, "
        + ", ".join(f"{kind[1:-1]} {outcome.before[kind]} → {outcome.after[kind]}" for kind in kinds),
        highlight=False,
    )
    CONSOLE.print(f"records of games: {outcome.records}; heard: {dict(outcome.heard)}", highlight=False)
    for kind, more in sorted(outcome.left.items(), key=lambda item: -abs(item[1])):
        CONSOLE.print(f"  {more:+} {kind}", highlight=False)
    return 1 if outcome.left else 0


if __name__ == "__main__":
    sys.exit(main())
