"""Replays over HTTP, asked without a port: whose, of what, and what is said of a file that is no record."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import AsyncIterator
from itertools import count

import httpx
import msgspec
import pytest

from cinderforge.records.record import write
from cinderforge.records.replay import replay
from cinderforge.room.inputs import (
    Arrived,
    Asked,
    Change,
    Contribute,
    Fill,
    SessionKey,
    SocketId,
    Start,
    Watch,
    Wish,
)
from cinderforge.rules.settings import settings_from
from cinderforge.rules.words import Turn
from cinderforge.server.app import House, build_app
from cinderforge.server.health import Health
from cinderforge.server.identity import COOKIE, Tickets, digest_of
from cinderforge.server.limits import Limits
from cinderforge.server.lobby import Lobby
from cinderforge.server.metrics import LoopLag
from cinderforge.server.replays import MOST_DETAIL, MOST_RECORD_BYTES
from cinderforge.server.room_task import game_id
from cinderforge.server.store import RoomId
from cinderforge.server.store_memory import MemoryStore
from cinderforge.testkit.clock import JumpingClock, JumpingTimers
from tests.records.games import random_record

pytestmark = pytest.mark.anyio

RECORD = random_record(settings_from({"seats": 6}), 5)
FILE = (write(RECORD) + "\n").encode()


class Desk:
    """A server without a port, and a browser that asks it."""

    def __init__(self) -> None:
        self.store, self.clock = MemoryStore(), JumpingClock()
        self.lobby = Lobby(self.store, self.clock)
        health = Health(self.store, LoopLag(JumpingTimers()), lambda: False)
        house = House(self.lobby, self.store, self.clock, Tickets(self.clock), Limits(self.clock), health)
        self.app = build_app(house)

    def browser(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(transport=httpx.ASGITransport(self.app), base_url="http://here")


@pytest.fixture
async def desk() -> AsyncIterator[Desk]:
    desk = Desk()
    yield desk
    await desk.lobby.close()


@pytest.mark.parametrize(("eye", "turn"), [("", None), ("?eye=all", None), ("?eye=6", Turn(6))])
async def test_a_file_is_answered_with_its_pictures(desk: Desk, eye: str, turn: Turn | None) -> None:
    async with desk.browser() as browser:
        answer = await browser.post(f"/api/replay{eye}", content=FILE)
    assert answer.status_code == 200
    assert answer.content == msgspec.json.encode(replay(RECORD, turn))


async def test_pictures_are_zipped_for_who_can_unzip_them(desk: Desk) -> None:
    async with desk.browser() as browser:
        plain = await browser.post("/api/replay", content=FILE, headers={"accept-encoding": "identity"})
        async with browser.stream("POST", "/api/replay", content=FILE) as zipped:
            raw = b"".join([part async for part in zipped.aiter_raw()])
    assert "content-encoding" not in plain.headers
    assert zipped.headers["content-encoding"] == "gzip"
    assert gzip.decompress(raw) == plain.content
    assert len(raw) < len(plain.content) / 4


def altered(**changes: object) -> bytes:
    return json.dumps(json.loads(FILE) | changes).encode()


def nested(key: str, depth: int) -> bytes:
    """With lists in one another so deep that Python has just about room to read them."""
    return altered(**{key: "HERE"}).replace(b'"HERE"', b"[" * depth + b"]" * depth)


@pytest.mark.parametrize(
    ("body", "code", "said"),
    [
        (b"", "bad_record", "line 1: expected one game, found 0"),
        (FILE + FILE, "bad_record", "line 3: expected one game, found 2"),
        (b"\n\nhello\n", "bad_record", "line 3: expected a game as a JSON object, found "),
        (b"\n{}", "bad_record", "line 2: expected format cinderforge-record/1, found null"),
        (b"[" * 100_000, "bad_record", "line 1: expected a game as a JSON object"),
        (b"{}\n\xff", "bad_record", "line 2: expected UTF-8, found invalid start byte"),
        (FILE[:-40], "bad_record", "line 1: expected a game as a JSON object"),
        (altered(format="cinderforge-record/2"), "bad_record", "comes from a newer version of the game"),
        *(
            (altered(format=f"cinderforge-record/{odd}"), "bad_record", "line 1: expected format cinderforge-record/1")
            for odd in ("²", "9" * 5000, "٣", "-1", "")
        ),
        *(
            (deep, "bad_record", "")
            for depth in range(950, 1000, 5)
            for deep in (nested("format", depth), nested("moves", depth), nested("digest", depth))
        ),
        (altered(moves=[["scroll", 1, "x" * 5000, None]]), "untrue_record", "line 1: move 1: expected"),
        (altered(moves=[["skip", 1]]), "untrue_record", "line 1: move 1: expected"),
        (altered(moves=[]), "untrue_record", "line 1: move 1: expected"),
        (altered(digest="00"), "untrue_record", "line 1: digest: expected"),
        (altered(players=[]), "bad_record", "line 1: expected 6 players, found 0"),
    ],
)
async def test_what_is_wrong_with_a_file_is_said_with_its_line(desk: Desk, body: bytes, code: str, said: str) -> None:
    async with desk.browser() as browser:
        answer = await browser.post("/api/replay", content=body)
    answered = answer.json()["code"]
    assert answer.status_code == 400 and (answered == code or (b"[[[" in body and answered == "untrue_record"))
    assert said in answer.json()["detail"]
    assert len(answer.json()["detail"]) <= MOST_DETAIL


@pytest.mark.parametrize("eye", ["0", "7", "-1", "01", "two", "٣", ""])
async def test_there_are_only_the_eyes_of_the_players(desk: Desk, eye: str) -> None:
    async with desk.browser() as browser:
        answer = await browser.post("/api/replay", params={"eye": eye}, content=FILE)
    assert (answer.status_code, answer.json()["code"]) == (400, "unknown_player")


async def test_a_file_that_is_too_long_is_not_read_to_its_end(desk: Desk) -> None:
    async with desk.browser() as browser:
        answer = await browser.post("/api/replay", content=b" " * (MOST_RECORD_BYTES + 1))
    assert answer.status_code == 413


async def test_replays_are_asked_for_so_often_and_no_oftener(desk: Desk) -> None:
    async with desk.browser() as browser:
        answers = [(await browser.post("/api/replay", content=b"")).status_code for _ in range(21)]
        assert answers == [400] * 20 + [429]
        desk.clock.pass_time(3_000)
        assert (await browser.post("/api/replay", content=b"")).status_code == 400


async def test_a_game_of_a_room_is_shown_to_those_who_may_have_its_record(desk: Desk) -> None:
    async with desk.browser() as host, desk.browser() as stranger:
        await host.post("/api/session")
        await stranger.post("/api/session")
        code = (await host.post("/api/rooms", json={"name": "Host"})).json()["code"]
        path = f"/api/rooms/{code}/games/1/replay"
        assert (await host.get(path)).json()["code"] == "not_over"
        await desk.store.put_record(game_id(RoomId(code), 1), RoomId(code), FILE, 0)
        assert (await host.get(path)).content == msgspec.json.encode(replay(RECORD))
        assert (await host.get(path, params={"eye": "2"})).json()["eye"] == 2
        assert (await stranger.get(path)).json()["code"] == "unknown_room"
        assert (await host.get(path.replace("games/1", "games/2"))).json()["code"] == "not_over"


async def test_who_watches_late_is_given_no_game_whose_end_they_have_not_seen(desk: Desk) -> None:
    async with desk.browser() as host, desk.browser() as watcher, desk.browser() as stranger:
        for browser in (host, watcher):
            await browser.post("/api/session")
        code = (await host.post("/api/rooms", json={"name": "Host"})).json()["code"]
        (task,) = desk.lobby.rooms()
        host_of, watcher_of = (SessionKey(digest_of(browser.cookies[COOKIE]).hex()) for browser in (host, watcher))
        sockets, numbers = {host_of: SocketId(1), watcher_of: SocketId(2)}, count(1)

        async def do(session: SessionKey, *wishes: Wish) -> None:
            for wish in wishes:
                task.put(Asked(sockets[session], f"c{next(numbers)}", wish))
            await settled(desk)

        for session, socket in sockets.items():
            task.put(Arrived(socket, session, 0, 0))
        await do(watcher_of, Watch("W"))
        await do(host_of, Change({"seats": 5, "spectator_delay": 60, "preset": "fast"}), Fill(None, None))
        await do(host_of, Start(), Contribute("ab" * 16))
        path = f"/api/rooms/{code}/games/1/"
        while task.room.stage == "game":
            assert (await host.get(path + "record")).json()["code"] == "not_over"
            desk.clock.jump_to_next()
            await settled(desk)
        for what in ("record", "replay"):
            assert (await host.get(path + what)).status_code == 200
            assert (await watcher.get(path + what)).json()["code"] == "not_over"
        assert (await stranger.get(f"/api/rooms/{code}")).json()["stage"] == "game"
        desk.clock.pass_time(60_000)
        await settled(desk)
        for what in ("record", "replay"):
            assert (await watcher.get(path + what)).status_code == 200
        assert (await stranger.get(f"/api/rooms/{code}")).json()["stage"] == "over"


async def settled(desk: Desk) -> None:
    """What was put into a room is done."""
    for _ in range(20):
        await asyncio.sleep(0)
