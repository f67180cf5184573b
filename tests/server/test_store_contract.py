"""What every store promises, asked of each engine alike; an engine is added by a line in `ENGINES`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from cinderforge.server.store import (
    Claim,
    CmdId,
    Conflict,
    Forgotten,
    GameId,
    Kept,
    Ok,
    Repeated,
    RoomId,
    Store,
    StoreFailed,
    Taken,
    Unknown,
)
from cinderforge.server.store_memory import MemoryStore
from cinderforge.server.store_sqlite import SqliteStore

pytestmark = pytest.mark.anyio

ROOM = RoomId("EMBER")
OTHER = RoomId("COALS")


async def _memory(folder: Path) -> Store:
    return MemoryStore()


async def _sqlite(folder: Path) -> Store:
    return await SqliteStore.open(folder / "store.sqlite3")


ENGINES: dict[str, Callable[[Path], Awaitable[Store]]] = {"memory": _memory, "sqlite": _sqlite}


@pytest.fixture(params=ENGINES)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    store = await ENGINES[request.param](tmp_path)
    yield store
    await store.close()


@dataclass
class Writer:
    """Somebody who holds a claim and remembers nothing else."""

    store: Store
    claim: Claim

    async def append(self, expected: int, *events: str, cmd: str | None = None, at: int = 1000) -> object:
        bodies = [event.encode() for event in events]
        return await self.store.append(self.claim, expected, bodies, cmd_id=CmdId(cmd) if cmd else None, at=at)

    async def bodies(self) -> list[str]:
        return [kept.body.decode() for kept in await self.store.read(self.claim.room)]


async def begun(store: Store, room: RoomId = ROOM, at: int = 1000) -> Writer:
    claim = await store.create_room(room, at)
    assert isinstance(claim, Claim)
    return Writer(store, claim)


async def test_an_append_answers_the_new_head_and_is_read_back_in_order(store: Store) -> None:
    room = await begun(store)
    assert await room.append(0, "opened", cmd="a", at=5) == Ok(1)
    assert await room.append(1, "joined", "seated", "sealed", cmd="b", at=7) == Ok(4)
    assert await store.read(ROOM) == [
        Kept(1, 5, 1, CmdId("a"), b"opened"),
        Kept(2, 7, 1, CmdId("b"), b"joined"),
        Kept(3, 7, 1, None, b"seated"),
        Kept(4, 7, 1, None, b"sealed"),
    ]
    assert [kept.seq for kept in await store.read(ROOM, after=2)] == [3, 4]
    assert await store.read(ROOM, after=4) == []
    assert await store.read(OTHER) == []


async def test_a_body_is_any_bytes(store: Store) -> None:
    room = await begun(store)
    bodies = [b"", b"\x00\xff", "灼焰".encode(), b"x" * 100_000]
    assert await store.append(room.claim, 0, bodies, cmd_id=None, at=1) == Ok(4)
    assert [kept.body for kept in await store.read(ROOM)] == bodies


@pytest.mark.parametrize("expected", [0, 2, -1])
async def test_an_append_behind_another_head_is_a_conflict_and_leaves_nothing(store: Store, expected: int) -> None:
    room = await begun(store)
    await room.append(0, "first")
    assert await room.append(expected, "one", "two", cmd="a") == Conflict()
    assert await room.bodies() == ["first"]
    assert await room.append(1, "next", cmd="a") == Ok(2)


async def test_a_command_given_twice_is_done_once_and_says_where(store: Store) -> None:
    room = await begun(store)
    await room.append(0, "first")
    assert await room.append(1, "second", "third", cmd="a") == Ok(3)
    assert await room.append(3, "second", "third", cmd="a") == Repeated(head=3, seq=2)
    assert await room.append(1, "second", "third", cmd="a") == Repeated(head=3, seq=2)
    assert await room.append(3, "fourth", cmd="b") == Ok(4)
    assert await room.append(0, "anything", cmd="a") == Repeated(head=4, seq=2)
    assert await room.bodies() == ["first", "second", "third", "fourth"]


async def test_two_rooms_may_use_the_same_command_ids(store: Store) -> None:
    one, two = await begun(store), await begun(store, OTHER)
    assert await one.append(0, "here", cmd="a") == Ok(1)
    assert await two.append(0, "there", cmd="a") == Ok(1)


async def test_events_without_a_command_never_collide(store: Store) -> None:
    room = await begun(store)
    assert await room.append(0, "tick") == Ok(1)
    assert await room.append(1, "tick") == Ok(2)


async def test_the_newest_claim_writes_and_the_older_one_is_refused(store: Store) -> None:
    old = await begun(store)
    await old.append(0, "first", cmd="a")
    claim = await store.claim(ROOM)
    assert isinstance(claim, Claim)
    assert claim.epoch == 2
    new = Writer(store, claim)
    assert await old.append(1, "late") == Conflict()
    assert await old.append(1, "first", cmd="a") == Conflict(), "who lost the room must stop, repeated or not"
    assert await store.close_room(old.claim, 9) == Conflict()
    assert await new.append(1, "second") == Ok(2)
    assert [kept.epoch for kept in await store.read(ROOM)] == [1, 2]


async def test_the_token_decides_and_not_the_number(store: Store) -> None:
    room = await begun(store)
    forged = Claim(ROOM, room.claim.epoch, b"\x00" * 16)
    assert await store.append(forged, 0, [b"x"], cmd_id=None, at=1) == Conflict()
    assert "token" not in repr(room.claim)


async def test_a_claim_opens_no_other_room(store: Store) -> None:
    room = await begun(store)
    await begun(store, OTHER)
    assert await store.append(Claim(OTHER, 1, room.claim.token), 0, [b"x"], cmd_id=None, at=1) == Conflict()
    assert await store.append(Claim(RoomId("NONE"), 1, room.claim.token), 0, [b"x"], cmd_id=None, at=1) == Conflict()


async def test_a_room_is_begun_once(store: Store) -> None:
    room = await begun(store)
    assert await store.create_room(ROOM, 2) == Taken()
    assert await room.append(0, "still mine") == Ok(1)
    await store.close_room(room.claim, 3)
    assert await store.create_room(ROOM, 4) == Taken()


async def test_live_rooms_come_oldest_first_with_their_heads(store: Store) -> None:
    late, early = await begun(store, OTHER, at=20), await begun(store, ROOM, at=10)
    await late.append(0, "a", "b", at=35)
    live = await store.live_rooms()
    assert [(room.room, room.head, room.epoch, room.created_at, room.touched_at) for room in live] == [
        (ROOM, 0, 1, 10, 10),
        (OTHER, 2, 1, 20, 35),
    ]
    assert await store.close_room(early.claim, 40) == Ok(0)
    assert [room.room for room in await store.live_rooms()] == [OTHER]


async def test_a_closed_room_keeps_its_log_and_takes_nothing_more(store: Store) -> None:
    room = await begun(store)
    await room.append(0, "first")
    assert await store.close_room(room.claim, 2) == Ok(1)
    assert await room.append(1, "second") == Conflict()
    assert await store.close_room(room.claim, 3) == Conflict()
    assert await store.claim(ROOM) is None
    assert await room.bodies() == ["first"]


async def test_a_room_that_never_was_cannot_be_claimed(store: Store) -> None:
    assert await store.claim(ROOM) is None


async def test_of_many_who_append_at_once_exactly_one_wins(store: Store) -> None:
    room = await begun(store)
    answers = await asyncio.gather(*(room.append(0, f"mine {n}", cmd=f"c{n}") for n in range(50)))
    assert sorted(answers, key=repr) == [Conflict()] * 49 + [Ok(1)]
    assert len(await room.bodies()) == 1


async def test_the_same_command_at_once_is_done_once(store: Store) -> None:
    room = await begun(store)
    answers = await asyncio.gather(*(room.append(0, "once", "more", cmd="a") for _ in range(20)))
    assert sorted(answers, key=repr) == [Ok(2)] + [Repeated(head=2, seq=1)] * 19


async def test_rooms_do_not_disturb_one_another(store: Store) -> None:
    writers = [await begun(store, RoomId(f"R{n}"), at=n) for n in range(40)]

    async def play(writer: Writer) -> None:
        for head in range(0, 20, 2):
            assert await writer.append(head, f"{head}", f"{head + 1}", cmd=f"c{head}") == Ok(head + 2)

    await asyncio.gather(*map(play, writers))
    for writer in writers:
        assert await writer.bodies() == [str(n) for n in range(20)]


async def test_a_new_owner_and_an_old_one_at_once_leave_no_gap(store: Store) -> None:
    old = await begun(store)

    async def play(writer: Writer, name: str) -> list[object]:
        return [await writer.append(head, f"{name}{head}") for head in range(10)]

    async def take_over() -> list[object]:
        claim = await store.claim(ROOM)
        assert isinstance(claim, Claim)
        heir = Writer(store, claim)
        head = len(await store.read(ROOM))
        return [await heir.append(n, f"new{n}") for n in range(head, head + 5)]

    before, after = await asyncio.gather(play(old, "old"), take_over())
    assert all(isinstance(answer, Ok) for answer in after)
    log = await store.read(ROOM)
    assert [kept.seq for kept in log] == list(range(1, len(log) + 1))
    assert sum(isinstance(answer, Ok) for answer in [*before, *after]) == len(log)


async def test_a_game_has_one_record_and_the_first_one_stays(store: Store) -> None:
    game = GameId("g1")
    assert await store.get_record(game) is None
    await store.put_record(game, ROOM, b"record", 5)
    await store.put_record(game, ROOM, b"another", 6)
    record = await store.get_record(game)
    assert record is not None
    assert (record.game, record.room, record.at, record.body) == (game, ROOM, 5, b"record")


async def test_a_session_is_remembered_seen_and_revoked(store: Store) -> None:
    digest = b"\x01" * 32
    assert await store.get_session(digest) is None
    await store.touch_session(digest, 1)
    assert await store.get_session(digest) is None, "seeing a stranger makes no session"
    await store.put_session(digest, b"Ash", 10)
    await store.touch_session(digest, 30)
    await store.touch_session(digest, 20)
    await store.put_session(digest, b"Ash the Second", 25)
    session = await store.get_session(digest)
    assert session is not None
    assert (session.body, session.created_at, session.seen_at) == (b"Ash the Second", 10, 30)
    await store.drop_session(digest)
    assert await store.get_session(digest) is None


async def test_sessions_that_were_not_seen_for_long_are_found_and_forgotten_unless_seen_meanwhile(store: Store) -> None:
    for number in range(4):
        await store.put_session(bytes([number]) * 32, b"{}", 10 + number)
    await store.touch_session(bytes(32), 20)
    unseen = await store.unseen_sessions(13)
    assert sorted(unseen) == [b"\x01" * 32, b"\x02" * 32]
    await store.touch_session(b"\x02" * 32, 30)
    assert await store.forget_sessions([], 13) == 0
    assert await store.forget_sessions([*unseen, b"\xff" * 32], 13) == 1
    there = [await store.get_session(bytes([number]) * 32) is not None for number in range(4)]
    assert there == [True, False, True, True]


async def test_closing_finishes_what_was_asked_before(store: Store) -> None:
    writers = [await begun(store, RoomId(f"R{n}")) for n in range(30)]
    asked = [asyncio.ensure_future(writer.append(0, "x", cmd="a")) for writer in writers]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    await store.close()
    assert await asyncio.gather(*asked) == [Ok(1)] * 30


async def test_a_closed_store_acknowledges_nothing(store: Store) -> None:
    room = await begun(store)
    await store.close()
    await store.close()
    assert isinstance(await room.append(0, "x"), Unknown)
    assert isinstance(await store.close_room(room.claim, 1), Unknown)
    with pytest.raises(StoreFailed):
        await store.claim(ROOM)
    with pytest.raises(StoreFailed):
        await store.read(ROOM)


async def test_an_append_whose_caller_is_cancelled_is_whole_or_absent(store: Store) -> None:
    room = await begun(store)
    asked = asyncio.ensure_future(room.append(0, "a", "b", cmd="x"))
    await asyncio.sleep(0)
    asked.cancel()
    await asyncio.gather(asked, return_exceptions=True)
    head = len(await room.bodies())
    assert await room.append(head, "c", cmd="y") in (Ok(head + 1), Conflict())
    assert await room.bodies() in (["a", "b", "c"], ["c"], ["a", "b"])


async def closed_room(store: Store, room: str, at: int) -> None:
    writer = await begun(store, RoomId(room))
    await writer.append(0, "opened", "said", cmd="a", at=1)
    assert await store.close_room(writer.claim, at) == Ok(2)


async def test_old_logs_of_closed_rooms_are_forgotten_and_their_ids_stay_taken(store: Store) -> None:
    for room, at in (("OLD1", 10), ("OLD2", 19), ("NEW", 20)):
        await closed_room(store, room, at)
    live = await begun(store)
    await live.append(0, "opened", at=1)
    assert await store.forget(20, 0, 100) == Forgotten(2, 0)
    assert [len(await store.read(RoomId(room))) for room in ("OLD1", "OLD2", "NEW")] == [0, 0, 2]
    assert await live.bodies() == ["opened"]
    assert await store.create_room(RoomId("OLD1"), 30) == Taken()
    assert await store.claim(RoomId("OLD1")) is None
    assert await store.forget(20, 0, 100) == Forgotten(0, 0)


async def test_old_records_are_forgotten_unless_their_room_is_open(store: Store) -> None:
    await closed_room(store, "GONE", 10)
    live = await begun(store)
    for game, room, at in (("a", "GONE", 10), ("b", "GONE", 20), ("c", "NEVER", 10), ("d", str(ROOM), 10)):
        await store.put_record(GameId(game), RoomId(room), b"game", at)
    assert await store.forget(0, 20, 100) == Forgotten(0, 2)
    there = [game for game in "abcd" if await store.get_record(GameId(game))]
    assert there == ["b", "d"]
    await store.close_room(live.claim, 30)
    assert await store.forget(0, 20, 100) == Forgotten(0, 1)


async def test_so_many_are_forgotten_at_once_and_no_more(store: Store) -> None:
    for number in range(5):
        await closed_room(store, f"R{number}", 10)
        await store.put_record(GameId(f"R{number}-1"), RoomId(f"R{number}"), b"game", 10)
    assert [await store.forget(20, 20, 2) for _ in range(4)] == [
        Forgotten(2, 2),
        Forgotten(2, 2),
        Forgotten(1, 1),
        Forgotten(0, 0),
    ]


async def test_the_last_beat_is_remembered_and_never_goes_back(store: Store) -> None:
    assert await store.last_beat() == 0
    for at in (5_000, 9_000, 7_000):
        await store.beat(at)
    assert await store.last_beat() == 9_000
