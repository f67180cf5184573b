"""`cinderforge scenario FILE…`: runs scenario files, and those in folders; 0 if all hold."""

from __future__ import annotations

import argparse
from pathlib import Path

from cinderforge.scenarios.parse import BadScenario, parse
from cinderforge.scenarios.run import run as run_scenario


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("scenario", help="run scenario files", description=__doc__)
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.set_defaults(func=lambda args: run(args.files))


def run(files: list[str]) -> int:
    """Prints a line for each file, each failure below it, and at last how many hold; 1 if any does not."""
    statuses = [_run_one(file) for given in files for file in _files_of(given)]
    print(f"{statuses.count(0)} of {len(statuses)} scenarios hold")
    return max(statuses, default=1)


def _files_of(given: str) -> list[str]:
    """A file as it is named; of a folder all scenarios in it, however deep."""
    folder = Path(given)
    return sorted(map(str, folder.rglob("*.scenario.yaml"))) if folder.is_dir() else [given]


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
