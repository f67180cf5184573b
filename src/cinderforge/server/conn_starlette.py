"""`Conn` on Starlette and uvicorn's own WebSocket protocol: a bounded queue and a writer task for each peer.

Costs twice what conn_picows does and needs no private door of anybody's framing code. Same suite, same behaviour.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import MutableMapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect
from uvicorn._types import ASGIReceiveEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request

from cinderforge.server import metrics
from cinderforge.server.conn import (
    CLOSE_ABNORMAL,
    CLOSE_BAD_TEXT,
    CLOSE_FAULT,
    CLOSE_NO_CODE,
    CLOSE_RESTART,
    CLOSE_UNSUPPORTED,
    CROWDED,
    Cause,
    Gate,
    Gone,
    Guest,
    Pulse,
    Refusal,
    Timer,
    UpgradeHead,
    fit_reason,
    head_of,
)

LOG: Final = logging.getLogger(__name__)

# uvicorn and websockets would write each frame and each address to a log of theirs (room codes, hands, everything).
_QUIET = logging.getLogger(f"{__name__}.core")
_QUIET.setLevel(logging.CRITICAL)

_BITE: Final = 2048
"""How much of what a peer says is looked at in one turn of the loop. The transport hands over up to 256 KiB, thousands
of small messages: all other peers would wait until the last of them is answered."""

_LINE: Final = "cinderforge.line"
"""The name under which the protocol passes its line through the scope's extensions."""


class Line:
    """What ASGI has no words for: cutting a connection, and why the protocol ended it."""

    def __init__(self, gate: Gate, transport: asyncio.Transport) -> None:
        self._gate, self._transport = gate, transport
        self._farewell: Timer | None = None
        self.cause: Cause | None = None

    def cut(self, cause: Cause) -> None:
        self.cause = self.cause or cause
        self._transport.abort()

    def expect_the_end(self, patience: float) -> None:
        if self._farewell is None:
            self._farewell = self._gate.timers.call_later(patience, self._transport.abort)

    def ended(self) -> None:
        if self._farewell is not None:
            self._farewell.cancel()


