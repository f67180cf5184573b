"""Who comes to play and finds no chair is seen by everybody, and the host lets them have an AI's (R2.1, R2.3)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from cinderforge.room.events import Came
from cinderforge.room.inputs import (
    Admit,
    Change,
    Clear,
    Fill,
    Hold,
    Join,
    Kick,
    Leave,
    Rematch,
    Say,
    Start,
    WantSeat,
    Watch,
)
from cinderforge.room.keeping import unkept
from cinderforge.room.shapes import MemberId
from cinderforge.rules.words import Seat
from cinderforge.testkit.ledger import compare
from tests.room.company import AT_LEISURE, MOMENTS, Company

WANT = WantSeat("guest", on=True)


def full(persons: int = 2, seats: int = 5, watchers: int = 0, **settings: Any) -> Company:
    """A waiting room whose other chairs are all AIs'; `guest` is at the door."""
    company = Company(persons, seats, watchers, **settings)
    company.does("host", Fill(None, None))
    company.comes("guest")
    return company


def wanting(company: Company, seen_by: str = "host") -> list[str]:
    room = company.sees(seen_by).room
    return [next(one.name for one in room.watchers if one.member == member) for member in room.wanting]


def test_who_finds_no_chair_is_seen_by_everybody_and_the_host_gives_them_an_ais() -> None:
    company = full(watchers=1)
    assert company.code("guest", Join("guest")) == "room_full", "an AI's chair is the host's to give (R2.3)"
    assert company.sees("guest").member.may_want
    company.does("guest", WANT)
    for name in ("host", "p2", "w1", "guest"):
        assert wanting(company, name) == ["guest"]
    mine = company.sees("guest").member
    assert mine.wants and not mine.may_want and mine.seat is None
    assert company.lines("host")[-1].text == "wants_seat" and company.lines("host")[-1].name == "guest"
    assert company.sees("host").member.yields == Seat(5), "the last chair of an AI"
    assert company.sees("p2").member.yields is None
    assert company.code("p2", Admit(company.id_of("guest"))) == "not_host"
    company.does("host", Admit(company.id_of("guest")))
    assert company.chairs()[-1] == (5, "guest")
    assert company.chairs()[:2] == [(1, "host"), (2, "p2")], "persons keep theirs"
    assert wanting(company) == []
    assert not company.sees("guest").member.wants
    company.start()


def test_a_free_chair_is_taken_at_once() -> None:
    company = Company(2)
    company.comes("guest")
    assert not company.sees("guest").member.may_want
    company.does("guest", WANT)
    assert company.sees("guest").member.seat == Seat(3)


@pytest.mark.parametrize("frees", [Clear(Seat(4)), Change({"seats": 6})])
def test_a_chair_that_comes_free_is_theirs_who_asked_first_and_is_here(frees: Clear | Change) -> None:
    company = full()
    for name in ("gone", "guest", "later"):
        if name != "guest":
            company.comes(name)
        company.does(name, WantSeat(name, on=True))
    company.goes("gone")
    company.does("host", frees)
    assert company.sees("guest").member.seat is not None
    assert wanting(company) == ["gone", "later"]
    company.does("host", Change({"seats": len(company.chairs()) + 1}))
    assert wanting(company) == ["gone"]
    company.does("host", Clear(Seat(3)))
    assert company.chairs()[2] == (3, "")
    company.comes("gone")
    assert company.sees("gone").member.seat == Seat(3), "as soon as they are back"


def test_nobody_wants_a_chair_any_more_who_watches_on_purpose_takes_it_back_leaves_or_is_removed() -> None:
    for ends in (Watch("guest"), WantSeat("guest", on=False), Leave()):
        company = full()
        company.does("guest", WANT)
        company.does("guest", ends)
        assert wanting(company) == []
        assert company.code("host", Admit(MemberId(3))) == "unknown_member"
    company = full()
    company.does("guest", WANT)
    company.does("host", Kick(company.id_of("guest")))
    assert wanting(company) == [] and not company.room.seats.wanting


def test_who_watched_first_may_want_to_play_later() -> None:
    company = full(watchers=1)
    assert company.sees("w1").member.may_want
    company.does("w1", WantSeat("whatever", on=True))
    company.does("w1", WantSeat("whatever", on=True))
    assert wanting(company) == ["w1"], "by the name that is known"
    company.does("host", WantSeat("host", on=True))
    assert wanting(company) == ["w1"], "who sits wants nothing more"


def test_no_person_makes_way() -> None:
    company = Company(5, 5)
    company.comes("guest")
    company.does("guest", WANT)
    assert company.sees("host").member.yields is None
    assert company.code("host", Admit(company.id_of("guest"))) == "room_full"
    company.does("p3", Leave())
    assert company.sees("guest").member.seat == Seat(3)


