"""The referees: there are enough, each plays to the end, and all are what they were when AIs were rated by them."""

from __future__ import annotations

import hashlib
import random
from pathlib import Path

import pytest

import cinderforge.arena.referees as package
from cinderforge.arena.referees import PREFIX, REFEREES, referee_called
from cinderforge.arena.referees.frozen import FILES, PLAYS
from cinderforge.kernel import ffi, lib
from tests.kernel.games import seen_by

HERE = Path(package.__file__).parent


def _played(name: str, seats: int, seed: int) -> list[int]:
    """All that this referee does in a game in which it has every seat."""
    game, rng, acts = ffi.new("cf_game *"), random.Random(seed), list[int]()
    lib.cf_deal(game, ffi.new("cf_rules *", (seats, 2, 3, 1, 0, seed % 2)), seed)
    while (who := lib.cf_next(game)) >= 0:
        acts.append(REFEREES[name]._action(*seen_by(game, who), rng))
        assert not lib.cf_take(game, acts[-1], -1)
    return acts


def test_there_are_at_least_twelve() -> None:
    assert len(REFEREES) >= 12
    assert referee_called(PREFIX + "counter") is REFEREES["counter"]
    assert referee_called("counter") is referee_called(PREFIX + "nobody") is None


def test_every_file_of_theirs_is_the_one_that_was_frozen() -> None:
    found = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(HERE.iterdir())
        if path.suffix in (".py", ".net") and path.name not in ("__init__.py", "frozen.py")
    }
    assert found == FILES


@pytest.mark.parametrize("name", REFEREES)
def test_each_plays_as_it_did_when_it_was_frozen(name: str) -> None:
    acts = [_played(name, seats, seed) for seats, seed in ((5, 1), (8, 2), (8, 3), (10, 4))]
    assert hashlib.sha256(repr(acts).encode()).hexdigest()[:16] == PLAYS[name]


def test_no_two_play_alike() -> None:
    assert len(set(PLAYS.values())) == len(REFEREES) == len(PLAYS)


def test_no_tool_that_trains_or_fits_and_no_ai_knows_them() -> None:
    root = HERE.parents[3]
    for path in [
        *root.glob("tools/*.py"),
        *(root / "src/cinderforge/bots").glob("*.py"),
        *(root / "src/cinderforge/kernel").glob("*.py"),
    ]:
        assert "referee" not in path.read_text("utf-8"), path
