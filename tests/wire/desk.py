"""A visitor's socket into a real room, without a network: bytes go in, and what comes out is at hand."""

from __future__ import annotations

import copy
from typing import Any, cast

import msgspec

from cinderforge.room.inputs import Asked, Input, SessionKey
from cinderforge.room.room import Room
from cinderforge.server.limits import Limits
from cinderforge.server.room_task import RoomTask
from cinderforge.server.socket import Visitor
from cinderforge.testkit.clock import JumpingClock
from cinderforge.testkit.hosting import Hosting, Seen
from cinderforge.wire import codec
from cinderforge.wire.messages import ToClient
from tests.room.company import Company

HELLO = b'{"t":"hello","protocol":1}'
SESSION = SessionKey("visitor")

_read = msgspec.json.Decoder(ToClient).decode


class Line:
    """What a socket library would be told. After `close` nothing more is heard from the peer (server/conn.py)."""

    behind = False

    def __init__(self) -> None:
        self.sent: list[Any] = []
        self.closed: int | None = None

    def send(self, message: bytes) -> None:
        self.sent.append(_read(message))

    def show(self, view: bytes) -> None:
        self.sent.append(_read(view))

    def close(self, code: int, reason: str = "") -> None:
        self.closed = self.closed or code


class Counter:
    """Stands where a room's task does: inputs go to the room at once, and all that it says is written out."""

    is_ended = False

    def __init__(self, hosting: Hosting, line: Line) -> None:
        self.hosting, self.line = hosting, line
        self.inputs: list[Input] = []

    def enter(self, socket: Any, conn: Any) -> None:
        self.hosting.seen[socket] = Seen()

    def leave(self, socket: Any) -> None:
        pass

    def put(self, what: Input) -> None:
        self.inputs.append(what)
        self.hosting.put(what)
        for seen in self.hosting.seen.values():
            for update in codec.encode_tells(seen.tells[-1:], self.hosting.clock.now()):
                _read(update[1])
        if isinstance(what, Asked):
            answers = self.hosting.seen[what.socket].answers
            self.line.sent += [_read(codec.encode_answer(answer)) for answer in answers[-1:]]


class Desk:
    """One visitor, greeted unless `is_greeted` says otherwise; as `moment` says, at a table that plays or waits."""

    def __init__(self, moment: str = "play", *, is_greeted: bool = True, is_member: bool = True) -> None:
        self.company = _company(moment)
        self.line = Line()
        self.counter = Counter(self.company.hosting, self.line)
        clock = JumpingClock(self.company.now)
        session = SessionKey("host") if is_member else SESSION
        task = cast(RoomTask, self.counter)
        self.visitor = Visitor(task, session, "", clock, Limits(clock, are_off=True))
        self.visitor.on_open(self.line)
        if is_greeted:
            self.say(HELLO)
            self.line.sent.clear()
            self.counter.inputs.clear()

    @property
    def room(self) -> Room:
        return self.company.room

    def say(self, message: bytes) -> list[Any]:
        """What is answered to one message; nothing once the socket has been closed."""
        if self.line.closed is not None:
            return []
        before = len(self.line.sent)
        self.visitor.on_message(message)
        return self.line.sent[before:]

    def state(self) -> bytes:
        """All that is kept of the room."""
        return b"\n".join(body for body, _, _ in self.company.hosting.log)


_companies: dict[str, Company] = {}


def _company(moment: str) -> Company:
    """A copy of a table at this moment; made once."""
    if moment not in _companies:
        _companies[moment] = Company(2).to(moment)
    return copy.deepcopy(_companies[moment])
