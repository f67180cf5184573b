"""Writes docs/balance.md from what was measured; `--check` says whether it is stale.

`python -m tools.make_balance --from FOUND/balance.jsonl` first makes `bots/measured.csv` anew from games that
`cinderforge balance kernel/blueprint scout` has played: of several lines on one setting that of the most games.
Lines of several nets or seeds are refused. Nothing else writes that file.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any, Final

from cinderforge.arena.balance import LIKED, OPTIONS
from cinderforge.arena.strength import wilson
from cinderforge.bots.measured import COLUMNS, FILE, REASONS, SECOND, STRONG, Measured, Who, measured, origins
from cinderforge.rules.settings import (
    DEFAULT_TARGETS,
    MAX_SEATS,
    MIN_SEATS,
    Settings,
    default_settings,
    others_dealt,
    settings_from,
)

ROOT: Final = Path(__file__).resolve().parent.parent
DATA: Final = ROOT / "src/cinderforge/bots" / FILE
PAGE: Final = ROOT / "docs/balance.md"
SIZES: Final = range(MIN_SEATS, MAX_SEATS + 1)
SECOND_LIKED: Final = (0.40, 0.60)
"""What is wanted of the humans' share among AIs of the second level."""
_WHO: Final[dict[str, Who]] = {"kernel/blueprint": STRONG, SECOND: SECOND}


# -- the data ----------------------------------------------------------------------------------------------------------


def data_from(file: Path) -> str:
    """The lines of the package's file, from games played. Raises SystemExit where they are of several nets."""
    rows: dict[tuple[Any, ...], tuple[Any, ...]] = {}
    heads: dict[Who, dict[str, set[str]]] = {who: {} for who in _WHO.values()}
    for line in map(json.loads, file.read_text("utf-8").splitlines()):
        who = _WHO.get(line["policy"])
        if who is None:
            continue
        rules = settings_from(line["rules"])
        key = (
            who,
            rules.seats,
            rules.activation_target,
            rules.kill_target,
            "yes" if rules.sage_slain_ends else "no",
            rules.act_last_lasts,
            rules.first_holder,
        )
        reasons = [line["reasons"].get(name, 0) for name in REASONS]
        row = (*key, line["games"], line["human_wins"], line["rounds"], *reasons)
        rows[key] = max(row, rows.get(key, row), key=lambda one: one[len(key)])
        heads[who].setdefault(f"net {line['net']}, seed {line['seed']}", set()).add(line["commit"])
    for who, found in heads.items():
        if len(found) > 1:
            raise SystemExit(f"{file}: expected one net and seed for {who}, found {'; '.join(sorted(found))}")
    out = io.StringIO()
    out.write("# Made by `python -m tools.make_balance` from games played by `cinderforge balance`. Do not edit.\n")
    for who, found in heads.items():
        out.writelines(f"# {who}: {ways}, commit {', '.join(sorted(commits))}\n" for ways, commits in found.items())
    table = csv.writer(out, lineterminator="\n")
    table.writerow(COLUMNS)
    table.writerows(rows[key] for key in sorted(rows, key=_place))
    return out.getvalue()


def _place(key: tuple[Any, ...]) -> tuple[Any, ...]:
    """The strong first; the usual value of an option before the other."""
    who, *targets, ends, lasts, first = key
    return (who != STRONG, *targets, ends != "yes", lasts != "round", first != "random")


# -- the page ----------------------------------------------------------------------------------------------------------


def page() -> str:
    """The whole of docs/balance.md."""
    return "\n".join([*_head(), *_defaults(), *_options(), *_targets()]).rstrip() + "\n"


_ABOUT: Final = """\
<!-- Made by `python -m tools.make_balance` from src/cinderforge/bots/measured.csv. Do not edit. -->

# The balance of the rules

How often the humans win, why games end and how long they last, by table size, A, K and options: each time AIs of
one kind play all seats among themselves. *Strong* is the trained net (`blueprint`) as it was trained, without a
search, in the compiled kernel; *level 2* is `scout`, played by the engine as at a table. A rate says something of
the rules only as far as both sides play well, and nothing of persons who talk: no AI talks here. `memory_aid`,
timers and the chat guard change none of these figures. Nothing is reckoned in between: what was not played has no
figure, here and in the waiting room, which shows those of *strong* for the settings chosen.

How to play them again: [rate-rules.md](rate-rules.md). Why the defaults are these:
[decisions/default-targets.md](decisions/default-targets.md).
"""

_WANTED: Final = """\
## The defaults

Wanted: strong humans win {least:.0%} to {most:.0%}, level 2 {low:.0%} to {high:.0%}; no reason ends more than
{reason:.0%} of games; {rounds} rounds or more; 2 × A within reach. In brackets half the width of a 95 % interval;
bold is what misses the bar.

| seats | A, K | strong: humans win | rounds | ends, % | level 2: humans win | rounds | ends, % |
| --- | --- | --- | --- | --- | --- | --- | --- |
"""


