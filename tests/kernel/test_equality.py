"""The compiled kernel plays by the rules of the engine; `make league` plays a million games more."""

from __future__ import annotations

import pytest

from cinderforge.testkit.beside import play_both

_PIECES = 8
_GAMES = 20_000


@pytest.mark.parametrize("piece", range(_PIECES))
def test_engine_and_kernel_agree_at_every_step_of_thousands_of_games(piece: int) -> None:
    decisions = sum(play_both(f"equality/{number}") for number in range(piece, _GAMES, _PIECES))
    assert decisions > 20 * _GAMES // _PIECES
