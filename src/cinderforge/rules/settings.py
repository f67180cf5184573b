"""What a host may set about the rules (R2.6), and the tables of R3.2 as data."""

from __future__ import annotations

import reprlib
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, Final, Literal, get_args, get_type_hints

from cinderforge.rules.words import OTHERS, Card, Role

RULES_VERSION: Final = 1
"""The version of rules and scroll catalogue under which new games are dealt."""

MIN_SEATS: Final = 5
MAX_SEATS: Final = 10
DEFAULT_SEATS: Final = 8

FirstHolder = Literal["random", "vote"]
Lasting = Literal["round", "game"]

_COMMON: Final = (Role.SAGE, Role.MYSTIC)
_ROLE_COUNTS: Final[dict[int, tuple[int, int]]] = {
    5: (1, 0),
    6: (2, 0),
    7: (2, 1),
    8: (3, 1),
    9: (4, 1),
    10: (5, 1),
}
"""Seats → adventurers, red dragons (R3.2); every table also has one each of the other four roles."""

DEFAULT_TARGETS: Final[dict[int, tuple[int, int]]] = {
    5: (1, 2),
    6: (2, 3),
    7: (2, 3),
    8: (2, 3),
    9: (3, 3),
    10: (3, 3),
}
"""Seats → A, K (R3.2)."""


@cache
def roles_for(seats: int) -> tuple[Role, ...]:
    """The roles dealt at a table of this size, in the order of R3.2.

    >>> [role.value for role in roles_for(5)]
    ['sage', 'mystic', 'adventurer', 'two_headed_dragon', 'shadow_dragon']
    """
    adventurers, reds = _ROLE_COUNTS[seats]
    return (
        *_COMMON,
        *(Role.ADVENTURER,) * adventurers,
        *(Role.RED_DRAGON,) * reds,
        Role.TWO_HEADED_DRAGON,
        Role.SHADOW_DRAGON,
    )


_HANDS: Final[dict[Role, tuple[Card, ...]]] = {
    role: (Card(role.value), Card.BLANK, Card.BLANK)
    if role is not Role.TWO_HEADED_DRAGON
    else (Card.TWO_HEADED_DRAGON, Card.TWO_HEADED_DRAGON, Card.ADVENTURER)
    for role in Role
}


def hand_of(role: Role) -> tuple[Card, ...]:
    """The hand a role starts with (R3.2)."""
    return _HANDS[role]


def others_dealt(seats: int) -> int:
    """How many mystic and adventurer cards a table of this size holds (R3.2, R8.3).

    >>> [others_dealt(seats) for seats in range(5, 11)]
    [3, 4, 4, 5, 6, 7]
    """
    return sum(card in OTHERS for role in roles_for(seats) for card in hand_of(role))


class BadSettings(ValueError):
    """A setting that no table can have: which one, and what would be allowed."""

    def __init__(self, key: str, allowed: str, found: object) -> None:
        super().__init__(f"{key}: expected {allowed}, found {reprlib.repr(found)}")
        self.key = key
        self.allowed = allowed
        self.found = found


@dataclass(frozen=True, slots=True)
class Settings:
    """The rules of one game (R2.6). Public from the waiting room on."""

    seats: int = DEFAULT_SEATS
    first_holder: FirstHolder = "random"
    sage_slain_ends: bool = True
    activation_target: int = 2
    kill_target: int = 3
    act_last_lasts: Lasting = "round"
    memory_aid: bool = False


def default_settings(seats: int = DEFAULT_SEATS) -> Settings:
    """The settings a table of this size starts with (R3.2)."""
    return settings_from({"seats": seats})


def settings_from(given: dict[str, Any], *, odd_deals: bool = False) -> Settings:
    """Settings from plain values; what is left out has the default of the table's size.

    Raises BadSettings for an unknown key, a wrong type or a number out of range. With `odd_deals`
    (scenario files) A and K are not held against the deal of R3.2.
    """
    known = {field.name for field in fields(Settings)}
    for key, value in given.items():
        if key not in known:
            raise BadSettings(key, f"one of {', '.join(sorted(known))}", value)
    seats = whole_in(given, "seats", DEFAULT_SEATS, MIN_SEATS, MAX_SEATS)
    activation, kill = DEFAULT_TARGETS[seats]
    most = 99 if odd_deals else others_dealt(seats)
    hints = get_type_hints(Settings)
    return Settings(
        seats=seats,
        first_holder=one_of_in(given, "first_holder", "random", get_args(hints["first_holder"])),
        sage_slain_ends=truth_in(given, "sage_slain_ends", True),
        activation_target=whole_in(given, "activation_target", activation, 1, most),
        kill_target=whole_in(given, "kill_target", kill, 1, most),
        act_last_lasts=one_of_in(given, "act_last_lasts", "round", get_args(hints["act_last_lasts"])),
        memory_aid=truth_in(given, "memory_aid", False),
    )


def warns_of_double_target(settings: Settings) -> bool:
    """R8.3: with R8 in force, 2 × A is more than the deal holds."""
    return not settings.sage_slain_ends and 2 * settings.activation_target > others_dealt(settings.seats)


def whole_in(given: dict[str, Any], key: str, default: int, least: int, most: int) -> int:
    """The whole number under this key, or the default. Raises BadSettings."""
    value = given.get(key, default)
    if type(value) is not int or not least <= value <= most:
        raise BadSettings(key, f"a whole number from {least} to {most}", value)
    return value


def truth_in(given: dict[str, Any], key: str, default: bool) -> bool:
    """The truth value under this key, or the default. Raises BadSettings."""
    value = given.get(key, default)
    if type(value) is not bool:
        raise BadSettings(key, "true or false", value)
    return value


def one_of_in(given: dict[str, Any], key: str, default: str, allowed: tuple[str, ...]) -> Any:
    """One of the allowed words, or the default. Raises BadSettings."""
    value = given.get(key, default)
    if value not in allowed:
        raise BadSettings(key, " or ".join(allowed), value)
    return value
