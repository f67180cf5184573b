"""`Conn` on the core of picows, as the WebSocket protocol class of uvicorn: one port, no task and no queue for a peer.

The constructor of `WSProtocol` is not documented API: the version is pinned, and conn_starlette stands beside.
"""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final, cast

from picows import WSAutoPingStrategy, WSFrame, WSListener, WSMsgType, WSTransport, WSUpgradeRequest, WSUpgradeResponse
from picows import WSUpgradeResponseWithListener as Handshake

from cinderforge.server import metrics
from cinderforge.server.conn import (
    CLOSE_ABNORMAL,
    CLOSE_BAD_TEXT,
    CLOSE_FAULT,
    CLOSE_NO_CODE,
    CLOSE_PROTOCOL_ERROR,
    CLOSE_RESTART,
    CLOSE_UNSUPPORTED,
    CROWDED,
    TRY_AGAIN,
    Admission,
    Cause,
    Gate,
    Gone,
    Guest,
    Place,
    Pulse,
    Refusal,
    Timer,
    UpgradeHead,
    fit_reason,
    head_of,
)

if TYPE_CHECKING:
    from uvicorn import Config
    from uvicorn.server import ServerState

    class WSProtocol(asyncio.BufferedProtocol):
        """What we use of picows' class, which comes without types."""

        transport: WSTransport

        def __init__(self, **settings: object) -> None: ...

else:
    from picows.picows import WSProtocol

LOG: Final = logging.getLogger(__name__)

# What picows would log (every connection, every fault of a peer) is told to the guest instead. An adapter, because for
# a plain logger picows makes another one for each connection.
_QUIET = logging.getLogger(f"{__name__}.core")
_QUIET.setLevel(logging.CRITICAL)
_CORE_LOG: Final = logging.LoggerAdapter(_QUIET, {})

_TEXT, _CLOSE, _PING = WSMsgType.TEXT, WSMsgType.CLOSE, WSMsgType.PING
_BINARY, _CONTINUATION = WSMsgType.BINARY, WSMsgType.CONTINUATION

_COPIED: Final = 8192
"""Up to this size picows copies a message on sending. Above, it hands its own header buffer to the transport, which
may keep it while the next frame overwrites it: such messages we frame in a buffer of their own."""
_ROOM_FOR_HEADER: Final = bytes(14)
_READ_BUFFER: Final = 2048
"""Also the most that is looked at in one turn of the loop: picows' own buffer grows with what a peer says, and
thousands of small messages at once would hold up all other peers."""


