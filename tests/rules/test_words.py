"""Cards, roles and factions (R1)."""

from __future__ import annotations

import pytest

from cinderforge.rules.words import (
    DRAGON_CARDS,
    NIGHT_ROLES,
    OTHERS,
    PERSON_CARDS,
    Card,
    Faction,
    Role,
    faction_of,
)


def test_every_role_is_a_card_and_only_the_blank_is_no_role() -> None:
    assert {card.value for card in Card} - {role.value for role in Role} == {"blank"}


def test_every_card_but_the_blank_is_a_person_or_a_dragon() -> None:
    assert not PERSON_CARDS & DRAGON_CARDS
    assert PERSON_CARDS | DRAGON_CARDS | {Card.BLANK} == set(Card)


def test_what_a_and_k_count_are_persons_other_than_the_sage() -> None:
    assert PERSON_CARDS - {Card.SAGE} == OTHERS


@pytest.mark.parametrize("role", Role)
def test_a_role_is_of_the_faction_of_its_card(role: Role) -> None:
    assert (faction_of(role) is Faction.DRAGON) == (Card(role.value) in DRAGON_CARDS)


def test_the_shadow_dragon_and_adventurers_sleep_at_night() -> None:
    assert set(Role) - NIGHT_ROLES == {Role.SHADOW_DRAGON, Role.ADVENTURER}
