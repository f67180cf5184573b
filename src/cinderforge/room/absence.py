"""Who is away too long (R10): AI stand-ins, the pause, and the votes of those who are there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cinderforge.room import playing
from cinderforge.room.events import Left, Paused, Polled, Returned, StandInBegan, StandInEnded, Unpaused
from cinderforge.room.refused import RoomRefused
from cinderforge.room.seats import Member
from cinderforge.room.shapes import PollKind, PollView, WaitKind
from cinderforge.rules.words import Seat

if TYPE_CHECKING:
    from cinderforge.room.room import Room

PAUSABLE: Final[frozenset[WaitKind]] = frozenset({"vote", "pass", "scroll", "play"})
"""Not the night, nor what is seen briefly: a pause must not make it last (R4.1, R6.10)."""
LONGEST_PAUSE: Final = 600_000
"""In ms; then the game goes on by itself."""
LEAST_LEFT: Final = 5_000
"""After a pause nobody is left with less time than this, in ms."""


def away(room: Room) -> list[Member]:
    """The players whom the table sees as away while nobody plays for them."""
    return [
        m
        for m in room.seats.seated()
        if m.id in room.attendance.shown_away and m.seat not in room.seats.stand_ins and not m.left
    ]


def polls(room: Room) -> list[PollView]:
    """The votes that may be cast now, with what they have and need: more than half of those who are there."""
    if room.stage != "game" or room.wait is None:
        return []
    present = len(room.attendance.present(room.seats))
    if not present:
        return []
    missing = away(room)
    open_now: list[tuple[PollKind, Seat | None]] = []
    if room.wait.is_paused:
        open_now.append(("resume", None))
    elif missing and room.wait.kind in PAUSABLE:
        open_now.append(("pause", None))
    open_now += [("replace", m.seat) for m in missing]
    return [PollView(poll, seat, _votes(room, poll, seat), present // 2 + 1) for poll, seat in open_now]


def _votes(room: Room, poll: PollKind, seat: Seat | None) -> int:
    """The votes of those who are there: one who has gone does not count."""
    voters = room.votes.get((poll, seat), set())
    return sum(m.id in voters for m in room.attendance.present(room.seats))


def cast(room: Room, member: Member, poll: PollKind, seat: Seat | None, on: bool) -> None:
    """A player votes in one of the polls that are open, or no longer. Refused: `not_seated`, `no_such_poll`."""
    if member.seat is None or member.left:
        raise RoomRefused("not_seated")
    if all((one.poll, one.seat) != (poll, seat) for one in polls(room)):
        raise RoomRefused("no_such_poll")
    if (member.id in room.votes.get((poll, seat), set())) != on:
        room.record(Polled(member.id, poll, seat, on))


def settle(room: Room, now: int) -> None:
    """Does what a majority wants; ends a pause, and forgets votes, for which there is no reason any more."""
    for poll in polls(room):
        if poll.votes < poll.needed:
            continue
        if poll.poll == "pause":
            pause(room, now)
        elif poll.poll == "resume":
            unpause(room, now)
        else:
            assert poll.seat is not None
            stand_in(room, poll.seat)
    missing = {seat for seat, _ in _absent(room)}  # seen as away or not: after a restart nobody is at first
    if room.wait and room.wait.is_paused and not missing:
        unpause(room, now)
    for poll_kind, seat in list(room.votes):
        if (poll_kind == "pause" and not missing) or (poll_kind == "replace" and seat not in missing):
            _void(room, poll_kind, seat)


def pause(room: Room, now: int) -> None:
    """The open wait stands still, with what was left of it."""
    assert room.wait
    room.record(Paused(None if room.wait.until is None else max(0, room.wait.until - now), now))


def unpause(room: Room, now: int) -> None:
    """The wait goes on with what was left of it; who is still away has their whole grace again."""
    wait = room.wait
    assert wait and wait.is_paused
    room.record(Unpaused(None if wait.left is None else now + max(LEAST_LEFT, wait.left)))
    for member in away(room):
        room.attendance.away[member.id] = now


def stand_in(room: Room, seat: Seat) -> None:
    """An AI of the room's level plays for the person of this chair from now on (R10.2)."""
    room.record(StandInBegan(seat, room.settings.ai_level))
    playing.go_on_if_all_looked(room)


def leave_game(room: Room, member: Member, *, banned: bool) -> None:
    """The chair stays theirs until the table is cleared; an AI plays at once (R10.2)."""
    room.record(Left(member.id, banned))
    if room.stage == "game" and member.seat is not None and member.seat not in room.seats.stand_ins:
        stand_in(room, member.seat)


def come_back(room: Room, member: Member) -> None:
    """On return a person takes over at once (R10.2); `settle` forgets the votes about the absence."""
    if member.left:
        room.record(Returned(member.id))
    if member.seat is not None and member.seat in room.seats.stand_ins:
        room.record(StandInEnded(member.seat))


def _void(room: Room, poll: PollKind, seat: Seat | None) -> None:
    for voter in sorted(room.votes.get((poll, seat), ())):
        room.record(Polled(voter, poll, seat, on=False))


def due(room: Room) -> list[int]:
    """When an AI will have to stand in, or a pause will have lasted long enough; server times in ms."""
    if room.stage != "game" or room.wait is None:
        return []
    if room.wait.is_paused:
        return [room.wait.paused_at + LONGEST_PAUSE]
    grace = room.settings.timers.away
    return [] if grace is None else [since + grace * 1000 for _, since in _absent(room)]


def look_after(room: Room, now: int) -> None:
    """Does what is due."""
    if room.stage != "game" or room.wait is None:
        return
    grace = room.settings.timers.away
    if room.wait.is_paused:
        if now >= room.wait.paused_at + LONGEST_PAUSE:
            unpause(room, now)
    elif grace is not None:
        for seat in [seat for seat, since in _absent(room) if now >= since + grace * 1000]:
            stand_in(room, seat)


def _absent(room: Room) -> list[tuple[Seat, int]]:
    """Chairs whose person is away with nobody playing for them, and since when."""
    return [
        (m.seat, room.attendance.away[m.id])
        for m in room.seats.seated()
        if m.seat is not None and m.id in room.attendance.away and m.seat not in room.seats.stand_ins
    ]
