"""A tournament: every cell of a pool at the same deals, by table size, and what follows from the results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from cinderforge.arena.by_engine import Conduct, Played
from cinderforge.arena.strength import Interval, Nash, Row, Strength, clustered, elo, nash_average, paired, wilson
from cinderforge.arena.tables import MIXED, Cell, Result, cells_of
from cinderforge.rules.settings import Settings, roles_for
from cinderforge.rules.words import Faction, Role, faction_of

Play = Callable[[Settings, Sequence[Cell], Sequence[int]], Played]
"""Plays these deals in every cell."""


@dataclass(slots=True)
class Setting:
    """All results at one table size. Lists are by deal."""

    settings: Settings
    pool: list[str]
    results: dict[Cell, list[Result]]
    lone: list[dict[str, Role]]

    def wins(self, kind: str, one: str, other: str) -> list[bool]:
        """Deal by deal, whether the candidate's faction won; one more of the same is self-play."""
        if kind == "all dragons":
            return [not result.humans_won for result in self.results[Cell("all humans", other, one)]]
        if kind == "all humans":
            return [result.humans_won for result in self.results[Cell("all humans", one, other)]]
        if one == other:
            return self.wins("all humans" if kind == "one human" else "all dragons", one, one)
        cell = Cell("one human" if kind == "one human" else "one dragon", one, other)
        return [result.humans_won == (kind == "one human") for result in self.results[cell]]

    def rate(self, kind: str, one: str, other: str) -> Interval:
        wins = self.wins(kind, one, other)
        return wilson(sum(wins), len(wins))

    def gain(self, kind: str, one: str, other: str) -> Interval:
        """What one of us among strangers does for its faction, beside one more of them at the same deals."""
        return paired(self.wins(kind, one, other), self.wins(kind, other, other))

    def debt(self, side: str, other: str | None = None) -> Interval:
        """What mixing a team costs it: how much less often than teams of one kind it wins, at the same deals.

        Against all of one kind, or by default against each kind of the pool in equal parts.
        """
        kind, others = f"all {side}s", [other] if other else self.pool
        mixed = [self.wins(kind, MIXED, one) for one in others]
        whole = [self.wins(kind, team, one) for team in self.pool for one in others]
        pairs = zip(zip(*whole, strict=True), zip(*mixed, strict=True), strict=True)
        return clustered([sum(ones) / len(ones) - sum(wins) / len(wins) for ones, wins in pairs])

    def by_role(self, one: str) -> dict[Role, Interval]:
        """How often one of us wins by the role that it was dealt, among every population of the pool in equal parts."""
        populations = [*self.pool, MIXED] if len(self.pool) > 1 else self.pool
        rates: dict[Role, list[float]] = {role: [] for role in Role}
        for kind in ("one human", "one dragon"):
            by_population = [self.wins(kind, one, other) for other in populations]
            for seats, wins in zip(self.lone, zip(*by_population, strict=True), strict=True):
                rates[seats[kind]].append(sum(wins) / len(wins))
        return {role: clustered(found) for role, found in rates.items() if found}

    def ends(self, one: str, other: str) -> dict[str, float]:
        """The reasons by share, of all humans of one against all dragons of the other."""
        results = self.results[Cell("all humans", one, other)]
        return {reason: n / len(results) for reason, n in sorted(Counter(r.reason for r in results).items())}

    def rounds(self, one: str, other: str) -> float:
        results = self.results[Cell("all humans", one, other)]
        return sum(result.rounds for result in results) / len(results)


@dataclass(slots=True)
class Standing:
    """What a tournament came to."""

    pool: list[str]
    settings: list[Setting]
    conduct: Conduct
    strengths: list[Strength]
    nash: Nash
    deals: int
    seed: str


def tournament(pool: Sequence[str], sizes: Sequence[Settings], deals: int, seed: str, play: Play) -> Standing:
    """Plays every cell at every size, and rates the pool."""
    conduct, settings = Conduct(), []
    for one in sizes:
        cells = cells_of(pool)
        played = play(one, cells, range(deals))
        conduct.add(played.conduct)
        settings.append(Setting(one, list(pool), dict(zip(cells, played.results, strict=True)), played.lone))
    rows = [row for number, one in enumerate(settings) for row in _rows(one, number)]
    strengths = elo(rows, len(pool), len(settings), Random(f"{seed}/bootstrap"))
    return Standing(list(pool), settings, conduct, strengths, nash_average(_payoff(settings, pool)), deals, seed)


def _rows(setting: Setting, number: int) -> list[Row]:
    """Each cell as terms of the model: every seat of a faction has an equal share in its strength."""
    size = len(setting.pool)
    humans = sum(faction_of(role) is Faction.HUMAN for role in roles_for(setting.settings.seats))
    dragons = setting.settings.seats - humans
    rows = []
    for cell, results in setting.results.items():
        of_humans = _shares(setting.pool, cell, "human", humans)
        of_dragons = _shares(setting.pool, cell, "dragon", dragons)
        terms = {at: share for at, share in enumerate(of_humans) if share}
        terms |= {size + at: -share for at, share in enumerate(of_dragons) if share}
        rows.append(Row({**terms, 2 * size + number: 1.0}, [result.humans_won for result in results]))
    return rows


def _shares(pool: Sequence[str], cell: Cell, side: str, seats: int) -> list[float]:
    def team(name: str) -> list[float]:
        return [1 / len(pool) if name == MIXED else float(one == name) for one in pool]

    if cell.kind == "all humans":
        return team(cell.candidate if side == "human" else cell.population)
    strangers = team(cell.population)
    if cell.kind != f"one {side}":
        return strangers
    return [(share * (seats - 1) + (one == cell.candidate)) / seats for one, share in zip(pool, strangers, strict=True)]


def _payoff(settings: Sequence[Setting], pool: Sequence[str]) -> list[list[float]]:
    """How much more than half of its games the row wins against the column, as both factions by turns, at all sizes."""

    def ahead(one: str, other: str) -> float:
        rates = [s.rate("all humans", one, other).value - s.rate("all humans", other, one).value for s in settings]
        return sum(rates) / len(rates) / 2

    return [[ahead(one, other) for other in pool] for one in pool]
