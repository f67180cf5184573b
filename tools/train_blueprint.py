"""Trains the nets of the AIs by self-play in the compiled kernel; `make train`. How it went: docs/model-card.md.

Each net plays every seat at every size of table. A policy sees what its seat may know (kernel/features.c); a judge, who
sees the truth, tells how much each decision changed the humans' chances, and the policy learns from that (clipped
policy gradients, PPO). At every table sit the net of now, nets of before, and scripts. A run that is stopped and
resumed goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cinderforge.arena.by_kernel import Mind, play_cells
from cinderforge.arena.tables import Cell
from cinderforge.bots.weights import Weights, write_weights
from cinderforge.kernel import ffi, lib
from cinderforge.kernel.scripts import NET, SCRIPTS
from cinderforge.rules.settings import DEFAULT_TARGETS, MAX_SEATS, MIN_SEATS, default_settings, others_dealt

Floats = NDArray[np.float32]

SLOTS: Final[int] = lib.CF_SLOTS
ACTS: Final = 8
ACTIONS: Final[int] = lib.CF_ACTIONS
FOLDER: Final = Path("build/seed1")
SEATS: Final = 8


# -- nets --------------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Net:
    """The numbers of a net in one row, and the matrices as windows onto it; the order is that of kernel/net.c."""

    truth: bool
    widths: tuple[int, int, int]
    row: Floats
    parts: dict[str, Floats] = field(default_factory=dict)

    def __post_init__(self) -> None:
        at = 0
        for name, shape in self.shapes().items():
            size = int(np.prod(shape))
            self.parts[name] = self.row[at : at + size].reshape(shape)
            at += size
        assert at == len(self.row) == lib.cf_net_size(self.truth, *self.widths)

    def shapes(self) -> dict[str, tuple[int, ...]]:
        return _shapes(self.truth, self.widths)

    def compiled(self) -> Any:
        made = lib.cf_net_new(self.truth, *self.widths, ffi.from_buffer("float[]", self.row))
        return ffi.gc(made, lib.cf_net_free)

    def copy(self) -> Net:
        return Net(self.truth, self.widths, self.row.copy())


def _shapes(truth: bool, widths: tuple[int, int, int]) -> dict[str, tuple[int, ...]]:
    w0, w1, w2 = widths
    fp = lib.CF_TRUTH_FEATURES if truth else lib.CF_PLAYER_FEATURES
    fg = lib.CF_TRUTH_GLOBALS if truth else lib.CF_GLOBAL_FEATURES
    shapes: dict[str, tuple[int, ...]] = {
        "player": (fp, w0),
        "player_bias": (w0,),
        "first": (fg + w0, w1),
        "first_bias": (w1,),
        "second": (w1, w2),
        "second_bias": (w2,),
        "value": (w2,),
        "value_bias": (1,),
    }
    if not truth:
        shapes |= {"acts": (w2, ACTS), "acts_bias": (ACTS,), "point": (w2, w0), "point_bias": (w0,)}
    return shapes


def new_net(truth: bool, widths: tuple[int, int, int], rng: np.random.Generator) -> Net:
    """Random weights; the last layers small, so that all legal actions start out nearly alike."""
    net = Net(truth, widths, np.zeros(lib.cf_net_size(truth, *widths), np.float32))
    for name, shape in net.shapes().items():
        if len(shape) == 2:
            scale = np.sqrt(2 / shape[0]) * (0.1 if name in ("acts", "point") else 1)
            net.parts[name][:] = rng.standard_normal(shape) * scale
    net.parts["value"][:] = rng.standard_normal(widths[2]) * 0.05
    return net


@dataclass(slots=True)
class Pass:
    """What a forward pass leaves for the backward one."""

    players: Floats
    each: Floats
    first_in: Floats
    h1: Floats
    h2: Floats
    value: Floats
    q: Floats | None = None
    logits: Floats | None = None


def forward(net: Net, g: Floats, players: Floats) -> Pass:
    """Slots without a player are rows of zeros and stay so: the player's layer has no bias of its own."""
    p = net.parts
    count = len(g)
    flat = players.reshape(count * SLOTS, -1)
    each = np.maximum(flat @ p["player"], 0).reshape(count, SLOTS, -1)
    first_in = np.concatenate([g, each.sum(1) * np.float32(0.25)], 1)
    h1 = np.maximum(first_in @ p["first"] + p["first_bias"], 0)
    h2 = np.maximum(h1 @ p["second"] + p["second_bias"], 0)
    done = Pass(players, each, first_in, h1, h2, h2 @ p["value"] + p["value_bias"])
    if not net.truth:
        done.q = h2 @ p["point"] + p["point_bias"]
        point = np.matmul(each, done.q[:, :, None])[:, :, 0] * np.float32(0.25)
        done.logits = np.concatenate([h2 @ p["acts"] + p["acts_bias"], point], 1)
    return done


