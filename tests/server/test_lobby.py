"""Rooms and the tasks that run them: a slow disk, a read back that fails, rooms that close, AIs after a restart."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from cinderforge.room.closing import EMPTY_GRACE
from cinderforge.room.inputs import (
    Arrived,
    Asked,
    Change,
    Fill,
    SessionKey,
    SocketId,
    Start,
    Vanished,
    Watch,
    Wish,
)
from cinderforge.server.lobby import Lobby
from cinderforge.server.room_task import RoomTask
from cinderforge.server.store import Appended, Claim, CmdId, Kept, RoomId, StoreFailed
from cinderforge.server.store_memory import MemoryStore
from cinderforge.testkit.clock import JumpingClock
from tests.server.wire import Wire

pytestmark = pytest.mark.anyio


class SlowStore(MemoryStore):
    """Everything about the rooms in `slow` waits until `go_on`; `slows_after_reading` is about to be one."""

    def __init__(self) -> None:
        super().__init__()
        self.slow: set[RoomId] = set()
        self.go_on = asyncio.Event()
        self.slows_after_reading = RoomId("")

    async def append(
        self, claim: Claim, expected_seq: int, events: Sequence[bytes], *, cmd_id: CmdId | None, at: int
    ) -> Appended:
        await self._wait_for(claim.room)
        return await super().append(claim, expected_seq, events, cmd_id=cmd_id, at=at)

    async def read(self, room: RoomId, after: int = 0) -> list[Kept]:
        await self._wait_for(room)
        log = await super().read(room, after)
        if room == self.slows_after_reading:
            self.slow.add(room)
        return log

    async def _wait_for(self, room: RoomId) -> None:
        if room in self.slow:
            await self.go_on.wait()


def sit(task: RoomTask, session: str, number: int) -> Wire:
    wire = Wire()
    task.enter(SocketId(number), wire)
    task.put(Arrived(SocketId(number), SessionKey(session), 0, 0))
    return wire


def ask(task: RoomTask, number: int, *wishes: Wish) -> None:
    for at, wish in enumerate(wishes):
        task.put(Asked(SocketId(number), f"{number}-{at}", wish))


async def settle() -> None:
    """Lets every task do what it can."""
    for _ in range(50):
        await asyncio.sleep(0)


def tasks() -> set[asyncio.Task[object]]:
    return {task for task in asyncio.all_tasks() if not task.done()}


async def test_a_slow_disk_holds_up_its_own_room_and_no_other() -> None:
    store, clock = SlowStore(), JumpingClock()
    lobby = Lobby(store, clock)
    slow, other = await lobby.create(SessionKey("a"), "A"), await lobby.create(SessionKey("b"), "B")
    store.slow.add(RoomId(slow.room.code))
    waiting, going = sit(slow, "a", 1), sit(other, "b", 2)
    for task, number in ((slow, 1), (other, 2)):
        ask(task, number, Fill(None, None))
    newcomer = asyncio.create_task(lobby.create(SessionKey("c"), "C"))
    await settle()
    assert waiting.kinds() == ["update"], "what is not kept is not told"
    assert going.kinds() == ["update", "done", "update"] and newcomer.done()
    store.go_on.set()
    await settle()
    assert waiting.kinds() == ["update", "done", "update"]
    await lobby.close()


async def test_while_one_room_is_read_back_slowly_the_others_are_there() -> None:
    store, clock = SlowStore(), JumpingClock()
    first = Lobby(store, clock)
    codes = [RoomId((await first.create(SessionKey(name), name)).room.code) for name in "ab"]
    await first.close()
    store.slow.add(codes[0])
    lobby = Lobby(store, clock)
    late = [asyncio.create_task(lobby.find(codes[0])) for _ in range(3)]
    await settle()
    assert not any(task.done() for task in late)
    assert await lobby.find(codes[1]) is not None
    store.go_on.set()
    found = await asyncio.gather(*late)
    assert found[0] is not None and found[0] is found[1] is found[2], "read back once"
    await lobby.close()


async def playing(store: MemoryStore, clock: JumpingClock) -> RoomId:
    """A room in which AIs play and somebody watches; its server has stopped in the middle of a move."""
    lobby = Lobby(store, clock)
    task = await lobby.create(SessionKey("a"), "A")
    sit(task, "a", 1)
    ask(
        task,
        1,
        Change({"seats": 5, "first_holder": "vote"}),
        Watch("A"),
        Fill(None, None),
        Start(),
    )
    await settle()
    while task.room.wait is None or task.room.wait.kind != "pass":
        assert clock.jump_to_next()
        await settle()
    await lobby.close()
    await settle()
    return RoomId(task.room.code)


async def test_ais_that_thought_when_the_server_died_act_afterwards() -> None:
    store, clock = MemoryStore(), JumpingClock()
    code = await playing(store, clock)
    assert clock.waiting == 0
    lobby = Lobby(store, clock)
    await lobby.open()
    task = await lobby.find(code)
    assert task
    while task.room.stage != "over":
        assert clock.jump_to_next(), "nobody thinks on"
        await settle()
    await lobby.close()


@pytest.mark.parametrize("why", ["given up", "failed"])
async def test_a_read_back_that_comes_to_nothing_leaves_nothing_and_is_done_anew(why: str) -> None:
    store, clock = SlowStore(), JumpingClock()
    code = await playing(store, clock)
    before, lobby = tasks(), Lobby(store, clock)
    if why == "failed":
        store.ambushes.append("lost")
        with pytest.raises(StoreFailed):
            await lobby.find(code)
    else:
        asking = asyncio.create_task(lobby.find(code))
        await asyncio.sleep(0)
        store.slows_after_reading = code
        await settle()
        asking.cancel()
    await settle()
    assert tasks() - before == set() and len(lobby) == 0 and clock.waiting == 0
    store.slow.clear()
    store.go_on.set()
    assert await lobby.find(code) is not None
    await lobby.close()


async def test_rooms_that_close_leave_no_task_no_alarm_and_no_watcher_behind() -> None:
    store, clock = MemoryStore(), JumpingClock()
    before, lobby = tasks(), Lobby(store, clock)
    wires = []
    for number in range(20):
        task = await lobby.create(SessionKey(f"h{number}"), "Host")
        host, watcher, guest = number * 10 + 1, number * 10 + 2, number * 10 + 3
        sit(task, f"h{number}", host)
        sit(task, f"w{number}", watcher)
        ask(task, watcher, Watch("W"))
        wires.append(sit(task, f"g{number}", guest))
        for gone in (host, watcher):
            task.put(Vanished(SocketId(gone)))
            task.leave(SocketId(gone))
    await settle()
    assert len(lobby) == 20 and len(tasks()) == len(before) + 20
    began = clock.now()
    while clock.jump_to_next():
        await settle()
    assert clock.now() - began == EMPTY_GRACE
    assert len(lobby) == 0 and tasks() == before and clock.waiting == 0
    assert await store.live_rooms() == []
    assert all(wire.messages[-1] == {"t": "bye", "why": "closed"} and wire.closed == 1000 for wire in wires)
