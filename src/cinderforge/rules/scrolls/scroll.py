"""What a scroll is (R5.4, R6): the choices it asks for, and the facts and marks that it yields."""

from __future__ import annotations

from collections.abc import Callable

from cinderforge.rules.events import CardDrawn, Event, Marked
from cinderforge.rules.marks import OnlyCard
from cinderforge.rules.state import GameState, Table, turns, with_cards
from cinderforge.rules.value import value
from cinderforge.rules.words import Card, ScrollId, Turn


@value
class Players:
    """A choice of `count` different players."""

    count: int
    oneself: bool
    holding_cards: bool

    def candidates(self, table: Table, turn: Turn) -> tuple[Turn, ...]:
        """Whom the scroll's player may choose, in turn order; too few is none at all (R5.4)."""
        found = with_cards(table) if self.holding_cards else turns(table)
        if not self.oneself:
            found = tuple(t for t in found if t != turn)
        return found if len(found) >= self.count else ()


@value
class Firing:
    """A scroll that fires: by whom, on whom, and which card (by place in its owner's hand) was chosen."""

    turn: Turn
    targets: tuple[Turn, ...] = ()
    of: Turn | None = None
    card: Card | None = None
    position: int = -1


Whose = Callable[[Table, Turn, tuple[Turn, ...]], Turn]
"""Whose face-down cards are offered: of the table, the scroll's player and the players chosen."""


@value
class Scroll:
    """One of the scrolls of R6. `effect` decides from the state before the scroll takes effect."""

    id: ScrollId
    effect: Callable[[GameState, Firing], tuple[Event, ...]]
    players: Players | None = None
    card_of: Whose | None = None
    seconds: int = 5
    """How long its announcement stands; what it shows briefly is seen for as long (R6.10)."""

    @property
    def asks(self) -> bool:
        """Whether it needs a choice before it takes effect."""
        return self.players is not None or self.card_of is not None


def draw(state: GameState, firing: Firing) -> tuple[Event, ...]:
    """A chosen card changes hands, and is the only one its new holder may play (R6.3, R6.4)."""
    assert firing.of is not None and firing.card is not None
    drawn = CardDrawn(firing.turn, firing.of, firing.card, firing.position)
    return (drawn, Marked(OnlyCard(firing.turn)))
