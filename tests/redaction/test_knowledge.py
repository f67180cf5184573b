"""R11 as code: what a player knows of the others, and until when."""

from __future__ import annotations

from cinderforge.redaction.knowledge import cards_known, night_sighting, roles_known
from cinderforge.redaction.shapes import CardKnown, RoleKnown
from cinderforge.rules.commands import (
    ChooseCard,
    ChooseTargets,
    Command,
    EndAnnouncement,
    PassCrystal,
    PlayCard,
    Skip,
)
from cinderforge.rules.game import take_clock
from cinderforge.rules.state import GameState
from cinderforge.rules.words import Card, Phase, Role, Turn
from tests.redaction.deals import NIGHT, SHADOW, after, by_day, by_night, dealt

ALL = tuple(Turn(turn) for turn in range(1, 6))


def knowers(state: GameState) -> set[int]:
    return {turn for turn in ALL if cards_known(state, turn)}


def round_of_skips(order: str) -> list[tuple[int, Command]]:
    return [(int(turn), Skip()) for turn in order]


# -- the night (R4) ----------------------------------------------------------------------------------------------------


def test_the_nights_set_see_one_another_and_nobody_else_sees_anything() -> None:
    state = by_night()
    for turn in ALL:
        others = [t for t in NIGHT if t != turn] if turn in NIGHT else None
        assert night_sighting(state, turn) == others


def test_nobody_sees_the_night_before_it_falls_or_after_it() -> None:
    for state in (dealt(), by_day(), by_day(first_holder="vote")):
        assert all(night_sighting(state, turn) is None for turn in ALL)


def test_the_memory_aid_keeps_the_night_for_its_set_alone() -> None:
    assert all(night_sighting(dealt(memory_aid=True), turn) is None for turn in ALL)
    state = by_day(memory_aid=True)
    assert {turn for turn in ALL if night_sighting(state, turn)} == set(NIGHT)


# -- insight (R6.10) ---------------------------------------------------------------------------------------------------


def test_the_shadow_dragon_learns_sage_and_mystic_until_the_announcement_ends() -> None:
    state = after(by_day({5: "insight", 3: "gift_blank"}), [(1, PassCrystal(SHADOW))])
    assert roles_known(state, SHADOW) == [RoleKnown(Turn(1), Role.SAGE), RoleKnown(Turn(2), Role.MYSTIC)]
    assert all(not roles_known(state, turn) for turn in ALL if turn != SHADOW)
    assert roles_known(take_clock(state, EndAnnouncement())[1], SHADOW) == []
    assert roles_known(after(state, [(5, Skip())]), SHADOW) == []


def test_the_memory_aid_keeps_an_insight_for_the_shadow_dragon_alone() -> None:
    state = after(by_day({5: "insight", 3: "gift_blank"}, memory_aid=True), [(1, PassCrystal(SHADOW)), (5, Skip())])
    assert [known.turn for known in roles_known(state, SHADOW)] == [1, 2]
    assert all(not roles_known(state, turn) for turn in ALL if turn != SHADOW)


def test_an_insight_tells_others_nothing() -> None:
    state = after(by_day({2: "insight", 3: "gift_blank"}), [(1, PassCrystal(Turn(2)))])
    assert all(not roles_known(state, turn) for turn in ALL)


# -- peek (R6.9) -------------------------------------------------------------------------------------------------------


def peeked(**settings: object) -> GameState:
    """Turn 2 has looked at turn 1's first card."""
    moves: list[tuple[int, Command]] = [(1, PassCrystal(Turn(2))), (2, ChooseTargets((Turn(1),))), (2, ChooseCard(1))]
    return after(by_day({2: "peek_hand"}, **settings), moves)


def test_a_peek_is_its_players_alone_until_the_next_move() -> None:
    state = peeked()
    assert cards_known(state, Turn(2)) == [CardKnown(Turn(1), Card.SAGE)]
    assert knowers(state) == {2}
    assert knowers(after(state, [(2, Skip())])) == set()
    assert knowers(take_clock(state, EndAnnouncement())[1]) == set()


def test_the_memory_aid_keeps_a_peek_for_its_player_alone() -> None:
    state = after(peeked(memory_aid=True), [(2, Skip())])
    assert knowers(state) == {2}


# -- drawn cards (R6.3) ------------------------------------------------------------------------------------------------


def drew(**settings: object) -> GameState:
    """Turn 2 has drawn turn 3's adventurer card."""
    moves: list[tuple[int, Command]] = [(1, PassCrystal(Turn(2))), (2, ChooseCard(1))]
    return after(by_day({2: "draw_next"}, **settings), moves)


def test_a_drawn_card_is_known_to_the_two_players() -> None:
    state = drew()
    for turn in (2, 3):
        assert cards_known(state, Turn(turn)) == [CardKnown(Turn(2), Card.ADVENTURER)]
    assert knowers(state) == {2, 3}


def test_a_drawn_card_is_no_longer_known_once_it_is_played() -> None:
    assert knowers(after(drew(), [(2, PlayCard(Card.ADVENTURER))])) == set()


def test_who_gave_a_drawn_card_does_not_notice_by_the_view_whether_it_is_played_later() -> None:
    """Face down, it could be any; only what is shown at the resolution may change what they are shown."""
    kept = after(drew(), [*round_of_skips("23451"), (2, PassCrystal(Turn(1)))])
    assert kept.table.order == (2, 3, 4, 5, 1)
    drawn, blank = (after(kept, [(2, PlayCard(card))]) for card in (Card.ADVENTURER, Card.BLANK))
    assert cards_known(drawn, Turn(3)) == cards_known(blank, Turn(3)) == [CardKnown(Turn(2), Card.ADVENTURER)]
    assert cards_known(drawn, Turn(2)) == []
    shown, hidden = (after(state, round_of_skips("3451")) for state in (drawn, blank))
    assert cards_known(shown, Turn(3)) == []
    assert cards_known(hidden, Turn(3)) == [CardKnown(Turn(2), Card.ADVENTURER)]


# -- the end (R7.5) ----------------------------------------------------------------------------------------------------


def test_after_the_end_all_know_all_roles() -> None:
    state = by_day()
    over = state._replace(table=state.table._replace(phase=Phase.OVER))
    for turn in ALL:
        assert [known.turn for known in roles_known(over, turn)] == [t for t in ALL if t != turn]
