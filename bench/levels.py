"""How far apart are the levels? `python -m bench.levels --deals 200 --file found/levels.jsonl`

All humans of one level against all dragons of another, every pair at the same deals; a line of the file is a deal, so
that a run goes on where it was broken off. Printed: how often the humans win, each level's Elo in either faction
(arena/strength.py), what it stands above the one below, and how many absurd acts (bots/absurd.py) it committed.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from cinderforge.arena.by_engine import play_cells
from cinderforge.arena.report import table
from cinderforge.arena.strength import Row, elo, wilson
from cinderforge.arena.tables import Cell
from cinderforge.bots import LEVELS, bot_called
from cinderforge.bots.absurd import absurd
from cinderforge.bots.bot import Bot
from cinderforge.bots.sight import CARDS, sight
from cinderforge.kernel import lib
from cinderforge.redaction.recollection import Recollection
from cinderforge.redaction.shapes import PlayOffer, View
from cinderforge.rules.commands import Command, PlayCard, Skip
from cinderforge.rules.settings import settings_from


class Counted:
    """An AI whose absurd acts are counted by what a seat that forgets nothing knows."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.plays = 0
        self.absurd: Counter[str] = Counter()

    def choose(self, view: View, recollection: Recollection, rng: Random) -> Command:
        command = self.bot.choose(view, recollection, rng)
        if view.you and isinstance(view.you.offer, PlayOffer):
            self.plays += 1
            action = None
            if isinstance(command, PlayCard):
                action = next((number for number, card in enumerate(CARDS) if card == command.card), None)
            elif isinstance(command, Skip):
                action = int(lib.CF_SKIP)
            if action is not None and (what := absurd(*sight(view, recollection), action)):
                self.absurd[what] += 1
        return command


def deal(pool: list[str], seed: str, number: int) -> dict[str, Any]:
    """One deal, played by every pair."""
    bots = {name: Counted(found) for name in pool if (found := bot_called(name))}
    cells = [Cell("all humans", one, other) for one in pool for other in pool]
    played = play_cells(settings_from({}), bots, cells, seed, [number])
    wins = [results[0].humans_won for results in played.results]
    return {"deal": number, "wins": wins, "absurd": {name: dict(bot.absurd) for name, bot in bots.items()}}


def told(pool: list[str], deals: list[dict[str, Any]]) -> str:
    """The tables."""
    size, count = len(pool), len(deals)
    rows = [
        Row({one: 1.0, size + other: -1.0, 2 * size: 1.0}, [found["wins"][one * size + other] for found in deals])
        for one in range(size)
        for other in range(size)
    ]
    rates = [wilson(sum(row.wins), count) for row in rows]
    cells = [
        [f"{100 * r.value:.1f} ±{50 * (r.high - r.low):.1f}" for r in rates[at : at + size]]
        for at in range(0, size**2, size)
    ]
    strengths = elo(rows, size, 1, Random("bootstrap"))
    lines = []
    for at, (name, now) in enumerate(zip(pool, strengths, strict=True)):
        below = strengths[at - 1] if at else None
        steps = (
            (f"{now.human.value - below.human.value:+.0f}", f"{now.dragon.value - below.dragon.value:+.0f}")
            if below
            else ("", "")
        )
        values = [f"{one.value:+.0f} ({one.low:+.0f} to {one.high:+.0f})" for one in (now.human, now.dragon)]
        acts = Counter[str]()
        for found in deals:
            acts.update(found["absurd"][name])
        games = (2 * size - 1) * count
        absurd_acts = f"{10_000 * acts.total() / games:.1f}" + "".join(f"; {what} {n}" for what, n in acts.items())
        lines.append([name, *values, *steps, absurd_acts])
    head = ["", "Elo as humans", "Elo as dragons", "step, humans", "step, dragons", "absurd acts in 10,000 games"]
    grid = table(["humans win, %", *pool], [[name, *row] for name, row in zip(pool, cells, strict=True)])
    return f"{count} deals\n{grid}\n\n{table(head, lines)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=list(LEVELS))
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--seed", default="levels")
    parser.add_argument("--file", type=Path, default=Path("levels.jsonl"))
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    done = [json.loads(line) for line in given.file.read_text().splitlines()] if given.file.exists() else []
    left = sorted(set(range(given.deals)) - {found["deal"] for found in done})
    with given.file.open("a") as file, ProcessPoolExecutor(given.jobs) as pool:
        for found in pool.map(partial(deal, given.names, given.seed), left):
            file.write(json.dumps(found) + "\n")
            file.flush()
            done.append(found)
    print(told(given.names, sorted(done, key=lambda found: int(found["deal"]))))


if __name__ == "__main__":
    main()
