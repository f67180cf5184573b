"""The database as a file: its schema and how it came to be so, how it is opened, and the lock beside it.

The file is opened for one writer alone (see `store_sqlite.py` for why). Times are in seconds, sizes in SQLite's pages.
"""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from cinderforge.server.store import StoreUnusable

Connect = Callable[[str], sqlite3.Connection]

APPLICATION_ID: Final = 0x43494E44  # "CIND", written into the file's header
BUSY_S: Final = 5.0
"""How long a statement waits for another connection to be done."""
CHECKPOINT_PAGES: Final = 128
"""How long the log grows before it is folded into the file. Whoever commits then waits for it: with SQLite's own 1,000
pages, for up to a tenth of a second under load."""

MIGRATIONS: Final[tuple[tuple[str, ...], ...]] = (
    (
        """CREATE TABLE room (
            id TEXT PRIMARY KEY, head INTEGER NOT NULL, epoch INTEGER NOT NULL, token BLOB NOT NULL,
            live INTEGER NOT NULL, created_at INTEGER NOT NULL, touched_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID""",
        """CREATE TABLE event (
            room TEXT NOT NULL, seq INTEGER NOT NULL, epoch INTEGER NOT NULL, at INTEGER NOT NULL,
            cmd_id TEXT, body BLOB NOT NULL, PRIMARY KEY (room, seq)
        ) STRICT, WITHOUT ROWID""",
        "CREATE UNIQUE INDEX event_of_command ON event (room, cmd_id) WHERE cmd_id IS NOT NULL",
        """CREATE TABLE record (
            game TEXT PRIMARY KEY, room TEXT NOT NULL, at INTEGER NOT NULL, body BLOB NOT NULL
        ) STRICT""",
        """CREATE TABLE session (
            digest BLOB PRIMARY KEY, body BLOB NOT NULL, created_at INTEGER NOT NULL, seen_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID""",
    ),
    (
        "CREATE TABLE beat (one INTEGER PRIMARY KEY CHECK (one = 1), at INTEGER NOT NULL) STRICT",
        "INSERT INTO beat VALUES (1, 0)",
    ),
)
"""What makes each version of the schema from the one before. Never changed, only added to."""

SCHEMA: Final = len(MIGRATIONS)


def connect(database: str) -> sqlite3.Connection:
    """A connection to a file by its URI, in which transactions are begun and ended by hand."""
    return sqlite3.connect(database, uri=True, isolation_level=None, cached_statements=256, check_same_thread=False)


def open_writer(path: Path, opener: Connect, busy_s: float) -> sqlite3.Connection:
    """The one connection that writes; makes the file where there is none. Raises StoreUnusable."""
    with suppress(OSError):  # nobody else on this machine reads it; what is wrong with the place SQLite says better
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        db = opener(f"{path.absolute().as_uri()}?mode=rwc")
    except sqlite3.Error as error:
        raise StoreUnusable(f"{path} cannot be opened: {error}") from error
    try:
        db.execute(f"PRAGMA busy_timeout = {int(busy_s * 1000)}")
        db.execute("PRAGMA trusted_schema = OFF")
        _check_ours(db, path)
        if db.execute("PRAGMA journal_mode = WAL").fetchone() != ("wal",):
            raise StoreUnusable(f"{path} cannot be kept in WAL mode here (is it on a network file system?)")
        db.execute("PRAGMA synchronous = FULL")
        db.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
        db.execute("PRAGMA secure_delete = ON")  # what is deleted is overwritten: talk, records, sessions
        if sys.platform == "darwin":
            db.execute("PRAGMA fullfsync = 1")  # else FULL is not full there
        _migrate(db)
    except sqlite3.Error as error:
        db.close()
        raise StoreUnusable(f"{path} cannot be opened: {error}") from error
    except StoreUnusable:
        db.close()
        raise
    return db


def open_reader(path: Path, busy_s: float) -> sqlite3.Connection:
    """A connection that changes nothing."""
    db = connect(f"{path.absolute().as_uri()}?mode=ro")
    db.execute(f"PRAGMA busy_timeout = {int(busy_s * 1000)}")
    db.execute("PRAGMA wal_autocheckpoint = 0")
    db.execute("PRAGMA query_only = 1")
    return db


def _check_ours(db: sqlite3.Connection, path: Path) -> None:
    (owner,) = db.execute("PRAGMA application_id").fetchone()
    (tables,) = db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if owner != APPLICATION_ID and (owner or tables):
        raise StoreUnusable(f"{path} is a database of another program")
    (schema,) = db.execute("PRAGMA user_version").fetchone()
    if schema > SCHEMA:
        raise StoreUnusable(
            f"{path} was written by a newer Cinderforge (schema {schema}; this one knows {SCHEMA}):"
            " update the program, or give it another folder"
        )


def _migrate(db: sqlite3.Connection) -> None:
    (schema,) = db.execute("PRAGMA user_version").fetchone()
    if schema == SCHEMA:
        return
    db.execute("BEGIN IMMEDIATE")
    for statements in MIGRATIONS[schema:]:
        for statement in statements:
            db.execute(statement)
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute(f"PRAGMA user_version = {SCHEMA}")
    db.execute("COMMIT")


def hold(path: Path) -> int:
    """Hold the file beside the database for as long as we live, or until what is given is closed.

    Locks fall with their process, however it dies. Raises StoreUnusable.
    """
    beside = path.with_name(path.name + ".lock")
    try:
        lock = os.open(beside, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise StoreUnusable(f"{beside} cannot be written: {error.strerror}") from error
    if sys.platform != "win32":
        import fcntl

        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.pread(lock, 32, 0).decode("ascii", "replace").strip() or "unknown"
            os.close(lock)
            raise StoreUnusable(f"{path} is in use by another process (pid {holder})") from error
        os.ftruncate(lock, 0)
        os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)
    return lock
