"""Training goes on where it was broken off, and learns."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tools.train_blueprint import Guest, Plan, Shares, Trainer, as_file, exploited, guest_of, kept_nets, measured

SMALL = Plan(seed=3, widths=(16, 32, 16), judge_widths=(16, 32, 16), games=40, batch=500, every=1)


def test_a_run_that_is_broken_off_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    whole, before, after = Trainer(SMALL), Trainer(SMALL), Trainer(SMALL)
    for _ in range(4):
        whole.step()
    for _ in range(2):
        before.step()
    before.save(tmp_path)
    after.resume(tmp_path)
    for _ in range(2):
        after.step()
    assert (after.steps, after.games, len(after.past)) == (whole.steps, whole.games, len(whole.past)) == (4, 160, 4)
    assert np.array_equal(after.policy.row, whole.policy.row)
    assert np.array_equal(after.judge.row, whole.judge.row)


def test_a_judgement_gone_wrong_is_traced_back_to_the_end_of_its_own_game() -> None:
    trainer = Trainer(SMALL)
    trainer.keep.arrays["value"][:4] = [0.5, 0.6, 0.2, 0.4]
    first = np.array([0, 2, 2, 4], np.int32)  # a game without a contested decision between two others
    gain, aim = trainer.gains(np.array([0, 1, 1], np.int8), first)
    assert gain.tolist() == pytest.approx([0.1 + 0.9 * 0.4, 0.4, 0.2 + 0.9 * -0.4, -0.4])
    assert aim.tolist() == pytest.approx([0.96, 1.0, 0.04, 0.0], abs=1e-6)


def test_some_steps_make_a_net_better_against_dice_and_the_same_is_measured_again() -> None:
    trainer = Trainer(Plan(seed=1, games=200))
    begun = measured(trainer.policy, 1_500)
    for _ in range(15):
        trainer.step()
    found = measured(trainer.policy, 1_500)
    assert found == measured(trainer.policy, 1_500)
    assert found["now/dice"] > begun["now/dice"] + 0.05


def test_an_exploiter_plays_one_faction_against_its_foe_and_learns_in_no_other_seat() -> None:
    foe = Trainer(SMALL).policy
    for side, other in (("human", 1), ("dragon", 0)):
        trainer = Trainer(SMALL, foe, side)
        assert np.array_equal(trainer.policy.row, foe.row)
        trainer.step()
        learnt = trainer.keep.arrays["faction"][: trainer.keep.made.count]
        assert len(learnt) > 100
        assert other not in learnt
        assert set(trainer.measured()) == {"itself", f"{side} gains"}


def test_an_exploiter_of_one_seat_has_one_of_each_table_in_either_faction() -> None:
    trainer = Trainer(SMALL, Trainer(SMALL).policy, "one")
    _, human, dragon = trainer.tables(400)
    assert (human == dragon).all()
    assert ((human == 0).sum(1) == 1).all()
    assert set(np.nonzero(human == 0)[1].tolist()) == set(range(8))
    trainer.step()
    assert set(trainer.keep.arrays["faction"][: trainer.keep.made.count].tolist()) == {0, 1}
    assert set(trainer.measured()) == {"itself", "one human gains", "one dragon gains"}


def test_who_plays_as_its_foe_gains_nothing() -> None:
    net = Trainer(SMALL).policy
    for side in ("human", "dragon", "one"):
        _, *gains = exploited(net, net, side, 200).values()
        assert set(gains) == {0}


def test_an_exploiter_who_is_a_guest_is_a_whole_faction_and_only_its_own(tmp_path: Path) -> None:
    exploiter = Trainer(SMALL, Trainer(SMALL).policy, "dragon")
    exploiter.save(tmp_path)
    plan = replace(SMALL, seed=4)
    invited = guest_of(tmp_path, plan)
    assert invited.sides == ("dragon",)
    _, human, dragon = Trainer(plan, guests=[invited]).tables(2_000)
    assert not (human == 2).any(), "it has not learnt to play them"
    its = (dragon == 2).any(1)
    assert its.sum() > 100
    assert (dragon[its] == 2).all()


def test_nets_of_other_seeds_are_the_commonest_strangers_of_a_mixed_team() -> None:
    plan = replace(SMALL, shares=Shares(itself=0, mixed=1, guests=0, past=0, plain=0))
    net = Trainer(SMALL).policy
    _, human, dragon = Trainer(plan, guests=[Guest(net), Guest(net)]).tables(2_000)
    for sits in (human, dragon):
        assert 0.5 < (sits == 0).mean() < 0.7
        seeds, others = np.isin(sits, (2, 3)).mean(), (sits > 3).mean()
        assert 0 < others < 1.3 * seeds


def test_nets_of_a_file_are_those_that_were_shipped(tmp_path: Path) -> None:
    trainer = Trainer(SMALL)
    (tmp_path / "some.net").write_bytes(as_file(trainer.policy, trainer.judge))
    trainer.save(tmp_path)
    for one, other in zip(kept_nets(tmp_path / "some.net", SMALL), kept_nets(tmp_path, SMALL), strict=True):
        assert np.allclose(one.row, other.row, atol=2e-3)
        assert one.truth == other.truth


def test_guests_sit_at_tables() -> None:
    trainer = Trainer(SMALL, guests=[Guest(Trainer(SMALL).policy)])
    minds, human, dragon = trainer.tables(400)
    kinds = [(kind, learns, noise > 0) for kind, learns, _, noise, _ in minds.row[:3]]
    assert kinds == [(0, 1, False), (0, 0, True), (0, 0, False)], "the net of now, a noisy one, the guest"
    assert 2 in human
    assert 2 in dragon
