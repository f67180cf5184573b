"""What AIs cost: `python -m bench.bots`, with `--tables 300 --level oracle` so many tables of eight at their pace.

First, by level: how long a decision takes, sight and all, and what a game of eight such AIs costs in CPU time. Then
a process with so many rooms, each watched by one person, AIs at their real pace, thinkers beside it: the CPU that each
of them takes, how late the event loop is, and how many thoughts were not there at their moment.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import resource
import statistics
import time
from pathlib import Path
from typing import Any

from cinderforge.bots import BOTS, LEVELS, own_name
from cinderforge.redaction.eye import PlayerEye
from cinderforge.redaction.recollection import recollection
from cinderforge.redaction.view import view
from cinderforge.room.inputs import Arrived, Asked, Change, Fill, SessionKey, SocketId, Start, Watch, Wish
from cinderforge.rules.commands import Command
from cinderforge.rules.luck import SeededLuck
from cinderforge.rules.settings import settings_from
from cinderforge.rules.state import GameState
from cinderforge.rules.words import Turn
from cinderforge.server import metrics
from cinderforge.server.clock import LoopClock
from cinderforge.server.lobby import Lobby
from cinderforge.server.store_memory import MemoryStore
from cinderforge.server.thinkers import Thinkers
from cinderforge.testkit.drive import drive

LOOK_S = 0.05
OPENING_S = 30.0
NIGHT_S = 18.0


def decisions(level: str, games: int) -> tuple[list[float], float]:
    """CPU seconds of every decision of so many games of eight, sorted; and of a whole game on average."""
    took: list[float] = []

    def choose(state: GameState, turn: Turn) -> Command:
        shown, recalled = view(state, PlayerEye(turn)), recollection(state, turn)
        began = time.process_time()
        command = BOTS[level].choose(shown, recalled, random.Random(f"{number}/{len(took)}"))
        took.append(time.process_time() - began)
        return command

    for number in range(games):
        drive(settings_from({}), SeededLuck(random.Random(number).randbytes(32)), choose)
    return sorted(took), sum(took) / games


class Deaf:
    """A connection to nobody."""

    behind = False

    def send(self, message: bytes) -> None:
        """Counts for nothing."""

    show = send

    def close(self, code: int, reason: str = "") -> None:
        """Was never open."""


async def _open_table(lobby: Lobby, number: int, level: str) -> None:
    task = await lobby.create(SessionKey(f"host {number}"), "Host")
    socket = SocketId(1)
    task.enter(socket, Deaf())
    task.put(Arrived(socket, SessionKey(f"host {number}"), 0, 0))
    wishes: list[Wish] = [
        Change({"ai_level": level, "timers": {"reveal": 5}}),
        Watch("Host"),
        Fill(None, None),
        Start(),
    ]
    for at, wish in enumerate(wishes):
        task.put(Asked(socket, str(at), wish))


def _cpu(pid: int) -> float:
    """CPU seconds of another process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def _memory(pid: int) -> float:
    """MB in memory."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * resource.getpagesize() / 2**20


def _asked(level: str) -> int:
    """How often an AI of this level has thought."""
    samples = [one for family in metrics.AI_SECONDS.collect() for one in family.samples]
    return sum(int(one.value) for one in samples if one.name.endswith("count") and one.labels["level"] == level)


def _total(counter: Any) -> float:
    return float(next(one.value for family in counter.collect() for one in family.samples if "total" in one.name))


async def tables(level: str, count: int, seconds: float, workers: int) -> None:
    """Opens the tables one after the other within a round's time, and measures when the first nights are over."""
    thinkers = Thinkers(workers)
    lobby = Lobby(MemoryStore(), LoopClock(), thinkers=thinkers)
    for number in range(count):
        await _open_table(lobby, number, level)
        await asyncio.sleep(OPENING_S / count)
    await asyncio.sleep(NIGHT_S)
    loop, lag, due = asyncio.get_running_loop(), list[float](), seconds
    asked = _asked(level)
    children = [process.child.pid for process in thinkers.processes if process.child]
    began, own, theirs = loop.time(), time.process_time(), sum(map(_cpu, children))
    late = _total(metrics.AI_LATE)
    while (now := loop.time()) < began + due:
        await asyncio.sleep(LOOK_S)
        lag.append(loop.time() - now - LOOK_S)
    children = [process.child.pid for process in thinkers.processes if process.child]
    own, theirs = time.process_time() - own, sum(map(_cpu, children)) - theirs
    over = sum(task.room.stage == "over" for task in lobby.rooms())
    asked = _asked(level) - asked
    print(
        f"{count} tables of eight {level}s for {due:.0f} s: server {100 * own / due:.1f} % of a core, thinkers "
        f"{100 * theirs / due:.1f} % ({', '.join(f'{_memory(pid):.0f} MB' for pid in children)}); {asked} thoughts, "
        f"{_total(metrics.AI_LATE) - late:.0f} late; loop late by {1000 * statistics.median(lag):.1f} ms, 99 % "
        f"{1000 * sorted(lag)[int(0.99 * len(lag))]:.1f}; {over} games over",
        flush=True,
    )
    await lobby.close()
    await thinkers.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--level", action="append", type=own_name)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args()
    for level in given.level or LEVELS:
        took, game = decisions(level, given.games)
        p50, p99 = (1000 * took[int(share * len(took))] for share in (0.5, 0.99))
        print(f"{level}: a decision p50 {p50:.2f} ms, p99 {p99:.2f} ms; a game of eight {1000 * game:.0f} ms of CPU")
        if given.tables:
            asyncio.run(tables(level, given.tables, given.seconds, given.workers))


if __name__ == "__main__":
    main()
