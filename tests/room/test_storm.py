"""Storms over one room (testkit/storm.py): nobody loses anything, whatever goes wrong; and faults would be found.

These seeds take about 20 s of one core. `make soak` lets 20,000 pass.
"""

from __future__ import annotations

import sys

import pytest

from cinderforge.testkit.havoc import run
from tests.room.storm_faults import FAULTS, Fault, found
from tests.soak.storm import failure_of, shortened, steps_of, written

SEEDS = 500
AT_ONCE = 25


@pytest.mark.parametrize("first", range(0, SEEDS, AT_ONCE))
def test_a_storm_breaks_nothing(first: int) -> None:
    for seed in range(first, first + AT_ONCE):
        failure = failure_of(seed)
        assert failure is None, str(shortened(failure))


def test_the_same_seed_is_the_same_storm() -> None:
    one, other = run(7), run(7)
    assert one.ledger.log == other.ledger.log and one.ledger.log != run(8).ledger.log


def test_storms_play_three_games_in_one_room_and_verify_their_records() -> None:
    assert sum(len(run(seed).records) >= 3 for seed in range(20)) >= 5


def test_there_are_six_planted_faults_and_more() -> None:
    assert len(FAULTS) > 6


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name.replace(" ", "_"))
def test_a_planted_fault_is_found(fault: Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    fault.plant(monkeypatch)
    failure = found()
    assert failure is not None, f"nobody found: {fault.name}"
    sys.stdout.write(f"{fault.name}: found by “{failure.what}” in storm {failure.seed}\n")
    assert failure.what in fault.found_by, failure


def test_a_storm_that_breaks_something_is_made_short(monkeypatch: pytest.MonkeyPatch) -> None:
    next(fault for fault in FAULTS if fault.name == "votes are never forgotten").plant(monkeypatch)
    failure = found()
    assert failure
    short = shortened(failure)
    assert len(short.steps) < len(failure.steps) / 2 and short.what == failure.what
    again = failure_of(short.seed, short.steps)
    assert again == short, "the printed command plays it again"
    assert short.command == f"python -m tests.soak.storm --seed {short.seed} --steps {written(short.steps)}"
    assert steps_of(written(short.steps)) == short.steps
