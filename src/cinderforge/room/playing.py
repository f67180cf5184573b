"""The game in the room, from the mixing of its seed to the rematch: what players ask, and what the clock asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cinderforge.room import waits
from cinderforge.room.events import BackToWaiting, Contributed, Dealt, Looked
from cinderforge.room.inputs import Move
from cinderforge.room.refused import RoomRefused
from cinderforge.room.seats import Member
from cinderforge.room.shapes import WaitKind
from cinderforge.rules.commands import ClockCommand, Command, EndAnnouncement, EndNight, EndReveal, TimeOut
from cinderforge.rules.game import offers, take, take_clock
from cinderforge.rules.luck import CONTRIBUTION_BYTES, MAX_CONTRIBUTION_BYTES
from cinderforge.rules.offers import commands_of
from cinderforge.rules.rejection import Rejected
from cinderforge.rules.state import awaited
from cinderforge.rules.words import How, Turn

if TYPE_CHECKING:
    from cinderforge.room.room import Room


def contribute(room: Room, member: Member, given: str) -> None:
    """Random bytes, as hex, for the seed of the coming game; the first of each person count (R3.4).

    Refused: `wrong_phase`; `malformed` with what would be right.
    """
    if room.stage != "mixing" or member.seat is None:
        raise RoomRefused("wrong_phase")
    if member.id in room.contributions:
        return
    try:
        mixed = bytes.fromhex(given)
    except ValueError:
        raise RoomRefused("malformed", "bytes: hex") from None
    if not CONTRIBUTION_BYTES <= len(mixed) <= MAX_CONTRIBUTION_BYTES:
        raise RoomRefused("malformed", f"bytes: {CONTRIBUTION_BYTES} to {MAX_CONTRIBUTION_BYTES} of them")
    room.record(Contributed(member.id, mixed.hex()))
    if len(room.seats.seated()) == 1:
        deal(room)  # nobody else has to be given time to call the start off


def deal(room: Room) -> None:
    """Mixing is over: the contributions that are in, in the order of the chairs, make the game (R3.4)."""
    by_seat = sorted(room.contributions, key=lambda member: room.seats.members[member].seat or 0)
    mixed = [room.contributions[member].hex() for member in by_seat]
    room.record(Dealt(room.games + 1, mixed))
    if not room.seats.seated():
        _clock(room, EndReveal())  # AIs among themselves have nothing to look at, whatever the timers


def look(room: Room, member: Member) -> None:
    """When every person has looked, the night need not wait for the clock. Refused: `wrong_phase`."""
    running = room.running
    if running is None or room.wait is None or room.wait.kind != "reveal" or member.seat is None:
        raise RoomRefused("wrong_phase")
    if member.id in running.looked:
        return
    room.record(Looked(member.id))
    go_on_if_all_looked(room)


def go_on_if_all_looked(room: Room) -> None:
    """Ends the private look when every person has looked for whom no AI plays (R3.3)."""
    running = room.running
    if running is None or waits.kind_of(running.shown) != "reveal":
        return
    if all(m.id in running.looked or m.seat in room.seats.stand_ins for m in room.seats.seated()):
        _clock(room, EndReveal())


def rematch(room: Room) -> None:
    """Back to the waiting room, with a fresh secret and so a fresh commitment (R3.4). Refused: `wrong_phase`."""
    if room.stage != "over":
        raise RoomRefused("wrong_phase")
    room.record(BackToWaiting())
    room.draw_secret()


def move(room: Room, member: Member | None, wish: Move) -> None:
    """A person's move. While a scroll is announced (R6.10), or in a pause, nobody moves.

    One that an outage has held up until another round is not what was wanted then.
    Refused: `not_seated`, `not_started`, `too_late`, `announcing`, `paused`. Raises Rejected where the rules
    do not allow it.
    """
    if member is None or member.seat is None:
        raise RoomRefused("not_seated")
    if room.running is None or room.stage not in ("game", "over"):
        raise RoomRefused("not_started")
    if wish.game not in (None, room.games) or wish.round not in (None, room.running.table.round):
        raise RoomRefused("too_late")
    if room.running.table.announcing and not room.running.is_over:
        raise RoomRefused("announcing")
    if room.wait and room.wait.is_paused:
        raise RoomRefused("paused")
    _move(room, room.running.turn_of(member.seat), wish.command, How.OWN)


def move_of_ai(room: Room, turn: Turn, command: Command) -> None:
    """The move of the AI that plays this turn; what is not on offer is replaced by the first legal command."""
    assert room.running
    how = How.OWN if room.running.seat_of(turn) in room.seats.ais else How.STAND_IN
    try:
        _move(room, turn, command, how)
    except Rejected:
        offer = offers(room.running.state, turn)
        assert offer is not None
        _move(room, turn, commands_of(offer)[0], how)


def _move(room: Room, turn: Turn, command: Command, how: How) -> None:
    assert room.running
    room.happened(*take(room.running.state, turn, command, how))


def run_out(room: Room, kind: WaitKind) -> None:
    """The present wait of a game has run out: the clock does what it asks then."""
    for command in _overdue(room, kind):
        _clock(room, command)


def _overdue(room: Room, kind: WaitKind) -> list[ClockCommand]:
    """What the clock asks when the present wait has run out (R10.1)."""
    assert room.running
    match kind:
        case "reveal":
            return [EndReveal()]
        case "night":
            return [EndNight()]
        case "announcement":
            return [EndAnnouncement()]
        case "vote" | "pass" | "scroll" | "play":
            return [TimeOut(turn) for turn in awaited(room.running.table)]
        case "mixing":
            raise AssertionError("mixing ends with a deal")


def _clock(room: Room, command: ClockCommand) -> None:
    assert room.running
    room.happened(*take_clock(room.running.state, command))
