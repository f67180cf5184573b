"""The room as a machine: seats, host, start, waits, reconnects, restarts. No sockets, no sleep."""

from __future__ import annotations

import random

import pytest

from cinderforge.bots.measured import measured
from cinderforge.room.closing import EMPTY_GRACE
from cinderforge.room.events import CommandsDone, SettingsChanged
from cinderforge.room.inputs import (
    Change,
    Clear,
    Contribute,
    Fill,
    HandOn,
    Join,
    Kick,
    Leave,
    Move,
    Ready,
    Rematch,
    Rename,
    Seen,
    SessionKey,
    SocketId,
    Start,
    TimeIsUp,
    Watch,
    Wish,
)
from cinderforge.room.shapes import MemberId
from cinderforge.room.state import REMEMBERED_COMMANDS
from cinderforge.room.waiting import HOST_GRACE
from cinderforge.room.waits import MIXING_SECONDS, NIGHT_SECONDS
from cinderforge.rules.commands import PassCrystal, Skip
from cinderforge.rules.settings import default_settings
from cinderforge.rules.words import Phase, Seat, Turn
from cinderforge.testkit.hosting import Hosting

HEX = "ab" * 16


def started(seed: int = 1, **settings: object) -> tuple[Hosting, SocketId]:
    """A host among AIs, dealt, looking at the role."""
    hosting = Hosting(seed)
    host = hosting.arrive("host")
    if settings:
        assert hosting.ask(host, Change(dict(settings))).code is None
    assert hosting.ask(host, Fill(None, None)).code is None
    assert hosting.ask(host, Start()).code is None
    assert hosting.ask(host, Contribute(HEX)).code is None
    return hosting, host


def play_on(hosting: Hosting, most: int = 2000) -> None:
    """Lets alarms ring until the game is over."""
    for _ in range(most):
        if hosting.room.stage == "over":
            return
        assert hosting.clock.jump_to_next(), "nothing is waited for, but the game is not over"
    raise AssertionError("the game does not end")


def test_the_one_who_opens_a_room_is_host_in_seat_1() -> None:
    hosting = Hosting()
    told = hosting.seen[hosting.arrive("host")].last
    assert told.member.host and told.member.seat == 1
    assert [seat.kind for seat in told.room.seats] == ["person"] + ["empty"] * 7


def test_others_see_the_room_before_they_sit() -> None:
    hosting = Hosting()
    guest = hosting.arrive("guest")
    told = hosting.seen[guest].last
    assert told.member.member is None and told.member.may_sit and told.member.may_watch
    assert hosting.ask(guest, Join("Ann")).code is None
    assert hosting.seen[guest].last.member.seat == 2


def test_a_full_room_and_a_running_game_take_nobody() -> None:
    hosting, _ = started()
    late = hosting.arrive("late")
    assert hosting.ask(late, Join("Late")).code == "already_started"
    assert hosting.ask(late, Watch("Late")).code is None
    assert hosting.seen[late].last.player is None
    full = Hosting()
    host = full.arrive("host")
    full.ask(host, Fill(None, None))
    assert full.ask(full.arrive("late"), Join("Late")).code == "room_full"


@pytest.mark.parametrize(
    "wish",
    [
        Fill(None, None),
        Clear(None),
        Change({"seats": 5}),
        Start(),
        Kick(MemberId(1)),
        HandOn(MemberId(2)),
        Rematch(),
    ],
)
def test_only_the_host_may(wish: Fill | Clear | Change | Start | Kick | HandOn) -> None:
    hosting = Hosting()
    guest = hosting.arrive("guest")
    hosting.ask(guest, Join("Ann"))
    before = hosting.log.copy()
    assert hosting.ask(guest, wish).code == "not_host"
    assert hosting.log == before


