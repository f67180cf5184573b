"""How often one may: asked over HTTP without a port, as an attacker with many addresses and much patience would."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from itertools import product

import httpx
import pytest

from cinderforge.server.app import House, build_app
from cinderforge.server.health import Health
from cinderforge.server.identity import Tickets
from cinderforge.server.limits import Limits
from cinderforge.server.lobby import CODE_LETTERS, Lobby
from cinderforge.server.metrics import LoopLag
from cinderforge.server.store import Claim, RoomId, StoreFailed
from cinderforge.server.store_memory import MemoryStore
from cinderforge.testkit.clock import JumpingClock, JumpingTimers

pytestmark = pytest.mark.anyio

HERE = "192.0.2.1"
AT_ONCE = 10
"""Wrong codes from one address (SECURITY.md)."""


class SlowStore(MemoryStore):
    """Whoever looks for a room waits, as for a disk."""

    is_away = False

    async def claim(self, room: RoomId) -> Claim | None:
        await asyncio.sleep(0.001)
        if self.is_away:
            raise StoreFailed("away")
        return await super().claim(room)


class Desk:
    """A server without a port, and browsers at any address."""

    def __init__(self) -> None:
        self.store, self.clock = SlowStore(), JumpingClock()
        self.lobby = Lobby(self.store, self.clock)
        health = Health(self.store, LoopLag(JumpingTimers()), lambda: False)
        self.app = build_app(House(self.lobby, self.store, self.clock, Tickets(self.clock), Limits(self.clock), health))

    def browser(self, address: str = HERE) -> httpx.AsyncClient:
        return httpx.AsyncClient(transport=httpx.ASGITransport(self.app, client=(address, 1)), base_url="http://here")

    async def guess(self, address: str = HERE) -> int:
        async with self.browser(address) as browser:
            return (await browser.get(f"/api/rooms/{next(GUESSES)}")).status_code


GUESSES: Iterator[str] = ("".join(letters) for letters in product(CODE_LETTERS, repeat=6))


@pytest.fixture
async def desk() -> AsyncIterator[Desk]:
    desk = Desk()
    yield desk
    await desk.lobby.close()


async def test_a_guess_waits_after_ten_wrong_ones_and_then_for_twenty_seconds(desk: Desk) -> None:
    assert [await desk.guess() for _ in range(AT_ONCE + 3)] == [404] * AT_ONCE + [429] * 3
    assert await desk.guess("192.0.2.2") == 404, "others are not held up"
    desk.clock.pass_time(20_000)
    assert [await desk.guess() for _ in range(2)] == [404, 429]


async def test_as_many_guesses_at_once_are_no_more(desk: Desk) -> None:
    for allowed in (AT_ONCE, 1, 1):
        assert Counter(await asyncio.gather(*(desk.guess() for _ in range(100)))) == {404: allowed, 429: 100 - allowed}
        desk.clock.pass_time(20_000)


async def test_all_addresses_of_one_line_are_one(desk: Desk) -> None:
    answers = [await desk.guess(f"2001:db8:1:2::{number:x}") for number in range(AT_ONCE + 3)]
    assert answers == [404] * AT_ONCE + [429] * 3
    assert await desk.guess("2001:db8:1:3::1") == 404


async def test_a_right_code_is_no_guess_not_even_of_a_room_that_must_be_read_back(desk: Desk) -> None:
    async with desk.browser() as browser:
        await browser.post("/api/session")
        code = (await browser.post("/api/rooms", json={"name": "Host"})).json()["code"]
        for _ in range(3 * AT_ONCE):
            assert (await browser.get(f"/api/rooms/{code}")).status_code == 200
        for _ in range(2 * AT_ONCE):
            await desk.lobby.rooms()[0].stop()
            assert not desk.lobby.rooms()
            assert (await browser.get(f"/api/rooms/{code}")).status_code == 200
        assert [await desk.guess() for _ in range(AT_ONCE + 1)] == [404] * AT_ONCE + [429]


async def test_while_the_disk_is_away_nobody_is_said_to_have_guessed(desk: Desk) -> None:
    desk.store.is_away = True
    assert [await desk.guess() for _ in range(2 * AT_ONCE)] == [503] * 2 * AT_ONCE
    desk.store.is_away = False
    assert [await desk.guess() for _ in range(AT_ONCE + 1)] == [404] * AT_ONCE + [429]


async def rooms(desk: Desk, address: str, sessions: int) -> Counter[int]:
    """What is answered to so many sessions of one address that each open ten rooms."""
    answers = Counter[int]()
    for _ in range(sessions):
        async with desk.browser(address) as browser:
            await browser.post("/api/session")
            answers.update([(await browser.post("/api/rooms", json={"name": "x"})).status_code for _ in range(10)])
    return answers


async def test_no_address_fills_the_server_with_rooms_however_many_people_it_is(desk: Desk) -> None:
    assert await rooms(desk, HERE, 8) == {201: 60, 429: 20}
    assert await rooms(desk, "192.0.2.2", 1) == {201: 10}, "others open theirs"
    desk.clock.pass_time(60_000)
    assert await rooms(desk, HERE, 3) == {201: 20, 429: 10}
    assert await rooms(desk, "2001:db8::1", 5) + await rooms(desk, "2001:db8::2", 3) == {201: 60, 429: 20}


async def test_whoever_asks_without_an_end_waits_and_others_do_not(desk: Desk) -> None:
    async with desk.browser() as browser, desk.browser("192.0.2.2") as other:
        answers = Counter([(await browser.get("/api/rooms")).status_code for _ in range(610)])
        assert answers == {200: 600, 429: 10}
        late = await browser.get("/api/rooms")
        assert (late.status_code, late.headers["retry-after"], late.json()["code"]) == (429, "1", "too_many_tries")
        assert late.headers["cache-control"] == "no-store"
        assert (await other.get("/api/rooms")).status_code == 200
        assert (await browser.get("/healthz")).status_code == 200, "who watches over the server is no guest"
        desk.clock.pass_time(1_000)
        assert (await browser.get("/api/rooms")).status_code == 200


async def test_what_another_sites_page_asks_for_uses_nothing_up(desk: Desk) -> None:
    foreign = {"origin": "https://elsewhere.example"}, {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"}
    async with desk.browser() as browser:
        for headers in foreign:
            answers = Counter(
                [(await browser.get("/api/rooms/ABCDEF", headers=headers)).status_code for _ in range(20)]
            )
            assert answers == {403: 20}
        answers = Counter([(await browser.post("/api/session", headers=foreign[0])).status_code for _ in range(700)])
        assert answers == {403: 700}
        link = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
        assert (await browser.get("/api/rooms", headers=link)).status_code == 200, "a link may be followed"
        assert (await browser.get("/api/rooms")).status_code == 200
    assert await desk.guess() == 404, "no guess of theirs was counted"


async def test_many_people_of_one_address_say_no_more_at_once_than_a_school_would(desk: Desk) -> None:
    limits = Limits(desk.clock)
    for _ in range(2):
        said = Counter((person, limits.may_speak(f"person {person}", HERE)) for person in range(50) for _ in range(60))
        assert sum(count for (_, is_done), count in said.items() if is_done) == 1_000
        assert max(count for (_, is_done), count in said.items() if is_done) == 40, "each has their own limit, too"
        assert limits.may_speak("somebody else", "192.0.2.2")
        desk.clock.pass_time(5_000)
        assert sum(limits.may_speak(f"{person} comes later", HERE) for person in range(3_000)) == 1_000
        desk.clock.pass_time(60_000)
