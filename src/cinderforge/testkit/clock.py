"""A server clock that jumps: time passes when a test says so, and alarms ring in order."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from itertools import count


class Alarm:
    def __init__(self, callback: Callable[[], object]) -> None:
        self.callback: Callable[[], object] | None = callback

    def cancel(self) -> None:
        self.callback = None


class JumpingClock:
    """Starts at `at` ms; `jump_to_next` moves to the next alarm and rings it."""

    def __init__(self, at: int = 1_000_000) -> None:
        self._now = at
        self._alarms: list[tuple[int, int, Alarm]] = []
        self._numbers = count()

    def now(self) -> int:
        return self._now

    def not_before(self, at: int) -> None:
        self._now = max(self._now, at)

    def call_at(self, at: int, callback: Callable[[], object]) -> Alarm:
        alarm = Alarm(callback)
        heapq.heappush(self._alarms, (at, next(self._numbers), alarm))
        return alarm

    def pass_time(self, ms: int) -> None:
        """Lets time pass, ringing whatever falls due on the way."""
        end = self._now + ms
        while (due := self._next()) is not None and due <= end:
            self.jump_to_next()
        self._now = max(self._now, end)

    def jump_to_next(self) -> bool:
        """To the next alarm that was not cancelled; False if there is none."""
        if self._next() is None:
            return False
        at, _, alarm = heapq.heappop(self._alarms)
        assert alarm.callback is not None
        ring, alarm.callback = alarm.callback, None
        self._now = max(self._now, at)
        ring()
        return True

    def _next(self) -> int | None:
        """When the next alarm rings. Those that were cancelled are passed over: time must not jump to them."""
        while self._alarms and self._alarms[0][2].callback is None:
            heapq.heappop(self._alarms)
        return self._alarms[0][0] if self._alarms else None

    @property
    def waiting(self) -> int:
        """How many alarms are set."""
        return sum(alarm.callback is not None for _, _, alarm in self._alarms)


class JumpingTimers(JumpingClock):
    """The jumping clock with the face of a loop."""

    def time(self) -> float:
        """In seconds, as a loop has it."""
        return self.now() / 1000

    def stand_still(self, ms: int) -> None:
        """Time passes in which nothing is done; then what was due is done, late."""
        self._now += ms
        self.pass_time(0)

    def call_later(self, delay: float, callback: Callable[[], object], /) -> Alarm:
        """After `delay` seconds."""
        return self.call_at(self.now() + round(delay * 1000), callback)
