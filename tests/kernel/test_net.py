"""Nets in the kernel: what they are shown is their seat's own, what they do is legal, and training has it right."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from cinderforge.kernel import ffi, lib
from cinderforge.kernel.scripts import SCRIPTS
from tools import train_blueprint as training

WIDTHS = (16, 32, 16)


def rules(rng: random.Random) -> Any:
    n = rng.randint(5, 10)
    return ffi.new("cf_rules *", [n, rng.randint(1, 3), rng.randint(1, 3), *(rng.randint(0, 1) for _ in range(3))])


def games(count: int, seed: int) -> Any:
    """Games of all sizes and options, each at a contested decision of a random game."""
    rng = random.Random(seed)
    for _ in range(count):
        game = ffi.new("cf_game *")
        lib.cf_deal(game, rules(rng), rng.getrandbits(64))
        for _ in range(rng.randint(0, 60)):
            step(game, rng)
        while lib.cf_next(game) >= 0 and lib.cf_mask(game).bit_count() < 2:
            step(game, rng)
        if game.pub.phase != lib.CF_OVER:
            yield game


def step(game: Any, rng: random.Random) -> None:
    mask = lib.cf_mask(game)
    legal = [action for action in range(lib.CF_ACTIONS) if mask >> action & 1]
    lib.cf_apply(game, rng.choice(legal) if legal else 0, -1)


def awaited(game: Any) -> int:
    return int(lib.cf_awaited(ffi.addressof(game, "pub")))


def features(game: Any, who: int) -> list[float]:
    shown = ffi.new("float[]", lib.CF_GLOBAL_FEATURES)
    players = ffi.new("float[]", lib.CF_SLOTS * lib.CF_PLAYER_FEATURES)
    lib.cf_features(ffi.addressof(game, "pub"), ffi.addressof(game, "priv", who), shown, players)
    return [*shown, *players]


def test_what_a_net_is_shown_is_finite_and_of_a_moderate_size() -> None:
    for game in games(400, 1):
        assert all(-8 < number < 8 for number in features(game, awaited(game)))


def test_what_a_net_is_shown_does_not_follow_from_what_is_hidden() -> None:
    """With other roles, hands and cards in the middle, and other seats' knowledge, the numbers are the same."""
    rng = random.Random(2)
    for game in games(300, 2):
        who = awaited(game)
        before = features(game, who)
        hidden = ffi.buffer(ffi.addressof(game, "hid"))
        hidden[:] = rng.randbytes(len(hidden))
        for turn in range(10):
            if turn != who:
                other = ffi.buffer(ffi.addressof(game, "priv", turn))
                other[:] = rng.randbytes(len(other))
        assert features(game, who) == before


def test_a_seat_that_is_moved_on_sees_the_same() -> None:
    """Whoever sits at which turn is nothing to a net: with all players one turn further the numbers are the same."""
    for game in games(300, 3):
        moved = ffi.new("cf_game *", game[0])
        n, who = game.pub.rules.n, awaited(game)
        _turn_on(moved, game, n)
        assert features(moved, (who + 1) % n) == pytest.approx(features(game, who), abs=1e-5)


def _turn_on(moved: Any, game: Any, n: int) -> None:
    def on(turn: int) -> int:
        return turn if turn < 0 else (turn + 1) % n

    for to, one in [(moved.pub, game.pub), *zip(moved.pub.rounds, game.pub.rounds, strict=True)]:
        for name, _ in ffi.typeof(one).fields:
            if name in ("holder", "giver", "t1", "t2"):
                setattr(to, name, on(getattr(one, name)))
            elif name in ("order", "last", "ballot"):
                whole = [on(turn) for turn in getattr(one, name)]
                setattr(to, name, whole)
                if name == "ballot":
                    getattr(to, name)[0:n] = [whole[(turn - 1) % n] for turn in range(n)]
            elif name in ("fired_scroll", "fired_round", "hand_size", "voted", "source"):
                row = list(getattr(one, name))
                getattr(to, name)[0:n] = [row[(turn - 1) % n] for turn in range(n)]
    for turn in range(n):
        to, one = moved.priv[on(turn)], game.priv[turn]
        ffi.memmove(ffi.addressof(to), ffi.addressof(one), ffi.sizeof("cf_private"))
        to.me, to.sage, to.mystic = on(one.me), on(one.sage), on(one.mystic)
        row = list(one.night)
        to.night[0:n] = [row[(t - 1) % n] for t in range(n)]
        to.seen_of = [on(t) for t in one.seen_of]


