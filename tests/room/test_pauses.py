"""Pauses and votes about an absence, where a restart or the end of a wait falls into the midst of them."""

from __future__ import annotations

from cinderforge.room.inputs import Poll, Say
from cinderforge.room.presence import SHOWN_AFTER
from tests.room.company import Company, asked


def test_a_pause_outlasts_a_restart_while_its_reason_does() -> None:
    company = _paused()
    company.hosting.restart()
    company.comes("host", "p2")
    company.does("host", Say("is P3 coming?", sure=False))
    assert company.wait.is_paused, "that nobody is seen as away yet is no return"
    company.comes("p3")
    assert not company.wait.is_paused


def test_a_pause_that_is_wanted_as_a_wait_runs_out_is_a_pause_of_the_next() -> None:
    company = asked("host", 4, preset="relaxed")
    company.goes("p4")
    company.pass_time(SHOWN_AFTER)
    company.does("host", Poll("pause", None, on=True))
    assert company.wait.until
    old = company.wait.number
    company.pass_time(company.wait.until - company.now - SHOWN_AFTER)
    company.goes("p2", "p3")
    company.pass_time(SHOWN_AFTER)  # now it is a vote of all who are there
    assert company.wait.number == old + 1 and company.wait.is_paused and company.wait.left == company.wait.whole


def test_votes_about_an_absence_end_when_all_are_back_after_a_restart() -> None:
    company = asked("host", 4, preset="relaxed")
    company.goes("p3")
    company.pass_time(SHOWN_AFTER)
    company.does("host", Poll("pause", None, on=True))
    company.restart()
    assert any(company.room.votes.values())
    company.comes("p3")
    assert not any(company.room.votes.values())


def _paused() -> Company:
    company = asked("host", 3, preset="relaxed")
    company.goes("p3")
    company.pass_time(SHOWN_AFTER)
    for name in ("host", "p2"):
        company.does(name, Poll("pause", None, on=True))
    assert company.wait.is_paused
    return company
