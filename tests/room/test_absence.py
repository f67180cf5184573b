"""Who is away, for whom an AI plays, and the votes of those who are there (R10, docs/trials-log.md). No sockets."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from cinderforge.records.record import how_of, read
from cinderforge.records.verify import verify
from cinderforge.room.absence import LEAST_LEFT, LONGEST_PAUSE
from cinderforge.room.inputs import Kick, Leave, Move, Poll, Rematch, Seen, TimeIsUp
from cinderforge.room.picture import room_view
from cinderforge.room.presence import SHOWN_AFTER
from cinderforge.room.shapes import PollKind
from cinderforge.rules.commands import Skip
from cinderforge.rules.events import CardPlayed, Skipped
from cinderforge.rules.state import awaited
from cinderforge.rules.words import How, Seat
from tests.room.company import AT_LEISURE, IN_GAME, MOMENTS, Company, asked, at, is_asked, shuffled

SECOND = 1000
GRACES = {"fast": 20, "normal": 30, "relaxed": 90, "none": 120}
"""After how many seconds an AI stands in, by preset; restated."""


def votes(company: Company, *names: str, poll: PollKind = "pause", seat: int | None = None, on: bool = True) -> None:
    for name in names:
        company.does(name, Poll(poll, None if seat is None else Seat(seat), on))


def without(company: Company, *names: str) -> None:
    """They have been gone for long enough to be seen as away."""
    company.goes(*names)
    company.pass_time(SHOWN_AFTER)


# -- presence ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_reload_is_no_absence_and_a_longer_one_is_seen(moment: str) -> None:
    company = at(moment, **AT_LEISURE)
    told = company.told("host")
    company.goes("p2")
    company.pass_time(SHOWN_AFTER - 1)
    if company.told("host") == told:  # else the game itself went on meanwhile
        company.comes("p2")
        assert company.told("host") == told, "nobody hears of a reload"
        company.goes("p2")
        company.pass_time(SHOWN_AFTER - 1)
    assert company.chair("p2").online
    company.pass_time(1)
    assert not company.chair("p2").online
    company.comes("p2")
    assert company.chair("p2").online


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("gap", [1, 3, 10, 60])
def test_after_a_drop_of_any_length_the_seat_is_there_and_may_act(moment: str, gap: int) -> None:
    company = at(moment)
    chairs, seat = company.chairs(), company.sees("p2").member.seat
    company.goes("p2")
    company.pass_time(gap * SECOND)
    company.comes("p2")
    told = company.sees("p2")
    assert company.chairs() == chairs and told.member.seat == seat == 2
    assert not company.chair("p2").stand_in and company.chair("p2").online
    assert not told.room.polls
    assert (told.player is None) == (told.room.stage in ("waiting", "mixing"))
    if told.room.stage == "game":
        company.until(lambda: is_asked(company, "p2") or company.stage() == "over")
        if company.stage() == "game":
            company.moves("p2")


def test_all_drop_at_once_and_come_back_in_any_order() -> None:
    for seed in range(4):
        company = Company(5, 5, seed=seed).to("pass")
        chairs = company.chairs()
        company.goes(*company.people)
        company.pass_time(seed * 20 * SECOND)
        for name in shuffled(Random(seed), company.people):
            company.comes(name)
        assert company.chairs() == chairs
        assert all(
            seat.kind == "person" and not seat.stand_in and seat.online for seat in company.sees("p3").room.seats
        )
        company.to("over")


def test_who_drops_a_moment_before_the_deadline_is_timed_out_all_the_same() -> None:
    company = asked("p2")
    you = company.sees("p2").player
    assert you and company.wait.until
    company.pass_time(company.wait.until - company.now - 1)
    company.goes("p2")
    assert is_awaited(company, you.turn)
    company.pass_time(1)
    assert not is_awaited(company, you.turn)
    assert company.room.running
    done = [event for event in company.room.running.chronicle if isinstance(event, CardPlayed | Skipped)]
    assert (done[-1].turn, done[-1].how) == (you.turn, How.TIMEOUT)


def test_a_move_that_an_outage_held_up_is_made_in_its_own_round_or_not_at_all() -> None:
    company = asked("p2")
    moment = (company.room.games, round_of(company))
    assert company.code("p2", Move(Skip(), moment[0] + 1, moment[1])) == "too_late", "the same round of another game"
    company.goes("p2")
    company.until(lambda: round_of(company) > moment[1])
    company.comes("p2")
    company.until(lambda: is_asked(company, "p2"))
    assert company.code("p2", Move(Skip(), *moment)) == "too_late"
    assert is_asked(company, "p2")
    company.does("p2", Move(Skip(), moment[0], round_of(company)))
    assert not is_asked(company, "p2")


def round_of(company: Company) -> int:
    assert company.room.running
    return company.room.running.table.round


def is_awaited(company: Company, turn: int) -> bool:
    return company.room.running is not None and turn in awaited(company.room.running.table)


# -- stand-ins (R10.2) -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("preset", "grace"), GRACES.items())
def test_an_ai_stands_in_after_the_grace_of_the_preset(preset: str, grace: int) -> None:
    company = at("reveal", preset=preset)
    company.goes("p2")
    company.pass_time(grace * SECOND - 1)
    assert not company.chair("p2").stand_in
    company.pass_time(1)
    chair = company.chair("p2")
    assert (chair.kind, chair.stand_in, chair.level, chair.name) == ("person", True, "knight", "p2")
    assert any(line.text == "stand_in" and line.name == "p2" for line in company.lines("host"))


@pytest.mark.parametrize("moment", IN_GAME)
def test_on_return_a_person_takes_over_at_once(moment: str) -> None:
    company = at(moment, **AT_LEISURE)
    company.does("p2", Leave())
    company.sockets.pop("p2")
    assert company.chair("p2").stand_in, "who leaves on purpose is played for at once"
    company.comes("p2")
    assert not company.chair("p2").stand_in and not company.chair("p2").left
    assert company.sees("p2").member.seat == 2 and company.sees("p2").player
    company.until(lambda: is_asked(company, "p2") or not company.hosting.clock.waiting or company.stage() == "over")
    acts = company.sees("p2").table
    company.pass_time(60 * SECOND)
    if is_asked(company, "p2"):
        now = company.sees("p2").table
        assert acts and now and now.acts == acts.acts, "the AI does not answer for somebody who is here"


def test_the_answer_of_an_ai_whose_person_is_back_is_void() -> None:
    company = asked("p2", **AT_LEISURE)
    company.does("p2", Leave())
    company.sockets.pop("p2")
    company.pass_time(100)  # it thinks
    kept = len(company.hosting.log)
    assert company.hosting.clock.waiting >= 2
    company.comes("p2")
    assert is_asked(company, "p2") and len(company.hosting.log) > kept
    company.pass_time(30 * SECOND)
    assert is_asked(company, "p2")
    company.moves("p2")
    assert not is_asked(company, "p2")


def test_the_record_says_whose_doing_each_move_was() -> None:
    company = Company(2, 5, seed=3).to("vote")
    company.does("p2", Leave())
    company.sockets.pop("p2")
    company.until(lambda: company.stage() == "over" or (company.room.games == 1 and past_round(company, 2)))
    company.comes("p2")
    company.to("over")
    record = read(company.hosting.records[1])
    assert verify(record) == []
    turns = {player.name: at for at, player in enumerate(record.players, 1)}
    hows = {
        name: {how_of(move) for move in record.moves if move[0] in ("vote", "pass", "play", "skip")
               and move[1] == turns[name]}
        for name in ("host", "p2")
    }  # fmt: skip
    assert How.STAND_IN in hows["p2"] and How.OWN not in hows["p2"]
    assert hows["host"] == {How.TIMEOUT}
    assert [player.kind for player in record.players if player.name in turns and player.name[0] in "hp"] == [
        "person"
    ] * 2


def past_round(company: Company, round: int) -> bool:
    table = company.sees("host").table
    return bool(table and table.round > round)


def test_a_stand_in_looks_for_nobody_and_holds_up_nobody() -> None:
    company = at("reveal", preset="none")
    company.does("host", Seen())
    company.does("p3", Seen())
    assert company.wait_of("host").kind == "reveal"
    company.does("p2", Leave())
    assert company.wait_of("p3").kind == "night", "the last who had to look has left"


@pytest.mark.parametrize("looked", [[], ["host"], ["host", "p2"], ["p3"]])
def test_the_look_ends_once_whoever_drops_and_whatever_falls_due_with_it(looked: list[str]) -> None:
    """The grace of the normal preset is as long as its private look: both are due in the same moment."""
    company = Company(3, 5).to("reveal")
    for name in looked:
        company.does(name, Seen())
    company.goes("host", "p2", "p3")
    company.pass_time(GRACES["normal"] * SECOND)
    assert company.wait.kind == "night" and len(company.room.seats.stand_ins) == 3
    company = Company(3, 5, preset="none").to("reveal")
    for name in looked:
        company.does(name, Seen())
    company.goes("host", "p2", "p3")
    company.pass_time(GRACES["none"] * SECOND)
    assert company.wait.kind == "night" and len(company.room.seats.stand_ins) == 3


@pytest.mark.parametrize("seed", range(8))
def test_what_time_running_out_does_follows_from_what_is_public(seed: int) -> None:
    """R10.1: who may skip skips, and only who must play plays: neither says anything about a hand."""
    company = Company(5, 5, seed=seed, kill_target=3).to("over")
    record = read(company.hosting.records[1])
    forced = 0
    for move in record.moves:
        if move[0] in ("vote", "play", "skip", "pass"):
            assert how_of(move) is How.TIMEOUT and (move[0] != "vote" or move[2] is None)
            forced += move[0] == "play"
    assert forced <= 2 * 5


# -- votes -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("leavers", "needed"), [(1, 3), (2, 2), (3, 2), (4, 1)])
def test_thresholds_are_of_those_who_are_there(leavers: int, needed: int) -> None:
    company = Company(5, 5, **AT_LEISURE).to("pass")
    gone = company.people[5 - leavers :]
    without(company, *gone)
    there = [name for name in company.people if name not in gone]
    assert {poll.needed for poll in company.polls().values()} == {needed}
    assert set(company.polls()) == {"pause", *(f"replace {name[1]}" for name in gone)}
    votes(company, *there[: needed - 1])
    assert not company.wait_of("host").paused
    assert needed == 1 or company.polls()["pause"].votes == needed - 1
    votes(company, there[needed - 1])
    assert company.wait_of("host").paused and set(company.polls()) > {"resume"}


@pytest.mark.parametrize("leavers", [1, 2, 3])
def test_who_has_left_for_good_counts_for_no_threshold(leavers: int) -> None:
    company = Company(5, 5, **AT_LEISURE).to("pass")
    for name in company.people[5 - leavers :]:
        company.does(name, Leave())
        company.sockets.pop(name)
    without(company, "p2")
    assert company.polls()["replace 2"].needed == (5 - leavers - 1) // 2 + 1
    assert set(company.polls()) <= {"pause", "replace 2"}, "for those who left an AI plays already"


def test_a_voter_who_goes_takes_the_vote_along_and_lowers_the_bar() -> None:
    company = Company(5, 5, **AT_LEISURE).to("pass")
    without(company, "p5")
    votes(company, "p2", "p3")
    assert (company.polls()["pause"].votes, company.polls()["pause"].needed) == (2, 3)
    without(company, "p2")
    assert (company.polls()["pause"].votes, company.polls()["pause"].needed) == (1, 2)
    company.does("p4", Leave())  # of the host and p3 both are still needed
    assert not company.wait_of("host").paused
    company.comes("p2")
    assert company.wait_of("host").paused, "the vote is back with its voter: two of three"


def test_a_vote_may_be_taken_back_and_says_how_many_but_never_who() -> None:
    company = Company(4, 5, **AT_LEISURE).to("pass")
    without(company, "p4")
    votes(company, "p2")
    seen = [company.sees(name).room.polls for name in ("host", "p2", "p3")]
    assert seen[0] == seen[1] == seen[2] and seen[0][0].votes == 1
    assert company.sees("p2").member.voted == [("pause", None)] and company.sees("host").member.voted == []
    assert not {"member", "name", "voters"} & set(type(seen[0][0]).__struct_fields__)
    assert all(line.kind == "notice" and line.text != "paused" for line in company.lines("host"))
    votes(company, "p2", on=False)
    assert company.polls()["pause"].votes == 0


def test_a_vote_to_replace_puts_an_ai_in_at_once_and_is_void_on_return() -> None:
    company = Company(4, 5, **AT_LEISURE).to("pass")
    without(company, "p4")
    votes(company, "host", poll="replace", seat=4)
    company.comes("p4")
    assert company.polls() == {} and company.sees("host").member.voted == []
    without(company, "p4")
    assert company.polls()["replace 4"].votes == 0, "an old vote does not count for a new absence"
    votes(company, "host", "p2", poll="replace", seat=4)
    assert company.chair("p4").stand_in and company.polls() == {}
    company.comes("p4")
    assert not company.chair("p4").stand_in


@pytest.mark.parametrize("how", ["stand-in", "leaves", "removed", "returns"])
def test_votes_die_with_their_reason_however_it_goes(how: str) -> None:
    company = Company(5, 5, preset="none").to("pass")
    without(company, "p5")
    votes(company, "p2")
    votes(company, "p3", poll="replace", seat=5)
    if how == "stand-in":
        company.pass_time(GRACES["none"] * SECOND)
        assert company.chair("p5").stand_in
    elif how == "leaves":
        company.comes("p5")
        company.does("p5", Leave())
        company.sockets.pop("p5")
    elif how == "removed":
        company.does("host", Kick(company.id_of("p5")))
    else:
        company.comes("p5")
    assert company.polls() == {} and company.sees("p2").member.voted == company.sees("p3").member.voted == []
    without(company, "p4")
    assert {poll.votes for poll in company.polls().values()} == {0}


@pytest.mark.parametrize("moment", MOMENTS)
def test_there_is_a_pause_only_where_something_is_asked(moment: str) -> None:
    company = at(moment, 4, **AT_LEISURE)
    company.goes("p4")
    company.hosting.room.attendance.away[company.id_of("p4")] -= SHOWN_AFTER  # seen at once, so that the moment stays
    company.hosting.put(TimeIsUp())
    kinds = set(company.polls())
    if moment in ("vote", "pass", "scroll", "play"):
        assert kinds == {"pause", "replace 4"}
    elif moment in ("reveal", "night", "announcement"):
        assert kinds == {"replace 4"}
        assert company.code("host", Poll("pause", None, True)) == "no_such_poll"
    else:
        assert kinds == set()


def test_only_those_at_the_table_vote() -> None:
    company = Company(4, 5, watchers=1, **AT_LEISURE).to("pass")
    without(company, "p4")
    assert company.code("w1", Poll("pause", None, True)) == "not_seated"
    assert not company.sees("w1").member.may_vote and company.sees("host").member.may_vote
    for poll, seat in (("replace", 3), ("replace", 1), ("replace", None), ("resume", None), ("pause", 4)):
        assert company.code("host", Poll(poll, None if seat is None else Seat(seat), True)) == "no_such_poll"  # type: ignore[arg-type]


# -- the pause ---------------------------------------------------------------------------------------------------------


def paused(persons: int = 4, **settings: Any) -> Company:
    """Somebody is away, and the others have stopped the game; `host` is asked."""
    company = asked("host", persons, **settings)
    company.goes(f"p{persons}")
    company.pass_time(SHOWN_AFTER)
    assert is_asked(company, "host")
    votes(company, "p2", "p3")
    assert company.wait.is_paused
    return company


def test_in_a_pause_nobody_moves_and_no_time_runs() -> None:
    company = paused(preset="relaxed")
    assert company.wait.left == (90 - 4) * SECOND and company.wait_of("host").until is None
    assert company.code("host", Move(Skip())) == "paused"
    kept = len(company.hosting.log)
    company.pass_time(200 * SECOND)
    assert len(company.hosting.log) == kept and company.wait_of("host").left == 86 * SECOND
    assert not company.chair("p4").stand_in, "nobody is replaced in a pause by the clock"
    votes(company, "host", "p2", poll="resume")
    assert company.wait_of("host").until == company.now + 86 * SECOND and not company.wait_of("host").paused
    assert not company.chair("p4").stand_in, "and then they have their whole grace again"
    company.pass_time(80 * SECOND)
    assert company.wait_of("host").until == company.now + 6 * SECOND


def test_a_pause_ends_when_the_last_absent_is_back_or_replaced() -> None:
    for ending in ("returns", "replaced", "removed"):
        company = paused(preset="relaxed")
        company.pass_time(50 * SECOND)
        if ending == "returns":
            company.comes("p4")
        elif ending == "replaced":
            votes(company, "host", "p2", poll="replace", seat=4)
        else:
            company.does("host", Kick(company.id_of("p4")))
        assert not company.wait.is_paused and company.wait.until == company.now + 86 * SECOND, ending
        assert company.code("host", Move(Skip())) != "paused"


def test_a_pause_has_its_longest_and_goes_on_through_a_restart() -> None:
    company = paused(preset="relaxed")
    company.pass_time(LONGEST_PAUSE // 2)
    left = company.wait.left
    company.hosting.clock.pass_time(0)
    company.hosting.clock._now += 77 * SECOND  # while the server is down nothing rings
    company.restart()
    assert company.wait.is_paused and company.wait_of("host").left == left
    company.pass_time(SHOWN_AFTER)
    assert not company.chair("p4").online
    company.pass_time(LONGEST_PAUSE)
    assert not company.wait.is_paused


def test_after_a_pause_nobody_is_left_without_time() -> None:
    company = asked("host", 4, preset="relaxed")
    assert company.wait.until
    company.pass_time(company.wait.until - company.now - SHOWN_AFTER - 10)
    company.goes("p4")
    company.pass_time(SHOWN_AFTER)
    votes(company, "p2", "p3")
    assert company.wait.left == 10
    company.comes("p4")
    assert company.wait.until == company.now + LEAST_LEFT


def test_a_pause_of_all_by_one_who_then_goes_too_ends() -> None:
    company = paused(preset="relaxed")
    company.goes("host", "p2", "p3")
    company.pass_time(LONGEST_PAUSE + 120 * SECOND)
    assert not company.room.wait or not company.wait.is_paused
    company.comes("p3")
    assert company.sees("p3").member.seat == 3


# -- leaving on purpose ------------------------------------------------------------------------------------------------


def test_who_leaves_keeps_the_chair_until_the_table_is_cleared() -> None:
    company = at("pass")
    company.does("p2", Leave())
    assert [bye.why for bye in company.hosting.seen[company.sockets.pop("p2")].byes] == ["left"]
    chair = company.chair("p2")
    assert chair.left and chair.stand_in and not chair.online
    company.to("over")
    company.comes("p2")
    assert company.sees("p2").member.seat == 2 and not company.chair("p2").left, "back for the result"
    company.does("p2", Leave())
    company.sockets.pop("p2")
    company.does("host", Rematch())
    assert [seat.kind for seat in company.sees("host").room.seats[:3]] == ["person", "empty", "person"]
    company.comes("p2")
    assert company.sees("p2").member.member is None and company.sees("p2").member.may_sit


# -- anything goes -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_whatever_people_do_the_table_goes_on_and_its_log_tells_the_same(seed: int) -> None:
    """People come, go, leave, are removed and vote at random: chairs stay, something always moves, the game ends."""
    rng = Random(seed)
    company = Company(4, 5, watchers=1, seed=seed, preset=rng.choice(["fast", "none"])).to("reveal")
    chairs, everybody = company.chairs(), [*company.people, "w1"]
    for _ in range(3000):
        if company.stage() == "over":
            break
        anything(company, rng, everybody)
        assert [(seat.seat, seat.name) for seat in room_view(company.room).seats] == chairs
        if rng.random() < 0.1:
            assert_same_when_read_back(company)
        assert company.hosting.clock.waiting or somebody_is_asked(company), "nothing is waited for"
    else:
        for name in everybody:
            if name in company.sockets and company.sees(name).member.seat:
                company.goes(name)
        company.until(lambda: company.stage() == "over")
    assert verify(read(company.hosting.records[1])) == []


def anything(company: Company, rng: Random, everybody: list[str]) -> None:
    name = rng.choice(everybody)
    here = name in company.sockets
    what = rng.random()
    if not here:
        if what < 0.3 and name not in banned(company):
            company.comes(name)
    elif what < 0.04:
        company.goes(name)
    elif what < 0.06:
        company.code(name, Leave())
        company.sockets.pop(name)
    elif what < 0.065 and company.sees(name).member.host:
        victim = rng.choice(everybody)
        members = [m.id for m in company.room.seats.members.values() if m.name == victim]
        if members and company.code(name, Kick(members[0])) is None:
            company.sockets.pop(victim, None)
    elif what < 0.4 and company.sees(name).room.polls:
        poll = rng.choice(company.sees(name).room.polls)
        company.code(name, Poll(poll.poll, poll.seat, rng.random() < 0.9))
    elif what < 0.5:
        company.code(name, Move(Skip()))
    elif what < 0.55:
        company.code(name, Seen())
    elif what < 0.56:
        company.restart()
    elif company.hosting.clock.waiting and what < 0.9:
        company.hosting.clock.jump_to_next()
    else:
        company.pass_time(rng.randrange(8000))


def somebody_is_asked(company: Company) -> bool:
    """A person who is here and has a move to make, without any limit."""
    tells = [company.sees(name) for name in company.sockets]
    return any(tell.player and tell.player.offer for tell in tells) or company.wait.kind == "reveal"


def banned(company: Company) -> set[str]:
    return {member.name for member in company.room.seats.banned.values()}


def assert_same_when_read_back(company: Company) -> None:
    """What follows from the log alone is what is in memory (docs/architecture.md, "Kept and told")."""
    room, hosting = company.room, company.hosting
    again = type(room).read_back(room.code, hosting.rng.randbytes, hosting.entries())
    for part in ("seats", "settings", "stage", "secret", "contributions", "games", "wait", "waits_so_far"):
        assert getattr(again, part) == getattr(room, part), part
    assert [*again.conversation.lines] == [*room.conversation.lines]
    assert {k: v for k, v in again.votes.items() if v} == {k: v for k, v in room.votes.items() if v}
    assert (again.running is None) == (room.running is None)
    if again.running and room.running:
        assert again.running.chronicle == room.running.chronicle
        assert again.running.looked == room.running.looked and again.running.table == room.running.table
