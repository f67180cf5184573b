"""The store in one SQLite file: WAL, synchronous=FULL, one writer thread that commits what has queued up together.

Exactly one connection ever writes or checkpoints. SQLite before 3.51.3 can damage a WAL when two do so at the same
moment; with one it cannot happen. For the same reason a second process is refused by a lock on a file beside it.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import sqlite3
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Final, TypeVar

from cinderforge.server import metrics, sqlite_file
from cinderforge.server.sqlite_file import BUSY_S, Connect
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

LOG: Final = logging.getLogger(__name__)

T = TypeVar("T")

MOST_IN_A_COMMIT: Final = 1024
# The fence: head *and* claim are compared in the statement that moves the head.
ADVANCE: Final = (
    "UPDATE room SET head = head + ?, touched_at = ? WHERE id = ? AND head = ? AND epoch = ? AND token = ? AND live = 1"
)
STEP_BACK: Final = "UPDATE room SET head = head - ? WHERE id = ?"
INSERT: Final = "INSERT INTO event (room, seq, epoch, at, cmd_id, body) VALUES (?, ?, ?, ?, ?, ?)"
BEHIND: Final = "SELECT seq, at, epoch, cmd_id, body FROM event WHERE room = ? AND seq > ? ORDER BY seq"
OWNED: Final = "SELECT head FROM room WHERE id = ? AND epoch = ? AND token = ? AND live = 1"

OLD_LOGS: Final = (
    "SELECT id FROM room WHERE live = 0 AND touched_at < ? AND EXISTS (SELECT 1 FROM event WHERE room = id) LIMIT ?"
)
FORGET_RECORDS: Final = (
    "DELETE FROM record WHERE game IN (SELECT game FROM record AS old WHERE at < ?"
    " AND NOT EXISTS (SELECT 1 FROM room WHERE id = old.room AND live = 1) LIMIT ?)"
)


@dataclass(frozen=True, slots=True)
class _Job:
    """One thing to write, and who waits for it."""

    do: Callable[[sqlite3.Connection], Any]
    done: asyncio.Future[Any]


@dataclass(slots=True)
class _Outcome:
    job: _Job
    value: Any = None
    error: Exception | None = None


class SqliteStore:
    """Bound to the event loop in which it was opened. Use `SqliteStore.open`."""

    def __init__(self, path: Path, connect: Connect, busy_s: float) -> None:
        self.path = path
        self._connect = connect
        self._busy_s = busy_s
        self._loop = asyncio.get_running_loop()
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._writer = threading.Thread(target=self._write_forever, name="store-writer", daemon=True)
        self._ready: asyncio.Future[None] = self._loop.create_future()
        self._ended: asyncio.Future[None] = self._loop.create_future()
        self._readers = ThreadPoolExecutor(1, thread_name_prefix="store-reader")
        self._reader: sqlite3.Connection | None = None
        self._closing = False
        self._broken: str | None = None
        self.commits = 0
        self.written = 0

    @classmethod
    async def open(
        cls, path: str | os.PathLike[str], *, connect: Connect | None = None, busy_s: float = BUSY_S
    ) -> SqliteStore:
        """Open the file, or begin one. Raises `StoreUnusable` with a sentence for the operator."""
        store = cls(Path(path), connect or sqlite_file.connect, busy_s)
        store._writer.start()
        await store._ready
        return store

    @property
    def broken(self) -> str | None:
        return self._broken

    # --- rooms ---

    async def create_room(self, room: RoomId, at: int) -> Claim | Taken:
        claim = Claim(room, 1, secrets.token_bytes(16))

        def do(db: sqlite3.Connection) -> Claim | Taken:
            made = db.execute(
                "INSERT INTO room VALUES (?, 0, ?, ?, 1, ?, ?) ON CONFLICT DO NOTHING",
                (room, claim.epoch, claim.token, at, at),
            )
            return claim if made.rowcount else Taken()

        return await self._write(do)

    async def claim(self, room: RoomId) -> Claim | None:
        token = secrets.token_bytes(16)

        def do(db: sqlite3.Connection) -> Claim | None:
            taken = db.execute("UPDATE room SET epoch = epoch + 1, token = ? WHERE id = ? AND live = 1", (token, room))
            if not taken.rowcount:
                return None
            (epoch,) = db.execute("SELECT epoch FROM room WHERE id = ?", (room,)).fetchone()
            return Claim(room, epoch, token)

        return await self._write(do)

    async def append(
        self, claim: Claim, expected_seq: int, events: Sequence[bytes], *, cmd_id: CmdId | None, at: int
    ) -> Appended:
        assert events, "an append without events says nothing"
        try:
            with metrics.SAVE_SECONDS.time():
                return await self._write(lambda db: _append(db, claim, expected_seq, events, cmd_id, at))
        except StoreFailed as failure:
            return Unknown(str(failure))

    async def read(self, room: RoomId, after: int = 0) -> list[Kept]:
        def do(db: sqlite3.Connection) -> tuple[tuple[int] | None, list[Kept]]:
            db.execute("BEGIN")  # both at one moment
            try:
                head = db.execute("SELECT head FROM room WHERE id = ? AND live = 1", (room,)).fetchone()
                log = [Kept(*row) for row in db.execute(BEHIND, (room, after))]
            finally:
                db.execute("COMMIT")
            return head, log

        head, log = await self._read(do)
        if head and [entry.seq for entry in log] != list(range(max(after, 0) + 1, head[0] + 1)):
            raise StoreFailed(f"{self.path} is damaged: of a room's {head[0]} events some are not there")
        return log

    async def live_rooms(self) -> list[LiveRoom]:
        def do(db: sqlite3.Connection) -> list[LiveRoom]:
            rows = db.execute(
                "SELECT id, head, epoch, created_at, touched_at FROM room WHERE live = 1 ORDER BY created_at, id"
            )
            return [LiveRoom(*row) for row in rows]

        return await self._read(do)

    async def close_room(self, claim: Claim, at: int) -> Closed:
        def do(db: sqlite3.Connection) -> Closed:
            owned = db.execute(OWNED, (claim.room, claim.epoch, claim.token)).fetchone()
            if owned is None:
                return Conflict()
            db.execute("UPDATE room SET live = 0, touched_at = ? WHERE id = ?", (at, claim.room))
            return Ok(owned[0])

        try:
            return await self._write(do)
        except StoreFailed as failure:
            return Unknown(str(failure))

    # --- records and sessions ---

    async def put_record(self, game: GameId, room: RoomId, body: bytes, at: int) -> None:
        await self._execute("INSERT INTO record VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING", (game, room, at, body))

    async def get_record(self, game: GameId) -> Record | None:
        row = await self._fetch("SELECT game, room, at, body FROM record WHERE game = ?", (game,))
        return None if row is None else Record(*row)

    async def put_session(self, digest: bytes, body: bytes, at: int) -> None:
        await self._execute(
            "INSERT INTO session VALUES (?1, ?2, ?3, ?3) ON CONFLICT DO UPDATE"
            " SET body = excluded.body, seen_at = max(seen_at, excluded.seen_at)",
            (digest, body, at),
        )

    async def get_session(self, digest: bytes) -> Session | None:
        row = await self._fetch("SELECT body, created_at, seen_at FROM session WHERE digest = ?", (digest,))
        return None if row is None else Session(*row)

    async def touch_session(self, digest: bytes, at: int) -> None:
        await self._execute("UPDATE session SET seen_at = max(seen_at, ?) WHERE digest = ?", (at, digest))

    async def drop_session(self, digest: bytes) -> None:
        await self._execute("DELETE FROM session WHERE digest = ?", (digest,))

    async def unseen_sessions(self, before: int) -> list[bytes]:
        def do(db: sqlite3.Connection) -> list[bytes]:
            return [digest for (digest,) in db.execute("SELECT digest FROM session WHERE seen_at < ?", (before,))]

        return await self._read(do)

    async def forget_sessions(self, digests: Sequence[bytes], before: int) -> int:
        rows = [(digest, before) for digest in digests]

        def do(db: sqlite3.Connection) -> int:
            return db.executemany("DELETE FROM session WHERE digest = ? AND seen_at < ?", rows).rowcount if rows else 0

        return await self._write(do)

    async def beat(self, at: int) -> None:
        await self._execute("UPDATE beat SET at = max(at, ?)", (at,))

    async def last_beat(self) -> int:
        row = await self._fetch("SELECT at FROM beat", ())
        return int(row[0]) if row else 0

    async def forget(self, logs_before: int, records_before: int, most: int) -> Forgotten:
        def do(db: sqlite3.Connection) -> Forgotten:
            rooms = db.execute(OLD_LOGS, (logs_before, most)).fetchall()
            db.executemany("DELETE FROM event WHERE room = ?", rooms)
            return Forgotten(len(rooms), db.execute(FORGET_RECORDS, (records_before, most)).rowcount)

        return await self._write(do)

    async def close(self) -> None:
        if not self._closing:
            self._closing = True
            # Readers go first: the last connection to leave folds the log into the file, and that must be the writer.
            await self._loop.run_in_executor(self._readers, self._close_reader)
            self._readers.shutdown(wait=False)
            self._jobs.put(None)
        await asyncio.shield(self._ended)

    # --- the caller's side of the two kinds of thread ---

    async def _execute(self, statement: str, values: Sequence[Any]) -> None:
        def do(db: sqlite3.Connection) -> None:
            db.execute(statement, values)

        await self._write(do)

    async def _fetch(self, statement: str, values: Sequence[Any]) -> tuple[Any, ...] | None:
        def do(db: sqlite3.Connection) -> tuple[Any, ...] | None:
            row: tuple[Any, ...] | None = db.execute(statement, values).fetchone()
            return row

        return await self._read(do)

    async def _write(self, do: Callable[[sqlite3.Connection], T]) -> T:
        if self._closing:
            raise StoreFailed("the store is closed")
        done: asyncio.Future[T] = self._loop.create_future()
        self._jobs.put(_Job(do, done))
        return await done

    async def _read(self, do: Callable[[sqlite3.Connection], T]) -> T:
        if self._closing:
            raise StoreFailed("the store is closed")

        def read() -> T:
            if self._reader is None:
                self._reader = sqlite_file.open_reader(self.path, self._busy_s)
            return do(self._reader)

        try:
            return await self._loop.run_in_executor(self._readers, read)
        except sqlite3.Error as error:
            LOG.error("reading %s: %s", self.path, error)
            raise StoreFailed(f"reading {self.path}: {error}") from error

    def _close_reader(self) -> None:
        if self._reader is not None:
            self._reader.close()
            self._reader = None

    # --- the writer thread ---

    def _write_forever(self) -> None:
        try:
            lock = sqlite_file.hold(self.path)
        except Exception as error:
            self._tell(self._ready.set_exception, error)
            return
        try:
            db = sqlite_file.open_writer(self.path, self._connect, self._busy_s)
        except Exception as error:
            os.close(lock)
            self._tell(self._ready.set_exception, error)
            return
        self._tell(self._ready.set_result, None)
        try:
            while self._write_a_batch(db):
                pass
        finally:
            with suppress(sqlite3.Error):
                db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            with suppress(sqlite3.Error):
                db.close()
            os.close(lock)
            self._tell(self._ended.set_result, None)

    def _write_a_batch(self, db: sqlite3.Connection) -> bool:
        """Wait for something to write, take what else has come meanwhile, commit once. False when told to stop."""
        first = self._jobs.get()
        if first is None:
            return False
        batch, go_on = [first], True
        with suppress(Empty):
            while go_on and len(batch) < MOST_IN_A_COMMIT:
                job = self._jobs.get_nowait()
                if job is None:
                    go_on = False
                else:
                    batch.append(job)
        outcomes = self._commit(db, batch)
        self._tell(_resolve, outcomes)
        return go_on

    def _commit(self, db: sqlite3.Connection, batch: list[_Job]) -> list[_Outcome]:
        if self._broken is not None:
            return [_Outcome(job, error=StoreFailed(self._broken)) for job in batch]
        try:
            return self._transact(db, batch)
        except Exception as error:  # whatever it is, the writer must live and the caller must know
            with suppress(sqlite3.Error):
                db.execute("ROLLBACK")
            failure = self._judge(error)
            if len(batch) == 1 or self._broken is not None:
                return [_Outcome(job, error=failure) for job in batch]
        # One of many failed, and all were undone. Each on its own, so that only the one that failed is answered so.
        return [outcome for job in batch for outcome in self._commit(db, [job])]

    def _transact(self, db: sqlite3.Connection, batch: list[_Job]) -> list[_Outcome]:
        db.execute("BEGIN IMMEDIATE")
        outcomes = [_Outcome(job, job.do(db)) for job in batch]
        db.execute("COMMIT")
        self.commits += 1
        self.written += len(batch)
        return outcomes

    def _judge(self, error: Exception) -> Exception:
        """What to tell the caller. A disk that fails to write or flush is never trusted again before a restart."""
        if not isinstance(error, sqlite3.Error):
            return error
        name = getattr(error, "sqlite_errorname", None) or type(error).__name__
        sentence = f"writing {self.path}: {error} ({name})"
        if name.startswith(("SQLITE_IOERR", "SQLITE_CORRUPT", "SQLITE_NOTADB")):
            metrics.BROKEN.set(1)
            self._broken = f"{sentence}; nothing more is written until a restart"
        LOG.error("%s", self._broken or sentence)
        return StoreFailed(sentence)

    def _tell(self, call: Callable[[Any], object], value: object) -> None:
        with suppress(RuntimeError):  # the loop is gone, and everybody who waited with it
            self._loop.call_soon_threadsafe(call, value)


def _resolve(outcomes: list[_Outcome]) -> None:
    for outcome in outcomes:
        done = outcome.job.done
        if done.done():  # whoever asked was cancelled meanwhile
            continue
        if outcome.error is not None:
            done.set_exception(outcome.error)
        else:
            done.set_result(outcome.value)


def _append(
    db: sqlite3.Connection, claim: Claim, expected_seq: int, events: Sequence[bytes], cmd_id: CmdId | None, at: int
) -> Appended:
    room, count = claim.room, len(events)
    moved = db.execute(ADVANCE, (count, at, room, expected_seq, claim.epoch, claim.token))
    if not moved.rowcount:
        owned = db.execute(OWNED, (room, claim.epoch, claim.token)).fetchone()
        return Conflict() if owned is None else _repeated(db, room, owned[0], cmd_id) or Conflict()
    first = expected_seq + 1
    try:
        db.execute(INSERT, (room, first, claim.epoch, at, cmd_id, events[0]))
    except sqlite3.IntegrityError:
        repeated = _repeated(db, room, expected_seq, cmd_id)
        if repeated is None:
            raise
        db.execute(STEP_BACK, (count, room))
        return repeated
    if count > 1:
        rows = [(room, seq, claim.epoch, at, None, body) for seq, body in enumerate(events[1:], first + 1)]
        db.executemany(INSERT, rows)
    return Ok(expected_seq + count)


def _repeated(db: sqlite3.Connection, room: RoomId, head: int, cmd_id: CmdId | None) -> Repeated | None:
    if cmd_id is None:
        return None
    row = db.execute("SELECT seq FROM event WHERE room = ? AND cmd_id = ?", (room, cmd_id)).fetchone()
    return None if row is None else Repeated(head, row[0])
