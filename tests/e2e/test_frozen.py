"""Processes that are stopped, and loops that stand still, over real sockets (E14, E15): who does not answer is cut
within the promised time, who answers late stays. The promises are shortened, in the proportions of the real ones.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.serving import ServerProcess
from tests.e2e.test_trials import Socket, at_the_vote, into

ROOT = Path(__file__).resolve().parents[2]
TEMPO = 10
IDLE_S, PONG_S = 1.0, 1.5
SHOWN_S = 4 / TEMPO
SLACK_S = 2.5
"""Machines of tests are shared."""
IMPATIENT = f"""
import sys
from functools import partial
from cinderforge.cli.main import main
from cinderforge.server import serve
serve.ConnLimits = partial(serve.ConnLimits, idle_s={IDLE_S}, pong_s={PONG_S})
sys.exit(main())
"""
"""A server that pings sooner and waits less."""


@pytest.fixture(scope="module", params=["picows", "starlette"])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    server = ServerProcess(
        tmp_path_factory.mktemp("frozen"),
        tempo=TEMPO,
        conn=request.param,
        env={"CINDERFORGE_LIMITS": "off"},
        program=IMPATIENT,
    )
    server.start()
    yield server
    assert server.stop() == 0
    said = server.said.read_text()
    assert "Traceback" not in said and " ERROR " not in said, said


class Sitting:
    """A person's client in a process of its own."""

    def __init__(self, process: subprocess.Popen[bytes], said: Path) -> None:
        self.process, self.said = process, said

    @property
    def sockets(self) -> list[dict[str, Any]]:
        """What it had to say of each socket so far."""
        return [json.loads(line) for line in self.said.read_text().splitlines()]


@contextmanager
def sitting(server: ServerProcess, code: str, cookie: str, name: str, stall_s: float = 0) -> Iterator[Sitting]:
    said = server.data / f"{code}-{name}.txt"
    command = [sys.executable, "-m", "tests.e2e.sitter", str(server.port), code, cookie, name, str(stall_s)]
    with said.open("wb") as file, subprocess.Popen(command, cwd=ROOT, stdout=file) as process:
        try:
            yield Sitting(process, said)
        finally:
            process.kill()  # stopped or not


def seat_of(update: dict[str, Any], name: str) -> dict[str, Any]:
    seat: dict[str, Any] = next(seat for seat in update["room"]["seats"] if seat["name"] == name)
    return seat


async def until_here(host: Socket, *names: str) -> None:
    async with asyncio.timeout(20):
        await host.until(lambda update: all(seat_of(update, name)["online"] for name in names))


def test_a_client_that_is_stopped_is_cut_in_time_and_has_its_seat_again_once_it_goes_on(server: ServerProcess) -> None:
    async def freeze() -> None:
        code, cookies = await at_the_vote(server, persons=3, timers={"away": 40})
        with sitting(server, code, cookies[1], "P1") as frozen, sitting(server, code, cookies[2], "P2") as other:
            async with into(server, code, cookies[0]) as host:
                await until_here(host, "P1", "P2")
                seat = seat_of(host.last, "P1")["seat"]
                await asyncio.sleep(IDLE_S)
                os.kill(frozen.process.pid, signal.SIGSTOP)
                began = time.monotonic()
                await host.until(lambda update: not seat_of(update, "P1")["online"])
                took = time.monotonic() - began
                assert PONG_S + SHOWN_S - 0.2 < took < IDLE_S + PONG_S + SHOWN_S + SLACK_S, "cut, and seen to be away"
                await host.until(lambda update: seat_of(update, "P1")["stand_in"])
                assert seat_of(host.last, "P2")["online"] and not seat_of(host.last, "P2")["stand_in"]
                os.kill(frozen.process.pid, signal.SIGCONT)
                await host.until(lambda update: seat_of(update, "P1")["online"])
                back = seat_of(host.last, "P1")
                assert (back["seat"], back["stand_in"]) == (seat, False)
                async with asyncio.timeout(10):
                    while len(frozen.sockets) < 2:  # noqa: ASYNC110 - another process tells of it in no other way
                        await asyncio.sleep(0.05)
            assert [one["seat"] for one in frozen.sockets] == [seat, seat]
            assert len(other.sockets) == 1, "who answers is not cut"

    asyncio.run(freeze())


def test_a_client_whose_loop_stands_still_and_that_answers_late_stays(server: ServerProcess) -> None:
    async def stall() -> None:
        code, cookies = await at_the_vote(server, timers={"away": 600})
        with sitting(server, code, cookies[1], "P1", stall_s=0.6 * PONG_S) as slow:
            async with into(server, code, cookies[0]) as host:
                await until_here(host, "P1")
                with pytest.raises(TimeoutError):
                    async with asyncio.timeout(2 * (IDLE_S + PONG_S)):
                        await host.until(lambda update: not seat_of(update, "P1")["online"])
            assert len(slow.sockets) == 1

    asyncio.run(stall())


def test_a_server_that_stood_still_for_longer_than_it_waits_for_answers_cuts_nobody(server: ServerProcess) -> None:
    async def stop() -> None:
        code, cookies = await at_the_vote(server, persons=3, timers={"away": 600})
        assert server.process
        with (
            sitting(server, code, cookies[1], "P1") as prompt,
            sitting(server, code, cookies[2], "P2", stall_s=0.6 * PONG_S) as slow,
        ):
            async with into(server, code, cookies[0]) as host:
                await until_here(host, "P1", "P2")
                for _ in range(2):
                    await asyncio.sleep(IDLE_S * 1.3)
                    server.process.send_signal(signal.SIGSTOP)
                    await asyncio.sleep(2 * PONG_S)
                    server.process.send_signal(signal.SIGCONT)
                await asyncio.sleep(IDLE_S + PONG_S)
                assert await host.ask("still", t="ready", ready=True) == "already_started"
            assert (len(prompt.sockets), len(slow.sockets)) == (1, 1)

    asyncio.run(stop())
