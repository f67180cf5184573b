"""Hosts and seats (R2): removing, letting back, handing on, leaving; starts; rematches; rooms that close."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from cinderforge.records.record import read
from cinderforge.records.verify import verify
from cinderforge.room.closing import EMPTY_GRACE, IDLE_GRACE
from cinderforge.room.inputs import (
    Change,
    Clear,
    Contribute,
    Fill,
    HandOn,
    Hold,
    Join,
    Kick,
    Leave,
    LetBack,
    Mute,
    Ready,
    Rematch,
    Start,
    TimeIsUp,
    Vanished,
    Watch,
    Wish,
)
from cinderforge.room.outputs import Archive, Output
from cinderforge.room.presence import SHOWN_AFTER
from cinderforge.room.room import Room
from cinderforge.room.shapes import MemberId
from cinderforge.room.waiting import HOST_GRACE, MAX_WATCHERS, WATCHER_GRACE
from cinderforge.room.waits import COUNTDOWN_SECONDS
from cinderforge.rules.words import Seat
from cinderforge.testkit.hosting import Hosting
from tests.room.company import AT_LEISURE, MOMENTS, Company, at, shuffled

HEX = "cd" * 16


def is_host(company: Company, name: str) -> bool:
    """By the label that all see and by one's own picture; both say the same."""
    told = company.sees(name)
    assert told.member.host == (told.room.host == told.member.member)
    return told.member.host


def rights(company: Company, host: str, victim: str) -> None:
    """What a host may do now, done by this one and refused to another; at the end the victim is out of the room."""
    other = next(name for name in company.people if name in company.sockets and name not in (host, victim))
    stage = company.stage()
    for wish in (Kick(company.id_of(victim)), Change({"public": True}), Start(), Rematch()):
        assert company.code(other, wish) == "not_host"
    expected = {"waiting": None, "mixing": "already_started", "game": "already_started", "over": "already_started"}
    assert company.code(host, Change({"public": True})) == expected[stage]
    if stage == "over":
        company.does(host, Rematch())
    company.does(host, Kick(company.id_of(victim)))
    if company.stage() == "waiting":
        company.does(host, Fill(None, None))
        company.does(host, Start())
        assert company.stage() == "mixing"


# -- the host's role ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_host_who_leaves_hands_on_rights_and_label_and_nobody_moves(moment: str) -> None:
    company = at(moment, 4, watchers=1)
    chairs = company.chairs("p2")
    company.does("host", Leave())
    assert [bye.why for bye in company.hosting.seen[company.sockets.pop("host")].byes] == ["left"]
    assert is_host(company, "p2") and not is_host(company, "p3") and not is_host(company, "w1")
    left = [("" if name == "host" and moment in MOMENTS[:2] else name) for _, name in chairs]
    assert [name for _, name in company.chairs("p2")] == left
    if moment == "mixing":
        assert company.stage() == "waiting", "a chair came free"
    rights(company, "p2", "p4")
    if company.stage() == "game":
        company.to("over")


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_host_whose_client_dies_is_followed_after_a_grace(moment: str) -> None:
    company = at(moment, 4, **AT_LEISURE)
    chairs = company.chairs()
    company.goes("host")
    company.pass_time(HOST_GRACE - 1)
    assert not is_host(company, "p2")
    company.pass_time(1)
    assert is_host(company, "p2") and company.chairs("p2") == chairs
    company.comes("host")
    assert not is_host(company, "host") and company.sees("host").member.seat == 1
    rights(company, "p2", "p4")


def test_a_host_who_is_back_in_time_stays_host() -> None:
    company = Company(3, 5)
    company.goes("host")
    company.pass_time(HOST_GRACE - 1)
    company.comes("host")
    company.pass_time(HOST_GRACE * 2)
    assert is_host(company, "host")


@pytest.mark.parametrize("moment", MOMENTS)
def test_the_role_is_handed_on(moment: str) -> None:
    company = at(moment, 4, watchers=1)
    chairs = company.chairs()
    for wrong in (company.id_of("host"), MemberId(99), MemberId(0)):
        assert company.code("host", HandOn(wrong)) == "unknown_member"
    company.does("host", HandOn(company.id_of("p3")))
    assert is_host(company, "p3") and not is_host(company, "host") and company.chairs() == chairs
    assert company.code("host", HandOn(company.id_of("host"))) == "not_host"
    assert company.lines("p2")[-1].text == "host" and company.lines("p2")[-1].name == "p3"
    rights(company, "p3", "p4")


