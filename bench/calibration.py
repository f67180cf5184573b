"""Of what a belief calls x % likely, how much is true? `python -m bench.calibration --out docs/pictures`

Games of the kernel, 8 seats at the defaults, at tables of four kinds. At the end of each round one seat, drawn by lot,
is asked of every other player whether they are a dragon; what logic settles is left out. Errors count a game as one
observation, not each answer.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import log2
from pathlib import Path
from typing import Any, Final

from cinderforge.bots import BOTS, LEVELS, THINKING
from cinderforge.bots.levels import Level
from cinderforge.bots.weights import shipped
from cinderforge.cli.arena import commit
from cinderforge.kernel import ffi, lib, minds
from cinderforge.kernel.belief import Filter
from cinderforge.kernel.scripts import BLANKS, DICE, EAGER, PLAIN, SKIPPER
from cinderforge.rules.settings import DEFAULT_TARGETS

SEATS: Final = 8
BINS: Final = 10
SETTLED: Final = 1e-9
MODELS: Final = {"logic": None, "minds": minds.shipped()}
TABLES: Final[dict[str, tuple[str, ...]]] = {
    "the five levels, mixed": LEVELS,
    "mixed company": ("dice", "plain", "loose plain", "net", "loose net", "eager", "shy", "blanks"),
    "the net alone": ("net",),
    "dice alone": ("dice",),
}
SCRIPTS: Final = {
    "dice": (DICE, 0.0),
    "plain": (PLAIN, 0.05),
    "loose plain": (PLAIN, 0.3),
    "eager": (EAGER, 0.25),
    "shy": (SKIPPER, 0.4),
    "blanks": (BLANKS, 0.3),
}
"""Scripts of the kernel, and how often each does anything that is allowed."""

NETS: Final = {"net": (1.0, 0.0), "loose net": (1.4, 0.1)}
"""How warm the shipped net plays, and how often it does anything that is allowed."""


@dataclass
class Reliability:
    """By bin and game: how many answers there were, what they summed to, how many were true."""

    bits: float = 0.0
    by_game: list[dict[int, tuple[int, float, int]]] = field(default_factory=list)

    def answered(self, chance: float, is_so: bool) -> None:
        at = min(BINS - 1, int(chance * BINS))
        count, said, true = self.by_game[-1].get(at, (0, 0.0, 0))
        self.by_game[-1][at] = (count + 1, said + chance, true + is_so)
        self.bits -= log2(max(1e-12, chance if is_so else 1 - chance))

    @property
    def count(self) -> int:
        return sum(count for game in self.by_game for count, _, _ in game.values())

    def bins(self) -> Iterator[tuple[int, int, float, float, float]]:
        """Bin, answers, what was said on average, the share that was true, and its 95 % error."""
        for at in range(BINS):
            games = [game[at] for game in self.by_game if at in game]
            count = sum(each[0] for each in games)
            if count:
                share = sum(each[2] for each in games) / count
                spread = sum((true - share * many) ** 2 for many, _, true in games) ** 0.5 / count
                yield at, count, sum(each[1] for each in games) / count, share, 1.96 * spread

    def off(self) -> float:
        """How far what is true lies from what was said, on average over all answers."""
        return sum(count * abs(share - said) for _, count, said, share, _ in self.bins()) / max(1, self.count)


def rounds(players: Sequence[str], number: int, rng: random.Random) -> Iterator[Any]:
    """A game at the end of each round but the last."""
    game, dice = ffi.new("cf_game *"), ffi.new("uint64_t[2]", [rng.getrandbits(63), 1])
    lib.cf_deal(game, ffi.new("cf_rules *", (SEATS, *DEFAULT_TARGETS[SEATS], 1, 0, 0)), number)
    done = 0
    while (who := lib.cf_next(game)) >= 0:
        if game.pub.round > done:
            done = game.pub.round
            yield game
        lib.cf_apply(game, _action(players[who], game, who, dice, rng), -1)


def _action(player: str, game: Any, who: int, dice: Any, rng: random.Random) -> int:
    mask, pub, mine = lib.cf_mask(game), ffi.addressof(game.pub), ffi.addressof(game.priv[who])
    if not mask & (mask - 1):
        return int(mask).bit_length() - 1
    if player in LEVELS:
        level = BOTS[player]
        assert isinstance(level, Level)
        return level._action(pub, mine, rng)
    script, (heat, noise) = 0, NETS.get(player, (1.0, 0.0))
    if player in SCRIPTS:
        script, noise = SCRIPTS[player]
    if noise and rng.random() < noise:
        script = DICE
    if script:
        return int(lib.cf_script(script, pub, mine, mask, dice))
    chances = ffi.new("float[]", lib.CF_ACTIONS)
    lib.cf_policy(shipped("blueprint")[0], pub, mine, mask, heat, chances)
    return rng.choices(range(lib.CF_ACTIONS), list(chances))[0]


@cache
def _memory() -> Filter:
    return Filter()


def asked(table: str, games: int, seed: str) -> dict[str, Reliability]:
    """What each belief said at this table, and what was so."""
    found = {name: Reliability() for name in MODELS}
    for number in range(games):
        rng = random.Random(f"{seed} {table} {number}")
        players = [rng.choice(TABLES[table]) for _ in range(SEATS)]
        for each in found.values():
            each.by_game.append({})
        for game in rounds(players, rng.getrandbits(62), rng):
            me, public = rng.randrange(SEATS), ffi.addressof(game.pub)
            said = {
                name: _memory().believe(public, ffi.addressof(game.priv[me]), model) for name, model in MODELS.items()
            }
            alone = said["logic"]
            assert alone
            for turn in range(SEATS):
                if turn == me or not SETTLED < alone.dragon[turn] < 1 - SETTLED:
                    continue
                for name, answer in said.items():
                    assert answer
                    found[name].answered(answer.dragon[turn], game.hid.role[turn] >= lib.CF_RED)
    return found


# -- told --------------------------------------------------------------------------------------------------------------

_INK, _PALE, _COLOUR = "#2b2433", "#d8d2de", {"logic": "#8a7f98", "minds": "#b5442c"}
_SIDE: Final = 240


def _x(left: int, chance: float) -> float:
    return left + chance * _SIDE


def _y(top: int, chance: float) -> float:
    return top + (1 - chance) * _SIDE


def _text(x: float, y: float, said: str, size: int = 12, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{_INK}" text-anchor="{anchor}">{said}</text>'


def picture(found: dict[str, dict[str, Reliability]], about: str) -> str:
    """A square for each table: what was said to the right, what was so upwards; small bars count the answers."""
    width, height, parts = 2 * (_SIDE + 76) + 16, 2 * (_SIDE + 84) + 60, [_text(16, 26, "Said and so", 16)]
    parts.append(_text(16, 44, about, 11))
    for at, (table, beliefs) in enumerate(found.items()):
        left, top = 60 + at % 2 * (_SIDE + 76), 80 + at // 2 * (_SIDE + 84)
        parts.append(_text(left, top - 8, table, 13))
        frame = f'x="{left}" y="{top}" width="{_SIDE}" height="{_SIDE}" fill="#fff" stroke="{_PALE}"'
        parts.append(f"<rect {frame}/>")
        parts.append(
            f'<line x1="{left}" y1="{top + _SIDE}" x2="{left + _SIDE}" y2="{top}" stroke="{_PALE}" stroke-width="2"/>'
        )
        for tick in (0, 25, 50, 75, 100):
            parts.append(_text(_x(left, tick / 100), top + _SIDE + 16, f"{tick}", 10, "middle"))
            parts.append(_text(left - 6, _y(top, tick / 100) + 4, f"{tick}", 10, "end"))
        parts.append(
            _text(
                left + _SIDE / 2,
                top + _SIDE + 32,
                f"said, % (a dragon); {beliefs['logic'].count:,} answers",
                11,
                "middle",
            )
        )
        for name, reliability in beliefs.items():
            parts += _curve(reliability, left, top, _COLOUR[name], name)
    key = " · ".join(f'<tspan fill="{colour}">● {name}</tspan>' for name, colour in _COLOUR.items())
    parts.append(_text(width - 16, 26, key, 13, "end"))
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}" font-family="system-ui, sans-serif"'
    back = f'<rect width="{width}" height="{height}" fill="#fbfafc"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>\n{back}\n' + "\n".join(parts) + "\n</svg>\n"


def _curve(reliability: Reliability, left: int, top: int, colour: str, name: str) -> Iterator[str]:
    shift, points = (-2.0 if name == "logic" else 2.0), list[str]()
    rows = [row for row in reliability.bins() if row[1] >= 30]
    most = max((row[1] for row in rows), default=1)
    for at, count, said, share, error in rows:
        x, y = _x(left, said), _y(top, share)
        points.append(f"{x:.1f},{y:.1f}")
        low, high = _y(top, max(0, share - error)), _y(top, min(1, share + error))
        yield f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{low:.1f}" y2="{high:.1f}" stroke="{colour}"/>'
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>'
        tall = 36 * count / most
        bar = f'x="{_x(left, (at + 0.5) / BINS) + shift - 2:.1f}" y="{top + _SIDE - tall:.1f}"'
        yield f'<rect {bar} width="4" height="{tall:.1f}" fill="{colour}" opacity="0.25"/>'
    yield f'<polyline points="{" ".join(points)}" fill="none" stroke="{colour}" opacity="0.6"/>'


def tables(found: dict[str, dict[str, Reliability]]) -> str:
    """What the picture shows, in numbers."""
    lines = [
        "| table | belief | games | answers | off by, on average | bits a side |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for table, beliefs in found.items():
        for name, each in beliefs.items():
            bits = each.bits / max(1, each.count)
            lines.append(
                f"| {table} | {name} | {len(each.by_game):,} | {each.count:,} "
                f"| {100 * each.off():.1f} points | {bits:.3f} |"
            )
    lines += ["", "| said | " + " | ".join(f"{t}: {name}" for t, b in found.items() for name in b) + " |"]
    lines.append("| --- |" + " --- |" * sum(map(len, found.values())))
    rows = [{row[0]: row for row in each.bins()} for beliefs in found.values() for each in beliefs.values()]
    for at in range(BINS):
        cells = []
        for row in rows:
            _, count, _, share, error = row.get(at, (at, 0, 0.0, 0.0, 0.0))
            cells.append(f"{100 * share:.0f} ± {100 * error:.0f} ({count:,})" if count >= 30 else "–")
        lines.append(f"| {100 * at // BINS} to {100 * (at + 1) // BINS} % | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=3600, help="at a table; where AIs think, a sixth of that")
    parser.add_argument("--seed", default="calibration")
    parser.add_argument("--out", type=Path, help="write calibration.svg there")
    given = parser.parse_args()
    games = {table: given.games // (6 if THINKING & set(kinds) else 1) for table, kinds in TABLES.items()}
    found = {table: asked(table, games[table], given.seed) for table in TABLES}
    about = f"{SEATS} seats, {sum(games.values()):,} games, seed {given.seed}, commit {commit()}; bars: 95 %"
    print(about)
    print(tables(found))
    if given.out:
        (given.out / "calibration.svg").write_text(picture(found, about), "utf-8")


if __name__ == "__main__":
    main()
