"""`cinderforge verify FILE…`: recomputes each game from its published secret, and says what does not follow."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from itertools import islice

from rich.console import Console
from rich.progress import Progress

from cinderforge.cli.pool import pool_of
from cinderforge.cli.problem import Problem, lines_of
from cinderforge.records.record import BadRecord, read
from cinderforge.records.verify import verify

Line = tuple[str, int, str]
"""A file, a line's number, the line."""
Checked = tuple[str, list[str]]
"""Where a game stands, and what is wrong with it."""
_MANY = 500
"""From so many games on it is worth using all cores."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "verify", help="check that games were dealt and played as recorded", description=__doc__
    )
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--quiet", action="store_true", help="name only the games that differ")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes to use")
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Prints a line for each game, or each of its differences, and how many were right; 1 if any was not."""
    games = wrong = 0
    # where each game has its line on the screen, the lines are progress enough
    watched = sys.stderr.isatty() and (args.quiet or not sys.stdout.isatty())
    with Progress(console=Console(stderr=True), disable=not watched) as progress:
        task = progress.add_task("games", total=None)
        for where, complaints in _checked(_all_lines(args.files), max(1, args.jobs)):
            games += 1
            wrong += bool(complaints)
            progress.advance(task)
            for complaint in complaints:
                print(f"DIFFERS  {complaint}")
            if not complaints and not args.quiet:
                print(f"ok       {where}")
    if not games:
        raise Problem(f"{', '.join(args.files)}: expected a game, found none")
    print(f"{games - wrong} of {games} games verified" + (f", {wrong} DIFFER" if wrong else ", no difference"))
    return 1 if wrong else 0


def _all_lines(files: list[str]) -> Iterator[Line]:
    for file in files:
        for number, line in lines_of(file):
            yield file, number, line


def _checked(lines: Iterator[Line], jobs: int) -> Iterator[Checked]:
    first = list(islice(lines, _MANY))
    if jobs == 1 or len(first) < _MANY:
        yield from map(_check, first)
        yield from map(_check, lines)
        return
    with pool_of(jobs) as pool:
        yield from pool.map(_check, first, chunksize=50)
        while batch := list(islice(lines, 5000)):
            yield from pool.map(_check, batch, chunksize=100)


def _check(line: Line) -> Checked:
    file, number, text = line
    where = f"{file}:{number}"
    try:
        return where, [f"{where}: {difference}" for difference in verify(read(text, file, number))]
    except BadRecord as bad:
        return where, [str(bad)]
