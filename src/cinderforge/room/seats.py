"""Who is in the room, who sits where, who is host (R2), for whom an AI stands in (R10.2). Folded from events."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Final

from cinderforge.room.events import (
    BackToWaiting,
    Came,
    Cleared,
    Filled,
    HostIs,
    Left,
    Muted,
    Pardoned,
    ReadyIs,
    Renamed,
    Returned,
    RoomEvent,
    Sat,
    SettingsChanged,
    StandInBegan,
    StandInEnded,
    StartHeld,
    WantsSeat,
    Went,
)
from cinderforge.room.inputs import SessionKey
from cinderforge.room.shapes import MemberId
from cinderforge.rules.words import Seat

REMEMBERED_STRANGERS: Final = 500
"""How many who have left are known again when they come back; who has not come for longest is forgotten first."""


@dataclass(frozen=True, slots=True)
class Member:
    """A person in the room; `seat` None is somebody who watches. `left`: has left the game, which keeps the chair."""

    id: MemberId
    session: SessionKey
    name: str
    seat: Seat | None
    left: bool = False


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
    stand_ins: dict[Seat, str] = field(default_factory=dict)
    """By chair, the level of the AI that plays for its person."""
    host: MemberId | None = None
    banned: dict[MemberId, Member] = field(default_factory=dict)
    wanting: list[MemberId] = field(default_factory=list)
    """Who would like a chair, whoever has asked first before the others."""
    ready: set[MemberId] = field(default_factory=set)
    """Who is ready for a game with these settings and these persons. Whoever comes takes it from nobody else."""
    held: set[MemberId] = field(default_factory=set)
    """Who has called off a start since the last game."""
    muted: dict[MemberId, set[MemberId]] = field(default_factory=dict)
    """Whom each member does not want to hear."""
    next_id: int = 1
    known: dict[SessionKey, MemberId] = field(default_factory=dict)
    """Who each session is: whoever leaves and comes again is the same person, unless many others came meanwhile."""

    def apply(self, event: RoomEvent) -> None:
        """Folds what concerns seats; everything else passes by."""
        match event:
            case Came(member, session, name, seat, wants):
                self.members[member] = Member(member, SessionKey(session), name, seat)
                if wants:
                    self.wanting.append(member)
                self.known.pop(SessionKey(session), None)
                self.known[SessionKey(session)] = member
                self.next_id = max(self.next_id, member + 1)
            case WantsSeat(member, on):
                self._want_nothing(member)
                if on:
                    self.wanting.append(member)
            case Sat(member, seat, name):
                if seat is None:
                    self.ready.clear()
                self.members[member] = replace(self.members[member], seat=seat, name=name)
                self.ready.discard(member)
                self._want_nothing(member)
            case Renamed(member, name):
                self.members[member] = replace(self.members[member], name=name)
            case Went(member, banned):
                self._forget(member, banned=banned)
            case Left(member, banned):
                self.members[member] = replace(self.members[member], left=True)
                if banned:
                    self.banned[member] = self.members[member]
            case Returned(member):
                self.members[member] = replace(self.members[member], left=False)
            case Pardoned(member):
                del self.banned[member]
            case StandInBegan(seat, level):
                self.stand_ins[seat] = level
            case StandInEnded(seat):
                del self.stand_ins[seat]
            case HostIs(member):
                self.host = member
            case Filled(seat, name, level):
                self.ais[seat] = Ai(name, level)
            case Cleared(seat):
                del self.ais[seat]
            case ReadyIs(member, ready):
                (self.ready.add if ready else self.ready.discard)(member)
            case SettingsChanged():
                self.ready.clear()
            case StartHeld(holder):
                if holder is not None:
                    self.held.add(holder)
                    self.ready.discard(holder)
            case Muted(member, other, on):
                others = self.muted.setdefault(member, set())
                (others.add if on else others.discard)(other)
            case BackToWaiting():
                self._clear_table()
            case _:
                pass

    def forget_strangers(self) -> list[MemberId]:
        """Lets go of those who have not come for longest, as nothing may grow while a room lives; gives their ids.

        Nobody is given the id of another, and whoever has a chair or is shut out stays known.
        """
        lost = [one for one in self.known.items() if one[1] not in self.members and one[1] not in self.banned]
        lost = lost[: max(0, len(lost) - REMEMBERED_STRANGERS)]
        for session, member in lost:
            del self.known[session]
            self.muted.pop(member, None)
        gone = [member for _, member in lost]
        self.held.difference_update(gone)
        for others in self.muted.values():
            others.difference_update(gone)
        return gone

    def _forget(self, member: MemberId, *, banned: bool) -> None:
        gone = self.members.pop(member)
        if gone.seat is not None:
            self.ready.clear()
        if banned:
            self.banned[member] = gone
        self.ready.discard(member)
        self._want_nothing(member)

    def _want_nothing(self, member: MemberId) -> None:
        if member in self.wanting:
            self.wanting.remove(member)

    def _clear_table(self) -> None:
        """The next game: who has left gives up the chair, all others keep theirs."""
        for member in [m.id for m in self.members.values() if m.left]:
            self._forget(member, banned=False)
        self.stand_ins.clear()
        self.ready.clear()
        self.held.clear()

    def of_session(self, session: SessionKey) -> Member | None:
        member = self.known.get(session)
        return None if member is None else self.members.get(member)

    def is_banned(self, session: SessionKey) -> bool:
        return any(m.session == session for m in self.banned.values())

    def id_for(self, session: SessionKey) -> MemberId:
        """Who this session is, or will be: nobody gets rid of mutes, limits or a used-up hold by coming again."""
        return self.known.get(session, MemberId(self.next_id))

    def at(self, seat: Seat) -> Member | None:
        return next((m for m in self.members.values() if m.seat == seat), None)

    def seated(self) -> list[Member]:
        """The persons with a chair."""
        return [m for m in self.members.values() if m.seat is not None]

    def watching(self) -> list[Member]:
        return [m for m in self.members.values() if m.seat is None]

    def level_at(self, seat: Seat) -> str | None:
        """The level of the AI that plays this chair now; None where its person does."""
        ai = self.ais.get(seat)
        return ai.level if ai else self.stand_ins.get(seat)

    def free(self, count: int) -> list[Seat]:
        """Chairs of a table of this size in which nobody sits."""
        taken = {m.seat for m in self.members.values()} | set(self.ais)
        return [Seat(seat) for seat in range(1, count + 1) if seat not in taken]

    def names(self) -> list[str]:
        return [m.name for m in self.members.values()] + [ai.name for ai in self.ais.values()]

    def heir(self, here: Collection[MemberId]) -> MemberId | None:
        """Who becomes host after the present one (R2.5): the longest-present of those here, seated before watching."""
        others = [m for m in self.members.values() if m.id != self.host and m.id in here and not m.left]
        others.sort(key=lambda m: m.seat is None)
        return others[0].id if others else None
