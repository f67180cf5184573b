"""What only the store on disk can get wrong: reopening, kill -9, a full or failing disk, two processes, versions."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from cinderforge.server.sqlite_file import CHECKPOINT_PAGES, SCHEMA
from cinderforge.server.store import (
    Claim,
    CmdId,
    Conflict,
    Forgotten,
    GameId,
    Ok,
    Repeated,
    RoomId,
    StoreFailed,
    StoreUnusable,
    Unknown,
)
from cinderforge.server.store_sqlite import SqliteStore

pytestmark = pytest.mark.anyio

ROOM = RoomId("EMBER")
KILLS = 12


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.sqlite3"


@pytest.fixture
async def store(path: Path) -> AsyncIterator[SqliteStore]:
    store = await SqliteStore.open(path)
    yield store
    await store.close()


async def begun(store: SqliteStore, room: RoomId = ROOM) -> Claim:
    claim = await store.create_room(room, 1)
    assert isinstance(claim, Claim)
    return claim


async def append(store: SqliteStore, claim: Claim, head: int, *bodies: bytes, cmd: str | None = None) -> object:
    return await store.append(claim, head, bodies, cmd_id=CmdId(cmd) if cmd else None, at=1)


@pytest.mark.skipif(sys.platform == "win32", reason="files have no such modes there")
async def test_nobody_else_on_the_machine_reads_what_is_kept(path: Path) -> None:
    before = os.umask(0)
    try:
        store = await SqliteStore.open(path)
        await store.put_session(b"d", b"{}", 0)
        kept = list(path.parent.glob(f"{path.name}*"))
        assert len(kept) == 4 and {one.stat().st_mode & 0o777 for one in kept} == {0o600}, kept
        await store.close()
    finally:
        os.umask(before)


async def test_everything_is_there_after_a_reopening(path: Path) -> None:
    first = await SqliteStore.open(path)
    claim = await begun(first)
    await append(first, claim, 0, b"a", b"b", cmd="x")
    await first.put_session(b"digest", b"body", 3)
    await first.close()
    second = await SqliteStore.open(path)
    assert [(kept.seq, kept.body) for kept in await second.read(ROOM)] == [(1, b"a"), (2, b"b")]
    assert await append(second, claim, 2, b"c") == Ok(3), "a claim outlives the process that made it, until the next"
    heir = await second.claim(ROOM)
    assert heir is not None
    assert await append(second, claim, 3, b"d") == Conflict()
    assert await append(second, heir, 3, b"a", b"b", cmd="x") == Repeated(head=3, seq=1)
    assert await second.get_session(b"digest") is not None
    await second.close()


async def test_closing_leaves_one_file_beside_the_lock(path: Path) -> None:
    store = await SqliteStore.open(path)
    await append(store, await begun(store), 0, b"x")
    await store.read(ROOM)
    await store.close()
    assert sorted(file.name for file in path.parent.iterdir()) == ["store.sqlite3", "store.sqlite3.lock"]


async def test_the_file_is_flushed_at_every_commit_and_never_checkpointed_by_a_reader(store: SqliteStore) -> None:
    def settings(db: sqlite3.Connection) -> tuple[Any, ...]:
        names = ("journal_mode", "synchronous", "wal_autocheckpoint", "mmap_size")
        return tuple(db.execute(f"PRAGMA {name}").fetchone()[0] for name in names)

    assert await store._write(settings) == ("wal", 2, CHECKPOINT_PAGES, 0)
    assert (await store._read(settings))[2:] == (0, 0)
    with pytest.raises(StoreFailed, match="readonly"):
        await store._read(lambda db: db.execute("DELETE FROM room"))


async def test_what_queues_up_is_committed_together(store: SqliteStore) -> None:
    claims = [await begun(store, RoomId(f"R{n}")) for n in range(300)]
    before = store.commits
    answers = await asyncio.gather(*(append(store, claim, 0, b"x", cmd="a") for claim in claims))
    assert answers == [Ok(1)] * 300
    assert store.commits - before < 30


async def test_a_second_process_is_refused_with_a_clear_error(store: SqliteStore, path: Path) -> None:
    with pytest.raises(StoreUnusable, match=rf"store\.sqlite3 is in use by another process \(pid {os.getpid()}\)"):
        await SqliteStore.open(path)
    assert isinstance(await begun(store), Claim)


async def test_the_lock_goes_when_the_store_is_closed(path: Path) -> None:
    for _ in range(3):
        await (await SqliteStore.open(path)).close()


async def test_a_newer_file_is_refused_with_a_clear_error(path: Path) -> None:
    await (await SqliteStore.open(path)).close()
    db = sqlite3.connect(path)
    db.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    db.close()
    with pytest.raises(StoreUnusable, match=f"newer Cinderforge .schema {SCHEMA + 1}; this one knows {SCHEMA}"):
        await SqliteStore.open(path)


async def test_a_database_of_another_program_is_left_alone(path: Path) -> None:
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE recipes (name)")
    db.close()
    before = path.read_bytes()
    with pytest.raises(StoreUnusable, match="another program"):
        await SqliteStore.open(path)
    assert path.read_bytes() == before


async def test_a_file_that_is_no_database_is_refused(path: Path) -> None:
    path.write_bytes(b"not a database at all " * 100)
    with pytest.raises(StoreUnusable, match="not a database"):
        await SqliteStore.open(path)


async def test_a_missing_folder_is_named(path: Path) -> None:
    with pytest.raises(StoreUnusable, match="No such file or directory"):
        await SqliteStore.open(path.parent / "nowhere" / "store.sqlite3")


async def test_a_full_disk_acknowledges_nothing_and_the_store_goes_on_when_there_is_room(store: SqliteStore) -> None:
    claim, small = await begun(store), await begun(store, RoomId("SMALL"))
    await store._write(lambda db: db.execute("PRAGMA max_page_count = 24").fetchone())
    big, other = await asyncio.gather(
        append(store, claim, 0, b"x" * 1_000_000, cmd="a"), append(store, small, 0, b"small")
    )
    assert isinstance(big, Unknown)
    assert "SQLITE_FULL" in big.why
    assert other == Ok(1), "who asked for little is served, though both were in one batch"
    assert await store.read(ROOM) == []
    await store._write(lambda db: db.execute("PRAGMA max_page_count = 1000000").fetchone())
    assert await append(store, claim, 0, b"x" * 1_000_000, cmd="a") == Ok(1)
    assert store.broken is None


async def test_a_locked_file_acknowledges_nothing_and_the_store_goes_on_when_it_is_free(path: Path) -> None:
    store = await SqliteStore.open(path, busy_s=0.01)
    claim = await begun(store)
    stranger = sqlite3.connect(path, isolation_level=None)
    stranger.execute("BEGIN IMMEDIATE")
    answer = await append(store, claim, 0, b"a", cmd="x")
    assert isinstance(answer, Unknown)
    assert "locked" in answer.why
    stranger.execute("ROLLBACK")
    stranger.close()
    assert await append(store, claim, 0, b"a", cmd="x") == Ok(1)
    await store.close()


class FailingDisk(sqlite3.Connection):
    """Commits fail as if the flush had, once `fails` is set."""

    fails = False

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        if FailingDisk.fails and sql == "COMMIT":
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorcode = 1034
            error.sqlite_errorname = "SQLITE_IOERR_FSYNC"
            raise error
        return super().execute(sql, parameters)


async def test_a_disk_that_fails_to_flush_is_not_trusted_again(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def connect(database: str) -> sqlite3.Connection:
        return sqlite3.connect(database, uri=True, isolation_level=None, check_same_thread=False, factory=FailingDisk)

    store = await SqliteStore.open(path, connect=connect)
    claim, other = await begun(store), await begun(store, RoomId("OTHER"))
    monkeypatch.setattr(FailingDisk, "fails", True)
    answers = await asyncio.gather(append(store, claim, 0, b"a"), append(store, other, 0, b"b"))
    assert all(isinstance(answer, Unknown) for answer in answers)
    monkeypatch.setattr(FailingDisk, "fails", False)
    after = await append(store, claim, 0, b"a")
    assert isinstance(after, Unknown)
    assert "until a restart" in after.why
    assert store.broken is not None
    assert await store.read(ROOM) == []
    await store.close()
    again = await SqliteStore.open(path)
    assert await append(again, claim, 0, b"a") == Ok(1)
    await again.close()


async def test_a_fault_of_our_own_hurts_only_its_caller(store: SqliteStore) -> None:
    claim = await begun(store)

    def faulty(db: sqlite3.Connection) -> None:
        raise ZeroDivisionError

    fault, answer = await asyncio.gather(store._write(faulty), append(store, claim, 0, b"a"), return_exceptions=True)
    assert isinstance(fault, ZeroDivisionError)
    assert answer == Ok(1)


# --- kill -9 ---

WRITER = """
import asyncio, os, sys
from cinderforge.server.store import CmdId, Ok, RoomId
from cinderforge.server.store_sqlite import SqliteStore

