"""Cells played through the engine, by anything that answers a view with a command."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from cinderforge.arena.tables import Cell, Result, lone_seats, seated, secret_of
from cinderforge.bots.bot import Bot
from cinderforge.redaction.eye import PlayerEye
from cinderforge.redaction.recollection import recollection
from cinderforge.redaction.view import view
from cinderforge.rules.commands import Command
from cinderforge.rules.game import decide, draw_deal
from cinderforge.rules.luck import SeededLuck, seed_from
from cinderforge.rules.rejection import Rejected
from cinderforge.rules.settings import Settings
from cinderforge.rules.state import GameState
from cinderforge.rules.words import Faction, Role, Turn
from cinderforge.testkit.drive import drive


@dataclass(slots=True)
class Conduct:
    """What a policy's play cost, and how often it asked for what is not allowed (time runs out for it then, R10.1)."""

    decisions: Counter[str] = field(default_factory=Counter)
    seconds: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    refused: Counter[str] = field(default_factory=Counter)

    def add(self, other: Conduct) -> None:
        self.decisions.update(other.decisions)
        self.refused.update(other.refused)
        for name, seconds in other.seconds.items():
            self.seconds[name] += seconds


@dataclass(slots=True)
class Played:
    """The results of some deals, by cell in the order asked, then by deal; who was alone, by deal."""

    results: list[list[Result]]
    lone: list[dict[str, Role]]
    conduct: Conduct


def play_cells(
    settings: Settings, bots: Mapping[str, Bot], cells: Sequence[Cell], seed: str, numbers: Sequence[int]
) -> Played:
    """Plays these deals in every cell."""
    pool, conduct = list(bots), Conduct()
    played = Played([[] for _ in cells], [], conduct)
    for number in numbers:
        secret = secret_of(seed, number)
        luck = SeededLuck(seed_from(secret, ()))
        deal = draw_deal(settings, luck)
        played.lone.append({kind: deal.roles[at] for kind, at in lone_seats(deal.roles, secret).items()})
        for cell, results in zip(cells, played.results, strict=True):
            names = seated(cell, deal.roles, secret, pool)
            results.append(_play(settings, luck, secret, names, bots, conduct))
    return played


def _play(
    settings: Settings,
    luck: SeededLuck,
    secret: bytes,
    names: Sequence[str],
    bots: Mapping[str, Bot],
    conduct: Conduct,
) -> Result:
    dice = [Random(secret + b"player %d" % at) for at in range(len(names))]

    def choose(state: GameState, turn: Turn) -> Command | None:
        name = names[turn - 1]
        shown, recalled = view(state, PlayerEye(turn)), recollection(state, turn)
        began = time.process_time()
        command = bots[name].choose(shown, recalled, dice[turn - 1])
        conduct.seconds[name] += time.process_time() - began
        conduct.decisions[name] += 1
        try:
            decide(state, turn, command)
        except Rejected:
            conduct.refused[name] += 1
            return None
        return command

    table = drive(settings, luck, choose).final.table
    assert table.winner and table.reason
    return Result(table.winner is Faction.HUMAN, table.reason.value, table.round)
