"""Who watches sees a game as much later as the host has set, whatever happens meanwhile (R2.6, R11). No sockets."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from cinderforge.redaction.claims import RoleClaim
from cinderforge.redaction.shapes import News
from cinderforge.room import telling
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
    MakeClaim,
    Mark,
    Move,
    Mute,
    Note,
    Phrase,
    Poll,
    Ready,
    Rematch,
    Rename,
    Say,
    Seen,
    ShareNotes,
    Start,
    Watch,
    Wish,
)
from cinderforge.room.outputs import Tell
from cinderforge.room.presence import SHOWN_AFTER
from cinderforge.room.shapes import MemberId
from cinderforge.room.waits import COUNTDOWN_SECONDS
from cinderforge.rules.commands import CastVote, PassCrystal, Skip
from cinderforge.rules.words import Faction, Role, Turn
from cinderforge.talk.scroll_words import SCROLLS
from tests.room.company import AT_LEISURE, Company, at

DELAY = 30
MS = DELAY * 1000


def table_of(tell: Tell) -> bytes:
    return msgspec.json.encode(tell.table)


class Stop:
    is_called = False

    def __call__(self) -> None:
        self.is_called = True


class Film:
    """What two sockets are shown of one game, with times: a player's live pictures and a late watcher's."""

    def __init__(self, company: Company) -> None:
        self.company = company
        self.live: list[tuple[int, Tell]] = []
        self.late: list[tuple[int, Tell]] = []
        self.counts = {"host": 0, "w1": 0}
        self.sockets = dict(company.sockets)
        self.game = company.room.games
        self.look()

    def look(self) -> None:
        for name, film in (("host", self.live), ("w1", self.late)):
            if self.sockets[name] != self.company.sockets[name]:
                self.sockets[name], self.counts[name] = self.company.sockets[name], 0
            tells = self.company.hosting.seen[self.company.sockets[name]].tells
            film += [(self.company.now, tell) for tell in tells[self.counts[name] :] if tell.game == self.game]
            self.counts[name] = len(tells)

    def roll(self, ms: int | None = None) -> None:
        """To the game's end, or for so long."""
        clock = self.company.hosting.clock
        clock.call_at(clock.now() + (ms or 10**9), stop := Stop())
        while not stop.is_called and (ms is not None or self.company.stage() != "over"):
            assert clock.jump_to_next()
            self.look()

    def live_at(self, time: int) -> Tell:
        """The newest live picture of the game not after this time; the first there is, if none is so old."""
        of_game = [(when, tell) for when, tell in self.live if tell.table is not None]
        old = [tell for when, tell in of_game if when <= time]
        return old[-1] if old else of_game[0][1]

    def check(self) -> None:
        """Every picture that the watcher had was the live one of `DELAY` before, and no live one has been left out."""
        shown = [(when, tell) for when, tell in self.late if tell.table is not None]
        assert shown
        for when, tell in shown:
            live = self.live_at(when - MS)
            assert table_of(tell) == table_of(live), f"at {when}"
            assert tell.player is None
            assert tell.room.stage == live.room.stage
            if tell.room.wait and live.room.wait and live.room.wait.until:
                assert tell.room.wait.until == live.room.wait.until + MS


def begun(watchers: int = 1, **settings: Any) -> Company:
    company = Company(2, 5, watchers, spectator_delay=DELAY, **settings)
    company.start()
    return company


@pytest.mark.parametrize("seed", range(4))
def test_a_watcher_sees_each_picture_so_much_later_with_its_deadline_moved_along(seed: int) -> None:
    company = Company(2, 5, 1, seed, spectator_delay=DELAY)
    company.start()
    film = Film(company)
    film.roll()
    assert company.sees("w1").room.stage == "game", "the watcher has yet to see how it ends"
    film.roll(MS + 500)
    film.check()
    assert company.sees("w1").room.stage == "over"
    assert table_of(company.sees("w1")) == table_of(company.sees("host"))
    lasting = {when: table_of(tell) for when, tell in film.live if tell.table is not None}
    assert {table_of(tell) for _, tell in film.late if tell.table is not None} >= set(lasting.values())


def test_live_and_late_news_are_the_same_in_the_end() -> None:
    company = begun()
    film = Film(company)
    film.roll()
    film.roll(MS + 500)
    assert news_of([tell for _, tell in film.late]) == news_of([tell for _, tell in film.live])


def news_of(tells: list[Tell]) -> list[News]:
    news: list[News] = []
    for tell in tells:
        if tell.game:
            news = [*tell.news] if tell.fresh else [*news, *tell.news]
            assert len(news) == tell.heard
    return news


def test_without_a_delay_a_watcher_is_told_as_the_players_are() -> None:
    company = Company(2, 5, 1)
    company.start()
    film = Film(company)
    film.roll()
    assert [when for when, tell in film.late if tell.table] == [when for when, tell in film.live if tell.table]


