"""Each legal command is listed exactly once."""

from __future__ import annotations

import pytest

from cinderforge.rules.commands import CastVote, ChooseCard, ChooseTargets, Command, PassCrystal, PlayCard, Skip
from cinderforge.rules.offers import (
    Offer,
    OfferPass,
    OfferPlay,
    OfferRow,
    OfferTargets,
    OfferVote,
    commands_of,
)
from cinderforge.rules.words import Card, Turn

ONE, TWO, THREE = Turn(1), Turn(2), Turn(3)


@pytest.mark.parametrize(
    ("offer", "commands"),
    [
        (OfferVote((ONE, TWO)), [CastVote(ONE), CastVote(TWO), CastVote(None)]),
        (OfferPass((TWO, THREE)), [PassCrystal(TWO), PassCrystal(THREE)]),
        (OfferTargets((ONE, TWO), 1), [ChooseTargets((ONE,)), ChooseTargets((TWO,))]),
        (OfferTargets((ONE, TWO), 2), [ChooseTargets((ONE, TWO)), ChooseTargets((TWO, ONE))]),
        (OfferRow(TWO, 2), [ChooseCard(1), ChooseCard(2)]),
        (OfferPlay((Card.SAGE, Card.BLANK), True), [PlayCard(Card.SAGE), PlayCard(Card.BLANK), Skip()]),
        (OfferPlay((Card.SAGE,), False), [PlayCard(Card.SAGE)]),
        (OfferPlay((), True), [Skip()]),
    ],
)
def test_an_offer_spells_out_its_commands(offer: Offer, commands: list[Command]) -> None:
    assert list(commands_of(offer)) == commands


def test_a_link_may_be_laid_in_as_many_ways_as_there_are_ordered_pairs() -> None:
    commands = commands_of(OfferTargets(tuple(Turn(turn) for turn in range(1, 11)), 2))
    assert len(set(commands)) == len(commands) == 90
