"""What is too old is deleted at the start and once a day, in small steps, and nothing else is."""

from __future__ import annotations

import asyncio

import pytest

from cinderforge.server.retention import AT_ONCE, DAY_MS, Retention
from cinderforge.server.store import Claim, Forgotten, GameId, RoomId, StoreFailed
from cinderforge.server.store_memory import MemoryStore
from cinderforge.testkit.clock import JumpingClock

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Counting(MemoryStore):
    calls = 0
    fails = False

    async def forget(self, logs_before: int, records_before: int, most: int) -> Forgotten:
        self.calls += 1
        if self.fails:
            raise StoreFailed("the disk is full")
        return await super().forget(logs_before, records_before, most)


@pytest.fixture
def clock() -> JumpingClock:
    return JumpingClock(1000 * DAY_MS)


async def closed_games(store: MemoryStore, count: int, at: int) -> None:
    for number in range(count):
        claim = await store.create_room(RoomId(f"{at}-{number}"), at)
        assert isinstance(claim, Claim)
        await store.append(claim, 0, [b"said"], cmd_id=None, at=at)
        await store.put_record(GameId(f"{at}-{number}-1"), claim.room, b"game", at)
        await store.close_room(claim, at)


async def left(store: MemoryStore, at: int, count: int) -> tuple[int, int]:
    logs = [bool(await store.read(RoomId(f"{at}-{number}"))) for number in range(count)]
    records = [await store.get_record(GameId(f"{at}-{number}-1")) is not None for number in range(count)]
    return sum(logs), sum(records)


async def settled(retention: Retention) -> None:
    assert retention._sweeping is not None
    await retention._sweeping


async def test_talk_goes_before_records_at_the_start_and_each_day(clock: JumpingClock) -> None:
    store, now = Counting(), clock.now()
    retention = Retention(store, clock, log_days=3, record_days=10)
    many = AT_ONCE * 2 + 1
    await closed_games(store, many, now - 4 * DAY_MS)
    await closed_games(store, 1, now - 2 * DAY_MS)
    retention.start()
    await settled(retention)
    assert store.calls == 4, "in steps, until nothing is left"
    assert await left(store, now - 4 * DAY_MS, many) == (0, many)
    assert await left(store, now - 2 * DAY_MS, 1) == (1, 1)
    for _ in range(7):
        clock.pass_time(DAY_MS)
        await settled(retention)
    assert await left(store, now - 4 * DAY_MS, many) == (0, 0)
    assert await left(store, now - 2 * DAY_MS, 1) == (0, 1)
    await retention.stop()
    assert clock.waiting == 0


async def test_zero_days_are_for_ever(clock: JumpingClock) -> None:
    store = Counting()
    await closed_games(store, 1, 1)
    await Retention(store, clock, log_days=0, record_days=0).sweep()
    assert await left(store, 1, 1) == (1, 1)


async def test_what_fails_is_tried_again_the_next_day(clock: JumpingClock) -> None:
    store = Counting()
    await closed_games(store, 1, 1)
    store.fails = True
    retention = Retention(store, clock, log_days=1, record_days=1)
    retention.start()
    await settled(retention)
    store.fails = False
    clock.pass_time(DAY_MS)
    await settled(retention)
    assert await left(store, 1, 1) == (0, 0)
    await retention.stop()


async def test_a_stop_in_the_middle_ends_the_sweep(clock: JumpingClock) -> None:
    store = Counting()
    await closed_games(store, AT_ONCE * 5, 1)
    retention = Retention(store, clock, log_days=1, record_days=1)
    retention.start()
    await asyncio.sleep(0)
    await retention.stop()
    calls = store.calls
    await asyncio.sleep(0)
    assert store.calls == calls < 5
