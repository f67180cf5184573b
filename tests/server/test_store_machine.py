"""Any sequence of calls at all: each engine answers as a ledger of a few lines foretells."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, rule

from cinderforge.server.store import Claim, CmdId, Conflict, Forgotten, Ok, Repeated, RoomId, Store, Taken
from cinderforge.server.store_memory import MemoryStore
from cinderforge.server.store_sqlite import SqliteStore

T = TypeVar("T")

ROOMS = st.sampled_from([RoomId("A"), RoomId("B")])
COMMANDS = st.one_of(st.none(), st.sampled_from([CmdId("x"), CmdId("y"), CmdId("z")]))
EVENTS = st.lists(st.binary(max_size=4), min_size=1, max_size=3)


class StoreMachine(RuleBasedStateMachine):
    """The ledger restates the contract and never asks the store."""

    claims = Bundle("claims")

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.logs: dict[RoomId, list[bytes]] = {}
        self.commands: dict[tuple[RoomId, CmdId], int] = {}
        self.owners: dict[RoomId, Claim] = {}
        self.store = self.run_(self.open())

    async def open(self) -> Store:
        raise NotImplementedError

    def run_(self, work: Coroutine[Any, Any, T]) -> T:
        return self.loop.run_until_complete(work)

    @rule(target=claims, room=ROOMS)
    def create(self, room: RoomId) -> Claim:
        made = self.run_(self.store.create_room(room, 1))
        if room in self.logs:
            assert made == Taken()
            return Claim(room, 1, b"stranger")
        assert isinstance(made, Claim)
        self.logs[room], self.owners[room] = [], made
        return made

    @rule(target=claims, room=ROOMS)
    def claim(self, room: RoomId) -> Claim:
        claim = self.run_(self.store.claim(room))
        if room not in self.owners:
            assert claim is None
            return Claim(room, 1, b"stranger")
        assert claim is not None
        assert claim.epoch == self.owners[room].epoch + 1
        self.owners[room] = claim
        return claim

    @rule(claim=claims, off=st.sampled_from([0, 0, 0, -1, 1]), events=EVENTS, cmd=COMMANDS)
    def append(self, claim: Claim, off: int, events: list[bytes], cmd: CmdId | None) -> None:
        log = self.logs.get(claim.room, [])
        head = len(log)
        answer = self.run_(self.store.append(claim, head + off, events, cmd_id=cmd, at=1))
        if self.owners.get(claim.room) != claim:
            assert answer == Conflict()
        elif cmd is not None and (claim.room, cmd) in self.commands:
            assert answer == Repeated(head, self.commands[claim.room, cmd])
        elif off:
            assert answer == Conflict()
        else:
            assert answer == Ok(head + len(events))
            log.extend(events)
            if cmd is not None:
                self.commands[claim.room, cmd] = head + 1

    @rule(claim=claims)
    def close_room(self, claim: Claim) -> None:
        answer = self.run_(self.store.close_room(claim, 1))
        if self.owners.get(claim.room) == claim:
            assert answer == Ok(len(self.logs[claim.room]))
            del self.owners[claim.room]
        else:
            assert answer == Conflict()

    @rule(before=st.sampled_from([1, 2]))
    def forget(self, before: int) -> None:
        """All that happens here happens at 1."""
        old = [room for room, log in self.logs.items() if log and room not in self.owners and before > 1]
        assert self.run_(self.store.forget(before, 0, 100)) == Forgotten(len(old), 0)
        for room in old:
            self.logs[room] = []

    @rule()
    def reopen(self) -> None:
        self.store = self.run_(self.reopened())

    async def reopened(self) -> Store:
        return self.store

    @invariant()
    def logs_are_whole(self) -> None:
        for room, log in self.logs.items():
            kept = self.run_(self.store.read(room))
            assert [(one.seq, one.body) for one in kept] == list(enumerate(log, 1))

    @invariant()
    def live_is_who_is_owned(self) -> None:
        live = self.run_(self.store.live_rooms())
        assert {(room.room, room.head) for room in live} == {(r, len(self.logs[r])) for r in self.owners}

    def teardown(self) -> None:
        self.run_(self.store.close())
        self.loop.close()


class MemoryMachine(StoreMachine):
    async def open(self) -> Store:
        return MemoryStore()


class SqliteMachine(StoreMachine):
    async def open(self) -> Store:
        self.folder = tempfile.TemporaryDirectory()
        return await SqliteStore.open(Path(self.folder.name) / "store.sqlite3")

    async def reopened(self) -> Store:
        await self.store.close()
        return await SqliteStore.open(Path(self.folder.name) / "store.sqlite3")

    def teardown(self) -> None:
        super().teardown()
        self.folder.cleanup()


TestMemory = MemoryMachine.TestCase
TestMemory.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)
TestSqlite = SqliteMachine.TestCase
TestSqlite.settings = settings(
    max_examples=25, stateful_step_count=25, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
