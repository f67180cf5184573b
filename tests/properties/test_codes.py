"""Each refusal follows from the refused player's own view: its code is worked out here from nothing else.

Restated from docs/formats.md, "Which code"; the code under test is not asked.
"""

from __future__ import annotations

import random

import pytest

from cinderforge.redaction.eye import PlayerEye
from cinderforge.redaction.shapes import LinkedView, MustPlayView, OnlyCardView, View
from cinderforge.redaction.view import view
from cinderforge.rules.commands import (
    CastVote,
    ChooseCard,
    ChooseTargets,
    Command,
    PassCrystal,
    PlayCard,
    Skip,
)
from cinderforge.rules.game import take
from cinderforge.rules.luck import SeededLuck
from cinderforge.rules.rejection import Rejected
from cinderforge.rules.settings import Settings, settings_from
from cinderforge.rules.state import GameState, awaited
from cinderforge.rules.words import Card, Turn
from cinderforge.testkit.drive import at_random, drive

PHASE_OF = {
    CastVote: "vote",
    PassCrystal: "pass",
    ChooseTargets: "scroll",
    ChooseCard: "scroll",
    PlayCard: "play",
    Skip: "play",
}
PLAYERS_CHOSEN = {"force_play": 1, "link_play": 2, "gift_blank": 1, "peek_hand": 1}
NOT_ONESELF = {"gift_blank", "peek_hand"}
WITH_CARDS = {"force_play", "link_play", "peek_hand"}


def named(command: Command) -> tuple[Turn, ...]:
    match command:
        case PassCrystal(to):
            return (to,)
        case ChooseTargets(targets):
            return targets
        case CastVote(target) if target is not None:
            return (target,)
        case _:
            return ()


def code_from(shown: View, turn: Turn, command: Command) -> str | None:
    """The code that this player can foresee; None where the command is accepted."""
    table = shown.table
    count = len(table.seats)
    if table.phase == "over":
        return "game_over"
    if not all(1 <= one <= count for one in (turn, *named(command))):
        return "unknown_player"
    if table.phase != PHASE_OF[type(command)]:
        return "wrong_phase"
    if turn not in table.awaited:
        return "not_your_turn"
    match command:
        case PassCrystal(to):
            if to == turn:
                return "self_not_allowed"
            return None if to in table.unfired else "scroll_already_fired"
        case ChooseTargets(targets):
            return targets_code(shown, turn, targets)
        case ChooseCard(position):
            assert table.choice
            if table.choice.of is None:
                return "bad_choice"
            return None if 1 <= position <= table.choice.cards else "no_such_card"
        case PlayCard() | Skip():
            return play_code(shown, turn, command)
        case CastVote():
            return None


def targets_code(shown: View, turn: Turn, targets: tuple[Turn, ...]) -> str | None:
    choice = shown.table.choice
    assert choice
    if choice.targets or len(targets) != PLAYERS_CHOSEN.get(choice.scroll):
        return "bad_choice"
    if choice.scroll in NOT_ONESELF and turn in targets:
        return "self_not_allowed"
    if len(set(targets)) < len(targets):
        return "duplicate_target"
    if choice.scroll in WITH_CARDS and not all(shown.table.hand_sizes[one - 1] for one in targets):
        return "target_has_no_cards"
    return None


def play_code(shown: View, turn: Turn, command: PlayCard | Skip) -> str | None:
    table = shown.table
    assert shown.you
    did = {act.turn: act.act for act in table.acts}
    leaders = [mark.leader for mark in table.marks if isinstance(mark, LinkedView) and mark.follower == turn]
    forced = any(isinstance(mark, MustPlayView) and mark.turn == turn for mark in table.marks)
    if isinstance(command, Skip):
        return "must_play" if forced or any(did.get(leader) == "played" for leader in leaders) else None
    if any(did.get(leader) == "skipped" for leader in leaders):
        return "must_skip"
    if command.card not in shown.you.hand:
        return "not_in_hand"
    restricted = any(isinstance(mark, OnlyCardView) and mark.turn == turn for mark in table.marks)
    return "only_drawn_card" if restricted and command.card != shown.you.drawn else None


def found(state: GameState, turn: Turn, command: Command) -> str | None:
    try:
        take(state, turn, command)
    except Rejected as rejected:
        return rejected.code.value
    return None


def any_command(rng: random.Random, seats: int) -> Command:
    def anybody() -> Turn:
        return Turn(rng.randrange(seats + 2) if rng.random() < 0.2 else rng.randint(1, seats))

    match rng.randrange(7):
        case 0:
            return CastVote(rng.choice([None, anybody()]))
        case 1:
            return PassCrystal(anybody())
        case 2 | 3:
            return ChooseTargets(tuple(anybody() for _ in range(rng.choice([0, 1, 1, 2, 2, 3]))))
        case 4:
            return ChooseCard(rng.randint(-1, 5))
        case 5:
            return PlayCard(rng.choice([*Card, "unicorn"]))
        case _:
            return Skip()


def moments(rules: Settings, rng: random.Random) -> list[GameState]:
    """The states of a random game in which somebody is awaited, and the last."""
    met: list[GameState] = []
    choose = at_random(rng, 0.1)

    def noted(state: GameState, turn: Turn) -> Command | None:
        met.append(state)
        return choose(state, turn)

    final = drive(rules, SeededLuck(rng.randbytes(32)), noted).final
    return [*met, final]


@pytest.mark.parametrize("seats", range(5, 11))
def test_a_code_can_be_foreseen_from_the_own_view_alone(seats: int) -> None:
    rng = random.Random(seats)
    met: set[str | None] = set()
    for number in range(25):
        rules = settings_from(
            {
                "seats": seats,
                "first_holder": rng.choice(["vote", "random"]),
                "act_last_lasts": rng.choice(["round", "game"]),
                "sage_slain_ends": number % 2 == 0,
                "activation_target": 3,
                "kill_target": 3,
            }
        )
        for state in moments(rules, rng):
            for turn in {*awaited(state.table), Turn(rng.randrange(seats + 2))}:
                shown = view(state, PlayerEye(turn)) if 1 <= turn <= seats else view(state, PlayerEye(Turn(1)))
                for command in [any_command(rng, seats) for _ in range(6)]:
                    code = found(state, turn, command)
                    assert code == code_from(shown, turn, command), (turn, command, shown.table)
                    met.add(code)
    assert len(met) >= 12, "the games meet most of the codes"
