"""A connection as the server sees it: send, show, close; and what it asks of those who plug in.

The game never meets a socket library. `Doorman` decides who may enter, before the handshake is answered; `Guest` is
what is told of one connection; `Conn` is what it may do. Nothing here waits for a peer: a slow one is bounded, then
cut.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, Protocol
from urllib.parse import unquote

from cinderforge.server.proxies import Proxies

LOG: Final = logging.getLogger(__name__)

# Close codes (RFC 6455 7.4.1); 4000 to 4999 are the application's own.
CLOSE_OK: Final = 1000
CLOSE_PROTOCOL_ERROR: Final = 1002
CLOSE_UNSUPPORTED: Final = 1003
CLOSE_NO_CODE: Final = 1005
"""Never sent: what a close frame without a code is called."""
CLOSE_ABNORMAL: Final = 1006
"""Never sent: the connection ended without a close frame."""
CLOSE_BAD_TEXT: Final = 1007
CLOSE_FAULT: Final = 1011
CLOSE_RESTART: Final = 1012


class Timer(Protocol):
    """A call that is to come."""

    def cancel(self) -> object: ...


class Timers(Protocol):
    """The clock that is handed in. An asyncio loop is one; tests have one that jumps."""

    def time(self) -> float: ...

    def call_later(self, delay: float, callback: Callable[[], object], /) -> Timer: ...


@dataclass(frozen=True, slots=True)
class ConnLimits:
    """What one peer may cost, and all together. Sizes in bytes, times in seconds."""

    high_water: int = 64 * 1024
    """Above this much unsent, older views are dropped for the newest."""
    most_messages: int = 64 * 1024
    """How many bytes of `send` may pile up, beyond that, at a peer who doesn't read."""
    stall_s: float = 20.0
    """How long a peer may stay above the high-water mark before it is cut."""
    most_inbound: int = 16 * 1024
    idle_s: float = 20.0
    """How long after the last byte heard a ping is sent."""
    pong_s: float = 20.0
    """How long after a ping the peer is given up."""
    admit_s: float = 5.0
    """How long the doorman may think."""
    farewell_s: float = 2.0
    """How long after our close frame the peer may keep the connection."""
    restart_s: float = 0.5
    """The same when the server stops."""
    most_sockets: int = 20_000
    most_sockets_per_address: int = 500
    """A school or a club often has one address for everybody. As many connections that are no sockets may be open."""
    request_s: float = 30.0
    """How long a request may take to arrive, from when its connection is opened or it begins."""
    most_head: int = 32 * 1024
    most_request: int = 1024 * 1024
    """More than the largest body that is read, however it is cut into chunks."""


class Cause(Enum):
    """Why a connection is gone."""

    PEER = "the peer closed it"
    HOUSE = "we closed it"
    LOST = "it broke"
    STALLED = "the peer did not read"
    SILENT = "the peer did not answer a ping"
    BREACH = "the peer broke the protocol"
    FAULT = "we failed"
    RESTART = "the server stops"


@dataclass(frozen=True, slots=True)
class Gone:
    """How a connection ended, told once. `code` is the close code that was sent or heard, 1006 if none was."""

    cause: Cause
    code: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class UpgradeHead:
    """The request that wants to become a socket. Names of headers are in lower case."""

    path: str
    query: str
    headers: Mapping[str, str]
    peer: str
    address: str = ""
    """As whose it counts, for limits; the gate knows which proxies to believe."""

    @property
    def origin(self) -> str | None:
        return self.headers.get("origin")

    @property
    def host(self) -> str | None:
        return self.headers.get("host")

    def cookie(self, name: str) -> str | None:
        """The first cookie of this name, as it was sent."""
        for pair in self.headers.get("cookie", "").split(";"):
            key, equals, value = pair.strip().partition("=")
            if equals and key == name:
                return value
        return None


class Conn(Protocol):
    """One open connection. Every method returns at once and may be called at any time; after the end it does nothing.

    Order: messages arrive in the order of `send`, views in the order of `show`, and no view arrives before a message
    that was sent before it. While the peer is not behind, everything arrives in the order of the calls.
    """

    @property
    def behind(self) -> bool:
        """The peer is slow: views are held back, only the newest is kept."""
        ...

    def send(self, message: bytes) -> None:
        """A small message that must arrive (an answer, a refusal). Too many unread ones and the peer is cut."""
        ...

    def show(self, view: bytes) -> None:
        """A whole picture, which a newer one may replace while the peer is behind."""
        ...

    def close(self, code: int, reason: str = "") -> None:
        """Say goodbye. What is held back is dropped; nothing more is heard from this peer but `on_gone`."""
        ...


class Guest(Protocol):
    """What is told of one connection: opened once, then messages, then gone once. None of it may wait."""

    def on_open(self, conn: Conn) -> None: ...

    def on_message(self, message: bytes) -> None:
        """One text message: whole, valid UTF-8, within the limit. What is raised here closes this connection (1011)."""
        ...

    def on_gone(self, gone: Gone) -> None: ...


@dataclass(frozen=True, slots=True)
class Admission:
    """Let it in, with these headers on the answer."""

    guest: Guest
    headers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Refusal:
    """Answer with this status (400 or above) instead of a socket."""

    status: int
    text: str = ""


class Doorman(Protocol):
    """Whoever decides who may open a connection."""

    async def admit(self, head: UpgradeHead) -> Admission | Refusal:
        """Called before the handshake is answered: the place to check path, Origin and session."""
        ...


TRY_AGAIN: Final = Refusal(503, "try again")
CROWDED: Final = Refusal(503, "too many sockets")
FAULTY: Final = Refusal(500, "our fault")


