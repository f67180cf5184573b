"""Cells played wholly in the compiled kernel, by nets and by its scripted minds: thousands of games a second.

A kernel policy is named `kernel/` and a scripted mind, a net that comes with the package, or a file of nets; `@0.5`
after it is its temperature, as in `kernel/blueprint@0.5`. The deals are the kernel's own, not those of the engine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

from cinderforge.arena.by_engine import Conduct, Played
from cinderforge.arena.tables import MIXED, Cell, Result, lone_seats, secret_of
from cinderforge.bots.weights import BadWeights, read_weights, shipped
from cinderforge.kernel import ffi, lib
from cinderforge.kernel.scripts import NET, SCRIPTS
from cinderforge.rules.settings import Settings
from cinderforge.rules.words import Reason, Role

PREFIX: Final = "kernel/"
_REASONS: Final = [reason.value for reason in Reason]
_ROLES: Final = list(Role)
_TURNS: Final = 10


class Unknown(ValueError):
    """There is no kernel policy of this name."""


@dataclass(frozen=True, slots=True)
class Mind:
    """A policy of the kernel; `kind` is one of kernel.scripts."""

    kind: int
    temperature: float = 1.0
    net: Any = None


def mind_of(name: str) -> Mind:
    """The mind of this name. Raises Unknown."""
    if not name.startswith(PREFIX):
        raise Unknown(f"{name}: a kernel policy begins with {PREFIX}")
    what, _, temperature = name.removeprefix(PREFIX).partition("@")
    if what in SCRIPTS:
        return Mind(SCRIPTS[what])
    try:
        nets = read_weights(Path(what).read_bytes()) if Path(what).is_file() else shipped(what)
        return Mind(NET, float(temperature or 1), nets[0])
    except (OSError, BadWeights, ValueError) as error:
        raise Unknown(f"{name}: {error}") from None


def rules_of(settings: Settings) -> list[int]:
    """The settings as the numbers of `cf_rules`."""
    return [
        settings.seats,
        settings.activation_target,
        settings.kill_target,
        int(settings.sage_slain_ends),
        int(settings.act_last_lasts == "game"),
        int(settings.first_holder == "vote"),
    ]


def play_cells(
    settings: Settings, minds: dict[str, Mind], cells: Sequence[Cell], seed: str, numbers: Sequence[int]
) -> Played:
    """Plays these deals in every cell."""
    pool = list(minds)
    secrets = [secret_of(seed, number) for number in numbers]
    seeds = [int.from_bytes(secret[:8], "big") for secret in secrets]
    roles = [_roles_dealt(settings, one) for one in seeds]
    lone = [lone_seats(dealt, secret) for dealt, secret in zip(roles, secrets, strict=True)]
    strangers = [bytes(Random(secret + b"mixed").choices(range(len(pool)), k=_TURNS)) for secret in secrets]
    held = ffi.new("cf_mind[]", len(pool))
    for at, mind in enumerate(minds.values()):
        held[at].kind, held[at].temperature = mind.kind, mind.temperature
        held[at].net = mind.net or ffi.NULL
    results = []
    for cell in cells:
        humans, dragons = bytearray(), bytearray()
        for seats, mixed in zip(lone, strangers, strict=True):
            ours, others = (
                mixed if name == MIXED else bytes([pool.index(name)]) * _TURNS
                for name in (cell.candidate, cell.population)
            )
            if cell.kind == "all humans":
                humans += ours
                dragons += others
            else:
                at = seats[cell.kind]
                row = others[:at] + ours[at : at + 1] + others[at + 1 :]
                humans += row
                dragons += row
        results.append(_played(settings, held, seeds, bytes(humans), bytes(dragons)))
    at_seat = [{kind: dealt[at] for kind, at in seats.items()} for dealt, seats in zip(roles, lone, strict=True)]
    return Played(results, [{str(kind): role for kind, role in one.items()} for one in at_seat], Conduct())


def _roles_dealt(settings: Settings, seed: int) -> list[Role]:
    game = ffi.new("cf_game *")
    lib.cf_deal(game, ffi.new("cf_rules *", rules_of(settings)), seed)
    return [_ROLES[game.hid.role[turn]] for turn in range(settings.seats)]


def _played(settings: Settings, minds: Any, seeds: Sequence[int], humans: bytes, dragons: bytes) -> list[Result]:
    """Games of these seeds; `humans` and `dragons` say by game and turn which mind plays there with such a role."""
    count = len(seeds)
    winner, reason, rounds = (ffi.new("int8_t[]", count) for _ in range(3))
    lib.cf_play_games(
        count,
        ffi.new("cf_rules[]", [rules_of(settings)] * count),
        ffi.new("uint64_t[]", seeds),
        minds,
        ffi.from_buffer("int8_t[]", humans),
        ffi.from_buffer("int8_t[]", dragons),
        ffi.NULL,
        winner,
        reason,
        rounds,
        ffi.NULL,
    )
    return [
        Result(won == lib.CF_HUMAN, _REASONS[why], length)
        for won, why, length in zip(winner, reason, rounds, strict=True)
    ]
