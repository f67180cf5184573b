"""How long does a belief take? Milliseconds for each round's belief from the whole record, by seat and for the public.

Random games played on for as many rounds as there are seats; each round is looked at once, after its last act.
By logic alone, and with minds. `python -m bench.belief --games 40`.
"""

from __future__ import annotations

import argparse
import itertools
import random
import statistics
import time
from typing import Any

from cinderforge.kernel import ffi, lib, minds
from cinderforge.kernel.belief import Filter

BARS_8 = {"mean": 10.0, "worst": 50.0}


def rounds(seats: int, rng: random.Random) -> Any:
    """A random game that no tally ends, at the beginning of each pass."""
    game = ffi.new("cf_game *")
    rules = ffi.new("cf_rules *", {"n": seats, "act_target": 99, "kill_target": 99})
    lib.cf_deal(game, rules, rng.getrandbits(63))
    done = 0
    while lib.cf_next(game) >= 0:
        if game.pub.round > done:
            done = game.pub.round
            yield game
        mask = lib.cf_mask(game)
        lib.cf_take(game, rng.choice([action for action in range(lib.CF_ACTIONS) if mask >> action & 1]), -1)
    yield game


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=40)
    given = parser.parse_args()
    believed = Filter()
    for seats in (8, 10):
        for whose, model in itertools.product(("seat", "public"), (None, minds.shipped())):
            rng, took, states = random.Random(f"{seats} {whose}"), list[float](), 0
            for _ in range(given.games):
                for game in rounds(seats, rng):
                    mine = ffi.addressof(game.priv[rng.randrange(seats)]) if whose == "seat" else None
                    began = time.process_time()
                    answer = believed.believe(ffi.addressof(game.pub), mine, model)
                    took.append((time.process_time() - began) * 1000)
                    assert answer
                    states = max(states, answer.most)
            took.sort()
            bars = f"  (bars: mean {BARS_8['mean']:.0f}, worst {BARS_8['worst']:.0f})" if seats == 8 else ""
            print(
                f"{seats} seats, {whose:6} by {'minds' if model else 'logic'}: mean {statistics.mean(took):7.2f} ms, "
                f"95 % {took[int(0.95 * len(took))]:7.2f}, worst {took[-1]:7.2f}; "
                f"{len(took)} beliefs, at most {states:,} states{bars}"
            )


if __name__ == "__main__":
    main()
