"""Rooms on a disk that is full, locked or damaged: they say so, lose nothing acknowledged, and the others go on."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cinderforge.room.inputs import (
    Arrived,
    Asked,
    Change,
    Contribute,
    Fill,
    Join,
    Rematch,
    Say,
    SessionKey,
    SocketId,
    Start,
    Wish,
)
from cinderforge.server.conn import CLOSE_RESTART, Refusal, UpgradeHead
from cinderforge.server.identity import COOKIE, Tickets, begin_session, session_of
from cinderforge.server.limits import Limits
from cinderforge.server.lobby import Lobby, events_of
from cinderforge.server.room_task import RoomTask, game_id
from cinderforge.server.socket import FrontDoor
from cinderforge.server.store import RoomId, StoreFailed
from cinderforge.server.store_sqlite import SqliteStore
from cinderforge.testkit.clock import JumpingClock
from tests.server.wire import Wire

pytestmark = pytest.mark.anyio

MOST_LINES = 400


class House:
    """A server's rooms over a file, without its sockets."""

    def __init__(self, store: SqliteStore, clock: JumpingClock) -> None:
        self.store, self.clock = store, clock
        self.lobby = Lobby(store, clock, entropy=Random(1).randbytes)  # the same rooms lie on the same pages
        self.done: dict[str, list[str]] = {}
        """By room, the lines that were acknowledged."""
        self._socket = 0

    @classmethod
    async def open(cls, path: Path, clock: JumpingClock | None = None) -> House:
        return cls(await SqliteStore.open(path, busy_s=0.01), clock or JumpingClock())

    async def close(self) -> None:
        await self.lobby.close()
        await self.store.close()

    async def make(self, host: str) -> RoomTask:
        return await self.lobby.create(SessionKey(host), host)

    async def enter(self, task: RoomTask, who: str) -> tuple[SocketId, Wire]:
        self._socket += 1
        socket, wire = SocketId(self._socket), Wire()
        task.enter(socket, wire)
        task.put(Arrived(socket, SessionKey(who), 0, 0))
        await until(lambda: bool(wire.messages))
        return socket, wire

    async def ask(self, task: RoomTask, socket: SocketId, wire: Wire, id: str, wish: Wish) -> dict[str, Any]:
        """The answer, or the farewell."""
        task.put(Asked(socket, id, wish))
        await until(lambda: any(one.get("id") == id or one["t"] == "bye" for one in wire.messages))
        return next(one for one in wire.messages if one.get("id") == id or one["t"] == "bye")

    async def says(self, task: RoomTask, socket: SocketId, wire: Wire, text: str) -> dict[str, Any]:
        self.clock.pass_time(3000)  # slower than a flood
        answer = await self.ask(task, socket, wire, text[:40], Say(text, sure=True))
        if answer["t"] == "done":
            self.done.setdefault(task.room.code, []).append(text)
        return answer

    async def holds_what_it_acknowledged(self) -> None:
        for code, texts in self.done.items():
            log = events_of(await self.store.read(RoomId(code)))
            kept = [getattr(event, "text", None) for event, _, _ in log]
            assert all(kept.count(text) == 1 for text in texts), code

    async def admits(self, code: str) -> Refusal | None:
        """What the front door says to somebody with a session and a ticket; None is come in. Needs no write."""
        tickets = Tickets(self.clock)
        token = self.token
        session = await session_of(self.store, token)
        assert session
        headers = {"cookie": f"{COOKIE}={token}"}
        door = FrontDoor(self.lobby, self.store, self.clock, tickets, Limits(self.clock))
        head = UpgradeHead(f"/ws/{code}", f"ticket={tickets.issue(session, code)}", headers, "")
        answer = await door.admit(head)
        return answer if isinstance(answer, Refusal) else None

    token = ""

    async def begin_session(self) -> None:
        self.token = await begin_session(self.store, self.clock.now())


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not is_so():  # noqa: ASYNC110 - the disk's own thread tells of it in no other way
            await asyncio.sleep(0.001)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.sqlite3"


@pytest.fixture
async def house(path: Path) -> AsyncIterator[House]:
    house = await House.open(path)
    await house.begin_session()
    yield house
    await house.close()