@pytest.mark.parametrize(
    ("before", "idle", "then"),
    [
        ([], Clear(None), Fill(None, None)),
        ([], Join("Host"), Watch("Host")),
        ([Watch("Host")], Watch("Host"), Join("Host")),
        ([Ready(True)], Ready(True), Ready(False)),
        ([], Ready(False), Ready(True)),
        ([], Rename("host"), Rename("Somebody")),
        ([Fill(None, None)], Fill(None, None), Clear(None)),
    ],
)
def test_a_command_that_changed_nothing_changes_nothing_when_it_is_repeated_after_a_restart(
    before: list[Wish], idle: Wish, then: Wish
) -> None:
    hosting = Hosting()
    host = hosting.arrive("host")
    for wish in before:
        assert hosting.ask(host, wish).code is None
    length = len(hosting.log)
    assert hosting.ask(host, idle, "first").code is None
    assert len(hosting.log) == length, "for nothing the disk is not asked"
    assert hosting.ask(host, then, "second").code is None
    shown = hosting.seen[host].last
    for _ in range(2):
        hosting.restart()
        host = hosting.arrive("host")
        assert hosting.ask(host, idle, "first").code is None  # the browser did not hear the answers
        assert hosting.ask(host, then, "second").code is None
        last = hosting.seen[host].last
        assert (last.room.seats, last.member) == (shown.room.seats, shown.member)


def test_of_commands_that_changed_nothing_no_more_are_noted_than_are_remembered() -> None:
    hosting = Hosting()
    host = hosting.arrive("host")
    for number in range(REMEMBERED_COMMANDS + 5):
        hosting.ask(host, Clear(None), f"idle {number}")
    hosting.ask(host, Fill(None, None))
    noted = [event.commands for event, _, _ in hosting.entries() if isinstance(event, CommandsDone)]
    assert [len(commands) for commands in noted] == [REMEMBERED_COMMANDS]
    assert noted[0][-1].endswith(f":idle {REMEMBERED_COMMANDS + 4}")
    assert len(hosting.room.done) == REMEMBERED_COMMANDS


def test_a_command_sent_twice_is_answered_twice_and_done_once() -> None:
    hosting = Hosting()
    host = hosting.arrive("host")
    assert hosting.ask(host, Fill(Seat(2), None), "same").code is None
    kept = len(hosting.log)
    assert hosting.ask(host, Fill(Seat(2), None), "same").code is None
    assert len(hosting.log) == kept
    hosting.restart()
    host = hosting.arrive("host")
    kept = len(hosting.log)
    assert hosting.ask(host, Fill(Seat(2), None), "same").code is None
    assert len(hosting.log) == kept


def test_settings_change_live_and_bad_ones_change_nothing() -> None:
    hosting = Hosting()
    host, guest = hosting.arrive("host"), hosting.arrive("guest")
    assert hosting.ask(host, Change({"seats": 10, "preset": "fast", "chat_guard": "warn"})).code is None
    shown = hosting.seen[guest].last.room.settings
    assert (shown.rules.seats, shown.rules.activation_target, shown.preset) == (10, 3, "fast")
    bad: list[dict[str, object]] = [
        {"seats": 11},
        {"seats": "8"},
        {"seats": True},
        {"activation_target": 0},
        {"no_such": 1},
        {"preset": "hasty"},
        {"timers": {"play": 1}},
        {"timers": []},
        {"ai_level": "god"},
        {"public": 1},
    ]
    for given in bad:
        answer = hosting.ask(host, Change(given))
        assert answer.code == "bad_settings" and answer.detail
    assert hosting.seen[host].last.room.settings == shown


def test_a_log_keeps_the_targets_of_a_size_and_one_from_before_has_those_of_its_time() -> None:
    hosting = Hosting()
    host = hosting.arrive("host")
    hosting.ask(host, Change({"seats": 6}))
    [kept] = [event.settings for event, _, _ in hosting.entries() if isinstance(event, SettingsChanged)]
    assert kept == {"seats": 6, "activation_target": 2, "kill_target": 3}
    before = hosting.room.settings
    hosting.restart()
    assert hosting.room.settings == before

    for given, kill in (({"seats": 6}, 2), ({"seats": 6, "kill_target": 4}, 4), ({"seats": 7}, 3)):
        hosting.room.apply(SettingsChanged(given))
        assert hosting.room.settings.rules.kill_target == kill


def test_the_waiting_room_warns_of_a_double_target_that_no_deal_reaches() -> None:
    hosting = Hosting()
    host = hosting.arrive("host")
    hosting.ask(host, Change({"sage_slain_ends": False, "activation_target": 3}))
    assert hosting.seen[host].last.room.warnings == ["double_target"]


