"""Two games that differ only in what a seat may not know look the same from that seat, byte by byte (R11)."""

from __future__ import annotations

import inspect
import random
import sys
import typing
from collections import Counter

import pytest

from cinderforge.bots import pace
from cinderforge.redaction.eye import SPECTATOR, Eye, PlayerEye
from cinderforge.redaction.news import tell
from cinderforge.redaction.shapes import TableView
from cinderforge.room import waits
from cinderforge.rules import events as e
from cinderforge.rules.scrolls import CATALOG
from cinderforge.rules.state import GameState
from cinderforge.rules.words import Phase, ScrollId, Turn
from cinderforge.testkit.leaks import (
    eyes_of,
    fades,
    given_leak,
    leak_between,
    moments,
    shown,
    told,
    unfading_news,
)
from cinderforge.testkit.twins import World, any_settings, any_world, replayed, twin

PRIVATE = [ScrollId(scroll) for scroll in ("draw_next", "draw_previous", "peek_hand", "insight")]
"""Scrolls that let somebody know what others do not."""


def a_world(seed: int, seats: int | None = None) -> World:
    """A whole game; in three of four at least three of the scrolls that let somebody know something are dealt."""
    rng = random.Random(seed)
    settings = any_settings(rng, seats)
    return any_world(rng, settings, rng.sample(PRIVATE, 3) if seed % 4 else ())


def going(world: World) -> World:
    """The game but for its last move: while it is not over."""
    return world.until(len(world.moves) - 1)


@pytest.mark.parametrize("seats", range(5, 11))
def test_twin_worlds_are_sent_as_the_same_bytes(seats: int) -> None:
    """News, their number, views, answers and the course of the game, for every eye, at moments drawn anew."""
    rates = Rates()
    for seed in range(50):
        rng = random.Random(seed * 11 + seats)
        world = a_world(seed * 10 + seats, seats)
        whole = going(world)
        for eye in eyes_of(world):
            for moves in moments(whole, rng):
                now = whole.until(moves)
                other = twin(now, eye, rng)
                rates.count(now, eye, other)
                if other:
                    assert leak_between(eye, now, other, rng) is None
    sys.stdout.write(f"{seats} seats: {rates}\n")
    rates.check()


class Rates:
    """How often a twin was found, and what it differs in: a twin that is the same world proves nothing."""

    def __init__(self) -> None:
        self.asked = 0
        self.differ: Counter[str] = Counter()
        self.could: Counter[str] = Counter()

    def count(self, world: World, eye: Eye, other: World | None) -> None:
        self.asked += 1
        if other is None:
            return
        self._note("found", True, True)
        self._note("roles", True, world.deal.roles != other.deal.roles)
        self._note("scrolls", not _all_told_scrolls(world, eye), world.deal.scrolls != other.deal.scrolls)
        for kind, name in (
            (e.CardPlayed, "plays"),
            (e.BallotCast, "ballots"),
            (e.CardsFanned, "rows"),
            (e.CardDrawn, "drawn"),
            (e.CardPeeked, "peeked"),
            (e.RolesLearned, "insights"),
        ):
            one = [event for event in world.events if isinstance(event, kind)]
            two = [event for event in other.events if isinstance(event, kind)]
            could = bool(one or two) and not (name == "ballots" and _is_vote_closed(world))
            self._note(name, could, one != two)

    def _note(self, name: str, could: bool, differs: bool) -> None:
        self.could[name] += could
        self.differ[name] += differs

    def rate(self, name: str) -> float:
        return self.differ[name] / max(1, self.could[name])

    def check(self) -> None:
        assert self.could["found"] > 0.95 * self.asked
        least = {"roles": 0.7, "scrolls": 0.7, "plays": 0.6, "rows": 0.5, "drawn": 0.25, "peeked": 0.25}
        least |= {"ballots": 0.7, "insights": 0.5}
        for name, rate in least.items():
            assert self.differ[name] and self.rate(name) >= rate, f"{name}: {self}"

    def __str__(self) -> str:
        parts = (f"{name} {self.differ[name]}/{self.could[name]}" for name in self.could)
        return f"{self.asked} twins asked for; differing in " + ", ".join(parts)


def _is_vote_closed(world: World) -> bool:
    return any(isinstance(event, e.VoteClosed) for event in world.events)


