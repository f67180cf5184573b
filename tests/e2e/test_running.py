"""A server as whoever runs it sees it: what it writes into its logs, its numbers, and how it stops."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from cinderforge.records.record import read
from cinderforge.rules.scrolls import CATALOG
from cinderforge.rules.words import Card, Role
from tests.e2e.persons import Message, Person
from tests.e2e.serving import ServerProcess, free_port
from tests.e2e.test_sockets import is_over, post, record_of, seated, session

SAID = ("kumquat", "zeppelin", "quiver")

LOUD = """
import logging, sys
from cinderforge.cli import main, serve

set_up = serve.set_up_logs

def set_up_all(level, form):
    "All loggers of the process from DEBUG upwards, as they are."
    set_up(level, form)
    raw = logging.FileHandler(sys.argv[-1] + "/raw.txt")
    raw.setFormatter(logging.Formatter("%(name)s %(levelname)s %(message)s"))
    logging.getLogger().addHandler(raw)
    logging.getLogger().setLevel("DEBUG")

serve.set_up_logs = set_up_all
sys.exit(main.main())
"""


def words_of(people: list[Person], record_line: str) -> set[str]:
    """What must not stand in a log: who plays, what lets them in, and all that a game is made of."""
    record = read(record_line)
    tokens = [person.cookie.partition("=")[2] for person in people]
    digests = [sha256(token.encode()).hexdigest()[:16] for token in tokens]
    luck = [record.fairness.secret, record.fairness.seed, *record.fairness.contributions]
    ids = [*Card, *Role, *CATALOG]
    names = [player.name for player in record.players]
    return {people[0].code, *SAID, *tokens, *digests, *names, *map(str, ids), *(secret.hex()[:16] for secret in luck)}


def talking(person: Person) -> Callable[[Message], list[Message]]:
    """Plays as usual, says a line and reports the host before the game, and writes and claims something in it."""
    usual = person._wishes
    text = " ".join(SAID)

    def wishes(update: Message) -> list[Message]:
        if update["you"]["member"]["member"] is None:
            return usual(update)
        if update["room"]["stage"] == "waiting":
            report = {"t": "report", "member": update["room"]["host"], "text": text}
            return person._once("say", {"t": "say", "text": text}) + person._once("report", report) + usual(update)
        if update["table"] and update["table"]["phase"] not in ("reveal", "night", "over"):
            claim = {"claim": "role", "turn": 1, "role": "sage"}
            said = person._once("note", {"t": "note", "text": text})
            return said + person._once("claim", {"t": "claim", "claim": claim}) + usual(update)
        return usual(update)

    return wishes


def with_ais(host: Person, persons: int) -> Callable[[Message], list[Message]]:
    """As usual, with AIs on what is free once so many persons sit."""
    usual = host._wishes

    def wishes(update: Message) -> list[Message]:
        room = update["room"]
        is_full = sum(seat["kind"] == "person" for seat in room["seats"]) == persons
        fill = host._once("fill", {"t": "fill"}) if room["stage"] == "waiting" and is_full else []
        return fill or usual(update)

    return wishes


def heard_in(text: str, words: set[str]) -> set[str]:
    return {word for word in words if re.search(rf"(?<![\w]){re.escape(word)}(?![\w])", text, re.IGNORECASE)}


@pytest.mark.parametrize("conn", ["picows", "starlette"])
def test_a_whole_game_leaves_no_trace_in_any_log(tmp_path: Path, conn: str) -> None:
    env = {"CINDERFORGE_LOG_LEVEL": "debug", "CINDERFORGE_LOG_FORMAT": "json"}
    server = ServerProcess(tmp_path, tempo=30, conn=conn, env=env, program=LOUD)
    server.start()
    try:
        people = seated(server, {"first_holder": "vote", "kill_target": 4})[:6]

        async def play() -> None:
            people[0]._wishes = with_ais(people[0], 6)  # type: ignore[method-assign, assignment]
            people[1]._wishes = talking(people[1])  # type: ignore[method-assign, assignment]
            await asyncio.wait_for(asyncio.gather(*(person.live(is_over) for person in people)), 60)
            assert {"say", "report", "note", "claim"} <= {wish["t"] for wish in people[1].acknowledged}
            await nonsense(people[0])

        asyncio.run(play())
        line = record_of(server, people[0])
        with pytest.raises(urllib.error.HTTPError) as caught:
            post(server, "/api/rooms", {"nom": people[0].name}, people[0].cookie)
        caught.value.close()
    finally:
        assert server.stop(signal.SIGTERM) == 0
    said, raw = server.said.read_text(), (tmp_path / "raw.txt").read_text()
    words = words_of(people, line)
    assert heard_in(said, words) == set()
    assert heard_in(raw, words) == set()
    lines = [json.loads(text) for text in said.splitlines()]
    assert {"serving", "a room is opened", "draining", "stopped"} <= {said["event"] for said in lines}
    assert "uvicorn" in raw, "other people's loggers are heard, too"


def to_room(server: ServerProcess, code: str, cookie: str) -> connect:
    uri = f"ws://127.0.0.1:{server.port}/ws/{code}?ticket={server.ticket(code, cookie)}"
    return connect(uri, additional_headers={"Cookie": cookie, "Origin": server.address})


async def nonsense(person: Person) -> None:
    async with to_room(person.server, person.code, person.cookie) as socket:
        for _ in range(3):
            await socket.send(json.dumps({"t": "chat", "text": person.name}))
        with suppress(ConnectionClosed):
            while True:
                await socket.recv()
        assert socket.close_code == 1008


def test_numbers_are_told_on_a_port_of_their_own(tmp_path: Path) -> None:
    port = free_port()
    server = ServerProcess(tmp_path, env={"METRICS_PORT": str(port)})
    server.start()
    try:
        cookie = session(server)
        code = server.opened(cookie, "Ash")
        ash = Person(server, cookie, code, "Ash", 1)
        asked = [{"t": "start", "id": "a"}, {"t": "fill", "id": "b"}]
        ash._wishes = lambda update: [wish for wish in asked if ash._once(wish["id"], {})]  # type: ignore[method-assign]
        asyncio.run(asyncio.wait_for(ash.live(lambda person: person.acknowledged and not person.unanswered), 20))
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
            told = answer.read().decode()
    finally:
        assert server.stop() == 0
    for line in (
        "cinderforge_rooms 1.0",
        'cinderforge_commands_total{kind="fill",outcome="done"} 1.0',
        'cinderforge_commands_total{kind="start",outcome="refused"} 1.0',
        'cinderforge_refusals_total{code="not_ready"} 1.0',
    ):
        assert f"{line}\n" in told
    assert re.search(r"^cinderforge_save_seconds_count [1-9]", told, re.MULTILINE)
    assert "cinderforge_loop_lag_seconds_count" in told
    assert code not in told


@pytest.mark.parametrize("conn", ["picows", "starlette"])
def test_a_server_that_is_stopped_says_goodbye_and_gives_the_lost_time_back(tmp_path: Path, conn: str) -> None:
    server = ServerProcess(tmp_path, tempo=1, conn=conn)
    server.start()
    cookie = session(server)
    code = server.opened(cookie, "Ash")
    ash = Person(server, cookie, code, "Ash", 1)
    usual = ash._wishes

    def wishes(update: Message) -> list[Message]:
        if update["room"]["stage"] == "waiting":
            return ash._once("fill", {"t": "fill"}) + ash._once("start", {"t": "start"})
        return [wish for wish in usual(update) if wish["t"] == "contribute"]

    ash._wishes = wishes  # type: ignore[method-assign]
    is_revealing = lambda person: (person.last or {"table": None})["table"] is not None  # noqa: E731
    asyncio.run(asyncio.wait_for(ash.live(is_revealing), 20))

    began = time.monotonic()

    async def until_the_end() -> tuple[list[Message], int | None, int]:
        async with to_room(server, code, cookie) as socket:
            await socket.send(json.dumps({"t": "hello", "protocol": 1}))
            heard = [json.loads(await socket.recv())]
            stopping = asyncio.create_task(asyncio.to_thread(server.stop, signal.SIGTERM))
            with suppress(ConnectionClosed):
                while True:
                    heard.append(json.loads(await socket.recv()))
            return heard, socket.close_code, await stopping

    heard, close_code, status = asyncio.run(until_the_end())
    stopped = time.monotonic()
    assert (close_code, status) == (1012, 0)
    assert heard[-1] == {"t": "bye", "why": "restarting"}
    before = heard[0]
    server.start()
    try:
        outage = (time.monotonic() - stopped) * 1000
        back = Person(server, cookie, code, "Ash", 1)
        asyncio.run(asyncio.wait_for(back.live(is_revealing), 20))
        after = back.last
        assert after is not None
        assert after["room"]["wait"]["kind"] == before["room"]["wait"]["kind"] == "reveal"
        assert after["you"] == before["you"]
        passed = (time.monotonic() - began) * 1000
        assert rest(before) - rest(after) < passed - outage / 2, "what passed while it was away is given back"
    finally:
        server.stop()


def rest(update: Message) -> int:
    left: int = update["room"]["wait"]["until"] - update["now"]
    return left


def test_settings_come_from_a_file_and_a_wrong_one_is_named(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('most_rooms = 1\nlog_level = "warning"\n')
    server = ServerProcess(tmp_path, env={"CINDERFORGE_CONFIG": str(file)})
    server.start()
    try:
        cookie = session(server)
        post(server, "/api/rooms", {"name": "Ash"}, cookie).close()
        with pytest.raises(urllib.error.HTTPError) as caught:
            post(server, "/api/rooms", {"name": "Ash"}, cookie)
        assert (caught.value.code, json.load(caught.value)["code"]) == (503, "server_full")
        caught.value.close()
    finally:
        server.stop()
    assert server.said.read_text() == ""
    file.write_text("most_rooms = 0\n")
    with pytest.raises(AssertionError, match=r"settings.toml: most_rooms: expected a whole number .* found 0"):
        server.start()


@pytest.mark.parametrize(("trusted", "is_secure"), [("127.0.0.1", True), ("192.0.2.1", False)])
def test_only_a_trusted_proxy_is_believed_that_the_browser_came_by_https(
    tmp_path: Path, trusted: str, is_secure: bool
) -> None:
    server = ServerProcess(tmp_path, env={"CINDERFORGE_TRUSTED_PROXIES": trusted})
    server.start()
    try:
        headers = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.9"}
        request = urllib.request.Request(f"{server.address}/api/session", b"", headers, method="POST")
        with urllib.request.urlopen(request, timeout=5) as answer:
            assert ("Secure" in answer.headers["set-cookie"]) == is_secure
    finally:
        assert server.stop() == 0


def children_of(process: int) -> set[int]:
    """Of all its threads."""
    tasks = Path(f"/proc/{process}/task").glob("*/children")
    return {int(child) for task in tasks for child in task.read_text().split()}


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="children are listed by Linux")
def test_ais_of_the_highest_level_play_and_their_process_ends_with_the_server(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path)
    server.start()
    try:
        cookie = session(server)
        ash = Person(server, cookie, server.opened(cookie, "Ash"), "Ash", 1)
        usual = ash._wishes

        def wishes(update: Message) -> list[Message]:
            if update["room"]["stage"] == "waiting":
                settings = {"t": "change", "settings": {"seats": 5, "ai_level": "level5"}}
                return ash._once("set", settings) + ash._once("fill", {"t": "fill"}) + ash._once("go", {"t": "start"})
            return usual(update)

        ash._wishes = wishes  # type: ignore[method-assign]
        asyncio.run(asyncio.wait_for(ash.live(is_over), 60))
        assert ash.last and {seat["level"] for seat in ash.last["room"]["seats"]} == {None, "oracle"}
        assert server.process
        thinking = children_of(server.process.pid)
        assert len(thinking) == 1
    finally:
        assert server.stop(signal.SIGTERM) == 0
    assert not any(Path(f"/proc/{child}").exists() for child in thinking)
