"""Marks and texts that a person keeps for themselves: kept, their own, and nobody else's. No sockets."""

from __future__ import annotations

import msgspec
import pytest

from cinderforge.room.inputs import Change, Leave, Mark, Note, Rematch, Say, ShareNotes, Wish
from cinderforge.room.notebook import BURST, MOST_ON_A_PLAYER, MOST_ON_THE_GAME, MS_PER_NOTE
from cinderforge.room.shapes import NotesView, SuspicionView
from cinderforge.rules.words import Faction, Role, Turn
from cinderforge.wire import codec
from tests.room.company import AT_LEISURE, MOMENTS, Company, at

IN_GAME = MOMENTS[2:]
"""While there is a game to note something on."""
SECRET = "the quiet one has it"


def notes(company: Company, name: str) -> NotesView:
    found = company.sees(name).member.notes
    assert found is not None
    return found


def turn_of(company: Company, name: str) -> Turn:
    player = company.sees(name).player
    assert player
    return player.turn


def another(company: Company, name: str) -> Turn:
    return Turn(turn_of(company, name) % len(company.room.running.deal.seats) + 1) if company.room.running else Turn(0)


def sent(company: Company, name: str) -> bytes:
    """All that this socket has been sent, as bytes on the wire."""
    seen = company.hosting.seen[company.sockets[name]]
    tells = [message for _, message in codec.encode_tells(seen.tells, 0)]
    return b"\n".join([*tells, *map(msgspec.json.encode, seen.lines)])


# -- kept --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("moment", IN_GAME)
def test_whoever_plays_or_watches_may_write_at_any_moment_of_a_game(moment: str) -> None:
    company = at(moment, 3, watchers=1)
    for name in ("host", "p2"):
        about = another(company, name)
        company.does(name, Note(about, SECRET))
        company.does(name, Note(None, "a\n\n b"))
        code = company.code(name, Mark(about, None, Role.RED_DRAGON, -2))
        assert code == ("notes_stand" if moment == "over" else None)
        mark = SuspicionView(about, Faction.DRAGON, Role.RED_DRAGON, -2, SECRET)
        if moment == "over":
            mark = SuspicionView(about, None, None, None, SECRET)
        assert notes(company, name) == NotesView([mark], "a\n\nb", moment == "over", False)
    company.does("w1", Mark(Turn(1), Faction.HUMAN, None, None))
    assert notes(company, "w1") == NotesView([SuspicionView(Turn(1), Faction.HUMAN, None, None, "")], "", False, False)


@pytest.mark.parametrize("moment", ["waiting", "mixing"])
def test_before_the_deal_there_is_nobody_to_note_anything_on(moment: str) -> None:
    company = at(moment, 2)
    for wish in (Mark(Turn(1), None, None, 1), Note(None, "x"), ShareNotes(True)):
        assert company.code("host", wish) == "not_started"
    assert company.sees("host").member.notes is None


def test_notes_survive_a_reload_a_restart_and_another_device_of_the_same_session() -> None:
    company = at("play", 3)
    about = another(company, "p2")
    company.does("p2", Mark(about, Faction.DRAGON, None, -1))
    company.does("p2", Note(about, "why?"))
    before = notes(company, "p2")
    company.comes("p2")
    assert notes(company, "p2") == before
    company.restart()
    assert notes(company, "p2") == before
    company.does("p2", Leave())
    company.comes("p2")
    assert notes(company, "p2") == before, "who leaves a game and comes back"


def test_an_empty_mark_or_text_takes_it_away_and_the_same_again_is_not_kept_twice() -> None:
    company = at("play", 2)
    about = another(company, "host")
    company.does("host", Mark(about, None, None, 2))
    kept = len(company.hosting.log)
    company.does("host", Mark(about, None, None, 2))
    assert len(company.hosting.log) == kept
    company.does("host", Note(about, "x"))
    company.does("host", Mark(about, None, None, None))
    company.does("host", Note(about, " \n"))
    assert notes(company, "host").marks == []


def test_a_new_game_begins_with_an_empty_page() -> None:
    company = at("over", 2)
    company.does("host", Note(None, "last time"))
    company.does("host", ShareNotes(True))
    assert len(company.sees("p2").room.notes) == 1
    company.does("host", Rematch())
    assert company.sees("host").member.notes is None and company.sees("p2").room.notes == []
    company.start()
    assert notes(company, "host") == NotesView([], "", False, False)


# -- limits ------------------------------------------------------------------------------------------------------------


