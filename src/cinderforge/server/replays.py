"""Replays over HTTP: a record is checked (R3.4), and its pictures are made. Nothing of it is kept."""

from __future__ import annotations

from typing import Final

import msgspec

from cinderforge.records.record import BadRecord, Record, read
from cinderforge.records.replay import replay
from cinderforge.records.verify import verify
from cinderforge.rules.words import Turn, first_turns

MOST_RECORD_BYTES: Final = 256 * 1024
"""A game of ten takes about 8 kB; what other programs add to a record has room."""
EVERYBODY: Final = "all"
MOST_DETAIL: Final = 300
"""Characters of what is said about a bad file, which may be quoted in it."""


class NoReplay(Exception):
    """Why there are no pictures: a code of the client's texts, and what was expected and found, with the line."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code, self.detail = code, detail[:MOST_DETAIL]


def pictures_of(body: bytes, eye: str) -> bytes:
    """The replay of a file's one game, as JSON. Raises NoReplay."""
    line, text = _only_line(body)
    try:
        record = read(text)
        turn = _turn_of(eye, record)
        if differences := verify(record):
            raise NoReplay("untrue_record", f"line {line}: {differences[0]}")
        return msgspec.json.encode(replay(record, turn))
    except BadRecord as bad:
        raise NoReplay("bad_record", f"line {line}: {bad}") from None
    except RecursionError:
        raise NoReplay("bad_record", f"line {line}: expected a game, found one that is nested too deeply") from None


def _only_line(body: bytes) -> tuple[int, str]:
    """The game and the number of its line. Empty lines are passed over: a line that is sent alone keeps its number."""
    try:
        lines = body.decode("utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        line = body.count(b"\n", 0, error.start) + 1
        raise NoReplay("bad_record", f"line {line}: expected UTF-8, found {error.reason}") from None
    games = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    if len(games) != 1:
        raise NoReplay("bad_record", f"line {len(lines)}: expected one game, found {len(games)}")
    return games[0]


def _turn_of(eye: str, record: Record) -> Turn | None:
    seats = record.settings.seats
    if eye == EVERYBODY:
        return None
    if eye in map(str, first_turns(seats)):
        return Turn(int(eye))
    raise NoReplay("unknown_player", f"expected {EVERYBODY} or a turn from 1 to {seats}, found {eye[:20]!r}")
