"""Who has come to play and found no chair: everybody sees it, and the host lets them have an AI's (R2.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cinderforge.room import talking, waiting
from cinderforge.room.events import Cleared, Sat
from cinderforge.room.inputs import SessionKey
from cinderforge.room.refused import RoomRefused
from cinderforge.room.seats import Member
from cinderforge.room.shapes import MemberId
from cinderforge.rules.words import Seat

if TYPE_CHECKING:
    from cinderforge.room.room import Room


def want_seat(room: Room, session: SessionKey, member: Member | None, name: str, on: bool) -> None:
    """A chair for whoever has none: at once, or as soon as there is one; until then everybody sees who would like to.

    Refused: `room_full` (too many are here without a chair), `bad_name`; at night `quiet`; `too_fast`.
    """
    if member and member.seat is not None:
        return
    free = room.free_chairs() if room.stage == "waiting" else []
    if on and free:
        waiting.settle_down(room, session, member, name, free[0])
    elif member is not None:
        waiting.change_wish(room, member, on=on)
    elif on:
        talking.check_name(room, name)
        waiting.settle_down(room, session, None, name, None, wants=True)


def chair_to_give(room: Room) -> Seat | None:
    """The chair for the next who would like one: a free one, else the last that an AI has; never a person's."""
    if room.stage != "waiting":
        return None
    free = room.free_chairs()
    return free[0] if free else max(room.seats.ais, default=None)


def admit(room: Room, other: MemberId) -> None:
    """Somebody who would like to sit has a chair: a free one, or an AI makes way.

    Refused: `already_started`, `unknown_member` (who would not like to sit), `room_full` (of persons).
    """
    waiting.be_waiting(room)
    if other not in room.seats.wanting:
        raise RoomRefused("unknown_member")
    chair = chair_to_give(room)
    if chair is None:
        raise RoomRefused("room_full")
    if chair in room.seats.ais:
        room.record(Cleared(chair))
    room.record(Sat(other, chair, room.seats.members[other].name))


def seat_who_wants(room: Room) -> None:
    """Free chairs go to those who would like one and are here, whoever has asked first before the others."""
    if room.stage != "waiting" or not room.seats.wanting:
        return
    here = room.here()
    waiters = [member for member in room.seats.wanting if member in here]
    for member, chair in zip(waiters, room.free_chairs(), strict=False):
        room.record(Sat(member, chair, room.seats.members[member].name))
