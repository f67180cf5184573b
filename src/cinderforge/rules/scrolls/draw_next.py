"""抽取下家手牌 (R6.3): one draws a face-down card of the next player and may play only that one."""

from cinderforge.rules.scrolls.scroll import Scroll, draw
from cinderforge.rules.state import Table, next_of
from cinderforge.rules.words import ScrollId, Turn


def _next(table: Table, turn: Turn, targets: tuple[Turn, ...]) -> Turn:
    return next_of(table, turn)


SCROLL = Scroll(ScrollId("draw_next"), draw, card_of=_next)