@pytest.mark.parametrize("moment", [moment for moment in MOMENTS if moment not in ("waiting", "night")])
def test_in_a_game_one_waits_for_the_next(moment: str) -> None:
    company = Company(2, 5, **AT_LEISURE).to(moment)
    company.comes("guest")
    company.does("guest", WANT)
    assert wanting(company) == ["guest"]
    assert company.code("host", Admit(company.id_of("guest"))) == "already_started"
    assert company.sees("host").member.yields is None
    if moment == "mixing":
        company.does("p2", Hold())
    else:
        company.to("over")
        company.does("host", Rematch())
    assert wanting(company) == ["guest"]
    company.does("host", Admit(company.id_of("guest")))
    assert company.sees("guest").member.seat == Seat(5)


def test_after_a_game_the_chair_of_who_has_left_is_theirs() -> None:
    company = Company(3, 5, **AT_LEISURE).to("play")
    company.comes("guest")
    company.does("guest", WANT)
    company.does("p3", Leave())
    company.to("over")
    company.does("host", Rematch())
    assert company.sees("guest").member.seat == Seat(3)


def test_a_chair_left_while_the_start_is_counted_down_is_theirs() -> None:
    company = full(3)
    company.does("guest", WANT)
    company.does("host", Start())
    company.does("p3", Leave())
    assert company.stage() == "waiting"
    assert company.sees("guest").member.seat == Seat(3)
    company.does("host", Start())


def test_nobody_comes_at_night_by_this_door_either() -> None:
    company = Company().to("night")
    company.comes("guest")
    assert company.code("guest", WantSeat("3 is the sage", on=True)) == "quiet"
    company.to("vote")
    assert company.code("guest", WantSeat("Force  Play", on=True)) == "bad_name"


def test_who_watches_gives_no_sign_at_night_by_wanting_a_chair_or_no_longer() -> None:
    company = full(watchers=2, **AT_LEISURE)
    company.does("w1", WantSeat("w1", on=True))
    company.to("night")
    kept = len(company.hosting.log)
    for wish in (WantSeat("w1", on=False), Watch("w1")):
        assert company.code("w1", wish) == "quiet"
    assert company.code("w2", WantSeat("w2", on=True)) == "quiet"
    company.does("w2", WantSeat("w2", on=False))
    company.does("w1", WantSeat("w1", on=True))
    assert len(company.hosting.log) == kept, "what changes nothing says nothing"
    company.to("vote")
    company.does("w1", WantSeat("w1", on=False))


@pytest.mark.parametrize("moment", ["waiting", "play"])
def test_nobody_speaks_to_the_players_by_wanting_a_chair_again_and_again(moment: str) -> None:
    company = full(watchers=1, **AT_LEISURE)
    company.to(moment)
    for at in range(4):
        company.does("w1", WantSeat("w1", on=at % 2 == 0))
    before = len(company.hosting.log)
    assert company.code("w1", WantSeat("w1", on=True)) == "too_fast"
    company.does("guest", WANT)
    assert company.code("guest", WantSeat("guest", on=False)) is None, "another's wish is their own"
    company.restart()
    assert company.code("w1", WantSeat("w1", on=True)) == "too_fast"
    company.hosting.clock.pass_time(40_000)
    company.does("w1", WantSeat("w1", on=True))
    assert len(company.hosting.log) > before


def test_where_nobody_may_watch_who_waits_sees_and_hears_nothing_of_the_game() -> None:
    company = full(spectators=False, **AT_LEISURE)
    company.does("guest", WANT)
    company.does("p2", Say("hello", sure=False))
    assert company.lines("guest")[-1].text == "hello"
    company.to("play")
    company.does("p2", Say("3 is red", sure=False))
    company.does("guest", Say("who?", sure=False))
    assert "3 is red" not in [line.text for line in company.lines("guest")]
    assert company.lines("guest")[-1].text == "who?"
    assert company.sees("guest").table is None
    company.restart()
    assert "3 is red" not in [line.text for line in company.lines("guest")]
    company.to("over")
    assert "3 is red" in [line.text for line in company.lines("guest")]


def test_who_would_like_to_sit_is_known_after_a_killed_server() -> None:
    company = full(watchers=1)
    company.does("w1", WantSeat("w1", on=True))
    company.does("guest", WANT)
    before = company.room
    company.restart_without("w1")
    compare(before, company.room, whole=True)
    assert wanting(company) == ["w1", "guest"]
    company.does("host", Clear(Seat(5)))
    assert company.sees("guest").member.seat == Seat(5)
    assert wanting(company) == ["w1"]
    company.restart_without()
    assert wanting(company) == ["w1"]


def test_a_log_from_before_is_read() -> None:
    old = {"type": "Came", "member": 2, "session": "s", "name": "Ann", "seat": None}
    assert unkept(msgspec.json.encode(old)) == Came(MemberId(2), "s", "Ann", None, wants=False)
