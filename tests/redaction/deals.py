"""Small games with known deals, for the tests of the redaction."""

from __future__ import annotations

from collections.abc import Sequence

from cinderforge.rules.commands import Command, EndNight, EndReveal
from cinderforge.rules.game import Deal, begin, take, take_clock
from cinderforge.rules.luck import StillLuck
from cinderforge.rules.settings import hand_of, settings_from
from cinderforge.rules.state import GameState
from cinderforge.rules.words import Role, ScrollId, Seat, Turn

ROLES = (Role.SAGE, Role.MYSTIC, Role.ADVENTURER, Role.TWO_HEADED_DRAGON, Role.SHADOW_DRAGON)
NIGHT = (1, 2, 4)
SHADOW = Turn(5)
DUMMIES = ("act_last", "reveal_sources", "force_neighbours", "link_play", "gift_blank")


def dealt(scrolls: dict[int, str] | None = None, **settings: object) -> GameState:
    """Five players (sage, mystic, adventurer, two-headed and shadow dragon) at the private look."""
    rules = settings_from({"seats": 5, "activation_target": 3, "kill_target": 3, **settings})
    named = [(scrolls or {}).get(turn, DUMMIES[turn - 1]) for turn in range(1, 6)]
    deal = Deal(
        tuple(Seat(turn) for turn in range(1, 6)),
        ROLES,
        tuple(hand_of(role) for role in ROLES),
        tuple(ScrollId(scroll) for scroll in named),
    )
    return begin(rules, deal, StillLuck())


def by_night(scrolls: dict[int, str] | None = None, **settings: object) -> GameState:
    return take_clock(dealt(scrolls, **settings), EndReveal())[1]


def by_day(scrolls: dict[int, str] | None = None, **settings: object) -> GameState:
    """The first pass, with turn 1 as holder; the vote with `first_holder="vote"`."""
    return take_clock(by_night(scrolls, **settings), EndNight())[1]


def after(state: GameState, moves: Sequence[tuple[int, Command]]) -> GameState:
    for turn, command in moves:
        state = take(state, Turn(turn), command)[1]
    return state
