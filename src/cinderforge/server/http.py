"""HTTP connections with limits. uvicorn waits for a request for ever, and keeps of its head whatever comes: here, who
opens a connection and says nothing, half a request, or one without an end, is let go.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any, ClassVar, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from cinderforge.server import metrics
from cinderforge.server.conn import Gate, Place, Timer

_OF_BODIES: Final = {b"content-length", b"transfer-encoding"}
_TOO_LONG: Final = b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


_OF_PEERS: Final = ("Invalid HTTP request received.", "Unsupported upgrade request.", "No supported WebSocket library")
"""What uvicorn warns of that is a peer's fault: counted instead, lest strangers fill the log."""


def _is_ours(record: logging.LogRecord) -> bool:
    return not str(record.msg).startswith(_OF_PEERS)


class BoundedHttp(HttpToolsProtocol):
    """uvicorn's protocol for HTTP, with our clock and our limits."""

    gate: ClassVar[Gate]

    def __init__(self, *settings: Any, **more: Any) -> None:
        super().__init__(*settings, **more)
        self._place: Place | None = None
        self._asked: Timer | None = None
        """Rings when a request was not all there in time; None while none is awaited or on its way."""
        self._stall: Timer | None = None
        self._unread = 0
        """Bytes of the request that is on its way, be they of its head, its body or behind it."""
        self._is_head = True
        self._is_too_long = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._place = self.gate.take_line(str(self.client[0]) if self.client else "")
        if self._place is None:
            metrics.refused("too_many_sockets")
            transport.abort()
        else:
            self._await_request()

    def connection_lost(self, exc: Exception | None) -> None:
        self._let_go()
        super().connection_lost(exc)

    def _let_go(self) -> None:
        """The line is another's, or nobody's."""
        self._has_asked()
        self.resume_writing()
        if self._place is not None:
            self._place.give_back()
            self._place = None

    @property
    def _is_answering(self) -> bool:
        return bool(self.cycle) and not self.cycle.response_complete

    # --- a request in time, and of a size ---

    def _await_request(self) -> None:
        if self._asked is None:
            self._asked = self.gate.timers.call_later(self.gate.limits.request_s, self.transport.close)

    def _has_asked(self) -> None:
        self._unread, self._is_head = 0, True
        if self._asked is not None:
            self._asked.cancel()
            self._asked = None

    def data_received(self, data: bytes) -> None:
        self._await_request()
        self._unread += len(data)
        super().data_received(data)
        limits = self.gate.limits
        if self._unread > (limits.most_head if self._is_head else limits.most_request):
            self._refuse()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._await_request()

    def on_headers_complete(self) -> None:
        self._is_head = False
        size = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        if size > self.gate.limits.most_head:
            self._is_too_long = True
            raise ValueError("a head that is too long")
        super().on_headers_complete()

    def send_400_response(self, msg: str) -> None:
        metrics.refused("malformed")
        if self._is_too_long:
            self._refuse()
        else:
            super().send_400_response(msg)

    def _refuse(self) -> None:
        self._has_asked()
        if not self._is_answering:
            self.transport.write(_TOO_LONG)
        self.transport.close()

    def on_message_complete(self) -> None:
        self._has_asked()
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        names = {name for name, _ in self.headers}
        if names & _OF_BODIES:
            self.send_400_response("A socket is asked for without a body.")
            return
        self._let_go()
        super().handle_websocket_upgrade()

    # --- an answer that is read ---

    def pause_writing(self) -> None:
        super().pause_writing()
        self._stall = self.gate.timers.call_later(self.gate.limits.stall_s, self.transport.abort)

    def resume_writing(self) -> None:
        if self._stall is not None:
            self._stall.cancel()
            self._stall = None
        super().resume_writing()

    def shutdown(self) -> None:
        """The server stops: nobody waits for the rest of a request."""
        if self._is_answering and self.cycle.more_body:
            self.transport.close()
        else:
            super().shutdown()


def http_protocol(gate: Gate) -> type[BoundedHttp]:
    """The protocol class for one server, as uvicorn wants it."""
    logging.getLogger("uvicorn.error").addFilter(_is_ours)
    return type("BoundedHttp", (BoundedHttp,), {"gate": gate})
