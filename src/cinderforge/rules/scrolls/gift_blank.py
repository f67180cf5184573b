"""贈送空白卡 (R6.7): another player gets one blank card, for good."""

from cinderforge.rules.events import CardGiven, Event
from cinderforge.rules.scrolls.scroll import Firing, Players, Scroll
from cinderforge.rules.state import GameState
from cinderforge.rules.words import Card, ScrollId


def _effect(state: GameState, firing: Firing) -> tuple[Event, ...]:
    return (CardGiven(firing.turn, firing.targets[0], Card.BLANK),)


SCROLL = Scroll(ScrollId("gift_blank"), _effect, Players(1, oneself=False, holding_cards=False))
