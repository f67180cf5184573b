"""Who is heard by whom, and when (R9.1): channels, closed talk, mutes, reports, floods. No sockets.

What may be said is tests/talk's; here it is only seen that the room asks.
"""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from cinderforge.redaction.claims import AgreeClaim, NotRoleClaim, RoleClaim, ScrollSawClaim, SuspectClaim, TrustClaim
from cinderforge.room.inputs import (
    Arrived,
    Asked,
    Change,
    Fill,
    HandOn,
    Join,
    Kick,
    Leave,
    MakeClaim,
    Mute,
    Phrase,
    Rematch,
    Rename,
    Report,
    Say,
    SessionKey,
    SocketId,
    Start,
    Watch,
)
from cinderforge.room.shapes import LineView, MemberId
from cinderforge.room.talking import BURST, MOST_REPORTS, MS_PER_LINE, REMEMBERED_LINES, SAME_AGAIN, heard_claims
from cinderforge.rules.words import Card, Role, Seat
from cinderforge.testkit.hosting import Hosting, Seen
from cinderforge.wire import codec
from tests.room.company import AT_LEISURE, MOMENTS, Company, at, claimed

CLOSED = {"reveal": "look", "night": "night"}
"""When talk is closed, and what the reason is called; restated."""
IN_GAME = MOMENTS[2:9]


def heard(company: Company, name: str) -> list[str]:
    """What people said, as this socket was told it."""
    return [line.text for line in company.lines(name) if line.kind in ("said", "phrase")]


def all_sent(company: Company, name: str) -> str:
    """All that this socket has been sent, as bytes on the wire."""
    seen = company.hosting.seen[company.sockets[name]]
    tells = [message for _, message in codec.encode_tells(seen.tells, 0)]
    return b"\n".join(tells).decode() + "\n".join(map(repr, seen.lines))


# -- where and when ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("moment", MOMENTS)
def test_talk_is_open_by_day_and_between_games_and_closed_at_the_look_and_at_night(moment: str) -> None:
    company = at(moment, 3, watchers=2)
    for name in ("host", "p2"):
        mine = company.sees(name).member
        assert (mine.talk, mine.quiet) == ((None, CLOSED[moment]) if moment in CLOSED else ("table", ""))
        for wish in (Say(f"I am {name}", False), Say(f"I am {name}!", True), Phrase("hello")):
            assert company.code(name, wish) == ("quiet" if moment in CLOSED else None)
    mine = company.sees("w1").member
    assert mine.talk == ("watchers" if moment in IN_GAME else "table") and mine.quiet == ""
    company.does("w1", Say("I only watch", False))
    table = [] if moment in CLOSED else [f"I am {n}{e}" for n in ("host", "p2") for e in ("", "!")]
    assert [text for text in heard(company, "p3") if text.startswith("I am")] == table
    assert ("I only watch" in heard(company, "p3")) == (moment not in IN_GAME)
    assert "I only watch" in heard(company, "w2") and {*table} <= {*heard(company, "w2")}


@pytest.mark.parametrize("moment", MOMENTS)
def test_who_is_no_member_neither_talks_nor_hears(moment: str) -> None:
    company = at(moment, 2)
    company.comes("stranger")
    if moment not in CLOSED:
        company.does("host", Say("among ourselves", False))
    for wish in (Say("let me in", False), Phrase("hello"), Mute(company.id_of("host"), on=True)):
        assert company.code("stranger", wish) == "not_seated"
    assert company.code("stranger", Report(company.id_of("host"), "?")) == "not_seated"
    assert company.lines("stranger") == [] and company.sees("stranger").member.quiet == "guest"


@pytest.mark.parametrize("moment", IN_GAME)
def test_what_watchers_say_is_in_nothing_that_a_player_is_sent(moment: str) -> None:
    """Not live, not after a reload or a restart, not at the end, and not as a sign that something was said."""
    company = at(moment, 3, watchers=2, **AT_LEISURE)
    told = {name: (company.told(name), len(company.lines(name))) for name in company.people}
    company.does("w1", Say("it is p2 who has it", False))
    company.does("w2", Phrase("why"))
    assert {name: (company.told(name), len(company.lines(name))) for name in company.people} == told
    assert heard(company, "w2") == ["it is p2 who has it", "why"]
    company.comes("p2")
    company.restart()
    company.to("over")
    company.comes("p3")
    for name in company.people:
        assert "who has it" not in all_sent(company, name) and "why" not in heard(company, name)
    company.comes("w1")
    assert heard(company, "w1") == ["it is p2 who has it", "why"]