def backward(net: Net, done: Pass, value: Floats, logits: Floats | None = None) -> Floats:
    """The gradient of the row, from those of the value (before the sigmoid) and the logits."""
    out = Net(net.truth, net.widths, np.zeros_like(net.row))
    p, d = net.parts, out.parts
    count = len(value)
    d["value"][:] = done.h2.T @ value
    d["value_bias"][:] = value.sum()
    dh2 = np.outer(value, p["value"])
    deach: Floats | None = None
    if logits is not None:
        assert done.q is not None
        acts, point = logits[:, :ACTS], logits[:, ACTS:] * np.float32(0.25)
        d["acts"][:] = done.h2.T @ acts
        d["acts_bias"][:] = acts.sum(0)
        dq = np.matmul(point[:, None, :], done.each)[:, 0]
        d["point"][:] = done.h2.T @ dq
        d["point_bias"][:] = dq.sum(0)
        dh2 += acts @ p["acts"].T + dq @ p["point"].T
        deach = point[:, :, None] * done.q[:, None, :]
    dh2 *= done.h2 > 0
    d["second"][:] = done.h1.T @ dh2
    d["second_bias"][:] = dh2.sum(0)
    dh1 = (dh2 @ p["second"].T) * (done.h1 > 0)
    d["first"][:] = done.first_in.T @ dh1
    d["first_bias"][:] = dh1.sum(0)
    pool = (dh1 @ p["first"][-net.widths[0] :].T * np.float32(0.25))[:, None, :]
    each = (pool if deach is None else deach + pool) * (done.each > 0)
    d["player"][:] = done.players.reshape(count * SLOTS, -1).T @ each.reshape(count * SLOTS, -1)
    return out.row


@dataclass(slots=True)
class Adam:
    size: int
    mean: Floats = field(init=False)
    square: Floats = field(init=False)
    steps: int = 0

    def __post_init__(self) -> None:
        self.mean = np.zeros(self.size, np.float32)
        self.square = np.zeros(self.size, np.float32)

    def step(self, row: Floats, slope: Floats, rate: float) -> None:
        norm = float(np.sqrt(slope @ slope))
        slope = slope * np.float32(min(1.0, 0.5 / (norm + 1e-9)))
        self.steps += 1
        self.mean += np.float32(0.1) * (slope - self.mean)
        self.square += np.float32(0.002) * (slope * slope - self.square)
        mean = self.mean / (1 - 0.9**self.steps)
        square = self.square / (1 - 0.998**self.steps)
        row -= (rate * mean / (np.sqrt(square) + 1e-6)).astype(np.float32)


# -- games -------------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Minds:
    """Who may sit at a table, as the kernel wants it; keeps the nets that it points to alive."""

    row: list[tuple[int, int, float, float, Any]] = field(default_factory=list)

    def add(self, net: Any = None, kind: int = 0, learns: int = 0, temperature: float = 1, noise: float = 0) -> int:
        self.row.append((kind, learns, temperature, noise, net or ffi.NULL))
        return len(self.row) - 1

    def compiled(self) -> Any:
        return ffi.new("cf_mind[]", self.row)


def rules_default(count: int, seats: int = SEATS) -> NDArray[np.int8]:
    """As many equal rows (count, 6): seats, A, K, then the three options, at the defaults of this size."""
    activation, kill = DEFAULT_TARGETS[seats]
    return np.tile(np.array([seats, activation, kill, 1, 0, 0], np.int8), (count, 1))


