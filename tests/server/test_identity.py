"""What is remembered of sessions in memory has bounds, however many come."""

from __future__ import annotations

import pytest

from cinderforge.room.inputs import SessionKey
from cinderforge.server.identity import MOST_TICKETS, TICKET_MS, Tickets
from cinderforge.server.limits import MOST_KEYS, Buckets, Rate
from cinderforge.testkit.clock import JumpingClock


@pytest.fixture
def clock() -> JumpingClock:
    return JumpingClock()


def test_no_more_tickets_are_kept_than_that_and_none_for_longer_than_it_is_good(clock: JumpingClock) -> None:
    tickets = Tickets(clock)
    first = tickets.issue(SessionKey("a"), "ROOM")
    for number in range(MOST_TICKETS):
        last = tickets.issue(SessionKey(str(number)), "ROOM")
    assert len(tickets._good) == MOST_TICKETS
    assert not tickets.redeem(first, SessionKey("a"), "ROOM")
    assert tickets.redeem(last, SessionKey(str(MOST_TICKETS - 1)), "ROOM")
    clock.pass_time(TICKET_MS + 1)
    tickets.issue(SessionKey("a"), "ROOM")
    assert len(tickets._good) == 1


def test_no_more_buckets_are_kept_than_that(clock: JumpingClock) -> None:
    buckets = Buckets(Rate(1, 1), clock)
    for number in range(MOST_KEYS + 10):
        assert buckets.take(number) == 0
    assert len(buckets._levels) == MOST_KEYS
    assert buckets.take(MOST_KEYS) > 0, "the newest are known"
