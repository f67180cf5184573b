"""Who is here. Three clocks that are never mixed up: liveness is the socket's (server/conn.py), presence says who is
shown as away, absence says for whom an AI plays (absence.py). Nothing of this is kept: after a restart nobody is here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from cinderforge.room.inputs import SessionKey, SocketId
from cinderforge.room.seats import Member, Seats
from cinderforge.room.shapes import MemberId, MemberView

SHOWN_AFTER: Final = 4_000
"""How long, in ms, somebody may be without a socket before the others see it: a reload or a tunnel is no absence."""


@dataclass(slots=True)
class Presence:
    """A socket that said hello: how much of which game's news it has heard, and up to which event it was told."""

    session: SessionKey
    game: int
    heard: int
    lines: int
    """Up to which number it was told what it may read of the table's talk, and of the watchers' own."""
    side: int
    named: int
    """The number of the last line of the table's talk that it has."""
    told: int | None = None
    seen: int = -1
    """The number of the moment that it was shown last."""
    mine: MemberView | None = None
    """What it was shown as its own last; that is never late."""
    withheld: set[int] = field(default_factory=set)
    """The numbers of the lines that it was not told: of muted speakers, or reports that have to wait."""


@dataclass(slots=True)
class Attendance:
    """The sockets of a room, and since when each member without one is away (server time in ms)."""

    sockets: dict[SocketId, Presence] = field(default_factory=dict)
    away: dict[MemberId, int] = field(default_factory=dict)
    shown_away: set[MemberId] = field(default_factory=set)
    _sessions: dict[SessionKey, SocketId] = field(default_factory=dict)

    def enter(self, socket: SocketId, presence: Presence) -> SocketId | None:
        """A socket comes; gives the older one of the same session, which has to go (R10.3)."""
        older = self._sessions.get(presence.session)
        if older is not None:
            del self.sockets[older]
        self._sessions[presence.session] = socket
        self.sockets[socket] = presence
        return older

    def leave(self, socket: SocketId) -> Presence | None:
        """A socket goes; None if it was not here."""
        presence = self.sockets.pop(socket, None)
        if presence:
            del self._sessions[presence.session]
        return presence

    def socket_of(self, session: SessionKey) -> SocketId | None:
        return self._sessions.get(session)

    def has(self, member: Member) -> bool:
        """Whether this member has a socket now."""
        return member.session in self._sessions

    def note(self, seats: Seats, now: int) -> None:
        """Starts the clock of those who have gone, stops that of those who are here or no longer members."""
        for member in seats.members.values():
            if self.has(member):
                self.away.pop(member.id, None)
                self.shown_away.discard(member.id)
            elif member.id not in self.away:
                self.away[member.id] = now
        for gone in self.away.keys() - seats.members.keys():
            del self.away[gone]
            self.shown_away.discard(gone)

    def show(self, now: int) -> bool:
        """Lets those be seen as away who have been for long enough; whether there were any."""
        fresh = {m for m, since in self.away.items() if now >= since + SHOWN_AFTER} - self.shown_away
        self.shown_away |= fresh
        return bool(fresh)

    def due(self) -> list[int]:
        """When somebody will be seen as away."""
        return [since + SHOWN_AFTER for m, since in self.away.items() if m not in self.shown_away]

    def present(self, seats: Seats) -> list[Member]:
        """The seated persons whom the table sees as here, and who have not left."""
        return [m for m in seats.seated() if m.id not in self.shown_away and not m.left]
