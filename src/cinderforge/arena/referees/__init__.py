"""The referees: policies of many kinds that no net was trained and no mind fitted against, by which AIs are rated.

They are frozen: a test knows the digest of every file here and of how each of them plays (docs/rate-ais.md). Whoever
changes one gives it another name, and the ratings made with the old one stay with the old one.
"""

from __future__ import annotations

from typing import Final

from cinderforge.arena.referees.by_hand import (
    Calendar,
    Cautious,
    Counter,
    First,
    Gambit,
    Grudge,
    Herd,
    Mirror,
    Sleeper,
    Tail,
    Tremor,
)
from cinderforge.arena.referees.by_thought import Logician, Planner, Tree
from cinderforge.arena.referees.nets import NETS, Stranger
from cinderforge.arena.referees.seat import Referee

PREFIX: Final = "referee/"

REFEREES: Final[dict[str, Referee]] = {
    "first": First(),
    "sleeper": Sleeper(),
    "counter": Counter(),
    "cautious": Cautious(),
    "mirror": Mirror(),
    "grudge": Grudge(),
    "calendar": Calendar(),
    "herd": Herd(),
    "tail": Tail(),
    "gambit": Gambit(),
    "tremor": Tremor(),
    "logician": Logician(),
    "planner": Planner(),
    "tree": Tree(),
    **{name: Stranger(name) for name in NETS},
}


def referee_called(name: str) -> Referee | None:
    """The referee of a name as the arena has it, `referee/counter`."""
    return REFEREES.get(name.removeprefix(PREFIX)) if name.startswith(PREFIX) else None
