"""Whose eyes a game is seen with: a player's, a spectator's, or hindsight's (after the end, R7.5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cinderforge.rules.words import Turn


@dataclass(frozen=True, slots=True)
class PlayerEye:
    """Sees what everybody sees, and what this player alone may know."""

    turn: Turn


@dataclass(frozen=True, slots=True)
class SpectatorEye:
    """Sees what everybody sees, and no more."""


@dataclass(frozen=True, slots=True)
class HindsightEye:
    """Sees a game that is over; refuses one that is not."""


Eye = PlayerEye | SpectatorEye | HindsightEye

SPECTATOR: Final = SpectatorEye()
HINDSIGHT: Final = HindsightEye()