@pytest.mark.parametrize("hidden", ["a watcher talks", "somebody is reported", "somebody is muted", "both"])
@pytest.mark.parametrize("how", ["stays", "reloads", "reconnects", "restarts"])
def test_what_one_may_not_read_shows_in_no_number_of_what_one_may(hidden: str, how: str) -> None:
    """Two tables that differ only in it send this player the same lines, to the byte."""
    sent = []
    for is_there in (False, True):
        company = at("pass", 4, watchers=2, **AT_LEISURE)
        company.does("host", Say("good morning", False))
        company.pass_time(5_000)
        if is_there and hidden in ("a watcher talks", "both"):
            company.does("w1", Say("it is p2", False))
        if is_there and hidden in ("somebody is reported", "both"):
            company.does("p2", Report(company.id_of("p4"), "insults"))
        if is_there and hidden == "somebody is muted":
            company.does("p2", Mute(company.id_of("p4"), True))
        company.pass_time(5_000)
        known = company.hosting.seen[company.sockets["p4"]].latest
        if how == "restarts":
            company.restart()
        elif how == "reloads":
            company.comes("p4")
        elif how == "reconnects":
            company.sockets["p4"] = company.hosting.arrive("p4", 0, 0, known)
        company.does("host", Say("again", False))
        company.pass_time(5_000)
        company.does("p3", Phrase("why"))
        seen = company.hosting.seen[company.sockets["p4"]]
        sent.append((msgspec.json.encode(seen.lines), seen.latest))
    assert sent[0] == sent[1]


def test_however_much_is_said_aside_the_tables_talk_is_read_again() -> None:
    company = at("pass", 4, watchers=2, **AT_LEISURE)
    for name in ("host", "p2", "p3"):
        company.does(name, Say(f"{name} was here", False))
    before = len(company.room.conversation.lines)
    for number in range(REMEMBERED_LINES + 50):
        company.pass_time(MS_PER_LINE)
        company.does(f"w{number % 2 + 1}", Say(f"line {number}", False))
    assert company.stage() == "game" and len(company.room.conversation.lines) == before
    company.restart()
    assert heard(company, "p4") == [f"{name} was here" for name in ("host", "p2", "p3")]
    numbers = [line.n for line in company.lines("w1")]
    assert numbers == sorted(set(numbers)) and len(numbers) == before + REMEMBERED_LINES


def test_no_number_that_one_claims_to_have_heard_finds_out_when_the_last_line_came() -> None:
    answers = []
    for is_there in (False, True):
        company = at("pass", 4, watchers=1, **AT_LEISURE)
        company.pass_time(5_000)
        if is_there:
            company.does("w1", Say("it is p2", False))
        company.pass_time(5_000)
        opened, answer = company.room.conversation.opened_at, []
        for claim in range(0, company.now - opened + 3_000, 250):
            socket = company.hosting.arrive("p4", 0, 0, claim)
            answer.append(msgspec.json.encode(company.hosting.seen[socket].lines))
        answers.append(answer)
    assert answers[0] == answers[1]


def test_talk_is_no_picture_and_a_picture_is_no_talk() -> None:
    company = Company(3, 5, watchers=1, **AT_LEISURE).to("vote")
    told = company.told("p2")
    company.does("host", Say("good morning", False))
    assert company.told("p2") == told and heard(company, "p2") == ["good morning"]


def test_ais_say_nothing() -> None:
    """What an AI thinks goes nowhere but into its move: in fifty games there is no line but notices."""
    for seed in range(50):
        hosting = Hosting(seed)
        host = hosting.arrive("host")
        for wish in (Change({"seats": 5}), Watch("host"), Fill(None, "plain"), Start()):
            assert hosting.ask(host, wish).code is None
        while hosting.room.stage != "over":
            assert hosting.clock.jump_to_next()
        assert {line.kind for line in hosting.room.conversation.lines} == {"notice"}
        assert not {"plain", "sage", "dragon"} & {
            word for line in hosting.seen[host].lines for word in line.text.split()
        }