@pytest.mark.parametrize("how", ["reload", "restart", "comes late", "stranger"])
def test_no_way_in_shows_anything_earlier(how: str) -> None:
    company = begun(watchers=2)
    film = Film(company)
    for step in range(40):
        if company.stage() == "over":
            break
        film.roll(3_000)
        if step % 4 == 3:
            if how == "reload":
                company.comes("w1")
            elif how == "restart":
                company.restart()
            elif how == "comes late":
                company.does("w1", Leave())
                company.comes("w1")
                assert company.sees("w1").table is None
                while company.code("w1", Watch("w1")) == "quiet":
                    film.roll(1_000)  # nobody comes in at night
            else:
                company.comes("stranger")
                told, live = company.sees("stranger"), film.live_at(company.now - MS)
                assert told.room.seats == live.room.seats and told.table is None and not told.news
            film.look()
    if how == "restart":
        for when, tell in film.late:
            if tell.table is not None:
                shown_live = [at for at, live in film.live if live.table and table_of(live) == table_of(tell)]
                assert min(shown_live) <= max(when - MS, film.live[0][0]), "never newer than the delay allows"
    else:
        film.check()


def test_a_restart_in_the_middle_of_a_round_does_not_uncover_it() -> None:
    company = begun()
    company.to("pass")
    company.pass_time(MS)
    while table_of(company.sees("host")) == table_of(company.sees("w1")):
        company.hosting.clock.jump_to_next()
    late = company.sees("w1")
    company.restart()
    assert table_of(company.sees("w1")) == table_of(late) != table_of(company.sees("host"))
    assert company.sees("w1").heard == late.heard


def test_in_the_next_game_nothing_of_it_is_seen_early_and_nothing_of_the_last_one_late() -> None:
    company = begun()
    company.to("over")
    company.pass_time(MS)
    company.does("host", Rematch())
    assert company.sees("w1").room.stage == "waiting" and company.sees("w1").table is None
    company.does("host", Fill(None, None))
    company.start()
    film = Film(company)
    first = company.sees("w1")
    assert first.game == 2 and first.table and first.table.phase == "reveal" and first.room.game == 2
    assert len(first.news) <= 2 and not first.table.past
    for name in company.people:
        company.does(name, Seen())
    film.look()
    film.roll(MS - 1_000)
    assert company.sees("host").heard > company.sees("w1").heard
    film.roll()
    film.roll(MS + 500)
    film.check()


def test_a_rematch_before_the_end_is_seen_brings_the_watcher_along() -> None:
    company = begun()
    company.to("over")
    company.does("host", Rematch())
    assert company.sees("w1").room.stage == "waiting" and company.sees("w1").table is None
    company.start()
    assert company.sees("w1").game == 2 and company.sees("w1").table is not None


def test_a_pause_is_seen_late_too() -> None:
    company = Company(3, 5, 1, spectator_delay=DELAY, **AT_LEISURE).to("pass")
    company.pass_time(MS)
    company.goes("p3")
    company.pass_time(SHOWN_AFTER)
    if company.wait.kind not in ("pass", "scroll", "play", "vote"):
        company.until(lambda: company.wait.kind == "play")
    for name in ("host", "p2"):
        company.does(name, Poll("pause", None, True))
    paused_at = company.now
    assert company.wait_of("host").paused and not company.wait_of("w1").paused
    company.pass_time(paused_at + MS - 1 - company.now)
    assert not company.wait_of("w1").paused
    company.pass_time(1)
    assert company.wait_of("w1").paused and company.wait_of("w1").left == company.wait_of("host").left


# -- talk --------------------------------------------------------------------------------------------------------------


def texts(company: Company, name: str) -> list[str]:
    return [line.text for line in company.lines(name) if line.kind == "said"]


def test_the_tables_talk_is_late_and_the_watchers_own_is_not() -> None:
    company = begun(watchers=2)
    company.to("vote")
    company.does("host", Say("good morning", False))
    company.does("w1", Say("what are they up to?", False))
    assert texts(company, "p2") == ["good morning"] and texts(company, "w2") == ["what are they up to?"]
    company.pass_time(MS - 1)
    assert texts(company, "w2") == ["what are they up to?"]
    company.pass_time(1)
    assert sorted(texts(company, "w2")) == ["good morning", "what are they up to?"]
    assert texts(company, "p2") == texts(company, "host") == ["good morning"]


def test_that_a_game_is_over_is_not_told_by_where_ones_words_go() -> None:
    """Before the last cards are seen, one still talks with those who watch, and is heard by them alone."""
    company = begun(watchers=2)
    film = Film(company)
    film.roll()
    assert company.sees("w1").room.stage == "game" and company.sees("w1").member.talk == "watchers"
    company.does("w1", Say("who will win?", False))
    assert texts(company, "w2") == ["who will win?"] and texts(company, "host") == []
    company.pass_time(MS)
    assert company.sees("w1").room.stage == "over" and company.sees("w1").member.talk == "table"
    company.does("w1", Say("well played", False))
    assert texts(company, "host") == ["well played"]


