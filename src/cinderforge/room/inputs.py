"""What comes into a room. The time of each is handed in with it, in ms by the server's clock."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NewType

from cinderforge.redaction.claims import Claim
from cinderforge.room.shapes import MemberId, PollKind
from cinderforge.rules.commands import Command
from cinderforge.rules.words import Faction, Role, Seat, Turn

SessionKey = NewType("SessionKey", str)
"""Whose socket it is: the hash of a secret that only that browser holds. Seats belong to it, never to a name."""

SocketId = NewType("SocketId", int)


@dataclass(frozen=True, slots=True)
class Arrived:
    """A socket said hello: which game's news it has heard, and how much of it."""

    socket: SocketId
    session: SessionKey
    game: int
    heard: int
    lines: int = 0
    """The number of the last line of talk that it has."""


@dataclass(frozen=True, slots=True)
class Vanished:
    """A socket is gone. That alone never costs a seat (R10.3)."""

    socket: SocketId


@dataclass(frozen=True, slots=True)
class TimeIsUp:
    """The alarm has rung that `WakeAt` set. Early, late or double, it does only what is due."""


@dataclass(frozen=True, slots=True)
class BotAnswered:
    """What an AI asked to do; a command that is not on offer is replaced by a legal one. `ask`: which question."""

    ask: int
    turn: Turn
    command: Command


@dataclass(frozen=True, slots=True)
class Asked:
    """A member's, or a guest's, command with its id."""

    socket: SocketId
    id: str
    wish: Wish


@dataclass(frozen=True, slots=True)
class TakeSeat:
    name: str


@dataclass(frozen=True, slots=True)
class WatchOnly:
    name: str


@dataclass(frozen=True, slots=True)
class CallMe:
    name: str


@dataclass(frozen=True, slots=True)
class GoAway:
    pass


@dataclass(frozen=True, slots=True)
class FillSeats:
    """AIs for one free seat, or for all (R2.3)."""

    seat: Seat | None
    level: str | None


@dataclass(frozen=True, slots=True)
class ClearSeats:
    seat: Seat | None


@dataclass(frozen=True, slots=True)
class Remove:
    member: MemberId


@dataclass(frozen=True, slots=True)
class LetBack:
    """Take back that somebody was removed."""

    member: MemberId


@dataclass(frozen=True, slots=True)
class MakeHost:
    member: MemberId


@dataclass(frozen=True, slots=True)
class ChangeSettings:
    settings: dict[str, Any]


@dataclass(frozen=True, slots=True)
class StartGame:
    pass


@dataclass(frozen=True, slots=True)
class BeReady:
    ready: bool


@dataclass(frozen=True, slots=True)
class HoldStart:
    """Call off the start that is being counted down; once in a game's waiting room."""


@dataclass(frozen=True, slots=True)
class CastPoll:
    """Vote to pause, to go on, or to let an AI play for an absent player (R10)."""

    poll: PollKind
    seat: Seat | None
    on: bool


@dataclass(frozen=True, slots=True)
class Say:
    """Talk (R9). `sure`: said again after a warning that it may name a scroll."""

    text: str
    sure: bool


@dataclass(frozen=True, slots=True)
class SayPhrase:
    phrase: str


@dataclass(frozen=True, slots=True)
class MakeClaim:
    """Say something about the game in a form that everybody can read."""

    claim: Claim


@dataclass(frozen=True, slots=True)
class Mute:
    member: MemberId
    on: bool


@dataclass(frozen=True, slots=True)
class Report:
    """Tell the host about somebody."""

    member: MemberId
    text: str


@dataclass(frozen=True, slots=True)
class Suspect:
    """Mark what one thinks of a player; all null takes the mark away. Nobody else is told."""

    turn: Turn
    faction: Faction | None
    role: Role | None
    trust: int | None


@dataclass(frozen=True, slots=True)
class Note:
    """Write a text on a player, or on the whole game. Nobody else is told."""

    turn: Turn | None
    text: str


@dataclass(frozen=True, slots=True)
class ShareNotes:
    """After the end: let everybody see one's notes as they now are, or no longer."""

    on: bool


@dataclass(frozen=True, slots=True)
class MixIn:
    """Random bytes for the coming seed, as hex (R3.4)."""

    bytes: str


@dataclass(frozen=True, slots=True)
class HaveLooked:
    pass


@dataclass(frozen=True, slots=True)
class PlayAgain:
    pass


@dataclass(frozen=True, slots=True)
class Move:
    """A move in the game."""

    command: Command


Wish = (
    TakeSeat
    | WatchOnly
    | CallMe
    | GoAway
    | FillSeats
    | ClearSeats
    | Remove
    | LetBack
    | MakeHost
    | ChangeSettings
    | StartGame
    | BeReady
    | HoldStart
    | CastPoll
    | Say
    | SayPhrase
    | MakeClaim
    | Mute
    | Report
    | Suspect
    | Note
    | ShareNotes
    | MixIn
    | HaveLooked
    | PlayAgain
    | Move
)

Input = Arrived | Vanished | TimeIsUp | BotAnswered | Asked
