"""The HTTP half, asked without a port."""

from __future__ import annotations

import httpx
import msgspec
import pytest

from cinderforge.redaction.view import rules_view
from cinderforge.room.picture import measured_views
from cinderforge.rules.settings import default_settings
from cinderforge.server.app import HEADERS, House, build_app
from cinderforge.server.health import Health
from cinderforge.server.identity import Tickets
from cinderforge.server.limits import Limits
from cinderforge.server.lobby import Lobby
from cinderforge.server.metrics import LoopLag
from cinderforge.server.store_memory import MemoryStore
from cinderforge.testkit.clock import JumpingClock, JumpingTimers
from cinderforge.wire.requests import Balance

pytestmark = pytest.mark.anyio


async def asked(store: MemoryStore, path: str) -> httpx.Response:
    clock = JumpingClock()
    health = Health(store, LoopLag(JumpingTimers()), lambda: False)
    app = build_app(House(Lobby(store, clock), store, clock, Tickets(clock), Limits(clock), health))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://here") as client:
        return await client.get(path)


async def test_what_is_not_there_is_said_in_json_under_the_api() -> None:
    answer = await asked(MemoryStore(), "/api/rooms/AAAAAA")
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_room")


@pytest.mark.parametrize(("days", "lasts"), [(180, 180), (0, 400), (1000, 400)])
async def test_a_cookie_lasts_so_long_after_it_was_last_used(days: int, lasts: int) -> None:
    store, clock = MemoryStore(), JumpingClock()
    health, lobby = Health(store, LoopLag(JumpingTimers()), lambda: False), Lobby(store, clock)
    app = build_app(House(lobby, store, clock, Tickets(clock), Limits(clock), health, None, days))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://here") as client:
        first = await client.post("/api/session")
        code = (await client.post("/api/rooms", json={"name": "Host"})).json()["code"]
        again = await client.post(f"/api/rooms/{code}/ticket")
    assert first.headers["set-cookie"] == again.headers["set-cookie"]
    assert f"Max-Age={lasts * 86400};" in again.headers["set-cookie"]
    await lobby.close()


async def test_a_link_to_a_game_shows_its_picture_by_a_whole_address_where_one_is_known() -> None:
    store, clock = MemoryStore(), JumpingClock()
    health, lobby = Health(store, LoopLag(JumpingTimers()), lambda: False), Lobby(store, clock)
    app = build_app(House(lobby, store, clock, Tickets(clock), Limits(clock), health, "https://play.example/"))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://here") as client:
        page = await client.get("/r/ABCDEF")
        picture = await client.get("/share.jpg")
    assert '<meta property="og:image" content="https://play.example/share.jpg"' in page.text
    assert (page.headers["cache-control"], picture.headers["content-type"]) == ("no-cache", "image/jpeg")


ODD_PATHS = [
    *("/%00", "/a%00b", "/.%00", "/assets/%00.js", "/" + "a" * 300, "/assets/" + "b" * 5000, "/" + "a/" * 3000),
    *("/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/..%2f..%2fpyproject.toml", "/%5c..%5c", "/%ff%fe", "/%E2%80%AE"),
    *(f"/api/rooms/{code}" for code in ("%00", "%ff", "A" * 10_000, "AAAAAA%0a", "../session", "ÀAAAAA")),
    *(
        f"/api/rooms/AAAAAA/games/{game}/{what}"
        for game in (0, -1, "9" * 5000, "%D9%A3")
        for what in ("record", "replay")
    ),
]


@pytest.mark.parametrize("path", ODD_PATHS)
async def test_an_odd_path_is_no_fault_of_ours(path: str) -> None:
    answer = await asked(MemoryStore(), path)
    assert answer.status_code in (200, 404)
    if answer.status_code == 200:
        assert answer.text.startswith("<!doctype html>"), "a page of the client's own"
    assert "root:" not in answer.text and "[project]" not in answer.text


@pytest.mark.parametrize("origin", ["http://[", "http://[::1", "http://]", "http://[nonsense]", "null", "", "http://℀"])
async def test_an_origin_that_is_none_is_another_site(origin: str) -> None:
    store, clock = MemoryStore(), JumpingClock()
    health, lobby = Health(store, LoopLag(JumpingTimers()), lambda: False), Lobby(store, clock)
    app = build_app(House(lobby, store, clock, Tickets(clock), Limits(clock), health))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://here") as client:
        answer = await client.post("/api/session", headers={b"origin": origin.encode()})
    assert (answer.status_code, answer.json()["code"]) == (403, "not_yours")


async def test_every_answer_has_the_same_headers_and_what_is_for_one_session_is_stored_nowhere() -> None:
    store, clock = MemoryStore(), JumpingClock()
    health, lobby = Health(store, LoopLag(JumpingTimers()), lambda: False), Lobby(store, clock)
    app = build_app(House(lobby, store, clock, Tickets(clock), Limits(clock), health))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://here") as client:
        answers = [
            await client.get("/"),
            await client.get("/nothing.js"),
            await client.post("/api/session"),
            await client.post("/api/session", headers={"origin": "http://elsewhere"}),
            await client.post("/api/rooms", content=b"x"),
            await client.put("/api/rooms"),
            await client.get("/api/rooms"),
            await client.get("/api/rooms/AAAAAA/games/1/record"),
            *[await client.get("/api/rooms/AAAAAA") for _ in range(12)],
        ]
    assert {answer.status_code for answer in answers} == {200, 204, 400, 403, 404, 429}
    for answer in answers:
        assert answer.headers.items() >= HEADERS.items()
        is_stored = answer.headers.get("cache-control") != "no-store"
        assert is_stored == (not answer.url.path.startswith("/api/")), answer.url


async def test_all_that_was_measured_at_a_size_is_told_at_once_and_nothing_of_a_size_that_is_none() -> None:
    answer = await asked(MemoryStore(), "/api/balance/8")
    told = msgspec.json.decode(answer.content, type=Balance).settings
    assert answer.status_code == 200 and {one.rules.seats for one in told} == {8}
    usual = [one for one in told if one.usual]
    assert [one.rules for one in usual] == [rules_view(default_settings(8))]
    assert usual[0].measured == measured_views(default_settings(8))
    for path in ("/api/balance/11", "/api/balance/eight", "/api/balance/" + "9" * 5000):
        assert (await asked(MemoryStore(), path)).status_code == 404
