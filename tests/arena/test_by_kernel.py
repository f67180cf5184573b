"""Cells in the kernel: who sits where, the same deals in every cell, and rates like those of the engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from cinderforge.arena.by_kernel import Mind, Unknown, mind_of, play_cells
from cinderforge.arena.tables import Cell, cells_of
from cinderforge.bots.weights import Weights, write_weights
from cinderforge.kernel import lib
from cinderforge.rules.settings import default_settings
from cinderforge.rules.words import Faction, faction_of

MINDS = {name: mind_of(name) for name in ("kernel/dice", "kernel/plain", "kernel/skipper")}


def test_a_policy_is_named_by_mind_net_or_file_and_its_temperature(tmp_path: Path) -> None:
    assert mind_of("kernel/plain").kind == 3
    file = tmp_path / "some.net"
    file.write_bytes(write_weights([Weights(False, (16, 16, 16), [0.0] * lib.cf_net_size(False, 16, 16, 16))]))
    net = mind_of(f"kernel/{file}@0.5")
    assert (net.kind, net.temperature) == (0, 0.5) and net.net
    for wrong in ("plain", "kernel/nobody", f"kernel/{tmp_path}", f"kernel/{file}@warm"):
        with pytest.raises(Unknown, match=r"kernel/|plain"):
            mind_of(wrong)
    (tmp_path / "bad.net").write_text("no net", "utf-8")
    with pytest.raises(Unknown, match="not a file of nets"):
        mind_of(f"kernel/{tmp_path / 'bad.net'}")


def test_the_same_numbers_give_the_same_games_in_any_batches() -> None:
    cells, settings = cells_of(list(MINDS)), default_settings(8)
    whole = play_cells(settings, MINDS, cells, "seed", range(60))
    part = play_cells(settings, MINDS, cells, "seed", range(40, 60))
    assert [results[40:] for results in whole.results] == part.results
    assert whole.lone[40:] == part.lone
    assert all(faction_of(seats["one dragon"]) is Faction.DRAGON for seats in whole.lone)


def test_seats_are_the_candidates_as_the_cell_says() -> None:
    """Skippers play nothing unless forced: one of them among others still leaves the rounds to these."""
    settings = default_settings(8)
    cells = [Cell("all humans", "kernel/skipper", "kernel/skipper"), Cell("one human", "kernel/skipper", "kernel/dice")]
    whole, one = play_cells(settings, MINDS, cells, "seed", range(500)).results
    assert sum(result.rounds for result in whole) > 7 * 500
    assert sum(result.rounds for result in one) < 4 * 500


def test_dice_win_as_often_as_in_the_engine() -> None:
    """26.9 % in 4,000 games of the engine (docs/measurements.md)."""
    dice = {"kernel/dice": Mind(1)}
    results = play_cells(default_settings(8), dice, cells_of(list(dice)), "seed", range(20_000)).results[0]
    assert sum(result.humans_won for result in results) / 20_000 == pytest.approx(0.268, abs=0.025)
