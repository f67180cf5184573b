"""The balance of the rules: a grid of table sizes, A, K and options, each played by policies among themselves.

A rate says something about the rules only as far as both sides play well: dice against dice is the floor, a trained
policy against itself the best guess. What is wanted of a setting is in `LIKED`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import product
from typing import Any, Final

from cinderforge.arena.strength import Interval, wilson
from cinderforge.arena.tables import Result
from cinderforge.rules.settings import DEFAULT_TARGETS, Settings, others_dealt, settings_from

LIKED: Final = {"least": 0.45, "most": 0.55, "reason": 0.45, "rounds": 4.5}
"""Humans win between `least` and `most`; no reason ends more games than `reason`; games last `rounds` rounds."""

OPTIONS: Final = {
    "sage_slain_ends": (True, False),
    "act_last_lasts": ("round", "game"),
    "first_holder": ("random", "vote"),
}
"""The usual value first. `memory_aid` is none: AIs keep what they saw as well as they do, with it or without."""


@dataclass(frozen=True, slots=True)
class Point:
    """One setting played by one policy on both sides."""

    settings: Settings
    policy: str
    games: int
    wins: int
    reasons: dict[str, int]
    rounds: int

    @property
    def rate(self) -> Interval:
        return wilson(self.wins, self.games)

    @property
    def mean_rounds(self) -> float:
        return self.rounds / self.games

    @property
    def is_default(self) -> bool:
        one = self.settings
        targets = (one.activation_target, one.kill_target)
        return targets == DEFAULT_TARGETS[one.seats] and all(
            getattr(one, name) == values[0] for name, values in OPTIONS.items()
        )

    @property
    def is_fair(self) -> bool:
        """Whether either side wins about as often."""
        return LIKED["least"] <= self.rate.value <= LIKED["most"]

    @property
    def is_liked(self) -> bool:
        """Whether the setting is what one would want, as far as this policy can tell."""
        is_varied = max(self.reasons.values()) <= LIKED["reason"] * self.games
        return self.is_fair and is_varied and self.mean_rounds >= LIKED["rounds"]


def grid(sizes: Sequence[int], *, options: bool) -> Iterator[Settings]:
    """What may become a default: every A that R8.2 can double (R3.2), every K below the number of cards that it counts.

    With `options`, all that a host may set: these first, then every other A and K, and each option both ways.
    """
    likely = [
        settings_from({"seats": seats, "activation_target": activation, "kill_target": kill})
        for seats in sizes
        for activation in range(1, others_dealt(seats) // 2 + 1)
        for kill in range(1, others_dealt(seats))
    ]
    yield from likely
    if not options:
        return
    for values in product(*OPTIONS.values()):
        given = dict(zip(OPTIONS, values, strict=True))
        for seats in sizes:
            targets = range(1, others_dealt(seats) + 1)
            for activation, kill in product(targets, targets):
                one = settings_from({"seats": seats, "activation_target": activation, "kill_target": kill, **given})
                if one not in likely:
                    yield one


def grid_of(sizes: Sequence[int], targets: Sequence[tuple[int, int]]) -> Iterator[Settings]:
    """These A and K wherever a table of such a size can have them, options as usual."""
    for seats, (activation, kill) in product(sizes, targets):
        if max(activation, kill) <= others_dealt(seats):
            yield settings_from({"seats": seats, "activation_target": activation, "kill_target": kill})


def point_of(settings: Settings, policy: str, results: Sequence[Result]) -> Point:
    reasons = Counter(result.reason for result in results)
    wins = sum(result.humans_won for result in results)
    return Point(settings, policy, len(results), wins, dict(reasons), sum(result.rounds for result in results))


def as_line(point: Point) -> dict[str, Any]:
    """A point as a line of the file, from which `from_line` makes it again."""
    rules = {name: getattr(point.settings, name) for name in point.settings.__slots__}
    return {
        "rules": rules,
        "policy": point.policy,
        "games": point.games,
        "human_wins": point.wins,
        "reasons": dict(sorted(point.reasons.items())),
        "rounds": point.rounds,
    }


def from_line(line: dict[str, Any]) -> Point:
    rules = settings_from(line["rules"])
    return Point(rules, line["policy"], line["games"], line["human_wins"], line["reasons"], line["rounds"])


# -- a page ------------------------------------------------------------------------------------------------------------

_STYLE = """
body { font: 15px/1.5 system-ui, "Noto Sans TC", sans-serif; color: #2b2433 }
body { margin: 2rem auto; max-width: 70rem; padding: 0 1rem }
table { border-collapse: collapse; margin: .5rem 0 2rem }
th, td { padding: .3rem .6rem; text-align: right; border: 1px solid #d8d2de }
th { background: #f3f0f6 }
td small { color: #6b6275; display: block }
.usual { outline: 3px solid #2b2433 }
.liked { font-weight: bold }
"""


def as_page(points: Sequence[Point], about: str) -> str:
    """One table for each size, options and policy: K by column, A by row; a colour for who wins."""
    parts = [f"<h1>Cinderforge 灼焰契約: 平衡 balance</h1><p>{escape(about)}</p>", _LEGEND]
    for seats in sorted({point.settings.seats for point in points}):
        parts.append(f"<h2>{seats} 人 seats</h2>")
        of_size = [point for point in points if point.settings.seats == seats]
        for kind in dict.fromkeys(_kind(point) for point in of_size):
            found = {(p.settings.activation_target, p.settings.kill_target): p for p in of_size if _kind(p) == kind}
            parts.append(f"<h3>{escape(kind)}</h3>{_grid(found)}")
    body = "\n".join(parts)
    return (
        '<!doctype html>\n<html lang="zh-TW"><meta charset="utf-8"><title>Cinderforge balance</title>\n'
        f"<style>{_STYLE}</style>\n{body}\n</html>\n"
    )


def _kind(point: Point) -> str:
    """What a table of the page is about: all but A and K."""
    options = [f"{name}: {getattr(point.settings, name)}" for name in OPTIONS]
    return "; ".join([point.policy, *options])


_LEGEND = (
    "<p>人類勝率 humans win, %, ± 95 %; 平均回合 mean rounds; 最常見的結局 the commonest end. "
    "粗框 framed: 預設 the default of the size. 粗體 bold: "
    f"{100 * LIKED['least']:.0f}–{100 * LIKED['most']:.0f} %, no end above {100 * LIKED['reason']:.0f} %, "
    f"at least {LIKED['rounds']:g} rounds.</p>"
)


def _grid(found: dict[tuple[int, int], Point]) -> str:
    rows = sorted({activation for activation, _ in found})
    columns = sorted({kill for _, kill in found})
    head = "".join(f"<th>K {kill}</th>" for kill in columns)
    lines = [
        f"<tr><th>A {activation}</th>{''.join(_cell(found.get((activation, kill))) for kill in columns)}</tr>"
        for activation in rows
    ]
    return f"<table><tr><th></th>{head}</tr>{''.join(lines)}</table>"


def _cell(point: Point | None) -> str:
    if point is None:
        return "<td></td>"
    rate = point.rate
    colour = "47,111,143" if rate.value >= 0.5 else "181,68,44"
    shade = f"background: rgba({colour},{abs(rate.value - 0.5) * 1.4:.2f})"
    reason, count = max(point.reasons.items(), key=lambda one: one[1])
    marks = " ".join(name for name, holds in (("usual", point.is_default), ("liked", point.is_liked)) if holds)
    return (
        f'<td class="{marks}" style="{shade}">{100 * rate.value:.1f} ±{50 * (rate.high - rate.low):.1f}'
        f"<small>{point.mean_rounds:.1f} 回合; {reason} {100 * count / point.games:.0f} %</small></td>"
    )
