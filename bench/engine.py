"""How fast is the rules engine? Decisions and whole random games a second, as ratios to peers driven in the same run.

Every case plays whole games of uniformly random legal moves, in several passes that take turns, so that a burst of
other work hits all cases. Rates are per second of this process's CPU time. Run it by `make bench`.
"""

from __future__ import annotations

import argparse
import importlib
import os
import platform
import random
import statistics
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from cinderforge.rules.commands import EndNight
from cinderforge.rules.game import deal, offers, take, take_clock
from cinderforge.rules.luck import SeededLuck
from cinderforge.rules.offers import commands_of
from cinderforge.rules.settings import default_settings
from cinderforge.rules.state import to_act

warnings.filterwarnings("ignore")
Play = Callable[[random.Random], int]
"""Plays one whole game; gives the number of decisions players made."""

BARS = {"python_liars_poker": 1.5, "python_block_dominoes": 1.5, "leduc": 5.0}


def our_game(seats: int) -> Play:
    """Our own engine, driven as its users drive it: offers, take."""
    rules = default_settings(seats)

    def play(rng: random.Random) -> int:
        state = take_clock(deal(rules, SeededLuck(rng.randbytes(32))), EndNight())[1]
        decisions = 0
        while (turn := to_act(state.table)) is not None:
            offer = offers(state, turn)
            assert offer is not None
            decisions += 1
            state = take(state, turn, rng.choice(commands_of(offer)))[1]
        return decisions

    return play


def open_spiel(name: str) -> Play:
    """A game of OpenSpiel, driven from Python: legal_actions, apply_action."""
    pyspiel: Any = importlib.import_module("pyspiel")
    importlib.import_module("open_spiel.python.games")
    game = pyspiel.load_game(name)

    def play(rng: random.Random) -> int:
        state = game.new_initial_state()
        decisions = 0
        while not state.is_terminal():
            if state.is_chance_node():
                actions, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(actions, weights)[0])
                continue
            decisions += 1
            state.apply_action(rng.choice(state.legal_actions()))
        return decisions

    return play


def petting_zoo(module: str) -> Play:
    """A card game of PettingZoo in its AEC loop, with masked random actions."""
    numpy: Any = importlib.import_module("numpy")
    env = importlib.import_module(f"pettingzoo.classic.{module}").env()

    def play(rng: random.Random) -> int:
        env.reset(seed=rng.randrange(1 << 30))
        decisions = 0
        for _ in env.agent_iter():
            seen, _, ended, cut, _ = env.last()
            if ended or cut:
                env.step(None)
                continue
            legal = numpy.flatnonzero(seen["action_mask"])
            env.step(int(legal[rng.randrange(len(legal))]))
            decisions += 1
        return decisions

    return play


def cases() -> Iterator[tuple[str, Play]]:
    yield "cinderforge, 8 seats", our_game(8)
    for name in ("python_kuhn_poker", "python_liars_poker", "python_block_dominoes"):
        yield from _if_there(f"OpenSpiel {name}", open_spiel, name)
    yield from _if_there("OpenSpiel social_deduction, 8", open_spiel, "social_deduction(players=8,imposters=2)")
    for name in ("leduc_holdem_v4", "texas_holdem_v4"):
        yield from _if_there(f"PettingZoo {name}", petting_zoo, name)


def _if_there(label: str, make: Callable[[str], Play], name: str) -> Iterator[tuple[str, Play]]:
    try:
        yield label, make(name)
    except Exception as error:
        print(f"# left out {label}: {str(error).splitlines()[0]}", file=sys.stderr)


def one_pass(play: Play, seed: int, seconds: float) -> tuple[float, float]:
    """Games and decisions per second of CPU time."""
    rng = random.Random(seed)
    games = decisions = 0
    start, end = time.process_time(), time.perf_counter() + seconds
    while time.perf_counter() < end:
        decisions += play(rng)
        games += 1
    spent = max(time.process_time() - start, 1e-9)
    return games / spent, decisions / spent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0, help="a pass of a case")
    parser.add_argument("--passes", type=int, default=5)
    args = parser.parse_args()
    all_cases = list(cases())
    for _, play in all_cases:
        one_pass(play, 1, min(0.2, args.seconds))
    rates: dict[str, list[tuple[float, float]]] = {label: [] for label, _ in all_cases}
    for number in range(args.passes):
        for label, play in all_cases:
            rates[label].append(one_pass(play, 100 + number, args.seconds))
    middle = {
        label: (statistics.median(g for g, _ in found), statistics.median(d for _, d in found))
        for label, found in rates.items()
    }
    ours = middle[all_cases[0][0]]
    print(f"python {platform.python_version()}, {os.cpu_count()} cores, {args.passes} passes of {args.seconds:g} s")
    print(f"| {'case':34} | games/s | decisions/s | ours ÷ this (decisions) | bar |")
    print("| --- | --- | --- | --- | --- |")
    for label, (games, decisions) in middle.items():
        bar = next((f"≥ {bar:g}" for name, bar in BARS.items() if name in label), "")
        print(f"| {label:34} | {games:,.0f} | {decisions:,.0f} | {ours[1] / decisions:.2f} | {bar} |")


if __name__ == "__main__":
    main()