def test_everybody_sees_what_was_measured_of_the_rules_until_the_game_is_on() -> None:
    hosting = Hosting()
    host, guest = hosting.arrive("host"), hosting.arrive("guest")
    for seats in (8, 5):
        hosting.ask(host, Change({"seats": seats}))
        strong, *_ = known = measured(default_settings(seats))
        shown = hosting.seen[guest].last.room.measured
        assert [(one.who, one.games) for one in shown] == [(one.who, one.games) for one in known]
        assert (shown[0].wins, shown[0].rounds) == (strong.wins, strong.rounds)
        assert hosting.seen[host].last.room.measured == shown
    hosting, host = started(5)
    assert hosting.seen[host].last.room.measured == []


def test_timers_set_by_hand_are_custom() -> None:
    hosting = Hosting()
    host = hosting.arrive("host")
    hosting.ask(host, Change({"timers": {"play": 33}}))
    shown = hosting.seen[host].last.room.settings
    assert shown.preset == "custom" and shown.timers.play == 33


def test_a_smaller_table_moves_people_and_drops_ais() -> None:
    hosting = Hosting()
    host = hosting.arrive("host")
    hosting.ask(host, Fill(Seat(2), None))
    guest = hosting.arrive("guest")
    hosting.ask(host, Fill(Seat(3), None))
    hosting.ask(guest, Join("Ann"))
    assert hosting.seen[guest].last.member.seat == 4
    hosting.ask(host, Fill(None, None))
    hosting.ask(host, Clear(Seat(8)))
    late = hosting.arrive("late")
    hosting.ask(late, Join("Bea"))
    assert hosting.seen[late].last.member.seat == 8
    assert hosting.ask(host, Change({"seats": 5})).code is None
    seats = hosting.seen[late].last.room.seats
    assert len(seats) == 5 and {seat.name for seat in seats} >= {"host", "Ann", "Bea"}


def test_the_game_starts_only_when_every_seat_is_taken() -> None:
    hosting = Hosting()
    host = hosting.arrive("host")
    answer = hosting.ask(host, Start())
    assert (answer.code, answer.detail) == ("not_ready", "7")


def test_contributions_are_mixed_in_and_published_at_the_end() -> None:
    hosting, host = started()
    commitment = hosting.seen[host].last.room.commitment
    assert hosting.seen[host].last.room.secret is None
    play_on(hosting)
    room = hosting.seen[host].last.room
    assert room.contributions == [HEX] and room.commitment == commitment and room.secret


def test_a_client_that_contributes_nothing_stops_nobody() -> None:
    hosting = Hosting()
    host = hosting.arrive("host")
    hosting.ask(host, Fill(None, None))
    hosting.ask(host, Start())
    assert hosting.seen[host].last.member.wanted == 16
    for bad in ("", "xy", "ab" * 15, "ab" * 65):
        assert hosting.ask(host, Contribute(bad)).code == "malformed"
    before = hosting.clock.now()
    hosting.clock.jump_to_next()
    assert hosting.room.stage == "game" and hosting.clock.now() - before == MIXING_SECONDS * 1000


def test_the_night_lasts_ten_seconds_whatever_the_timers() -> None:
    hosting, host = started(preset="none")
    assert hosting.ask(host, Seen()).code is None
    began = hosting.clock.now()
    while (table := hosting.seen[host].last.table) and table.phase is Phase.NIGHT:
        hosting.clock.jump_to_next()
    assert hosting.clock.now() - began == NIGHT_SECONDS * 1000


@pytest.mark.parametrize("seed", range(12))
def test_every_wait_owns_exactly_one_deadline(seed: int) -> None:
    hosting, host = started(seed, first_holder="vote", act_last_lasts="game")
    while hosting.room.stage != "over":
        wait = hosting.room.wait
        assert wait is not None and wait.until is not None and wait.until > hosting.clock.now() - 1
        assert hosting.seen[host].last.room.wait is not None
        hosting.clock.jump_to_next()
    assert hosting.room.wait is None


def test_without_time_limits_a_person_is_waited_for() -> None:
    hosting, host = started(preset="none", first_holder="vote")
    hosting.ask(host, Seen())
    while hosting.clock.jump_to_next():
        pass
    told = hosting.seen[host].last
    assert told.table and told.player
    assert told.table.awaited == [told.player.turn]


def test_nobody_moves_while_a_scroll_is_announced() -> None:
    for seed in range(30):
        hosting, host = started(seed)
        while not (told := hosting.seen[host].last).table or not told.table.announcing:
            assert hosting.clock.jump_to_next()
        if told.player and told.player.turn in told.table.awaited:
            assert hosting.ask(host, Move(Skip())).code == "announcing"
            return
    raise AssertionError("no game in which the host acts first after an announcement")


