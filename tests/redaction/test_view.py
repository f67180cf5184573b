"""What an eye sees, built from nothing."""

from __future__ import annotations

import random

import msgspec
import pytest

from cinderforge.redaction.eye import HINDSIGHT, SPECTATOR, PlayerEye
from cinderforge.redaction.shapes import PlayOffer, RowOffer
from cinderforge.redaction.view import table_view, view
from cinderforge.rules.commands import CastVote, ChooseCard, PassCrystal, PlayCard, Skip
from cinderforge.rules.luck import StillLuck
from cinderforge.rules.words import Card, Phase, Role, Turn
from cinderforge.testkit.twins import any_world
from tests.redaction.deals import ROLES, after, by_day, dealt


def test_the_table_is_the_same_for_every_eye() -> None:
    world = any_world(random.Random(1))
    for state in world.states():
        tables = [view(state, eye).table for eye in (SPECTATOR, PlayerEye(Turn(1)), PlayerEye(Turn(2)))]
        assert all(msgspec.json.encode(table) == msgspec.json.encode(table_view(state)) for table in tables)


def test_a_spectator_has_no_private_half() -> None:
    assert view(dealt(), SPECTATOR).you is None


def test_a_player_sees_their_own_role_hand_and_scroll() -> None:
    state = dealt()
    for turn, role in enumerate(ROLES, 1):
        you = view(state, PlayerEye(Turn(turn))).you
        assert you and you.turn == turn and you.role is role
        assert you.hand == list(state.vault.hands[turn - 1]) and you.scroll == state.vault.scrolls[turn - 1]


def test_hindsight_refuses_a_game_that_is_not_over() -> None:
    world = any_world(random.Random(2))
    *going, over = world.states()
    for state in going:
        with pytest.raises(AssertionError):
            view(state, HINDSIGHT)
    assert view(over, HINDSIGHT).table.reveal


def test_everything_is_revealed_after_the_end_and_not_before() -> None:
    world = any_world(random.Random(3))
    *going, over = world.states()
    assert all(table_view(state).reveal is None and table_view(state).result is None for state in going)
    table = table_view(over)
    assert table.result and table.reveal
    assert table.reveal.roles == list(world.deal.roles) and table.reveal.scrolls == list(world.deal.scrolls)


def test_ballots_are_sealed_until_the_last_is_in() -> None:
    state = by_day(first_holder="vote")
    for turn in range(1, 5):
        state = after(state, [(turn, CastVote(Turn(2)))])
        table = table_view(state)
        assert table.ballots is None and table.voted == list(range(1, turn + 1))
        one, other = view(state, PlayerEye(Turn(1))).you, view(state, PlayerEye(Turn(5))).you
        assert one and one.ballot == 2 and other and other.ballot is None
    assert table_view(after(state, [(5, CastVote(None))])).ballots == [2, 2, 2, 2, None]


def test_a_card_played_is_seen_by_its_player_alone() -> None:
    state = after(by_day({2: "act_last", 1: "gift_blank", 5: "insight"}), [(1, PassCrystal(Turn(5)))])
    state = after(state, [(5, PlayCard(Card.SHADOW_DRAGON))])
    assert "shadow_dragon" not in msgspec.json.encode(view(state, SPECTATOR)).decode()
    for turn in range(1, 6):
        you = view(state, PlayerEye(Turn(turn))).you
        assert you and you.played == (Card.SHADOW_DRAGON if turn == 5 else None)
    act = table_view(state).acts[0]
    assert (act.turn, act.act) == (5, "played")


def test_face_down_cards_are_offered_by_number_alone() -> None:
    state = after(by_day({2: "draw_next"}), [(1, PassCrystal(Turn(2)))])
    you = view(state, PlayerEye(Turn(2))).you
    assert you and you.offer == RowOffer(Turn(3), 3)


def test_who_may_play_only_the_drawn_card_is_offered_that_one() -> None:
    state = after(by_day({2: "draw_next"}), [(1, PassCrystal(Turn(2))), (2, ChooseCard(1))])
    you = view(state, PlayerEye(Turn(2))).you
    assert you and you.drawn is Card.ADVENTURER and you.offer == PlayOffer([Card.ADVENTURER], may_skip=True)
    you = view(after(state, [(2, Skip())]), PlayerEye(Turn(2))).you
    assert you and you.drawn is None and you.offer is None


def test_nothing_hidden_is_shown_to_a_spectator_while_the_game_is_on() -> None:
    """Roles, hands and unfired scrolls: at the private look none of their words is in what is sent."""
    sent = msgspec.json.encode(view(dealt(), SPECTATOR)).decode()
    hidden = {*(role.value for role in Role), *(card.value for card in Card), *dealt().vault.scrolls}
    assert not [word for word in hidden if f'"{word}"' in sent]


def test_chance_is_not_part_of_any_view() -> None:
    world = any_world(random.Random(4))
    for state in world.states():
        other = state._replace(vault=state.vault._replace(luck=StillLuck()))
        for eye in (SPECTATOR, PlayerEye(Turn(1))):
            assert view(other, eye) == view(state, eye)
    assert state.table.phase is Phase.OVER
