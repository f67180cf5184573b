"""Storms by the thousand: `python -m tests.soak.storm --seeds 20000 --jobs 2`.

A seed that breaks something is printed, made as short as it goes, with the command that plays it again.
"""

from __future__ import annotations

import argparse
import logging
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

from cinderforge.testkit import havoc
from cinderforge.testkit.ledger import Broken

AT_ONCE = 50
MOST_TRIES = 400
"""How often a storm is tried again to make it shorter."""


@dataclass(frozen=True, slots=True)
class Failure:
    """What broke in which storm, at the last of these steps."""

    seed: int
    steps: tuple[int, ...]
    what: str
    detail: str

    def __str__(self) -> str:
        return f"{self.what}\n  {self.detail}\n  {self.command}"

    @property
    def command(self) -> str:
        return f"python -m tests.soak.storm --seed {self.seed} --steps {written(self.steps)}"


def written(steps: Sequence[int]) -> str:
    """Steps as they stand on a command line: 0-4,7,9-12.

    >>> written([0, 1, 2, 5, 7, 8])
    '0-2,5,7-8'
    """
    runs: list[list[int]] = []
    for step in steps:
        if runs and runs[-1][-1] == step - 1:
            runs[-1] = [runs[-1][0], step]
        else:
            runs.append([step])
    return ",".join("-".join(map(str, run)) for run in runs)


def steps_of(text: str) -> tuple[int, ...]:
    """The steps that `written` wrote."""
    runs = [run.partition("-") for run in text.split(",") if run]
    return tuple(step for first, _, last in runs for step in range(int(first), int(last or first) + 1))


def failure_of(seed: int, steps: Sequence[int] = range(havoc.STEPS)) -> Failure | None:
    """What breaks in this storm; None if it passes."""
    taken: list[int] = []

    def noted() -> Iterator[int]:
        for step in steps:
            taken.append(step)
            yield step

    try:
        havoc.run(seed, noted())
    except Broken as broken:
        return Failure(seed, tuple(taken), broken.check, str(broken)[:2000])
    except Exception as error:
        return Failure(seed, tuple(taken), type(error).__name__, f"{error}"[:2000])
    return None


def shortened(failure: Failure) -> Failure:
    """The same failure with fewer steps: ever smaller pieces are left out, as long as it breaks in the same way."""
    tries = 0
    size = max(1, len(failure.steps) // 2)
    while tries < MOST_TRIES:
        before = failure
        at = 0
        while at < len(failure.steps) and tries < MOST_TRIES:
            tries += 1
            rest = failure.steps[:at] + failure.steps[at + size :]
            found = failure_of(failure.seed, rest)
            if found and found.what == failure.what:
                failure = found
            else:
                at += size
        if size == 1 and failure is before:
            break
        size = max(1, size // 2)
    return failure


def _some(seeds: range) -> list[Failure]:
    return [shortened(found) for seed in seeds if (found := failure_of(seed))]


def storms(first: int, count: int, jobs: int) -> int:
    """Lets so many storms pass; prints what breaks, and gives how many did."""
    began, failed = time.monotonic(), 0
    pieces = [range(at, min(at + AT_ONCE, first + count)) for at in range(first, first + count, AT_ONCE)]
    with ProcessPoolExecutor(jobs) as pool:
        for failures in pool.map(_some, pieces):
            failed += len(failures)
            for failure in failures:
                sys.stdout.write(f"{failure}\n")
                sys.stdout.flush()
    rate = count / (time.monotonic() - began)
    sys.stdout.write(f"storms: {count} seeds, {failed} broke something, {rate:.1f} seeds/s with {jobs} jobs\n")
    return failed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=500, help="how many storms")
    parser.add_argument("--first", type=int, default=0, help="the first one's seed")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--seed", type=int, help="play this one alone, and tell what happens")
    parser.add_argument("--steps", type=steps_of, help="only these of its steps, as in 0-14,20")
    given = parser.parse_args()
    if given.seed is None:
        return 1 if storms(given.first, given.seeds, given.jobs) else 0
    logging.basicConfig(level=logging.DEBUG, format="%(message)s", stream=sys.stdout)
    havoc.run(given.seed, range(havoc.STEPS) if given.steps is None else given.steps)
    return 0


if __name__ == "__main__":
    sys.exit(main())
