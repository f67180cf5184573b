"""The bodies of the few requests that are no socket: a room made, a room found, the public rooms, a ticket, figures."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from cinderforge.redaction.shapes import RulesView
from cinderforge.room.shapes import MeasuredView, Stage, TimerPreset


class NewRoom(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of POST /api/rooms."""

    name: str


class RoomMade(Struct, frozen=True):
    """The answer to it: the code that leads into the room."""

    code: str


class Ticket(Struct, frozen=True):
    """Lets one socket into the room, at `/ws/{code}?ticket=…`, once and within 30 seconds."""

    ticket: str


class RoomSummary(Struct, frozen=True):
    """What a link or a code leads to, before one joins. Holds nothing of a game."""

    code: str
    host: str
    taken: int
    seats: int
    stage: Stage
    preset: TimerPreset
    watchers: int
    spectators: bool


class PublicRooms(Struct, frozen=True):
    """The rooms that anybody may find, those first that wait for players."""

    rooms: list[RoomSummary]


class MeasuredRules(Struct, frozen=True):
    """One setting, and what was measured of it, the strongest AIs first."""

    rules: RulesView
    usual: bool
    """Whether it is what a table of this size begins with."""
    measured: list[MeasuredView]


class Balance(Struct, frozen=True):
    """The answer to GET /api/balance/{seats}: all that was measured at one size of table, and nothing in between."""

    settings: list[MeasuredRules]


class ApiRefused(Struct, frozen=True):
    """What is answered instead of doing what was asked."""

    code: str
    detail: str = ""


BODIES: Final[tuple[type[Struct], ...]] = (NewRoom, RoomMade, RoomSummary, PublicRooms, Ticket, Balance, ApiRefused)
