"""What the cards of a round do (R5.6, R8.1)."""

from __future__ import annotations

import pytest

from cinderforge.rules.events import Tally
from cinderforge.rules.marks import SourcesOpen
from cinderforge.rules.resolution import counted, is_sage_caught, resolve
from cinderforge.rules.words import DRAGON_CARDS, Card, Turn
from tests.redaction.deals import by_day

BEFORE = Tally(activated=1, slain=1)


@pytest.mark.parametrize(
    ("cards", "after"),
    [
        ([], BEFORE),
        ([Card.BLANK], BEFORE),
        ([Card.SAGE], Tally(True, 1, 1)),
        ([Card.MYSTIC, Card.ADVENTURER, Card.BLANK], Tally(False, 3, 1)),
        ([Card.RED_DRAGON], BEFORE),
        ([Card.RED_DRAGON, Card.SHADOW_DRAGON, Card.MYSTIC], Tally(False, 1, 2)),
        ([Card.TWO_HEADED_DRAGON, Card.SAGE, Card.ADVENTURER], Tally(False, 1, 2, True)),
    ],
)
def test_cards_are_activated_without_a_dragon_and_slain_with_one(cards: list[Card], after: Tally) -> None:
    assert counted(BEFORE, cards) == after


def test_what_was_activated_stays_so() -> None:
    tally = counted(Tally(True, 2, 0), [Card.SHADOW_DRAGON, Card.MYSTIC])
    assert tally == Tally(True, 2, 1)


@pytest.mark.parametrize("dragon", sorted(DRAGON_CARDS))
def test_any_dragon_card_catches_the_sage(dragon: Card) -> None:
    assert is_sage_caught([Card.BLANK, Card.SAGE, dragon])
    assert not is_sage_caught([Card.MYSTIC, dragon])
    assert not is_sage_caught([Card.SAGE, Card.BLANK])


class Backwards:
    """A luck that turns each row round."""

    def order(self, name: str, count: int) -> tuple[int, ...]:
        return tuple(reversed(range(count)))

    def pick(self, name: str, count: int) -> int:
        return 0


def test_the_middle_is_shuffled_unless_its_sources_are_open() -> None:
    table, vault = by_day()
    middle = ((Turn(2), Card.MYSTIC), (Turn(1), Card.BLANK))
    state = by_day()._replace(vault=vault._replace(middle=middle, luck=Backwards()))
    closed = resolve(state)
    assert closed.cards == (Card.BLANK, Card.MYSTIC)
    assert closed.sources is None
    opened = resolve(state._replace(table=table._replace(marks=(SourcesOpen(),))))
    assert opened.cards == (Card.MYSTIC, Card.BLANK)
    assert opened.sources == (2, 1)
