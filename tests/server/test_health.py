"""What whoever watches over a server is told, and what people are told while it stops."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

import httpx
import pytest

from cinderforge.room.inputs import SessionKey
from cinderforge.server.app import House, build_app
from cinderforge.server.health import Health
from cinderforge.server.identity import Tickets
from cinderforge.server.limits import Limits
from cinderforge.server.lobby import Draining, Lobby
from cinderforge.server.metrics import LoopLag
from cinderforge.server.store import RoomId
from cinderforge.server.store_memory import MemoryStore
from cinderforge.testkit.clock import JumpingClock, JumpingTimers

pytestmark = pytest.mark.anyio


@dataclass
class Place:
    client: httpx.AsyncClient
    store: MemoryStore
    lobby: Lobby
    timers: JumpingTimers

    async def answers(self) -> dict[str, tuple[int, str]]:
        live, ready = await self.client.get("/healthz"), await self.client.get("/readyz")
        return {"live": (live.status_code, live.text), "ready": (ready.status_code, ready.text)}


@pytest.fixture
async def place() -> AsyncIterator[Place]:
    store, clock, timers = MemoryStore(), JumpingClock(), JumpingTimers()
    lobby = Lobby(store, clock)
    lag = LoopLag(timers)
    lag.start()
    health = Health(store, lag, lambda: lobby.is_draining)
    app = build_app(House(lobby, store, clock, Tickets(clock), Limits(clock), health, "https://cinder.example"))
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://server") as client:
        yield Place(client, store, lobby, timers)
    await lobby.close()


OK = (200, "ok\n")


async def test_all_is_well(place: Place) -> None:
    assert await place.answers() == {"live": OK, "ready": OK}


async def test_a_broken_store_is_told_without_its_reasons(place: Place) -> None:
    place.store.broken = "writing /srv/secret: disk I/O error"
    ill = (503, "store broken\n")
    assert await place.answers() == {"live": ill, "ready": ill}


async def test_a_loop_that_lags_is_told_for_a_while(place: Place) -> None:
    place.timers.stand_still(2_000)
    assert (await place.answers())["live"] == (503, "slow\n")
    place.timers.pass_time(11_000)
    assert await place.answers() == {"live": OK, "ready": OK}


async def test_a_server_that_stops_is_alive_and_not_ready_and_opens_no_room(place: Place) -> None:
    await place.client.post("/api/session")
    made = await place.client.post("/api/rooms", json={"name": "Ash"})
    assert made.status_code == 201
    await place.lobby.close()
    assert await place.answers() == {"live": OK, "ready": (503, "draining\n")}
    for answer in (
        await place.client.post("/api/rooms", json={"name": "Ash"}),
        await place.client.get(f"/api/rooms/{made.json()['code']}"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (503, "draining")
    with pytest.raises(Draining):
        await place.lobby.create(SessionKey("ash"), "Ash")
    assert await place.lobby.find(RoomId("nonsense")) is None


async def test_pages_from_the_public_address_may_ask_behind_a_proxy_that_hides_it(place: Place) -> None:
    for origin, status in (("https://cinder.example", 204), ("http://server", 204), ("https://else.example", 403)):
        assert (await place.client.post("/api/session", headers={"Origin": origin})).status_code == status
