"""`cinderforge scenario FILE…`: runs scenario files; 0 if all hold."""

from __future__ import annotations

import argparse

from cinderforge.scenarios.parse import BadScenario, parse
from cinderforge.scenarios.run import run as run_scenario


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("scenario", help="run scenario files", description=__doc__)
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.set_defaults(func=lambda args: run(args.files))


def run(files: list[str]) -> int:
    """Prints a line for each file, and each failure below it; 1 if any does not hold."""
    return max([_run_one(file) for file in files])


def _run_one(file: str) -> int:
    try:
        report = run_scenario(parse(file))
    except BadScenario as bad:
        print(f"FAILED  {file}\n        {bad}")
        return 1
    print(f"{'ok    ' if report.is_ok else 'FAILED'}  {file}  {report.scenario.title}")
    for failure in report.failures:
        print(f"        {failure}")
    return 0 if report.is_ok else 1