async def limit_pages(store: SqliteStore, more: int | None) -> None:
    """The file may grow by so many pages; as far as it likes for None."""

    def do(db: sqlite3.Connection) -> None:
        (count,) = db.execute("PRAGMA page_count").fetchone()
        db.execute(f"PRAGMA max_page_count = {2**30 if more is None else count + more}")

    await store._write(do)


async def test_on_a_full_disk_a_room_says_goodbye_and_is_back_with_all_it_acknowledged(house: House) -> None:
    full, quiet = await house.make("ann"), await house.make("bea")
    socket, wire = await house.enter(full, "ann")
    other, other_wire = await house.enter(quiet, "bea")
    await limit_pages(house.store, 2)
    for number in range(MOST_LINES):
        answer = await house.says(full, socket, wire, f"{number} " + "x" * 150)
        if answer["t"] != "done":
            break
    assert answer == {"t": "bye", "why": "restarting"} and wire.closed == CLOSE_RESTART
    assert full.is_ended and house.done[full.room.code]
    assert not quiet.is_ended and other_wire.closed is None, "a room that writes nothing notices nothing"
    refused = await house.ask(quiet, other, other_wire, "r", Join(""))
    assert refused["t"] in ("done", "refused")
    await house.holds_what_it_acknowledged()

    await limit_pages(house.store, None)
    assert await house.admits(full.room.code) is None
    again = await house.lobby.find(RoomId(full.room.code))
    assert again and again is not full
    socket, wire = await house.enter(again, "ann")
    assert (await house.says(again, socket, wire, "there is room again"))["t"] == "done"
    assert (await house.says(quiet, other, other_wire, "here, too"))["t"] == "done"
    await house.holds_what_it_acknowledged()
    told = [line["text"] for one in wire.messages if one["t"] == "lines" for line in one["lines"]]
    assert set(house.done[full.room.code]) <= set(told)
    assert house.store.broken is None


async def test_while_the_file_is_locked_doors_are_closed_for_a_moment_and_nothing_is_acknowledged(
    house: House, path: Path
) -> None:
    task, quiet = await house.make("ann"), await house.make("bea")
    socket, wire = await house.enter(task, "ann")
    _, other_wire = await house.enter(quiet, "bea")
    assert (await house.says(task, socket, wire, "before"))["t"] == "done"
    stranger = sqlite3.connect(path, isolation_level=None)
    stranger.execute("BEGIN IMMEDIATE")
    answer = await house.says(task, socket, wire, "while it is locked")
    assert answer == {"t": "bye", "why": "restarting"}
    refusal = await house.admits(task.room.code)
    assert refusal and refusal.status == 503, "it cannot be read back before it can be written"
    assert await house.admits(quiet.room.code) is None and other_wire.closed is None
    with pytest.raises(StoreFailed):
        await house.make("cy")
    stranger.execute("ROLLBACK")
    stranger.close()

    assert await house.admits(task.room.code) is None
    again = await house.lobby.find(RoomId(task.room.code))
    assert again
    socket, wire = await house.enter(again, "ann")
    assert (await house.says(again, socket, wire, "while it is locked"))["t"] == "done", (
        "said again, and once in the log"
    )
    await house.holds_what_it_acknowledged()


async def filled(path: Path, rooms: int = 6, lines: int = 12) -> House:
    """Several rooms with long logs, and the file closed."""
    house = await House.open(path)
    await house.begin_session()
    for number in range(rooms):
        task = await house.make(f"host {number}")
        socket, wire = await house.enter(task, f"host {number}")
        for line in range(lines):
            assert (await house.says(task, socket, wire, f"{number}/{line} " + "y" * 150))["t"] == "done"
    await house.close()
    return house


def spoil(path: Path, nth: int) -> None:
    """Writes over a page, counted from the file's end, as a failing disk would."""
    size = 4096
    with path.open("r+b") as file:
        file.seek(path.stat().st_size - (nth + 1) * size)
        file.write(b"\xa5" * size)


