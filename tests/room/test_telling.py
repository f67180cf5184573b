"""What a socket is told whose person has just joined, and what is seen later of things that fell on one moment."""

from __future__ import annotations

from cinderforge.room.inputs import Say, Seen, TimeIsUp, Watch
from tests.room.company import Company

DELAY = 20


def test_who_joins_reads_what_was_said_before_as_after_a_reload() -> None:
    company = Company(1)
    company.comes("w1")
    company.does("host", Say("hello", sure=False))
    assert not company.lines("w1")
    company.does("w1", Watch("w1"))
    joined = [line.n for line in company.lines("w1")]
    company.comes("w1")
    assert [line.n for line in company.lines("w1")] == joined
    assert "hello" in [line.text for line in company.lines("w1")]


def test_of_two_moments_at_one_time_who_watches_late_sees_the_second_in_time_too() -> None:
    company = Company(2, watchers=1, spectator_delay=DELAY, preset="none").to("reveal")
    for name in ("host", "p2"):
        company.does(name, Seen())
    assert company.sees("host").table != company.sees("w1").table, "all of it in one millisecond"
    night = company.sees("host").table
    company.hosting.clock._now += DELAY * 1000
    company.hosting.put(TimeIsUp())
    assert company.sees("w1").table == night
