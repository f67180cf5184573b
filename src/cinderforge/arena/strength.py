"""From results to numbers: rates, Elo with intervals by bootstrap over deals, and Nash averaging.

Elo here is a logistic model of one win: with `s` a policy's strength as one faction, shared out over the seats of that
faction, the log-odds that the humans win are `setting + mean of s over the human seats − mean of s over the dragons'`.
Games with hidden roles are intransitive, so the average against the Nash mixture of the pool stands beside it
(Balduzzi et al. 2018): it is not moved by how many copies of a policy the pool holds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp, log, sqrt
from random import Random
from typing import Final

ELO: Final = 400 / log(10)
BLOCKS: Final = 250
"""Deals are resampled in so many blocks at most."""
_Z = 1.959964
_PRIOR = 0.5
"""A weak pull towards equal strength, in games, so that a policy that never loses has a number, too."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A number and its 95 % interval."""

    value: float
    low: float
    high: float


def wilson(wins: int, games: int) -> Interval:
    """A rate with Wilson's interval (Wilson 1927).

    >>> one = wilson(50, 100)
    >>> round(one.value, 3), round(one.low, 3), round(one.high, 3)
    (0.5, 0.404, 0.596)
    """
    if not games:
        return Interval(0.5, 0.0, 1.0)
    rate, spread = wins / games, _Z * _Z / games
    middle = (rate + spread / 2) / (1 + spread)
    half = _Z * sqrt(rate * (1 - rate) / games + spread / (4 * games)) / (1 + spread)
    return Interval(rate, middle - half, middle + half)


def clustered(rates: Sequence[float]) -> Interval:
    """The mean over deals of what was played several times at each: games at one deal are no independent ones."""
    mean = sum(rates) / len(rates)
    variance = sum((rate - mean) ** 2 for rate in rates) / max(1, len(rates) - 1)
    half = _Z * sqrt(variance / len(rates))
    return Interval(mean, mean - half, mean + half)


def paired(ones: Sequence[bool], others: Sequence[bool]) -> Interval:
    """By how much the first wins more often than the second at the same deals."""
    return clustered([one - other for one, other in zip(ones, others, strict=True)])


# -- Elo ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Row:
    """One cell for the model: the terms of its log-odds by number, and the human wins, deal by deal."""

    terms: Mapping[int, float]
    wins: Sequence[bool]