def test_that_a_game_is_over_is_told_by_no_answer() -> None:
    """Whatever one asks for before the last cards are seen is done or refused as it was while they were played."""
    company = begun().to("pass")
    wishes: list[Wish] = [
        *(Rename("another"), Join("a chair"), Watch("again"), Ready(ready=True), Hold(), Seen()),
        *(Rematch(), Start(), Change({}), Fill(None, None), Clear(None), ShareNotes(on=True)),
        *(Mark(Turn(1), Faction.DRAGON, None, None), Note(None, "a note"), Note(None, ""), Contribute("ab" * 16)),
        *(
            MakeClaim(RoleClaim(1, Role.SAGE)),
            Poll("pause", None, on=True),
            Kick(MemberId(1)),
            LetBack(MemberId(1)),
        ),
        *(HandOn(MemberId(1)), Move(CastVote(None)), Move(Skip()), Move(PassCrystal(Turn(1))), Phrase("why")),
    ]
    before = [company.code("w1", wish) for wish in wishes]
    Film(company).roll()
    assert company.stage() == "over" and company.sees("w1").room.stage == "game"
    assert [company.code("w1", wish) for wish in wishes] == before
    company.pass_time(MS)
    assert [company.code("w1", wish) for wish in wishes] != before


def test_no_name_tells_a_stranger_which_scrolls_have_fired() -> None:
    company = begun()
    film = Film(company)
    while not (company.room.running and company.room.running.shown.fired):
        film.roll(1_000)
    assert company.stage() == "game"
    company.comes("stranger")
    for words in SCROLLS:
        assert company.code("stranger", Watch(words.names[0])) == "bad_name", words.names


def test_what_was_said_before_the_game_is_told_once() -> None:
    company = Company(2, 5, 1, spectator_delay=DELAY)
    company.does("host", Fill(None, None))
    for text in ("one", "two", "three"):
        company.pass_time(10_000)
        company.does("host", Say(text, False))
    company.does("host", Start())
    for name in ("host", "p2"):
        company.does(name, Contribute("ab" * 16))
    company.pass_time(COUNTDOWN_SECONDS * 1000)
    company.pass_time(2 * MS)
    assert texts(company, "w1") == ["one", "two", "three"]
    assert len({line.n for line in company.lines("w1")}) == len(company.lines("w1"))


def test_that_somebody_left_or_is_played_for_is_told_late_too() -> None:
    company = begun()
    company.to("pass")
    company.does("p2", Leave())
    codes = [line.text for line in company.lines("w1") if line.kind == "notice"]
    assert "left" not in codes and "stand_in" not in codes
    assert not any(seat.left or seat.stand_in for seat in company.sees("w1").room.seats)
    company.pass_time(MS)
    codes = [line.text for line in company.lines("w1") if line.kind == "notice"]
    assert "left" in codes and "stand_in" in codes
    assert any(seat.left and seat.stand_in for seat in company.sees("w1").room.seats)


def test_what_is_ones_own_is_never_late() -> None:
    """A button that does not change for half a minute is pressed again; a new host does not know that they are."""
    company = begun(watchers=2)
    company.to("pass")
    company.does("w1", Mute(company.id_of("w2"), on=True))
    assert company.sees("w1").member.muted == [company.id_of("w2")]
    company.does("host", HandOn(company.id_of("w1")))
    assert company.sees("w1").member.host
    told = company.told("w2")
    company.does("w1", Mute(company.id_of("w2"), on=False))
    assert company.told("w2") == told, "and whom it does not concern hears nothing"


def test_the_delay_cannot_be_changed_while_a_game_is_on() -> None:
    company = begun()
    assert company.code("host", Change({"spectator_delay": 0})) == "already_started"
    for wrong in (-1, 601, True, "30", 1.5, None):
        assert Company(1).code("host", Change({"spectator_delay": wrong})) == "bad_settings"


def test_who_toggles_something_all_the_time_fills_no_memory_and_shows_nothing_earlier(monkeypatch: Any) -> None:
    monkeypatch.setattr(telling, "MOST_MOMENTS", 20)
    company = Company(3, 5, 1, spectator_delay=DELAY, preset="none").to("pass")
    film = Film(company)
    company.hosting.vanish(company.sockets["p3"])
    film.roll(SHOWN_AFTER)
    for number in range(400):
        company.does("p2", Poll("replace", company.room.seats.members[company.id_of("p3")].seat, number % 2 == 0))
        film.look()
        assert len(company.room.telling.moments) <= 20
        film.roll(100)
    film.roll(2 * MS)
    company.restart()
    assert len(company.room.telling.moments) <= 20
    toggled = [(when, tell.room.polls) for when, tell in film.late if when > film.live[0][0] + MS]
    assert len(toggled) > 10
    for when, polls in toggled:
        assert polls in [live.room.polls for at, live in film.live if at <= when - MS]


@pytest.mark.parametrize("moment", ["mixing", "reveal", "vote", "play", "over"])
def test_players_are_told_at_the_same_moments_with_and_without_late_watchers(moment: str) -> None:
    """What a watcher is owed later must not be seen in what a player is sent."""
    alone, watched = at(moment, 2), at(moment, 2, watchers=1, spectator_delay=DELAY)
    assert alone.now == watched.now
    for company in (alone, watched):
        company.pass_time(45_000)
    assert alone.told("host") - watched.told("host") in (0, -1)  # that somebody came to watch
