"""What happened in a room: the closed family that is kept before anything is told, and whose fold is the room.

Logs hold the tag of each, which is the name of its class; a class that gets a better name keeps its tag.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from cinderforge.redaction.claims import Claim
from cinderforge.room.shapes import Channel, MemberId, PollKind, WaitKind
from cinderforge.rules.words import Faction, Role, Seat, Turn


class Opened(Struct, frozen=True, tag=True):
    """A room begins, at this server time in ms."""

    code: str
    at: int


class SecretDrawn(Struct, frozen=True, tag=True):
    """The secret of the coming game (R3.4), and apart from it what the AIs' own chance comes from. Hex."""

    secret: str
    bots: str


class Came(Struct, frozen=True, tag=True):
    """A session became a member, seated or watching; `wants` a chair, where none was free."""

    member: MemberId
    session: str
    name: str
    seat: Seat | None
    wants: bool = False


class WantsSeat(Struct, frozen=True, tag=True):
    """A member without a chair would like one, or no longer."""

    member: MemberId
    on: bool


class Sat(Struct, frozen=True, tag=True):
    """A member took a chair, or moved to another; with none became a watcher."""

    member: MemberId
    seat: Seat | None
    name: str


class Renamed(Struct, frozen=True, tag=True):
    """A member goes by another name."""

    member: MemberId
    name: str


class Went(Struct, frozen=True, tag=True):
    """A member left; `banned` when removed by the host."""

    member: MemberId
    banned: bool


class Left(Struct, frozen=True, tag=True):
    """A player left a game that was dealt, or was removed from it; the chair stays theirs until the next."""

    member: MemberId
    banned: bool


class Returned(Struct, frozen=True, tag=True):
    """A player who had left is back (R10.2)."""

    member: MemberId


class Pardoned(Struct, frozen=True, tag=True):
    """The host lets somebody back into the room (`LetBack`)."""

    member: MemberId


class StandInBegan(Struct, frozen=True, tag=True):
    """An AI plays for the person of this chair (R10.2)."""

    seat: Seat
    level: str


class StandInEnded(Struct, frozen=True, tag=True):
    """The person of this chair plays again."""

    seat: Seat


class HostIs(Struct, frozen=True, tag=True):
    """Who is host from now on; null where nobody is there to be it (R2.5)."""

    member: MemberId | None


class Filled(Struct, frozen=True, tag=True):
    """An AI took a chair (R2.3)."""

    seat: Seat
    name: str
    level: str


class Cleared(Struct, frozen=True, tag=True):
    """An AI left its chair (R2.3)."""

    seat: Seat


class SettingsChanged(Struct, frozen=True, tag=True):
    """The keys that were set, with their values, as `Change` brought them (R2.6); with a size its A and K, too."""

    settings: dict[str, Any]


class ReadyIs(Struct, frozen=True, tag=True):
    """In the waiting room a person says that they are ready, or not."""

    member: MemberId
    ready: bool


class MixingBegan(Struct, frozen=True, tag=True):
    """The game has been started: contributions to its seed are awaited (R3.4)."""


class StartHeld(Struct, frozen=True, tag=True):
    """The start was called off: by a player, or because a chair came free."""

    member: MemberId | None


class Contributed(Struct, frozen=True, tag=True):
    """A person's bytes for the seed of the coming game, as hex (R3.4)."""

    member: MemberId
    bytes: str


class Dealt(Struct, frozen=True, tag=True):
    """A game is dealt from the secret and the contributions (R3.4): which, and the contributions in seat order."""

    game: int
    contributions: list[str]


class Looked(Struct, frozen=True, tag=True):
    """A person has looked at role, hand and scroll (`Seen`, R3.3)."""

    member: MemberId


class Happened(Struct, frozen=True, tag=True):
    """Events of the game, in order, as `room/keeping.py` writes them."""

    events: list[list[Any]]


class WaitBegan(Struct, frozen=True, tag=True):
    """The table waits, until server time `until` in ms and `whole` ms in all (null: without a limit)."""

    number: int
    kind: WaitKind
    until: int | None
    whole: int | None


class Resumed(Struct, frozen=True, tag=True):
    """The room was read back after an outage; the open wait, if any, ends `later` ms later."""

    later: int


class Polled(Struct, frozen=True, tag=True):
    """A player votes (or no longer) to pause, to go on, or to let an AI play for the absent player of a chair."""

    member: MemberId
    poll: PollKind
    seat: Seat | None
    on: bool


class Paused(Struct, frozen=True, tag=True):
    """The open wait stands still with `left` ms to go (null: it has no limit)."""

    left: int | None
    at: int


class Unpaused(Struct, frozen=True, tag=True):
    """The open wait goes on, until server time `until` in ms."""

    until: int | None


class Said(Struct, frozen=True, tag=True):
    """A line of talk (R9.1), or a quick phrase by its id."""

    member: MemberId
    channel: Channel
    kind: Literal["said", "phrase"]
    text: str
    at: int


class Claimed(Struct, frozen=True, tag=True):
    """A player's claim about the game that is on (R9.1), in this round of it."""

    member: MemberId
    game: int
    turn: Turn
    round: int
    claim: Claim
    at: int


class ClaimedByAi(Struct, frozen=True, tag=True):
    """The same by the AI of this chair; AIs are no members."""

    seat: Seat
    game: int
    turn: Turn
    round: int
    claim: Claim
    at: int


class Reported(Struct, frozen=True, tag=True):
    """A member reports another to the host."""

    member: MemberId
    about: MemberId
    text: str
    at: int


class Muted(Struct, frozen=True, tag=True):
    """A member wants to hear nothing more of another, or wants to again."""

    member: MemberId
    other: MemberId
    on: bool


class CommandsDone(Struct, frozen=True, tag="Noted"):
    """The ids of commands that were done before this and changed nothing, so that no event of theirs has them."""

    commands: list[str]


class Suspected(Struct, frozen=True, tag=True):
    """What a member thinks of a player from now on (`Mark`): their own alone to know. The rules' marks are others."""

    member: MemberId
    turn: Turn
    faction: Faction | None
    role: Role | None
    trust: int | None
    at: int


class NoteWritten(Struct, frozen=True, tag="Wrote"):
    """A member's text on a player, or with none on the whole game: their own alone to know."""

    member: MemberId
    turn: Turn | None
    text: str
    at: int


class NotesShared(Struct, frozen=True, tag=True):
    """A player lets everybody see their notes on the game that is over, as they now are; or no longer."""

    member: MemberId
    turn: Turn
    on: bool
    at: int


class BackToWaiting(Struct, frozen=True, tag=True):
    """The same table, before the next game (`Rematch`)."""


RoomEvent = (
    Opened
    | SecretDrawn
    | Came
    | WantsSeat
    | Sat
    | Renamed
    | Went
    | Left
    | Returned
    | Pardoned
    | StandInBegan
    | StandInEnded
    | HostIs
    | Filled
    | Cleared
    | SettingsChanged
    | ReadyIs
    | MixingBegan
    | StartHeld
    | Contributed
    | Dealt
    | Looked
    | Happened
    | WaitBegan
    | Resumed
    | Polled
    | Paused
    | Unpaused
    | Said
    | Claimed
    | ClaimedByAi
    | Reported
    | Muted
    | CommandsDone
    | Suspected
    | NoteWritten
    | NotesShared
    | BackToWaiting
)
