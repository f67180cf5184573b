"""Five characters: leanings of an AI that are drawn without its role and told by nothing but what everybody sees."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from random import Random
from typing import Any, Final, Literal, get_args

from cinderforge.kernel import lib

Character = Literal["bold", "quiet", "accuser", "loyal", "gambler"]
"""Plays rather than skips; skips rather than plays; turns to those whom the record speaks against; to those whom it
speaks for; follows whims.
"""

CHARACTERS: Final[tuple[Character, ...]] = get_args(Character)

_SKIPS: Final[dict[Character, float]] = {"bold": 0.86, "quiet": 1.3}
_LEANS: Final[dict[Character, float]] = {"accuser": 0.6, "loyal": -0.6}
_WHIMS: Final[dict[Character, float]] = {"gambler": 1.18}


def character_of(seed: str, chair: int) -> Character:
    """The character of whoever sits in this chair of a room, from the room's seed alone."""
    return Random(f"{seed}:{chair}:character").choice(CHARACTERS)


def tilted(chances: Sequence[float], public: Any, private: Any, character: Character) -> list[float]:
    """The chances as this character has them; what was impossible stays so."""
    skips, leans, whims = _SKIPS.get(character, 1.0), _LEANS.get(character, 0.0), _WHIMS.get(character, 1.0)
    out = [chance ** (1 / whims) for chance in chances]
    out[lib.CF_SKIP] *= skips
    if leans and public.phase != lib.CF_PLAY:
        seats, against = public.rules.n, _against(public)
        for action in range(lib.CF_CHOOSE, lib.CF_CHOOSE + seats):
            out[action] *= exp(leans * against[(private.me + 1 + action - lib.CF_CHOOSE) % seats])
    return out


def _against(public: Any) -> list[float]:
    """What the record says of each player, −1 to 1: who played when a dragon card fell, and when none did."""
    seats = range(public.rules.n)
    found = [0.0 for _ in seats]
    for number in range(max(public.round, 0)):
        one = public.rounds[number]
        played = [one.order[place] for place in seats if one.act[place] == lib.CF_PLAYED]
        dragons = sum(one.count[kind] for kind in (lib.CF_RED, lib.CF_TWO_HEADED, lib.CF_SHADOW))
        for turn in played:
            found[turn] += dragons / len(played) if dragons else -0.25
    return [max(-1.0, min(1.0, each)) for each in found]
