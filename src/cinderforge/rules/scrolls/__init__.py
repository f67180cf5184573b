"""The shelf of scrolls. The catalogue is in the order of R6, and a deal draws from it by that order."""

from __future__ import annotations

from typing import Final

from cinderforge.rules.scrolls import (
    act_last,
    draw_next,
    draw_previous,
    force_neighbours,
    force_play,
    gift_blank,
    insight,
    link_play,
    peek_hand,
    reveal_sources,
)
from cinderforge.rules.scrolls.scroll import Scroll
from cinderforge.rules.words import ScrollId

CATALOG: Final[dict[ScrollId, Scroll]] = {
    module.SCROLL.id: module.SCROLL
    for module in (
        force_play,
        reveal_sources,
        draw_next,
        draw_previous,
        link_play,
        act_last,
        gift_blank,
        force_neighbours,
        peek_hand,
        insight,
    )
}

CATALOGS: Final[dict[int, tuple[ScrollId, ...]]] = {1: tuple(CATALOG)}
"""Rules version → the scrolls its deals drew from, so that old records stay verifiable (docs/formats.md)."""
