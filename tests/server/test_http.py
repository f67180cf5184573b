"""HTTP connections that say nothing, half of something, or no end of it: let go, and nobody else waits for them."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from cinderforge.server.config import ConnKind
from cinderforge.server.conn import ConnLimits
from cinderforge.server.game_server import GameServer, build_server
from cinderforge.testkit.clock import JumpingTimers
from tests.server.test_conn_contract import PATIENCE_S, Door, until

pytestmark = pytest.mark.anyio

LIMITS = ConnLimits(most_sockets_per_address=5, most_head=2000, most_request=10_000)
HEAD = b"GET / HTTP/1.1\r\nHost: here\r\n"
REQUEST = HEAD + b"\r\n"
POST = b"POST / HTTP/1.1\r\nHost: here\r\n"


@pytest.fixture(params=["asyncio", "uvloop"])
def anyio_backend(request: pytest.FixtureRequest) -> tuple[str, dict[str, bool]]:
    return "asyncio", {"use_uvloop": request.param == "uvloop"}


@pytest.fixture(params=["picows", "starlette"])
def kind(request: pytest.FixtureRequest) -> ConnKind:
    kind: ConnKind = request.param
    return kind


class House:
    """A server on a free port, its clock, and who was answered."""

    def __init__(self, server: GameServer, timers: JumpingTimers, disconnected: list[str]) -> None:
        self.server, self.timers, self.disconnected = server, timers, disconnected

    @property
    def lines(self) -> int:
        return len(self.server._gate.lines)

    @asynccontextmanager
    async def line(self) -> AsyncIterator[Line]:
        """A connection of the server's that is open on both sides."""
        line, before = Line(), self.lines
        await line.connect(self.server.port)
        try:
            await until(lambda: self.lines == before + 1)
            yield line
        finally:
            line.socket.close()

    def pass_time(self, seconds: float) -> None:
        self.timers.pass_time(round(seconds * 1000))


class Line:
    """A peer of few manners."""

    def __init__(self) -> None:
        self.socket = socket.socket()
        self.socket.setblocking(False)
        self.loop = asyncio.get_running_loop()

    async def connect(self, port: int) -> None:
        await self.loop.sock_connect(self.socket, ("127.0.0.1", port))

    async def say(self, data: bytes) -> None:
        async with asyncio.timeout(PATIENCE_S):
            await self.loop.sock_sendall(self.socket, data)

    async def hear(self) -> bytes:
        """What is said next; nothing at the end."""
        async with asyncio.timeout(PATIENCE_S):
            try:
                return await self.loop.sock_recv(self.socket, 65536)
            except ConnectionResetError:
                return b""


@pytest.fixture
async def house(kind: ConnKind) -> AsyncIterator[House]:
    timers, disconnected = JumpingTimers(), list[str]()

    async def answer(request: Request) -> Response:
        if request.method == "GET":
            return PlainTextResponse("hello" * (1_000_000 if request.url.query else 1))
        try:
            return PlainTextResponse(str(len(await request.body())))
        except ClientDisconnect:
            disconnected.append(request.method)
            raise

    app = Starlette(routes=[Route("/", answer, methods=["GET", "POST"])])
    server = build_server(app, Door(), conn=kind, port=0, limits=LIMITS, timers=timers)
    server.config.load()
    server.lifespan = server.config.lifespan_class(server.config)
    await server.lifespan.startup()
    await server.startup()
    house = House(server, timers, disconnected)
    yield house
    for listening in server.servers:
        listening.close()
    for connection in list(server.server_state.connections):
        connection.shutdown()
    await until(lambda: not server.server_state.connections and not server.server_state.tasks)
    await server.lifespan.shutdown()
    assert house.lines == 0 and not timers.waiting, "nothing is left behind"


UNFINISHED: dict[str, bytes] = {
    "nothing": b"",
    "empty lines": b"\r\n\r\n",
    "half a line": HEAD[:5],
    "half a head": HEAD,
    "half a body": POST + b"Content-Length: 9\r\n\r\nhalf",
    "half a chunk": POST + b"Transfer-Encoding: chunked\r\n\r\n9\r\nhalf",
    "half a trailer": POST + b"Transfer-Encoding: chunked\r\n\r\n0\r\nX: ",
    "half a socket": HEAD + b"Upgrade: websocket\r\nConnection: Upgrade\r\n",
}


@pytest.mark.parametrize("said", UNFINISHED)
async def test_who_does_not_come_to_an_end_is_let_go(house: House, said: str) -> None:
    async with house.line() as line:
        await line.say(UNFINISHED[said])
        await asyncio.sleep(0.02)
        house.pass_time(LIMITS.request_s - 1)
        assert house.lines == 1
        house.pass_time(1)
        assert await line.hear() == b""
        await until(lambda: house.lines == 0)


