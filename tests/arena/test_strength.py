"""Rates, Elo and Nash averages are what they say: known strengths are found again, known equilibria met."""

from __future__ import annotations

import doctest
from math import exp
from random import Random

import pytest

from cinderforge.arena import strength
from cinderforge.arena.strength import ELO, Row, clustered, elo, nash_average, paired, wilson


def test_the_examples_hold() -> None:
    assert doctest.testmod(strength).failed == 0


def test_the_interval_is_wilsons() -> None:
    one = wilson(0, 10)
    assert (round(one.value, 4), round(one.low, 4), round(one.high, 4)) == (0.0, 0.0, 0.2775)
    assert wilson(0, 0).high == 1.0


def test_a_difference_at_the_same_deals_has_a_narrower_interval_than_two_rates() -> None:
    rng = Random(1)
    others = [rng.random() < 0.5 for _ in range(2000)]
    ones = [win or rng.random() < 0.1 for win in others]
    gain = paired(ones, others)
    assert gain.low < 0.05 < gain.high
    assert gain.high - gain.low < 0.5 * (wilson(sum(ones), 2000).high - wilson(sum(ones), 2000).low)


def test_the_same_deal_played_again_is_no_new_deal() -> None:
    wins = [True, False] * 50
    again = clustered([float(win) for win in wins])  # each deal four times, with the same end
    assert again.high - again.low > 1.9 * (wilson(200, 400).high - wilson(200, 400).low)


HUMANS, DRAGONS, SETTING = (80.0, 0.0, -80.0), (30.0, -60.0, 30.0), -50.0


def synthetic(games: int, rng: Random) -> list[Row]:
    """Results of three policies whose strengths we know; mixed seats count by their share."""
    rows = []
    for one in range(3):
        for other in range(3):
            for share in (1.0, 0.2):
                terms = {one: share, 3 + other: -1.0, 6: 1.0}
                if share < 1:
                    terms[other] = terms.get(other, 0.0) + 1 - share
                strengths = [*HUMANS, *DRAGONS, SETTING]
                odds = sum(strengths[at] * value for at, value in terms.items()) / ELO
                rows.append(Row(terms, [rng.random() < 1 / (1 + exp(-odds)) for _ in range(games)]))
    return rows


def test_known_strengths_are_within_their_intervals() -> None:
    found = elo(synthetic(3000, Random(5)), 3, 1, Random(6), resamples=100)
    for one, human, dragon in zip(found, HUMANS, DRAGONS, strict=True):
        assert one.human.low - 5 <= human <= one.human.high + 5
        assert one.dragon.low - 5 <= dragon <= one.dragon.high + 5
        assert one.both.value == pytest.approx((one.human.value + one.dragon.value) / 2)
        assert 5 < one.human.high - one.human.low < 60
    assert sum(one.human.value for one in found) == pytest.approx(0, abs=1e-6)


def test_more_deals_make_narrower_intervals() -> None:
    def width(games: int) -> float:
        first = elo(synthetic(games, Random(5)), 3, 1, Random(6), resamples=200)[0].human
        return first.high - first.low

    assert width(8000) < 0.4 * width(500)


def test_a_policy_that_never_loses_has_a_number_too() -> None:
    rows = [Row({0: 1.0, 3: -1.0, 4: 1.0}, [True] * 50), Row({1: 1.0, 2: -1.0, 4: 1.0}, [False] * 50)]
    assert 0 < elo(rows, 2, 1, Random(1), resamples=20)[0].both.value < 5000


@pytest.mark.parametrize(
    ("payoff", "mass"),
    [
        ([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], [1 / 3, 1 / 3, 1 / 3]),
        # a copy of the first takes its share from the first alone: Nash averaging does not count heads
        ([[0, 0, -1, 1], [0, 0, -1, 1], [1, 1, 0, -1], [-1, -1, 1, 0]], [1 / 6, 1 / 6, 1 / 3, 1 / 3]),
        ([[0, 0.01, 0.3], [-0.01, 0, 0.1], [-0.3, -0.1, 0]], [1, 0, 0]),
        # the most even of many equilibria
        ([[0, 0, 0], [0, 0, 0.2], [0, -0.2, 0]], [0.5, 0.5, 0]),
        ([[0]], [1]),
        ([[0, 0], [0, 0]], [0.5, 0.5]),
    ],
)
def test_nash_averaging_finds_the_most_even_equilibrium(payoff: list[list[float]], mass: list[float]) -> None:
    found = nash_average(payoff)
    assert found.mass == pytest.approx(mass, abs=2e-3)
    assert max(found.skill) <= 1e-3
