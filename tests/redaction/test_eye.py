"""Whose eyes a game is seen with."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import get_args

import pytest

from cinderforge.redaction.eye import HINDSIGHT, SPECTATOR, Eye, HindsightEye, PlayerEye, SpectatorEye
from cinderforge.rules.words import Turn


def test_there_are_three_kinds_of_eyes() -> None:
    assert set(get_args(Eye)) == {PlayerEye, SpectatorEye, HindsightEye}


def test_eyes_are_values() -> None:
    assert PlayerEye(Turn(3)) == PlayerEye(Turn(3)) != PlayerEye(Turn(4))
    assert SpectatorEye() == SPECTATOR and HindsightEye() == HINDSIGHT
    assert len({SPECTATOR, HINDSIGHT, PlayerEye(Turn(1))}) == 3


def test_an_eye_never_becomes_another() -> None:
    with pytest.raises(FrozenInstanceError):
        PlayerEye(Turn(1)).turn = Turn(2)  # type: ignore[misc]
