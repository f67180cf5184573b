"""What a seat, or the public, may believe: the exact filter of belief.c in Python's words.

A belief is made anew from the whole record each time it is asked for; nothing is kept but memory. Players are 0-based
here, as everywhere in the kernel.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from cinderforge.kernel import ffi, lib

_memory: Final = threading.local()


@dataclass(frozen=True, slots=True)
class Beliefs:
    """One answer of the filter; lists are by player, then by kind of role or card."""

    roles: list[list[float]]
    dragon: list[float]
    holds: list[list[float]]
    """How many cards of each kind a hand holds now, on average."""
    played: list[list[float]]
    """Which card of each player lies face down in the middle now."""
    minds: list[list[float]]
    """Whose mind each player seems to have, where the model knows more than one."""
    lies: list[float]
    """How likely there lies in the middle now: a dragon card, a person card, the sage card, another person card."""
    evidence: float
    """The logarithm of the chance of all that was seen."""
    dropped: float
    """The share of mass left out, where there were more states than the filter has room for."""
    states: int
    deals: int
    """Different deals of roles among the states."""
    most: int
    """The most states there were at any time."""


class Filter:
    """The memory that beliefs are made in; one at a time, the last one stays for drawing games from it."""

    def __init__(self, most_states: int = 0) -> None:
        self.handle: Any = ffi.gc(lib.cf_filter_new(most_states), lib.cf_filter_free)
        self._out = ffi.new("cf_beliefs *")

    def believe(
        self, public: Any, private: Any = None, model: Any = None, rounds: int = -1, heard: Any = None
    ) -> Beliefs | None:
        """The belief of a seat, or without `private` the public's; None where nothing fits the record.

        `model` None takes every act for an even choice among the legal: what is then certain follows from logic alone.
        With `rounds` only so many rounds are looked at, whatever has happened since. Claims that were `heard`
        (`cf_hearsay *`) are weighed, too; they are handed in each time, so that none is left for who asks next (R11).
        """
        lib.cf_hear(self.handle, heard or ffi.NULL)
        mine, minds = private or ffi.NULL, model or ffi.NULL
        if not lib.cf_believe(self.handle, public, mine, minds, rounds, self._out):
            return None
        out, seats = self._out, range(public.rules.n)
        return Beliefs(
            roles=[list(out.role[t]) for t in seats],
            dragon=[out.dragon[t] for t in seats],
            holds=[list(out.holds[t]) for t in seats],
            played=[list(out.played[t]) for t in seats],
            minds=[list(out.mind[t])[: model.minds if model else 0] for t in seats],
            lies=list(out.lies),
            evidence=out.evidence,
            dropped=out.dropped,
            states=out.states,
            deals=out.deals,
            most=out.most,
        )

    def told(self, public: Any, private: Any = None, model: Any = None) -> dict[tuple[int, int], list[float]]:
        """What each act told, by round and place: of each player, how much the log odds for a dragon gain by it.

        An act that is left out still shows what was possible. Certainties count as odds of a million.
        """
        whole = self.believe(public, private, model)
        found: dict[tuple[int, int], list[float]] = {}
        if whole is None:
            return found
        for number in range(public.round + 1):
            record = public.rounds[number]
            for place in range(record.acted):
                if record.act[place] == lib.CF_EMPTY or (private and record.order[place] == private.me):
                    continue
                lib.cf_mute(self.handle, number, place)
                without = self.believe(public, private, model)
                lib.cf_mute(self.handle, -1, 0)
                assert without
                found[number, place] = [
                    odds(after) - odds(before) for after, before in zip(whole.dragon, without.dragon, strict=True)
                ]
        return found

    def imagine(self, rng: Any, into: Any) -> None:
        """Draws a whole game that fits the belief last made: all that is hidden, and what each seat knows of it."""
        lib.cf_imagine(self.handle, rng, into)

    def weight_of(self, hidden: Any) -> float:
        """How likely the belief last made has just these roles, hands and cards in the middle."""
        return float(lib.cf_weight_of(self.handle, hidden))

    def weight_of_deal(self, roles: Sequence[int]) -> float:
        """How likely the belief last made has just this deal of roles."""
        return float(lib.cf_weight_of_deal(self.handle, ffi.new("int8_t[10]", list(roles))))


def filter_here() -> Filter:
    """The one that all who think in this thread share: an answer is copied out of it, and the next question is anew."""
    if not hasattr(_memory, "filter"):
        _memory.filter = Filter()
    found: Filter = _memory.filter
    return found


def odds(chance: float) -> float:
    """The log odds of a chance; certainties count as odds of a million."""
    chance = min(1 - 1e-6, max(1e-6, chance))
    return math.log(chance / (1 - chance))
