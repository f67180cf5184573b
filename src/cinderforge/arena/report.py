"""A standing told: as tables for people, as JSON for programs, as a picture (SVG)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from cinderforge.arena.strength import Interval
from cinderforge.arena.tables import MIXED
from cinderforge.arena.tournament import Setting, Standing
from cinderforge.rules.words import Role

# -- for people --------------------------------------------------------------------------------------------------------


def as_text(standing: Standing) -> str:
    """The tables, in the order in which one asks: who is how strong, then by size who beats whom and in which role."""
    parts = [_strengths(standing)]
    for setting in standing.settings:
        rules = setting.settings
        parts.append(f"== {rules.seats} seats, A {rules.activation_target}, K {rules.kill_target} ==")
        parts += _of_setting(setting)
    return "\n\n".join(parts)


def _strengths(standing: Standing) -> str:
    """Elo with the mean of the pool at 0, beside the Nash average; what each policy's play cost."""
    lines = [
        [
            name,
            *map(elo_told, (s.both, s.human, s.dragon)),
            f"{mass:.3f}",
            f"{100 * skill:+.1f}",
            *_conduct(standing, name),
        ]
        for name, s, mass, skill in zip(
            standing.pool, standing.strengths, standing.nash.mass, standing.nash.skill, strict=True
        )
    ]
    head = ["policy", "Elo", "as humans", "as dragons", "Nash mass", "points against it", "ms a decision", "refused"]
    return f"strength, 95 % by bootstrap over {standing.deals} deals a size\n{table(head, lines)}"


def _conduct(standing: Standing, name: str) -> tuple[str, str]:
    decisions = standing.conduct.decisions[name]
    cost = f"{1000 * standing.conduct.seconds[name] / decisions:.2f}" if decisions else "–"
    return cost, str(standing.conduct.refused[name])


def _of_setting(setting: Setting) -> list[str]:
    pool = setting.pool
    whole = [[a, *(percent(setting.rate("all humans", a, b)) for b in pool)] for a in pool]
    parts = [f"humans win, %: all humans by row, all dragons by column\n{table(['', *pool], whole)}"]
    ends = [[name, f"{setting.rounds(name, name):.2f}", _shares(setting.ends(name, name))] for name in pool]
    parts.append(f"among themselves\n{table(['', 'rounds', 'reasons, %'], ends)}")
    if len(pool) < 2:
        return parts
    for side in ("human", "dragon"):
        kind, populations = f"one {side}", [*pool, MIXED]
        rates = [[a, *(percent(setting.rate(kind, a, b)) if a != b else "" for b in populations)] for a in pool]
        told = f"one {side} by row among strangers by column: that faction wins, %"
        parts.append(f"{told}\n{table(['', *populations], rates)}")
        gains = [[a, *(points(setting.gain(kind, a, b)) if a != b else "" for b in pool)] for a in pool]
        told = "the same beside one more of the strangers, in points (same deals; what mixing costs)"
        parts.append(f"{told}\n{table(['', *pool], gains)}")
    teams = [
        [side, *(points(setting.debt(side, one)) for one in pool), points(setting.debt(side))]
        for side in ("human", "dragon")
    ]
    told = "teams drawn seat by seat from the pool: by how many points less often they win than teams of one kind"
    parts.append(f"{told}, against\n{table(['', *pool, 'each of them'], teams)}")
    by_role = [
        [a, *(percent(setting.by_role(a)[role]) if role in setting.by_role(a) else "" for role in Role)] for a in pool
    ]
    parts.append(
        f"one among each of the populations, its own kind too, by its role: wins, %\n{table(['', *Role], by_role)}"
    )
    return parts


def table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """Columns of one width, the first to the left, the others to the right."""
    widths = [max(len(line[at]) for line in (head, *lines)) for at in range(len(head))]
    rows = []
    for line in (head, *lines):
        cells = [line[0].ljust(widths[0]), *(one.rjust(width) for one, width in zip(line[1:], widths[1:], strict=True))]
        rows.append("  " + "  ".join(cells).rstrip())
    return "\n".join(rows)


def elo_told(one: Interval) -> str:
    return f"{one.value:+.0f} ({one.low:+.0f} to {one.high:+.0f})"


def percent(one: Interval) -> str:
    return f"{100 * one.value:.1f} ±{50 * (one.high - one.low):.1f}"


def points(one: Interval) -> str:
    return f"{100 * one.value:+.1f} ±{50 * (one.high - one.low):.1f}"


def _shares(shares: Mapping[str, float]) -> str:
    return ", ".join(f"{reason} {100 * share:.0f}" for reason, share in shares.items())


# -- for programs ------------------------------------------------------------------------------------------------------


def plain(value: Interval | float) -> Any:
    """An interval or a number as JSON has it; an interval is [value, low, high]."""
    if isinstance(value, Interval):
        return [round(value.value, 5), round(value.low, 5), round(value.high, 5)]
    return round(value, 5)