def rules_of_all_kinds(count: int, rng: np.random.Generator, usual: float) -> NDArray[np.int8]:
    """Rows (count, 6), as `rules_default` makes them: a share `usual` of eight seats at the defaults, the others of any
    size, in part with other options, A and K.
    """
    rules = rules_default(count)
    others = rules[round(count * usual) :]
    for one in others:
        seats = int(rng.integers(MIN_SEATS, MAX_SEATS + 1))
        one[:3] = seats, *DEFAULT_TARGETS[seats]
        if rng.random() < 0.2:
            one[1:3] = rng.integers(1, min(4, others_dealt(seats)) + 1, 2)
    options = rng.random((len(others), 3)) < (0.2, 0.15, 0.25)
    others[:, 3] = ~options[:, 0]
    others[:, 4:6] = options[:, 1:]
    return rules


def play(
    rules: NDArray[np.int8],
    minds: Minds,
    human: NDArray[np.int8],
    dragon: NDArray[np.int8],
    rng: np.random.Generator,
    judge: Any = None,
    keep: Any = None,
) -> tuple[NDArray[np.int8], NDArray[np.int8], NDArray[np.int8]]:
    """Winner (0 the humans), reason and rounds by game."""
    count = len(rules)
    seeds = rng.integers(0, 2**63, count, dtype=np.uint64)
    out = [np.zeros(count, np.int8) for _ in range(3)]
    done = lib.cf_play_games(
        count,
        ffi.from_buffer("cf_rules[]", rules),
        ffi.from_buffer("uint64_t[]", seeds),
        minds.compiled(),
        ffi.from_buffer("int8_t[]", human),
        ffi.from_buffer("int8_t[]", dragon),
        judge or ffi.NULL,
        *(ffi.from_buffer("int8_t[]", one) for one in out),
        keep or ffi.NULL,
    )
    return out[0][:done], out[1][:done], out[2][:done]


class Keep:
    """Room for the decisions of a batch of games."""

    def __init__(self, room: int, truth_room: int, games: int) -> None:
        self.arrays: dict[str, NDArray[Any]] = {
            "global": np.zeros((room, lib.CF_GLOBAL_FEATURES), np.float32),
            "players": np.zeros((room, SLOTS * lib.CF_PLAYER_FEATURES), np.float32),
            "mask": np.zeros(room, np.uint32),
            "action": np.zeros(room, np.int8),
            "seats": np.zeros(room, np.int8),
            "faction": np.zeros(room, np.int8),
            "prob": np.zeros(room, np.float32),
            "at": np.zeros(room, np.int32),
            "truth_global": np.zeros((truth_room, lib.CF_TRUTH_GLOBALS), np.float32),
            "truth_players": np.zeros((truth_room, SLOTS * lib.CF_TRUTH_FEATURES), np.float32),
            "value": np.zeros(truth_room, np.float32),
            "truth_seats": np.zeros(truth_room, np.int8),
            "first": np.zeros(games + 1, np.int32),
        }
        self.made = ffi.new("cf_keep *", {"room": room, "truth_room": truth_room})
        kinds = {np.dtype(np.float32): "float[]", np.dtype(np.int8): "int8_t[]"}
        kinds |= {np.dtype(np.uint32): "uint32_t[]", np.dtype(np.int32): "int32_t[]"}
        self.held = {name: ffi.from_buffer(kinds[one.dtype], one) for name, one in self.arrays.items()}
        for name, held in self.held.items():
            setattr(self.made, name, held)

    def empty(self) -> Any:
        self.made.count = self.made.truths = 0
        return self.made


# -- training ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Shares:
    """How many of the tables are of a kind; at the others one faction is a script. Where no guest is, the past is."""

    itself: float = 0.3
    mixed: float = 0.2
    """Seats are the net's of now, of before, guests', scripts', as it comes; at half of them one kind of strangers."""
    guests: float = 0.15
    """One faction is a guest's; so it is with those that follow."""
    past: float = 0.1
    plain: float = 0.15


@dataclass(slots=True)
class Plan:
    seed: int = 1
    widths: tuple[int, int, int] = (32, 96, 64)
    judge_widths: tuple[int, int, int] = (32, 64, 64)
    games: int = 1000
    """In one step."""
    rate: float = 1e-3
    least_rate: float = 2e-4
    cooling: float = 600
    """Steps in which rate and entropy fall to a third."""
    entropy: float = 0.02
    least_entropy: float = 0.008
    trace: float = 0.9
    clip: float = 0.2
    epochs: int = 2
    batch: int = 3000
    calm: float = 0.98
    """How much of the average of nets so far stays at each step; the average is what is shipped."""
    every: int = 40
    """Steps between two nets of the past."""
    measure: int = 50
    """Steps between two measurements, which take as long as some twenty steps."""
    shares: Shares = Shares()
    usual: float = 0.35
    """The share of tables of eight at the defaults."""


