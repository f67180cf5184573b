"""Which claims fit a table, and that one's own unfired scroll is not spoken of (R9.2); restated from whole games."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import get_args

import pytest

from cinderforge.redaction import claims as c
from cinderforge.redaction.claims import Claim
from cinderforge.redaction.shapes import TableView
from cinderforge.redaction.view import table_view
from cinderforge.rules import events as e
from cinderforge.rules.scrolls import CATALOG
from cinderforge.rules.settings import MAX_SEATS, MIN_SEATS, default_settings, roles_for
from cinderforge.rules.words import NIGHT_ROLES, Card, Role, Turn
from cinderforge.talk.claims import problem_with
from cinderforge.talk.guard import find
from cinderforge.testkit.drive import random_game, steps

LINES = {4, 9}


@dataclass(slots=True)
class Story:
    """What has publicly happened in a game up to a moment, written down event by event."""

    table: TableView
    round: int = 0
    played: set[tuple[Turn, int]] = field(default_factory=set)
    skipped: set[Turn] = field(default_factory=set)
    fired: set[Turn] = field(default_factory=set)
    looked_at: set[tuple[Turn, Turn]] = field(default_factory=set)

    def hear(self, event: e.Event | None) -> None:
        match event:
            case e.RoundBegan(number):
                self.round = number
            case e.CardPlayed(turn):
                self.played.add((turn, self.round))
            case e.Skipped(turn):
                self.skipped.add(turn)
            case e.ScrollShown(turn):
                self.fired.add(turn)
            case e.CardDrawn(turn, of) | e.CardPeeked(turn, of):
                self.looked_at.add((turn, of))
            case _:
                pass

    def problem(self, claim: Claim, speaker: int) -> str:
        seen = {of for turn, of in self.looked_at if turn == speaker}
        return problem_with(claim, Turn(speaker), self.table, LINES, seen)

    @property
    def seats(self) -> range:
        return range(1, len(self.table.seats) + 1)


def stories(seats: int, seed: int = 1) -> Iterator[Story]:
    """A game, moment by moment."""
    game = random_game(default_settings(seats), Random(seed))
    story: Story | None = None
    for event, state in steps(game):
        story = story or Story(table_view(state))
        story.table = table_view(state, story.table)
        story.hear(event)
        yield story


@cache
def night_of(seats: int) -> int:
    return sum(role in NIGHT_ROLES for role in roles_for(seats))


TABLES = pytest.mark.parametrize("seats", range(MIN_SEATS, MAX_SEATS + 1))


@TABLES
def test_whose_card_and_whose_skip_is_claimed_has_played_and_skipped(seats: int) -> None:
    """A lie may be told about which card, not about whether there was one: everybody saw."""
    for story in stories(seats):
        for turn in story.seats:
            for number in range(1, story.round + 2):
                fits = (turn, number) in story.played
                assert (story.problem(c.PlayedClaim(turn, number, Card.SAGE), 1) == "") == fits
            assert (story.problem(c.PassedClaim("saving"), turn) == "") == (turn in story.skipped)


@TABLES
def test_nobody_speaks_of_what_an_unfired_scroll_would_show(seats: int) -> None:
    met = set()
    for seed in range(10):
        for story in stories(seats, seed):
            for speaker in story.seats:
                for turn in story.seats:
                    problem = story.problem(c.ScrollSawClaim(turn, Card.BLANK), speaker)
                    if speaker not in story.fired:
                        assert problem == "unfired_scroll"
                    else:
                        assert problem == ("" if (speaker, turn) in story.looked_at else "bad_claim")
                    met.add(problem)
    assert met == {"", "bad_claim", "unfired_scroll"}


@TABLES
def test_players_are_of_this_table_and_others_are_not_oneself(seats: int) -> None:
    story = next(stories(seats))
    for turn in range(1, 11):
        at_table, other = turn in story.seats, turn in story.seats and turn != 2
        of_all: list[Claim] = [c.RoleClaim(turn, Role.SAGE), c.NotRoleClaim(turn, Role.SAGE)]
        for claim in of_all:
            assert (story.problem(claim, 2) == "") == at_table
        asked: list[Claim] = [
            c.SuspectClaim(turn),
            c.TrustClaim(turn),
            c.AskToClaim(turn, "play"),
            c.AskClaim(turn, "role"),
        ]
        for claim in (*asked, c.IntendClaim("crystal", to=turn)):
            assert (story.problem(claim, 2) == "") == other
        assert story.problem(c.IntendClaim("crystal", to=turn, card=Card.SAGE), 2) == "bad_claim"
    for claim in (c.IntendClaim("play"), c.IntendClaim("pass", Card.SAGE), c.IntendClaim("crystal")):
        assert story.problem(claim, 2) == "bad_claim"
    assert story.problem(c.IntendClaim("pass"), 2) == "" == story.problem(c.IntendClaim("play", Card.BLANK), 2)


@TABLES
def test_the_nights_set_is_as_large_as_it_was(seats: int) -> None:
    """Four see each other from seven seats on (R3.2, R4.1), three at a smaller table."""
    story = next(stories(seats))
    for others in ([2, 3], [2, 3, 4], [1, 2, 3], [2, 2, 3], [2, 2], [2, 9, 10]):
        fits = len(set(others)) == night_of(seats) - 1 == len(others) and 1 not in others and max(others) <= seats
        assert (story.problem(c.FourClaim(others), 1) == "") == fits, others


def test_what_is_agreed_with_or_given_as_a_reason_is_a_claim_of_somebody_elses() -> None:
    story = next(stories(5))
    for line in range(1, 12):
        for claim in (c.AgreeClaim(line), c.DenyClaim(line), c.SuspectClaim(2, [line]), c.TrustClaim(2, [line])):
            assert (story.problem(claim, 1) == "") == (line in LINES)
    assert story.problem(c.SuspectClaim(2, [4, 9]), 1) == ""
    assert story.problem(c.SuspectClaim(2, [4, 4]), 1) == "bad_claim"


def test_no_claim_has_a_place_for_a_scroll() -> None:
    """R9.2: what cannot be said needs no guard."""
    for kind in get_args(Claim):
        assert not any("scroll" in name for name in kind.__struct_fields__)


@pytest.mark.parametrize("language", ["zh-TW", "en"])
def test_no_claim_reads_as_a_scrolls_name_or_effect(language: str) -> None:
    """But the one that may be made only after the scroll has fired."""
    path = Path(__file__).resolve().parents[2] / "content" / "notes" / "claims" / f"{language}.toml"
    texts = tomllib.loads(path.read_text("utf-8"))
    named = {key: text for key, text in texts.items() if find(text, [], set(CATALOG)) is not None}
    assert named.keys() <= {"scroll_saw", "kind_scroll_saw"}, named
