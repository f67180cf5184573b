"""What does thinking bring, and what does it cost? One faction thinks, the other plays by habit, on the same deals.

    python -m bench.search --deals 200 --steps 9000 --rounds 1 --pull 10

Games are the kernel's, by default 8 seats. Against: the net itself, `plain`, and dice.
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from cinderforge.bots.searcher import Care, Searcher
from cinderforge.bots.weights import shipped
from cinderforge.kernel import ffi, lib
from cinderforge.kernel.scripts import DICE, NET, PLAIN
from cinderforge.rules.settings import DEFAULT_TARGETS


@dataclass
class Outcome:
    humans: list[bool] = field(default_factory=list)
    took: list[float] = field(default_factory=list)

    def line(self) -> str:
        rate, count = statistics.mean(self.humans), len(self.humans)
        told = f"humans win {rate:.3f} ± {1.96 * math.sqrt(rate * (1 - rate) / count):.3f} of {count}"
        if not self.took:
            return told
        took = sorted(1000 * each for each in self.took)
        return f"{told}; {statistics.mean(took):.1f} ms, 99 % {took[int(0.99 * len(took))]:.1f}, worst {took[-1]:.1f}"


def played(games: int, seats: int, thinks: Callable[[bool], Searcher | None], other: int) -> Outcome:
    """So many deals; a faction without a searcher plays by this kind of player."""
    outcome, chances = Outcome(), ffi.new("float[]", lib.CF_ACTIONS)
    rules = ffi.new("cf_rules *", (seats, *DEFAULT_TARGETS[seats], 1, 0, 0))
    for number in range(games):
        game, rng = ffi.new("cf_game *"), random.Random(number)
        dice = ffi.new("uint64_t[2]", [number + 1, 1])
        lib.cf_deal(game, rules, number)
        while (who := lib.cf_next(game)) >= 0:
            public, private = ffi.addressof(game.pub), ffi.addressof(game.priv[who])
            bot, mask = thinks(bool(game.hid.role[who] >= lib.CF_RED)), lib.cf_mask(game)
            if bot:
                began = time.process_time()
                action = bot.thought(public, private, rng.getrandbits(64)).action
                if mask & (mask - 1):
                    outcome.took.append(time.process_time() - began)
            elif other:
                action = lib.cf_script(other, public, private, mask, dice)
            else:
                lib.cf_policy(shipped("blueprint")[0], public, private, mask, 1, chances)
                action = rng.choices(range(lib.CF_ACTIONS), list(chances))[0]
            lib.cf_apply(game, action, -1)
        outcome.humans.append(game.pub.winner == lib.CF_HUMAN)
    return outcome


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--seats", type=int, default=8)
    parser.add_argument("--against", choices=("net", "plain", "dice"), action="append")
    default = Care()
    for name in Care.__slots__:
        kind: Any = type(getattr(default, name))
        parser.add_argument(f"--{name.replace('_', '-')}", type=kind, default=getattr(default, name))
    given = vars(parser.parse_args())
    care = Care(**{name: given[name] for name in Care.__slots__})
    keen, habit = Searcher(care), Searcher(Care(games=0))
    kinds = {"net": NET, "plain": PLAIN, "dice": DICE}
    print(care)
    for name in given["against"] or kinds:
        for side in (False, True):
            for what, bot in (("habit", habit), ("thought", keen)):

                def thinks(is_dragon: bool, side: bool = side, bot: Searcher = bot) -> Searcher | None:
                    return bot if is_dragon == side else None

                whose = "dragons" if side else "humans"
                outcome = played(given["deals"], given["seats"], thinks, kinds[name])
                print(f"{whose} by {what} against {name}: {outcome.line()}", flush=True)


if __name__ == "__main__":
    main()
