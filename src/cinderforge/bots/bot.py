"""What a bot is: it is shown what a person in its seat would be shown, and says what it does. Never more (R11).

It is asked anew each time; what a person would remember though it has faded comes with the question.
"""

from __future__ import annotations

from random import Random
from typing import Protocol, assert_never

from cinderforge.redaction.recollection import Recollection
from cinderforge.redaction.shapes import OfferView, PassOffer, PlayOffer, RowOffer, TargetsOffer, View, VoteOffer
from cinderforge.rules.commands import Command
from cinderforge.rules.offers import Offer, OfferPass, OfferPlay, OfferRow, OfferTargets, OfferVote


class Bot(Protocol):
    """`rng` is the only chance it has; the same view, recollection and chance give the same command."""

    def choose(self, view: View, recollection: Recollection, rng: Random) -> Command:
        """A command that `view.you.offer` allows. Asked only while there is an offer."""
        ...


def offer_of(shown: OfferView) -> Offer:
    """The offer of a view in the rules' own words, so that `commands_of` lists what is legal."""
    match shown:
        case VoteOffer(targets):
            return OfferVote(tuple(targets))
        case PassOffer(targets):
            return OfferPass(tuple(targets))
        case TargetsOffer(targets, count):
            return OfferTargets(tuple(targets), count)
        case RowOffer(of, cards):
            return OfferRow(of, cards)
        case PlayOffer(cards, may_skip):
            return OfferPlay(tuple(cards), may_skip)
        case _:
            assert_never(shown)
