"""What was measured of the rules: how often the humans win where AIs of one kind play among themselves.

A setting that was not played has no figure: nothing is reckoned from its neighbours. `measured.csv` is the one source,
for the waiting room and for docs/balance.md alike; `python -m tools.make_balance` writes it.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Final, Literal

from cinderforge.rules.settings import Settings, settings_from
from cinderforge.rules.words import Reason

FILE: Final = "measured.csv"
Who = Literal["blueprint", "scout"]
STRONG: Final[Who] = "blueprint"
"""The net by itself, as it was trained, at every seat: equal and strong."""
SECOND: Final[Who] = "scout"
"""The second of the five levels at every seat."""

REASONS: Final = tuple(reason.value for reason in Reason)
COLUMNS: Final = (
    "who",
    "seats",
    "activation_target",
    "kill_target",
    "sage_slain_ends",
    "act_last_lasts",
    "first_holder",
    "games",
    "wins",
    "rounds",
    *REASONS,
)


@dataclass(frozen=True, slots=True)
class Measured:
    """Games of one setting among AIs of one kind: the humans' wins, all rounds together, ends by reason."""

    who: Who
    games: int
    wins: int
    rounds: int
    reasons: dict[str, int]


def measured(rules: Settings) -> tuple[Measured, ...]:
    """What was measured of these rules, the strongest AIs first; nothing where they were not played."""
    # AIs keep what they saw as well as they do, with the memory aid or without.
    return _all().get(replace(rules, memory_aid=False), ())


def settings_measured() -> list[Settings]:
    """Every setting of which something was measured, each once."""
    return list(_all())


@cache
def origins() -> dict[str, str]:
    """By who plays, how they were measured: seed, commit, net."""
    heads = [line[2:].split(": ", 1) for line in _text().splitlines() if line.startswith("# ")]
    return {head[0]: head[1] for head in heads if len(head) == 2}


@cache
def _all() -> dict[Settings, tuple[Measured, ...]]:
    found: dict[Settings, tuple[Measured, ...]] = {}
    for rules, one in _read(_text().splitlines()):
        rest = found.get(rules, ())
        found[rules] = (one, *rest) if one.who == STRONG else (*rest, one)
    return found


def _text() -> str:
    return (resources.files(__package__) / FILE).read_text("utf-8")


def _read(lines: Iterable[str]) -> Iterator[tuple[Settings, Measured]]:
    for row in csv.DictReader(line for line in lines if not line.startswith("#")):
        rules = settings_from(
            {
                "seats": int(row["seats"]),
                "activation_target": int(row["activation_target"]),
                "kill_target": int(row["kill_target"]),
                "sage_slain_ends": row["sage_slain_ends"] == "yes",
                "act_last_lasts": row["act_last_lasts"],
                "first_holder": row["first_holder"],
            }
        )
        reasons = {reason: int(row[reason]) for reason in REASONS if row[reason] != "0"}
        who = STRONG if row["who"] == STRONG else SECOND
        yield rules, Measured(who, int(row["games"]), int(row["wins"]), int(row["rounds"]), reasons)
