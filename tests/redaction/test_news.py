"""What an eye is told of an event."""

from __future__ import annotations

import random
from typing import Any, get_args

import msgspec
import pytest

from cinderforge.redaction import shapes
from cinderforge.redaction.eye import HINDSIGHT, SPECTATOR, PlayerEye
from cinderforge.redaction.news import tell
from cinderforge.rules import events as e
from cinderforge.rules.marks import SourcesOpen
from cinderforge.rules.words import Card, Faction, How, Reason, Role, ScrollId, Turn
from cinderforge.testkit.twins import any_world

ONE, TWO = Turn(1), Turn(2)
EVENTS: dict[type[Any], e.Event] = {
    type(event): event
    for event in (
        e.NightBegan(),
        e.NightEnded(),
        e.BallotCast(ONE, TWO, How.OWN),
        e.VoteClosed((TWO, None)),
        e.FirstHolderFound(ONE),
        e.RoundBegan(1),
        e.CrystalPassed(ONE, TWO, How.OWN),
        e.ScrollShown(TWO, ScrollId("act_last"), asks=False),
        e.TargetsChosen(TWO, (ONE,), How.OWN),
        e.CardsFanned(TWO, ONE, (2, 0, 1)),
        e.CardDrawn(TWO, ONE, Card.SAGE, 0),
        e.CardGiven(TWO, ONE, Card.BLANK),
        e.CardPeeked(TWO, ONE, Card.SAGE),
        e.RolesLearned(TWO, ((ONE, Role.SAGE),)),
        e.Marked(SourcesOpen()),
        e.ScrollSettled(TWO, ScrollId("peek_hand"), (ONE,), Card.SAGE, effect=True, how=How.OWN),
        e.PlayBegan((TWO, ONE)),
        e.AnnouncementEnded(),
        e.CardPlayed(TWO, Card.SAGE, 0, How.OWN),
        e.Skipped(TWO, How.TIMEOUT),
        e.PassedOver(ONE),
        e.CardsResolved((Card.SAGE,), None, e.Tally(sage_activated=True)),
        e.GameEnded(Faction.HUMAN, Reason.SCROLLS_SPENT),
    )
}
PRIVATE = (e.CardDrawn, e.CardPeeked, e.CardPlayed, e.ScrollSettled, e.CardsFanned, e.BallotCast)
EYES = (SPECTATOR, HINDSIGHT, PlayerEye(ONE), PlayerEye(TWO))


def test_each_kind_of_event_is_listed_here() -> None:
    assert set(EVENTS) == set(get_args(e.Event))


@pytest.mark.parametrize("event", EVENTS.values(), ids=lambda event: type(event).__name__)
def test_each_event_is_told_to_every_eye_alike(event: e.Event) -> None:
    heard = [tell(event, eye) for eye in EYES]
    assert all(news == heard[0] for news in heard)
    assert (heard[0] is None) == isinstance(event, e.RolesLearned)


@pytest.mark.parametrize("kind", PRIVATE, ids=lambda kind: kind.__name__)
def test_news_of_a_private_thing_does_not_hold_it(kind: type[Any]) -> None:
    sent = msgspec.json.encode(tell(EVENTS[kind], SPECTATOR)).decode()
    assert "sage" not in sent and "[2,0,1]" not in sent


def test_a_sealed_ballot_is_told_without_its_target() -> None:
    assert tell(e.BallotCast(ONE, TWO, How.OWN), PlayerEye(ONE)) == shapes.Voted(ONE, How.OWN)


def test_news_of_a_row_is_how_many_cards_lie_there() -> None:
    assert tell(EVENTS[e.CardsFanned], SPECTATOR) == shapes.RowLaid(TWO, ONE, 3)


def test_every_piece_of_news_is_told_of_some_event() -> None:
    told = {type(tell(event, SPECTATOR)) for event in EVENTS.values()}
    assert told - {type(None)} == set(get_args(shapes.News))


def test_news_never_asks_the_state() -> None:
    """It follows from the event alone, so that a reload tells the same."""
    events = any_world(random.Random(5)).events
    assert [tell(event, SPECTATOR) for event in events] == [tell(event, SPECTATOR) for event in list(events)]
