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
