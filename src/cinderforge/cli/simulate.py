"""`cinderforge simulate`: many games among AIs, each of whom sees what a person in its seat would see."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import TextIO

from rich.console import Console
from rich.progress import Progress

from cinderforge.arena.strength import wilson
from cinderforge.bots import DEFAULT_IN_RESEARCH, NAMES, bot_called, own_name
from cinderforge.cli.pool import pool_of
from cinderforge.cli.problem import Problem
from cinderforge.cli.settings import settings_of
from cinderforge.records.record import Fairness, Player, Record, record_of, write
from cinderforge.redaction.eye import PlayerEye
from cinderforge.redaction.recollection import recollection
from cinderforge.redaction.view import view
from cinderforge.rules.commands import Command
from cinderforge.rules.luck import SeededLuck, commitment_to, seed_from
from cinderforge.rules.settings import Settings
from cinderforge.rules.state import GameState
from cinderforge.rules.words import Faction, Role, Turn, faction_of
from cinderforge.testkit.drive import Chronicle, drive

_BATCH = 50


@dataclass(frozen=True, slots=True)
class Plan:
    """What to simulate; game number n of a plan is always the same game."""

    settings: Settings
    humans: str
    dragons: str
    seed: str
    records: bool


@dataclass(slots=True)
class Summary:
    """What many games came to."""

    games: int = 0
    human_wins: int = 0
    rounds: int = 0
    reasons: Counter[str] = field(default_factory=Counter)

    def add(self, winner: str, reason: str, rounds: int) -> None:
        self.games += 1
        self.human_wins += winner == Faction.HUMAN
        self.rounds += rounds
        self.reasons[reason] += 1

    @property
    def human_win_rate(self) -> float:
        return self.human_wins / self.games

    @property
    def mean_rounds(self) -> float:
        return self.rounds / self.games


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("simulate", help="play many games among AIs", description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seats", type=int, default=8, help="5 to 10")
    parser.add_argument("--bots", default=DEFAULT_IN_RESEARCH, metavar="NAME", help=f"who plays: {', '.join(NAMES)}")
    parser.add_argument("--humans", metavar="NAME", help="who plays the human faction's seats")
    parser.add_argument("--dragons", metavar="NAME", help="who plays the dragon faction's seats")
    parser.add_argument("--seed", default="1", help="the same seed gives the same games")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a setting of the rules")
    parser.add_argument("--records", metavar="FILE", help="write the games to FILE (.cinder.jsonl)")
    parser.add_argument("--json", action="store_true", help="print the summary as JSON")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes to use")
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    if args.games < 1:
        raise Problem(f"--games: expected 1 or more, found {args.games}")
    _bot("--bots", args.bots)
    plan = Plan(
        settings=settings_of(args.seats, args.set),
        humans=_bot("--humans", args.humans or args.bots),
        dragons=_bot("--dragons", args.dragons or args.bots),
        seed=args.seed,
        records=args.records is not None,
    )
    summary = Summary()
    with ExitStack() as stack:
        file = stack.enter_context(_opened(args.records)) if args.records else None
        progress = stack.enter_context(Progress(console=Console(stderr=True), disable=not sys.stderr.isatty()))
        task = progress.add_task("games", total=args.games)
        for winner, reason, rounds, record in _games(plan, args.games, max(1, args.jobs)):
            summary.add(winner, reason, rounds)
            if file:
                file.write(record + "\n")
            progress.advance(task)
    print(_as_json(summary) if args.json else _as_text(summary, plan))
    return 0


def _bot(option: str, name: str) -> str:
    if bot_called(name) is None:
        raise Problem(f"{option}: expected one of {', '.join(NAMES)}, found {name!r}")
    return own_name(name) or name


def _opened(file: str) -> TextIO:
    try:
        return Path(file).open("w", encoding="utf-8", newline="\n")
    except OSError as error:
        raise Problem(f"{file}: {error.strerror}") from None


def _games(plan: Plan, count: int, jobs: int) -> Iterator[tuple[str, str, int, str]]:
    """All games in order, whatever the number of processes."""
    if jobs == 1 or count < 2 * _BATCH:
        for number in range(count):
            yield play_one(plan, number)
        return
    with pool_of(jobs) as pool:
        yield from pool.map(play_one, [plan] * count, range(count), chunksize=_BATCH)


def play_one(plan: Plan, number: int) -> tuple[str, str, int, str]:
    """Winner, reason, rounds and, if wanted, the record of a plan's game."""
    secret = sha256(f"{plan.seed}/{number}".encode()).digest()
    game = played(plan.settings, secret, plan.humans, plan.dragons)
    table = game.final.table
    assert table.winner and table.reason
    record = write(_record(game, secret, plan)) if plan.records else ""
    return table.winner.value, table.reason.value, table.round, record


def played(settings: Settings, secret: bytes, humans: str, dragons: str) -> Chronicle:
    """A game dealt from a secret alone, each faction's seats played by the bots of these names."""
    rng = Random(secret)

    def choose(state: GameState, turn: Turn) -> Command:
        shown = view(state, PlayerEye(turn))
        assert shown.you
        bot = bot_called(humans if shown.you.faction is Faction.HUMAN else dragons)
        assert bot
        return bot.choose(shown, recollection(state, turn), rng)

    return drive(settings, SeededLuck(seed_from(secret, ())), choose)


def _record(game: Chronicle, secret: bytes, plan: Plan) -> Record:
    fairness = Fairness(commitment_to(secret), secret, (), seed_from(secret, ()))
    players = [
        Player(seat, f"{_name(role, plan)} {seat}", "ai")
        for seat, role in zip(game.deal.seats, game.deal.roles, strict=True)
    ]
    return record_of(game.settings, game.deal, game.events, fairness, players)


def _name(role: Role, plan: Plan) -> str:
    return plan.humans if faction_of(role) is Faction.HUMAN else plan.dragons


def _as_json(summary: Summary) -> str:
    rate = wilson(summary.human_wins, summary.games)
    return json.dumps(
        {
            "games": summary.games,
            "human_win_rate": summary.human_win_rate,
            "human_win_interval": [rate.low, rate.high],
            "reasons": dict(sorted(summary.reasons.items())),
            "mean_rounds": summary.mean_rounds,
        }
    )


def _as_text(summary: Summary, plan: Plan) -> str:
    rows = [f"{summary.games} games, {plan.settings.seats} seats, humans {plan.humans}, dragons {plan.dragons}"]
    for faction, wins in (("human", summary.human_wins), ("dragon", summary.games - summary.human_wins)):
        rate = wilson(wins, summary.games)
        rows.append(f"  {faction:7} win {rate.value:7.2%}   (95 %: {rate.low:.2%} to {rate.high:.2%})")
    for reason, count in sorted(summary.reasons.items()):
        rows.append(f"  {reason:7} {count / summary.games:11.2%}")
    rows.append(f"  rounds  {summary.mean_rounds:10.2f}   (mean)")
    return "\n".join(rows)
