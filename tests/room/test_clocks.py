"""Waits and their one clock, the server's (R10.1, R10.3): the same for all, moved by nobody, telling nothing."""

from __future__ import annotations

import json

import pytest

from cinderforge.room.inputs import Change, Leave, Move, Poll, Seen, TimeIsUp, Watch
from cinderforge.room.presence import SHOWN_AFTER
from cinderforge.room.settings import PRESETS
from cinderforge.room.waits import NIGHT_SECONDS, RESOLUTION_SECONDS
from cinderforge.rules.commands import CastVote
from cinderforge.wire import codec
from tests.room.company import AT_LEISURE, IN_GAME, MOMENTS, Company, asked, at, is_asked

SECOND = 1000
LENGTHS = {
    "fast": {"reveal": 15, "vote": 20, "pass": 20, "scroll": 20, "play": 12},
    "normal": {"reveal": 30, "vote": 45, "pass": 45, "scroll": 45, "play": 30},
    "relaxed": {"reveal": 60, "vote": 120, "pass": 120, "scroll": 120, "play": 90},
}
"""Seconds by preset; restated."""


@pytest.mark.parametrize(
    ("moment", "paused"),
    [*((moment, False) for moment in IN_GAME), *((moment, True) for moment in ("vote", "pass", "scroll", "play"))],
)
def test_whoever_looks_sees_the_same_time_left(moment: str, paused: bool) -> None:
    """Players, those who reload, a second tab, a newcomer who watches, a stranger: running and standing still."""
    company = at(moment, 4, watchers=1, **AT_LEISURE)
    if paused:
        company.goes("p4")
        company.room.attendance.away[company.id_of("p4")] -= SHOWN_AFTER  # seen at once, so that the moment stays
        company.hosting.put(TimeIsUp())
        for name in ("host", "p2"):
            company.does(name, Poll("pause", None, True))
    for ms in (0, 700, 1_300):
        company.pass_time(ms)
        company.comes("host", "p2", "w1", "stranger", f"new{ms}")
        if moment != "night":  # then nobody comes in
            company.does(f"new{ms}", Watch("new"))
        seen = [company.wait_of(name) for name in ("host", "p2", "p3", "w1", "stranger", f"new{ms}")]
        assert all(wait == seen[0] for wait in seen) and seen[0].paused is paused
        assert (seen[0].until is None) is paused
        if paused:
            assert seen[0].left is not None
        elif seen[0].until is not None and company.wait.kind == moment:
            assert company.now < seen[0].until <= company.now + (seen[0].whole or 0)


def test_a_wait_that_stood_still_stands_still_after_a_reload_and_an_ended_game_has_none() -> None:
    company = asked("host", 4, **AT_LEISURE)
    company.goes("p4")
    company.pass_time(SHOWN_AFTER)
    for name in ("host", "p2"):
        company.does(name, Poll("pause", None, True))
    left = company.wait_of("p3").left
    company.pass_time(100 * SECOND)
    company.comes("p3")
    assert company.wait_of("p3").left == left and company.wait_of("p3").until is None
    company.restart()
    assert company.wait_of("p3").left == left and company.wait_of("p3").paused
    company.comes("p4")
    company.to("over")
    company.comes("p3")
    assert company.sees("p3").room.wait is None


@pytest.mark.parametrize("preset", LENGTHS)
def test_a_preset_says_how_long_each_wait_is_and_the_night_is_nobodys_to_change(preset: str) -> None:
    company = Company(2, 5, seed=2, preset=preset)
    company.start()
    seen: dict[str, set[int]] = {}
    while company.stage() == "game":
        assert company.wait.until is not None and company.wait.whole is not None
        seen.setdefault(company.wait.kind, set()).add(company.wait.whole)
        company.hosting.clock.jump_to_next()
    expected = {kind: {seconds * SECOND} for kind, seconds in LENGTHS[preset].items()}
    expected["pass"] |= {ms + RESOLUTION_SECONDS * SECOND for ms in expected["pass"]}
    for kind, lengths in seen.items():
        if kind in expected:
            assert lengths <= expected[kind], kind
    assert seen["night"] == {10_000} and seen["announcement"] <= {5_000, 8_000}
    assert NIGHT_SECONDS == 10
    for given in ({"timers": {"night": 5}}, {"night": 5}, {"timers": {"announcement": 60}}, {"timers": {"mixing": 60}}):
        assert Company(1).code("host", Change(dict(given))) == "bad_settings"
    assert {name: value.away for name, value in PRESETS.items()} == {
        "fast": 20,
        "normal": 30,
        "relaxed": 90,
        "none": 120,
    }


