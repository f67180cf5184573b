"""What a host may set (R2.6), and the tables of R3.2, restated."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from cinderforge.rules.settings import (
    BadSettings,
    Settings,
    default_settings,
    hand_of,
    others_dealt,
    roles_for,
    settings_from,
    warns_of_double_target,
)
from cinderforge.rules.words import Card, Role

TABLE = {5: (1, 0, 1, 2), 6: (2, 0, 2, 3), 7: (2, 1, 2, 3), 8: (3, 1, 2, 3), 9: (4, 1, 3, 3), 10: (5, 1, 3, 3)}
"""Seats → adventurers, red dragons, A, K."""


@pytest.mark.parametrize("seats", TABLE)
def test_roles_and_targets_are_those_of_the_table(seats: int) -> None:
    adventurers, reds, activation, kill = TABLE[seats]
    roles = Counter(roles_for(seats))
    assert roles[Role.ADVENTURER] == adventurers
    assert roles[Role.RED_DRAGON] == reds
    assert all(roles[role] == 1 for role in Role if role not in (Role.ADVENTURER, Role.RED_DRAGON))
    assert roles.total() == seats
    settings = default_settings(seats)
    assert (settings.activation_target, settings.kill_target) == (activation, kill)


@pytest.mark.parametrize("seats", TABLE)
def test_twice_the_default_a_can_be_reached(seats: int) -> None:
    assert 2 * default_settings(seats).activation_target <= others_dealt(seats)


def test_hands_are_the_own_card_and_two_blanks_but_for_two_heads() -> None:
    for role in Role:
        if role is Role.TWO_HEADED_DRAGON:
            assert hand_of(role) == (Card.TWO_HEADED_DRAGON, Card.TWO_HEADED_DRAGON, Card.ADVENTURER)
        else:
            assert hand_of(role) == (Card(role.value), Card.BLANK, Card.BLANK)


def test_the_defaults_are_those_of_the_rules() -> None:
    assert default_settings() == Settings(8, "random", True, 2, 3, "round", False)


@pytest.mark.parametrize(
    "given",
    [
        {"seats": 4},
        {"seats": 11},
        {"seats": "8"},
        {"seats": True},
        {"activation_target": 0},
        {"activation_target": 6},
        {"kill_target": 2.0},
        {"first_holder": "host"},
        {"act_last_lasts": None},
        {"sage_slain_ends": 1},
        {"memory_aid": "no"},
        {"chat": True},
    ],
)
def test_what_no_table_can_have_is_refused_by_its_name(given: dict[str, Any]) -> None:
    with pytest.raises(BadSettings) as caught:
        settings_from(given)
    assert caught.value.key in given


def test_a_target_out_of_the_deals_reach_is_for_odd_deals_alone() -> None:
    assert settings_from({"activation_target": 9}, odd_deals=True).activation_target == 9


def test_the_warning_is_given_only_where_the_sage_may_fall() -> None:
    high = {"activation_target": 3, "sage_slain_ends": False}
    assert warns_of_double_target(settings_from(high))
    assert not warns_of_double_target(settings_from({**high, "activation_target": 2}))
    assert not warns_of_double_target(settings_from({"activation_target": 3}))