def test_the_longest_present_of_those_who_are_here_is_next() -> None:
    company = Company(4, 5, watchers=1).to("pass")
    company.goes("p2")
    company.does("p3", Leave())
    company.does("host", Leave())
    assert is_host(company, "p4"), "p2 is not here, p3 has left"
    company.does("p4", Leave())
    assert is_host(company, "w1"), "and when no player is here, somebody who watches"
    company.does("w1", Leave())
    assert company.room.seats.host is None
    company.sockets.clear()
    company.comes("p3")
    assert is_host(company, "p3"), "whoever comes first"
    company.comes("p2", "host")
    assert not is_host(company, "p2") and not is_host(company, "host")


# -- removing and letting back -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("moment", MOMENTS)
def test_the_removed_are_out_at_once_and_the_others_keep_their_chairs(moment: str) -> None:
    company = at(moment, 4)
    chairs, p3 = company.chairs(), company.id_of("p3")
    company.does("host", Kick(p3))
    assert [bye.why for bye in company.hosting.seen[company.sockets.pop("p3")].byes] == ["kicked"]
    kept = moment not in MOMENTS[:2]
    assert company.chairs() == [(seat, name if kept or name != "p3" else "") for seat, name in chairs]
    company.comes("p3")
    seen = company.hosting.seen[company.sockets.pop("p3")]
    assert [bye.why for bye in seen.byes] == ["kicked"] and not seen.tells and not seen.lines
    assert company.code("host", Kick(p3)) == "unknown_member", "once is enough"
    assert [one.name for one in company.sees("host").member.banned] == ["p3"]
    assert company.sees("p2").member.banned == [], "who was removed is the host's to know"
    company.does("host", LetBack(p3))
    company.comes("p3")
    if kept:
        assert company.sees("p3").member.seat == 3 and not company.chair("p3").stand_in
    else:
        company.does("p3", Join("p3"))
        assert company.sees("p3").member.seat == 3
    assert company.sees("host").member.banned == [] and company.code("host", LetBack(p3)) == "unknown_member"


def test_a_ban_outlives_games_rematches_hosts_and_restarts() -> None:
    company = Company(4, 5, watchers=1).to("play")
    company.does("host", Kick(company.id_of("p3")))
    company.does("host", Kick(company.id_of("w1")))
    company.people.remove("p3")
    for _ in range(2):
        company.to("over")
        company.does("host", Rematch())
        company.does("host", Fill(None, None))
    company.does("host", Leave())
    company.restart_without("host", "p3", "w1")
    for name in ("p3", "w1"):
        company.comes(name)
        assert [bye.why for bye in company.hosting.seen[company.sockets.pop(name)].byes] == ["kicked"]
    assert {one.name for one in company.sees("p2").member.banned} == {"p3", "w1"}, "the new host sees whom to let back"


def test_who_is_not_here_is_removed_all_the_same() -> None:
    """Nobody gets round it by dropping, nor while others vote about the absence."""
    company = Company(4, 5, **AT_LEISURE).to("pass")
    company.goes("p4")
    company.pass_time(SHOWN_AFTER)
    assert company.polls()
    company.does("host", Kick(company.id_of("p4")))
    assert not company.polls() and company.chair("p4").stand_in
    company.comes("p4")
    assert [bye.why for bye in company.hosting.seen[company.sockets["p4"]].byes] == ["kicked"]


def test_somebody_who_left_may_still_be_removed() -> None:
    company = Company(4, 5).to("pass")
    company.does("p4", Leave())
    company.does("host", Kick(company.id_of("p4")))
    company.comes("p4")
    assert [bye.why for bye in company.hosting.seen[company.sockets["p4"]].byes] == ["kicked"]


@pytest.mark.parametrize(
    "name", ["<script>kick</script>", "a\x00\u202eb", "%s{0}${x}", "'; DROP TABLE event;--", "host"]
)
def test_a_name_of_markup_and_controls_does_nothing_to_others(name: str) -> None:
    company = Company(3, 5)
    chairs = company.chairs()
    company.comes("odd")
    company.does("odd", Join(name))
    assert company.chairs()[:3] == chairs[:3] and company.sees("odd").member.seat == 4
    shown = company.sees("odd").member.name
    assert shown not in ("host", "p2", "p3") and not set("\x00\u202e") & set(shown)
    company.does("host", Kick(next(m.id for m in company.room.seats.members.values() if m.session == "odd")))
    assert company.chairs() == chairs


