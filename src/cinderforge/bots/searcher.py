"""`searcher`: plays on what its seat believes possible, after each thing it could do, and leans to what went well.

Belief, habit and search are the kernel's (docs/bots.md); nothing reaches them but the view and the recollection (R11).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from random import Random
from typing import Any

from cinderforge.bots.blueprint import Blueprint
from cinderforge.bots.hearing import hearsay
from cinderforge.bots.weights import shipped
from cinderforge.kernel import ffi, lib, minds
from cinderforge.kernel.belief import filter_here
from cinderforge.redaction.recollection import Recollection
from cinderforge.redaction.shapes import View


@dataclass(frozen=True, slots=True)
class Care:
    """How much thought one decision is given: a bound on work, not on time, so that one question has one answer."""

    games: int = 1000
    """Imagined games that each legal act is tried on, at most."""
    steps: int = 9000
    """Acts played out in all, at most."""
    rounds: int = 1
    """After how many ends of rounds the judge is asked; 0 plays to the end."""
    pull: float = 10.0
    """How much what turned out better counts against habit."""
    heat: float = 1.0
    others_heat: float = 1.0
    strangers: float = 0.5
    """How likely the others of a side do not play as oneself would, before what they do has told of it."""


class Searcher(Blueprint):
    """Has the habits of a net, and thinks before it follows them."""

    def __init__(self, care: Care | None = None, name: str = "blueprint") -> None:
        super().__init__(name)
        self.care = ffi.new("cf_care *", asdict(care or Care()))

    def heard(self, view: View, recollection: Recollection) -> Any:
        """`cf_hearsay *` for the belief, of all that others have claimed."""
        assert view.you
        return hearsay(recollection.claims, view.you.turn)

    def thought(self, public: Any, private: Any, seed: int, heard: Any = None) -> Any:
        """What it thinks of each action, and which it takes (`cf_thought *`)."""
        out = ffi.new("cf_thought *")
        policy, judge = shipped(self.name)
        believed = filter_here().handle
        lib.cf_hear(believed, heard or ffi.NULL)
        lib.cf_ponder(believed, minds.shipped(), policy, judge, public, private, self.care, seed, out)
        return out

    def _action(self, public: Any, private: Any, rng: Random, heard: Any = None) -> int:
        return int(self.thought(public, private, rng.getrandbits(64), heard).action)
