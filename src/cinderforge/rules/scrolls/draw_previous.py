"""抽取上家手牌 (R6.4): one draws a face-down card of the previous player and may play only that one."""

from cinderforge.rules.scrolls.scroll import Scroll, draw
from cinderforge.rules.state import Table, previous_of
from cinderforge.rules.words import ScrollId, Turn


def _previous(table: Table, turn: Turn, targets: tuple[Turn, ...]) -> Turn:
    return previous_of(table, turn)


SCROLL = Scroll(ScrollId("draw_previous"), draw, card_of=_previous)
