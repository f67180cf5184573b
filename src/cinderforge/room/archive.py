"""The record of a game that has ended (docs/formats.md), as the room hands it on."""

from __future__ import annotations

from cinderforge.room.running import Running
from cinderforge.room.seats import Seats


def record_text(running: Running, seats: Seats) -> str:
    """One line of a `.cinder.jsonl` file."""
    raise NotImplementedError
