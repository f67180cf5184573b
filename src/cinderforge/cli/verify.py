"""`cinderforge verify FILE…`: recomputes each game from its published secret, and says what does not follow."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import islice

from cinderforge.cli.problem import lines_of
from cinderforge.records.record import BadRecord, read
from cinderforge.records.verify import verify

Line = tuple[str, int, str]
"""A file, a line's number, the line."""
_MANY = 500
"""From so many games on it is worth using all cores."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "verify", help="check that games were dealt and played as recorded", description=__doc__
    )
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes to use")
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Prints every difference, and how many games were right; 1 if any was not."""
    games = wrong = 0
    for complaints in _checked(_all_lines(args.files), max(1, args.jobs)):
        games += 1
        wrong += bool(complaints)
        for complaint in complaints:
            print(complaint)
    print(f"{games - wrong} of {games} games verified" + (f", {wrong} DIFFER" if wrong else ", no difference"))
    return 1 if wrong or not games else 0


def _all_lines(files: list[str]) -> Iterator[Line]:
    for file in files:
        for number, line in lines_of(file):
            yield file, number, line


def _checked(lines: Iterator[Line], jobs: int) -> Iterator[list[str]]:
    first = list(islice(lines, _MANY))
    if jobs == 1 or len(first) < _MANY:
        yield from map(_check, first)
        yield from map(_check, lines)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(_check, first, chunksize=50)
        while batch := list(islice(lines, 5000)):
            yield from pool.map(_check, batch, chunksize=100)


def _check(line: Line) -> list[str]:
    file, number, text = line
    try:
        return [f"{file}:{number}: {difference}" for difference in verify(read(text, file, number))]
    except BadRecord as bad:
        return [str(bad)]
