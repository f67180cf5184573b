"""The HTTP half, asked without a port."""

from __future__ import annotations

import httpx
import pytest

from cinderforge.server.app import House, build_app
from cinderforge.server.health import Health
from cinderforge.server.identity import Tickets
from cinderforge.server.limits import Limits
from cinderforge.server.lobby import Lobby
from cinderforge.server.metrics import LoopLag
from cinderforge.server.store_memory import MemoryStore
from cinderforge.testkit.clock import JumpingClock
from tests.server.test_conn_contract import JumpingTimers

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


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
