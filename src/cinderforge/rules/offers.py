"""What may be asked of a player now: a closed family that lists each legal command exactly once."""

from __future__ import annotations

from itertools import permutations
from typing import assert_never

from cinderforge.rules.commands import (
    CastVote,
    ChooseCard,
    ChooseTargets,
    Command,
    PassCrystal,
    PlayCard,
    Skip,
)
from cinderforge.rules.value import value
from cinderforge.rules.words import Card, Turn


@value
class OfferVote:
    """Vote for any of these, or for nobody (R5.1)."""

    targets: tuple[Turn, ...]


@value
class OfferPass:
    """Give the crystal to one of these (R5.3)."""

    targets: tuple[Turn, ...]


@value
class OfferTargets:
    """Choose `count` different players of these, in order."""

    targets: tuple[Turn, ...]
    count: int


@value
class OfferRow:
    """Choose one of this player's face-down cards, places 1…cards (R6.11)."""

    of: Turn
    cards: int


@value
class OfferPlay:
    """Play one of these kinds of card, or skip where allowed (R5.5)."""

    cards: tuple[Card, ...]
    may_skip: bool


Offer = OfferVote | OfferPass | OfferTargets | OfferRow | OfferPlay


_PLAYS = {card: PlayCard(card) for card in Card}
_SKIP = Skip()


def commands_of(offer: Offer) -> tuple[Command, ...]:
    """Every command the offer allows, each once."""
    match offer:
        case OfferPlay(cards, may_skip):
            plays = tuple([_PLAYS[card] for card in cards])
            return (*plays, _SKIP) if may_skip else plays
        case OfferVote(targets):
            return (*(CastVote(target) for target in targets), CastVote(None))
        case OfferPass(targets):
            return tuple([PassCrystal(target) for target in targets])
        case OfferTargets(targets, count):
            return tuple(map(ChooseTargets, permutations(targets, count)))
        case OfferRow(_, cards):
            return tuple(ChooseCard(position) for position in range(1, cards + 1))
        case _:
            assert_never(offer)
