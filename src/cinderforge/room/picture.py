"""A room as it is shown: its public half, made once for everybody, and what is one member's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cinderforge.bots import BOTS
from cinderforge.room.inputs import SessionKey
from cinderforge.room.seats import Member
from cinderforge.room.settings import settings_view
from cinderforge.room.shapes import MemberView, RoomView, SeatView, WaitView, WatcherView
from cinderforge.rules.luck import CONTRIBUTION_BYTES, commitment_to
from cinderforge.rules.settings import warns_of_double_target
from cinderforge.rules.words import Seat

if TYPE_CHECKING:
    from cinderforge.room.room import Room


def member_view(room: Room, member: Member | None) -> MemberView:
    free = bool(room.seats.free(room.settings.rules.seats)) and room.stage == "waiting"
    owes = room.stage == "mixing" and member is not None and member.seat is not None
    return MemberView(
        member=member.id if member else None,
        name=member.name if member else "",
        seat=member.seat if member else None,
        host=member is not None and member.id == room.seats.host,
        may_sit=free and (member is None or member.seat is None),
        may_watch=room.settings.spectators
        and (member is None or (member.seat is not None and room.stage == "waiting")),
        wanted=CONTRIBUTION_BYTES if owes and member and member.id not in room.contributions else None,
    )


def room_view(room: Room) -> RoomView:
    here = room.here()
    count = room.settings.rules.seats
    over = room.running is not None and room.running.is_over
    running = room.running
    return RoomView(
        code=room.code,
        stage=room.stage,
        game=room.games,
        settings=settings_view(room.settings),
        seats=[_seat_view(room, Seat(seat), here) for seat in range(1, count + 1)],
        watchers=[WatcherView(m.id, m.name, m.session in here) for m in room.seats.members.values() if m.seat is None],
        host=room.seats.host,
        wait=WaitView(room.wait.kind, room.wait.until, room.wait.whole) if room.wait else None,
        commitment=commitment_to(room.secret).hex(),
        mixed=len(room.contributions),
        secret=running.secret.hex() if running and over else None,
        contributions=[one.hex() for one in running.contributions] if running and over else None,
        warnings=["double_target"] if warns_of_double_target(room.settings.rules) else [],
        levels=list(BOTS),
        missing=len(room.seats.free(count)),
    )


def _seat_view(room: Room, seat: Seat, here: set[SessionKey]) -> SeatView:
    ai = room.seats.ais.get(seat)
    if ai:
        return SeatView(seat, "ai", ai.name, None, ai.level, online=True, ready=True)
    member = room.seats.at(seat)
    if member is None:
        return SeatView(seat, "empty", "", None, None, online=False, ready=False)
    looked = room.running is not None and member.id in room.running.looked
    return SeatView(
        seat,
        "person",
        member.name,
        member.id,
        None,
        online=member.session in here,
        ready=looked,
    )
