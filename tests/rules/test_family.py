"""Commands, events and marks are closed families of frozen values; a vault opens only where it may."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import get_args

import pytest

from cinderforge.rules import commands, events, marks
from cinderforge.rules.commands import PlayCard
from cinderforge.rules.events import CrystalPassed, Skipped
from cinderforge.rules.state import Table
from cinderforge.rules.unfolding import Unfolding
from cinderforge.rules.vault import Vault
from cinderforge.rules.words import Card, How, Turn
from tests.redaction.deals import by_day

FAMILIES = [
    *get_args(commands.Command),
    *get_args(commands.ClockCommand),
    *get_args(events.Event),
    *get_args(marks.Mark),
]


@pytest.mark.parametrize("member", FAMILIES)
def test_a_member_is_a_value_that_says_what_it_is(member: type) -> None:
    assert is_dataclass(member)
    assert "__slots__" in vars(member)
    assert member.__hash__ is not object.__hash__


def test_who_asks_is_never_part_of_what_a_player_asks() -> None:
    names = {field.name for member in get_args(commands.Command) for field in fields(member)}
    assert not names & {"turn", "player", "seat", "who"}


def test_the_type_checker_lets_nobody_change_a_value() -> None:
    """`make types` fails when the comment is not needed; at run time it would go through (rules/value.py)."""
    command = PlayCard(Card.BLANK)
    command.card = Card.BLANK  # type: ignore[misc]


def test_no_field_lies_in_both_halves_but_the_ballots() -> None:
    """Ballots are sealed in the vault until they are opened on the table (R11)."""
    assert set(Table._fields) & set(Vault._fields) == {"ballots"}


def test_an_unfolding_folds_as_it_collects() -> None:
    unfolding = Unfolding(by_day())
    happened: list[events.Event] = [CrystalPassed(Turn(1), Turn(2), How.OWN), Skipped(Turn(2), How.OWN)]
    unfolding.add(*happened)
    assert unfolding.events == happened
    assert unfolding.state.table.holder == 2
    assert len(unfolding.state.table.acts) == 1