def test_a_policy_gives_chances_to_what_is_legal_alone() -> None:
    net = training.new_net(False, WIDTHS, np.random.default_rng(1)).compiled()
    for game in games(300, 4):
        who = awaited(game)
        mask, chances = lib.cf_mask(game), ffi.new("float[]", lib.CF_ACTIONS)
        public, private = ffi.addressof(game, "pub"), ffi.addressof(game, "priv", who)
        assert 0 < lib.cf_policy(net, public, private, mask, 1.0, chances) < 1
        assert sum(chances) == pytest.approx(1, abs=1e-5)
        assert all((chance > 0) == bool(mask >> action & 1) for action, chance in enumerate(chances))


@pytest.mark.parametrize("kind", SCRIPTS.values(), ids=SCRIPTS)
def test_a_script_does_only_what_is_legal(kind: int) -> None:
    rng = random.Random(kind)
    chance = ffi.new("uint64_t[]", [1, kind])
    for _ in range(300):
        game = ffi.new("cf_game *")
        lib.cf_deal(game, rules(rng), rng.getrandbits(64))
        while (who := lib.cf_next(game)) >= 0:
            mask, public = lib.cf_mask(game), ffi.addressof(game, "pub")
            action = lib.cf_script(kind, public, ffi.addressof(game, "priv", who), mask, chance)
            assert lib.cf_take(game, action, -1) == 0


def test_the_judge_of_a_game_that_is_over_says_who_won() -> None:
    net = training.new_net(True, WIDTHS, np.random.default_rng(1)).compiled()
    rng = random.Random(7)
    for _ in range(50):
        game = ffi.new("cf_game *")
        lib.cf_deal(game, rules(rng), rng.getrandbits(64))
        assert 0 < lib.cf_judge(net, game, ffi.NULL) < 1
        lib.cf_finish(game)
        assert lib.cf_judge(net, game, ffi.NULL) == (game.pub.winner == lib.CF_HUMAN)


@pytest.mark.parametrize("truth", [False, True])
def test_training_computes_what_the_kernel_computes_and_its_slopes_are_right(truth: bool) -> None:
    rng = np.random.default_rng(3)
    net = training.new_net(truth, WIDTHS, rng)
    net.row += rng.standard_normal(len(net.row)).astype(np.float32) * np.float32(0.05)
    net.parts["player_bias"][:] = 0
    shown = rng.random((6, net.parts["first"].shape[0] - WIDTHS[0])).astype(np.float32)
    players = rng.random((6, training.SLOTS, net.parts["player"].shape[0])).astype(np.float32)
    players[:, 8:] = 0
    players = players.reshape(6, -1)
    done = training.forward(net, shown, players)
    logits = ffi.new("float[]", lib.CF_ACTIONS)
    rows = [ffi.from_buffer("float[]", one[0].copy()) for one in (shown, players)]
    chance = lib.cf_forward(net.compiled(), 8, *rows, logits)
    assert chance == pytest.approx(1 / (1 + np.exp(-done.value[0])), abs=1e-5)
    if done.logits is not None:
        assert list(logits)[:16] == pytest.approx(done.logits[0][:16].tolist(), abs=1e-4)
    value = rng.standard_normal(6).astype(np.float32)
    pull = None if truth else rng.standard_normal((6, lib.CF_ACTIONS)).astype(np.float32)

    def height(row: Any) -> float:
        there = training.forward(training.Net(truth, WIDTHS, row), shown, players)
        own = float(there.value.astype(np.float64) @ value)
        return (
            own if pull is None or there.logits is None else own + float((there.logits.astype(np.float64) * pull).sum())
        )

    slope = training.backward(net, done, value, pull)
    bias = net.parts["player"].size, net.parts["player"].size + WIDTHS[0]
    for at in rng.integers(0, len(net.row), 60):
        if bias[0] <= at < bias[1]:
            continue
        near = [net.row.copy(), net.row.copy()]
        near[0][at] += np.float32(0.01)
        near[1][at] -= np.float32(0.01)
        assert (height(near[0]) - height(near[1])) / 0.02 == pytest.approx(slope[at], rel=0.05, abs=0.05)
