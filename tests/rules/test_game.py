"""deal · offers · decide · take · replay, and which code applies first (docs/formats.md, "Which code")."""

from __future__ import annotations

import random

import pytest

from cinderforge.rules.commands import (
    CastVote,
    ChooseCard,
    ChooseTargets,
    Command,
    EndAnnouncement,
    EndNight,
    EndReveal,
    PassCrystal,
    PlayCard,
    Skip,
    TimeOut,
)
from cinderforge.rules.game import decide, draw_deal, offers, replay, take, take_clock
from cinderforge.rules.luck import SeededLuck
from cinderforge.rules.rejection import Rejected
from cinderforge.rules.scrolls import CATALOG
from cinderforge.rules.settings import hand_of, roles_for, settings_from
from cinderforge.rules.state import GameState
from cinderforge.rules.words import Card, Phase, Turn
from cinderforge.testkit.drive import random_game, steps
from tests.redaction.deals import after, by_day, by_night, dealt

NOBODY = Turn(9)


def code(state: GameState, turn: int, command: Command) -> str:
    with pytest.raises(Rejected) as caught:
        take(state, Turn(turn), command)
    return caught.value.code.value


def in_play(scroll: str = "reveal_sources") -> GameState:
    """Turn 2 holds the crystal and acts; they have a sage, no more than anybody."""
    return after(by_day({2: scroll}), [(1, PassCrystal(Turn(2)))])


@pytest.mark.parametrize("seats", range(5, 11))
def test_a_deal_deals_what_the_table_says_to_everybody_once(seats: int) -> None:
    deal = draw_deal(settings_from({"seats": seats}), SeededLuck(bytes(32)))
    assert sorted(deal.roles) == sorted(roles_for(seats))
    assert sorted(deal.seats) == list(range(1, seats + 1))
    assert deal.hands == tuple(hand_of(role) for role in deal.roles)
    assert len(set(deal.scrolls)) == seats
    assert set(deal.scrolls) <= set(CATALOG)


def test_over_comes_before_everything() -> None:
    table, vault = by_day()
    over = GameState(table._replace(phase=Phase.OVER), vault)
    assert code(over, 9, PlayCard("unicorn")) == "game_over"
    with pytest.raises(Rejected, match="game_over"):
        take_clock(over, TimeOut(NOBODY))


@pytest.mark.parametrize(
    ("state", "turn", "command", "expected"),
    [
        (by_night(), 9, Skip(), "unknown_player"),
        (by_night(), 1, CastVote(Turn(1)), "wrong_phase"),
        (by_day(), 3, PassCrystal(NOBODY), "unknown_player"),
        (by_day(), 3, Skip(), "wrong_phase"),
        (by_day(), 3, PassCrystal(Turn(1)), "not_your_turn"),
        (by_day(), 1, PassCrystal(Turn(1)), "self_not_allowed"),
        (in_play(), 3, PlayCard("unicorn"), "not_your_turn"),
        (in_play(), 2, PlayCard("unicorn"), "not_in_hand"),
        (in_play(), 2, PlayCard(Card.SAGE), "not_in_hand"),
        (in_play("link_play"), 2, ChooseCard(1), "bad_choice"),
        (in_play("link_play"), 2, ChooseTargets((Turn(3), NOBODY)), "unknown_player"),
        (in_play("link_play"), 2, ChooseTargets((Turn(3), Turn(3))), "duplicate_target"),
        (in_play("link_play"), 2, ChooseTargets((Turn(3),)), "bad_choice"),
        (in_play("gift_blank"), 2, ChooseTargets((Turn(2),)), "self_not_allowed"),
        (in_play("gift_blank"), 2, ChooseTargets((Turn(2), Turn(2))), "bad_choice"),
        (in_play("draw_next"), 2, ChooseCard(0), "no_such_card"),
        (in_play("draw_next"), 2, ChooseTargets((Turn(3),)), "bad_choice"),
        (by_day(first_holder="vote"), 1, PassCrystal(Turn(2)), "wrong_phase"),
    ],
)
def test_the_first_code_that_applies_is_given(state: GameState, turn: int, command: Command, expected: str) -> None:
    assert code(state, turn, command) == expected


def test_a_cast_vote_stands() -> None:
    voted = after(by_day(first_holder="vote"), [(2, CastVote(Turn(2)))])
    assert code(voted, 2, CastVote(Turn(3))) == "not_your_turn"
    assert offers(voted, Turn(2)) is None


def test_decide_and_take_tell_the_same() -> None:
    state = in_play()
    events, taken = take(state, Turn(2), Skip())
    assert decide(state, Turn(2), Skip()) == events
    assert replay(state, events) == taken


def test_the_clock_may_end_only_what_is_there() -> None:
    with pytest.raises(Rejected, match="wrong_phase"):
        take_clock(dealt(), EndNight())
    with pytest.raises(Rejected, match="wrong_phase"):
        take_clock(by_day(), EndReveal())
    with pytest.raises(Rejected, match="wrong_phase"):
        take_clock(by_day(), EndAnnouncement())
    assert not take_clock(in_play(), EndAnnouncement())[1].table.announcing


def test_time_runs_out_only_for_who_is_awaited() -> None:
    night = by_night()
    assert take_clock(night, TimeOut(Turn(3))) == ([], night)
    with pytest.raises(Rejected, match="not_your_turn"):
        take_clock(by_day(), TimeOut(Turn(2)))
    with pytest.raises(Rejected, match="unknown_player"):
        take_clock(by_day(), TimeOut(NOBODY))


def test_a_game_of_nothing_but_time_outs_ends() -> None:
    game = random_game(settings_from({"first_holder": "vote"}), random.Random(1), timeouts=1.0)
    assert game.final.table.phase is Phase.OVER
    assert [state for _, state in steps(game)][-1] == game.final