def _head() -> Iterator[str]:
    yield _ABOUT
    for who, origin in origins().items():
        yield f"- {'strong' if who == STRONG else 'level 2'}: {origin}"
    yield ""


def _defaults() -> Iterator[str]:
    low, high = SECOND_LIKED
    yield _WANTED.format(low=low, high=high, **LIKED).replace("0%", "0 %").replace("5%", "5 %").rstrip()
    for seats in SIZES:
        rules = default_settings(seats)
        found = {one.who: one for one in measured(rules)}
        strong, second = found.get(STRONG), found.get(SECOND)
        cells = [
            *_cells(strong, LIKED["least"], LIKED["most"], is_bound=True),
            *_cells(second, low, high, is_bound=False),
        ]
        yield f"| {seats} | {rules.activation_target}, {rules.kill_target} | {' | '.join(cells)} |"
    yield ""


def _cells(one: Measured | None, low: float, high: float, *, is_bound: bool) -> list[str]:
    if one is None:
        return ["–", "–", "–"]
    rate, rounds = wilson(one.wins, one.games), one.rounds / one.games
    share = f"{100 * one.wins / one.games:.1f} % (± {50 * (rate.high - rate.low):.1f})"
    length = f"{rounds:.2f}"
    ends = []
    for reason, count in sorted(one.reasons.items(), key=lambda item: -item[1]):
        text = f"{reason} {100 * count / one.games:.0f}"
        ends.append(f"**{text}**" if is_bound and count > LIKED["reason"] * one.games else text)
    return [
        share if low <= rate.value <= high else f"**{share}**",
        f"**{length}**" if is_bound and rounds < LIKED["rounds"] else length,
        ", ".join(ends),
    ]


def _options() -> Iterator[str]:
    yield from (
        "## What the options do",
        "",
        "A and K as by default, one option changed; strong humans win, %; rounds.",
        "",
        "| seats | as usual | `sage_slain_ends: no` | `act_last_lasts: game` | `first_holder: vote` |",
        "| --- | --- | --- | --- | --- |",
    )
    for seats in SIZES:
        texts = [_strong(default_settings(seats))]
        texts += [_strong(settings_from({"seats": seats, name: values[1]})) for name, values in OPTIONS.items()]
        yield f"| {seats} | {' | '.join(texts)} |"
    yield ""


def _strong(rules: Settings) -> str:
    one = next((one for one in measured(rules) if one.who == STRONG), None)
    return "–" if one is None else f"{100 * one.wins / one.games:.1f}; {one.rounds / one.games:.1f}"


_TARGETS: Final = """\
## Every A and K

Humans win, %: strong / level 2. Other options as usual, but for the second table of a size: there the sage may
fall (R8). Bold: the default; –: not measured.
"""


def _targets() -> Iterator[str]:
    yield _TARGETS
    for seats, ends in product(SIZES, (True, False)):
        targets = range(1, others_dealt(seats) + 1)
        yield f"### {seats} seats{'' if ends else ', `sage_slain_ends: no`'}"
        yield ""
        yield f"| | {' | '.join(f'K {kill}' for kill in targets)} |"
        yield f"| --- |{' --- |' * len(targets)}"
        for activation in targets:
            row = [_both(seats, activation, kill, ends=ends) for kill in targets]
            yield f"| A {activation} | {' | '.join(row)} |"
        yield ""


def _both(seats: int, activation: int, kill: int, *, ends: bool) -> str:
    rules = settings_from(
        {"seats": seats, "activation_target": activation, "kill_target": kill, "sage_slain_ends": ends}
    )
    found = {one.who: f"{100 * one.wins / one.games:.0f}" for one in measured(rules)}
    text = f"{found.get(STRONG, '–')} / {found.get(SECOND, '–')}" if found else "–"
    return f"**{text}**" if ends and DEFAULT_TARGETS[seats] == (activation, kill) else text


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; status 1 where the page is stale")
    parser.add_argument(
        "--from", dest="games", type=Path, metavar="FILE", help="balance.jsonl of `cinderforge balance`"
    )
    given = parser.parse_args(arguments)
    if given.games:
        DATA.write_text(data_from(given.games), "utf-8")
        return main([])  # the page reads the package's file, by now the new one
    is_stale = not PAGE.exists() or PAGE.read_text("utf-8") != page()
    if given.check:
        if is_stale:
            print(f"{PAGE.relative_to(ROOT)} is stale: run python -m tools.make_balance")
        return int(is_stale)
    if is_stale:
        PAGE.write_text(page(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
