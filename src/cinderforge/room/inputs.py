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
class AiSpoke:
    """What an AI claims at a moment that was drawn for it (`AskWords`), in this game of the room."""

    game: int
    turn: Turn
    claim: Claim


@dataclass(frozen=True, slots=True)
class Asked:
    """A member's, or a guest's, wish, under the id of the command."""

    socket: SocketId
    id: str
    wish: Wish


# A wish has the name of the message that brings it (wire/messages.py); moves of the game come as one, `Move`.


@dataclass(frozen=True, slots=True)
class Join:
    """Take a free chair in the waiting room, under this name."""

    name: str


@dataclass(frozen=True, slots=True)
class Watch:
    """Be present without a chair, under this name."""

    name: str


@dataclass(frozen=True, slots=True)
class WantSeat:
    """Take a chair as soon as there is one, and let everybody know; or no longer, and only watch."""

    name: str
    on: bool


@dataclass(frozen=True, slots=True)
class Admit:
    """Let somebody who would like to sit have a chair: a free one, or an AI's (R2.3)."""

    member: MemberId


@dataclass(frozen=True, slots=True)
class Rename:
    """Go by another name."""

    name: str


@dataclass(frozen=True, slots=True)
class Leave:
    """Go away for good; a lost socket alone is no such wish."""


@dataclass(frozen=True, slots=True)
class Fill:
    """Put an AI on this chair, or one on each free chair (R2.3)."""

    seat: Seat | None
    level: str | None


@dataclass(frozen=True, slots=True)
class Clear:
    """Take the AI off this chair, or all of them off theirs (R2.3)."""

    seat: Seat | None


@dataclass(frozen=True, slots=True)
class Kick:
    """Remove somebody (R2.3)."""

    member: MemberId


@dataclass(frozen=True, slots=True)
class LetBack:
    """Take back that somebody was removed."""

    member: MemberId


@dataclass(frozen=True, slots=True)
class HandOn:
    """Hand the host's role on (R2.3)."""

    member: MemberId


@dataclass(frozen=True, slots=True)
class Change:
    """Change settings (R2.6): key to value, as they stand in the JSON of the message."""

    settings: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Start:
    """Start the game: contributions to its seed are collected first (R3.4)."""


@dataclass(frozen=True, slots=True)
class Ready:
    """Say in the waiting room that one is ready to start, or not."""

    ready: bool


@dataclass(frozen=True, slots=True)
class Hold:
    """Call off the start that is being counted down; once before each game."""


@dataclass(frozen=True, slots=True)
class Poll:
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
class Phrase:
    """Say one of the quick phrases (talk/phrases.py), by its id."""

    phrase: str


@dataclass(frozen=True, slots=True)
class MakeClaim:
    """Say something about the game in a form that everybody can read."""

    claim: Claim


@dataclass(frozen=True, slots=True)
class Mute:
    """Hear nothing more of somebody, or again."""

    member: MemberId
    on: bool


@dataclass(frozen=True, slots=True)
class Report:
    """Tell the host about somebody."""

    member: MemberId
    text: str


@dataclass(frozen=True, slots=True)
class Mark:
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
class Contribute:
    """Random bytes for the coming seed, as hex (R3.4)."""

    bytes: str


@dataclass(frozen=True, slots=True)
class Seen:
    """Say that one has looked at role, hand and scroll (R3.3)."""


@dataclass(frozen=True, slots=True)
class Rematch:
    """Go back to the waiting room at the same table."""


@dataclass(frozen=True, slots=True)
class Move:
    """A move in the game; perhaps with the game and the round in which it was made."""

    command: Command
    game: int | None = None
    round: int | None = None


Wish = (
    Join
    | Watch
    | WantSeat
    | Admit
    | Rename
    | Leave
    | Fill
    | Clear
    | Kick
    | LetBack
    | HandOn
    | Change
    | Start
    | Ready
    | Hold
    | Poll
    | Say
    | Phrase
    | MakeClaim
    | Mute
    | Report
    | Mark
    | Note
    | ShareNotes
    | Contribute
    | Seen
    | Rematch
    | Move
)

Input = Arrived | Vanished | TimeIsUp | BotAnswered | AiSpoke | Asked
