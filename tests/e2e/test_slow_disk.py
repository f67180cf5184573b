"""A disk that is slow for every room (D8): what is acknowledged stays true, nothing is lost, every room goes on, and
meanwhile the server answers pings and its watchdog, and its numbers tell.
"""

from __future__ import annotations

import asyncio
import signal
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.serving import ServerProcess, free_port
from tests.e2e.test_sockets import check_the_end, is_over, seated, session
from tests.e2e.test_trials import Socket, into

SLOW = """
import sys, time
from contextlib import suppress
from cinderforge.cli.main import main
from cinderforge.server.store_sqlite import SqliteStore
quick = SqliteStore._transact
def slow(self, db, batch):
    with suppress(OSError):
        time.sleep(float(self.path.with_name("slow").read_text()))
    return quick(self, db, batch)
SqliteStore._transact = slow
sys.exit(main())
"""
"""A server whose disk takes as many seconds for each commit as the file `slow` says, if it is there."""
COMMIT_S = 2.5


class SlowServer(ServerProcess):
    def __init__(self, data: Path, tempo: float, conn: str = "picows") -> None:
        self.metrics_port = free_port()
        env = {"METRICS_PORT": str(self.metrics_port), "CINDERFORGE_LIMITS": "off"}
        super().__init__(data, tempo, conn, env, SLOW)

    def slow_down(self, seconds: float) -> None:
        (self.data / "slow.new").write_text(str(seconds))
        (self.data / "slow.new").rename(self.data / "slow")

    def be_quick(self) -> None:
        (self.data / "slow").unlink(missing_ok=True)

    def number(self, name: str) -> float:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.metrics_port}/metrics", timeout=5) as answer:
            lines = answer.read().decode().splitlines()
        return float(next(line.rpartition(" ")[2] for line in lines if line.startswith(f"{name} ")))

    def is_well(self) -> bool:
        with urllib.request.urlopen(f"{self.address}/healthz", timeout=5) as answer:
            return bool(answer.status == 200)


@pytest.fixture(params=["picows", "starlette"])
def server(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[SlowServer]:
    server = SlowServer(tmp_path, 1, request.param)
    server.start()
    yield server
    assert server.stop() == 0
    said = server.said.read_text()
    assert "Traceback" not in said and " ERROR " not in said, said


async def pinged(one: Socket, seconds: float) -> list[float]:
    """How long pings take meanwhile; nothing else may come."""
    end = time.monotonic() + seconds
    waits: list[float] = []
    while time.monotonic() < end:
        began = time.perf_counter()
        await one.send(t="ping", n=len(waits))
        assert (await one.hear("pong", "done", "refused", "bye", "update"))["t"] == "pong", "not kept yet, and told"
        waits.append(time.perf_counter() - began)
        await asyncio.sleep(0.05)
    return waits


def test_while_the_disk_is_slow_for_all_pings_and_the_watchdog_are_answered_and_the_numbers_tell(
    server: SlowServer,
) -> None:
    async def wait() -> None:
        cookies = [session(server) for _ in range(3)]
        codes = [server.opened(cookie, "P0") for cookie in cookies]
        async with (
            into(server, codes[0], cookies[0]) as first,
            into(server, codes[1], cookies[1]) as second,
            into(server, codes[2], cookies[2]) as third,
        ):
            hosts = (first, second, third)
            for host in hosts:
                await host.hear("lines")
            before = [server.number(f"cinderforge_save_seconds_{end}") for end in ('bucket{le="1.0"}', "count")]
            server.slow_down(COMMIT_S)
            await asyncio.sleep(1.1)  # a beat of the server's own is under way
            for host in hosts:
                await host.send(t="fill", id="fill")
            watchdog = asyncio.gather(*(asyncio.to_thread(server.is_well) for _ in range(9)))
            measured = await asyncio.gather(*(pinged(host, COMMIT_S / 2) for host in hosts))
            waits = [wait for of_one in measured for wait in of_one]
            assert all(await watchdog)
            sys.stdout.write(
                f"slow disk: pings in {1000 * sorted(waits)[len(waits) // 2]:.1f} ms, worst {max(waits):.2f} s\n"
            )
            assert sorted(waits)[len(waits) // 2] < 0.25 and max(waits) < 1
            for host in hosts:
                assert (await host.hear("done", "refused"))["t"] == "done"
                await host.until(lambda update: update["room"]["missing"] == 0)
            server.be_quick()
            for host in hosts:
                assert await host.ask("clear", t="clear") == "done"
            after = [server.number(f"cinderforge_save_seconds_{end}") for end in ('bucket{le="1.0"}', "count")]
            slow = (after[1] - before[1]) - (after[0] - before[0])
            assert slow >= 3, "each of the three commands is counted among the slow ones"
            assert server.number("cinderforge_sockets") == 3 and server.number("cinderforge_store_broken") == 0

    asyncio.run(wait())


def test_games_go_on_through_a_disk_that_is_slow_now_and_then_and_a_server_that_dies_or_stops_meanwhile(
    tmp_path: Path,
) -> None:
    server = SlowServer(tmp_path, 6)
    server.start()
    try:
        rooms = [seated(server, {"first_holder": "vote", "kill_target": 4, "sage_slain_ends": False}) for _ in range(2)]
        people = [person for room in rooms for person in room]

        async def play() -> None:
            done = asyncio.gather(*(person.live(is_over) for person in people))
            for how in (None, signal.SIGKILL, signal.SIGTERM):
                await asyncio.sleep(1)
                server.slow_down(0.7)
                await asyncio.sleep(2)
                if how is signal.SIGKILL:
                    server.kill()
                elif how is signal.SIGTERM:
                    assert await asyncio.to_thread(server.stop, signal.SIGTERM) == 0
                if how is not None:
                    await asyncio.to_thread(server.start)
                server.be_quick()
            await asyncio.wait_for(done, 90)

        asyncio.run(play())
        for room in rooms:
            check_the_end(server, room)
    finally:
        server.be_quick()
        server.stop()
