"""The words of the rules (R1): ids exactly as they are spelt in files, on the wire and in records."""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from typing import Final, NewType

Turn = NewType("Turn", int)
"""順位: who one is in the game, 1…n in the circular turn order of R3.1."""

Seat = NewType("Seat", int)
"""The chair in the room, 1…n; never to be confused with a Turn."""

ScrollId = NewType("ScrollId", str)
"""The name of a scroll's file, folder and key, e.g. the ids of R6."""


@cache
def first_turns(count: int) -> tuple[Turn, ...]:
    """The turn numbers of a table of this size: 1…count."""
    return tuple(Turn(number) for number in range(1, count + 1))


class Faction(StrEnum):
    """The two sides (R1); each wins or loses together."""

    HUMAN = "human"
    DRAGON = "dragon"


class Card(StrEnum):
    """What lies in hands. Every role but the blank is also a card (R3.2)."""

    SAGE = "sage"
    MYSTIC = "mystic"
    ADVENTURER = "adventurer"
    RED_DRAGON = "red_dragon"
    TWO_HEADED_DRAGON = "two_headed_dragon"
    SHADOW_DRAGON = "shadow_dragon"
    BLANK = "blank"

    __hash__ = str.__hash__  # an Enum's own is written in Python, and hands are looked into at every step


class Role(StrEnum):
    """What a player is. A role never changes; cards move."""

    SAGE = "sage"
    MYSTIC = "mystic"
    ADVENTURER = "adventurer"
    RED_DRAGON = "red_dragon"
    TWO_HEADED_DRAGON = "two_headed_dragon"
    SHADOW_DRAGON = "shadow_dragon"


class Phase(StrEnum):
    """The private look (R3.3), the night (R4), the day's phases (R5), the end (R7)."""

    REVEAL = "reveal"
    NIGHT = "night"
    VOTE = "vote"
    PASS = "pass"
    SCROLL = "scroll"
    PLAY = "play"
    OVER = "over"


class Reason(StrEnum):
    """The clause that ended the game."""

    SAGE_SLAIN = "R7.1"
    SAGE_AND_OTHERS_ACTIVATED = "R7.2"
    SLAIN = "R7.3"
    SCROLLS_SPENT = "R7.4"
    DOUBLE_ACTIVATED = "R8.2"


class How(StrEnum):
    """Whose doing a move was: the player's, the clock's (R10.1) or a stand-in's (R10.2)."""

    OWN = "own"
    TIMEOUT = "timeout"
    STAND_IN = "stand_in"


DRAGON_CARDS: Final = frozenset({Card.RED_DRAGON, Card.TWO_HEADED_DRAGON, Card.SHADOW_DRAGON})
PERSON_CARDS: Final = frozenset({Card.SAGE, Card.MYSTIC, Card.ADVENTURER})
OTHERS: Final = frozenset({Card.MYSTIC, Card.ADVENTURER})
"""The cards that A and K count (R7.2, R7.3)."""

NIGHT_ROLES: Final = frozenset({Role.SAGE, Role.MYSTIC, Role.TWO_HEADED_DRAGON, Role.RED_DRAGON})
"""Who takes part in the night (R4.1)."""

_HUMANS: Final = frozenset({Role.SAGE, Role.MYSTIC, Role.ADVENTURER})


def faction_of(role: Role) -> Faction:
    """The faction a role belongs to (R1)."""
    return Faction.HUMAN if role in _HUMANS else Faction.DRAGON