# -- the guard is asked (R9.2) -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("guard", "code"), [("block", "names_scroll"), ("warn", "may_name_scroll"), ("off", None)])
def test_by_day_the_guard_is_asked_as_the_room_is_set(guard: str, code: str | None) -> None:
    company = Company(3, 5, watchers=1, chat_guard=guard, **AT_LEISURE)
    company.does("p2", Say("窺視手牌", False))
    company.to("vote")
    assert company.code("p2", Say("我有窺視手牌", False)) == code
    assert company.code("p2", Say("我有窺視手牌!", True)) == ("names_scroll" if guard == "block" else None)
    company.does("w1", Say("窺視手牌", False))
    company.to("over")
    company.does("p2", Say("窺視手牌", False))


# -- mutes -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("other", ["p2", "w1"])
def test_a_muted_voice_is_not_heard_live_or_later_by_line_or_phrase_or_in_the_next_game(other: str) -> None:
    company = Company(3, 5, watchers=2, **AT_LEISURE)
    listener, neighbour = ("p3", "host") if other == "p2" else ("w2", "w2")
    told = company.told(other)
    company.does(listener, Mute(company.id_of(other), on=True))
    assert company.told(other) == told, "the muted do not notice"
    assert company.sees(listener).member.muted == [company.id_of(other)]
    company.does(other, Say("one", False))
    company.does(other, Phrase("hello"))
    company.to("vote")
    company.does(other, Say("two", False))
    assert heard(company, listener) == []
    company.comes(listener)
    assert heard(company, listener) == []
    company.restart()
    company.to("over")
    company.does("host", Rematch())
    company.to("vote")
    company.does(other, Phrase("why"))
    assert heard(company, listener) == [] and (neighbour == listener or "one" in heard(company, neighbour))
    company.does(other, Leave())
    codes = [line.text for line in company.lines(listener) if line.name == other]
    assert codes and {line.kind for line in company.lines(listener) if line.name == other} == {"notice"}, (
        "what happens is told"
    )


def test_a_voice_that_is_wanted_again_is_heard_with_what_it_had_said() -> None:
    company = Company(3, 5)
    company.does("p3", Mute(company.id_of("p2"), on=True))
    company.does("p3", Mute(company.id_of("p2"), on=True))
    company.does("p2", Say("one", False))
    company.does("p3", Mute(company.id_of("p2"), on=False))
    assert heard(company, "p3") == ["one"], "as after a reload"
    company.does("p2", Say("two", False))
    assert heard(company, "p3") == ["one", "two"]
    for wrong in (company.id_of("p3"), MemberId(99)):
        assert company.code("p3", Mute(wrong, on=True)) == "unknown_member"


def test_what_a_muted_voice_had_said_comes_once_whatever_happened_meanwhile() -> None:
    company = Company(3, 5, watchers=1)
    company.does("p2", Say("before", False))
    company.does("p3", Mute(company.id_of("p2"), on=True))
    company.does("p2", Say("one", False))
    company.sockets["p3"] = company.hosting.arrive("p3", lines=company.room.conversation.latest)
    company.does("w1", Say("hello", False))
    company.does("p2", Say("two", False))
    company.does("p3", Mute(company.id_of("p2"), on=False))
    assert heard(company, "p3") == ["hello", "one", "two"], "since the network was back"


@pytest.mark.parametrize("stage", ["waiting", "pass"])
def test_leaving_and_coming_again_shakes_off_no_mute_and_no_limit(stage: str) -> None:
    company = Company(3, 5, watchers=2, **AT_LEISURE).to(stage)
    company.does("w2", Mute(company.id_of("w1"), on=True))
    for number in range(BURST):
        company.does("w1", Say(f"line {number}", False))
    company.does("w1", Leave())
    company.comes("w1")
    company.does("w1", Watch("somebody else"))
    assert company.code("w1", Say("one more", False)) == "too_fast"
    company.pass_time(60_000)
    company.does("w1", Say("one more", False))
    assert heard(company, "w2") == []


