"""The server's clock, handed to all that needs one. Times are whole ms since 1970; tests have a clock that jumps."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Protocol


class Alarm(Protocol):
    """What will ring, and may be told not to."""

    def cancel(self) -> object: ...


class Clock(Protocol):
    """The time of a server, and alarms by it."""

    def now(self) -> int:
        """Server time in ms. Never goes back."""
        ...

    def not_before(self, at: int) -> None:
        """From now on it is this server time at least: what a server before this one has lived through."""
        ...

    def call_at(self, at: int, callback: Callable[[], object]) -> Alarm:
        """Calls back at this server time, or soon if it is past."""
        ...


class LoopClock:
    """The running loop's clock, started from the wall's and not moved by it afterwards. Where the wall's was put back
    between two servers, it goes on from where the first one was (`not_before`): people's browsers go by ours alone.

    `tempo` is how many seconds pass in one: 1 for people, more for tests of whole games.
    """

    def __init__(self, tempo: float = 1.0) -> None:
        self._loop = asyncio.get_running_loop()
        self._tempo = tempo
        self._wall = time.time() * 1000
        self._start = self._loop.time()

    def now(self) -> int:
        return int(self._wall + (self._loop.time() - self._start) * 1000 * self._tempo)

    def not_before(self, at: int) -> None:
        self._wall += max(0, at - self.now())

    def call_at(self, at: int, callback: Callable[[], object]) -> Alarm:
        rest = (at - self.now()) / 1000 / self._tempo
        return self._loop.call_later(max(0.001, rest), callback)
