"""Writes the golden records: a short game for each size of table, and what every eye is shown of it, step by step.

`--check` says what is stale. A change in these files is a change in what players see, or in how old records are read.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from hashlib import sha256
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from msgspec import to_builtins

from cinderforge.records.record import Fairness, Player, Record, read, record_of, write
from cinderforge.records.verify import chronicle_of, start_of
from cinderforge.redaction.eye import SPECTATOR, PlayerEye
from cinderforge.redaction.news import tell
from cinderforge.redaction.view import view
from cinderforge.rules.luck import SeededLuck, commitment_to, seed_from
from cinderforge.rules.scrolls import CATALOG
from cinderforge.rules.settings import MAX_SEATS, MIN_SEATS, Settings, settings_from
from cinderforge.rules.state import GameState
from cinderforge.rules.words import Turn
from cinderforge.testkit.drive import at_random, drive

GOLDEN = Path(__file__).resolve().parent.parent / "tests" / "records" / "golden"
NAMES = ("Ann", "Bo", "林黛玉", "Dov", "Ea", "Fay", "Gil", "Ha", "Ivo", "Jo")
ROUNDS = 2
TIMEOUTS = 0.15
"""How often time runs out, so that moves of chance are among the others."""


def files() -> dict[Path, str]:
    """Each golden file with what should stand in it."""
    made: dict[Path, str] = {}
    for seats in range(MIN_SEATS, MAX_SEATS + 1):
        line = write(golden(seats))
        made[GOLDEN / f"{seats}.cinder.jsonl"] = line + "\n"
        made[GOLDEN / f"{seats}.txt"] = "\n".join(told(read(line))) + "\n"
    return made


def golden(seats: int) -> Record:
    """The first game of two rounds in which two scrolls fire that no smaller table has, as long as there are some."""
    scrolls = list(CATALOG)
    at = 2 * (seats - MIN_SEATS) % len(scrolls)
    wanted = set(scrolls[at : at + 2])
    rules = settings_from(
        {
            "seats": seats,
            "first_holder": "vote" if seats % 2 else "random",
            "sage_slain_ends": seats % 3 != 0,
            "act_last_lasts": "game" if seats % 2 else "round",
            "memory_aid": seats == MAX_SEATS,
            # A default of former days: a record carries its settings.
            **({"kill_target": 2} if seats == 6 else {}),
        }
    )
    for number in count():
        record = game(rules, number)
        fired = {move[2] for move in record.moves if move[0] == "scroll"}
        if record.result.rounds == ROUNDS and fired == wanted:
            return record
    raise AssertionError("there are always more games")


def game(rules: Settings, number: int) -> Record:
    """Game number n under these rules, always the same."""
    secret = sha256(f"golden {rules.seats} {number}".encode()).digest()
    contributions = tuple(sha256(secret + name.encode()).digest()[:16] for name in NAMES[:2])
    seed = seed_from(secret, contributions)
    played = drive(rules, SeededLuck(seed), at_random(Random(number), TIMEOUTS))
    players = [Player(seat, NAMES[seat - 1], "person" if seat <= 2 else "ai") for seat in played.deal.seats]
    fairness = Fairness(commitment_to(secret), secret, contributions, seed)
    return record_of(rules, played.deal, played.events, fairness, players)


def told(record: Record) -> Iterator[str]:
    """What each thing done tells everybody, then what it changes for all (`table`) and for each player (by turn)."""
    seen = shown(start_of(record))
    yield "dealt"
    yield from changes({}, seen)
    for events, state in chronicle_of(record):
        for event in events:
            news = to_builtins(tell(event, SPECTATOR))
            yield f"{news.pop('news')} {compact(news)}" if news else f"({type(event).__name__}: nobody is told)"
        now = shown(state)
        yield from changes(seen, now)
        seen = now


def shown(state: GameState) -> dict[str, dict[str, Any]]:
    """All that anybody is shown: the table, the same for every eye, and each player's own."""
    views = {"table": to_builtins(view(state, SPECTATOR).table)}
    for turn in range(1, state.table.settings.seats + 1):
        you = view(state, PlayerEye(Turn(turn))).you
        views[f"{turn:5}"] = to_builtins(you)
    return views


def changes(before: dict[str, dict[str, Any]], after: dict[str, dict[str, Any]]) -> Iterator[str]:
    for eye, fields in after.items():
        old = before.get(eye, {})
        changed = [f"{key} {change(old.get(key), value)}" for key, value in fields.items() if old.get(key) != value]
        if changed:
            yield f"    {eye}  " + "; ".join(changed)


def change(old: object, new: object) -> str:
    """The new value; of a list that has grown only what is new."""
    if isinstance(old, list) and isinstance(new, list) and old and new[: len(old)] == old:
        return "+ " + ", ".join(map(compact, new[len(old) :]))
    return compact(new)


def compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False).replace('"', "")


def main(arguments: list[str]) -> int:
    made = files()
    stale = [path for path, text in made.items() if not path.exists() or path.read_text("utf-8") != text]
    if "--check" in arguments:
        for path in stale:
            print(f"{path.relative_to(GOLDEN.parent)} is stale: run python -m tools.make_records")
        return 1 if stale else 0
    GOLDEN.mkdir(parents=True, exist_ok=True)
    for path in stale:
        path.write_text(made[path], "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
