"""Who sits where (the composition of a table), and which deals are played: the same ones in every cell.

A cell is one question: these seats are the candidate's, all others those of one population. Deals, turn order, scrolls
and the draws of chance follow from the seed and the deal's number alone, so cells differ in nothing but who plays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from random import Random
from typing import Final, Literal

from cinderforge.rules.words import Faction, Role, faction_of

Kind = Literal["all humans", "one human", "one dragon"]
"""Which seats are the candidate's. All dragons of X against Y are all humans of Y against X: no cell of its own."""

MIXED: Final = "mixed"
"""Each seat drawn anew, by deal and turn, from the whole pool: a population, or all humans or all dragons as a team."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One of us among strangers, or a whole faction of us against another."""

    kind: Kind
    candidate: str
    population: str


@dataclass(frozen=True, slots=True)
class Result:
    """How one deal ended in one cell."""

    humans_won: bool
    reason: str
    rounds: int


def cells_of(pool: Sequence[str]) -> list[Cell]:
    """Every cell of a pool, each once. One more of the same among themselves is self-play: no cell of its own."""
    populations = [*pool, MIXED] if len(pool) > 1 else list(pool)
    teams = ((one, other) for one in populations for other in populations)
    whole = [Cell("all humans", one, other) for one, other in teams if one != MIXED or other != MIXED]
    lonely: list[Kind] = ["one human", "one dragon"]
    return whole + [Cell(kind, one, other) for kind in lonely for one in pool for other in populations if one != other]


def secret_of(seed: str, number: int) -> bytes:
    """All that a deal follows from."""
    return sha256(f"{seed}/{number}".encode()).digest()


def lone_seats(roles: Sequence[Role], secret: bytes) -> dict[Kind, int]:
    """Where the one of us sits in this deal, by 0-based turn: a human seat and a dragon seat, drawn evenly."""
    rng = Random(secret + b"seat")
    humans = [at for at, role in enumerate(roles) if faction_of(role) is Faction.HUMAN]
    dragons = [at for at, role in enumerate(roles) if faction_of(role) is Faction.DRAGON]
    return {"one human": rng.choice(humans), "one dragon": rng.choice(dragons)}


def seated(cell: Cell, roles: Sequence[Role], secret: bytes, pool: Sequence[str]) -> list[str]:
    """Who plays in this cell, by turn."""
    rng = Random(secret + b"mixed")
    mixed = [rng.choice(pool) for _ in roles]
    if cell.kind == "all humans":
        names = [cell.candidate if faction_of(role) is Faction.HUMAN else cell.population for role in roles]
    else:
        names = [cell.population] * len(roles)
        names[lone_seats(roles, secret)[cell.kind]] = cell.candidate
    return [drawn if name == MIXED else name for name, drawn in zip(names, mixed, strict=True)]