@pytest.mark.parametrize(
    "name", ["ALICE", "alice", " Alice ", "Ａｌｉｃｅ", "Al\u200bice", "A\u2060l i c e", "ALICE\u202e"]
)
def test_a_name_that_reads_alike_is_told_apart_and_takes_nobodys_chair(name: str) -> None:
    """The chair is the session's: under whatever name others come, the one who was here returns to it."""
    company = Company(1, 5)
    company.comes("alice", "other")
    company.does("alice", Join("Alice"))
    company.to("pass")
    company.goes("alice")
    assert company.code("other", Join(name)) == "already_started"
    company.does("other", Watch(name))
    assert company.sees("other").member.seat is None and company.sees("other").member.name.endswith(" 2")
    company.comes("alice")
    assert (company.sees("alice").member.seat, company.sees("alice").member.name) == (2, "Alice")


# -- one person, one chair ---------------------------------------------------------------------------------------------


def test_quick_clicks_from_two_tabs_seat_a_person_once() -> None:
    company = Company(1, 8)
    tabs = []
    for click in range(20):
        tabs.append(company.hosting.arrive("quick"))
        company.hosting.ask(tabs[-1], Join("Quick"), f"c{click % 4}")
    assert company.chairs()[:3] == [(1, "host"), (2, "Quick"), (3, "")], "the first click's chair"
    company.does("host", Kick(company.id_of("Quick")))
    assert [name for _, name in company.chairs() if name] == ["host"]


def test_leaving_and_joining_in_a_loop_never_holds_two_chairs() -> None:
    company = Company(3, 5)
    rng = Random(1)
    for _ in range(200):
        name = rng.choice(["p2", "p3"])
        if name not in company.sockets:
            company.comes(name)
        wishes: list[Wish] = [Join(name), Join(name), Watch(name), Leave()]
        wish = rng.choice(wishes)
        before = company.sees(name).member.seat
        if company.code(name, wish) is None and isinstance(wish, Leave):
            company.sockets.pop(name)
        elif isinstance(wish, Join) and before is not None:
            assert company.sees(name).member.seat == before, "who sits stays"
        members = [member.session for member in company.room.seats.members.values()]
        assert len(members) == len(set(members))
        seats = [member.seat for member in company.room.seats.seated()]
        assert len(seats) == len(set(seats)) <= 3


def test_a_room_is_never_overfull() -> None:
    company = Company(1, 8)
    answers = []
    for number in range(20):
        company.comes(f"s{number}")
        answers.append(company.code(f"s{number}", Join(f"s{number}")))
    assert answers == [None] * 7 + ["room_full"] * 13
    assert company.sees("host").room.missing == 0


def test_who_comes_again_is_the_same_person() -> None:
    """Else a mute, a limit or the one hold before a game would be got rid of by leaving."""
    company = Company(3, 5)
    was = company.id_of("p2")
    company.does("p3", Mute(was, on=True))
    company.to("mixing")
    company.does("p2", Hold())
    company.does("p2", Leave())
    company.comes("p2")
    company.does("p2", Join("another name"))
    assert company.sees("p2").member.member == was and company.sees("p3").member.muted == [was]
    company.does("host", Start())
    assert company.code("p2", Hold()) == "held_before" and not company.sees("p2").member.may_hold
    company.comes("new")
    company.does("new", Watch("new"))
    assert company.sees("new").member.member not in {company.id_of("host"), company.id_of("p3"), was}


# -- those who watch ---------------------------------------------------------------------------------------------------


def watching(company: Company) -> list[str]:
    return [watcher.name for watcher in company.sees("host").room.watchers]


def test_however_many_watch_a_dropped_player_gets_back_in() -> None:
    company = Company(3, 5).to("pass")
    company.goes("p2")
    for number in range(MAX_WATCHERS):
        company.comes(f"w{number}")
        company.does(f"w{number}", Watch(f"w{number}"))
    company.comes("late")
    assert company.code("late", Watch("late")) == "room_full"
    company.comes("p2")
    assert company.sees("p2").member.seat == 2


def test_who_closed_the_page_keeps_nobody_from_watching() -> None:
    company = Company(1, 5)
    for number in range(MAX_WATCHERS):
        company.comes(f"w{number}")
        company.does(f"w{number}", Watch(f"w{number}"))
    company.goes("w7")
    company.comes("late")
    assert company.code("late", Watch("late")) == "room_full", "a reload is no absence"
    company.pass_time(SHOWN_AFTER)
    company.goes("w3")
    company.pass_time(SHOWN_AFTER)
    company.does("late", Watch("late"))
    assert "w7" not in watching(company) and "w3" in watching(company) and len(watching(company)) == MAX_WATCHERS