async def play(store, room):
    claim = await store.create_room(room, 1)
    if not hasattr(claim, "token"):
        claim = await store.claim(room)
    head = len(await store.read(room))
    while True:
        bodies = [b"%d" % (head + 1), b"%d" % (head + 2)]
        answer = await store.append(claim, head, bodies, cmd_id=CmdId(f"c{head}"), at=1)
        assert answer == Ok(head + 2), answer
        head += 2
        os.write(1, f"{room} {head}\\n".encode())

async def main():
    store = await SqliteStore.open(sys.argv[1])
    await asyncio.gather(*(play(store, RoomId(f"R{n}")) for n in range(8)))

asyncio.run(main())
"""


def acknowledged_until_killed(path: Path, count: int) -> dict[str, int]:
    """Let a process write until it has acknowledged `count` commands, kill it, and say what it had acknowledged."""
    heads: dict[str, int] = {}
    with subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        for seen, line in enumerate(process.stdout):
            room, head = line.split()
            heads[room.decode()] = int(head)
            if seen == count:
                process.send_signal(signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    return heads


async def test_kill_9_loses_nothing_that_was_acknowledged(path: Path) -> None:
    dice = random.Random(7)
    for _ in range(KILLS):
        acknowledged = acknowledged_until_killed(path, dice.randrange(1, 120))
        store = await SqliteStore.open(path)
        for room, head in acknowledged.items():
            log = await store.read(RoomId(room))
            assert len(log) >= head, "an acknowledged command is lost"
            assert len(log) % 2 == 0, "half an append was kept"
            assert [(kept.seq, int(kept.body)) for kept in log] == [(n, n) for n in range(1, len(log) + 1)]
        await store.close()


async def test_what_is_forgotten_is_not_in_the_file_any_more(path: Path) -> None:
    store = await SqliteStore.open(path)
    claim = await begun(store)
    await append(store, claim, 0, b"kumquat " * 2000, b"kumquat", cmd="x")
    await store.close_room(claim, 1)
    await store.put_record(GameId("EMBER-1"), ROOM, b"kumquat", 1)
    assert await store.forget(2, 2, 1) == Forgotten(1, 1)
    await store.close()
    assert b"kumquat" not in path.read_bytes()
