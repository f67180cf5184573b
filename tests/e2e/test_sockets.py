"""Whole games over real sockets: eight persons, kill −9 again and again, records that verify."""

from __future__ import annotations

import asyncio
import json
import random
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from cinderforge.records.record import read
from cinderforge.records.verify import verify
from tests.e2e.persons import Person
from tests.e2e.serving import ServerProcess

SEATS = 8


def post(server: ServerProcess, path: str, body: object = None, cookie: str = "") -> Any:
    data = json.dumps(body).encode() if body is not None else b""
    request = urllib.request.Request(server.address + path, data, {"Cookie": cookie}, method="POST")
    return urllib.request.urlopen(request, timeout=5)


def session(server: ServerProcess) -> str:
    with post(server, "/api/session") as answer:
        cookie: str = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=lax" in cookie
    return cookie.partition(";")[0]


def seated(server: ServerProcess, settings: dict[str, object]) -> list[Person]:
    """Eight persons, of whom the first has made the room and will start the game when all sit."""
    cookies = [session(server) for _ in range(SEATS)]
    code = server.opened(cookies[0], "P0")
    people = [Person(server, cookie, code, f"P{at}", at) for at, cookie in enumerate(cookies)]
    host = people[0]
    usual = host._wishes

    def host_wishes(update: dict[str, Any]) -> list[dict[str, Any]]:
        room = update["room"]
        if room["stage"] == "waiting":
            if room["settings"]["rules"]["first_holder"] == "random" and settings:
                return host._once("settings", {"t": "change", "settings": settings})
            return host._once("start", {"t": "start"}) if room["missing"] == 0 else []
        return usual(update)

    host._wishes = host_wishes  # type: ignore[method-assign]
    return people


def is_over(person: Person) -> bool:
    return person.last is not None and person.last["room"]["stage"] == "over" and not person.unanswered


def record_of(server: ServerProcess, person: Person) -> str:
    request = urllib.request.Request(
        f"{server.address}/api/rooms/{person.code}/games/1/record", headers={"Cookie": person.cookie}
    )
    with urllib.request.urlopen(request, timeout=5) as answer:
        text: str = answer.read().decode()
    return text


def check_the_end(server: ServerProcess, people: list[Person]) -> None:
    """The record verifies; every acknowledged move stands in it once; nobody has lost a seat or a line of news."""
    line = record_of(server, people[0])
    record = read(line)
    assert verify(record) == []
    assert [player.kind for player in record.players] == ["person"] * SEATS
    for person in people:
        assert person.last
        turn = person.last["you"]["player"]["turn"]
        assert record.players[turn - 1].name == person.name
        own = [
            move for move in record.moves if move[0] in ("play", "skip") and move[1] == turn and move[-1] != "timeout"
        ]
        said = [wish for wish in person.acknowledged if wish["t"] in ("play", "skip")]
        assert [move[2] for move in own if move[0] == "play"] == [wish["card"] for wish in said if wish["t"] == "play"]
        assert len(own) == len(said)
    assert len({json.dumps(person.news) for person in people}) == 1


@pytest.mark.parametrize("conn", ["picows", "starlette"])
def test_eight_persons_play_a_whole_game(tmp_path: Path, conn: str) -> None:
    server = ServerProcess(tmp_path, tempo=30, conn=conn)
    server.start()
    try:
        people = seated(server, {"first_holder": "vote", "kill_target": 4})

        async def play() -> None:
            await asyncio.wait_for(asyncio.gather(*(person.live(is_over) for person in people)), 60)

        asyncio.run(play())
        check_the_end(server, people)
        assert all(person.sockets == 1 for person in people)
    finally:
        assert server.stop() == 0


def test_killed_twenty_times_nobody_loses_a_seat_or_a_move(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, tempo=6)
    server.start()
    kills = 0
    try:
        people = seated(server, {"first_holder": "vote", "kill_target": 5, "sage_slain_ends": False})

        async def play() -> None:
            nonlocal kills
            rng = random.Random(7)
            done = asyncio.gather(*(person.live(is_over) for person in people))
            while not done.done() and kills < 20:
                await asyncio.sleep(rng.uniform(0.05, 0.45))
                server.kill()
                kills += 1
                await asyncio.to_thread(server.start)
            await asyncio.wait_for(done, 120)

        asyncio.run(play())
        check_the_end(server, people)
    finally:
        server.stop()
    assert kills == 20


def test_who_would_like_to_sit_still_would_after_a_killed_server_and_is_given_an_ais_seat(tmp_path: Path) -> None:
    with ServerProcess(tmp_path) as server:
        cookies = [session(server) for _ in range(2)]
        code = server.opened(cookies[0], "P0")
        host, guest = (Person(server, cookie, code, f"P{at}", at) for at, cookie in enumerate(cookies))
        for person, wish in ((host, {"t": "fill"}), (guest, {"t": "want_seat", "name": "P1"})):
            person._wishes = lambda _, person=person, wish=wish: person._once("first", wish)  # type: ignore[misc, method-assign]

        def has_asked(person: Person) -> bool:
            return bool(person.acknowledged) and not person.unanswered

        def sits(person: Person) -> bool:
            return person.last is not None and person.last["room"]["seats"][-1]["name"] == "P1"

        def admits(update: dict[str, Any]) -> list[dict[str, Any]]:
            wanting = update["room"]["wanting"]
            return host._once("admit", {"t": "admit", "member": wanting[0]}) if wanting else []

        async def play() -> None:
            await host.live(has_asked)
            await guest.live(has_asked)
            server.kill()
            await asyncio.to_thread(server.start)
            host._wishes = admits  # type: ignore[method-assign]
            await asyncio.wait_for(asyncio.gather(host.live(sits), guest.live(sits)), 60)

        asyncio.run(play())
        assert guest.last and guest.last["you"]["member"]["seat"] == SEATS
        assert guest.last["room"]["wanting"] == [] and not guest.refused


def test_what_is_not_ours_is_refused(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path)
    server.start()
    try:
        cookie = session(server)
        for path, body, given, code in (
            ("/api/rooms", {"name": "x"}, "", 401),
            ("/api/rooms", {"name": "\u200b"}, cookie, 400),
            ("/api/rooms", {"nom": "x"}, cookie, 400),
            ("/api/rooms", {"name": "x" * 5000}, cookie, 413),
            ("/api/none", {}, cookie, 404),
        ):
            with pytest.raises(urllib.error.HTTPError) as caught:
                post(server, path, body, given)
            assert caught.value.code == code
            caught.value.close()
        foreign = urllib.request.Request(
            f"{server.address}/api/session", b"", {"Origin": "https://elsewhere.example"}, method="POST"
        )
        with pytest.raises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(foreign, timeout=5)
        assert caught.value.code == 403
        caught.value.close()
    finally:
        server.stop()