def head_of(target: str, headers: Iterable[tuple[str, str]], peer: str) -> UpgradeHead:
    """Read a request's head. A header sent twice is joined, so that it matches nothing that was expected once."""
    path, _, query = target.partition("?")
    joined: dict[str, str] = {}
    for name, value in headers:
        name = name.lower()
        glue = "; " if name == "cookie" else ", "
        joined[name] = f"{joined[name]}{glue}{value}" if name in joined else value
    return UpgradeHead(unquote(path), query, joined, peer)


def fit_reason(reason: str) -> str:
    """A close frame has room for 123 bytes of it (RFC 6455 5.5)."""
    return reason.encode()[:123].decode(errors="ignore")


class Gate:
    """What every connection of a server shares: the doorman, the limits, the clock, and whether it still lets in.

    A connection takes a place before it asks, and gives it back when it has ended.
    """

    def __init__(
        self, doorman: Doorman, limits: ConnLimits, timers: Timers | None = None, proxies: Proxies | None = None
    ) -> None:
        self.doorman, self.limits = doorman, limits
        self.is_draining = False
        self._proxies = proxies or Proxies()
        self.sockets, self.lines = Crowd(limits), Crowd(limits)
        """Sockets, from when they are asked for; and the connections that are none, or not yet."""
        self._timers = timers
        self._waiting: set[Callable[[], object]] = set()

    @property
    def timers(self) -> Timers:
        return self._timers or asyncio.get_running_loop()

    def drain(self) -> None:
        """From now on nobody is let in, and those whom the doorman still thinks about are refused."""
        self.is_draining = True
        for give_up in tuple(self._waiting):
            give_up()

    def take_place(self, head: UpgradeHead) -> Place | None:
        """A place, unless all are taken, or too many by whoever is at the other end."""
        address = self._address_of(head)
        return Place(self.sockets, address) if self.sockets.enter(address) else None

    def _address_of(self, head: UpgradeHead) -> str:
        return self._proxies.origin_of(head.peer, head.headers.get("x-forwarded-for"))

    def take_line(self, peer: str) -> Place | None:
        """The same for a connection that says HTTP; one of a proxy of ours comes for somebody else each time."""
        address = None if self._proxies.is_trusted(peer) else self._proxies.origin_of(peer, None)
        return Place(self.lines, address) if self.lines.enter(address) else None

    async def ask(self, head: UpgradeHead) -> Admission | Refusal:
        """The doorman's answer, or ours when he takes too long or fails."""
        asker = asyncio.current_task()
        assert asker is not None, "the doorman is asked in a task"
        gave_up = False

        def give_up() -> None:
            nonlocal gave_up
            if not gave_up:
                gave_up = True
                asker.cancel()

        timer = self.timers.call_later(self.limits.admit_s, give_up)
        self._waiting.add(give_up)
        try:
            if self.is_draining:
                return TRY_AGAIN
            return await self.doorman.admit(replace(head, address=self._address_of(head)))
        except asyncio.CancelledError:
            if gave_up and asker.uncancel() == 0:
                return TRY_AGAIN
            raise
        except Exception:
            LOG.exception("the doorman failed")
            return FAULTY
        finally:
            self._waiting.discard(give_up)
            timer.cancel()


class Crowd:
    """How many there are of one kind of connection: all together, and of each address that is known."""

    def __init__(self, limits: ConnLimits) -> None:
        self._limits = limits
        self._all = 0
        self._of: Counter[str] = Counter()

    def __len__(self) -> int:
        return self._all

    def enter(self, address: str | None) -> bool:
        """Takes a place if there is one."""
        limits = self._limits
        is_full = address is not None and self._of.get(address, 0) >= limits.most_sockets_per_address
        if is_full or self._all >= limits.most_sockets:
            return False
        self._all += 1
        if address is not None:
            self._of[address] += 1
        return True

    def leave(self, address: str | None) -> None:
        self._all -= 1
        if address is not None:
            self._of[address] -= 1
            if not self._of[address]:
                del self._of[address]


@dataclass(frozen=True, slots=True)
class Place:
    """One connection's place among those that a server has room for."""

    crowd: Crowd
    address: str | None

    def give_back(self) -> None:
        self.crowd.leave(self.address)


_LAST_LOOK_S: Final = 0.05
"""After we stood still ourselves (a stopped process, a machine that was moved), the timer may ring before what came
meanwhile is read: the end is never without a turn of the loop in which something could be heard."""


class Pulse:
    """Listens for life: after some silence a ping, and after silence to that, the end. One timer, no task."""

    __slots__ = ("_dead", "_heard", "_is_last_look", "_limits", "_ping", "_pinged", "_timer", "_timers")

    def __init__(
        self, timers: Timers, limits: ConnLimits, ping: Callable[[], object], dead: Callable[[], object]
    ) -> None:
        self._timers, self._limits, self._ping, self._dead = timers, limits, ping, dead
        self._heard, self._pinged, self._is_last_look = timers.time(), False, False
        self._timer: Timer | None = timers.call_later(limits.idle_s, self._due)

    def beat(self) -> None:
        """Something was heard. Cheap: the timer looks at this only when it is due."""
        self._heard, self._pinged = self._timers.time(), False

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _due(self) -> None:
        if self._pinged and self._is_last_look:
            self._timer = None
            self._dead()
            return
        if self._pinged:
            self._is_last_look = True
            self._timer = self._timers.call_later(_LAST_LOOK_S, self._due)
            return
        rest = self._heard + self._limits.idle_s - self._timers.time()
        if rest > 0:
            self._timer = self._timers.call_later(rest, self._due)
        else:
            self._pinged, self._is_last_look = True, False
            self._timer = self._timers.call_later(self._limits.pong_s - _LAST_LOOK_S, self._due)
            self._ping()
