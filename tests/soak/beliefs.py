"""Beliefs over very many games: `python -m tests.soak.beliefs --games 100000 --jobs 2`.

After each round of random games of every size and option, the truth must be among what a seat believes possible, and
at the end among what the public does; and of all that was called so likely, so many must be true.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

from cinderforge.kernel import ffi, lib
from cinderforge.kernel.belief import Filter
from tests.kernel.games import SIZES, decisions, seen_by

AT_ONCE = 200
BINS = 20
MOST_OFF = 0.02
"""How far what is true may be from what was said, in each bin, beyond three times what chance explains."""

Reckoning = tuple[list[str], list[int], list[float], list[int]]
"""What was missed, and by bin: how much was said, its sum, how much was true."""


def looked_at(first: int) -> Reckoning:
    """So many games from this number on."""
    believed, missed = Filter(), list[str]()
    said, sums, true = [0] * BINS, [0.0] * BINS, [0] * BINS
    for number in range(first, first + AT_ONCE):
        rng = random.Random(f"belief {number}")
        seats = SIZES[number % len(SIZES)]
        done = 0
        for game, who in decisions(seats, rng):
            if game.pub.round == done and who >= 0:
                continue
            done = game.pub.round
            seat = rng.randrange(seats)
            for place, known in (("seat", seen_by(game, seat)), ("public", (seen_by(game, 0)[0],))):
                if place == "public" and (who >= 0 or (seats > 8 and number % 20)):
                    continue
                answer = believed.believe(*known)
                if answer is None or not believed.weight_of(ffi.addressof(game.hid)) > 0:
                    missed.append(f"game {number}, {seats} seats, round {done}: {place} {seat}")
                elif place == "seat" and who >= 0:
                    for turn, chance in enumerate(answer.dragon):
                        at = min(BINS - 1, int(chance * BINS))
                        said[at] += 1
                        sums[at] += chance
                        true[at] += game.hid.role[turn] >= lib.CF_RED
    return missed, said, sums, true


def _all(first: int, games: int, jobs: int) -> Iterator[Reckoning]:
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(looked_at, range(first, first + games, AT_ONCE))


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first game")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    began, missed, games = time.monotonic(), list[str](), 0
    said, sums, true = [0] * BINS, [0.0] * BINS, [0] * BINS
    for lost, more_said, more_sums, more_true in _all(given.first, given.games, given.jobs):
        games += AT_ONCE
        missed += lost
        for at in range(BINS):
            said[at] += more_said[at]
            sums[at] += more_sums[at]
            true[at] += more_true[at]
        if games % (AT_ONCE * 50) == 0:
            _say(f"{games:,} games, {time.monotonic() - began:.0f} s, missed {len(missed)}")
    _say("\n".join(missed[:20]))
    off = False
    for at, count in enumerate(said):
        if count:
            mean, share = sums[at] / count, true[at] / count
            chance = 3 * (mean * (1 - mean) / count) ** 0.5
            _say(f"called {mean:6.1%} a dragon: {share:6.1%} were, of {count:,}")
            off |= abs(share - mean) > MOST_OFF + chance
    _say(
        f"{games:,} games: the truth was missed {len(missed)} times; "
        f"reliability {'off' if off else 'within'} {MOST_OFF}"
    )
    return 1 if missed or off else 0


if __name__ == "__main__":
    sys.exit(main())
