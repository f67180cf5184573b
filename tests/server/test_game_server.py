"""The server as a process: signals end it gently, quickly and with code 0, also past a peer that does not read."""

from __future__ import annotations

import asyncio
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from cinderforge.server.config import ConnKind
from cinderforge.server.game_server import LoopKind

pytestmark = pytest.mark.anyio

PATIENCE_S = 10

SERVER = """
import asyncio, contextlib, sys
from starlette.applications import Starlette
from cinderforge.server.conn import Admission
from cinderforge.server.game_server import build_server

class Table:
    members = []
    def on_open(self, conn):
        self.conn = conn
        self.members.append(conn)
        print("in", flush=True)
    def on_message(self, message):
        self.pour(400)
    def pour(self, times):  # more than all buffers on the way hold, for the one that does not read
        self.conn.show(b"x" * 60_000)
        if times:
            asyncio.get_running_loop().call_soon(self.pour, times - 1)
        else:
            print("behind" if self.conn.behind else "at the heels", flush=True)
    def on_gone(self, gone):
        print("gone", gone.cause.name, flush=True)

class Door:
    async def admit(self, head):
        return Admission(Table())

async def drain():
    for conn in Table.members:
        conn.send(b"the server stops")
    print("drained", flush=True)
    await asyncio.sleep(float(sys.argv[3]))

@contextlib.asynccontextmanager
async def lifespan(app):
    yield
    print("saved", flush=True)

server = build_server(
    Starlette(lifespan=lifespan), Door(), conn=sys.argv[1], loop=sys.argv[2], port=0, on_drain=drain
)
report = server.startup
async def startup(sockets=None):
    await report(sockets)
    print(server.port, flush=True)
server.startup = startup
server.run()
print("ended", flush=True)
"""


@pytest.fixture(params=["picows", "starlette"])
def kind(request: pytest.FixtureRequest) -> ConnKind:
    kind: ConnKind = request.param
    return kind


class Served:
    """A server in a process of its own, and what it says."""

    def __init__(self, process: Process) -> None:
        assert process.stdout is not None
        self.process, self._said = process, process.stdout
        self.url = ""

    async def line(self) -> str:
        async with asyncio.timeout(PATIENCE_S):
            return (await self._said.readline()).decode().strip()

    async def rest(self) -> list[str]:
        async with asyncio.timeout(PATIENCE_S):
            return (await self._said.read()).decode().split("\n")[:-1]

    async def exit_code(self) -> int:
        async with asyncio.timeout(PATIENCE_S):
            return await self.process.wait()


@asynccontextmanager
async def serving(kind: ConnKind, loop: LoopKind = "auto", drain_s: float = 0.0) -> AsyncIterator[Served]:
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", SERVER, kind, loop, str(drain_s), stdout=PIPE)
    served = Served(process)
    try:
        served.url = f"ws://127.0.0.1:{await served.line()}/ws"
        yield served
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def ending(client: ClientConnection) -> tuple[list[str | bytes], int | None]:
    heard: list[str | bytes] = []
    with suppress(ConnectionClosed):
        async with asyncio.timeout(PATIENCE_S):
            while True:
                heard.append(await client.recv())
    return heard, client.close_code


@pytest.mark.parametrize("loop", ["asyncio", "uvloop"])
@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT"])
async def test_a_signal_ends_the_server_gently(kind: ConnKind, loop: LoopKind, name: str) -> None:
    async with serving(kind, loop) as served, AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(connect(served.url, proxy=None)) for _ in range(10)]
        assert [await served.line() for _ in clients] == ["in"] * 10
        before = asyncio.get_running_loop().time()
        served.process.send_signal(signal.Signals[name])
        endings = await asyncio.gather(*map(ending, clients))
        assert await served.exit_code() == 0
        assert asyncio.get_running_loop().time() - before < 2
        assert endings == [(["the server stops"], 1012)] * 10
        assert await served.rest() == ["drained", *["gone RESTART"] * 10, "saved", "ended"]


async def test_a_peer_that_does_not_read_does_not_hold_the_end_up(kind: ConnKind) -> None:
    async with serving(kind) as served, connect(served.url, proxy=None, max_queue=1) as client:
        await client.send("I shall not read")
        assert [await served.line(), await served.line()] == ["in", "behind"]
        before = asyncio.get_running_loop().time()
        served.process.send_signal(signal.SIGINT)
        assert await served.exit_code() == 0
        assert asyncio.get_running_loop().time() - before < 2
        client.transport.abort()


async def test_draining_has_its_time_and_no_more(kind: ConnKind) -> None:
    async with serving(kind, drain_s=60) as served:
        served.process.send_signal(signal.SIGTERM)
        assert await served.exit_code() == 0
        assert await served.rest() == ["drained", "saved", "ended"]
