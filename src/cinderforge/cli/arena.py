"""`cinderforge arena`: policies against one another at the same deals, with win rates, Elo and Nash averages."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress

from cinderforge import __version__
from cinderforge.arena import by_engine, by_kernel
from cinderforge.arena.by_engine import Conduct, Played
from cinderforge.arena.referees import PREFIX, REFEREES, referee_called
from cinderforge.arena.report import as_json, as_picture, as_text
from cinderforge.arena.tables import Cell
from cinderforge.arena.tournament import tournament
from cinderforge.bots import NAMES, bot_called, own_name
from cinderforge.bots.bot import Bot
from cinderforge.cli.pool import pool_of
from cinderforge.cli.problem import Problem
from cinderforge.cli.settings import settings_of
from cinderforge.kernel.scripts import SCRIPTS
from cinderforge.rules.settings import Settings

_BATCH = 10
_KERNEL_BATCH = 1000
_ALL_REFEREES = [PREFIX + name for name in REFEREES]
_REFEREES = f"{PREFIX} and one of {', '.join(REFEREES)}; `referees` is all of them"
_COMPILED = f"{by_kernel.PREFIX}blueprint, {', '.join(by_kernel.PREFIX + one for one in SCRIPTS)}, a file of nets"


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("arena", help="rate AIs against one another", description=__doc__)
    parser.add_argument(
        "policies", nargs="+", metavar="NAME", help=f"who plays: {', '.join(NAMES)}; {_REFEREES}; or {_COMPILED}"
    )
    parser.add_argument("--deals", type=int, default=400, help="how many deals; every cell plays all of them")
    parser.add_argument("--seats", type=int, action="append", metavar="N", help="5 to 10; may be given several times")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a setting of the rules")
    parser.add_argument("--seed", default="1", help="the same seed gives the same games")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="write arena.json and arena.svg there")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes to use")
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    pool = pool_named(args.policies)
    compiled = [name for name in pool if name.startswith(by_kernel.PREFIX)]
    if compiled and len(compiled) < len(pool):
        raise Problem("policies of the kernel play among themselves: they are dealt other games")
    for name in pool:
        if not compiled and _called(name) is None:
            raise Problem(f"expected some of {', '.join(NAMES)}, {_REFEREES}, or {_COMPILED}; found {name!r}")
        if compiled:
            mind_named(name)
    if args.deals < 1:
        raise Problem(f"--deals: expected 1 or more, found {args.deals}")
    sizes = [settings_of(seats, args.set) for seats in dict.fromkeys(args.seats or [8])]
    played = _Player(pool, args.seed, args.jobs, _KERNEL_BATCH if compiled else _BATCH)
    standing = tournament(pool, sizes, args.deals, args.seed, played.play)
    about = {"command": "arena", "seed": args.seed, "version": __version__, "commit": commit()}
    found = as_json(standing, about)
    if args.json:
        print(json.dumps(found, ensure_ascii=False))
    else:
        print(f"arena: {args.deals} deals, seed {args.seed}, version {__version__}, commit {about['commit']}\n")
        print(as_text(standing))
    if args.out:
        args.out.mkdir(parents=True, exist_ok=True)
        title = f"Cinderforge arena: {args.deals} deals a size, seed {args.seed}, {about['commit']}"
        (args.out / "arena.json").write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", "utf-8")
        (args.out / "arena.svg").write_text(as_picture(standing, title), "utf-8")
    return 0


def pool_named(names: Sequence[str]) -> list[str]:
    """The pool by own names, each once; `referees` stands for all of them."""
    named = [each for name in names for each in (_ALL_REFEREES if name == "referees" else [own_name(name) or name])]
    return list(dict.fromkeys(named))


def _called(name: str) -> Bot | None:
    """An AI that the game has, or a referee."""
    return referee_called(name) or bot_called(name)


@cache
def mind_named(name: str) -> by_kernel.Mind:
    """A policy of the kernel, read once in each process. Raises Problem."""
    try:
        return by_kernel.mind_of(name)
    except by_kernel.Unknown as unknown:
        raise Problem(str(unknown)) from None


def commit() -> str:
    """What is run, for whoever wants to run it again; the version alone where there is no repository."""
    where = Path(__file__).resolve().parent
    told = ["git", "-C", str(where), "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]
    try:
        return subprocess.run(told, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


class _Player:
    """Plays cells with as many processes as asked, and shows how far it has come."""

    def __init__(self, pool: list[str], seed: str, jobs: int, batch: int) -> None:
        self.pool, self.seed, self.jobs, self.batch = pool, seed, max(1, jobs), batch

    def play(self, settings: Settings, cells: Sequence[Cell], numbers: Sequence[int]) -> Played:
        batches = [numbers[at : at + self.batch] for at in range(0, len(numbers), self.batch)]
        whole = Played([[] for _ in cells], [], Conduct())
        with Progress(console=Console(stderr=True), disable=not sys.stderr.isatty()) as progress:
            task = progress.add_task(f"{settings.seats} seats", total=len(batches))
            for part in self._parts(settings, cells, batches):
                for results, more in zip(whole.results, part.results, strict=True):
                    results += more
                whole.lone += part.lone
                whole.conduct.add(part.conduct)
                progress.advance(task)
        return whole

    def _parts(self, settings: Settings, cells: Sequence[Cell], batches: Sequence[Sequence[int]]) -> Iterator[Played]:
        work: list[Any] = [(self.pool, settings, cells, self.seed, batch) for batch in batches]
        if self.jobs == 1 or len(batches) == 1:
            yield from map(_play, work)
            return
        with pool_of(self.jobs) as pool:
            yield from pool.map(_play, work)


def _play(work: tuple[list[str], Settings, Sequence[Cell], str, Sequence[int]]) -> Played:
    pool, settings, cells, seed, numbers = work
    if pool[0].startswith(by_kernel.PREFIX):
        return by_kernel.play_cells(settings, {name: mind_named(name) for name in pool}, cells, seed, numbers)
    return by_engine.play_cells(
        settings, {name: found for name in pool if (found := _called(name))}, cells, seed, numbers
    )
