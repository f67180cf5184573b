"""The shelf (R6): which scrolls ask for what, and that each is a file of its own name."""

from __future__ import annotations

import pytest

from cinderforge.rules.scrolls import CATALOG, CATALOGS
from cinderforge.rules.scrolls.scroll import Players
from cinderforge.rules.settings import MAX_SEATS, RULES_VERSION
from cinderforge.rules.words import ScrollId, Turn
from tests.redaction.deals import by_day

IN_ORDER_OF_R6 = [
    *("force_play", "reveal_sources", "draw_next", "draw_previous", "link_play"),
    *("act_last", "gift_blank", "force_neighbours", "peek_hand", "insight"),
]
ASKING = {"force_play", "draw_next", "draw_previous", "link_play", "gift_blank", "peek_hand"}


def test_the_catalogue_is_in_the_order_of_the_rules() -> None:
    assert list(CATALOG) == IN_ORDER_OF_R6


def test_the_present_rules_deal_from_the_whole_shelf_and_old_ones_stay_as_they_were() -> None:
    assert CATALOGS[RULES_VERSION] == tuple(CATALOG)
    assert CATALOGS[1] == tuple(IN_ORDER_OF_R6)
    assert len(CATALOG) >= MAX_SEATS, "each player gets a scroll of their own (R3.1)"


@pytest.mark.parametrize("scroll", CATALOG)
def test_six_scrolls_ask_and_four_do_not(scroll: ScrollId) -> None:
    assert CATALOG[scroll].asks == (scroll in ASKING)


def test_what_is_shown_briefly_is_shown_for_eight_seconds() -> None:
    assert CATALOG[ScrollId("insight")].seconds == 8


@pytest.mark.parametrize(
    ("players", "sizes", "candidates"),
    [
        (Players(1, oneself=True, holding_cards=True), (3, 0, 1, 0, 2), (1, 3, 5)),
        (Players(1, oneself=False, holding_cards=True), (3, 0, 1, 0, 2), (3, 5)),
        (Players(1, oneself=False, holding_cards=False), (3, 0, 1, 0, 2), (2, 3, 4, 5)),
        (Players(2, oneself=True, holding_cards=True), (3, 0, 0, 0, 2), (1, 5)),
        (Players(2, oneself=True, holding_cards=True), (3, 0, 0, 0, 0), ()),
        (Players(1, oneself=False, holding_cards=True), (3, 0, 0, 0, 0), ()),
    ],
)
def test_too_few_candidates_are_none(players: Players, sizes: tuple[int, ...], candidates: tuple[int, ...]) -> None:
    table = by_day().table._replace(hand_sizes=sizes)
    assert players.candidates(table, Turn(1)) == candidates
