"""What every connection does, asked of both kinds on both loops, over real sockets and a clock that jumps."""

from __future__ import annotations

import asyncio
import base64
import gc
import json
import os
import socket
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from itertools import pairwise
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus

from cinderforge.server.config import ConnKind
from cinderforge.server.conn import (
    Admission,
    Cause,
    Conn,
    ConnLimits,
    Gone,
    Guest,
    Place,
    Pulse,
    Refusal,
    UpgradeHead,
)
from cinderforge.server.conn_picows import PicowsConn, PicowsProtocol
from cinderforge.server.conn_starlette import Line, StarletteConn, StrictProtocol
from cinderforge.server.game_server import GameServer, build_server
from cinderforge.testkit.clock import JumpingTimers

pytestmark = pytest.mark.anyio

PATIENCE_S = 10
LIMITS = ConnLimits(most_sockets=24, most_sockets_per_address=20)

TEXT, BINARY, CLOSE, PING, PONG, CONTINUATION = 1, 2, 8, 9, 10, 0


@pytest.fixture(params=[False, True], ids=["asyncio", "uvloop"])
def anyio_backend(request: pytest.FixtureRequest) -> tuple[str, dict[str, bool]]:
    return "asyncio", {"use_uvloop": request.param}


@pytest.fixture(params=["picows", "starlette"])
def kind(request: pytest.FixtureRequest) -> ConnKind:
    kind: ConnKind = request.param
    return kind


class Echo:
    """A guest that notes everything and says back what it hears."""

    def __init__(self) -> None:
        self.conn: Conn
        self.heard: list[bytes] = []
        self.ends: list[Gone] = []
        self.ended = asyncio.Event()

    def on_open(self, conn: Conn) -> None:
        self.conn = conn

    def on_message(self, message: bytes) -> None:
        self.heard.append(message)
        self.conn.send(message)

    def on_gone(self, gone: Gone) -> None:
        self.ends.append(gone)
        self.ended.set()

    async def end(self) -> Gone:
        async with asyncio.timeout(PATIENCE_S):
            await self.ended.wait()
        return self.ends[0]


class Door:
    """Lets everybody in, unless told otherwise, and keeps what it was shown."""

    def __init__(self) -> None:
        self.heads: list[UpgradeHead] = []
        self.guests: list[Any] = []
        self.make: Callable[[], Guest] = Echo
        self.answer: Callable[[UpgradeHead], Awaitable[Admission | Refusal]] = self.welcome
        self.asked = asyncio.Event()

    async def admit(self, head: UpgradeHead) -> Admission | Refusal:
        self.heads.append(head)
        self.asked.set()
        return await self.answer(head)

    async def welcome(self, head: UpgradeHead) -> Admission:
        guest = self.make()
        self.guests.append(guest)
        return Admission(guest)


class Venue:
    """A server on a free port, and ways to come to it."""

    def __init__(self, server: GameServer, door: Door, timers: JumpingTimers) -> None:
        self.server, self.door, self.timers = server, door, timers

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.server.port}/ws/EMBER?v=1"

    @asynccontextmanager
    async def client(self, **options: Any) -> AsyncIterator[tuple[ClientConnection, Echo]]:
        async with connect(self.url, compression=None, proxy=None, ping_interval=None, **options) as client:
            yield client, self.door.guests[-1]

    @asynccontextmanager
    async def raw(self, receive_buffer: int = 0) -> AsyncIterator[tuple[Raw, Echo]]:
        raw = Raw(receive_buffer)
        try:
            assert (await raw.shake_hands(self.server.port)).startswith("HTTP/1.1 101 ")
            yield raw, self.door.guests[-1]
        finally:
            raw.socket.close()


