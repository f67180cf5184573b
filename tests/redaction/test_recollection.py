"""What an AI in a seat remembers: all that a person there was shown, and nothing else, faded or not."""

from __future__ import annotations

from msgspec import Struct, inspect

from cinderforge.redaction.recollection import CardSeen, Recollection, recollection
from cinderforge.redaction.shapes import RoleKnown
from cinderforge.rules.commands import ChooseCard, ChooseTargets, PassCrystal, PlayCard, Skip
from cinderforge.rules.words import Card, Role, Turn
from cinderforge.wire import messages
from tests.redaction.deals import NIGHT, SHADOW, after, by_day, by_night, dealt

ALL = tuple(Turn(turn) for turn in range(1, 6))
NOTHING = Recollection(None, [], [])


def test_nobody_remembers_the_night_before_it_has_fallen() -> None:
    assert all(recollection(dealt(), turn) == NOTHING for turn in ALL)


def test_the_nights_set_remember_one_another_by_day() -> None:
    for state in (by_night(), by_day()):
        for turn in ALL:
            others = [t for t in NIGHT if t != turn] if turn in NIGHT else None
            assert recollection(state, turn).night == others


def test_a_peek_is_remembered_by_who_looked() -> None:
    state = after(by_day({2: "peek_hand"}), [(1, PassCrystal(Turn(2))), (2, ChooseTargets((Turn(1),)))])
    state = after(state, [(2, ChooseCard(1)), (2, Skip())])
    assert recollection(state, Turn(2)).cards == [CardSeen(1, Turn(1), None, Card.SAGE)]
    assert all(not recollection(state, turn).cards for turn in ALL if turn != 2)


def test_a_drawn_card_is_remembered_by_both_and_stays_when_it_is_played() -> None:
    state = after(by_day({2: "draw_next"}), [(1, PassCrystal(Turn(2))), (2, ChooseCard(1))])
    for now in (state, after(state, [(2, PlayCard(Card.ADVENTURER))])):
        for turn in ALL:
            seen = [CardSeen(1, Turn(3), Turn(2), Card.ADVENTURER)] if turn in (2, 3) else []
            assert recollection(now, turn).cards == seen


def test_an_insight_is_remembered_by_the_shadow_dragon() -> None:
    state = after(by_day({5: "insight", 3: "gift_blank"}), [(1, PassCrystal(SHADOW)), (5, Skip())])
    assert recollection(state, SHADOW).roles == [RoleKnown(Turn(1), Role.SAGE), RoleKnown(Turn(2), Role.MYSTIC)]
    assert all(not recollection(state, turn).roles for turn in ALL if turn != SHADOW)


def test_a_recollection_is_in_no_message() -> None:
    """Persons are never sent it: no message's fields, however deep, hold one."""
    kinds = [kind for kind in vars(messages).values() if isinstance(kind, type) and issubclass(kind, Struct)]
    assert kinds
    found = repr(inspect.multi_type_info(kinds))
    assert "RoleKnown" in found
    assert "Recollection" not in found and "CardSeen" not in found
