"""What is too old is deleted at the start and once a day, in small steps, and nothing else is."""

from __future__ import annotations

import asyncio
from collections.abc import Collection

import pytest

from cinderforge.room.inputs import SessionKey
from cinderforge.server.identity import begin_session, session_of
from cinderforge.server.lobby import Lobby
from cinderforge.server.retention import AT_ONCE, DAY_MS, SESSIONS_AT_ONCE, Retention
from cinderforge.server.store import Claim, Forgotten, GameId, RoomId, StoreFailed
from cinderforge.server.store_memory import MemoryStore
from cinderforge.testkit.clock import JumpingClock

pytestmark = pytest.mark.anyio


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


def sweeper(
    store: MemoryStore,
    clock: JumpingClock,
    *,
    log_days: int = 0,
    record_days: int = 0,
    session_days: int = 0,
    members: Collection[SessionKey] = (),
) -> Retention:
    return Retention(
        store,
        clock,
        log_days=log_days,
        record_days=record_days,
        session_days=session_days,
        members=lambda: members,
    )


def digest(number: int) -> bytes:
    return number.to_bytes(32, "big")


async def begun(store: MemoryStore, count: int, at: int) -> None:
    """So many sessions that were last seen then."""
    for number in range(count):
        await store.put_session(digest(at + number), b"{}", at)


async def known(store: MemoryStore, count: int, at: int) -> list[int]:
    return [n for n in range(count) if await store.get_session(digest(at + n)) is not None]


async def settled(retention: Retention) -> None:
    assert retention._sweeping is not None
    await retention._sweeping


async def test_talk_goes_before_records_at_the_start_and_each_day(clock: JumpingClock) -> None:
    store, now = Counting(), clock.now()
    retention = sweeper(store, clock, log_days=3, record_days=10)
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
    await begun(store, 1, 1)
    await sweeper(store, clock).sweep()
    assert await left(store, 1, 1) == (1, 1)
    assert await known(store, 1, 1) == [0]


async def test_sessions_go_that_nobody_showed_for_long_unless_they_are_in_a_room(clock: JumpingClock) -> None:
    store, old, new = MemoryStore(), clock.now() - 181 * DAY_MS, clock.now() - 179 * DAY_MS
    many = SESSIONS_AT_ONCE * 2 + 5
    await begun(store, many, old)
    await begun(store, 3, new)
    seated = {SessionKey(digest(old + number).hex()) for number in (0, 7, many - 1)}
    await sweeper(store, clock, session_days=180, members=seated).sweep()
    assert await known(store, many, old) == [0, 7, many - 1]
    assert await known(store, 3, new) == [0, 1, 2]


async def test_the_sessions_of_all_who_are_in_a_room_are_those_of_members_connected_or_not(clock: JumpingClock) -> None:
    store = MemoryStore()
    lobby = Lobby(store, clock)
    token = await begin_session(store, 0)
    session = await session_of(store, token)
    assert session
    await lobby.create(session, "Host")
    gone = await begin_session(store, 0)
    retention = Retention(store, clock, log_days=0, record_days=0, session_days=1, members=lobby.members)
    await retention.sweep()
    assert await session_of(store, token) == session
    assert await session_of(store, gone) is None
    await lobby.close()


async def test_a_cookie_that_is_shown_is_noted_once_a_day_and_a_disk_that_cannot_shuts_nobody_out(
    clock: JumpingClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, notes = MemoryStore(), 0
    touch = store.touch_session

    async def counted(digest: bytes, at: int) -> None:
        nonlocal notes
        notes += 1
        await touch(digest, at)

    monkeypatch.setattr(store, "touch_session", counted)
    token = await begin_session(store, clock.now())
    for _ in range(200):
        assert await session_of(store, token, clock.now())
        assert await session_of(store, token, clock.now())
        await sweeper(store, clock, session_days=180).sweep()
        clock.pass_time(DAY_MS)
    assert notes == 199

    async def refuses(digest: bytes, at: int) -> None:
        raise StoreFailed("the disk is full")

    monkeypatch.setattr(store, "touch_session", refuses)
    assert await session_of(store, token, clock.now())


async def test_what_fails_is_tried_again_the_next_day(clock: JumpingClock) -> None:
    store = Counting()
    await closed_games(store, 1, 1)
    store.fails = True
    retention = sweeper(store, clock, log_days=1, record_days=1)
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
    retention = sweeper(store, clock, log_days=1, record_days=1)
    retention.start()
    await asyncio.sleep(0)
    await retention.stop()
    calls = store.calls
    await asyncio.sleep(0)
    assert store.calls == calls < 5
