"""Leaks of the searcher by the ten thousand: `python -m tests.soak.thoughts --positions 10000 --jobs 2`.

All that a seat was never told is dealt anew; what the searcher thinks of every act, and which it takes, must stay.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor

from tests.bots.test_searcher import leaks

AT_ONCE = 250


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=10_000)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    parts = range(0, given.positions, AT_ONCE)
    with ProcessPoolExecutor(given.jobs) as pool:
        off = sum(pool.map(leaks, [f"soak {first}" for first in parts], [AT_ONCE] * len(parts)))
    sys.stdout.write(f"{len(parts) * AT_ONCE:,} positions: thoughts differed in {off}\n")
    return 1 if off else 0


if __name__ == "__main__":
    sys.exit(main())
