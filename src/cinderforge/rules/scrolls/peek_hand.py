"""窺視手牌 (R6.9): one sees a face-down card of another player; it stays where it is."""

from cinderforge.rules.events import CardPeeked, Event
from cinderforge.rules.scrolls.scroll import Firing, Players, Scroll
from cinderforge.rules.state import GameState, Table
from cinderforge.rules.words import ScrollId, Turn


def _chosen(table: Table, turn: Turn, targets: tuple[Turn, ...]) -> Turn:
    return targets[0]


def _effect(state: GameState, firing: Firing) -> tuple[Event, ...]:
    assert firing.of is not None and firing.card is not None
    return (CardPeeked(firing.turn, firing.of, firing.card),)


SCROLL = Scroll(
    ScrollId("peek_hand"),
    _effect,
    Players(1, oneself=False, holding_cards=True),
    _chosen,
    seconds=8,
)