class Raw:
    """A peer of few manners: sends any frame, reads only when asked."""

    def __init__(self, receive_buffer: int = 0) -> None:
        self.socket = socket.socket()
        self.socket.setblocking(False)
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.loop = asyncio.get_running_loop()
        self.unread = b""

    async def shake_hands(self, port: int, key: str = base64.b64encode(bytes(16)).decode()) -> str:
        await self.loop.sock_connect(self.socket, ("127.0.0.1", port))
        await self.write(
            f"GET /ws/EMBER HTTP/1.1\r\nHost: localhost:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        while b"\r\n\r\n" not in self.unread and await self._read_on():
            pass
        head, _, self.unread = self.unread.partition(b"\r\n\r\n")
        return head.decode()

    async def write(self, data: bytes) -> None:
        async with asyncio.timeout(PATIENCE_S):
            await self.loop.sock_sendall(self.socket, data)

    async def frame(
        self, opcode: int, payload: bytes = b"", *, fin: bool = True, rsv: int = 0, masked: bool = True
    ) -> None:
        size, mask = len(payload), os.urandom(4)
        first = fin << 7 | rsv << 4 | opcode
        head = struct.pack("!BB", first, masked << 7 | min(size, 126))
        if size > 125:
            head += struct.pack("!H", size)
        body = mask + bytes(byte ^ mask[n % 4] for n, byte in enumerate(payload)) if masked else payload
        await self.write(head + body)

    async def read(self) -> tuple[int, bytes] | None:
        """The next frame; None at the end of the connection."""
        if not await self._have(2):
            return None
        start, size = 2, self.unread[1] & 127
        if size > 125:
            start = 4 if size == 126 else 10
            await self._have(start)
            size = int.from_bytes(self.unread[2:start], "big")
        if not await self._have(start + size):
            return None
        frame = self.unread[0] & 15, self.unread[start : start + size]
        self.unread = self.unread[start + size :]
        return frame

    async def close_code(self) -> int:
        """Reads up to the close frame."""
        while (frame := await self.read()) is not None:
            if frame[0] == CLOSE:
                return int.from_bytes(frame[1][:2], "big")
        raise AssertionError("ended without a close frame")

    async def part(self) -> None:
        """Answers a close frame as one should, and reads up to the end."""
        with suppress(ConnectionError):
            await self.frame(CLOSE, struct.pack("!H", 1000))
        while (frame := await self.read()) is not None:
            assert frame[0] != TEXT

    async def _have(self, count: int) -> bool:
        while len(self.unread) < count:
            if not await self._read_on():
                return False
        return True

    async def _read_on(self) -> bool:
        async with asyncio.timeout(PATIENCE_S):
            try:
                data = await self.loop.sock_recv(self.socket, 65536)
            except ConnectionResetError:
                return False
        self.unread += data
        return bool(data)


async def _hello(request: Request) -> PlainTextResponse:
    return PlainTextResponse("hello")


async def _shut(server: GameServer) -> None:
    """The parts of shutdown() without its pauses, for tests that are not about the end."""
    for listening in server.servers:
        listening.close()
    for connection in tuple(server.server_state.connections):
        connection.shutdown()
    await until(lambda: not server.server_state.connections and not server.server_state.tasks)
    await server.lifespan.shutdown()


@pytest.fixture
async def venue(kind: ConnKind) -> AsyncIterator[Venue]:
    door, timers = Door(), JumpingTimers()
    app = Starlette(routes=[Route("/healthz", _hello)])
    server = build_server(app, door, conn=kind, port=0, limits=LIMITS, timers=timers, trusted_proxies=["127.0.0.1"])
    # The parts of serve() without its signals and its wait for them.
    server.config.load()
    server.lifespan = server.config.lifespan_class(server.config)
    await server.lifespan.startup()
    await server.startup()
    yield Venue(server, door, timers)
    if not server.is_draining:
        await _shut(server)
    await until(lambda: not server._gate.sockets and not server._gate.lines)
    assert all(len(guest.ends) == 1 for guest in door.guests if isinstance(guest, Echo) and hasattr(guest, "conn"))


async def received(client: ClientConnection, count: int) -> list[Any]:
    async with asyncio.timeout(PATIENCE_S):
        return [await client.recv() for _ in range(count)]


async def closing(client: ClientConnection) -> tuple[int, str]:
    async with asyncio.timeout(PATIENCE_S):
        await client.wait_closed()
    return client.close_code or 0, client.close_reason or ""


async def steps(count: int = 20) -> None:
    """Let everything that is ready happen."""
    for _ in range(count):
        await asyncio.sleep(0)


async def until(what: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not what():  # noqa: ASYNC110 (what we wait for has no event)
            await asyncio.sleep(0)


# --- talking ---


async def test_messages_are_answered_in_order(venue: Venue) -> None:
    async with venue.client() as (client, guest):
        said = [f"{n} 灼焰" for n in range(200)]
        for text in said:
            await client.send(text)
        assert await received(client, 200) == said
        assert guest.heard == [text.encode() for text in said]
    assert (await guest.end()).cause is Cause.PEER


async def test_messages_and_views_keep_their_order_while_the_peer_keeps_up(venue: Venue) -> None:
    async with venue.client() as (client, guest):
        for n in range(30):
            (guest.conn.show if n % 3 else guest.conn.send)(b"%d" % n)
        assert await received(client, 30) == [str(n) for n in range(30)]


async def test_frames_are_text(venue: Venue) -> None:
    async with venue.raw() as (raw, guest):
        guest.conn.send(b"{}")
        assert await raw.read() == (TEXT, b"{}")


@pytest.mark.parametrize("size", [0, 125, 126, 8192, 8193, 65535, 65536, 1_000_000])
async def test_a_message_of_any_size_arrives_whole(venue: Venue, size: int) -> None:
    async with venue.client(max_size=None) as (client, guest):
        guest.conn.show(b"x" * size)
        assert await received(client, 1) == ["x" * size]


async def test_the_largest_message_that_may_be_sent_is_heard(venue: Venue) -> None:
    async with venue.client() as (client, _):
        await client.send("x" * LIMITS.most_inbound)
        assert len((await received(client, 1))[0]) == LIMITS.most_inbound


async def test_plain_http_is_answered_on_the_same_port(venue: Venue) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", venue.server.port)
    writer.write(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    assert (await reader.read()).endswith(b"\r\n\r\nhello")
    writer.close()
    await writer.wait_closed()


# --- the door ---


async def test_the_doorman_sees_the_request(venue: Venue) -> None:
    headers = {"Cookie": "theme=dark; cf_session=abc=; x", "X-Twice": "1"}
    async with venue.client(origin="https://play.example", additional_headers=headers):
        pass
    head = venue.door.heads[0]
    assert (head.path, head.query, head.peer) == ("/ws/EMBER", "v=1", "127.0.0.1")
    assert (head.origin, head.host) == ("https://play.example", f"127.0.0.1:{venue.server.port}")
    assert (head.cookie("cf_session"), head.cookie("theme"), head.cookie("x")) == ("abc=", "dark", None)


async def test_an_admission_may_set_headers(venue: Venue) -> None:
    async def answer(head: UpgradeHead) -> Admission:
        return Admission(Echo(), (("Set-Cookie", "a=1"), ("Set-Cookie", "b=2")))

    venue.door.answer = answer
    async with connect(venue.url, proxy=None) as client:
        assert client.response is not None
        assert client.response.headers.get_all("Set-Cookie") == ["a=1", "b=2"]


@pytest.mark.parametrize("status", [401, 403, 404, 429, 503])
async def test_a_refusal_is_an_http_answer_and_no_socket(venue: Venue, status: int) -> None:
    async def answer(head: UpgradeHead) -> Refusal:
        return Refusal(status, "not now")

    venue.door.answer = answer
    with pytest.raises(InvalidStatus) as refused:
        await connect(venue.url, proxy=None)
    assert refused.value.response.status_code == status
    assert refused.value.response.body == b"not now"


async def test_a_doorman_who_fails_refuses(venue: Venue) -> None:
    async def answer(head: UpgradeHead) -> Refusal:
        raise ZeroDivisionError

    venue.door.answer = answer
    with pytest.raises(InvalidStatus) as refused:
        await connect(venue.url, proxy=None)
    assert refused.value.response.status_code == 500


async def test_a_doorman_who_thinks_too_long_refuses(venue: Venue) -> None:
    async def answer(head: UpgradeHead) -> Refusal:
        await asyncio.get_running_loop().create_future()
        raise AssertionError

    venue.door.answer = answer
    attempt = asyncio.ensure_future(connect(venue.url, proxy=None).__aenter__())
    await venue.door.asked.wait()
    venue.timers.pass_time(5000)
    with pytest.raises(InvalidStatus) as refused:
        await attempt
    assert refused.value.response.status_code == 503


async def test_a_broken_handshake_opens_nothing(venue: Venue) -> None:
    raw = Raw()
    assert (await raw.shake_hands(venue.server.port, key="short")).startswith("HTTP/1.1 400 ")
    raw.socket.close()
    assert not any(hasattr(guest, "conn") for guest in venue.door.guests)


async def test_a_peer_that_leaves_before_it_is_let_in_troubles_nobody(venue: Venue) -> None:
    release = asyncio.Event()

    async def answer(head: UpgradeHead) -> Admission:
        await release.wait()
        return await venue.door.welcome(head)

    venue.door.answer = answer
    raw = Raw()
    attempt = asyncio.ensure_future(raw.shake_hands(venue.server.port))
    await venue.door.asked.wait()
    attempt.cancel()
    raw.socket.close()
    release.set()
    await until(lambda: not venue.server.server_state.connections)
    async with venue.client() as (client, _):
        await client.send("still here")
        assert await received(client, 1) == ["still here"]


async def test_an_address_has_so_many_sockets_and_no_more(venue: Venue) -> None:
    async with AsyncExitStack() as clients:
        for _ in range(LIMITS.most_sockets_per_address):
            await clients.enter_async_context(venue.client())
        with pytest.raises(InvalidStatus) as refused:
            await connect(venue.url, proxy=None)
        assert refused.value.response.status_code == 503
        async with venue.client(additional_headers={"X-Forwarded-For": "192.0.2.1"}):
            assert venue.door.heads[-1].address == "192.0.2.1"
    async with venue.client() as (client, _):
        await client.send("a place is free again")
        assert await received(client, 1) == ["a place is free again"]


async def test_all_together_have_so_many_sockets_and_no_more(venue: Venue) -> None:
    async with AsyncExitStack() as clients:
        for number in range(LIMITS.most_sockets):
            headers = {"X-Forwarded-For": f"192.0.2.{number}"}
            await clients.enter_async_context(venue.client(additional_headers=headers))
        with pytest.raises(InvalidStatus) as refused:
            await connect(venue.url, proxy=None, additional_headers={"X-Forwarded-For": "192.0.2.99"})
        assert refused.value.response.status_code == 503


async def test_whoever_is_refused_takes_no_place(venue: Venue) -> None:
    async def answer(head: UpgradeHead) -> Refusal:
        return Refusal(403)

    venue.door.answer = answer
    for _ in range(LIMITS.most_sockets + 1):
        with pytest.raises(InvalidStatus) as refused:
            await connect(venue.url, proxy=None)
        assert refused.value.response.status_code == 403


# --- what is refused on the wire ---


async def _oversize(raw: Raw) -> None:
    await raw.frame(TEXT, b"x" * (LIMITS.most_inbound + 1))


async def _huge(raw: Raw) -> None:
    await raw.write(struct.pack("!BBQ", 0x81, 0xFF, 1 << 40))


def _sends(opcode: int, payload: bytes = b"", **options: Any) -> Callable[[Raw], Awaitable[None]]:
    return lambda raw: raw.frame(opcode, payload, **options)


BREACHES: dict[str, tuple[int, Callable[[Raw], Awaitable[None]]]] = {
    "a message that is too big": (1009, _oversize),
    "a message that says it is huge": (1009, _huge),
    "a binary message": (1003, _sends(BINARY, b"x")),
    "a first fragment": (1003, _sends(TEXT, b"x", fin=False)),
    "a continuation of nothing": (1002, _sends(CONTINUATION, b"x")),
    "reserved bit 1": (1002, _sends(TEXT, b"x", rsv=4)),
    "reserved bit 2": (1002, _sends(TEXT, b"x", rsv=2)),
    "reserved bit 3": (1002, _sends(TEXT, b"x", rsv=1)),
    "a reserved bit on a ping": (1002, _sends(PING, b"x", rsv=4)),
    "text that is not UTF-8": (1007, _sends(TEXT, b"\xff\xfe")),
    "half a character": (1007, _sends(TEXT, "焰".encode()[:2])),
    "a surrogate": (1007, _sends(TEXT, b"\xed\xa0\x80")),
    "an unmasked frame": (1002, _sends(TEXT, b"x", masked=False)),
    "an unknown opcode": (1002, _sends(3, b"x")),
    "an unknown control frame": (1002, _sends(11, b"x")),
    "a fragmented ping": (1002, _sends(PING, b"x", fin=False)),
    "a long ping": (1002, _sends(PING, b"x" * 126)),
    "a close code that may not be sent": (1002, _sends(CLOSE, struct.pack("!H", 1005))),
    **{
        f"the close code {code}": (1002, _sends(CLOSE, struct.pack("!H", code)))
        for code in (0, 999, 1004, 1006, 1015, 2999, 5000, 65535)
    },
    "half a close code": (1002, _sends(CLOSE, b"\x03")),
}


@pytest.mark.parametrize("breach", BREACHES)
async def test_a_breach_is_answered_by_its_close_code(venue: Venue, breach: str) -> None:
    code, commit = BREACHES[breach]
    async with venue.client() as (other, _), venue.raw() as (raw, guest):
        await raw.frame(TEXT, b"before")
        assert await raw.read() == (TEXT, b"before")
        await commit(raw)
        assert await raw.close_code() == code
        await raw.part()
        gone = await guest.end()
        assert (gone.cause, gone.code) == (Cause.BREACH, code)
        assert guest.heard == [b"before"]
        await other.send("we go on")
        assert await received(other, 1) == ["we go on"]


async def test_nothing_after_a_breach_is_heard(venue: Venue) -> None:
    async with venue.raw() as (raw, guest):
        await raw.frame(BINARY, b"x")
        for _ in range(5):
            await raw.frame(TEXT, b"more")
        assert await raw.close_code() == 1003
        await raw.part()
        await guest.end()
        assert guest.heard == []


# --- goodbyes ---


async def test_the_house_closes_with_its_code_after_what_it_said(venue: Venue) -> None:
    async with venue.client() as (client, guest):
        guest.conn.send(b"another tab took your seat")
        guest.conn.close(4001, "moved")
        guest.conn.close(4002, "too late")
        assert await received(client, 1) == ["another tab took your seat"]
        assert await closing(client) == (4001, "moved")
        assert await guest.end() == Gone(Cause.HOUSE, 4001, "moved")


async def test_a_long_reason_is_cut_to_fit(venue: Venue) -> None:
    async with venue.client() as (client, guest):
        guest.conn.close(4001, "焰" * 100)
        assert await closing(client) == (4001, "焰" * 41)


@pytest.mark.parametrize(("code", "reason"), [(1000, ""), (1001, "bye"), (4999, "焰")])
async def test_the_peer_closes_and_is_answered_alike(venue: Venue, code: int, reason: str) -> None:
    async with venue.raw() as (raw, guest):
        await raw.frame(CLOSE, struct.pack("!H", code) + reason.encode())
        assert await raw.close_code() == code
        await raw.part()
        assert await guest.end() == Gone(Cause.PEER, code, reason)


async def test_a_close_without_a_code_is_answered_without_one(venue: Venue) -> None:
    async with venue.raw() as (raw, guest):
        await raw.frame(CLOSE)
        assert await raw.read() == (CLOSE, b"")
        assert await raw.read() is None
        assert await guest.end() == Gone(Cause.PEER, 1005)


async def test_a_connection_that_breaks_is_told_as_lost(venue: Venue) -> None:
    async with venue.raw() as (raw, guest):
        raw.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        raw.socket.close()
        assert await guest.end() == Gone(Cause.LOST, 1006)


async def test_a_connection_that_ends_without_a_close_frame_is_told_as_lost(venue: Venue) -> None:
    async with venue.raw() as (raw, guest):
        raw.socket.shutdown(socket.SHUT_WR)
        assert await guest.end() == Gone(Cause.LOST, 1006)


async def test_after_the_end_a_connection_does_nothing(venue: Venue) -> None:
    async with venue.client() as (_, guest):
        pass
    await guest.end()
    guest.conn.send(b"x")
    guest.conn.show(b"x")
    guest.conn.close(1000)
    await steps()
    assert len(guest.ends) == 1


async def test_after_our_goodbye_nothing_more_is_heard(venue: Venue) -> None:
    async with venue.raw() as (raw, guest):
        guest.conn.close(4001, "moved")
        await raw.frame(TEXT, b"but")
        assert await raw.close_code() == 4001
        await raw.part()
        await guest.end()
        assert guest.heard == []


async def test_a_guest_that_fails_loses_its_own_connection_only(venue: Venue) -> None:
    class Clumsy(Echo):
        def on_message(self, message: bytes) -> None:
            raise ZeroDivisionError

    async with venue.client() as (other, _):
        venue.door.make = Clumsy
        async with venue.client() as (client, guest):
            await client.send("x")
            assert (await closing(client))[0] == 1011
            assert (await guest.end()).cause is Cause.FAULT
        await other.send("we go on")
        assert await received(other, 1) == ["we go on"]


async def test_a_guest_that_fails_on_opening_loses_its_connection(venue: Venue) -> None:
    class Clumsy(Echo):
        def on_open(self, conn: Conn) -> None:
            self.conn = conn
            raise ZeroDivisionError

    venue.door.make = Clumsy
    async with venue.client() as (client, guest):
        assert (await closing(client))[0] == 1011
        assert (await guest.end()).cause is Cause.FAULT


async def test_a_guest_may_close_as_soon_as_it_is_opened(venue: Venue) -> None:
    class Shy(Echo):
        def on_open(self, conn: Conn) -> None:
            self.conn = conn
            conn.send(b"no such room")
            conn.close(4004, "unknown room")

    venue.door.make = Shy
    async with venue.client() as (client, _):
        assert await received(client, 1) == ["no such room"]
        assert await closing(client) == (4004, "unknown room")


# --- slow and silent peers ---


async def fill(guest: Echo, size: int = 4000) -> int:
    """Show views until the peer is behind; says how many."""
    count = 0
    while not guest.conn.behind:
        guest.conn.show(json.dumps({"view": count, "pad": "x" * size}).encode())
        count += 1
        await asyncio.sleep(0)
    return count


async def test_a_slow_reader_gets_the_newest_view_and_the_others_go_on(venue: Venue) -> None:
    async with venue.raw(receive_buffer=4096) as (slow, sleeper), venue.client(max_size=None) as (client, guest):
        shown = await fill(sleeper)
        for n in range(shown, shown + 1000):
            sleeper.conn.show(json.dumps({"view": n, "pad": "x" * 4000}).encode())
            guest.conn.show(b"%d" % n)
            await asyncio.sleep(0)
        assert (await received(client, 1000))[-1] == str(shown + 999)
        seen: list[int] = []
        while not seen or seen[-1] != shown + 999:
            frame = await slow.read()
            assert frame is not None
            seen.append(json.loads(frame[1])["view"])
        assert seen == sorted(seen)
        assert len(seen) < shown + 50
        await until(lambda: not sleeper.conn.behind)
        sleeper.conn.show(b'{"view": "caught up"}')
        assert await slow.read() == (TEXT, b'{"view": "caught up"}')


@pytest.mark.parametrize("size", [3000, 9000, 70_000])
async def test_what_piles_up_is_not_mixed_up(venue: Venue, size: int) -> None:
    async with venue.raw(receive_buffer=4096) as (slow, guest):
        await fill(guest, size)
        for n in range(40):
            guest.conn.send(b"%d" % n * (3 if n % 2 else 200))
            guest.conn.show(json.dumps({"view": f"late {n}", "pad": "y" * (size + n)}).encode())
        answers: list[bytes] = []
        while len(answers) < 40:
            frame = await slow.read()
            assert frame is not None
            assert frame[0] == TEXT
            if frame[1].startswith(b"{"):
                assert set(json.loads(frame[1])) == {"view", "pad"}
            else:
                answers.append(frame[1])
        assert answers == [b"%d" % n * (3 if n % 2 else 200) for n in range(40)]


async def test_messages_are_never_dropped_for_a_slow_reader_and_no_view_overtakes_them(venue: Venue) -> None:
    async with venue.raw(receive_buffer=4096) as (slow, guest):
        await fill(guest)
        for n in range(100):
            guest.conn.send(b'{"answer": %d}' % n)
            guest.conn.show(b'{"view": "after %d"}' % n)
        answers = []
        while True:
            frame = await slow.read()
            assert frame is not None
            said = json.loads(frame[1])
            if said.get("view") == "after 99":
                break
            if "answer" in said:
                answers.append(said["answer"])
        assert answers == list(range(100))


async def test_a_reader_that_stands_still_is_cut(venue: Venue) -> None:
    async with venue.raw(receive_buffer=4096) as (_, sleeper), venue.client() as (client, guest):
        await fill(sleeper)
        await client.send("I am alive")
        await received(client, 1)
        venue.timers.pass_time(19_000)
        await steps()
        assert not sleeper.ends
        venue.timers.pass_time(1_000)
        assert (await sleeper.end()).cause is Cause.STALLED
        await client.send("we go on")
        assert await received(client, 1) == ["we go on"]
        assert not guest.ends


async def test_a_reader_that_comes_back_in_time_stays(venue: Venue) -> None:
    async with venue.raw(receive_buffer=4096) as (slow, guest):
        await fill(guest)
        guest.conn.show(b'"newest"')
        venue.timers.pass_time(15_000)
        while await slow.read() != (TEXT, b'"newest"'):
            pass
        await until(lambda: not guest.conn.behind)
        venue.timers.pass_time(15_000)
        await steps()
        assert not guest.ends
        guest.conn.send(b"welcome back")
        while (frame := await slow.read()) != (TEXT, b"welcome back"):
            assert frame is not None


async def test_a_reader_with_too_many_unread_messages_is_cut(venue: Venue) -> None:
    async with venue.raw(receive_buffer=4096) as (_, guest):
        await fill(guest)
        for _ in range(LIMITS.most_messages // 100 + 1):
            guest.conn.send(b"x" * 100)
        assert (await guest.end()).cause is Cause.STALLED


async def test_pings_of_a_peer_that_does_not_read_pile_up_nothing(venue: Venue) -> None:
    async with venue.raw(receive_buffer=4096) as (slow, guest):
        await fill(guest)
        for _ in range(2000):
            await slow.frame(PING, b"x" * 100)
        guest.conn.show(b'"newest"')
        await steps(100)
        pongs = 0
        while (frame := await slow.read()) != (TEXT, b'"newest"'):
            assert frame is not None
            pongs += frame[0] == PONG
        assert pongs < 1900


async def test_a_goodbye_to_a_peer_that_does_not_read_ends_in_time(venue: Venue) -> None:
    async with venue.raw(receive_buffer=4096) as (_, guest):
        await fill(guest)
        guest.conn.close(4001, "moved")
        await steps()
        venue.timers.pass_time(2000)
        assert await guest.end() == Gone(Cause.HOUSE, 4001, "moved")
        await until(lambda: not venue.server.server_state.connections)


async def test_a_goodbye_that_is_not_answered_ends_in_time(venue: Venue) -> None:
    async with venue.raw() as (raw, guest):
        guest.conn.close(4001, "moved")
        assert await raw.close_code() == 4001
        await steps()
        venue.timers.pass_time(2000)
        await guest.end()
        await until(lambda: not venue.server.server_state.connections)


class Listener(Echo):
    """A guest that answers nothing."""

    def on_message(self, message: bytes) -> None:
        self.heard.append(message)


async def test_however_much_one_says_at_once_others_have_their_turn_after_each_piece_of_it(venue: Venue) -> None:
    count, size = 20_000, 20
    venue.door.make = Listener
    async with venue.raw() as (raw, guest):
        said = b"".join(struct.pack("!BBI", 0x81, 0x80 | size, 0) + b"%020d" % n for n in range(count))
        saying = asyncio.create_task(raw.write(said))
        turns = [0]
        async with asyncio.timeout(PATIENCE_S):
            while len(guest.heard) < count:
                await asyncio.sleep(0)
                turns.append(len(guest.heard))
        await saying
        assert guest.heard == [b"%020d" % n for n in range(count)]
        pieces = [after - before for before, after in pairwise(turns)]
        assert max(pieces) < 300


async def test_of_much_that_was_said_before_a_goodbye_nothing_is_heard_after_it(venue: Venue) -> None:
    class Weary(Listener):
        def on_message(self, message: bytes) -> None:
            super().on_message(message)
            if len(self.heard) == 500:
                self.conn.close(4001, "enough")

    venue.door.make = Weary
    async with venue.raw() as (raw, guest):
        saying = asyncio.create_task(raw.write((struct.pack("!BBI", 0x81, 0x80 | 20, 0) + b"x" * 20) * 5000))
        assert await raw.close_code() == 4001
        await saying
        await raw.part()
        assert await guest.end() == Gone(Cause.HOUSE, 4001, "enough")
        assert len(guest.heard) == 500


async def test_a_ping_is_answered(venue: Venue) -> None:
    async with venue.raw() as (raw, _):
        await raw.frame(PING, b"are you there")
        assert await raw.read() == (PONG, b"are you there")


async def test_a_silent_peer_is_pinged_and_stays_as_long_as_it_answers(venue: Venue) -> None:
    async with venue.raw() as (raw, guest):
        for _ in range(5):
            venue.timers.pass_time(20_000)
            frame = await raw.read()
            assert frame is not None
            assert frame[0] == PING
            await raw.frame(PONG, frame[1])
            await raw.frame(PING, b"!")
            assert await raw.read() == (PONG, b"!")
        assert not guest.ends


async def test_a_peer_that_talks_is_not_pinged(venue: Venue) -> None:
    async with venue.raw() as (raw, _):
        for n in range(5):
            venue.timers.pass_time(15_000)
            await raw.frame(TEXT, b"%d" % n)
            assert await raw.read() == (TEXT, b"%d" % n)


async def test_a_peer_that_does_not_answer_a_ping_is_cut(venue: Venue) -> None:
    async with venue.raw() as (raw, guest):
        venue.timers.pass_time(20_000)
        frame = await raw.read()
        assert frame is not None
        assert frame[0] == PING
        venue.timers.pass_time(19_000)
        await steps()
        assert not guest.ends
        venue.timers.pass_time(1_000)
        assert await guest.end() == Gone(Cause.SILENT, 1006)
        assert await raw.read() is None


async def test_a_server_that_stood_still_cuts_nobody_who_answered_meanwhile(venue: Venue) -> None:
    async with venue.raw() as (raw, guest):
        venue.timers.pass_time(20_000)
        frame = await raw.read()
        assert frame is not None
        raw.socket.send(b"\x8a\x80" + bytes(4))  # the answer has come, and lies there unread
        venue.timers.stand_still(60_000)
        await steps()
        venue.timers.pass_time(5_000)
        await steps()
        assert not guest.ends
        await raw.frame(TEXT, b"still here")
        while (frame := await raw.read()) != (TEXT, b"still here"):
            assert frame == (PING, b"")


async def test_sockets_that_come_and_go_leave_nothing_behind(venue: Venue) -> None:
    for number in range(30):
        async with venue.raw() as (raw, guest):
            await raw.frame(TEXT, b"here")
            assert await raw.read() == (TEXT, b"here")
            if number % 3 == 0:
                guest.conn.close(4001, "enough")
                await raw.part()
            elif number % 3 == 1:
                await raw.part()
        await guest.end()
    del guest
    await until(lambda: not venue.server.server_state.connections and not venue.server.server_state.tasks)
    venue.door.guests.clear()
    await steps()
    gc.collect()
    kinds = (PicowsProtocol, PicowsConn, StrictProtocol, StarletteConn, Line, Pulse, Place, Echo)
    assert [one for one in gc.get_objects() if isinstance(one, kinds)] == []
    assert venue.timers.waiting == 0


# --- the end of the server ---


async def test_a_stop_tells_everybody_to_come_back(venue: Venue) -> None:
    async with AsyncExitStack() as stack:
        there = [await stack.enter_async_context(venue.client()) for _ in range(20)]
        stop = asyncio.create_task(venue.server.shutdown())
        assert [await closing(client) for client, _ in there] == [(1012, "")] * 20
        assert [(await guest.end()).cause for _, guest in there] == [Cause.RESTART] * 20
        await stop
    assert not venue.server.server_state.connections


async def test_a_stop_refuses_who_is_still_at_the_door(venue: Venue) -> None:
    async def answer(head: UpgradeHead) -> Refusal:
        await asyncio.get_running_loop().create_future()
        raise AssertionError

    venue.door.answer = answer
    attempt = asyncio.ensure_future(connect(venue.url, proxy=None).__aenter__())
    await venue.door.asked.wait()
    stop = asyncio.create_task(venue.server.shutdown())
    with pytest.raises(InvalidStatus) as refused:
        await attempt
    assert refused.value.response.status_code == 503
    await stop


async def test_two_hundred_who_came_and_went_leave_nothing_behind(venue: Venue) -> None:
    before = len(asyncio.all_tasks())
    for n in range(200):
        async with venue.client() as (client, guest):
            await client.send("x")
            await received(client, 1)
            if n % 3 == 0:
                guest.conn.close(4000)
            elif n % 3 == 1:
                client.transport.abort()
    for guest in venue.door.guests:
        await guest.end()
    await until(lambda: not venue.server.server_state.connections and not venue.server.server_state.tasks)
    await steps()
    assert len(venue.door.guests) == 200
    assert len(asyncio.all_tasks()) <= before
    assert venue.timers.waiting == 0
