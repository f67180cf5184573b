"""The server's clock never goes back, not even where the machine's was put back between two servers (R10.3)."""

from __future__ import annotations

import asyncio

import pytest

from cinderforge.room.inputs import (
    Arrived,
    Asked,
    Change,
    Contribute,
    Fill,
    SessionKey,
    SocketId,
    Start,
    Wish,
)
from cinderforge.server.clock import LoopClock
from cinderforge.server.lobby import Lobby
from cinderforge.server.store_memory import MemoryStore
from cinderforge.testkit.clock import JumpingClock

pytestmark = pytest.mark.anyio

HOUR = 3_600_000


async def test_it_is_never_earlier_than_what_has_been_lived_through() -> None:
    clock = LoopClock()
    now = clock.now()
    clock.not_before(now - HOUR)
    assert now <= clock.now() < now + HOUR
    clock.not_before(now + HOUR)
    assert now + HOUR <= clock.now() < now + 2 * HOUR
    rung = asyncio.Event()
    clock.call_at(clock.now() + 5, rung.set)
    async with asyncio.timeout(5):
        await rung.wait()


async def test_where_the_machines_clock_was_put_back_a_wait_lasts_no_longer_than_it_should() -> None:
    store, clock = MemoryStore(), JumpingClock()
    first = Lobby(store, clock)
    task = await first.create(SessionKey("host"), "host")
    task.put(Arrived(SocketId(1), SessionKey("host"), 0, 0))
    wishes: tuple[Wish, ...] = (
        Change({"preset": "normal"}),
        Fill(None, None),
        Start(),
        Contribute("ab" * 16),
    )
    for number, wish in enumerate(wishes):
        task.put(Asked(SocketId(1), str(number), wish))
    await first.close()
    assert task.room.wait and task.room.wait.until
    left = task.room.wait.until - clock.now()

    earlier = JumpingClock(clock.now() - HOUR)
    second = Lobby(store, earlier)
    await second.open()
    (again,) = second.rooms()
    assert again.room.wait and again.room.wait.until
    assert again.room.wait.until - earlier.now() == left
    await second.close()
