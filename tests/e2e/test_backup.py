"""A backup is taken while people play, restored elsewhere, and the games go on there."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from cinderforge.records.record import read
from cinderforge.records.verify import verify
from tests.e2e.persons import Message, Person
from tests.e2e.serving import ServerProcess
from tests.e2e.test_sockets import is_over, record_of, session

ROOMS = 4


def host_of_ais(server: ServerProcess, name: str, seed: int) -> Person:
    """Somebody who makes a room, fills it with AIs and plays."""
    cookie = session(server)
    return playing(server, cookie, server.opened(cookie, name), name, seed)


def playing(server: ServerProcess, cookie: str, code: str, name: str, seed: int) -> Person:
    host = Person(server, cookie, code, name, seed)
    usual = host._wishes

    def wishes(update: Message) -> list[Message]:
        if update["room"]["stage"] != "waiting":
            return usual(update)
        return host._once("fill", {"t": "fill"}) if update["room"]["missing"] else host._once("start", {"t": "start"})

    host._wishes = wishes  # type: ignore[method-assign]
    return host


async def command(*words: str) -> str:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "cinderforge.cli.main", *words, stdout=asyncio.subprocess.PIPE, env=os.environ
    )
    said, _ = await process.communicate()
    assert process.returncode == 0
    return said.decode()


def test_a_backup_under_load_is_restored_and_its_games_go_on(tmp_path: Path) -> None:
    data, there = tmp_path / "data", tmp_path / "there"
    for folder in (data, there):
        folder.mkdir()
    server = ServerProcess(data, tempo=20)
    server.start()
    hosts = [host_of_ais(server, f"Host{number}", number) for number in range(ROOMS)]

    async def back_up_while_they_play() -> None:
        games = asyncio.gather(*(host.live(is_over) for host in hosts))
        while not all(host.last and host.last["table"] for host in hosts):  # noqa: ASYNC110 - they tell of it in no way
            await asyncio.sleep(0.01)
        said = [await command("backup", str(tmp_path / f"{number}.backup"), "--data", str(data)) for number in range(3)]
        assert all(f": {ROOMS} open rooms, " in line for line in said)
        assert not games.done(), "they played all the while"
        games.cancel()

    try:
        asyncio.run(asyncio.wait_for(back_up_while_they_play(), 60))
    finally:
        server.kill()
    asyncio.run(command("restore", str(tmp_path / "2.backup"), "--data", str(there)))
    server = ServerProcess(there, tempo=40)
    server.start()
    try:
        back = [playing(server, one.cookie, one.code, f"Back{seed}", seed) for seed, one in enumerate(hosts)]

        async def play() -> None:
            await asyncio.wait_for(asyncio.gather(*(host.live(is_over) for host in back)), 90)

        asyncio.run(play())
        assert all(host.last and host.last["you"]["member"]["host"] for host in back)
        assert [verify(read(record_of(server, host))) for host in back] == [[]] * ROOMS
    finally:
        assert server.stop() == 0
