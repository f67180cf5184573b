"""A room as it is shown: its public half, made once for everybody, and what is one member's own."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from cinderforge.bots import LEVELS
from cinderforge.bots.measured import measured
from cinderforge.room import notebook
from cinderforge.room.absence import polls
from cinderforge.room.seats import Member
from cinderforge.room.settings import settings_view
from cinderforge.room.shapes import MeasuredView, MemberView, RoomView, SeatView, Stage, WaitView, WatcherView
from cinderforge.room.talking import channel_of
from cinderforge.room.wanting import chair_to_give
from cinderforge.rules.luck import CONTRIBUTION_BYTES, commitment_to
from cinderforge.rules.settings import Settings, warns_of_double_target
from cinderforge.rules.words import Seat

if TYPE_CHECKING:
    from cinderforge.room.room import Room


def member_view(room: Room, member: Member | None, seen: Stage) -> MemberView:
    """What is this member's own, at the stage at which they see the room; of a stranger, what they may do."""
    free = room.stage == "waiting" and bool(room.free_chairs())
    owes = room.stage == "mixing" and member is not None and member.seat is not None
    host = member is not None and member.id == room.seats.host
    talk, quiet = channel_of(room, member, seen)
    unseated = member is None or member.seat is None
    wants = member is not None and member.id in room.seats.wanting
    return MemberView(
        member=member.id if member else None,
        name=member.name if member else "",
        seat=member.seat if member else None,
        host=host,
        may_sit=free and unseated,
        may_watch=room.settings.spectators
        and (member is None or (member.seat is not None and room.stage == "waiting")),
        may_want=unseated and not free and not wants,
        wants=wants,
        yields=chair_to_give(room) if host else None,
        may_hold=owes and member is not None and member.id not in room.seats.held,
        may_vote=member is not None and member.seat is not None and room.stage == "game",
        wanted=CONTRIBUTION_BYTES if owes and member and member.id not in room.contributions else None,
        voted=[poll for poll, voters in room.votes.items() if member and member.id in voters],
        talk=talk,
        quiet=quiet,
        muted=sorted(room.seats.muted.get(member.id, ())) if member else [],
        banned=[WatcherView(m.id, m.name, online=False) for m in room.seats.banned.values()] if host else [],
        notes=notebook.notes_of(room, member),
    )


def room_view(room: Room) -> RoomView:
    """The room's public half. It holds nothing of the game that is on but what the game waits for."""
    count = room.settings.rules.seats
    over = room.running is not None and room.running.is_over
    running = room.running
    return RoomView(
        code=room.code,
        stage=room.stage,
        game=room.games,
        settings=settings_view(room.settings),
        seats=[_seat_view(room, Seat(seat)) for seat in range(1, count + 1)],
        watchers=[WatcherView(m.id, m.name, _is_online(room, m)) for m in room.seats.watching()],
        wanting=list(room.seats.wanting),
        host=room.seats.host,
        wait=_wait_view(room),
        polls=polls(room),
        commitment=commitment_to(room.secret).hex(),
        mixed=len(room.contributions),
        secret=running.secret.hex() if running and over else None,
        contributions=[one.hex() for one in running.contributions] if running and over else None,
        warnings=["double_target"] if warns_of_double_target(room.settings.rules) else [],
        measured=[] if room.stage == "game" else measured_views(room.settings.rules),
        levels=list(LEVELS),
        missing=len(room.seats.free(count)),
        notes=list(room.notebook.shared.values()),
    )


@cache
def measured_views(rules: Settings) -> list[MeasuredView]:
    """What was measured of these rules, as it is shown."""
    return [MeasuredView(one.who, one.games, one.wins, one.rounds) for one in measured(rules)]


def _wait_view(room: Room) -> WaitView | None:
    wait = room.wait
    return WaitView(wait.kind, wait.until, wait.whole, wait.is_paused, wait.left) if wait else None


def _is_online(room: Room, member: Member) -> bool:
    return member.id not in room.attendance.shown_away and not member.left


def _seat_view(room: Room, seat: Seat) -> SeatView:
    ai = room.seats.ais.get(seat)
    if ai:
        return SeatView(seat, "ai", ai.name, None, ai.level, online=True, ready=True, stand_in=False, left=False)
    member = room.seats.at(seat)
    if member is None:
        return SeatView(seat, "empty", "", None, None, online=False, ready=False, stand_in=False, left=False)
    ready = member.id in (room.running.looked if room.running else room.seats.ready)
    return SeatView(
        seat,
        "person",
        member.name,
        member.id,
        room.seats.stand_ins.get(seat),
        online=_is_online(room, member),
        ready=ready,
        stand_in=seat in room.seats.stand_ins,
        left=member.left,
    )