EXPLOITS: Final = Plan(usual=1, cooling=100, entropy=0.008, least_entropy=0.002, calm=0.95)
"""How an exploiter is trained: at the usual table, and it need not keep its acts mixed."""


@dataclass(frozen=True, slots=True)
class Guest:
    net: Net
    sides: tuple[str, ...] = ("human", "dragon")
    """The factions that it has learnt to play."""


class Trainer:
    """All that a run is; saved whole, so that it can go on.

    With a foe it trains an exploiter instead: a whole faction (`side`) or one seat of either ("one", at tables of
    eight) against this net alone. Guests are nets of other runs: each is a whole faction in some games, an exploiter
    its own, and those that play both are strangers in mixed teams. `start` is the policy and the judge to begin with.
    """

    def __init__(
        self,
        plan: Plan,
        foe: Net | None = None,
        side: str = "human",
        guests: Sequence[Guest] = (),
        start: tuple[Net, Net] | None = None,
    ) -> None:
        self.plan, self.foe, self.side, self.guests = plan, foe, side, guests
        self.rng = np.random.default_rng(plan.seed)
        self.policy = new_net(False, plan.widths, self.rng)
        self.judge = new_net(True, plan.judge_widths, self.rng)
        self.adam, self.judge_adam = Adam(len(self.policy.row)), Adam(len(self.judge.row))
        if start is not None:
            self.policy, self.judge = start[0].copy(), start[1].copy()
        self.average = self.policy.copy()
        self.past: list[Net] = []
        self.steps = 0
        self.games = 0
        self.keep = Keep(plan.games * 50, plan.games * 75, plan.games)
        self.told: dict[str, float] = {}

    # -- who sits where ------------------------------------------------------------------------------------------------

    def tables(self, count: int) -> tuple[Minds, NDArray[np.int8], NDArray[np.int8]]:
        """Minds, and which of them sits where, for humans and for dragons by game and turn."""
        rng, minds = self.rng, Minds()
        now = self.policy.compiled()
        me = minds.add(now, learns=1)
        if self.foe is not None:
            foe = minds.add(self.foe.compiled())
            sits = [np.full((count, 10), me if side == self.side else foe, np.int8) for side in ("human", "dragon")]
            if self.side == "one":
                lone = rng.integers(0, SEATS, count)
                for row in sits:
                    row[np.arange(count), lone] = me
            return minds, sits[0], sits[1]
        noisy = minds.add(now, noise=0.15)
        picked = rng.permutation(len(self.past))[:6]
        past = [minds.add(self.past[i].compiled()) for i in picked] or [me]
        guests: dict[str, list[int]] = {"human": [], "dragon": []}
        for guest in self.guests:
            seat = minds.add(guest.net.compiled())
            for faction in guest.sides:
                guests[faction].append(seat)
        scripts = [minds.add(kind=kind, noise=0.1 * (kind == SCRIPTS["plain"])) for kind in SCRIPTS.values()]
        plain = minds.add(kind=SCRIPTS["plain"])
        seeds = [seat for seat in guests["human"] if seat in guests["dragon"]]
        others = [*past, *seeds * 3, noisy, *scripts, plain, plain]
        human, dragon = np.full((2, count, 10), me, np.int8)
        shares = self.plan.shares
        until = np.cumsum([shares.itself, shares.mixed, shares.guests, shares.past, shares.plain]).round(9).tolist()
        for number in range(count):
            mode = rng.random()
            if mode < until[0]:
                continue
            name = "human" if rng.random() < 0.5 else "dragon"
            side = human if name == "human" else dragon
            if mode < until[1]:
                strangers = others if rng.random() < 0.5 else [rng.choice(others)]
                for row in (human, dragon):
                    mixed = rng.random(10) < 0.4
                    row[number, mixed] = rng.choice(strangers, mixed.sum())
            elif mode < until[2] and guests[name]:
                side[number] = rng.choice(guests[name])
            elif mode < until[3]:
                side[number] = rng.choice(past)
            elif mode < until[4]:
                side[number] = plain
            else:
                side[number] = rng.choice(scripts)
        return minds, human, dragon

    # -- one step ------------------------------------------------------------------------------------------------------

    def step(self) -> None:
        plan = self.plan
        cooled = 3.0 ** (-self.steps / plan.cooling)
        rate = max(plan.least_rate, plan.rate * cooled)
        rules = rules_of_all_kinds(plan.games, self.rng, plan.usual)
        minds, human, dragon = self.tables(plan.games)
        keep = self.keep.empty()
        begun = time.perf_counter()
        winner, _, _ = play(rules, minds, human, dragon, self.rng, self.judge.compiled(), keep)
        played = time.perf_counter() - begun
        first = self.keep.arrays["first"][: len(winner) + 1]
        gain, target = self.gains(winner, first)
        begun = time.perf_counter()
        self.learn_to_judge(target, rate)
        judged = time.perf_counter() - begun
        begun = time.perf_counter()
        self.learn_to_play(winner, first, gain, rate, max(plan.least_entropy, plan.entropy * cooled))
        self.told |= {"rate": rate, "play_s": played, "judge_s": judged, "learn_s": time.perf_counter() - begun}
        self.told |= {"decisions": float(keep.count), "truths": float(keep.truths)}
        self.average.row += np.float32(1 - plan.calm) * (self.policy.row - self.average.row)
        self.steps += 1
        self.games += len(winner)
        if self.steps % plan.every == 0:
            self.past.append(self.policy.copy())
            if len(self.past) > 40:
                del self.past[int(self.rng.integers(0, 30))]

    def gains(self, winner: NDArray[np.int8], first: NDArray[np.int32]) -> tuple[Floats, Floats]:
        """By truth: how much better for the humans it went than was judged, traced along the game; the judge's aim."""
        value = self.keep.arrays["value"][: first[-1]]
        after = np.append(value[1:], 0)
        last = first[1:] - 1
        some = first[1:] > first[:-1]
        after[last[some]] = winner[some] == 0
        ends = np.zeros(len(value), bool)
        ends[last[some]] = True
        surprise = (after - value).tolist()
        gain, trace, left = [0.0] * len(value), self.plan.trace, 0.0
        for at in range(len(value) - 1, -1, -1):
            left = surprise[at] + (0.0 if ends[at] else trace * left)
            gain[at] = left
        gains = np.array(gain, np.float32)
        return gains, np.clip(value + gains, 0, 1)

    def learn_to_judge(self, target: Floats, rate: float) -> None:
        kept = self.keep.arrays
        order = self.rng.permutation(len(target))
        loss = 0.0
        for at in range(0, len(order), 4000):
            some = order[at : at + 4000]
            done = forward(self.judge, kept["truth_global"][some], kept["truth_players"][some])
            found = 1 / (1 + np.exp(-done.value))
            loss += float(((found - target[some]) ** 2).sum())
            slope = (found - target[some]).astype(np.float32) / np.float32(len(some))
            self.judge_adam.step(self.judge.row, backward(self.judge, done, slope), rate)
        self.told["judge_error"] = loss / len(target)

    def learn_to_play(
        self, winner: NDArray[np.int8], first: NDArray[np.int32], gain: Floats, rate: float, entropy: float
    ) -> None:
        plan, kept = self.plan, self.keep.arrays
        count = int(self.keep.made.count)
        at, faction = kept["at"][:count], kept["faction"][:count]
        game = np.searchsorted(first, at, "right") - 1
        won = (winner[game] == faction).astype(np.float32)
        better = gain[at] * np.where(faction == 0, 1, -1)
        better = (better / (better.std() + 1e-6)).astype(np.float32)
        legal = (kept["mask"][:count, None] >> np.arange(ACTIONS, dtype=np.uint32)) & 1 > 0
        spread, clipped = 0.0, 0
        for _ in range(plan.epochs):
            order = self.rng.permutation(count)
            for start in range(0, count, plan.batch):
                some = order[start : start + plan.batch]
                done = forward(self.policy, kept["global"][some], kept["players"][some])
                assert done.logits is not None
                size = np.float32(len(some))
                prob, log = _softmax(done.logits, legal[some])
                rows, chosen = np.arange(len(some)), kept["action"][some].astype(np.int64)
                ratio = prob[rows, chosen] / kept["prob"][some]
                pull = better[some]
                held = np.where(pull > 0, ratio > 1 + plan.clip, ratio < 1 - plan.clip)
                strength = np.where(held, 0, pull * ratio) / size
                slope = prob * strength[:, None]
                slope[rows, chosen] -= strength
                disorder = -(prob * log).sum(1)
                slope += (entropy / size) * prob * (log + disorder[:, None])
                chance = 1 / (1 + np.exp(-done.value))
                aim = ((chance - won[some]) * (0.5 / size)).astype(np.float32)
                self.adam.step(self.policy.row, backward(self.policy, done, aim, slope.astype(np.float32)), rate)
                spread += float(disorder.sum())
                clipped += int(held.sum())
        self.told |= {"entropy": spread / (count * plan.epochs), "clipped": clipped / (count * plan.epochs)}

    # -- keeping and measuring -----------------------------------------------------------------------------------------

    def measured(self) -> dict[str, float]:
        """The average net against scripts; by how many points an exploiter's seats win more often than the foe's."""
        return measured(self.average) if self.foe is None else exploited(self.average, self.foe, self.side)

    def save(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        beside = folder / "run.new.npz"
        np.savez(
            beside,
            policy=self.policy.row,
            average=self.average.row,
            judge=self.judge.row,
            past=np.array([one.row for one in self.past], np.float32).reshape(len(self.past), len(self.policy.row)),
            moments=np.stack([self.adam.mean, self.adam.square]),
            judge_moments=np.stack([self.judge_adam.mean, self.judge_adam.square]),
            counts=np.array([self.steps, self.games, self.adam.steps, self.judge_adam.steps]),
            state=np.array(json.dumps(self.rng.bit_generator.state)),
            sides=np.array([self.side] if self.foe and self.side != "one" else ["human", "dragon"]),
        )
        beside.replace(folder / "run.npz")

    def resume(self, folder: Path) -> None:
        with np.load(folder / "run.npz") as kept:
            self.policy.row[:] = kept["policy"]
            self.average.row[:] = kept["average"]
            self.judge.row[:] = kept["judge"]
            self.past = [Net(False, self.plan.widths, row.copy()) for row in kept["past"]]
            self.adam.mean, self.adam.square = kept["moments"].copy()
            self.judge_adam.mean, self.judge_adam.square = kept["judge_moments"].copy()
            self.steps, self.games, self.adam.steps, self.judge_adam.steps = map(int, kept["counts"])
            self.rng.bit_generator.state = json.loads(str(kept["state"]))


def _softmax(logits: Floats, legal: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Probabilities, and their logarithms (0 where the probability is)."""
    masked = np.where(legal, logits, np.float32(-1e9))
    masked -= masked.max(1, keepdims=True)
    prob = np.exp(masked)
    total = prob.sum(1, keepdims=True)
    prob /= total
    return prob, np.where(legal, masked - np.log(total), np.float32(0))


def human_wins(human: dict[str, Any], dragon: dict[str, Any], games: int, seed: int, seats: int = 8) -> float:
    """How often the humans win at the default table when one mind plays all of theirs, another all of the dragons'."""
    minds = Minds()
    one, two = minds.add(**human), minds.add(**dragon)
    sits = [np.full((games, 10), at, np.int8) for at in (one, two)]
    winner, _, _ = play(rules_default(games, seats), minds, sits[0], sits[1], np.random.default_rng(seed))
    return float((winner == 0).mean())


def exploited(net: Net, foe: Net, side: str, deals: int = 4000, seed: str = "exploited") -> dict[str, float]:
    """In points: what this net in these seats of a table of `foe` gains beside one more `foe`, at the same deals."""
    minds = {"net": Mind(NET, net=net.compiled()), "foe": Mind(NET, net=foe.compiled())}
    asked = {
        "human": [Cell("all humans", "net", "foe")],
        "dragon": [Cell("all humans", "foe", "net")],
        "one": [Cell("one human", "net", "foe"), Cell("one dragon", "net", "foe")],
    }[side]
    cells = [Cell("all humans", "foe", "foe"), *asked]
    rates = [
        100 * sum(one.humans_won for one in results) / deals
        for results in play_cells(default_settings(SEATS), minds, cells, seed, range(deals)).results
    ]
    told = {"itself": rates[0]}
    for cell, rate in zip(asked, rates[1:], strict=True):
        dragons = cell.population == "net" or cell.kind == "one dragon"
        told[f"{cell.kind if side == 'one' else side} gains"] = (rates[0] - rate) if dragons else (rate - rates[0])
    return {name: round(points, 2) for name, points in told.items()}


def kept_nets(where: Path, plan: Plan) -> tuple[Net, Net]:
    """The policy and the judge that another run has come to (its folder), or those of a file of nets."""
    if where.is_dir():
        with np.load(where / "run.npz") as kept:
            return Net(False, plan.widths, kept["average"].copy()), Net(True, plan.judge_widths, kept["judge"].copy())
    payload = np.frombuffer(where.read_bytes().partition(b"\n")[2], "<f2").astype(np.float32)
    size = lib.cf_net_size(False, *plan.widths)
    return Net(False, plan.widths, payload[:size].copy()), Net(True, plan.judge_widths, payload[size:].copy())


def measured(policy: Net, games: int = 3000, seed: int = 99) -> dict[str, float]:
    now = {"net": policy.compiled()}
    plain, dice = {"kind": SCRIPTS["plain"]}, {"kind": SCRIPTS["dice"]}
    pairs = {"self": (now, now), "now/plain": (now, plain), "plain/now": (plain, now)}
    pairs |= {"now/dice": (now, dice), "dice/now": (dice, now), "plain/plain": (plain, plain)}
    return {name: round(human_wins(one, two, games, seed), 3) for name, (one, two) in pairs.items()}


def guest_of(where: Path, plan: Plan) -> Guest:
    """A run's policy, or that of a file of nets, for the factions that it was trained as."""
    policy, _ = kept_nets(where, plan)
    if not where.is_dir():
        return Guest(policy)
    with np.load(where / "run.npz") as kept:
        return Guest(policy, tuple(map(str, kept["sides"])) if "sides" in kept else ("human", "dragon"))


def as_file(policy: Net, judge: Net) -> bytes:
    """Both as a file of nets (bots/weights)."""
    return write_weights([Weights(net.truth, net.widths, net.row.tolist()) for net in (policy, judge)])


def main() -> None:
    parser = argparse.ArgumentParser(description=f"{__doc__}\nNETS is the folder of a run, or a file of nets.")
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--steps", type=int, help="stop after so many in all, if time allows")
    parser.add_argument("--exploit", type=Path, metavar="NETS", help="train an exploiter of these")
    parser.add_argument("--side", choices=("human", "dragon", "one"), default="human", help="the exploiter's seats")
    parser.add_argument("--start", type=Path, metavar="NETS", help="begin with these (exploiters do with their foe)")
    parser.add_argument("--guests", type=Path, nargs="*", default=(), metavar="NETS", help="play with these, too")
    parser.add_argument("--ship", type=Path, help="write the weights for the AIs here and stop")
    args = parser.parse_args()
    plan = replace(EXPLOITS if args.exploit else Plan(), seed=args.seed)
    foe = kept_nets(args.exploit, plan)[0] if args.exploit else None
    begun = args.start or args.exploit
    start = kept_nets(begun, plan) if begun else None
    trainer = Trainer(plan, foe, args.side, [guest_of(one, plan) for one in args.guests], start)
    if (args.folder / "run.npz").exists():
        trainer.resume(args.folder)
    if args.ship:
        args.ship.write_bytes(as_file(trainer.average, trainer.judge))
        return
    end = time.monotonic() + 60 * args.minutes
    kept = time.monotonic()
    while time.monotonic() < end and (args.steps is None or trainer.steps < args.steps):
        trainer.step()
        if trainer.steps % trainer.plan.measure == 0:
            told = {name: round(value, 4) for name, value in trainer.told.items()}
            print(trainer.steps, trainer.games, told, trainer.measured(), flush=True)
        if time.monotonic() - kept > 60:
            kept = time.monotonic()
            trainer.save(args.folder)
    trainer.save(args.folder)


if __name__ == "__main__":
    main()
