"""A person as a room meets one: a browser that remembers what it has heard, its sockets, and what it has asked for."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from cinderforge.redaction.shapes import News
from cinderforge.room.inputs import SessionKey, SocketId, Wish
from cinderforge.room.outputs import Tell


@dataclass(slots=True)
class Person:
    """`game`, `news` and `lines` are what a page keeps while it is open; a reload forgets them."""

    session: SessionKey
    name: str
    socket: SocketId | None = None
    old: list[SocketId] = field(default_factory=list)
    """Sockets that are gone, or have been replaced by a newer one."""
    game: int = 0
    news: list[News] = field(default_factory=list)
    lines: int = 0
    last: Tell | None = None
    """What the open socket was told last; None before its first picture."""
    unanswered: dict[str, Wish] = field(default_factory=dict)
    """Asked for, and neither done nor refused yet: sent again on the next socket."""
    said: deque[tuple[str, Wish]] = field(default_factory=lambda: deque(maxlen=12))
    """The latest commands with their ids, to be sent once more."""
    owed: set[int] = field(default_factory=set)
    """The lines that were written while the open socket was there and are for this person."""
    read: set[int] = field(default_factory=set)
    """The lines that the open socket was told."""
    asked: int = 0

    def next_id(self) -> str:
        self.asked += 1
        return f"{self.name}-{self.asked}"

    def reload(self) -> None:
        """The page is loaded anew: only the cookie is left."""
        self.game, self.news, self.lines = 0, [], 0
        self.unanswered.clear()

    def open(self, socket: SocketId) -> None:
        self.lose()
        self.socket = socket

    def lose(self) -> None:
        """The open socket is gone."""
        if self.socket is not None:
            self.old.append(self.socket)
        self.socket, self.last, self.owed, self.read = None, None, set(), set()