@pytest.mark.parametrize("moment", MOMENTS)
def test_alarms_early_late_double_or_in_a_heap_do_what_is_due_and_no_more(moment: str) -> None:
    company = at(moment, 2, **AT_LEISURE)
    kept = len(company.hosting.log)
    for _ in range(20):
        company.hosting.put(TimeIsUp())
    assert len(company.hosting.log) == kept
    wait = company.room.wait
    if wait and wait.until:
        company.hosting.clock._now = wait.until + 90 * SECOND  # the machine stood still, and everything is late at once
        company.hosting.put(TimeIsUp())
        now = company.room.wait
        assert now is None or now.until is None or now.until > company.now
        kept = len(company.hosting.log)
        company.hosting.put(TimeIsUp())
        assert len(company.hosting.log) == kept


@pytest.mark.parametrize("seed", range(6))
def test_every_state_in_which_somebody_is_waited_for_owns_one_deadline(seed: int) -> None:
    """After each input, whatever it is, also with people away, chairs left and votes that close early."""
    company = Company(4, 6, seed=seed)
    company.start()
    step = 0
    while company.stage() == "game":
        step += 1
        wait = company.wait
        assert (wait.until is None) == wait.is_paused
        assert wait.is_paused or (wait.until and wait.until >= company.now)
        assert company.hosting.clock.waiting >= 1
        began = [event for event, _, _ in company.hosting.entries() if type(event).__name__ == "WaitBegan"]
        assert len(began) == company.room.waits_so_far == wait.number
        if step % 7 == 3 and "p4" in company.sockets:
            company.goes("p4")
        elif step % 7 == 6 and "p4" not in company.sockets:
            company.comes("p4")
        elif step == 12:
            company.does("p3", Leave())
            company.sockets.pop("p3")
        else:
            company.hosting.clock.jump_to_next()
    assert company.room.wait is None


def test_a_vote_that_all_have_cast_ends_at_once_and_one_missing_ballot_does_not_hang_it() -> None:
    company = Company(5, 5, **AT_LEISURE).to("vote")
    for name in company.people[:4]:
        company.does(name, Move(CastVote(None)))
        assert company.code(name, Move(CastVote(None))) == "not_your_turn", "one ballot each"
    assert company.wait_of("host").kind == "vote"
    until = company.wait.until
    assert until
    company.pass_time(until - company.now)
    assert company.wait_of("host").kind == "pass" and company.now == until


# -- what time tells (R11) ---------------------------------------------------------------------------------------------


def test_every_night_lasts_as_long_and_sends_everybody_as_many_frames() -> None:
    """Whoever wakes or sleeps, with each role dealt and with roles missing: twenty deals, at each size."""
    for seed in range(20):
        seats = 5 + seed % 6
        company = Company(seats, seats, watchers=1, seed=seed)
        company.start()
        told = {name: company.told(name) for name in company.sockets}
        for name in company.people:
            company.does(name, Seen())
        began = company.now
        assert company.wait_of("host").kind == "night"
        during = {name: company.told(name) - told[name] for name in company.sockets}
        assert len(set(during.values())) == 1
        company.to("vote")
        assert company.now - began == NIGHT_SECONDS * SECOND
        assert {company.told(name) - told[name] - during[name] for name in company.sockets} == {1}


def test_frames_of_the_night_hold_no_number_by_which_they_could_be_matched() -> None:
    """Of two who see one another each is sent the other's turn, and nothing that both share but the public half."""
    company = Company(8, 8, seed=5).to("night")
    seeing = 0
    for name in company.people:
        tell = company.sees(name)
        assert tell.player
        frame = json.loads(codec.encode_tells([tell], company.now)[0][1])
        private = frame["you"]["player"]
        night = private["night"]
        assert set(frame) == {"t", "now", "room", "table", "you", "game", "heard", "fresh", "news"}
        if night is not None:
            seeing += 1
            assert all(isinstance(turn, int) and 1 <= turn <= 8 for turn in night)
    assert seeing == 4, "sage, mystic, red dragon and two-headed dragon"


def test_the_same_seed_of_actions_takes_the_same_time_whatever_was_dealt() -> None:
    """All run out of time: up to the first scroll every table of a size has the same waits."""
    courses = set()
    for seed in range(12):
        company = Company(5, 5, seed=seed)
        company.start()
        waits: list[tuple[int, str, int | None]] = []
        while company.wait.kind not in ("scroll", "announcement"):
            if not waits or waits[-1][0] != company.wait.number:
                waits.append((company.wait.number, company.wait.kind, company.wait.whole))
            company.hosting.clock.jump_to_next()
        courses.add(tuple(waits))
    assert len(courses) == 1


def test_a_drop_gives_nobody_time() -> None:
    """Only a pause that the others want does; one's own network does not stop the clock."""
    company = asked("p2")
    until = company.wait.until
    assert until
    for _ in range(5):
        company.goes("p2")
        company.pass_time(1_000)
        company.comes("p2")
        assert is_asked(company, "p2") and company.wait.until == until