def blocks_of(wins: Sequence[bool], most: int = BLOCKS) -> list[tuple[int, int]]:
    """Wins and games of consecutive blocks: what is resampled."""
    count = min(most, len(wins))
    edges = [len(wins) * at // count for at in range(count + 1)]
    return [(sum(wins[a:b]), b - a) for a, b in pairwise(edges)]


def fitted(terms: Sequence[Mapping[int, float]], counts: Sequence[tuple[int, int]], start: list[float]) -> list[float]:
    """The coefficients of the logistic model, by Newton's method. `counts` are wins and games by row."""
    beta = list(start)
    size = len(beta)
    for _ in range(25):
        gradient = [-_PRIOR * one for one in beta]
        hessian = [[_PRIOR if a == b else 0.0 for b in range(size)] for a in range(size)]
        for row, (wins, games) in zip(terms, counts, strict=True):
            chance = 1 / (1 + exp(-sum(beta[at] * share for at, share in row.items())))
            weight = games * chance * (1 - chance)
            for a, one in row.items():
                gradient[a] += one * (wins - games * chance)
                for b, other in row.items():
                    hessian[a][b] += weight * one * other
        step = _solved(hessian, gradient)
        beta = [one + change for one, change in zip(beta, step, strict=True)]
        if max(map(abs, step)) < 1e-7:
            break
    return beta


def _solved(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Gauss, with the largest pivot first."""
    size = len(right)
    rows = [[*line, value] for line, value in zip(matrix, right, strict=True)]
    for at in range(size):
        pivot = max(range(at, size), key=lambda line: abs(rows[line][at]))
        rows[at], rows[pivot] = rows[pivot], rows[at]
        for line in range(at + 1, size):
            factor = rows[line][at] / rows[at][at]
            if factor:
                rows[line] = [a - factor * b for a, b in zip(rows[line], rows[at], strict=True)]
    found = [0.0] * size
    for at in reversed(range(size)):
        rest = sum(rows[at][later] * found[later] for later in range(at + 1, size))
        found[at] = (rows[at][size] - rest) / rows[at][at]
    return found


@dataclass(frozen=True, slots=True)
class Strength:
    """A policy's Elo as humans, as dragons and as either by turns; the mean of the pool is 0."""

    human: Interval
    dragon: Interval
    both: Interval


def elo(rows: Sequence[Row], policies: int, settings: int, rng: Random, resamples: int = 200) -> list[Strength]:
    """Each policy's strength. Terms: `policies` human strengths, as many dragon ones, then the settings."""
    terms = [row.terms for row in rows]
    blocks = [blocks_of(row.wins) for row in rows]
    count = len(blocks[0])
    size = 2 * policies + settings
    beta = fitted(terms, [_totals(block) for block in blocks], [0.0] * size)
    samples = []
    for _ in range(resamples):
        drawn = rng.choices(range(count), k=count)
        counts = [_totals([block[at] for at in drawn]) for block in blocks]
        samples.append(_centred(fitted(terms, counts, beta), policies))
    value = _centred(beta, policies)
    return [
        Strength(*(_interval(value[one][kind], [sample[one][kind] for sample in samples]) for kind in range(3)))
        for one in range(policies)
    ]


def _totals(block: Sequence[tuple[int, int]]) -> tuple[int, int]:
    return sum(wins for wins, _ in block), sum(games for _, games in block)


def _centred(beta: Sequence[float], policies: int) -> list[tuple[float, float, float]]:
    humans, dragons = beta[:policies], beta[policies : 2 * policies]
    middle_h, middle_d = sum(humans) / policies, sum(dragons) / policies
    pairs = [((h - middle_h) * ELO, (d - middle_d) * ELO) for h, d in zip(humans, dragons, strict=True)]
    return [(h, d, (h + d) / 2) for h, d in pairs]


def _interval(value: float, samples: Sequence[float]) -> Interval:
    ordered = sorted(samples)
    return Interval(value, ordered[int(0.025 * len(ordered))], ordered[int(0.975 * (len(ordered) - 1))])


# -- Nash averaging ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Nash:
    """The most even equilibrium mixture of the pool, and what each policy gains against it (0 at best)."""

    mass: list[float]
    skill: list[float]


def nash_average(payoff: Sequence[Sequence[float]], rounds: int = 20_000) -> Nash:
    """The maximum-entropy Nash mixture of an antisymmetric payoff matrix, by accelerated ascent on the dual.

    A mixture p is an equilibrium if no policy gains against it, payoff·p ≤ 0; of all such the most even is
    p ∝ exp(−payoffᵀ·μ) with multipliers μ ≥ 0 that grow where somebody still gains.

    >>> rock_paper_scissors = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]
    >>> [round(one, 3) for one in nash_average(rock_paper_scissors).mass]
    [0.333, 0.333, 0.333]
    """
    size = len(payoff)
    largest = max((abs(entry) for line in payoff for entry in line), default=0.0) or 1.0
    game = [[entry / largest for entry in line] for line in payoff]
    multipliers, ahead = [0.0] * size, [0.0] * size
    for number in range(rounds):
        gains = _against(game, _mixture(game, ahead))
        stepped = [max(0.0, mu + gain / size) for mu, gain in zip(ahead, gains, strict=True)]
        swing = number / (number + 3)
        ahead = [new + swing * (new - old) for new, old in zip(stepped, multipliers, strict=True)]
        multipliers = stepped
    mass = _mixture(game, multipliers)
    return Nash(mass, _against(payoff, mass))


def _mixture(game: Sequence[Sequence[float]], multipliers: Sequence[float]) -> list[float]:
    size = len(game)
    weights = [-sum(multipliers[j] * game[j][i] for j in range(size)) for i in range(size)]
    powers = [exp(weight - max(weights)) for weight in weights]
    return [power / sum(powers) for power in powers]


def _against(game: Sequence[Sequence[float]], mass: Sequence[float]) -> list[float]:
    return [sum(entry * share for entry, share in zip(line, mass, strict=True)) for line in game]