class StrictProtocol(WebSocketsSansIOProtocol):
    """uvicorn's protocol, stricter in what it takes, with our clock and our limits."""

    gate: ClassVar[Gate]
    line: Line
    pulse: Pulse | None = None
    _unread = b""
    _is_next_bite_due = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.logger = self.conn.logger = _QUIET
        super().connection_made(transport)
        limits = self.gate.limits
        self.transport.set_write_buffer_limits(high=limits.high_water // 2)
        self.close_timeout = limits.farewell_s
        self.line = Line(self.gate, self.transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self.line.ended()
        super().connection_lost(exc)

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.close_sent:  # else the handshake was refused, and there is no scope
            extensions: MutableMapping[str, Any] = self.scope["extensions"]
            extensions[_LINE] = {"line": self.line}

    def start_keepalive(self) -> None:
        self.pulse = Pulse(self.gate.timers, self.gate.limits, self._ping, lambda: self.line.cut(Cause.SILENT))

    def stop_keepalive(self) -> None:
        if self.pulse is not None:
            self.pulse.stop()

    def _ping(self) -> None:
        if not self.close_sent and not self.transport.is_closing():
            self.conn.send_ping(b"")
            self.transport.write(b"".join(self.conn.data_to_send()))

    def data_received(self, data: bytes) -> None:
        if self.pulse is not None:
            self.pulse.beat()
        self._unread += data
        if not self._is_next_bite_due:
            self._bite()

    def _bite(self) -> None:
        """Looks at the next piece. The others come later, and nothing more is read from the peer before the last."""
        self._is_next_bite_due = False
        if self.transport.is_closing():
            self._unread = b""
            return
        bite, self._unread = self._unread[:_BITE], self._unread[_BITE:]
        super().data_received(bite)
        if self.conn.handshake_exc is not None and not self.handshake_initiated:
            self._give_up_handshake()
        if self._unread:
            self.read_paused = True
            self.transport.pause_reading()
        if self.queue.empty():
            self._go_on()

    def _give_up_handshake(self) -> None:
        """What websockets cannot read or finds too long, though httptools could: uvicorn would leave it unanswered."""
        self.close_sent = True
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.transport.close()

    def _go_on(self) -> None:
        """The messages so far are taken: the next piece, or reading again."""
        if self._unread:
            if not self._is_next_bite_due:
                self._is_next_bite_due = True
                self.loop.call_soon(self._bite)
        elif self.read_paused:
            self.read_paused = False
            self.transport.resume_reading()

    async def receive(self) -> ASGIReceiveEvent:
        event = await self.queue.get()
        if self.queue.empty():
            self._go_on()
        return event

    def handle_ping(self) -> None:
        if self.writable.is_set():
            super().handle_ping()
        else:
            self.conn.data_to_send()  # who does not read gets no answers to pile up

    def handle_text(self, event: Frame) -> None:
        if not event.fin:
            self._refuse(CLOSE_UNSUPPORTED, "no fragments")
            return
        try:
            bytes(event.data).decode()
        except UnicodeDecodeError:
            self._refuse(CLOSE_BAD_TEXT, "not UTF-8")
            return
        super().handle_text(event)

    def handle_bytes(self, event: Frame) -> None:
        self._refuse(CLOSE_UNSUPPORTED, "text only")

    def handle_cont(self, event: Frame) -> None:
        """The rest of a message that was refused at its first fragment."""

    def _refuse(self, code: int, reason: str) -> None:
        if not self.close_sent:
            self.conn.send_close(code, reason)
            self.handle_parser_exception()

    def handle_parser_exception(self) -> None:
        self.line.cause = self.line.cause or Cause.BREACH
        self.stop_keepalive()
        self.line.expect_the_end(self.gate.limits.farewell_s)
        super().handle_parser_exception()

    def shutdown(self) -> None:
        self.line.cause = self.line.cause or Cause.RESTART
        self.line.expect_the_end(self.gate.limits.restart_s)
        super().shutdown()


def strict_protocol(gate: Gate) -> type[StrictProtocol]:
    """The protocol class for one server, as uvicorn wants it."""
    return type("StrictProtocol", (StrictProtocol,), {"gate": gate})


@dataclass(frozen=True, slots=True)
class _Item:
    body: bytes
    is_view: bool


class StarletteConn:
    """The queue between the game, which never waits, and the writer, which does."""

    def __init__(self, socket: WebSocket, line: Line, gate: Gate) -> None:
        self._socket, self._line, self._gate = socket, line, gate
        self._cap = gate.limits.high_water // 2  # the other half waits in the transport
        self._queue: deque[_Item] = deque()
        self._size = 0
        self._extra = 0
        self._behind = False
        self._wake = asyncio.Event()
        self.goodbye: Gone | None = None

    @property
    def behind(self) -> bool:
        return self._behind

    def send(self, message: bytes) -> None:
        if self._behind:
            self._extra += len(message)
            if self._extra > self._gate.limits.most_messages:
                self._line.cut(Cause.STALLED)
                return
        self._put(_Item(message, is_view=False))

    def show(self, view: bytes) -> None:
        if self._behind:
            self._drop_views()
        self._put(_Item(view, is_view=True))

    def close(self, code: int, reason: str = "") -> None:
        self.leave(Gone(Cause.HOUSE, code, reason))

    def leave(self, gone: Gone) -> None:
        if self.goodbye is None:
            self.goodbye = gone
            if self._behind:
                self._drop_views()
            # The writer may stand before a full transport, and then never come to the close frame.
            self._line.expect_the_end(self._gate.limits.farewell_s)
            self._wake.set()

    def _put(self, item: _Item) -> None:
        if self.goodbye is not None:
            return
        if not self._behind and self._size + len(item.body) > self._cap and self._queue:
            self._behind, self._extra = True, 0
            if item.is_view:
                self._drop_views()
        self._queue.append(item)
        self._size += len(item.body)
        self._wake.set()

    def _drop_views(self) -> None:
        self._queue = deque(item for item in self._queue if not item.is_view)
        self._size = sum(len(item.body) for item in self._queue)

    async def write_forever(self) -> None:
        """The writer task. Ends when the connection does, by itself or cancelled."""
        with suppress(WebSocketDisconnect, RuntimeError, OSError):  # the reader is told how it ended
            while True:
                while self._queue:
                    await self._write_next()
                self._behind = False
                if self.goodbye is not None:
                    await self._socket.close(self.goodbye.code, fit_reason(self.goodbye.reason))
                    return
                self._wake.clear()
                await self._wake.wait()

    async def _write_next(self) -> None:
        item = self._queue.popleft()
        self._size -= len(item.body)
        stall = self._gate.timers.call_later(self._gate.limits.stall_s, lambda: self._line.cut(Cause.STALLED))
        try:
            await self._socket.send_text(item.body.decode())
        finally:
            stall.cancel()


class Usher:
    """The ASGI application for sockets: asks the doorman, then reads until the end."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        socket = WebSocket(scope, receive, send)
        await socket.receive()  # websocket.connect
        head = _head(scope)
        place = self._gate.take_place(head)
        if place is None:
            metrics.refused("too_many_sockets")
            with suppress(WebSocketDisconnect, OSError):
                await socket.send_denial_response(PlainTextResponse(CROWDED.text, CROWDED.status))
            return
        try:
            await self._admit(scope, socket, head)
        finally:
            place.give_back()

    async def _admit(self, scope: Scope, socket: WebSocket, head: UpgradeHead) -> None:
        answer = await self._gate.ask(head)
        with suppress(WebSocketDisconnect, OSError):  # gone before it was let in: nobody needs to know
            if isinstance(answer, Refusal):
                await socket.send_denial_response(PlainTextResponse(answer.text, answer.status))
                return
            await socket.accept(headers=[(name.encode(), value.encode("latin-1")) for name, value in answer.headers])
            await self._attend(socket, scope["extensions"][_LINE]["line"], answer.guest)

    async def _attend(self, socket: WebSocket, line: Line, guest: Guest) -> None:
        conn = StarletteConn(socket, line, self._gate)
        metrics.SOCKETS.inc()
        writer = asyncio.create_task(conn.write_forever())
        gone = Gone(Cause.RESTART, CLOSE_RESTART)  # when this task is cancelled
        try:
            gone = await _listen(socket, line, conn, guest)
        finally:
            if conn.goodbye is None:
                writer.cancel()
            await asyncio.gather(writer, return_exceptions=True)
            metrics.closed(gone.cause)
            try:
                guest.on_gone(gone)
            except Exception:
                LOG.exception("a guest failed at its end")


async def _listen(socket: WebSocket, line: Line, conn: StarletteConn, guest: Guest) -> Gone:
    try:
        guest.on_open(conn)
    except Exception:
        _fault(conn)
    while True:
        event = await socket.receive()
        if event["type"] == "websocket.disconnect":
            return _gone(event, line, conn)
        if conn.goodbye is None:
            try:
                guest.on_message(event["text"].encode())
            except Exception:
                _fault(conn)


def _fault(conn: StarletteConn) -> None:
    LOG.exception("a guest failed")
    conn.leave(Gone(Cause.FAULT, CLOSE_FAULT))


def _gone(event: MutableMapping[str, Any], line: Line, conn: StarletteConn) -> Gone:
    code, reason = event.get("code") or CLOSE_NO_CODE, event.get("reason") or ""
    if conn.goodbye is not None:
        return conn.goodbye
    if line.cause in (Cause.BREACH, Cause.RESTART):
        return Gone(line.cause, code, reason)
    if line.cause is not None:
        return Gone(line.cause, CLOSE_ABNORMAL)
    if "reason" not in event:  # uvicorn says so when the connection was lost without a close frame
        return Gone(Cause.LOST, CLOSE_ABNORMAL)
    return Gone(Cause.PEER, code, reason)


def _head(scope: Scope) -> UpgradeHead:
    target = scope["raw_path"].decode("latin-1") + "?" + scope["query_string"].decode("latin-1")
    headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]]
    return head_of(target, headers, scope["client"][0] if scope.get("client") else "")
