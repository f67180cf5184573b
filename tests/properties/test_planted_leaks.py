"""Leaks that are planted on purpose are noticed, each by the check that is there for its kind."""

from __future__ import annotations

import sys

import pytest

from tests.properties.planted import PLANTED, Planted, caught, kinds


def test_there_are_ten_kinds_of_leaks_and_more() -> None:
    assert len(set(kinds())) == len(PLANTED) >= 10


def test_without_a_planted_leak_nothing_is_noticed() -> None:
    assert caught(games=30)[0] is None


@pytest.mark.parametrize("leak", PLANTED, ids=lambda leak: leak.name.replace(" ", "_"))
def test_a_planted_leak_is_noticed(leak: Planted, monkeypatch: pytest.MonkeyPatch) -> None:
    leak.plant(monkeypatch)
    found, games = caught()
    assert found is not None, f"nobody noticed: {leak.name}"
    sys.stdout.write(f"{leak.name}: noticed by “{found.check}” in game {games}\n")
    assert found.check in leak.caught_by, found