def test_a_late_or_double_alarm_changes_nothing() -> None:
    hosting, _ = started()
    assert hosting.room.wait
    old = hosting.room.wait.number
    hosting.put(TimeIsUp())
    hosting.clock.pass_time(1)
    hosting.put(TimeIsUp())
    assert hosting.room.wait.number == old
    while hosting.room.wait.number == old:
        hosting.clock.jump_to_next()
    kept = len(hosting.log)
    hosting.put(TimeIsUp())
    assert len(hosting.log) == kept


def test_the_newest_tab_wins_and_the_other_is_told_plainly() -> None:
    hosting, first = started()
    second = hosting.arrive("host")
    assert [bye.why for bye in hosting.seen[first].byes] == ["replaced"]
    assert hosting.seen[second].last.player
    told = len(hosting.seen[first].tells)
    hosting.ask(second, Seen())
    assert len(hosting.seen[first].tells) == told


def test_resuming_by_number_tells_the_rest_and_reloading_tells_all() -> None:
    hosting, host = started(3)
    for _ in range(12):
        hosting.clock.jump_to_next()
    heard = hosting.seen[host].last.heard
    everything = [news for tell in hosting.seen[host].tells if tell.game for news in tell.news]
    assert len(everything) == heard
    hosting.vanish(host)
    for _ in range(4):
        hosting.clock.jump_to_next()
    resumed = hosting.seen[hosting.arrive("host", 1, heard)].last
    assert not resumed.fresh and resumed.heard == heard + len(resumed.news)
    reloaded = hosting.seen[hosting.arrive("host")].last
    assert reloaded.fresh and list(reloaded.news) == everything + list(resumed.news)
    assert (reloaded.table, reloaded.player) == (resumed.table, resumed.player)
    confused = hosting.seen[hosting.arrive("host", 1, 10_000)].last
    assert confused.fresh and len(confused.news) == confused.heard
    other_game = hosting.seen[hosting.arrive("host", 7, 3)].last
    assert other_game.fresh and len(other_game.news) == other_game.heard


@pytest.mark.parametrize("seed", range(15))
def test_killed_at_any_moment_the_game_goes_on_from_the_state_last_seen(seed: int) -> None:
    rng = random.Random(seed)
    hosting, host = started(seed, first_holder=rng.choice(["vote", "random"]))
    hosting.ask(host, Seen())
    while hosting.room.stage != "over":
        if rng.random() < 0.2:
            before = hosting.seen[host].last if host in hosting.seen and hosting.seen[host].tells else None
            wait = hosting.room.wait
            away = rng.randrange(100_000)
            late = hosting.clock.now() - hosting.log[-1][2]
            hosting.clock._now += away
            hosting.restart()
            host = hosting.arrive("host")
            after = hosting.seen[host].last
            if before:
                assert (after.table, after.player, after.heard) == (before.table, before.player, before.heard)
            assert wait and hosting.room.wait and wait.until is not None
            assert (hosting.room.wait.number, hosting.room.wait.until) == (wait.number, wait.until + away + late)
        assert hosting.clock.jump_to_next(), "after a restart nothing goes on"
    assert hosting.records[1]


def test_the_host_who_leaves_hands_on_and_nobody_else_moves() -> None:
    hosting = Hosting()
    host = hosting.arrive("host")
    ann, bea = hosting.arrive("ann"), hosting.arrive("bea")
    hosting.ask(ann, Join("Ann"))
    hosting.ask(bea, Join("Bea"))
    hosting.ask(host, Leave())
    assert [bye.why for bye in hosting.seen[host].byes] == ["left"]
    told = hosting.seen[ann].last
    assert told.member.host and told.member.seat == 2
    assert hosting.seen[bea].last.member.seat == 3


def test_a_host_who_stays_away_is_replaced_after_a_grace() -> None:
    hosting = Hosting()
    host, ann = hosting.arrive("host"), hosting.arrive("ann")
    hosting.ask(ann, Join("Ann"))
    hosting.vanish(host)
    hosting.put(TimeIsUp())
    hosting.clock.pass_time(HOST_GRACE - 1)
    hosting.put(TimeIsUp())
    assert not hosting.seen[ann].last.member.host
    hosting.clock.pass_time(1)
    hosting.put(TimeIsUp())
    assert hosting.seen[ann].last.member.host
    assert hosting.seen[hosting.arrive("host")].last.member.seat == 1


