"""Copies of the embedded database, while a server writes to it, and back; a copy is not believed before it was read.

The server is the only one that ever writes to its file (store_sqlite): a backup is one reader more, which sees a moment
between two commits and holds nobody up.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from cinderforge.room.room import Room
from cinderforge.server.lobby import events_of
from cinderforge.server.sqlite_file import APPLICATION_ID, BUSY_S, SCHEMA, hold
from cinderforge.server.store import Kept

SUFFIXES: Final = ("-wal", "-shm", "-journal")
"""Files beside a database that belong to it: with another file in its place, they would damage that."""


class BackupFailed(Exception):
    """A sentence for the operator: the copy was not made, and what was there before is as it was."""


@dataclass(frozen=True, slots=True)
class Contents:
    """What a copy holds. `unreadable` tells of each open room whose log is no room, by when it was opened."""

    rooms: int
    events: int
    records: int
    size: int
    unreadable: tuple[str, ...]


def back_up(database: Path, to: Path) -> Contents:
    """Copies a database, of a running server or not, to a file that is not there yet. Raises BackupFailed."""
    if not database.is_file():
        raise BackupFailed(f"{database}: there is no database")
    if to.exists():
        raise BackupFailed(f"{to} is there already")
    with _copy(database, to) as (copy, contents):
        _move(copy, to)
    return contents


def restore(backup: Path, database: Path, *, force: bool = False) -> tuple[Contents, Path | None]:
    """Puts a backup where a server will find it; gives, too, where the database that was there was put aside (`force`).

    Raises BackupFailed, StoreUnusable while a server holds that place.
    """
    if not backup.is_file():
        raise BackupFailed(f"{backup}: there is no backup")
    database.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    lock = hold(database)
    try:
        if database.exists() and not force:
            raise BackupFailed(f"{database} is there already; with --force it is put aside")
        with _copy(backup, database) as (copy, contents):
            aside = _put_aside(database)
            _move(copy, database)
        return contents, aside
    finally:
        os.close(lock)


@contextmanager
def _copy(source: Path, to: Path) -> Iterator[tuple[Path, Contents]]:
    """A copy beside the place where it shall be, read and found good; if it is not taken from there, it goes again."""
    copy = to.with_name(f"{to.name}.{secrets.token_hex(4)}")
    try:
        os.close(os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        with _opened(source) as old, closing(sqlite3.connect(copy)) as new:
            old.backup(new)
            new.execute("PRAGMA journal_mode = DELETE")  # one file, with nothing beside it
        with _opened(copy) as db:
            contents = _contents(db, copy)
        yield copy, contents
    except OSError as error:
        raise BackupFailed(f"{error.filename or to}: {error.strerror}") from error
    except sqlite3.Error as error:
        raise BackupFailed(f"{source} could not be copied: {error}") from error
    finally:
        for suffix in ("", *SUFFIXES):
            with suppress(OSError):
                copy.with_name(copy.name + suffix).unlink()


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """For reading only, and only if it is ours. Raises BackupFailed."""
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as db:
        db.execute(f"PRAGMA busy_timeout = {int(BUSY_S * 1000)}")
        db.execute("PRAGMA query_only = 1")
        if db.execute("PRAGMA application_id").fetchone() != (APPLICATION_ID,):
            raise BackupFailed(f"{path} is no database of Cinderforge")
        (schema,) = db.execute("PRAGMA user_version").fetchone()
        if schema > SCHEMA:
            raise BackupFailed(f"{path} was written by a newer Cinderforge (schema {schema}; this one knows {SCHEMA})")
        yield db


def _contents(db: sqlite3.Connection, path: Path) -> Contents:
    """Reads all of it, and makes a room of every open room's log. Raises BackupFailed."""
    found = [row[0] for row in db.execute("PRAGMA integrity_check(3)")]
    if found != ["ok"]:
        raise BackupFailed(f"the copy is damaged: {'; '.join(found)}")
    live = db.execute("SELECT id, head, created_at FROM room WHERE live = 1 ORDER BY created_at").fetchall()
    unreadable = [_unreadable(db, *room) for room in live]
    (events,) = db.execute("SELECT count(*) FROM event").fetchone()
    (records,) = db.execute("SELECT count(*) FROM record").fetchone()
    return Contents(len(live), events, records, path.stat().st_size, tuple(why for why in unreadable if why))


def _unreadable(db: sqlite3.Connection, code: str, head: int, created_at: int) -> str | None:
    """Why an open room could not be read back, if so: what the lobby does at a start."""
    rows = db.execute("SELECT seq, at, epoch, cmd_id, body FROM event WHERE room = ? ORDER BY seq", (code,))
    log = [Kept(*row) for row in rows]
    opened = datetime.fromtimestamp(created_at / 1000, UTC).isoformat(" ", "seconds")
    if [entry.seq for entry in log] != list(range(1, head + 1)):
        return f"the room opened at {opened}: its log has a gap"
    try:
        Room.read_back(code, secrets.token_bytes, events_of(log))
    except Exception as error:  # whatever a damaged log makes of it
        return f"the room opened at {opened}, with {head} events: {type(error).__name__}"
    return None


def _put_aside(database: Path) -> Path | None:
    """Where it is then, if there was one. What is beside it goes first: it must never meet another database."""
    aside = database.with_name(f"{database.name}.before-{datetime.now(UTC):%Y%m%dT%H%M%S}")
    was_there = database.exists()
    for suffix in (*SUFFIXES, ""):
        there = database.with_name(database.name + suffix)
        if there.exists():
            there.rename(aside.with_name(aside.name + suffix))
    return aside if was_there else None


def _move(copy: Path, to: Path) -> None:
    """The name, too, outlives a power cut."""
    copy.rename(to)
    folder = os.open(to.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
