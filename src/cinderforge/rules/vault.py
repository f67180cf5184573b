"""The hidden half of a game. Only `rules` and `redaction` may open it (docs/architecture.md)."""

from __future__ import annotations

from typing import NamedTuple

from cinderforge.rules.luck import Luck
from cinderforge.rules.value import value
from cinderforge.rules.words import Card, Role, ScrollId, Turn


@value
class Peek:
    """What the player of a scroll saw of another's hand (R6.9)."""

    turn: Turn
    of: Turn
    card: Card


@value
class Insight:
    """What the player of a scroll learnt of others' roles (R6.10)."""

    turn: Turn
    roles: tuple[tuple[Turn, Role], ...]


Glimpse = Peek | Insight
"""What is seen briefly, within the announcement of a scroll."""


@value
class DrawnCard:
    """A drawn card and who knows where it is (R6.3, R6.4): its holder exactly, the one it came from as far as follows
    from what that player sees (docs/decisions/what-a-drawn-card-tells.md).
    """

    holder: Turn
    source: Turn
    card: Card
    holder_has: bool = True
    source_knows: bool = True


@value
class Memory:
    """A drawn card as one of the two players saw it, for the private panel of `memory_aid` and for AIs."""

    turn: Turn
    holder: Turn
    source: Turn
    card: Card


class Vault(NamedTuple):
    """Per-player tuples are by turn number: player t's entry is at index t − 1."""

    luck: Luck
    roles: tuple[Role, ...]
    hands: tuple[tuple[Card, ...], ...]
    scrolls: tuple[ScrollId, ...]
    ballots: tuple[tuple[Turn, Turn | None], ...] = ()
    row: tuple[int, ...] = ()
    """Hand positions of the face-down row on offer (R6.11)."""
    middle: tuple[tuple[Turn, Card], ...] = ()
    """This round's cards in the order in which they were played."""
    played: tuple[tuple[tuple[Turn, Card], ...], ...] = ()
    """The middles of the rounds resolved so far."""
    drawn: tuple[DrawnCard, ...] = ()
    glimpse: Glimpse | None = None
    memories: tuple[Memory | Glimpse, ...] = ()
