"""What may be asked about seats, settings and the start of a game (R2): each function records it, or refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cinderforge.bots import NAMES, own_name
from cinderforge.room import absence, names, talking, waits
from cinderforge.room.events import (
    Came,
    Cleared,
    Filled,
    HostIs,
    MixingBegan,
    Pardoned,
    ReadyIs,
    Renamed,
    Sat,
    SettingsChanged,
    StartHeld,
    WantsSeat,
    Went,
)
from cinderforge.room.floods import refuse_flood
from cinderforge.room.inputs import SessionKey
from cinderforge.room.outputs import SayBye
from cinderforge.room.refused import RoomRefused
from cinderforge.room.seats import Member
from cinderforge.room.settings import changed, for_good
from cinderforge.room.shapes import MemberId, Stage
from cinderforge.room.state import REMEMBERED_WISHES
from cinderforge.rules.settings import BadSettings
from cinderforge.rules.words import Seat

if TYPE_CHECKING:
    from cinderforge.room.room import Room

MAX_WATCHERS: Final = 50
"""How many may watch. They take no room from players: whoever has a chair keeps it (R10.3)."""
HOST_GRACE: Final = 30_000
"""How long, in ms, a host may be away before another takes over (R2.5)."""
WATCHER_GRACE: Final = 600_000
"""How long, in ms, somebody who only watches may be away before the room forgets them."""
MS_PER_WISH: Final = 10_000
"""How soon, in ms, one may change one's mind about a chair again, once one has done so `REMEMBERED_WISHES` times."""


def be_waiting(room: Room) -> None:
    """Refuses what can be done in the waiting room alone."""
    if room.stage != "waiting":
        raise RoomRefused("already_started")


def named(room: Room, name: str, mine: str | None = None) -> str:
    """The name as it is shown, told apart from all others here; `mine` is one's own so far. Refused: `bad_name`."""
    shown = names.cleaned(name)
    if not shown:
        raise RoomRefused("bad_name")
    others = room.seats.names()
    if mine is not None:
        others.remove(mine)
    return names.distinct(shown, others)


def join(room: Room, session: SessionKey, member: Member | None, name: str) -> None:
    """A free chair for whoever has none (R2.1). Refused: `already_started`, `room_full`, `bad_name`."""
    be_waiting(room)
    if member and member.seat is not None:
        return
    free = room.free_chairs()
    if not free:
        raise RoomRefused("room_full")
    settle_down(room, session, member, name, free[0])


def watch(room: Room, session: SessionKey, member: Member | None, name: str) -> None:
    """A place without a chair, at any time. Refused: `no_spectators`, `room_full`, `bad_name`; for who sits,
    `already_started`; for who comes at night, `quiet`; for who wanted one, as in `change_wish`.
    """
    if member and member.seat is None:
        change_wish(room, member, on=False)
        return
    if not room.settings.spectators:
        raise RoomRefused("no_spectators")
    if member:
        be_waiting(room)
    else:
        talking.check_name(room, name)
    settle_down(room, session, member, name, None)


def change_wish(room: Room, member: Member, *, on: bool) -> None:
    """Somebody without a chair would like one, or no longer. All see it at once, so that it is a sign, if it is given
    often: not at night (R4.2), and no oftener than a person needs to. Refused: `quiet`, `too_fast`.
    """
    if (member.id in room.seats.wanting) == on:
        return
    talking.check_night(room)
    refuse_flood(room.wishes.get(member.id, ()), REMEMBERED_WISHES, MS_PER_WISH, room.now)
    room.record(WantsSeat(member.id, on))


def settle_down(
    room: Room, session: SessionKey, member: Member | None, name: str, seat: Seat | None, *, wants: bool = False
) -> None:
    """A chair, or with None a place without one, for a member or somebody new; `wants` a chair all the same.

    Refused: `room_full` (too many are here without one), `bad_name`.
    """
    shown = member.name if member else named(room, name)
    if seat is None:
        _make_room_to_watch(room)
    if member:
        room.record(Sat(member.id, seat, shown))
        return
    newcomer = room.seats.id_for(session)
    room.record(Came(newcomer, session, shown, seat, wants))
    if room.seats.host is None:
        room.record(HostIs(newcomer))


def _make_room_to_watch(room: Room) -> None:
    """Where too many watch, whoever has been away for longest gives way."""
    watching = room.seats.watching()
    if len(watching) < MAX_WATCHERS:
        return
    since = room.attendance.away
    gone = min((m for m in watching if m.id in room.attendance.shown_away), key=lambda m: since[m.id], default=None)
    if gone is None:
        raise RoomRefused("room_full")
    _go(room, gone, banned=False)


def watchers_due(room: Room) -> list[int]:
    """When somebody who watches has been away for long enough to be forgotten; server times in ms."""
    away = room.attendance.away
    return [away[m.id] + WATCHER_GRACE for m in room.seats.watching() if m.id in away]


def forget_watchers(room: Room, now: int) -> None:
    """Those who closed the page without a word must not fill the list for ever."""
    away = room.attendance.away
    for member in room.seats.watching():
        if member.id in away and now >= away[member.id] + WATCHER_GRACE:
            _go(room, member, banned=False)


def rename(room: Room, member: Member, name: str, seen: Stage) -> None:
    """A new name; not in a game, where one goes by the name that is told and where a name is talk, too (R9).

    `seen`: at which stage they see the room. Who still sees a game must not learn here that it is over.
    """
    if "game" in (room.stage, seen):
        raise RoomRefused("already_started")
    shown = named(room, name, member.name)
    if shown != member.name:
        room.record(Renamed(member.id, shown))