def test_getting_up_to_watch_fills_no_more_than_there_is_room() -> None:
    company = Company(2, 5)
    for number in range(MAX_WATCHERS):
        company.comes(f"w{number}")
        company.does(f"w{number}", Watch(f"w{number}"))
    assert company.code("p2", Watch("p2")) == "room_full" and company.sees("p2").member.seat == 2


@pytest.mark.parametrize("moment", ["waiting", "play", "over"])
def test_a_ghost_does_not_watch_for_ever(moment: str) -> None:
    company = at(moment, 2, watchers=2, **AT_LEISURE)
    company.goes("w1")
    company.pass_time(WATCHER_GRACE - 1)
    assert watching(company) == ["w1", "w2"]
    company.pass_time(1)
    assert watching(company) == ["w2"]
    company.comes("w1")
    assert company.sees("w1").member.may_watch
    company.does("w1", Watch("w1"))
    assert watching(company) == ["w2", "w1"]


@pytest.mark.parametrize(("preset", "is_forgotten"), [("fast", False), ("none", True)])
def test_who_watched_in_a_tab_behind_others_is_shown_the_game_that_is_on_and_nothing_of_the_last(
    preset: str, is_forgotten: bool
) -> None:
    """A phone that comes back after a game and a rematch says how much it had heard of a game that is over."""
    company = Company(2, 5, watchers=1, preset=preset).to("play")
    heard = company.sees("w1").heard
    assert heard > 0
    company.goes("w1")
    company.to("over")
    company.does("host", Rematch())
    company.to("vote")
    company.pass_time(WATCHER_GRACE if is_forgotten else 0)
    company.sockets["w1"] = company.hosting.arrive("w1", 1, heard)
    if is_forgotten:
        assert company.sees("w1").member.may_watch and company.sees("w1").table is None
        company.does("w1", Watch("w1"))
    told, host = company.sees("w1"), company.sees("host")
    assert (told.room, told.table, told.heard) == (host.room, host.table, host.heard)
    news = [one for tell in company.hosting.seen[company.sockets["w1"]].tells for one in tell.news]
    assert len(news) == told.heard and company.hosting.seen[company.sockets["w1"]].tells[0].fresh


# -- the start ---------------------------------------------------------------------------------------------------------


def test_ready_is_told_and_stays_until_one_says_otherwise_or_the_game_would_be_another() -> None:
    company = Company(3, 5, watchers=1)
    company.does("p2", Ready(True))
    company.does("p2", Ready(True))
    assert company.chair("p2").ready and not company.chair("p3").ready
    assert company.code("w1", Ready(True)) == "not_seated"
    company.does("p2", Ready(False))
    assert not company.chair("p2").ready
    company.does("p2", Ready(True))
    company.does("host", Change({"kill_target": 3}))
    assert not company.chair("p2").ready, "not for these settings"
    company.does("p2", Ready(True))
    company.does("p3", Ready(True))
    company.to("mixing")
    assert company.chair("p2").ready, "a start that is counted down asks nobody again"
    company.does("p3", Hold())
    assert company.chair("p2").ready and not company.chair("p3").ready, "only who asked to wait is not"
    company.does("p3", Watch("p3"))
    assert not company.chair("p2").ready, "not for this company"
    company.does("p2", Ready(True))
    company.does("w1", Join("w1"))
    company.does("host", Clear(Seat(5)))
    assert company.chair("p2").ready, "who comes takes it from nobody"
    company.does("host", Fill(None, None))
    company.does("host", Start())
    company.does("w1", Leave())
    assert company.stage() == "waiting" and not company.chair("p2").ready
    company.does("p2", Ready(True))
    company.restart()
    assert company.chair("p2").ready


