"""When Python looks for cycles of garbage: seldom, and never while many tables play.

A full look goes through every object of the process: with 2,000 tables that stopped all of them for 1.4 s every few
minutes. A look at the middle generation goes through what has been replaced since the last one, which is soon every
room's pictures: 0.15 s every 1.7 s. Memory is given back by counting references, rooms make no cycles that last
(docs/measurements.md: rooms opened and abandoned), and the youngest, where nearly all other cycles die, are looked
through as ever.
"""

from __future__ import annotations

import gc
from typing import Final

from cinderforge.server.clock import Alarm, Clock
from cinderforge.server.lobby import Lobby

LOOK_MS: Final = 600_000
YOUNG_LOOKS: Final = 1_000
"""Looks at the youngest for one at the middle generation; with many tables, some forty seconds."""
FEW_ROOMS: Final = 100
"""So few tables are not held up for longer than a frame takes on the way."""


class Memory:
    """Takes the full look out of Python's hands: every ten minutes, if few rooms are open."""

    def __init__(self, lobby: Lobby, clock: Clock) -> None:
        self._lobby, self._clock = lobby, clock
        self._alarm: Alarm | None = None
        self._thresholds = gc.get_threshold()

    def start(self) -> None:
        gc.collect()
        gc.freeze()  # what a server is made of stays
        gc.set_threshold(self._thresholds[0], YOUNG_LOOKS, 1 << 30)
        self._later()

    def stop(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        gc.set_threshold(*self._thresholds)
        gc.unfreeze()

    def _later(self) -> None:
        self._alarm = self._clock.call_at(self._clock.now() + LOOK_MS, self._look)

    def _look(self) -> None:
        if len(self._lobby) <= FEW_ROOMS:
            gc.collect()
        self._later()