def as_json(standing: Standing, about: Mapping[str, Any]) -> dict[str, Any]:
    """All that the tables show. `about` says what was asked: command, seed, commit."""
    pool = standing.pool
    return {
        **about,
        "pool": pool,
        "deals": standing.deals,
        "elo": {
            one: {"both": plain(s.both), "human": plain(s.human), "dragon": plain(s.dragon)}
            for one, s in zip(pool, standing.strengths, strict=True)
        },
        "nash": {
            one: {"mass": plain(mass), "points": plain(100 * skill)}
            for one, mass, skill in zip(pool, standing.nash.mass, standing.nash.skill, strict=True)
        },
        "conduct": {
            one: {"decisions": standing.conduct.decisions[one], "refused": standing.conduct.refused[one]}
            for one in pool
        },
        "settings": [_setting_as_json(setting) for setting in standing.settings],
    }


def _setting_as_json(setting: Setting) -> dict[str, Any]:
    pool, rules = setting.pool, setting.settings
    found: dict[str, Any] = {
        "rules": {name: getattr(rules, name) for name in rules.__slots__},
        "all_humans": {a: {b: plain(setting.rate("all humans", a, b)) for b in pool} for a in pool},
        "reasons": {a: {b: {k: plain(v) for k, v in setting.ends(a, b).items()} for b in pool} for a in pool},
        "rounds": {a: {b: plain(setting.rounds(a, b)) for b in pool} for a in pool},
    }
    if len(pool) > 1:
        for side in ("human", "dragon"):
            kind = f"one {side}"
            found[f"one_{side}"] = {
                a: {b: plain(setting.rate(kind, a, b)) for b in (*pool, MIXED) if a != b} for a in pool
            }
            found[f"one_{side}_gains"] = {a: {b: plain(setting.gain(kind, a, b)) for b in pool if a != b} for a in pool}
        found["mixing_costs"] = {
            side: {"each": plain(setting.debt(side)), **{one: plain(setting.debt(side, one)) for one in pool}}
            for side in ("human", "dragon")
        }
        found["by_role"] = {a: {role.value: plain(rate) for role, rate in setting.by_role(a).items()} for a in pool}
    return found


# -- a picture ---------------------------------------------------------------------------------------------------------

_INK, _PALE, _HUMAN, _DRAGON = "#2b2433", "#d8d2de", "#2f6f8f", "#b5442c"


def as_picture(standing: Standing, title: str) -> str:
    """Elo with its intervals, and by size who beats whom, as one SVG."""
    pool = standing.pool
    label = 12 + 7 * max(map(len, pool))
    width = max(640, label + 90 * len(pool) + 40)
    parts, top = [_text(16, 28, title, 15)], 60
    ends = [edge for s in standing.strengths for one in (s.human, s.dragon) for edge in (one.low, one.high)]
    low, high = min(*ends, -10.0), max(*ends, 10.0)
    scale = (width - label - 40) / (high - low)
    parts.append(_text(16, top - 8, "Elo, 95 %: as humans (blue), as dragons (red); 0 is the mean of the pool"))
    zero = label - low * scale
    parts.append(f'<line x1="{zero:.1f}" x2="{zero:.1f}" y1="{top}" y2="{top + 34 * len(pool)}" stroke="{_PALE}"/>')
    for at, (name, s) in enumerate(zip(pool, standing.strengths, strict=True)):
        y = top + 34 * at + 17
        parts.append(_text(16, y + 4, name))
        for one, colour, shift in ((s.human, _HUMAN, -5), (s.dragon, _DRAGON, 5)):
            ends_x = [label + (edge - low) * scale for edge in (one.low, one.value, one.high)]
            parts.append(
                f'<line x1="{ends_x[0]:.1f}" x2="{ends_x[2]:.1f}" y1="{y + shift}" y2="{y + shift}" stroke="{colour}"/>'
                f'<circle cx="{ends_x[1]:.1f}" cy="{y + shift}" r="3.5" fill="{colour}"/>'
            )
    top += 34 * len(pool) + 40
    for setting in standing.settings:
        parts.append(
            _text(16, top, f"{setting.settings.seats} seats: humans (by row) against dragons, % won by humans")
        )
        parts += _squares(setting, label, top + 12)
        top += 28 * (len(pool) + 1) + 40
    size = f'width="{width}" height="{top}" viewBox="0 0 {width} {top}"'
    style = 'font-family="system-ui, sans-serif"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {style}>\n' + "\n".join(parts) + "\n</svg>\n"


def _squares(setting: Setting, left: int, top: int) -> list[str]:
    pool, parts = setting.pool, []
    for column, name in enumerate(pool):
        parts.append(_text(left + 90 * column + 6, top + 18, name))
    for row, one in enumerate(pool):
        y = top + 28 * (row + 1)
        parts.append(_text(16, y + 18, one))
        for column, other in enumerate(pool):
            rate = setting.rate("all humans", one, other)
            colour = _HUMAN if rate.value >= 0.5 else _DRAGON
            box = f'x="{left + 90 * column}" y="{y}" width="88" height="26"'
            parts.append(f'<rect {box} fill="{colour}" fill-opacity="{abs(rate.value - 0.5) * 1.4 + 0.05:.2f}"/>')
            parts.append(_text(left + 90 * column + 8, y + 18, percent(rate)))
    return parts


def _text(x: float, y: float, words: str, size: int = 12) -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size}" fill="{_INK}">{escape(words)}</text>'
