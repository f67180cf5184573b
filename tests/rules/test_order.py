"""Who acts when (R6.12): from the holder, then those who act last, then the link."""

from __future__ import annotations

import pytest

from cinderforge.rules.marks import ActsLast, Linked, Mark
from cinderforge.rules.order import from_holder, round_order
from cinderforge.rules.state import Table
from cinderforge.rules.words import Turn
from tests.redaction.deals import by_day


def table(*marks: Mark, acts_last: tuple[int, ...] = ()) -> Table:
    return by_day().table._replace(marks=marks, acts_last=tuple(Turn(turn) for turn in acts_last))


def last(turn: int) -> ActsLast:
    return ActsLast(Turn(turn), "round")


def linked(leader: int, follower: int) -> Linked:
    return Linked(Turn(leader), Turn(follower))


def test_the_order_goes_round_from_the_holder() -> None:
    assert from_holder(table(), Turn(4)) == (4, 5, 1, 2, 3)


@pytest.mark.parametrize(
    ("at", "order"),
    [
        (table(), (3, 4, 5, 1, 2)),
        (table(last(4)), (3, 5, 1, 2, 4)),
        (table(last(3)), (4, 5, 1, 2, 3)),
        (table(acts_last=(5, 4)), (3, 1, 2, 5, 4)),
        (table(last(3), acts_last=(4,)), (5, 1, 2, 4, 3)),
        (table(linked(1, 4)), (3, 5, 1, 4, 2)),
        (table(linked(4, 1)), (3, 4, 5, 1, 2)),
        (table(linked(2, 3)), (4, 5, 1, 2, 3)),
        (table(linked(4, 5), acts_last=(4,)), (3, 1, 2, 4, 5)),
        (table(linked(5, 4), acts_last=(4,)), (3, 5, 1, 2, 4)),
    ],
)
def test_the_order_of_a_round_held_by_three(at: Table, order: tuple[int, ...]) -> None:
    assert round_order(at, Turn(3)) == order
