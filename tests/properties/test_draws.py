"""Draws are even: χ² over 100,000 deals, with a biased shuffle planted to show that the test can fail."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from hashlib import sha256

import pytest

from cinderforge.rules.game import draw_deal
from cinderforge.rules.luck import SeededLuck, commitment_to, seed_from
from cinderforge.rules.settings import settings_from

DEALS = 100_000
MOST_SIGMA = 4.5
"""How far a χ² may lie above its mean, in standard deviations (normal approximation, many degrees of freedom)."""

Draw = Callable[[SeededLuck], list[tuple[str, int, object]]]


def chi_squares(draw: Draw, games: int) -> dict[str, float]:
    """For each named table of (place, value): by how many σ its χ² exceeds what even draws give."""
    counts: dict[str, Counter[tuple[int, object]]] = {}
    for number in range(games):
        luck = SeededLuck(sha256(b"chi %d" % number).digest())
        for name, place, value in draw(luck):
            counts.setdefault(name, Counter())[place, value] += 1
    return {name: _excess(table, games) for name, table in counts.items()}


def _excess(table: Counter[tuple[int, object]], games: int) -> float:
    places = {place for place, _ in table}
    totals: Counter[object] = Counter()
    for (_, value), count in table.items():
        totals[value] += count
    chi, freedom = 0.0, (len(places) - 1) * max(1, len(totals) - 1)
    if len(places) == 1:
        freedom = len(totals) - 1
    for value, total in totals.items():
        expected = total / len(places) if len(places) > 1 else games / len(totals)
        for place in places:
            chi += (table[place, value] - expected) ** 2 / expected
    return float((chi - freedom) / (2 * freedom) ** 0.5)


def deal_tables(luck: SeededLuck) -> list[tuple[str, int, object]]:
    deal = draw_deal(settings_from({}), luck)
    rows: list[tuple[str, int, object]] = []
    by_seat = sorted(range(8), key=lambda at: deal.seats[at])
    for seat, at in enumerate(by_seat):
        rows.append(("role by seat", seat, deal.roles[at]))
        rows.append(("scroll by seat", seat, deal.scrolls[at]))
        rows.append(("turn by seat", seat, at))
    rows.append(("first holder", 0, luck.pick("first holder", 8)))
    for place, card in enumerate(luck.order("round 1 shuffle", 6)):
        rows.append(("shuffle of six", place, card))
    return rows


def test_deals_first_holders_and_shuffles_are_even() -> None:
    for name, excess in chi_squares(deal_tables, DEALS).items():
        assert excess < MOST_SIGMA, f"{name}: {excess:.1f} σ"


def test_a_biased_shuffle_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The classic mistake, planted: each place swapped with any place, not with one of those left."""

    def biased(luck: SeededLuck, name: str, count: int) -> tuple[int, ...]:
        row = list(range(count))
        for at in range(count):
            other = luck.pick(f"{name} {at}", count)
            row[at], row[other] = row[other], row[at]
        return tuple(row)

    monkeypatch.setattr(SeededLuck, "order", biased)
    found = chi_squares(deal_tables, 10_000)
    for name in ("role by seat", "scroll by seat", "turn by seat", "shuffle of six"):
        assert found[name] > MOST_SIGMA, name


def test_draws_of_different_names_have_nothing_to_do_with_each_other() -> None:
    def pairs(luck: SeededLuck) -> list[tuple[str, int, object]]:
        return [("pairs", luck.pick("round 1 pass", 6), luck.pick("round 2 pass", 6))]

    assert chi_squares(pairs, 20_000)["pairs"] < MOST_SIGMA


def test_a_draw_can_be_recomputed_by_anyone() -> None:
    """Known answers: whoever changes the derivation changes every record ever made."""
    luck = SeededLuck(bytes(range(32)))
    assert luck.order("roles", 8) == KNOWN_ORDER
    assert luck.pick("first holder", 8) == KNOWN_PICK
    assert commitment_to(b"\0" * 32).hex() == KNOWN_COMMITMENT
    assert seed_from(b"\0" * 32, [b"a", b"bc"]).hex() == KNOWN_SEED


def test_contributions_cannot_be_shifted_into_one_another() -> None:
    assert seed_from(b"s", [b"ab", b"c"]) != seed_from(b"s", [b"a", b"bc"])


@pytest.mark.parametrize("count", [1, 2, 7, 10])
def test_an_order_holds_each_place_once(count: int) -> None:
    assert sorted(SeededLuck(bytes(32)).order("x", count)) == list(range(count))
    assert 0 <= SeededLuck(bytes(32)).pick("x", count) < count


KNOWN_ORDER = (1, 7, 4, 5, 2, 3, 0, 6)
KNOWN_PICK = 6
KNOWN_COMMITMENT = "558236ae92b27a660144ad46157f8c09264ad7960e32bfac026541e55c883736"
KNOWN_SEED = "1775624696c1c4501964b7b3e3c9127095ac7d7f9323cd08c39fe041a84eebff"