def test_texts_are_measured_in_graphemes_and_made_harmless() -> None:
    company = at("play", 2)
    about = another(company, "host")
    company.does("host", Note(about, "龍" * MOST_ON_A_PLAYER))
    assert company.code("host", Note(about, "龍" * (MOST_ON_A_PLAYER + 1))) == "too_long"
    company.does("host", Note(None, "ab\n" * (MOST_ON_THE_GAME // 3)))
    assert company.code("host", Note(None, "x" * (MOST_ON_THE_GAME + 1))) == "too_long"
    assert company.code("host", Note(about, "👨‍👩‍👧‍👦" * (MOST_ON_A_PLAYER // 2))) == "too_long", "many in few"
    company.does("host", Note(about, "a\u202eb\x00 \u200b c"))
    assert notes(company, "host").marks[0].text == "ab c"


def test_a_flood_of_notes_is_refused_with_how_long_to_wait() -> None:
    company = at("play", 2, **AT_LEISURE)
    for number in range(BURST):
        company.does("host", Note(None, f"{number}"))
    about = another(company, "host")
    assert company.code("host", Note(None, "more")) == "too_fast"
    assert company.code("host", Mark(about, None, None, 1)) == "too_fast"
    company.restart()
    assert company.code("host", Note(None, "more")) == "too_fast", "a restart forgets no limit"
    assert company.code("p2", Note(None, "mine")) is None, "nobody is kept waiting by another's flood"
    company.pass_time(BURST * MS_PER_NOTE)
    company.does("host", Note(None, "more"))


# -- one's own ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("moment", IN_GAME)
def test_what_one_notes_is_in_nothing_that_anybody_else_is_sent(moment: str) -> None:
    """Not live, not after a reload or a restart, not at the end, not in a record, and not as a sign of its being."""
    company = at(moment, 3, watchers=1, **AT_LEISURE)
    others = ("host", "p3", "w1")
    told = {name: (company.told(name), sent(company, name)) for name in others}
    for wish in (
        Note(None, SECRET),
        Note(another(company, "p2"), SECRET),
        Mark(another(company, "p2"), None, None, 1),
    ):
        company.code("p2", wish)
    assert {name: (company.told(name), sent(company, name)) for name in others} == told
    assert SECRET.encode() in sent(company, "p2")
    company.comes(*others)
    company.restart()
    company.to("over")
    company.comes(*others)
    for name in others:
        assert SECRET.encode() not in sent(company, name)
        assert not notes(company, name).marks
    assert all(SECRET not in record for record in company.hosting.records.values())


def test_two_games_that_differ_in_anothers_notes_are_the_same_to_the_byte_and_to_the_millisecond() -> None:
    """The twins of redaction hold the rules' secrets; here are the room's."""

    def play(wishes: list[Wish]) -> Company:
        company = at("vote", 3, watchers=1)
        for wish in wishes:
            company.does("p2", wish)
        company.does("p3", Say("good morning", False))
        company.to("over")
        for wish in wishes[:1]:
            company.does("p2", wish)
        return company

    one = play([])
    about = another(one, "p2")
    other = play([Note(None, SECRET), Mark(about, None, Role.SAGE, 2), Note(about, "sure?")])
    for name in ("host", "p3", "w1"):
        assert sent(one, name) == sent(other, name)
    assert one.now == other.now
    assert notes(other, "p2").marks


# -- the end -----------------------------------------------------------------------------------------------------------


def test_after_the_end_guesses_stand_and_are_opened_only_by_ones_own_wish() -> None:
    company = at("play", 3, watchers=1)
    about = another(company, "p2")
    company.does("p2", Mark(about, None, Role.SAGE, 1))
    assert company.code("p2", ShareNotes(True)) == "wrong_phase"
    company.to("over")
    assert notes(company, "p2").final and not notes(company, "p2").shared
    assert company.sees("host").room.notes == []
    company.does("p2", Note(None, SECRET))
    company.does("p2", ShareNotes(True))
    for name in ("host", "p2", "p3", "w1"):
        (shown,) = company.sees(name).room.notes
        assert (shown.turn, shown.text, shown.marks[0].role) == (turn_of(company, "p2"), SECRET, Role.SAGE)
    company.does("p2", Note(None, "second thoughts"))
    assert company.sees("host").room.notes[0].text == SECRET, "what is written later is one's own again"
    company.restart()
    assert company.sees("host").room.notes[0].text == SECRET and notes(company, "p2").shared
    company.does("p2", ShareNotes(False))
    assert company.sees("host").room.notes == [] and not notes(company, "p2").shared
    assert company.code("w1", ShareNotes(True)) == "not_seated"


def test_who_watches_late_sees_what_is_opened_late() -> None:
    company = at("play", 2, watchers=1, spectator_delay=20)
    company.to("over")
    assert not notes(company, "w1").final, "and does not learn here that the game is over"
    company.does("p2", ShareNotes(True))
    assert company.sees("w1").room.notes == []
    company.pass_time(21_000)
    assert len(company.sees("w1").room.notes) == 1


def test_who_is_no_member_notes_nothing_and_where_nobody_may_watch_no_watcher_does() -> None:
    company = Company(2, 5, watchers=1)
    company.does("host", Change({"spectators": False}))
    company.to("play")
    company.comes("stranger")
    for name, code in (("stranger", "not_seated"), ("w1", "no_spectators")):
        for wish in (Mark(Turn(1), None, None, 1), Note(None, "x")):
            assert company.code(name, wish) == code
        assert company.sees(name).member.notes is None
