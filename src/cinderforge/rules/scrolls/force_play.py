"""強制出牌 (R6.1): a chosen player, perhaps oneself, may not skip this round."""

from cinderforge.rules.events import Event, Marked
from cinderforge.rules.marks import MustPlay
from cinderforge.rules.scrolls.scroll import Firing, Players, Scroll
from cinderforge.rules.state import GameState
from cinderforge.rules.words import ScrollId


def _effect(state: GameState, firing: Firing) -> tuple[Event, ...]:
    return (Marked(MustPlay(firing.targets[0])),)


SCROLL = Scroll(ScrollId("force_play"), _effect, Players(1, oneself=True, holding_cards=True))
