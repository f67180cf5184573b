"""Referees by training: nets of other seeds than the shipped one, which has never met them."""

from __future__ import annotations

from functools import cache
from importlib import resources
from random import Random
from typing import Any, Final

from cinderforge.arena.referees.seat import Referee
from cinderforge.bots.weights import read_weights
from cinderforge.kernel import ffi, lib

NETS: Final = {"youth": 1.0}
"""By file, how warm each one plays."""


@cache
def net_of(name: str) -> Any:
    return read_weights((resources.files(__package__) / f"{name}.net").read_bytes())[0]


class Stranger(Referee):
    """Plays by a net alone."""

    def _action(self, public: Any, private: Any, rng: Random, heard: Any = None) -> int:
        chances = ffi.new("float[]", lib.CF_ACTIONS)
        lib.cf_policy(net_of(self.name), public, private, lib.cf_legal(public, private), NETS[self.name], chances)
        return rng.choices(range(lib.CF_ACTIONS), list(chances))[0]
