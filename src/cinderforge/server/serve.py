"""Puts a server together from its parts, and runs it until it is told to stop."""

from __future__ import annotations

import asyncio
import logging
import socket
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Final

from cinderforge import __version__
from cinderforge.server import metrics
from cinderforge.server.app import House, build_app
from cinderforge.server.clock import LoopClock
from cinderforge.server.config import Config
from cinderforge.server.conn import ConnLimits
from cinderforge.server.game_server import BACKLOG, build_server
from cinderforge.server.health import Health
from cinderforge.server.identity import Tickets
from cinderforge.server.limits import Limits
from cinderforge.server.lobby import Lobby
from cinderforge.server.logs import watch_loop
from cinderforge.server.memory import Memory
from cinderforge.server.metrics import LoopLag, serve_metrics
from cinderforge.server.retention import Retention
from cinderforge.server.socket import FrontDoor
from cinderforge.server.store_sqlite import SqliteStore
from cinderforge.server.thinkers import Thinkers

DRAIN_S: Final = 5.0
SWITCH_S: Final = 0.0005
"""How soon a busy event loop lets the thread that writes have its turn: with Python's own 5 ms each statement waits
that long, and whoever waits for the disk with it."""

LOG: Final = logging.getLogger(__name__)


async def serve(config: Config, on_ready: Callable[[str], None]) -> None:
    """Runs until SIGTERM or Ctrl-C. Raises StoreUnusable, OSError (the port)."""
    config.data.mkdir(parents=True, exist_ok=True, mode=0o700)
    sys.setswitchinterval(SWITCH_S)
    _open_as_many_files_as_may_be()
    listening = _listen(config.host, config.port)
    watch_loop(asyncio.get_running_loop())
    store = await SqliteStore.open(config.database)
    thinkers = Thinkers(config.bot_workers) if config.bot_workers else None
    try:
        clock = LoopClock(config.tempo)
        lobby = Lobby(store, clock, config.most_rooms, thinkers=thinkers)
        async with _measured(config, lobby) as lag:
            await lobby.open()
            tickets = Tickets(LoopClock())  # a ticket waits for the network, which no tempo makes faster
            limits = Limits(clock, are_off=config.limits == "off")
            health = Health(store, lag, lambda: lobby.is_draining)
            house = House(lobby, store, clock, tickets, limits, health, config.public_url, config.session_days)
            retention = Retention(
                store,
                clock,
                log_days=config.chat_days,
                record_days=config.retention_days,
                session_days=config.session_days,
                members=lobby.members,
            )
            retention.start()
            memory = Memory(lobby, clock)
            memory.start()
            await _run(config, listening, house, on_ready)
            memory.stop()
            await retention.stop()
            await lobby.close()
    finally:
        if thinkers:
            await thinkers.close()
        await store.close()
    LOG.info("stopped")


async def _run(config: Config, listening: socket.socket, house: House, on_ready: Callable[[str], None]) -> None:
    lobby = house.lobby
    per_address = config.most_sockets_per_address if config.limits == "on" else config.most_sockets

    async def drain() -> None:
        LOG.info("draining", extra={"rooms": len(lobby)})
        await lobby.close()

    server = build_server(
        build_app(house),
        FrontDoor(lobby, house.store, house.clock, house.tickets, house.limits, config.public_url),
        conn=config.conn,
        host=config.host,
        port=config.port,
        limits=ConnLimits(most_sockets=config.most_sockets, most_sockets_per_address=per_address),
        trusted_proxies=config.trusted_proxies,
        on_drain=drain,
        drain_s=DRAIN_S,
    )
    running = asyncio.create_task(server.serve([listening]))
    while not server.started and not running.done():  # noqa: ASYNC110 - uvicorn tells of it in no other way
        await asyncio.sleep(0.01)
    if server.started:
        LOG.info("serving", extra={"rooms": len(lobby), "conn": config.conn, "version": __version__})
        host = f"[{config.host}]" if ":" in config.host else config.host
        on_ready(config.public_url or f"http://{host}:{server.port}")
    await running


@asynccontextmanager
async def _measured(config: Config, lobby: Lobby) -> AsyncIterator[LoopLag]:
    """The loop's lag is looked at all the time; numbers are told where a port was given for them."""
    metrics.ROOMS.set_function(lambda: len(lobby))
    lag = LoopLag(asyncio.get_running_loop())
    stop = serve_metrics(config.metrics_port) if config.metrics_port is not None else None
    lag.start()
    try:
        yield lag
    finally:
        lag.stop()
        if stop:
            stop()


def _open_as_many_files_as_may_be() -> None:
    """Where nobody has set it, a process may have 1,024 open: as many as one address's connections and sockets."""
    if sys.platform == "win32":
        return
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(OSError, ValueError):  # "as many as one likes" is more than some systems let one ask for
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _listen(host: str, port: int) -> socket.socket:
    """The socket to listen on; taken here, since uvicorn ends the process where it cannot. Raises OSError."""
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        return socket.create_server(address[:2], family=family, backlog=BACKLOG)
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
