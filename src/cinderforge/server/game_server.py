"""The HTTP and WebSocket server: builds it with one of the two kinds of connection, and stops it gently."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
from collections.abc import Awaitable, Callable, Iterable
from types import FrameType
from typing import Any, Final, Literal, cast

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from cinderforge.server.config import ConnKind
from cinderforge.server.conn import ConnLimits, Doorman, Gate, Timers
from cinderforge.server.conn_picows import picows_protocol
from cinderforge.server.conn_starlette import Usher, strict_protocol
from cinderforge.server.http import http_protocol
from cinderforge.server.proxies import Proxies

LOG: Final = logging.getLogger(__name__)

BACKLOG: Final = 2048
"""How many connections may wait to be taken: everybody comes back at once after a restart."""

LoopKind = Literal["auto", "asyncio", "uvloop"]


async def _nothing() -> None:
    """What is done on a stop when nobody asked for anything."""


class GameServer(uvicorn.Server):
    """uvicorn's server, which on a signal first lets the tables be told and saved, and then ends with code 0."""

    def __init__(
        self, config: uvicorn.Config, gate: Gate, on_drain: Callable[[], Awaitable[None]], drain_s: float
    ) -> None:
        super().__init__(config)
        self._gate, self._on_drain, self._drain_s = gate, on_drain, drain_s

    @property
    def is_draining(self) -> bool:
        """Nobody new is let in; for the health check."""
        return self._gate.is_draining

    @property
    def port(self) -> int:
        """The port that is listened on, also when 0 was asked for."""
        port: int = self.servers[0].sockets[0].getsockname()[1]
        return port

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        # uvicorn would raise the signal again at the end, and so end with an error.
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._gate.drain()
        for server in self.servers:
            server.close()
        try:
            await asyncio.wait_for(self._on_drain(), self._drain_s)
        except TimeoutError:
            LOG.warning("draining took longer than %.1f s and was cut short", self._drain_s)
        except Exception:
            LOG.exception("draining failed")
        await super().shutdown(sockets)


def build_server(
    app: ASGIApp,
    doorman: Doorman,
    *,
    conn: ConnKind = "picows",
    host: str = "127.0.0.1",
    port: int = 8000,
    loop: LoopKind = "auto",
    limits: ConnLimits | None = None,
    timers: Timers | None = None,
    trusted_proxies: Iterable[str] = (),
    on_drain: Callable[[], Awaitable[None]] = _nothing,
    drain_s: float = 1.0,
) -> GameServer:
    """A server for `app` (HTTP, lifespan) and `doorman` (every WebSocket). `await server.serve()` or `server.run()`.

    On SIGTERM or SIGINT: nobody new is let in, `on_drain` is awaited for at most `drain_s`, sockets are closed by 1012,
    then the lifespan ends. What `trusted_proxies` say of scheme and address is believed.
    """
    trusted = list(trusted_proxies)
    gate = Gate(doorman, limits or ConnLimits(), timers, Proxies(trusted))
    protocol = picows_protocol(gate) if conn == "picows" else strict_protocol(gate)
    config = uvicorn.Config(
        app if conn == "picows" else _with_sockets(app, Usher(gate)),
        host=host,
        port=port,
        loop=loop,
        http=http_protocol(gate),
        ws=cast("type[asyncio.Protocol]", protocol),
        ws_max_size=gate.limits.most_inbound,
        ws_ping_interval=None,
        ws_per_message_deflate=False,
        log_config=None,
        access_log=False,
        server_header=False,
        forwarded_allow_ips=trusted,
        backlog=BACKLOG,
        timeout_graceful_shutdown=1,
    )
    return GameServer(config, gate, on_drain, drain_s)


def _with_sockets(app: ASGIApp, usher: Usher) -> ASGIApp:
    async def entrance(scope: Scope, receive: Receive, send: Send) -> Any:
        await (usher if scope["type"] == "websocket" else app)(scope, receive, send)

    return entrance