def test_the_start_is_counted_down_and_may_be_called_off_once_by_each() -> None:
    company = Company(3, 5, watchers=1).to("mixing")
    for name in company.people:
        company.does(name, Contribute(HEX))
    company.pass_time(COUNTDOWN_SECONDS * 1000 - 1)
    assert company.stage() == "mixing", "it takes its time though all bytes are in"
    assert company.code("w1", Hold()) == "not_seated"
    company.does("p2", Hold())
    assert company.stage() == "waiting" and company.sees("host").room.wait is None
    assert (company.lines("p3")[-1].text, company.lines("p3")[-1].name) == ("held", "p2")
    company.pass_time(60_000)
    assert company.stage() == "waiting"
    company.does("host", Start())
    assert company.sees("host").room.mixed == 0, "bytes are given anew"
    assert company.code("p2", Hold()) == "held_before"
    company.does("p3", Hold())
    company.does("host", Start())
    company.pass_time(COUNTDOWN_SECONDS * 1000)
    assert company.stage() == "game"
    company.to("over")
    company.does("host", Rematch())
    company.does("host", Start())
    company.does("p2", Hold())


def test_somebody_alone_waits_for_nobody() -> None:
    company = Company(1, 5).to("mixing")
    company.does("host", Contribute(HEX))
    assert company.stage() == "game"


@pytest.mark.parametrize("who", ["w1", "w2", "stranger"])
@pytest.mark.parametrize("how", ["leaves", "drops", "is removed", "comes"])
def test_whoever_has_no_chair_does_not_hold_up_a_start(who: str, how: str) -> None:
    company = Company(2, 5, watchers=2)
    company.does("host", HandOn(company.id_of("w2")))  # an owner without a chair, among AIs
    company.does("w2", Fill(None, None))
    company.comes("stranger")
    company.does("w2", Start())
    if how == "leaves":
        company.code(who, Leave())
    elif how == "drops":
        company.goes(who)
    elif how == "is removed" and who == "w1":
        company.does("w2", Kick(company.id_of(who)))
    elif how == "comes":
        company.comes("late")
        assert company.code("late", Join("late")) == "already_started"
        company.does("late", Watch("late"))
    company.pass_time(COUNTDOWN_SECONDS * 1000)
    assert company.stage() == "game"


def test_who_has_a_chair_and_leaves_calls_the_start_off() -> None:
    for wish in ("leaves", "is removed"):
        company = Company(3, 5).to("mixing")
        if wish == "leaves":
            company.does("p2", Leave())
        else:
            company.does("host", Kick(company.id_of("p2")))
        assert company.stage() == "waiting" and company.sees("host").room.missing == 1
        assert company.code("host", Start()) == "not_ready"


def test_pressed_twenty_times_it_happens_once() -> None:
    company = Company(2, 5)
    company.does("host", Fill(None, None))
    other_tab = company.sockets["host"]
    company.comes("host")
    assert company.hosting.seen[other_tab].byes
    for _ in range(20):
        company.does("p2", Ready(True))
    assert [company.code("host", Start()) for _ in range(20)] == [None] + ["already_started"] * 19
    assert company.room.waits_so_far == 1
    company.to("over")
    assert [company.code("host", Rematch()) for _ in range(20)] == [None] + ["wrong_phase"] * 19
    assert company.room.games == 1 and company.stage() == "waiting"
    events = [type(event).__name__ for event, _, _ in company.hosting.entries()]
    assert [events.count(name) for name in ("MixingBegan", "Dealt", "BackToWaiting", "ReadyIs")] == [1, 1, 1, 1]


def test_ais_alone_play_without_anybody_who_looks() -> None:
    company = Company(1, 5, preset="none")
    company.does("host", Watch("host"))
    company.people.clear()
    company.to("over")
    assert verify(read(company.hosting.records[1])) == []


# -- the end and the next game -----------------------------------------------------------------------------------------


def archived(room: Room, outputs: list[Output]) -> Iterator[int]:
    yield from (output.game for output in outputs if isinstance(output, Archive))


