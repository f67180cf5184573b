"""Acts that nobody at the table would understand, as code: a guard keeps the levels from them, tests count them.

Only what is certain from the seat's own knowledge counts, but for the sage, who keeps out of what is likely bad.
"""

from __future__ import annotations

from typing import Any, Final, Literal

from cinderforge.kernel import lib, minds
from cinderforge.kernel.belief import filter_here

Absurd = Literal[
    "person into a dragon",
    "sage into a likely dragon",
    "dragon against one's own",
    "dragon for nothing",
    "win left lying",
]

TOO_LIKELY: Final = 0.75
"""Of a dragon card in the middle, as players are thought to act: then the sage is not played if it need not be."""

_SURE: Final = 1 - 1e-9
_SAGE, _BLANK, _SKIP = int(lib.CF_SAGE), int(lib.CF_BLANK), int(lib.CF_SKIP)
_OTHERS: Final = (int(lib.CF_MYSTIC), int(lib.CF_ADVENTURER))
_DRAGONS: Final = (int(lib.CF_RED), int(lib.CF_TWO_HEADED), int(lib.CF_SHADOW))
_DRAGON_LIES, _PERSON_LIES, _SAGE_LIES, _OTHER_LIES = range(4)


def absurd(public: Any, private: Any, action: int) -> Absurd | None:
    """What is absurd about this action of the kernel's, for whoever knows this and no more."""
    if public.phase != lib.CF_PLAY:
        return None
    moment = _Moment(public, private)
    if private.role < lib.CF_RED:
        return _of_human(moment, action)
    return _of_dragon(moment, action)


class _Moment:
    """A play that is to be made, and what its player can be sure of."""

    def __init__(self, public: Any, private: Any) -> None:
        self.public, self.private = public, private
        self.round = public.rounds[public.round]
        self.cards = [card for card in range(_SKIP) if lib.cf_legal(public, private) >> card & 1]
        self.is_free = _BLANK in self.cards or bool(lib.cf_legal(public, private) >> _SKIP & 1)
        seats = range(public.rules.n)
        self.is_last_round = all(public.fired_scroll[turn] >= 0 for turn in seats)
        later = [self.round.order[place] for place in seats if place > self.round.acted]
        self.ends_round = not any(public.hand_size[turn] for turn in later)
        self.is_first = lib.CF_PLAYED not in [self.round.act[place] for place in range(self.round.acted)]

    def lies(self, what: int, *, model: Any = None) -> float:
        """How likely such a card lies in the middle; where nothing fits what one remembers, one is sure of nothing."""
        if self.is_first:
            return 0.0
        believed = filter_here().believe(self.public, self.private, model)
        return believed.lies[what] if believed else 0.5


def _of_human(moment: _Moment, action: int) -> Absurd | None:
    public = moment.public
    is_sage = action == _SAGE
    if moment.is_free and action in _DRAGONS:
        # A drawn one: it slays whoever of the humans plays now, and harms no dragon who has lost it.
        is_harmless = moment.ends_round and moment.lies(_PERSON_LIES) <= 1 - _SURE
        return None if is_harmless else "dragon against one's own"
    if moment.is_free and (is_sage or action in _OTHERS):
        # At the very end a held card is a lost one (R7.4), so it may as well be slain; never the sage (R7.1).
        is_lost = moment.is_last_round and not (is_sage and public.rules.sage_slain_ends)
        if not is_lost and moment.lies(_DRAGON_LIES) >= _SURE:
            return "person into a dragon"
        if is_sage and not is_lost and moment.lies(_DRAGON_LIES, model=minds.shipped()) >= TOO_LIKELY:
            return "sage into a likely dragon"
    if moment.ends_round:
        winners = [card for card in moment.cards if _wins(public, card)]
        if winners and action not in winners and moment.lies(_DRAGON_LIES) <= 1 - _SURE:
            return "win left lying"
    return None


def _wins(public: Any, card: int) -> bool:
    """Whether this card alone, activated, ends the game for the humans (R7.2)."""
    target = public.rules.act_target
    if card == _SAGE:
        return bool(public.activated >= target)
    return card in _OTHERS and bool(public.sage_activated and public.activated + 1 >= target)


def _of_dragon(moment: _Moment, action: int) -> Absurd | None:
    public = moment.public
    if not moment.ends_round or not any(card in _DRAGONS for card in moment.cards):
        return None
    if action in _DRAGONS:
        return "dragon for nothing" if moment.is_free and moment.lies(_PERSON_LIES) <= 1 - _SURE else None
    kills_sage = public.rules.sage_slain_ends and moment.lies(_SAGE_LIES) >= _SURE
    kills_enough = public.slain + 1 >= public.rules.kill_target and moment.lies(_OTHER_LIES) >= _SURE
    return "win left lying" if kills_sage or kills_enough else None
