"""A league goes on where it was, and seats those who learnt to beat it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tools.train_blueprint import Plan, Shares, Trainer, guest_of
from tools.train_league import League, Rounds

SMALL = Plan(
    seed=3,
    widths=(16, 32, 16),
    judge_widths=(16, 32, 16),
    games=40,
    batch=500,
    every=1,
    shares=Shares(0.2, 0.1, 0.7, 0, 0),
)
SHORT = Rounds(steps=2, responses=2)


@pytest.fixture
def begun(tmp_path: Path) -> Path:
    trainer = Trainer(SMALL)
    trainer.step()
    trainer.save(tmp_path / "seed")
    return tmp_path / "seed"


def test_a_league_that_is_broken_off_goes_on_as_if_it_had_not_been(begun: Path, tmp_path: Path) -> None:
    whole = League(tmp_path / "whole", begun, [], SMALL, SHORT)
    assert len(whole.net.past) == 1
    for _ in range(2):
        whole.play()
    League(tmp_path / "parts", begun, [], SMALL, SHORT).play()
    after = League(tmp_path / "parts", begun, [], SMALL, SHORT)
    assert after.done == 1
    after.play()
    assert (after.done, after.net.steps) == (whole.done, whole.net.steps) == (2, 4)
    assert np.array_equal(after.net.policy.row, whole.net.policy.row)
    assert [guest.sides for guest in after.net.guests] == [("human",), ("dragon",)] * 2


def test_responders_sit_as_the_faction_that_they_have_learnt_and_what_they_gain_is_told(
    begun: Path, tmp_path: Path
) -> None:
    league = League(tmp_path / "league", begun, [], SMALL, SHORT)
    assert set(league.play()) == {"itself", "human gains", "dragon gains"}
    _, human, dragon = league.net.tables(300)
    first = 2 + len(league.net.past)  # after the net of now and a noisy one
    wholly = {
        (first + at, name)
        for at in range(2)
        for name, sits in (("human", human), ("dragon", dragon))
        if (sits == first + at).all(1).any()
    }
    assert wholly == {(first, "human"), (first + 1, "dragon")}


def test_guests_from_elsewhere_stay_among_the_responders(begun: Path, tmp_path: Path) -> None:
    league = League(tmp_path / "league", begun, [guest_of(begun, SMALL)], SMALL, SHORT)
    league.play()
    assert [guest.sides for guest in league.net.guests] == [("human", "dragon"), ("human",), ("dragon",)]


def test_a_league_ends_with_mixed_teams_and_does_not_mix_again_what_is_done(begun: Path, tmp_path: Path) -> None:
    league = League(tmp_path / "league", begun, [guest_of(begun, SMALL)], SMALL, SHORT)
    league.play()
    mixed = league.mix(2)
    assert mixed.steps == league.net.steps + 2
    assert [guest.sides for guest in mixed.guests] == [guest.sides for guest in league.net.guests]
    assert not np.array_equal(mixed.policy.row, league.net.policy.row)
    again = League(tmp_path / "league", begun, [guest_of(begun, SMALL)], SMALL, SHORT)
    assert np.array_equal(again.mix(2).policy.row, mixed.policy.row)
