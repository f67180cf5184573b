"""Copies of the database: taken while it is written to, read before they are believed, put back in their place."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cinderforge.cli.main import main
from cinderforge.room.inputs import SessionKey
from cinderforge.server.backup import BackupFailed, back_up, restore
from cinderforge.server.lobby import Lobby
from cinderforge.server.sqlite_file import SCHEMA
from cinderforge.server.store import CmdId, GameId, Ok, RoomId, StoreUnusable
from cinderforge.server.store_sqlite import SqliteStore
from cinderforge.testkit.clock import JumpingClock

pytestmark = pytest.mark.anyio


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    return tmp_path / "data" / "cinderforge.db"


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    return tmp_path / "a.backup"


async def filled(path: Path) -> tuple[SqliteStore, RoomId]:
    """An open store with a room in it, a record and a session."""
    store = await SqliteStore.open(path)
    lobby = Lobby(store, JumpingClock())
    task = await lobby.create(SessionKey("ash"), "Ash")
    await lobby.close()
    await store.put_record(GameId("x"), RoomId("X"), b"game", 1)
    await store.put_session(b"digest", b"{}", 1)
    return store, RoomId(task.room.code)


async def test_a_backup_is_one_file_for_its_owner_alone_and_holds_what_was_committed(path: Path, backup: Path) -> None:
    store, room = await filled(path)
    contents = back_up(path, backup)
    assert (contents.rooms, contents.records, contents.unreadable) == (1, 1, ())
    assert contents.events == len(await store.read(room)) > 0
    assert contents.size == backup.stat().st_size
    assert backup.stat().st_mode & 0o777 == 0o600
    assert sorted(file.name for file in backup.parent.iterdir()) == ["a.backup", "data"]
    claim = await store.claim(room)
    assert claim is not None
    assert isinstance(await store.append(claim, contents.events, [b"later"], cmd_id=CmdId("a"), at=2), Ok)
    await store.close()


async def test_what_is_restored_is_read_back_by_a_lobby(path: Path, backup: Path, tmp_path: Path) -> None:
    store, room = await filled(path)
    back_up(path, backup)
    await store.close()
    there = tmp_path / "elsewhere" / "deep" / "cinderforge.db"
    contents, aside = restore(backup, there)
    assert (contents.rooms, aside) == (1, None)
    again = await SqliteStore.open(there)
    lobby = Lobby(again, JumpingClock())
    await lobby.open()
    assert [task.room.code for task in lobby.rooms()] == [room]
    assert await again.get_session(b"digest") is not None
    await lobby.close()
    await again.close()


def test_a_database_whose_server_was_killed_can_be_backed_up(path: Path, backup: Path) -> None:
    script = f"""
import asyncio, os, signal
from tests.server.test_backup import filled
from pathlib import Path
async def main():
    await filled(Path({str(path)!r}))
    os.kill(os.getpid(), signal.SIGKILL)
