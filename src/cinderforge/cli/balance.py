"""`cinderforge balance`: who wins by table size, A, K and options, each policy among its equals."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from cinderforge.arena import by_engine, by_kernel
from cinderforge.arena.balance import Point, as_line, as_page, from_line, grid, grid_of, point_of
from cinderforge.arena.by_kernel import PREFIX
from cinderforge.arena.tables import Cell
from cinderforge.bots import BOTS, bot_called
from cinderforge.bots.weights import digest_of
from cinderforge.cli.arena import commit, mind_named
from cinderforge.cli.pool import pool_of
from cinderforge.cli.problem import Problem
from cinderforge.kernel.scripts import SCRIPTS
from cinderforge.rules.settings import MAX_SEATS, MIN_SEATS, Settings


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("balance", help="who wins under which rules", description=__doc__)
    compiled = f"{PREFIX}blueprint, {', '.join(PREFIX + one for one in SCRIPTS)}"
    told = f"who plays both sides: {compiled}, or far slower {', '.join(BOTS)}"
    parser.add_argument("policies", nargs="+", metavar="NAME", help=told)
    parser.add_argument("--seats", type=int, action="append", metavar="N", help="5 to 10; all by default")
    parser.add_argument("--games", type=int, default=10_000, help="games for each point of the grid")
    parser.add_argument("--options", action="store_true", help="all that a host may set: every A and K, R8, R5.1, R6.6")
    told = "only these targets, with the other options as usual; as often as wanted"
    parser.add_argument("--targets", action="append", metavar="A,K", help=told)
    parser.add_argument("--seed", default="1", help="the same seed gives the same games")
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="balance.jsonl and balance.html")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes to use")
    parser.set_defaults(func=run)


def _targets(text: str) -> tuple[int, int]:
    activation, _, kill = text.partition(",")
    if not (activation.isdecimal() and kill.isdecimal() and min(int(activation), int(kill)) > 0):
        raise Problem(f"--targets: expected A,K such as 2,3, found {text!r}")
    return int(activation), int(kill)


def run(args: argparse.Namespace) -> int:
    for name in args.policies:
        if not name.startswith(PREFIX) and bot_called(name) is None:
            raise Problem(f"{name}: expected {PREFIX}NAME or one of {', '.join(BOTS)}")
        if name.startswith(PREFIX):
            mind_named(name)
    sizes = args.seats or list(range(MIN_SEATS, MAX_SEATS + 1))
    if wrong := [one for one in sizes if not MIN_SEATS <= one <= MAX_SEATS]:
        raise Problem(f"--seats: expected {MIN_SEATS} to {MAX_SEATS}, found {wrong[0]}")
    if args.games < 1:
        raise Problem(f"--games: expected 1 or more, found {args.games}")
    args.out.mkdir(parents=True, exist_ok=True)
    file = args.out / "balance.jsonl"
    key = {"seed": args.seed, "games": args.games, "commit": commit(), "net": digest_of("blueprint")[:12]}
    done = _read(file, key)
    targets = [_targets(text) for text in args.targets or []]
    cells = list(grid_of(sizes, targets) if targets else grid(sizes, options=args.options))
    wanted = [(one, name) for name in args.policies for one in cells]
    left = [ask for ask in wanted if ask not in done]
    with file.open("a", encoding="utf-8", newline="\n") as kept:
        for point in _points(left, args.games, args.seed, max(1, args.jobs)):
            kept.write(json.dumps({**as_line(point), **key}) + "\n")
            kept.flush()
            done[point.settings, point.policy] = point
    points = [done[ask] for ask in wanted]
    about = f"{args.games} games a point, seed {args.seed}, commit {key['commit']}, net {key['net']}"
    (args.out / "balance.html").write_text(as_page(points, about), "utf-8")
    print(f"balance: {len(points)} points ({len(points) - len(left)} were there), {about}")
    print(_defaults(points))
    return 0


def _read(file: Path, key: dict[str, Any]) -> dict[tuple[Settings, str], Point]:
    """The points that were played before in just this way."""
    if not file.exists():
        return {}
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    points = [from_line(line) for line in lines if all(line.get(name) == value for name, value in key.items())]
    return {(point.settings, point.policy): point for point in points}


def _points(asks: Sequence[tuple[Settings, str]], games: int, seed: str, jobs: int) -> Iterator[Point]:
    work = [(settings, name, games, seed) for settings, name in asks]
    if jobs == 1 or len(work) < 2:
        yield from map(_point, work)
        return
    with pool_of(jobs) as pool:
        yield from pool.map(_point, work)


def _point(work: tuple[Settings, str, int, str]) -> Point:
    settings, name, games, seed = work
    cells, bot = [Cell("all humans", name, name)], bot_called(name)
    if name.startswith(PREFIX) or bot is None:
        played = by_kernel.play_cells(settings, {name: mind_named(name)}, cells, seed, range(games))
    else:
        played = by_engine.play_cells(settings, {name: bot}, cells, seed, range(games))
    return point_of(settings, name, played.results[0])


def _defaults(points: Sequence[Point]) -> str:
    """The default of each size, and where either side wins about as often."""
    rows = []
    for point in points:
        if point.is_default or point.is_fair:
            rules, rate = point.settings, point.rate
            said = {"default": point.is_default, "fair": point.is_fair, "liked": point.is_liked}
            marks = [word for word, holds in said.items() if holds]
            rows.append(
                f"  {rules.seats:2} seats  A {rules.activation_target} K {rules.kill_target}"
                f"  {'R8 off' if rules.sage_slain_ends else 'R8 on '}  last {rules.act_last_lasts:5}"
                f"  {point.policy:20} humans {100 * rate.value:5.1f} % ±{50 * (rate.high - rate.low):.1f}"
                f"  {point.mean_rounds:.2f} rounds  {', '.join(marks)}"
            )
    return "\n".join(rows)