class PicowsConn(WSListener):
    """One connection, from the handshake on."""

    def __init__(self, gate: Gate, guest: Guest) -> None:
        self._gate, self._limits, self._timers = gate, gate.limits, gate.timers
        self._guest: Guest | None = guest
        self._view: bytes | None = None
        self._full = False
        self._extra = 0
        self._stall: Timer | None = None
        self._farewell: Timer | None = None
        self._gone: Gone | None = None
        self._transport: WSTransport
        self.is_deaf = False
        self.pulse: Pulse

    # --- what the game may do ---

    @property
    def behind(self) -> bool:
        return self._full

    def send(self, message: bytes) -> None:
        if self._gone is not None:
            return
        if self._full:
            self._extra += len(message)
            if self._extra > self._limits.most_messages:
                self._cut(Cause.STALLED)
                return
        self._write(message)

    def show(self, view: bytes) -> None:
        if self._gone is not None:
            return
        if self._full:
            self._view = view
        else:
            self._write(view)

    def close(self, code: int, reason: str = "") -> None:
        self.leave(Gone(Cause.HOUSE, code, reason), self._limits.farewell_s)

    def _write(self, message: bytes) -> None:
        if len(message) <= _COPIED:
            self._transport.send(_TEXT, message)
        else:
            framed = bytearray(_ROOM_FOR_HEADER)
            framed += message
            self._transport.send_reuse_external_bytearray(_TEXT, framed, len(_ROOM_FOR_HEADER))

    # --- how it ends ---

    @property
    def is_ending(self) -> bool:
        return self._gone is not None

    def leave(self, gone: Gone, patience: float) -> None:
        """Send our close frame and give the peer a while to answer it."""
        if self._gone is not None:
            return
        self._end(gone)
        self._transport.send_close(gone.code, fit_reason(gone.reason))  # type: ignore[arg-type]  # takes any code
        self._expect_the_end(patience)

    def breach(self, code: int, reason: str) -> None:
        self.leave(Gone(Cause.BREACH, code, reason), self._limits.farewell_s)

    def refused_by_core(self) -> None:
        """picows found a breach, sent the close frame, and will close the transport by itself."""
        sent = self._transport.close_handshake.sent
        assert sent is not None
        self.is_deaf = True
        self._end(Gone(Cause.BREACH, int(sent.code.value), sent.reason))
        self._expect_the_end(self._limits.farewell_s)

    def _cut(self, cause: Cause) -> None:
        if self._gone is None:
            self._end(Gone(cause, CLOSE_ABNORMAL))
            self._transport.disconnect(graceful=False)

    def _end(self, gone: Gone) -> None:
        self._gone, self._view = gone, None
        self.pulse.stop()
        if self._stall is not None:
            self._stall.cancel()

    def _expect_the_end(self, patience: float) -> None:
        self._farewell = self._timers.call_later(patience, partial(self._transport.disconnect, graceful=False))

    def _fault(self) -> None:
        LOG.exception("a guest failed")
        self.leave(Gone(Cause.FAULT, CLOSE_FAULT), self._limits.farewell_s)

    # --- what picows tells ---

    def on_ws_connected(self, transport: WSTransport) -> None:
        self._transport = transport
        high = self._limits.high_water
        transport.underlying_transport.set_write_buffer_limits(high=high, low=high // 4)
        self.pulse = Pulse(self._timers, self._limits, transport.send_ping, partial(self._cut, Cause.SILENT))
        assert self._guest is not None
        metrics.SOCKETS.inc()
        try:
            self._guest.on_open(self)
        except Exception:
            self._fault()

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        kind = frame.msg_type
        if frame.rsv1 or frame.rsv2 or frame.rsv3:
            self.breach(CLOSE_PROTOCOL_ERROR, "reserved bits")
        elif kind == _CLOSE:
            self._peer_closes(frame)
        elif self._gone is not None:
            pass  # nothing more is heard
        elif kind == _PING:
            if not self._full:  # who does not read gets no answers to pile up
                transport.send_pong(frame.get_payload_as_bytes())
        elif kind == _BINARY:
            self.breach(CLOSE_UNSUPPORTED, "text only")
        elif kind == _CONTINUATION:
            self.breach(CLOSE_PROTOCOL_ERROR, "continuation of nothing")
        elif kind == _TEXT:
            self._hear(frame)

    def _hear(self, frame: WSFrame) -> None:
        if not frame.fin:
            self.breach(CLOSE_UNSUPPORTED, "no fragments")
            return
        message = frame.get_payload_as_bytes()
        if not message.isascii():
            try:
                message.decode()
            except UnicodeDecodeError:
                self.breach(CLOSE_BAD_TEXT, "not UTF-8")
                return
        assert self._guest is not None
        try:
            self._guest.on_message(message)
        except Exception:
            self._fault()

    def _peer_closes(self, frame: WSFrame) -> None:
        if self._gone is None:
            payload = frame.get_payload_as_bytes()
            code = int.from_bytes(payload[:2], "big") if payload else CLOSE_NO_CODE
            if (payload and not 1000 <= code <= 4999) or code == CLOSE_ABNORMAL:  # which picows lets pass
                self.breach(CLOSE_PROTOCOL_ERROR, "no code to send")
                self._transport.disconnect()
                return
            self._end(Gone(Cause.PEER, code, payload[2:].decode()))
            # As a plain frame: picows would answer a close without a code by code 0, which no peer accepts.
            self._transport.send(_CLOSE, payload[:2])
            self._expect_the_end(self._limits.farewell_s)
        self._transport.disconnect()

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        if self._gone is None:
            self._end(Gone(Cause.LOST, CLOSE_ABNORMAL))
        if self._farewell is not None:
            self._farewell.cancel()
        guest, gone = self._guest, self._gone
        assert guest is not None
        assert gone is not None
        self._guest = None
        metrics.closed(gone.cause)
        try:
            guest.on_gone(gone)
        except Exception:
            LOG.exception("a guest failed at its end")

    def pause_writing(self) -> None:
        self._full, self._extra = True, 0
        if self._gone is None:
            self._stall = self._timers.call_later(self._limits.stall_s, partial(self._cut, Cause.STALLED))

    def resume_writing(self) -> None:
        self._full = False
        if self._stall is not None:
            self._stall.cancel()
        if self._view is not None:
            view, self._view = self._view, None
            self._write(view)


class PicowsProtocol(WSProtocol):
    """uvicorn hands over the connection and the request's head; the doorman is asked; picows does the rest."""

    gate: ClassVar[Gate]

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(
            host_port=None,
            ws_path=None,
            is_client_side=False,
            ws_listener_factory=self._answer_handshake,
            logger=_CORE_LOG,
            disconnect_on_exception=True,
            websocket_handshake_timeout=None,  # the whole head is there
            enable_auto_ping=False,  # Pulse does it, without a task
            auto_ping_idle_timeout=self.gate.limits.idle_s,
            auto_ping_reply_timeout=self.gate.limits.pong_s,
            auto_ping_strategy=WSAutoPingStrategy.PING_WHEN_IDLE,
            enable_auto_pong=False,  # not for a peer that doesn't read
            max_frame_size=self.gate.limits.most_inbound,
            extra_headers=None,
            read_buffer_init_size=_READ_BUFFER,
        )
        self._state = server_state
        self._tcp: asyncio.Transport
        self._conn: PicowsConn | None = None
        self._head = b""
        self._asking: asyncio.Task[None] | None = None
        self._answer: Admission | Refusal = TRY_AGAIN
        self._place: Place | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._tcp = cast("asyncio.Transport", transport)
        self._state.connections.add(self)  # type: ignore[arg-type]  # a closed list of types
        super().connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self._state.connections.discard(self)
        if self._asking is not None:
            self._asking.cancel()
        if self._place is not None:
            self._place.give_back()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Called once, by uvicorn, with the head. Nothing more is read before the doorman has answered."""
        self._tcp.pause_reading()
        self._head = data
        self._asking = asyncio.get_running_loop().create_task(self._ask())
        self._state.tasks.add(self._asking)
        self._asking.add_done_callback(self._state.tasks.discard)

    async def _ask(self) -> None:
        head = _parse(self._head, self._tcp)
        self._place = self.gate.take_place(head)
        if self._place is None:
            metrics.refused("too_many_sockets")
            self._answer = CROWDED
        else:
            self._answer = await self.gate.ask(head)
        self._asking = None
        self._shake_hands()

    def _shake_hands(self) -> None:
        head, self._head = self._head, b""
        if self._tcp.is_closing():
            return
        rest = memoryview(head)
        while rest:
            buffer = self.get_buffer(len(rest))
            size = min(len(buffer), len(rest))
            buffer[:size] = rest[:size]
            super().buffer_updated(size)
            rest = rest[size:]
        if not self._tcp.is_closing():
            self._tcp.resume_reading()

    def _answer_handshake(self, request: WSUpgradeRequest) -> Handshake:
        answer = self._answer
        if isinstance(answer, Refusal):
            return Handshake(WSUpgradeResponse.create_error_response(answer.status, answer.text.encode()), None)
        self._conn = PicowsConn(self.gate, answer.guest)
        return Handshake(WSUpgradeResponse.create_101_response(answer.headers), self._conn)

    def get_buffer(self, sizehint: int) -> memoryview:
        return memoryview(super().get_buffer(sizehint))[:_READ_BUFFER]

    def buffer_updated(self, nbytes: int) -> None:
        conn = self._conn
        if conn is None or conn.is_deaf:
            return  # picows has given up this connection; what is read now falls on the floor
        conn.pulse.beat()
        super().buffer_updated(nbytes)
        if self.transport.is_close_frame_sent and not conn.is_ending:
            conn.refused_by_core()
        if nbytes == _READ_BUFFER:  # uvloop would go on reading at once
            self._tcp.pause_reading()
            asyncio.get_running_loop().call_soon(self._read_on)

    def _read_on(self) -> None:
        if not self._tcp.is_closing():
            self._tcp.resume_reading()

    def shutdown(self) -> None:
        """uvicorn stops."""
        if self._asking is not None:
            self._asking.cancel()
            self._asking, self._answer = None, TRY_AGAIN
            self._shake_hands()
        elif self._conn is not None:
            self._conn.leave(Gone(Cause.RESTART, CLOSE_RESTART), self.gate.limits.restart_s)


def picows_protocol(gate: Gate) -> type[PicowsProtocol]:
    """The protocol class for one server, as uvicorn wants it."""
    return type("PicowsProtocol", (PicowsProtocol,), {"gate": gate})


def _parse(head: bytes, transport: asyncio.Transport) -> UpgradeHead:
    """uvicorn has read and written the head anew: a request line, then `name: value` lines."""
    request, *lines = head.decode("latin-1").split("\r\n")
    headers = [(name, value.strip()) for name, _, value in (line.partition(":") for line in lines if line)]
    peer = transport.get_extra_info("peername")
    return head_of(request.split(" ")[1], headers, str(peer[0]) if peer else "")
