"""`blueprint`: a small net's judgement, trained by self-play (docs/model-card.md); chance picks among what it likes."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from cinderforge.bots.sight import CARDS, sight
from cinderforge.bots.weights import shipped
from cinderforge.kernel import ffi, lib
from cinderforge.redaction.recollection import Recollection
from cinderforge.redaction.shapes import RowOffer, TargetsOffer, View, VoteOffer
from cinderforge.rules.commands import CastVote, ChooseCard, ChooseTargets, Command, PassCrystal, PlayCard, Skip
from cinderforge.rules.words import Turn

_SKIP: Final[int] = lib.CF_SKIP
_CHOOSE: Final[int] = lib.CF_CHOOSE


class Blueprint:
    """At temperature 1 it plays as it was trained; lower is more of what it likes best, higher more of anything."""

    def __init__(self, name: str = "blueprint", temperature: float = 1.0) -> None:
        self.name = name
        self.temperature = temperature

    @property
    def _net(self) -> Any:
        return shipped(self.name)[0]

    def choose(self, view: View, recollection: Recollection, rng: Random) -> Command:
        assert view.you and view.you.offer
        offer = view.you.offer
        if isinstance(offer, RowOffer):
            return ChooseCard(rng.randint(1, offer.cards))  # they lie face down in any order (R6.11)
        public, private = sight(view, recollection)
        heard = self.heard(view, recollection)
        action = self._action(public, private, rng, heard)
        if action == _SKIP:
            return Skip()
        if action < _SKIP:
            return PlayCard(CARDS[action])
        target = _chosen(private, public, action)
        if isinstance(offer, TargetsOffer):
            if offer.count == 1:
                return ChooseTargets((target,))
            public.phase = lib.CF_TARGET2
            public.rounds[public.round].t1 = target - 1
            return ChooseTargets((target, _chosen(private, public, self._action(public, private, rng, heard))))
        return CastVote(target) if isinstance(offer, VoteOffer) else PassCrystal(target)

    def heard(self, view: View, recollection: Recollection) -> Any:
        """What it takes from the claims of others, for `_action`; None is nothing, and its own habit."""
        return None

    def _action(self, public: Any, private: Any, rng: Random, heard: Any = None) -> int:
        mask = lib.cf_legal(public, private)
        chances = ffi.new("float[]", lib.CF_ACTIONS)
        lib.cf_policy(self._net, public, private, mask, self.temperature, chances)
        return rng.choices(range(lib.CF_ACTIONS), list(chances))[0]


def _chosen(private: Any, public: Any, action: int) -> Turn:
    """The player of an action that chooses one."""
    return Turn((private.me + 1 + action - _CHOOSE) % public.rules.n + 1)
