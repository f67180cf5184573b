"""連動出牌 (R6.5): B does as A does, right after A where B stood before."""

from cinderforge.rules.events import Event, Marked
from cinderforge.rules.marks import Linked
from cinderforge.rules.scrolls.scroll import Firing, Players, Scroll
from cinderforge.rules.state import GameState
from cinderforge.rules.words import ScrollId


def _effect(state: GameState, firing: Firing) -> tuple[Event, ...]:
    leader, follower = firing.targets
    return (Marked(Linked(leader, follower)),)


SCROLL = Scroll(ScrollId("link_play"), _effect, Players(2, oneself=True, holding_cards=True))
