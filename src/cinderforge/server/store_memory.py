"""The store in memory: for tests, and for a server that may forget everything when it stops."""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from cinderforge.server.store import (
    Appended,
    Claim,
    Closed,
    CmdId,
    Conflict,
    Forgotten,
    GameId,
    Kept,
    LiveRoom,
    Ok,
    Record,
    Repeated,
    RoomId,
    Session,
    StoreFailed,
    Taken,
    Unknown,
)

Ambush = Literal["lost", "kept"]
"""What an append that answers `Unknown` has really done: nothing, or all."""


@dataclass(slots=True)
class _Room:
    created_at: int
    touched_at: int
    epoch: int
    token: bytes
    open: bool = True
    log: list[Kept] = field(default_factory=list)
    commands: dict[CmdId, int] = field(default_factory=dict)

    def obeys(self, claim: Claim) -> bool:
        return self.open and self.epoch == claim.epoch and self.token == claim.token


class MemoryStore:
    """The port's meaning in its plainest words; the other engines are held against it.

    Every method yields once before it acts, so that two tasks meet here as they would on a disk. `ambushes` are
    taken by the next appends, one each.
    """

    broken: str | None = None

    def __init__(self) -> None:
        self.ambushes: deque[Ambush] = deque()
        self._beat = 0
        self._rooms: dict[RoomId, _Room] = {}
        self._records: dict[GameId, Record] = {}
        self._sessions: dict[bytes, Session] = {}
        self._open = True

    async def create_room(self, room: RoomId, at: int) -> Claim | Taken:
        await self._turn()
        if room in self._rooms:
            return Taken()
        claim = Claim(room, 1, secrets.token_bytes(16))
        self._rooms[room] = _Room(at, at, claim.epoch, claim.token)
        return claim

    async def claim(self, room: RoomId) -> Claim | None:
        await self._turn()
        there = self._rooms.get(room)
        if there is None or not there.open:
            return None
        there.epoch, there.token = there.epoch + 1, secrets.token_bytes(16)
        return Claim(room, there.epoch, there.token)

    async def append(
        self, claim: Claim, expected_seq: int, events: Sequence[bytes], *, cmd_id: CmdId | None, at: int
    ) -> Appended:
        assert events, "an append without events says nothing"
        try:
            await self._turn()
        except StoreFailed as failure:
            return Unknown(str(failure))
        ambush = self.ambushes.popleft() if self.ambushes else None
        if ambush == "lost":
            return Unknown("ambushed")
        answer = self._append(claim, expected_seq, events, cmd_id, at)
        return Unknown("ambushed") if ambush == "kept" else answer

    def _append(
        self, claim: Claim, expected_seq: int, events: Sequence[bytes], cmd_id: CmdId | None, at: int
    ) -> Appended:
        there = self._rooms.get(claim.room)
        if there is None or not there.obeys(claim):
            return Conflict()
        head = len(there.log)
        if cmd_id is not None and cmd_id in there.commands:
            return Repeated(head, there.commands[cmd_id])
        if head != expected_seq:
            return Conflict()
        first = head + 1
        for seq, body in enumerate(events, first):
            there.log.append(Kept(seq, at, claim.epoch, cmd_id if seq == first else None, bytes(body)))
        if cmd_id is not None:
            there.commands[cmd_id] = first
        there.touched_at = at
        return Ok(len(there.log))

    async def read(self, room: RoomId, after: int = 0) -> list[Kept]:
        await self._turn()
        there = self._rooms.get(room)
        return [] if there is None else there.log[max(after, 0) :]

    async def live_rooms(self) -> list[LiveRoom]:
        await self._turn()
        live = [
            LiveRoom(name, len(room.log), room.epoch, room.created_at, room.touched_at)
            for name, room in self._rooms.items()
            if room.open
        ]
        return sorted(live, key=lambda room: (room.created_at, room.room))

    async def close_room(self, claim: Claim, at: int) -> Closed:
        try:
            await self._turn()
        except StoreFailed as failure:
            return Unknown(str(failure))
        there = self._rooms.get(claim.room)
        if there is None or not there.obeys(claim):
            return Conflict()
        there.open, there.touched_at = False, at
        return Ok(len(there.log))

    async def put_record(self, game: GameId, room: RoomId, body: bytes, at: int) -> None:
        await self._turn()
        self._records.setdefault(game, Record(game, room, at, bytes(body)))

    async def get_record(self, game: GameId) -> Record | None:
        await self._turn()
        return self._records.get(game)

    async def put_session(self, digest: bytes, body: bytes, at: int) -> None:
        await self._turn()
        before = self._sessions.get(digest)
        if before is None:
            self._sessions[digest] = Session(bytes(body), at, at)
        else:
            self._sessions[digest] = Session(bytes(body), before.created_at, max(before.seen_at, at))

    async def get_session(self, digest: bytes) -> Session | None:
        await self._turn()
        return self._sessions.get(digest)

    async def touch_session(self, digest: bytes, at: int) -> None:
        await self._turn()
        before = self._sessions.get(digest)
        if before is not None:
            self._sessions[digest] = Session(before.body, before.created_at, max(before.seen_at, at))

    async def drop_session(self, digest: bytes) -> None:
        await self._turn()
        self._sessions.pop(digest, None)

    async def unseen_sessions(self, before: int) -> list[bytes]:
        await self._turn()
        return [digest for digest, session in self._sessions.items() if session.seen_at < before]

    async def forget_sessions(self, digests: Sequence[bytes], before: int) -> int:
        await self._turn()
        unseen = [digest for digest in digests if digest in self._sessions and self._sessions[digest].seen_at < before]
        for digest in unseen:
            del self._sessions[digest]
        return len(unseen)

    async def forget(self, logs_before: int, records_before: int, most: int) -> Forgotten:
        await self._turn()
        closed = [room for room in self._rooms.values() if not room.open and room.log]
        logs = [room for room in closed if room.touched_at < logs_before][:most]
        for room in logs:
            room.log.clear()
            room.commands.clear()
        records = [game for game, record in self._records.items() if record.at < records_before]
        records = [game for game in records if not self._is_open(self._records[game].room)][:most]
        for game in records:
            del self._records[game]
        return Forgotten(len(logs), len(records))

    async def beat(self, at: int) -> None:
        await self._turn()
        self._beat = max(self._beat, at)

    async def last_beat(self) -> int:
        await self._turn()
        return self._beat

    def _is_open(self, room: RoomId) -> bool:
        return room in self._rooms and self._rooms[room].open

    async def close(self) -> None:
        self._open = False

    async def _turn(self) -> None:
        await asyncio.sleep(0)
        if not self._open:
            raise StoreFailed("the store is closed")
