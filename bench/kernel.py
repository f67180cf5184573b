"""How fast is the compiled kernel? Random games on one core, beside a hidden-role game of OpenSpiel in C++, in one run.

Each is driven twice: inside its own language, as a search would play it out, and from Python, step by step. In C++,
OpenSpiel's games are played by the random rollouts of its search, which count games; its decisions a game are those of
the games driven from Python. Passes take turns; rates are per second of CPU time. Run it by `make bench`.
"""

from __future__ import annotations

import argparse
import importlib
import os
import platform
import random
import statistics
import time
from collections.abc import Callable
from functools import cache
from typing import Any

from bench.engine import open_spiel
from cinderforge.kernel import ffi, lib
from cinderforge.rules.settings import default_settings

Batch = Callable[[int, random.Random], int]
"""Plays so many whole games; gives the number of decisions, or 0 where it cannot count them."""

REFERENCE = "social_deduction(players=8,imposters=2)"
LEAST = 5_000_000
LEAST_RATIO = 1.5


def _rules(seats: int) -> Any:
    usual = default_settings(seats)
    return ffi.new("cf_rules *", [seats, usual.activation_target, usual.kill_target, 1, 0, 0])


def ours(seats: int) -> Batch:
    """Whole games in C: dealt, masks made, evenly drawn legal actions done, private views kept."""
    rules, wins, reasons = _rules(seats), ffi.new("int64_t *"), ffi.new("int64_t[5]")

    def play(games: int, rng: random.Random) -> int:
        return int(lib.cf_random_games(rules, games, rng.getrandbits(63), wins, reasons))

    return play


def ours_from_python(seats: int) -> Batch:
    """The same, one call for each step."""
    rules, game = _rules(seats), ffi.new("cf_game *")

    def play(games: int, rng: random.Random) -> int:
        decisions = 0
        for _ in range(games):
            lib.cf_deal(game, rules, rng.getrandbits(63))
            while mask := lib.cf_mask(game) or game.pub.phase == lib.CF_ROW:
                lib.cf_apply(game, rng.choice(legal(mask)), -1)
                decisions += 1
        return decisions

    return play


@cache
def legal(mask: int) -> list[int]:
    """The actions of a mask."""
    return [action for action in range(18) if mask >> action & 1]


def theirs() -> Batch:
    """Games in C++, from the deal on: a search of one step has its evaluator play so many out at random."""
    pyspiel: Any = importlib.import_module("pyspiel")
    game = pyspiel.load_game(REFERENCE)

    def play(games: int, rng: random.Random) -> int:
        seed = rng.getrandbits(30)
        state = game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(rng.choice(state.legal_actions()))
        rollouts = pyspiel.RandomRolloutEvaluator(games, seed)
        bot = pyspiel.MCTSBot(game, rollouts, 1.0, 1, 10, False, seed, False)
        bot.mcts_search(state)
        return 0

    return play


def theirs_from_python() -> Batch:
    """The same, one call for each step."""
    play_one = open_spiel(REFERENCE)
    return lambda games, rng: sum(play_one(rng) for _ in range(games))


def one_pass(play: Batch, games: int, seed: int, seconds: float) -> tuple[float, float]:
    """Games and decisions per second of CPU time."""
    rng = random.Random(seed)
    played = decisions = 0
    start, end = time.process_time(), time.perf_counter() + seconds
    while time.perf_counter() < end:
        decisions += play(games, rng)
        played += games
    spent = max(time.process_time() - start, 1e-9)
    return played / spent, decisions / spent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0, help="a pass of a case")
    parser.add_argument("--passes", type=int, default=5)
    args = parser.parse_args()
    cases: dict[str, tuple[Batch, int]] = {
        "kernel in C, 8 seats": (ours(8), 10_000),
        "OpenSpiel social_deduction in C++": (theirs(), 200),
        "kernel from Python, 8 seats": (ours_from_python(8), 20),
        "OpenSpiel social_deduction from Python": (theirs_from_python(), 20),
    }
    cases |= {f"kernel in C, {seats} seats": (ours(seats), 10_000) for seats in (5, 10)}
    rates: dict[str, list[tuple[float, float]]] = {label: [] for label in cases}
    for number in range(args.passes + 1):
        for label, (play, games) in cases.items():
            found = one_pass(play, games, 100 + number, args.seconds if number else min(0.2, args.seconds))
            if number:  # the first one is for warmth
                rates[label].append(found)
    games = {label: statistics.median(g for g, _ in found) for label, found in rates.items()}
    decisions = {label: statistics.median(d for _, d in found) for label, found in rates.items()}
    stepped = "OpenSpiel social_deduction from Python"
    in_cpp = "OpenSpiel social_deduction in C++"
    decisions[in_cpp] = games[in_cpp] * decisions[stepped] / games[stepped]
    print(f"python {platform.python_version()}, {os.cpu_count()} cores, {args.passes} passes of {args.seconds:g} s")
    print(f"| {'case':38} | games/s | decisions/s |")
    print("| --- | --- | --- |")
    for label in cases:
        print(f"| {label:38} | {games[label]:,.0f} | {decisions[label]:,.0f} |")
    mine = decisions["kernel in C, 8 seats"]
    print(f"\nin their own languages {mine / decisions[in_cpp]:.1f} times as many (bar {LEAST_RATIO})", end="")
    print(f"; from Python {decisions['kernel from Python, 8 seats'] / decisions[stepped]:.2f} times")
    print(f"{mine:,.0f} decisions a second (bar {LEAST:,})")


if __name__ == "__main__":
    main()