def test_what_ends_a_game_at_the_same_moment_leaves_one_result(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last time-out, a drop, a leaver, an alarm too many and a late move, all in the same millisecond."""
    put: list[int] = []
    take = Room.take

    def taken(room: Room, what: object, now: int) -> list[Output]:
        outputs = take(room, what, now)  # type: ignore[arg-type]
        put.extend(archived(room, outputs))
        return outputs

    monkeypatch.setattr(Room, "take", taken)
    for seed in range(3):
        put.clear()
        company = Company(5, 5, seed=seed)
        company.to("over")
        for name in company.people:
            company.hosting.put(TimeIsUp())
            company.code(name, Leave())
            company.hosting.put(Vanished(company.sockets[name]))
            company.hosting.put(TimeIsUp())
        assert put == [1] and verify(read(company.hosting.records[1])) == []


def test_a_rematch_keeps_seats_watchers_settings_host_and_code() -> None:
    company = Company(4, 6, watchers=2, kill_target=3, chat_guard="warn", spectator_delay=0)
    company.does("p2", Mute(company.id_of("p3"), on=True))
    company.does("host", HandOn(company.id_of("p2")))
    company.does("p2", Fill(Seat(6), "dice"))
    company.does("p2", Fill(None, None))
    before = company.sees("p3").room
    company.does("p2", Start())
    company.to("over")
    company.goes("p4")
    company.does("p2", Rematch())
    after = company.sees("p3").room
    for part in ("code", "settings", "watchers", "host", "warnings", "levels", "missing"):
        assert getattr(after, part) == getattr(before, part), part
    assert [(seat.seat, seat.kind, seat.name, seat.level) for seat in after.seats] == [
        (seat.seat, seat.kind, seat.name, seat.level) for seat in before.seats
    ]
    assert company.sees("p2").member.muted == [company.id_of("p3")]
    assert after.commitment != before.commitment and after.secret is None and after.wait is None
    company.does("p2", Start())
    company.to("over")
    assert sorted(company.hosting.records) == [1, 2]


def test_three_rematches_with_other_chairs_for_the_ais_each_time() -> None:
    """A chair that an AI had is a person's in the next game, and the other way round; each record says which."""
    company = Company(3, 5, watchers=2)
    rng = Random(4)
    played: dict[int, dict[str, str]] = {}
    for game in range(1, 5):
        for name in shuffled(rng, ["p2", "p3", "w1", "w2"]):
            sits = company.sees(name).member.seat is not None
            if sits and rng.random() < 0.5:
                company.does(name, Watch(name))
        company.does("host", Clear(None))
        for name in shuffled(rng, ["p2", "p3", "w1", "w2"]):
            if rng.random() < 0.5 and company.sees(name).member.may_sit:
                company.does(name, Join(name))
        company.does("host", Fill(None, rng.choice(["dice", "plain"])))
        kinds = {seat.name: seat.kind for seat in company.sees("host").room.seats}
        company.people = [name for name in ("host", "p2", "p3", "w1", "w2") if kinds.get(name) == "person"]
        company.does("host", Start())
        company.to("over")
        record = read(company.hosting.records[game])
        assert verify(record) == []
        assert {player.name: player.kind for player in record.players} == kinds
        assert [player.seat for player in record.players] == list(
            company.room.running.deal.seats if company.room.running else ()
        )
        played[game] = dict(kinds)
        company.does("host", Rematch())
    assert len({tuple(sorted(kinds.items())) for kinds in played.values()}) > 1
    assert len(set(company.hosting.records.values())) == 4


# -- rooms that close --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_room_that_everybody_has_dropped_out_of_closes(moment: str) -> None:
    company = at(moment, 3, watchers=1, **AT_LEISURE)
    company.comes("stranger")
    company.goes("host", "p2", "p3", "w1")
    company.pass_time(EMPTY_GRACE - 1)
    assert not company.closed()
    company.comes("p2")
    company.pass_time(60_000)
    company.goes("p2")
    company.pass_time(EMPTY_GRACE - 1)
    assert not company.closed(), "and who came back has started it anew"
    company.pass_time(1)
    assert company.closed(), "a stranger at the door keeps no room open"
    assert company.hosting.clock.waiting <= 5, "only thoughts of AIs are left"


@pytest.mark.parametrize("moment", ["waiting", "over"])
def test_a_room_in_which_nobody_does_anything_closes(moment: str) -> None:
    company = at(moment, 2)
    began = company.now
    company.does("p2", Join("again")) if moment == "waiting" else company.does(
        "p2", Mute(company.id_of("host"), on=True)
    )
    company.pass_time(IDLE_GRACE - 1 - (company.now - began))
    assert not company.closed()
    company.pass_time(1)
    assert company.closed(), "one idle page on the results does not keep it"


def test_a_long_game_that_nobody_touches_is_not_closed_at_its_end() -> None:
    company = Company(2, 8, **AT_LEISURE)
    company.start()
    began = company.now
    company.to("over")
    assert company.now - began > IDLE_GRACE
    company.pass_time(IDLE_GRACE - 1)
    assert not company.closed()
    company.pass_time(1)
    assert company.closed()


def test_a_room_read_back_closes_when_nobody_comes() -> None:
    hosting = Hosting()
    hosting.arrive("host")
    hosting.restart()
    hosting.clock.pass_time(EMPTY_GRACE - 1)
    assert not hosting.closed
    hosting.clock.pass_time(1)
    assert hosting.closed