# -- reports -----------------------------------------------------------------------------------------------------------


def reports(company: Company, name: str) -> list[LineView]:
    return [line for line in company.lines(name) if line.kind == "report"]


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("host", ["plays", "watches"])
def test_a_report_reaches_the_host_and_nobody_else(moment: str, host: str) -> None:
    """A host who plays reads it when the game is over: until then it would be talk, for one player alone (R9)."""
    company = at(moment, 4, watchers=2, **AT_LEISURE)
    reader = "host" if host == "plays" else "w1"
    if host == "watches":
        company.does("host", HandOn(company.id_of("w1")))
    told = {name: (company.told(name), len(company.lines(name))) for name in company.sockets}
    company.does("p2", Report(company.id_of("p3"), "insults"))
    readers = {"p2"} if host == "plays" and company.stage() == "game" else {"p2", reader}
    for name in company.sockets:
        assert company.told(name) == told[name][0]
        assert len(company.lines(name)) == told[name][1] + (name in readers), "not a sign of it either"
    for again in (False, True):
        for name in company.sockets:
            expected = [("p2", "insults", "p3")] if name in readers else []
            assert [(line.name, line.text, line.about) for line in reports(company, name)] == expected, (name, again)
            assert ("insults" in all_sent(company, name)) == bool(expected)
        company.restart()
    if company.stage() == "game":
        company.to("over")
    assert {name for name in company.sockets if reports(company, name)} == (
        readers if company.stage() != "over" else {"p2", reader}
    )


@pytest.mark.parametrize("meanwhile", ["stays", "reloads", "reconnects", "reconnects at the end", "is another"])
def test_a_report_that_waits_for_the_end_is_read_then_whatever_happened_meanwhile(meanwhile: str) -> None:
    company = at("vote", 4, **AT_LEISURE)
    company.does("host", Say("good morning", False))
    company.does("p2", Report(company.id_of("p3"), "insults"))
    company.does("p2", Say("again", False))
    heard = company.lines("host")[-1].n
    match meanwhile:
        case "reloads":
            company.comes("host")
        case "reconnects":
            company.sockets["host"] = company.hosting.arrive("host", 0, 0, heard)
        case "is another":
            company.does("host", HandOn(company.id_of("p4")))
            company.comes("p4")
        case _:
            pass
    reader = "p4" if meanwhile == "is another" else "host"
    assert reports(company, reader) == []
    company.to("over")
    if meanwhile == "reconnects at the end":
        company.sockets["host"] = company.hosting.arrive("host", 0, 0, heard)
    assert [line.text for line in reports(company, reader)] == ["insults"]
    assert [line.text for line in reports(company, "p2")] == ["insults"]


def test_a_report_is_never_read_by_whom_it_is_about() -> None:
    company = Company(4, 5, watchers=1)
    company.does("p2", Report(company.id_of("p3"), "about p3"))
    company.does("p2", Report(company.id_of("host"), "about the host"))
    company.does("p4", Report(company.id_of("w1"), "about a watcher"))
    assert [line.text for line in reports(company, "host")] == ["about p3", "about a watcher"]
    company.does("host", HandOn(company.id_of("p3")))
    company.comes("p3")
    assert [line.text for line in reports(company, "p3")] == ["about the host", "about a watcher"]
    company.comes("host")
    assert reports(company, "host") == [], "and who is host no longer reads none"


def test_reports_are_few_and_about_somebody_who_is_there() -> None:
    company = Company(3, 5)
    for wrong in (company.id_of("p2"), MemberId(99), MemberId(-1)):
        assert company.code("p2", Report(wrong, "?")) == "unknown_member"
    assert company.code("p2", Report(company.id_of("p3"), "x" * 300)) == "too_long"
    for number in range(MOST_REPORTS):
        company.does("p2", Report(company.id_of("p3"), f"{number}"))
    assert company.code("p2", Report(company.id_of("p3"), "more")) == "too_fast"
    company.does("p2", Leave())
    company.comes("p2")
    company.does("p2", Join("p2"))
    assert company.code("p2", Report(company.id_of("p3"), "more")) == "too_fast"
    company.does("p3", Report(company.id_of("p2"), "so many"))


# -- floods ------------------------------------------------------------------------------------------------------------