asyncio.run(main())
"""
    status = subprocess.run([sys.executable, "-c", script], cwd=Path(__file__).parents[2], check=False).returncode
    assert status == -signal.SIGKILL
    assert path.with_name("cinderforge.db-wal").stat().st_size > 0
    assert back_up(path, backup).rooms == 1
    assert restore(backup, path, force=True)[0].rooms == 1


async def test_a_restore_is_refused_while_a_server_holds_the_place(path: Path, backup: Path) -> None:
    store, _ = await filled(path)
    back_up(path, backup)
    for force in (False, True):
        with pytest.raises(StoreUnusable, match="in use by another process"):
            restore(backup, path, force=force)
    await store.close()


async def test_a_database_that_is_there_is_put_aside_with_all_that_belongs_to_it(path: Path, backup: Path) -> None:
    store, _ = await filled(path)
    back_up(path, backup)
    await store.close()
    path.with_name("cinderforge.db-wal").write_bytes(b"of the old one")
    with pytest.raises(BackupFailed, match=r"cinderforge.db is there already; with --force it is put aside"):
        restore(backup, path)
    before = path.read_bytes()
    _, aside = restore(backup, path, force=True)
    assert aside is not None
    assert aside.read_bytes() == before
    assert aside.with_name(aside.name + "-wal").read_bytes() == b"of the old one"
    assert back_up(path, backup.with_suffix(".again")).rooms == 1
    assert not path.with_name("cinderforge.db-wal").exists()


async def test_a_log_without_its_database_does_not_get_into_the_next_one(path: Path, backup: Path) -> None:
    store, _ = await filled(path)
    back_up(path, backup)
    await store.close()
    path.unlink()
    path.with_name("cinderforge.db-wal").write_bytes(b"of the old one")
    assert restore(backup, path)[1] is None
    assert not path.with_name("cinderforge.db-wal").exists()


async def test_a_room_that_cannot_be_read_back_is_told_and_the_copy_is_kept(path: Path, backup: Path) -> None:
    store, _ = await filled(path)
    for code, bodies in (("BROKEN", [b"{}"]), ("GAPPED", [b"a", b"b"])):
        claim = await store.create_room(RoomId(code), 0)
        assert not hasattr(claim, "taken")
        await store._write(
            lambda db, code=code, bodies=bodies: [  # type: ignore[misc]
                db.execute("UPDATE room SET head = ? WHERE id = ?", (len(bodies), code)),
                db.execute("INSERT INTO event VALUES (?, ?, 1, 0, NULL, ?)", (code, len(bodies), bodies[0])),
            ]
        )
    contents = back_up(path, backup)
    assert contents.rooms == 3
    assert sorted(contents.unreadable) == [
        "the room opened at 1970-01-01 00:00:00+00:00, with 1 events: ValidationError",
        "the room opened at 1970-01-01 00:00:00+00:00: its log has a gap",
    ]
    assert backup.exists()
    await store.close()


def _foreign(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE recipes (name)")
    db.close()


def _newer(path: Path) -> None:
    db = sqlite3.connect(path)
    db.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    db.close()


def _torn(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[4096:12288] = os.urandom(8192)
    path.write_bytes(content)


def _text(path: Path) -> None:
    path.write_text("not a database " * 1000)


SPOILT: dict[str, tuple[Callable[[Path], None], str]] = {
    "of another program": (_foreign, "is no database of Cinderforge"),
    "of a newer version": (_newer, "was written by a newer Cinderforge"),
    "damaged": (_torn, "damaged|malformed"),
    "no database": (_text, "file is not a database"),
}


@pytest.mark.parametrize("fault", SPOILT)
async def test_what_is_no_good_is_neither_backed_up_nor_restored(path: Path, backup: Path, fault: str) -> None:
    spoil, why = SPOILT[fault]
    if spoil is _foreign:
        spoil(path)
    else:
        store, _ = await filled(path)
        await store.close()
        spoil(path)
    with pytest.raises(BackupFailed, match=why):
        back_up(path, backup)
    assert [file.name for file in backup.parent.iterdir()] == ["data"]
    there = path.parent / "other" / "cinderforge.db"
    with pytest.raises(BackupFailed, match=why):
        restore(path, there)
    assert [file.name for file in there.parent.iterdir()] == ["cinderforge.db.lock"]


async def test_the_commands_say_what_they_did(path: Path, backup: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store, _ = await filled(path)
    await store.close()
    data = str(path.parent)
    other = str(path.parent / "other")
    for command, status, out, err in (
        (["backup", str(backup), "--data", data], 0, f"{backup}: 1 open rooms, ", ""),
        (["backup", str(backup), "--data", data], 2, "", f"cinderforge: backup: {backup} is there already\n"),
        (
            ["backup", "x", "--data", other],
            2,
            "",
            f"cinderforge: backup: {other}/cinderforge.db: there is no database\n",
        ),
        (["restore", str(backup), "--data", other], 0, f"{other}/cinderforge.db: 1 open rooms, ", ""),
        (["restore", str(backup), "--data", other], 2, "", "cinderforge: restore: "),
        (["restore", str(backup), "--data", other, "--force"], 0, f"{other}/cinderforge.db.before-", ""),
        (["restore", "none", "--data", other], 2, "", "cinderforge: restore: none: there is no backup\n"),
    ):
        assert main(command) == status
        said = capsys.readouterr()
        assert said.out.startswith(out)
        assert said.err.startswith(err)
        assert bool(said.out) == bool(out)
        assert bool(said.err) == bool(err)
