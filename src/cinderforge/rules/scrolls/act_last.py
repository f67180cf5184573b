"""改為最後行動 (R6.6): one acts last, this round or until the end as the settings say."""

from cinderforge.rules.events import Event, Marked
from cinderforge.rules.marks import ActsLast
from cinderforge.rules.scrolls.scroll import Firing, Scroll
from cinderforge.rules.state import GameState
from cinderforge.rules.words import ScrollId


def _effect(state: GameState, firing: Firing) -> tuple[Event, ...]:
    return (Marked(ActsLast(firing.turn, state.table.settings.act_last_lasts)),)


SCROLL = Scroll(ScrollId("act_last"), _effect)
