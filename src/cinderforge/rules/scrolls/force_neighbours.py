"""左右鄰座強制出牌 (R6.8): the next and the previous player, where they hold cards, may not skip this round."""

from cinderforge.rules.events import Event, Marked
from cinderforge.rules.marks import MustPlay
from cinderforge.rules.scrolls.scroll import Firing, Scroll
from cinderforge.rules.state import GameState, next_of, previous_of
from cinderforge.rules.words import ScrollId


def _effect(state: GameState, firing: Firing) -> tuple[Event, ...]:
    table = state.table
    neighbours = (next_of(table, firing.turn), previous_of(table, firing.turn))
    return tuple(Marked(MustPlay(turn)) for turn in neighbours if table.hand_sizes[turn - 1])


SCROLL = Scroll(ScrollId("force_neighbours"), _effect)