@pytest.mark.parametrize("said", UNFINISHED)
async def test_nor_is_who_does_not_come_to_an_end_of_a_second_request(house: House, said: str) -> None:
    async with house.line() as line:
        await line.say(REQUEST)
        assert b"200 OK" in await line.hear()
        if not UNFINISHED[said]:
            return  # uvicorn's own time, which does not jump
        house.pass_time(LIMITS.request_s * 2)
        assert house.lines == 1, "who is done is not held to the time"
        await line.say(UNFINISHED[said])
        await asyncio.sleep(0.02)
        house.pass_time(LIMITS.request_s)
        assert await line.hear() == b""


async def test_a_request_that_comes_piece_by_piece_is_answered(house: House) -> None:
    async with house.line() as line:
        for at in range(len(REQUEST)):
            await line.say(REQUEST[at : at + 1])
            await asyncio.sleep(0.001)
        assert b"200 OK" in await line.hear()


@pytest.mark.parametrize(
    "begun",
    [
        b"GET /",
        HEAD,
        HEAD + b"X: ",
        REQUEST + HEAD + b"X: ",
        HEAD + b"Upgrade: websocket\r\nConnection: Upgrade\r\nX: ",
        POST + b"Transfer-Encoding: chunked\r\n\r\n0\r\nX: ",
        POST + b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\nx\r\n" * 100,
    ],
)
@pytest.mark.parametrize("more", [b"a", b"a\r\nX: "])
async def test_what_has_no_end_is_not_kept(house: House, begun: bytes, more: bytes) -> None:
    async with house.line() as line:
        with_end = False
        try:
            await line.say(begun)
            for _ in range(10_000):
                await line.say(more * 500)
        except OSError:
            with_end = True
        assert with_end, "they were cut"
        await until(lambda: house.lines == 0)


async def test_a_head_that_is_too_long_is_told_so(house: House) -> None:
    async with house.line() as line:
        await line.say(HEAD + b"X: " + b"a" * LIMITS.most_head)
        assert (await line.hear()).startswith(b"HTTP/1.1 431 ")
        assert await line.hear() == b""


async def test_nor_is_one_that_is_there_at_once(house: House) -> None:
    for head in (HEAD, HEAD + b"Upgrade: websocket\r\nConnection: Upgrade\r\n"):
        for long in (b"X: " + b"a" * LIMITS.most_head + b"\r\n", b"X: a\r\n" * LIMITS.most_head):
            async with house.line() as line:
                await line.say(head + long + b"\r\n")
                assert (await line.hear()).startswith(b"HTTP/1.1 431 ")
                assert await line.hear() == b""
            await until(lambda: house.lines == 0)


async def test_a_socket_is_asked_for_without_a_body(house: House) -> None:
    asks = HEAD + b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    asks += b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
    for body in (b"Content-Length: 4\r\n\r\nbody", b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"):
        async with house.line() as line:
            await line.say(asks + body)
            assert (await line.hear()).startswith(b"HTTP/1.1 400 ")
            assert await line.hear() == b""
        await until(lambda: house.lines == 0)


async def test_a_body_may_be_longer_than_a_head(house: House) -> None:
    async with house.line() as line:
        for size in (0, LIMITS.most_head + 1, LIMITS.most_request - 200):
            await line.say(POST + f"Content-Length: {size}\r\n\r\n".encode() + b"a" * size)
            assert (await line.hear()).endswith(f"\r\n\r\n{size}".encode())


async def test_requests_one_after_the_other_are_as_long_together_as_one_likes(house: House) -> None:
    async with house.line() as line:
        for _ in range(3):
            await line.say(REQUEST * 20)
            heard = b""
            while heard.count(b"200 OK") < 20:
                heard += await line.hear()


async def test_an_answer_that_nobody_reads_is_given_up(house: House) -> None:
    async with house.line() as line:
        await line.say(b"GET /?big HTTP/1.1\r\nHost: here\r\n\r\n")
        await asyncio.sleep(0.1)
        house.pass_time(LIMITS.stall_s - 1)
        assert house.lines == 1
        house.pass_time(1)
        await until(lambda: house.lines == 0)


async def test_an_address_has_so_many_lines_and_no_more(house: House) -> None:
    lines = [Line() for _ in range(LIMITS.most_sockets_per_address)]
    for line in lines:
        await line.connect(house.server.port)
    await until(lambda: house.lines == len(lines))
    one_more = Line()
    await one_more.connect(house.server.port)
    assert await one_more.hear() == b""
    one_more.socket.close()
    lines[0].socket.close()
    await until(lambda: house.lines == len(lines) - 1)
    async with house.line() as line:
        await line.say(REQUEST)
        assert b"200 OK" in await line.hear()
    for line in lines:
        line.socket.close()
    await until(lambda: house.lines == 0)


@pytest.mark.parametrize("said", UNFINISHED)
async def test_a_server_that_stops_waits_for_nobody(house: House, said: str) -> None:
    async with house.line() as line:
        await line.say(UNFINISHED[said])
        await asyncio.sleep(0.02)
        for connection in list(house.server.server_state.connections):
            connection.shutdown()
        assert await line.hear() == b""
        assert house.disconnected == (["POST"] if said in ("half a body", "half a chunk", "half a trailer") else [])
