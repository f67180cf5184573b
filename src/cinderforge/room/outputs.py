"""What a room wants done, in order: `Keep` first and alone; nothing after it happens unless it is kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from cinderforge.bots.characters import Character
from cinderforge.redaction.recollection import Recollection
from cinderforge.redaction.shapes import News, PlayerView, TableView, View
from cinderforge.room.events import RoomEvent
from cinderforge.room.inputs import SocketId
from cinderforge.room.shapes import LineView, MemberView, RoomView
from cinderforge.rules.words import Turn


@dataclass(frozen=True, slots=True)
class Keep:
    """Write these to the room's log, all or nothing, under the command's id if one caused them."""

    events: tuple[RoomEvent, ...]
    command: str | None
    at: int
    """When they happened, server time in ms."""


@dataclass(frozen=True, slots=True)
class Tell:
    """The whole picture for one socket. `room` and `table` are the same objects for all sockets of a batch.

    `heard` counts the news of game number `game` that this socket has heard, `news` included; with `fresh` it starts
    over from the first.
    """

    socket: SocketId
    room: RoomView
    table: TableView | None
    member: MemberView
    player: PlayerView | None
    game: int
    heard: int
    fresh: bool
    news: tuple[News, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """A command was done, or refused with a code."""

    socket: SocketId
    id: str
    code: str | None = None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class SayBye:
    """Close this socket; the client is told why and does not come back by itself."""

    socket: SocketId
    why: Literal["replaced", "kicked", "left", "closed"]


@dataclass(frozen=True, slots=True)
class TellLines:
    """Lines of talk that this socket has not had. `latest` is the number of the last one that it has now."""

    socket: SocketId
    lines: tuple[LineView, ...]
    latest: int


@dataclass(frozen=True, slots=True)
class WakeAt:
    """Send `TimeIsUp` at this server time in ms, and at no earlier set one; null: at none."""

    at: int | None


@dataclass(frozen=True, slots=True)
class AskBot:
    """At this server time in ms, ask the AI of this level what it does, and send its `BotAnswered`.

    The character is the chair's, whatever was dealt to it. The recollection is what a person in the seat would
    remember; it goes nowhere else.
    """

    ask: int
    turn: Turn
    level: str
    character: Character
    view: View
    recollection: Recollection
    seed: str
    at: int


@dataclass(frozen=True, slots=True)
class AskWords:
    """Ask the AI of this level what it claims, and send it as its `AiSpoke`, one claim at each of these server times.

    The times were drawn before it was asked and without what it knows; if it has nothing by then, it is silent.
    """

    game: int
    turn: Turn
    level: str
    character: Character
    view: View
    recollection: Recollection
    seed: str
    at: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Archive:
    """A game has ended: keep its record (docs/formats.md), one line of text."""

    game: int
    record: str


@dataclass(frozen=True, slots=True)
class CloseRoom:
    """Nobody has been here for long: the room is over (R2.5)."""


Output = Keep | Tell | TellLines | Answer | SayBye | WakeAt | AskBot | AskWords | Archive | CloseRoom