def _all_told_scrolls(world: World, eye: Eye) -> bool:
    """Whether one hidden scroll or none is left to deal anew; with ten at the table and one hidden it is known."""
    fired = {event.turn for event in world.events if isinstance(event, e.ScrollShown)}
    known = fired | ({eye.turn} if isinstance(eye, PlayerEye) else set())
    return len(CATALOG) - len(known) <= 1 or len(known) == world.settings.seats


def test_every_moment_of_a_game_has_its_twins() -> None:
    """Each prefix of a chronicle, for each eye: at the private look, in the night, in the vote and in each round."""
    phases: Counter[Phase] = Counter()
    for seed in (3, 6):
        rng = random.Random(seed)
        world = going(a_world(seed))
        for moves, state in enumerate(world.states()):
            phases[state.table.phase] += 1
            for eye in eyes_of(world):
                other = twin(world.until(moves), eye, rng)
                if other:
                    assert leak_between(eye, world.until(moves), other, rng, answers=0) is None
    assert set(phases) == set(Phase) - {Phase.OVER}


def test_twins_are_games_that_the_rules_would_have_played() -> None:
    """The rules, asked the commands of a twin with its chance, come to its very events, so twins are fair."""
    for seed in range(40):
        rng = random.Random(seed)
        world = going(a_world(seed))
        for eye in rng.sample(eyes_of(world), 3):
            other = twin(world, eye, rng)
            if other:
                assert [tuple(events) for events, _ in replayed(other)] == [move.events for move in other.moves]


def test_every_scroll_is_among_the_games_looked_at() -> None:
    fired = Counter(
        event.scroll for seed in range(40) for event in a_world(seed).events if isinstance(event, e.ScrollShown)
    )
    assert set(fired) == set(CATALOG)


def test_a_reload_brings_the_same_news_and_nothing_that_has_faded() -> None:
    """News told anew is what was told as it happened, and never depends on the present."""
    for seed in range(20):
        world = a_world(seed)
        for eye in eyes_of(world):
            live: list[bytes] = []
            for at, move in enumerate(world.moves, 1):
                live += told(move.events, eye)
                anew = told(world.until(at).events, eye)
                assert anew == live


@pytest.mark.parametrize("aid", [False, True])
def test_what_fades_is_in_no_view_once_it_is_over(aid: bool) -> None:
    """Night (R4.2), peek (R6.9) and insight (R6.10) go; the memory aid keeps them, for that player alone."""
    seen: Counter[str] = Counter()
    for seed in range(300):
        world = a_world(seed)
        if world.settings.memory_aid is not aid:
            continue
        whole = going(world)
        seen.update(type(event).__name__ for event in world.events)
        assert unfading_news(whole) is None
        for turn in range(1, world.settings.seats + 1):
            assert fades(whole, Turn(turn)) is None
    assert seen["CardPeeked"] and seen["RolesLearned"] and seen["CardDrawn"]


def test_an_insight_is_silent() -> None:
    """The number of news must not tell that it happened (R6.10)."""
    learnt = [event for seed in range(60) for event in a_world(seed).events if isinstance(event, e.RolesLearned)]
    assert learnt
    for event in learnt:
        assert all(tell(event, eye) is None for eye in (SPECTATOR, PlayerEye(event.turn)))


def test_waits_and_pace_are_given_the_public_table_alone() -> None:
    """What a phase lasts and how fast an AI is cannot follow from what they are not given (R11)."""
    assert given_leak(waits) is None
    assert given_leak(pace) is None


def test_a_hidden_state_is_nowhere_in_what_is_shown() -> None:
    """No field of the public table, however deep, has a type that holds the hidden half."""
    hints = typing.get_type_hints(TableView)
    assert GameState not in hints.values()
    assert not inspect.signature(TableView).parameters.keys() & {"vault", "luck", "seed", "state"}


def test_the_seed_is_in_nothing_that_is_sent() -> None:
    for seed in range(10):
        world = a_world(seed)
        secret = getattr(world.luck, "seed")  # noqa: B009 - a Luck need not have one
        for state in going(world).states():
            for eye in eyes_of(world):
                sent = shown(state, eye)
                assert secret not in sent and secret.hex().encode() not in sent
