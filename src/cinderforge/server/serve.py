"""Puts a server together from its parts, and runs it until it is told to stop."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable

from cinderforge.server.app import House, build_app
from cinderforge.server.clock import LoopClock
from cinderforge.server.config import Config
from cinderforge.server.identity import Tickets
from cinderforge.server.limits import Limits
from cinderforge.server.lobby import Lobby
from cinderforge.server.serving import build_server
from cinderforge.server.socket import FrontDoor
from cinderforge.server.store_sqlite import SqliteStore

DATABASE = "cinderforge.db"


async def serve(config: Config, on_ready: Callable[[str], None]) -> None:
    """Runs until SIGTERM or Ctrl-C. Raises StoreUnusable, OSError (the port)."""
    config.data.mkdir(parents=True, exist_ok=True)
    listening = _listen(config.host, config.port)
    store = await SqliteStore.open(config.data / DATABASE)
    try:
        clock = LoopClock(config.tempo)
        lobby = Lobby(store, clock)
        await lobby.open()
        tickets, limits = Tickets(clock), Limits(clock, are_off=config.limits == "off")
        door = FrontDoor(lobby, store, clock, tickets, limits)
        server = build_server(
            build_app(House(lobby, store, clock, tickets, limits)),
            door,
            conn=config.conn,
            host=config.host,
            port=config.port,
        )
        running = asyncio.create_task(server.serve([listening]))
        while not server.started and not running.done():  # noqa: ASYNC110 - uvicorn tells of it in no other way
            await asyncio.sleep(0.01)
        if server.started:
            host = f"[{config.host}]" if ":" in config.host else config.host
            on_ready(f"http://{host}:{server.port}")
        await running
        await lobby.close()
    finally:
        await store.close()


def _listen(host: str, port: int) -> socket.socket:
    """The socket to listen on; taken here, since uvicorn ends the process where it cannot. Raises OSError."""
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        return socket.create_server(address[:2], family=family, backlog=2048)
    except OSError as error:
        raise OSError(f"{host}:{port}: {error.strerror or error}") from error


def run_serving(config: Config, on_ready: Callable[[str], None]) -> None:
    """Runs `serve` on uvloop where there is one; plain asyncio stays a working setting (other systems)."""
    try:
        import uvloop
    except ImportError:
        asyncio.run(serve(config, on_ready))
    else:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(serve(config, on_ready))


def set_up_logging(level: str = "INFO") -> None:
    logging.basicConfig(level=level, format="%(asctime)s %(levelname)s %(name)s %(message)s")
