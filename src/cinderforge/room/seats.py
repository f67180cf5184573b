"""Who is in the room, who sits where, who is host (R2). Folded from the room's events; decides nothing."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from cinderforge.room.events import (
    Came,
    Cleared,
    Filled,
    HostIs,
    Renamed,
    RoomEvent,
    Sat,
    Went,
)
from cinderforge.room.inputs import SessionKey
from cinderforge.room.shapes import MemberId
from cinderforge.rules.words import Seat


@dataclass(frozen=True, slots=True)
class Member:
    """A person in the room; `seat` None is somebody who watches."""

    id: MemberId
    session: SessionKey
    name: str
    seat: Seat | None


@dataclass(frozen=True, slots=True)
class Ai:
    """What sits in a chair that no person has (R2.3)."""

    name: str
    level: str


@dataclass(slots=True)
class Seats:
    """Members in the order in which they came; the longest-present person is the first of them."""

    members: dict[MemberId, Member] = field(default_factory=dict)
    ais: dict[Seat, Ai] = field(default_factory=dict)
    host: MemberId | None = None
    banned: set[SessionKey] = field(default_factory=set)
    next_id: int = 1

    def apply(self, event: RoomEvent) -> None:
        """Folds what concerns seats; everything else passes by."""
        match event:
            case Came(member, session, name, seat):
                self.members[member] = Member(member, SessionKey(session), name, seat)
                self.next_id = member + 1
            case Sat(member, seat, name):
                self.members[member] = replace(self.members[member], seat=seat, name=name)
            case Renamed(member, name):
                self.members[member] = replace(self.members[member], name=name)
            case Went(member, banned):
                gone = self.members.pop(member)
                if banned:
                    self.banned.add(gone.session)
            case HostIs(member):
                self.host = member
            case Filled(seat, name, level):
                self.ais[seat] = Ai(name, level)
            case Cleared(seat):
                del self.ais[seat]
            case _:
                pass

    def of_session(self, session: SessionKey) -> Member | None:
        return next((m for m in self.members.values() if m.session == session), None)

    def at(self, seat: Seat) -> Member | None:
        return next((m for m in self.members.values() if m.seat == seat), None)

    def free(self, count: int) -> list[Seat]:
        """Chairs of a table of this size in which nobody sits."""
        taken = {m.seat for m in self.members.values()} | set(self.ais)
        return [Seat(seat) for seat in range(1, count + 1) if seat not in taken]

    def names(self) -> list[str]:
        return [m.name for m in self.members.values()] + [ai.name for ai in self.ais.values()]

    def heir(self, here: set[SessionKey]) -> MemberId | None:
        """Who becomes host after the present one (R2.5): the longest-present of those here, seated before watching."""
        others = [m for m in self.members.values() if m.id != self.host and m.session in here]
        others.sort(key=lambda m: m.seat is None)
        return others[0].id if others else None