def test_a_room_without_people_closes_after_a_grace() -> None:
    hosting = Hosting()
    host = hosting.arrive("host")
    hosting.put(TimeIsUp())
    hosting.vanish(host)
    hosting.put(TimeIsUp())
    hosting.clock.pass_time(EMPTY_GRACE - 1)
    hosting.put(TimeIsUp())
    assert not hosting.closed
    hosting.clock.pass_time(1)
    hosting.put(TimeIsUp())
    assert hosting.closed


def test_the_removed_stay_out_under_any_name() -> None:
    hosting = Hosting()
    host, ann = hosting.arrive("host"), hosting.arrive("ann")
    hosting.ask(ann, Join("Ann"))
    member = hosting.seen[ann].last.member.member
    assert member is not None
    assert hosting.ask(host, Kick(member)).code is None
    assert [bye.why for bye in hosting.seen[ann].byes] == ["kicked"]
    back = hosting.arrive("ann")
    assert [bye.why for bye in hosting.seen[back].byes] == ["kicked"]
    assert not hosting.seen[back].tells


def test_leaving_in_a_game_keeps_the_seat() -> None:
    hosting, host = started()
    hosting.ask(host, Leave())
    play_on(hosting)
    back = hosting.seen[hosting.arrive("host")].last
    assert back.member.seat == 1 and back.member.host


def test_rematch_keeps_seats_settings_and_code_and_draws_a_new_secret() -> None:
    hosting, host = started(5, activation_target=1)
    old = hosting.seen[host].last.room
    play_on(hosting)
    assert hosting.ask(host, Rematch()).code is None
    new = hosting.seen[host].last
    assert new.room.stage == "waiting" and new.table is None and new.player is None
    assert (new.room.code, new.room.settings) == (old.code, old.settings)
    assert [seat.name for seat in new.room.seats] == [seat.name for seat in old.seats]
    assert new.room.commitment != old.commitment and new.room.secret is None
    hosting.ask(host, Start())
    hosting.ask(host, Contribute(HEX))
    play_on(hosting)
    assert hosting.room.games == 2 and sorted(hosting.records) == [1, 2]


def test_an_ai_that_answers_nonsense_is_given_a_legal_move(monkeypatch: pytest.MonkeyPatch) -> None:
    class Fool:
        def choose(self, view: object, recollection: object, rng: random.Random) -> PassCrystal:
            return PassCrystal(Turn(99))

    monkeypatch.setattr("cinderforge.testkit.hosting.bot_of", lambda *_: Fool())
    hosting, _ = started(2, first_holder="vote")
    play_on(hosting)


def test_names_are_distinct_and_bad_ones_refused() -> None:
    hosting = Hosting()
    ann, bea = hosting.arrive("ann"), hosting.arrive("bea")
    assert hosting.ask(ann, Join("HOST")).code is None
    assert hosting.seen[ann].last.member.name == "HOST 2"
    assert hosting.ask(bea, Join("\u200b \u202e")).code == "bad_name"
    assert hosting.ask(bea, Join("Bea")).code is None
    assert hosting.ask(bea, Rename("ｈｏｓｔ")).code is None
    assert hosting.seen[bea].last.member.name == "ｈｏｓｔ 3"


def test_a_wait_says_nothing_that_the_public_table_does_not() -> None:
    """Two rooms alike but for the deal: the same kinds of waits last equally long."""
    lengths: dict[str, set[int | None]] = {}
    for seed in range(8):
        hosting, _ = started(seed)
        while hosting.room.stage != "over":
            wait = hosting.room.wait
            assert wait
            lengths.setdefault(wait.kind, set()).add(wait.whole)
            hosting.clock.jump_to_next()
    assert lengths["night"] == {10_000} and lengths["play"] == {30_000} and len(lengths["pass"]) <= 2
    assert lengths["announcement"] <= {5_000, 8_000}


def test_a_vanished_socket_never_costs_a_seat() -> None:
    hosting, host = started()
    session = SessionKey("host")
    for _ in range(30):
        hosting.vanish(host)
        hosting.clock.jump_to_next()
        host = hosting.arrive(session)
        assert hosting.seen[host].last.member.seat == 1
