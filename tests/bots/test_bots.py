"""AIs: only legal commands, the same in every world they cannot tell apart, and `plain` clearly above `dice`."""

from __future__ import annotations

import inspect
import random
from hashlib import sha256

import pytest

from cinderforge.bots import BOTS
from cinderforge.bots import pace as pace_module
from cinderforge.bots.bot import offer_of
from cinderforge.bots.levels import SKILLS, Skill
from cinderforge.bots.pace import delay
from cinderforge.cli.simulate import played
from cinderforge.redaction.eye import SPECTATOR, PlayerEye
from cinderforge.redaction.recollection import recollection
from cinderforge.redaction.shapes import TableView
from cinderforge.redaction.view import view
from cinderforge.rules.commands import Command
from cinderforge.rules.luck import SeededLuck
from cinderforge.rules.offers import commands_of
from cinderforge.rules.settings import settings_from
from cinderforge.rules.state import GameState
from cinderforge.rules.words import Faction, Turn
from cinderforge.testkit.drive import drive

DEALS = 600
QUICK = Skill()


@pytest.mark.parametrize("name", [name for name in BOTS if name != "oracle"])  # a warden with more time
@pytest.mark.parametrize("seats", range(5, 11))
def test_an_ai_asks_only_for_what_is_offered_and_the_same_view_gives_the_same(name: str, seats: int) -> None:
    rng = random.Random(f"{name}{seats}")

    def choose(state: GameState, turn: Turn) -> Command:
        shown = view(state, PlayerEye(turn))
        seed = rng.random()
        command = BOTS[name].choose(shown, recollection(state, turn), random.Random(seed))
        assert shown.you and shown.you.offer
        assert command in commands_of(offer_of(shown.you.offer))
        again = BOTS[name].choose(view(state, PlayerEye(turn)), recollection(state, turn), random.Random(seed))
        assert again == command
        return command

    for number in range(1 if SKILLS.get(name, QUICK).care else 25):
        settings = settings_from(
            {
                "seats": seats,
                "first_holder": rng.choice(["vote", "random"]),
                "act_last_lasts": rng.choice(["round", "game"]),
                "sage_slain_ends": number % 2 == 0,
                "activation_target": 3,
                "memory_aid": number % 3 == 0,
            }
        )
        drive(settings, SeededLuck(rng.randbytes(32)), choose)


def human_wins(humans: str, dragons: str) -> int:
    rules = settings_from({})
    secrets = (sha256(f"paired {number}".encode()).digest() for number in range(DEALS))
    return sum(played(rules, secret, humans, dragons).final.table.winner is Faction.HUMAN for secret in secrets)


def test_plain_beats_dice_by_ten_points_in_each_faction() -> None:
    """Paired: the same deals. The measured margins are in docs/measurements.md."""
    base = human_wins("dice", "dice")
    assert human_wins("plain", "dice") - base >= 0.1 * DEALS
    assert base - human_wins("dice", "plain") >= 0.1 * DEALS


def test_blueprint_beats_plain_by_ten_points_in_each_faction() -> None:
    """Paired likewise; docs/model-card.md has what was measured at length."""
    base = human_wins("plain", "plain")
    assert human_wins("blueprint", "plain") - base >= 0.1 * DEALS
    assert base - human_wins("plain", "blueprint") >= 0.1 * DEALS


def test_pace_looks_at_the_public_table_alone() -> None:
    hints = inspect.get_annotations(delay, eval_str=True)
    assert hints == {"rng": random.Random, "table": TableView, "return": float}
    assert "PlayerView" not in vars(pace_module)


def test_pace_is_a_person_s() -> None:
    def choose(state: GameState, turn: Turn) -> Command:
        shown = view(state, SPECTATOR).table
        assert 0.5 <= delay(random.Random(1), shown) <= 8
        return BOTS["dice"].choose(view(state, PlayerEye(turn)), recollection(state, turn), random.Random(2))

    drive(settings_from({"first_holder": "vote"}), SeededLuck(bytes(32)), choose)
