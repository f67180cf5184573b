"""What a player, or the room's clock, may ask of the rules. Who asks is never part of a command."""

from __future__ import annotations

from cinderforge.rules.value import value
from cinderforge.rules.words import Card, Turn


@value
class CastVote:
    """A vote for the first holder (R5.1); None is a vote for nobody."""

    target: Turn | None


@value
class PassCrystal:
    """Give the crystal to another player whose scroll has not fired (R5.3)."""

    to: Turn


@value
class ChooseTargets:
    """The players a scroll is turned on, in the scroll's order (R6)."""

    targets: tuple[Turn, ...]


@value
class ChooseCard:
    """One of another player's face-down cards, by its 1-based place in the row offered (R6.11)."""

    position: int


@value
class PlayCard:
    """Play one card of this kind face down (R5.5). An unknown card id is not in anybody's hand."""

    card: Card | str


@value
class Skip:
    """Play nothing this round (R5.5)."""


Command = CastVote | PassCrystal | ChooseTargets | ChooseCard | PlayCard | Skip
"""What a player may ask."""


@value
class EndReveal:
    """The private look at role, hand and scroll is over (R3.3)."""


@value
class EndNight:
    """The ten seconds of the night are over (R4.1)."""


@value
class TimeOut:
    """A player's time has run out (R10.1)."""

    turn: Turn


@value
class EndAnnouncement:
    """The announcement of a scroll is over, and what was shown briefly with it fades (R6.10)."""


ClockCommand = EndReveal | EndNight | TimeOut | EndAnnouncement
"""What the room's clock may ask."""