def test_a_flood_is_refused_with_how_long_to_wait() -> None:
    company = Company(2, 5)
    for number in range(BURST):
        company.does("p2", Phrase("hello") if number % 2 and number < 5 else Say(f"line {number}", False))
    answer = company.hosting.ask(company.sockets["p2"], Say("too much", False))
    assert (answer.code, answer.detail) == ("too_fast", str(BURST * MS_PER_LINE // 1000))
    company.does("host", Say("others may", False))
    company.pass_time(int(answer.detail) * 1000 - 1001)
    answer = company.hosting.ask(company.sockets["p2"], Phrase("why"))
    assert (answer.code, answer.detail) == ("too_fast", "2")
    company.pass_time(1001)
    company.does("p2", Phrase("why"))
    assert company.code("host", Say("others still may", False)) is None


def test_the_same_again_and_again_is_refused() -> None:
    company = Company(2, 5)
    for _ in range(SAME_AGAIN):
        company.does("p2", Say("buy now", False))
        company.pass_time(10_000)
    assert company.code("p2", Say(" buy   now\u200b", False)) == "said_before"
    company.does("p2", Say("all right", False))
    company.pass_time(90_000)
    company.does("p2", Say("buy now", False))


def test_limits_hold_over_a_restart() -> None:
    company = Company(2, 5)
    for number in range(BURST):
        company.does("p2", Say(f"line {number}", False))
    company.restart()
    assert company.code("p2", Say("one more", False)) == "too_fast"


def test_what_is_nothing_or_too_much_is_refused() -> None:
    company = Company(2, 5)
    for text, code in (
        ("", "empty"),
        (" \u202e\u200b\x00", "empty"),
        ("x" * 201, "too_long"),
        ("👨‍👩‍👧‍👦" * 201, "too_long"),
    ):
        assert company.code("p2", Say(text, False)) == code
    company.does("p2", Say("👨‍👩‍👧‍👦" * 200, False))
    assert company.code("p2", Phrase("hello there")) == "unknown_phrase"


# -- coming back to it -------------------------------------------------------------------------------------------------


def test_lines_are_numbered_and_nothing_is_told_twice_or_missed() -> None:
    rng = Random(3)
    company = Company(3, 5, watchers=1)
    for number in range(120):
        name = rng.choice([*company.people, "w1"])
        company.does(name, Say(f"line {number}", False))
        company.pass_time(rng.randrange(4_000, 9_000))
    for name in company.sockets:
        assert heard(company, name) == [f"line {number}" for number in range(120)]
        numbers = [line.n for line in company.lines(name)]
        assert numbers == sorted(set(numbers))
    company.comes("p2")
    assert heard(company, "p2") == heard(company, "p3")


@pytest.mark.parametrize("claim", [0, 3, 10**9, -5])
def test_who_comes_back_hears_the_rest_whatever_is_claimed(claim: int) -> None:
    company = Company(2, 5)
    for number in range(5):
        company.does("host", Say(f"line {number}", False))
    latest = company.room.conversation.latest
    socket = SocketId(900)
    company.hosting.seen[socket] = Seen()
    company.hosting.put(Arrived(socket, SessionKey("p2"), 0, 0, claim))
    numbers = [line.n for line in company.hosting.seen[socket].lines]
    assert numbers == [n for n in range(1, latest + 1) if claim not in (3,) or n > claim]


def test_a_name_is_no_way_to_talk_in_a_game() -> None:
    company = Company(2, 5, watchers=1).to("night")
    for name in ("p2", "w1"):
        assert company.code(name, Rename("I am the sage")) == "already_started"
    company.to("over")
    company.does("p2", Rename("now I may"))


def test_who_was_removed_is_silent() -> None:
    company = Company(3, 5).to("vote")
    company.does("host", Kick(company.id_of("p3")))
    count = len(company.room.conversation.lines)
    company.hosting.put(asked(company, "p3"))
    assert len(company.room.conversation.lines) == count


def asked(company: Company, name: str) -> Asked:
    return Asked(company.sockets[name], "late", Say("last words", False))


# -- claims ------------------------------------------------------------------------------------------------------------


SAGE = MakeClaim(RoleClaim(1, Role.SAGE))


@pytest.mark.parametrize("moment", MOMENTS)
def test_players_claim_by_day_while_a_game_is_on(moment: str) -> None:
    company = at(moment, 3, watchers=1)
    code = CLOSED.get(moment) and "quiet"
    if moment not in IN_GAME:
        code = "wrong_phase"
    assert company.code("host", SAGE) == code
    watcher = "wrong_phase" if moment not in IN_GAME else "not_seated"
    assert company.code("w1", SAGE) == watcher
    for name in ("host", "p2", "w1"):
        assert len(claimed(company, name)) == (code is None)


def test_a_claim_says_whose_it_is_and_of_which_round_and_may_be_a_lie() -> None:
    company = at("play", 3)
    turn, player = {}, company.sees("host").player
    for name in ("host", "p2"):
        mine = company.sees(name).player
        assert mine
        turn[name] = mine.turn
    assert player
    lie = next(role for role in Role if role != player.role)
    company.does("host", MakeClaim(RoleClaim(turn["host"], lie)))
    (line,) = claimed(company, "p2")
    assert line.claim and (line.claim.turn, line.claim.round) == (turn["host"], 1) and line.text == ""
    company.does("p2", MakeClaim(AgreeClaim(line.n)))
    company.does("p2", MakeClaim(SuspectClaim(turn["host"], [line.n])))
    assert company.code("host", MakeClaim(AgreeClaim(line.n))) == "bad_claim", "one's own is nothing to agree with"
    assert company.code("p2", MakeClaim(ScrollSawClaim(turn["host"], Card.SAGE))) in ("unfired_scroll", "bad_claim")


def test_claims_have_the_limits_and_the_mutes_of_talk() -> None:
    company = at("vote", 3, **AT_LEISURE)
    company.does("p2", Mute(company.id_of("host"), True))
    for _ in range(SAME_AGAIN):
        company.does("host", SAGE)
    assert company.code("host", SAGE) == "said_before"
    for number in range(BURST - SAME_AGAIN):
        company.does("host", MakeClaim(RoleClaim(1, [*Role][number])) if number else Say("and now", False))
    assert company.code("host", MakeClaim(TrustClaim(company.sees("p2").player.turn))) == "too_fast"  # type: ignore[union-attr]
    assert claimed(company, "p2") == [] and len(claimed(company, "p3")) == BURST - 1
    company.comes("p2")
    assert claimed(company, "p2") == []


def test_the_claims_of_a_game_are_read_again_at_its_end_however_much_was_said_since() -> None:
    company = at("vote", 2, **AT_LEISURE)
    company.does("host", SAGE)
    for number in range(REMEMBERED_LINES + 10):
        company.pass_time(3_000)
        company.does("p2", Say(f"line {number}", False))
    for restart in (False, True):
        company.restart() if restart else company.comes("p2")
        assert len(claimed(company, "p2")) == 1 and len(company.lines("p2")) == REMEMBERED_LINES + 1
    company.to("over")
    company.comes("p2")
    assert len(claimed(company, "p2")) == 1
    company.does("host", Rematch())
    company.start()
    company.comes("p2")
    assert claimed(company, "p2") == [], "and are forgotten with the next game"


def test_ais_hear_what_was_claimed_and_a_stand_in_what_its_person_was_told() -> None:
    company = at("vote", 3, **AT_LEISURE)
    company.does("p2", Mute(company.id_of("host"), True))
    company.does("host", SAGE)
    company.does("p3", MakeClaim(NotRoleClaim(1, Role.SAGE)))
    company.does("p3", Say("nothing of this is a claim", False))
    room, running = company.room, company.room.running
    assert running
    for restart in (False, True):
        if restart:
            company.restart()
            room = company.room
        heard = {seat: heard_claims(room, seat) for seat in running.deal.seats}
        chairs = {name: company.sees(name).member.seat for name in company.people}
        for seat, claims in heard.items():
            said = [claim.claim.said for claim in claims]
            expected = [SAGE.claim, NotRoleClaim(1, Role.SAGE)]
            assert said == (expected[1:] if seat == chairs["p2"] else expected)
        assert [claim.line for claim in heard[Seat(5)]] == [line.n for line in claimed(company, "p3")]
