"""When a room is closed (R2.5): nobody has been there for long, or no game is on and nobody does anything."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cinderforge.room.shapes import Stage

EMPTY_GRACE: Final = 1_800_000
"""How long, in ms, a room without any person stays open."""
IDLE_GRACE: Final = 3_600_000
"""How long, in ms, a room stays open in which no game is on and nobody does anything."""


@dataclass(slots=True)
class Closing:
    """Server times in ms. Nothing of this is kept: after a restart they count anew."""

    busy_at: int = 0
    """When somebody last did something, or a game ended."""
    empty_since: int | None = None
    is_closed: bool = False

    def note(self, now: int, *, is_empty: bool) -> None:
        """Starts the clock of a room that everybody has left, stops that of one where somebody is."""
        if not is_empty:
            self.empty_since = None
        elif self.empty_since is None:
            self.empty_since = now

    def due(self, stage: Stage) -> list[int]:
        """When the room will be closed if nothing happens."""
        times = [] if self.empty_since is None else [self.empty_since + EMPTY_GRACE]
        if stage in ("waiting", "over"):
            times.append(self.busy_at + IDLE_GRACE)
        return times
