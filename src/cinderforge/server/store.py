"""The store port: what is kept on disk before anything is told, whichever engine keeps it.

One rule makes the rest simple: acknowledge and show an event only after its append has answered `Ok`. Everything
that is not in the log is a hint. The engines are interchangeable and share one contract suite.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NewType, Protocol

RoomId = NewType("RoomId", str)
GameId = NewType("GameId", str)
CmdId = NewType("CmdId", str)
"""What a command is known by within its room: chosen by whoever gave it, so that giving it twice does it once."""


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to write to a room. The newest claim wins; the writes of an older one are refused (`Conflict`)."""

    room: RoomId
    epoch: int
    token: bytes = field(repr=False)
    """Random, because a bare epoch may be handed out twice when a database loses its last moments."""


@dataclass(frozen=True, slots=True)
class Ok:
    """Durable. `head` is the number of the last event in the log."""

    head: int


@dataclass(frozen=True, slots=True)
class Repeated:
    """This command is in the log already, its first event at `seq`; nothing was written now. Answer it as done."""

    head: int
    seq: int


@dataclass(frozen=True, slots=True)
class Conflict:
    """Somebody else appended, or the room is no longer ours or no longer open: drop it from memory, don't retry."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """Perhaps written, perhaps not: drop the room from memory and read it again. The command may be repeated."""

    why: str


Appended = Ok | Repeated | Conflict | Unknown
Closed = Ok | Conflict | Unknown


@dataclass(frozen=True, slots=True)
class Taken:
    """There is or was a room of this id."""


@dataclass(frozen=True, slots=True)
class Kept:
    """One event of a room's log. A command's id stands on the first event that it caused."""

    seq: int
    at: int
    epoch: int
    cmd_id: CmdId | None
    body: bytes


@dataclass(frozen=True, slots=True)
class LiveRoom:
    """A room that has not been closed. `touched_at` is when it was last written to."""

    room: RoomId
    head: int
    epoch: int
    created_at: int
    touched_at: int


@dataclass(frozen=True, slots=True)
class Record:
    """The record of a finished game, as the bytes that were put."""

    game: GameId
    room: RoomId
    at: int
    body: bytes


@dataclass(frozen=True, slots=True)
class Session:
    """What is remembered of a session. Its id is kept by its hash only; the body is the caller's own text."""

    body: bytes
    created_at: int
    seen_at: int


@dataclass(frozen=True, slots=True)
class Forgotten:
    """How many rooms' logs, and how many records, were deleted."""

    logs: int
    records: int


class StoreFailed(Exception):
    """The store could not do what it was asked. Nothing of it may be acknowledged."""


class StoreUnusable(StoreFailed):
    """The store cannot be opened: in use by another process, newer than this program, or not ours."""


class Store(Protocol):
    """All times (`at`) are handed in, in milliseconds; the store has no clock and draws no conclusions from them.

    `append` and `close_room` never raise for what happens to disks and connections: they answer `Unknown`. All
    other methods raise `StoreFailed`.
    """

    @property
    def broken(self) -> str | None:
        """Why nothing more is written before a restart; None while all is well."""
        ...

    async def create_room(self, room: RoomId, at: int) -> Claim | Taken:
        """Begin a room, with an empty log (head 0), and claim it."""
        ...

    async def claim(self, room: RoomId) -> Claim | None:
        """Become the only writer of an open room; None if there is no such room. Read its log after this."""
        ...

    async def append(
        self, claim: Claim, expected_seq: int, events: Sequence[bytes], *, cmd_id: CmdId | None, at: int
    ) -> Appended:
        """Write `events` behind `expected_seq`, all or nothing. It is checked in this order: claim, command, head."""
        ...

    async def read(self, room: RoomId, after: int = 0) -> list[Kept]:
        """The log of a room behind `after`, in order and without a gap."""
        ...

    async def live_rooms(self) -> list[LiveRoom]:
        """All open rooms, the oldest first."""
        ...

    async def close_room(self, claim: Claim, at: int) -> Closed:
        """Close a room for good: it is not live, cannot be claimed and takes no more events. Its log stays."""
        ...

    async def put_record(self, game: GameId, room: RoomId, body: bytes, at: int) -> None:
        """Keep the record of a finished game. A game has one record: the first one put stays."""
        ...

    async def get_record(self, game: GameId) -> Record | None: ...

    async def put_session(self, digest: bytes, body: bytes, at: int) -> None:
        """Begin a session, or change what is remembered of it."""
        ...

    async def get_session(self, digest: bytes) -> Session | None: ...

    async def touch_session(self, digest: bytes, at: int) -> None:
        """The session was seen. Its time never goes back; a session that isn't there stays away."""
        ...

    async def drop_session(self, digest: bytes) -> None:
        """Revoke a session."""
        ...

    async def unseen_sessions(self, before: int) -> list[bytes]:
        """The sessions that were last seen before this time, by their hashes."""
        ...

    async def forget_sessions(self, digests: Sequence[bytes], before: int) -> int:
        """Revoke those of these sessions that have still not been seen since; says how many."""
        ...

    async def forget(self, logs_before: int, records_before: int, most: int) -> Forgotten:
        """Delete for good, at most so many of each: the logs of rooms that were closed before, and records put before.

        Open rooms keep their logs and their games' records. The id of a room is never given out again.
        """
        ...

    async def beat(self, at: int) -> None:
        """Note that the server lives: after a crash, time is lost from the last beat on. Never goes back."""
        ...

    async def last_beat(self) -> int:
        """When the server was last known to live; 0 if never."""
        ...

    async def close(self) -> None:
        """Finish what was asked before, then let go of everything. May be called twice."""
        ...
