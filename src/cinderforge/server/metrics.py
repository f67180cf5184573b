"""Numbers for whoever runs a server, in Prometheus' form. Counting costs a microsecond; nothing of a game is told.

Every label has a small, closed set of values: kinds of commands, codes, causes, levels. Never a room, never a person.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable
from functools import cache
from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    start_http_server,
)

from cinderforge.room.inputs import Asked, Input, Move
from cinderforge.room.outputs import Answer, Output
from cinderforge.server.conn import Cause, Timer, Timers

disable_created_metrics()  # type: ignore[no-untyped-call]
REGISTRY: Final = CollectorRegistry()
ProcessCollector(registry=REGISTRY)

ROOMS: Final = Gauge("cinderforge_rooms", "Rooms in memory.", registry=REGISTRY)
SOCKETS: Final = Gauge("cinderforge_sockets", "Open sockets.", registry=REGISTRY)
COMMANDS: Final = Counter(
    "cinderforge_commands", "Commands that were answered.", ["kind", "outcome"], registry=REGISTRY
)
REFUSALS: Final = Counter("cinderforge_refusals", "Whatever was refused, by its code.", ["code"], registry=REGISTRY)
CLOSED: Final = Counter("cinderforge_sockets_closed", "Sockets that ended, by why.", ["cause"], registry=REGISTRY)
SAVE_SECONDS: Final = Histogram(
    "cinderforge_save_seconds",
    "How long events took to be safe on disk.",
    buckets=(0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 2.5),
    registry=REGISTRY,
)
LAG_SECONDS: Final = Histogram(
    "cinderforge_loop_lag_seconds",
    "How late the event loop was.",
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 2.5),
    registry=REGISTRY,
)
AI_SECONDS: Final = Histogram(
    "cinderforge_ai_seconds",
    "How long AIs thought.",
    ["level"],
    buckets=(0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5),
    registry=REGISTRY,
)
AI_LATE: Final = Counter(
    "cinderforge_ai_late", "Thoughts that were not there at their moment: a habit was followed.", registry=REGISTRY
)
AI_DEATHS: Final = Counter("cinderforge_ai_deaths", "AI processes that died or hung.", registry=REGISTRY)
BROKEN: Final = Gauge("cinderforge_store_broken", "1 when nothing is written any more.", registry=REGISTRY)

LAG_EVERY_S: Final = 0.25
LAG_KEPT: Final = 40
"""How many of the last looks `LoopLag.worst` covers: ten seconds."""


def answered(what: Input, outputs: list[Output]) -> None:
    """A room has answered a command: done, or refused by a code."""
    if not isinstance(what, Asked):
        return
    wish = what.wish
    kind = type(wish.command if isinstance(wish, Move) else wish).__name__
    for output in outputs:
        if isinstance(output, Answer):
            _command(kind, "done" if output.code is None else "refused").inc()
            if output.code is not None:
                refused(output.code)


def refused(code: str) -> None:
    """Something was refused, with a code of the closed list."""
    _refusal(code).inc()


def closed(cause: Cause) -> None:
    """An open socket has ended."""
    SOCKETS.dec()
    _closed(cause).inc()


@cache
def thinking(level: str) -> Histogram:
    """Where an AI's time goes: `with thinking(level).time(): …`."""
    return AI_SECONDS.labels(level)


@cache
def _command(kind: str, outcome: str) -> Counter:
    return COMMANDS.labels(re.sub(r"(?<!^)(?=[A-Z])", "_", kind).lower(), outcome)


@cache
def _refusal(code: str) -> Counter:
    return REFUSALS.labels(code)


@cache
def _closed(cause: Cause) -> Counter:
    return CLOSED.labels(cause.name.lower())


class LoopLag:
    """Sets an alarm again and again, and looks how late it rings: by so much everybody's answer is late, too."""

    def __init__(self, timers: Timers) -> None:
        self._timers = timers
        self._late: deque[float] = deque([0.0], maxlen=LAG_KEPT)
        self._due = 0.0
        self._alarm: Timer | None = None

    @property
    def worst(self) -> float:
        """In seconds, of late."""
        return max(self._late)

    def start(self) -> None:
        self._due = self._timers.time() + LAG_EVERY_S
        self._alarm = self._timers.call_later(LAG_EVERY_S, self._look)

    def stop(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()

    def _look(self) -> None:
        late = max(0.0, self._timers.time() - self._due)
        self._late.append(late)
        LAG_SECONDS.observe(late)
        self.start()


def serve_metrics(port: int) -> Callable[[], None]:
    """Answers /metrics on this machine alone, from a thread that a busy loop does not hold up. Gives what ends it.

    Raises OSError.
    """
    try:
        server, thread = start_http_server(port, "127.0.0.1", REGISTRY)
    except OSError as error:
        raise OSError(f"port {port} for metrics: {error.strerror}") from error

    def stop() -> None:
        server.shutdown()
        server.server_close()
        thread.join()

    return stop
