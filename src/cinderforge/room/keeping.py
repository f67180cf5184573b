"""Room events as bytes and back: how a room's log is written. Events of the game are lists, name first."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, get_args

import msgspec

from cinderforge.room.events import RoomEvent
from cinderforge.rules import marks
from cinderforge.rules.events import Event, Marked

_EVENTS: Final[dict[str, Any]] = {cls.__name__: cls for cls in get_args(Event)}
_MARKS: Final[dict[str, Any]] = {cls.__name__: cls for cls in get_args(marks.Mark)}

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(RoomEvent).decode


def kept(event: RoomEvent) -> bytes:
    """A room event as it stands in the log."""
    return _encode(event)


def unkept(body: bytes) -> RoomEvent:
    """A room event out of the log. Raises msgspec.DecodeError or ValidationError where the log is damaged."""
    return _decode(body)


def plain(events: Iterable[Event]) -> list[list[Any]]:
    """Events of the game as plain values."""
    return [_plain(event) for event in events]


def unplain(rows: Iterable[list[Any]]) -> list[Event]:
    """Events of the game out of plain values."""
    return [_unplain(row) for row in rows]


def _plain(event: Event) -> list[Any]:
    if isinstance(event, Marked):
        return ["Marked", type(event.mark).__name__, msgspec.to_builtins(event.mark)]
    return [type(event).__name__, msgspec.to_builtins(event)]


def _unplain(row: list[Any]) -> Event:
    if row[0] == "Marked":
        return Marked(msgspec.convert(row[2], _MARKS[row[1]]))
    event: Event = msgspec.convert(row[1], _EVENTS[row[0]])
    return event
