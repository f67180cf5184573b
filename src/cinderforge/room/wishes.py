"""Who may ask what: each wish goes to the part of the room that does it, or refuses it."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from cinderforge.room import absence, notebook, playing, talking, telling, waiting, wanting
from cinderforge.room.inputs import (
    Admit,
    Change,
    Clear,
    Contribute,
    Fill,
    HandOn,
    Hold,
    Join,
    Kick,
    Leave,
    LetBack,
    MakeClaim,
    Mark,
    Move,
    Mute,
    Note,
    Phrase,
    Poll,
    Ready,
    Rematch,
    Rename,
    Report,
    Say,
    Seen,
    SessionKey,
    ShareNotes,
    Start,
    WantSeat,
    Watch,
    Wish,
)
from cinderforge.room.outputs import SayBye
from cinderforge.room.refused import RoomRefused
from cinderforge.room.seats import Member

if TYPE_CHECKING:
    from cinderforge.room.room import Room


def grant(room: Room, wish: Wish, session: SessionKey, now: int) -> list[SayBye]:
    """Does what this session asks at this server time in ms; gives the farewells that follow from it.

    Raises RoomRefused, or Rejected for a move that the rules do not allow; then nothing has happened.
    """
    member = room.seats.of_session(session)
    match wish:
        case Join(name):
            waiting.join(room, session, member, name)
        case Watch(name):
            waiting.watch(room, session, member, name)
        case WantSeat(name, on):
            wanting.want_seat(room, session, member, name, on)
        case Admit(other):
            _host(room, member)
            wanting.admit(room, other)
        case Rename(name):
            waiting.rename(room, _somebody(member), name, telling.stage_seen(room, member, now))
        case Leave():
            return waiting.leave(room, _somebody(member))
        case Fill(seat, level):
            _host(room, member)
            waiting.fill(room, seat, level)
        case Clear(seat):
            _host(room, member)
            waiting.clear(room, seat)
        case Kick(other):
            return waiting.kick(room, _host(room, member), other)
        case LetBack(other):
            _host(room, member)
            waiting.let_back(room, other)
        case HandOn(other):
            waiting.hand_on(room, _host(room, member), other)
        case Change(settings):
            _host(room, member)
            waiting.change(room, settings)
        case Ready(ready):
            waiting.be_ready(room, _somebody(member), ready)
        case Start():
            _host(room, member)
            waiting.start(room, now)
        case Hold():
            waiting.hold(room, _somebody(member))
        case Contribute(given):
            playing.contribute(room, _somebody(member), given)
        case Seen():
            playing.look(room, _somebody(member))
        case Poll(poll, seat, on):
            absence.cast(room, _somebody(member), poll, seat, on)
        case Say(text, sure):
            talking.say(room, _somebody(member), text, sure, now, telling.stage_seen(room, member, now))
        case Phrase(phrase):
            talking.say_phrase(room, _somebody(member), phrase, now, telling.stage_seen(room, member, now))
        case MakeClaim(claim):
            talking.make_claim(room, _somebody(member), claim, now, telling.stage_seen(room, member, now))
        case Mute(other, on):
            talking.mute(room, _somebody(member), other, on)
        case Report(other, text):
            talking.report(room, _somebody(member), other, text, now)
        case Mark():
            notebook.mark(room, _somebody(member), wish, now)
        case Note(turn, text):
            notebook.note(room, _somebody(member), turn, text, now)
        case ShareNotes(on):
            notebook.share_notes(room, _somebody(member), on, now)
        case Rematch():
            _host(room, member)
            playing.rematch(room)
        case Move():
            playing.move(room, member, wish)
        case _:
            assert_never(wish)
    return []


def _host(room: Room, member: Member | None) -> Member:
    if member is None or member.id != room.seats.host:
        raise RoomRefused("not_host")
    return member


def _somebody(member: Member | None) -> Member:
    if member is None:
        raise RoomRefused("not_seated")
    return member