@pytest.mark.parametrize("nth", range(8))
async def test_a_damaged_page_costs_its_own_room_at_most_and_never_the_end_of_a_log(path: Path, nth: int) -> None:
    before = await filled(path)
    spoil(path, nth)
    house = await House.open(path, before.clock)
    house.token, house.done = before.token, before.done
    try:
        await house.lobby.open()
    except StoreFailed:
        await house.close()
        return  # the list of rooms itself: the server says so and does not begin
    whole = 0
    for code, texts in house.done.items():
        try:
            task = await house.lobby.find(RoomId(code))
        except StoreFailed:
            continue
        assert task, "a room that there was is not unknown"
        lines = {line.text for line in task.room.conversation.lines}
        assert lines >= set(texts), "a room is whole, or is not there"
        whole += 1
    assert whole >= len(house.done) - 2 or house.store.broken, "others go on, unless nothing can be written any more"
    await house.close()


async def test_a_log_that_cannot_be_understood_is_told_as_a_failing_disk_and_left_alone(house: House) -> None:
    task, other = await house.make("ann"), await house.make("bea")
    code = RoomId(task.room.code)
    await task.stop()
    length = len(await house.store.read(code))
    body = b'{"type":"Said","mem\xff'
    await house.store._execute("UPDATE event SET body = ? WHERE room = ? AND seq = 2", (body, code))
    refusal = await house.admits(code)
    assert refusal and refusal.status == 503
    assert await house.admits(other.room.code) is None
    assert len(await house.store.read(code)) == length, "nothing was written behind what is not understood"


async def test_a_log_with_a_gap_is_told_as_a_failing_disk(house: House) -> None:
    task = await house.make("ann")
    code = RoomId(task.room.code)
    await task.stop()
    for seq in (4, 2):  # the end, then the middle
        await house.store._execute("DELETE FROM event WHERE room = ? AND seq = ?", (code, seq))
        refusal = await house.admits(code)
        assert refusal and refusal.status == 503, f"without event {seq}"


async def test_a_record_that_the_disk_refused_is_put_later_though_the_next_game_has_begun(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = await house.make("ann")
    socket, wire = await house.enter(task, "ann")
    put_record = house.store.put_record

    async def refuses(*_: object) -> None:
        raise StoreFailed("no room")

    monkeypatch.setattr(house.store, "put_record", refuses)
    wishes: tuple[Wish, ...] = (
        Change({"seats": 5, "kill_target": 1}),
        Fill(None, None),
        Start(),
        Contribute("ab" * 16),
    )
    for number, wish in enumerate(wishes):
        assert (await house.ask(task, socket, wire, f"w{number}", wish))["t"] == "done"
    for _ in range(500):
        if task.room.stage == "over":
            break
        house.clock.jump_to_next()
        await asyncio.sleep(0.003)
    assert task.room.stage == "over"
    await house.ask(task, socket, wire, "again", Rematch())
    game = game_id(RoomId(task.room.code), 1)
    assert await house.store.get_record(game) is None
    monkeypatch.setattr(house.store, "put_record", put_record)
    assert (await house.says(task, socket, wire, "there is room again"))["t"] == "done"
    assert await house.store.get_record(game)


async def test_at_the_start_all_rooms_are_read_back_with_few_waits_for_the_disk(path: Path) -> None:
    before = await filled(path, rooms=40, lines=1)
    house = await House.open(path, before.clock)
    house.done = before.done
    await house.lobby.open()
    assert len(house.lobby) == 40
    assert house.store.commits < 40, "two writes for each room, together"
    await house.holds_what_it_acknowledged()
    await house.close()


async def test_a_server_whose_list_of_rooms_is_damaged_says_so_in_a_line_and_does_not_begin(tmp_path: Path) -> None:
    path = tmp_path / "cinderforge.db"
    await filled(path, rooms=2, lines=1)
    with sqlite3.connect(path) as db:
        (root,) = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'room'").fetchone()
    db.close()
    spoil(path, path.stat().st_size // 4096 - root)
    command = [sys.executable, "-m", "cinderforge.cli.main", "serve", "--port", "0", "--data", str(tmp_path)]
    ended = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, timeout=20)
    assert ended.returncode == 2
    assert "malformed" in ended.stderr and "Traceback" not in ended.stderr, ended.stderr
