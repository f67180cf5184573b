"""One socket of one person: who may open it, and messages on their way to and from a room."""

from __future__ import annotations

import itertools
from typing import Final
from urllib.parse import parse_qs

import msgspec

from cinderforge.room.inputs import Arrived, Asked, SessionKey, SocketId, Vanished
from cinderforge.server import metrics
from cinderforge.server.clock import Clock
from cinderforge.server.conn import CLOSE_OK, Admission, Conn, Gone, Refusal, UpgradeHead
from cinderforge.server.identity import COOKIE, Tickets, is_same_site, session_of
from cinderforge.server.limits import Limits
from cinderforge.server.lobby import Draining, Lobby, code_from
from cinderforge.server.room_task import RoomTask
from cinderforge.server.store import Store, StoreFailed
from cinderforge.wire import codec
from cinderforge.wire.messages import PROTOCOL, Bye, Farewell, Hello, Malformed, Ping, Pong, Refused

MOST_MALFORMED: Final = 3
CLOSE_POLICY: Final = 1008

_numbers = itertools.count(1)


class Visitor:
    """A person's socket into one room."""

    def __init__(self, task: RoomTask, session: SessionKey, address: str, clock: Clock, limits: Limits) -> None:
        self._task = task
        self._session = session
        self._address = address
        self._clock = clock
        self._limits = limits
        self._socket = SocketId(next(_numbers))
        self._said_hello = False
        self._malformed = 0
        self._conn: Conn | None = None

    def on_open(self, conn: Conn) -> None:
        self._conn = conn

    def on_message(self, message: bytes) -> None:
        conn = self._conn
        assert conn is not None
        try:
            said = codec.decode(message)
        except (msgspec.DecodeError, RecursionError) as error:
            self._nonsense(conn, str(error))
            return
        if isinstance(said, Hello):
            self._hello(conn, said)
        elif isinstance(said, Ping):
            if self._limits.may_speak(self._session, self._address):
                conn.send(codec.encode(Pong(said.n, self._clock.now())))
        elif not self._said_hello:
            self._nonsense(conn, "hello comes first")
        else:
            wish = codec.wish_of(said)
            assert wish is not None
            if not self._limits.may_speak(self._session, self._address):
                metrics.refused("too_fast")
                conn.send(codec.encode(Refused(wish[0], "too_fast")))
                return
            self._task.put(Asked(self._socket, *wish))

    def on_gone(self, gone: Gone) -> None:
        self._task.leave(self._socket)
        if self._said_hello:
            self._task.put(Vanished(self._socket))

    def _hello(self, conn: Conn, hello: Hello) -> None:
        if hello.protocol != PROTOCOL:
            self._farewell(conn, "version")
        elif self._said_hello:
            self._nonsense(conn, "hello comes once")
        elif self._task.is_ended:
            self._farewell(conn, "restarting")
        else:
            self._said_hello = True
            self._task.enter(self._socket, conn)
            self._task.put(Arrived(self._socket, self._session, hello.game, hello.heard, hello.lines))

    def _nonsense(self, conn: Conn, why: str) -> None:
        self._malformed += 1
        metrics.refused("malformed")
        conn.send(codec.encode(Malformed(why[:200])))
        if self._malformed >= MOST_MALFORMED:
            conn.close(CLOSE_POLICY, "malformed")

    def _farewell(self, conn: Conn, why: Farewell) -> None:
        conn.send(codec.encode(Bye(why)))
        conn.close(CLOSE_OK, why)


class Lost:
    """A socket that leads nowhere: it is told so in words, which a failed handshake could not."""

    def __init__(self, why: Farewell) -> None:
        self._why = why

    def on_open(self, conn: Conn) -> None:
        conn.send(codec.encode(Bye(self._why)))
        conn.close(CLOSE_OK, self._why)

    def on_message(self, message: bytes) -> None:
        pass

    def on_gone(self, gone: Gone) -> None:
        pass


class FrontDoor:
    """Who may open a socket: our own pages only, with a session and its ticket, to a room that there is."""

    def __init__(
        self,
        lobby: Lobby,
        store: Store,
        clock: Clock,
        tickets: Tickets,
        limits: Limits,
        public_url: str | None = None,
    ) -> None:
        self._lobby = lobby
        self._public_url = public_url
        self._store = store
        self._clock = clock
        self._tickets = tickets
        self._limits = limits

    async def admit(self, head: UpgradeHead) -> Admission | Refusal:
        if not head.path.startswith("/ws/"):
            return Refusal(404, "no socket here")
        if not is_same_site(head.origin, head.host, self._public_url):
            return Refusal(403, "from another site")
        code = code_from(head.path.removeprefix("/ws/"))
        ticket = parse_qs(head.query).get("ticket", [""])[0]
        try:
            session = await session_of(self._store, head.cookie(COOKIE))
            if session is None:
                return Refusal(401, "no session")
            if not self._tickets.redeem(ticket, session, code):
                return Refusal(401, "no ticket")
            task = await self._lobby.find(code)
        except (StoreFailed, Draining):
            return Refusal(503, "try again")
        if task is None:
            return Admission(Lost("unknown_room"))
        return Admission(Visitor(task, session, head.address, self._clock, self._limits))