def leave(room: Room, member: Member) -> list[SayBye]:
    """Leaves for good in the waiting room; in a game the chair stays theirs, and an AI plays for them (R10.2)."""
    _go(room, member, banned=False)
    return room.dismiss(member, "left")


def _go(room: Room, member: Member, *, banned: bool) -> None:
    if member.id == room.seats.host:
        room.record(HostIs(room.seats.heir(room.here())))
    if member.seat is not None and room.stage in ("game", "over"):
        absence.leave_game(room, member, banned=banned)
        return
    room.record(Went(member.id, banned))
    if member.seat is not None and room.stage == "mixing":
        room.record(StartHeld(None))


def fill(room: Room, seat: Seat | None, level: str | None) -> None:
    """AIs of this level, or of the room's, on one chair or on all that are free; one that sits there changes its level.

    Refused: `already_started`, `bad_settings` (no such level), `seat_taken`, `unknown_seat`.
    """
    be_waiting(room)
    level = own_name(level or room.settings.ai_level)
    if level is None:
        raise RoomRefused("bad_settings", f"level: one of {', '.join(NAMES)}")
    free = room.free_chairs()
    if seat is not None and seat in room.seats.ais:
        room.record(Filled(seat, room.seats.ais[seat].name, level))
        return
    if seat is not None and seat not in free:
        raise RoomRefused("seat_taken" if seat <= room.settings.rules.seats else "unknown_seat")
    for chair in free if seat is None else [seat]:
        name = names.distinct(names.AI_NAMES[chair - 1], room.seats.names())
        room.record(Filled(chair, name, level))


def clear(room: Room, seat: Seat | None) -> None:
    """The AI goes from one chair, or all of them from theirs. Refused: `already_started`, `not_an_ai`."""
    be_waiting(room)
    if seat is not None and seat not in room.seats.ais:
        raise RoomRefused("not_an_ai")
    for chair in sorted(room.seats.ais) if seat is None else [seat]:
        room.record(Cleared(chair))


def kick(room: Room, host: Member, other: MemberId) -> list[SayBye]:
    """The host removes somebody, who does not come back by themselves. Refused: `unknown_member`."""
    member = room.seats.members.get(other)
    if member is None or member is host or other in room.seats.banned:
        raise RoomRefused("unknown_member")
    _go(room, member, banned=True)
    return room.dismiss(member, "kicked")


def host_due(room: Room) -> list[int]:
    """When the host will have been away for too long, if there is anybody else; server times in ms."""
    host = room.seats.host
    if host is None or host not in room.attendance.away or room.seats.heir(room.here()) is None:
        return []
    return [room.attendance.away[host] + HOST_GRACE]


def look_after_host(room: Room, now: int) -> None:
    """The host's role goes on when the host stays away (R2.5)."""
    if any(now >= due for due in host_due(room)):
        room.record(HostIs(room.seats.heir(room.here())))


def let_back(room: Room, other: MemberId) -> None:
    """Whoever was removed may come again. Refused: `unknown_member`."""
    if other not in room.seats.banned:
        raise RoomRefused("unknown_member")
    room.record(Pardoned(other))


def hand_on(room: Room, host: Member, other: MemberId) -> None:
    """Another becomes host. Refused: `unknown_member`."""
    member = room.seats.members.get(other)
    if member is None or member is host or member.left:
        raise RoomRefused("unknown_member")
    room.record(HostIs(other))


def change(room: Room, given: dict[str, object]) -> None:
    """Other settings, and a table of another size with them.

    Refused: `already_started`; `bad_settings` with the key, what was expected and what was found.
    """
    be_waiting(room)
    try:
        settings = changed(room.settings, given)
    except BadSettings as bad:
        raise RoomRefused("bad_settings", str(bad)) from None
    _make_room(room, settings.rules.seats)
    room.record(SettingsChanged(for_good(settings, given)))


def _make_room(room: Room, count: int) -> None:
    """A smaller table: AIs beyond it go, persons move to free chairs, or it cannot be."""
    moving = [m for m in room.seats.members.values() if m.seat is not None and m.seat > count]
    seated = sum(m.seat is not None for m in room.seats.members.values())
    if seated > count:
        raise RoomRefused("bad_settings", f"seats: {seated} people are seated")
    beyond = [seat for seat in room.seats.ais if seat > count]
    within = sorted((seat for seat in room.seats.ais if seat <= count), reverse=True)
    lacking = len(moving) - len(room.seats.free(count))
    for seat in [*beyond, *within[: max(0, lacking)]]:
        room.record(Cleared(seat))
    for member in moving:
        room.record(Sat(member.id, room.seats.free(count)[0], member.name))


def start(room: Room, now: int) -> None:
    """Contributions are collected (R3.4). Refused: `already_started`; `not_ready` with how many chairs are free."""
    be_waiting(room)
    missing = len(room.free_chairs())
    if missing:
        raise RoomRefused("not_ready", str(missing))
    room.record(MixingBegan())
    alone = len(room.seats.seated()) == 1
    room.begin_wait("mixing", waits.MIXING_SECONDS if alone else waits.COUNTDOWN_SECONDS, now)


def be_ready(room: Room, member: Member, ready: bool) -> None:
    """A person says that they are ready, or not. Refused: `already_started`, `not_seated`."""
    be_waiting(room)
    if member.seat is None:
        raise RoomRefused("not_seated")
    if (member.id in room.seats.ready) != ready:
        room.record(ReadyIs(member.id, ready))


def hold(room: Room, member: Member) -> None:
    """Calls off the start; once, so that nobody can keep a table from playing."""
    if room.stage != "mixing":
        raise RoomRefused("wrong_phase")
    if member.seat is None:
        raise RoomRefused("not_seated")
    if member.id in room.seats.held:
        raise RoomRefused("held_before")
    room.record(StartHeld(member.id))
