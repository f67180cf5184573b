"""Messages as bytes. The parts that are the same for every socket of a batch are encoded once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

import msgspec
from msgspec import Raw, Struct

from cinderforge.redaction.shapes import News
from cinderforge.room import inputs as i
from cinderforge.room.outputs import Answer, Tell, TellLines
from cinderforge.room.shapes import MemberId
from cinderforge.rules.commands import CastVote, ChooseCard, ChooseTargets, PassCrystal, PlayCard
from cinderforge.rules.commands import Skip as SkipTurn
from cinderforge.rules.words import Seat, Turn
from cinderforge.wire import messages as w

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(w.FromClient).decode


class _Update(Struct, frozen=True, tag_field="t", tag="update"):
    """`messages.Update`, field for field, with the shared parts as bytes (tests/wire/test_codec.py compares them)."""

    now: int
    room: Raw
    table: Raw
    you: w.You
    game: int
    heard: int
    fresh: bool
    news: tuple[News, ...]


def encode_tells(tells: Iterable[Tell], now: int) -> list[tuple[i.SocketId, bytes]]:
    """All updates of one batch, in order, encoded before the first is sent. `now` is the server's time in ms."""
    shared: dict[int, tuple[object, Raw]] = {}  # the part as well, so that no other object gets its id

    def once(part: object) -> Raw:
        if id(part) not in shared:
            shared[id(part)] = (part, Raw(_encode(part)))
        return shared[id(part)][1]

    return [
        (
            tell.socket,
            _encode(
                _Update(
                    now=now,
                    room=once(tell.room),
                    table=once(tell.table),
                    you=w.You(tell.member, tell.player),
                    game=tell.game,
                    heard=tell.heard,
                    fresh=tell.fresh,
                    news=tell.news,
                )
            ),
        )
        for tell in tells
    ]


def encode_lines(tell: TellLines) -> bytes:
    """`lines`, for the one socket that has not had them."""
    return _encode(w.Lines(list(tell.lines), tell.latest))


def encode_answer(answer: Answer) -> bytes:
    """`done`, or `refused` with its code."""
    if answer.code is None:
        return _encode(w.Done(answer.id))
    return _encode(w.Refused(answer.id, answer.code, answer.detail))


def encode(message: w.ToClient) -> bytes:
    """Any one message."""
    return _encode(message)


def decode(data: bytes | memoryview) -> w.FromClient:
    """Raises msgspec.DecodeError (ValidationError among them) for what is no message."""
    return _decode(data)


def wish_of(message: w.FromClient) -> tuple[str, i.Wish] | None:
    """A command's id and what it asks of the room; None for what is not a command (hello, ping)."""
    match message:
        case w.Hello() | w.Ping():
            return None
        case w.Join(id, name):
            return id, i.Join(name)
        case w.Watch(id, name):
            return id, i.Watch(name)
        case w.WantSeat(id, name, on):
            return id, i.WantSeat(name, on)
        case w.Admit(id, member):
            return id, i.Admit(MemberId(member))
        case w.Rename(id, name):
            return id, i.Rename(name)
        case w.Leave(id):
            return id, i.Leave()
        case w.Fill(id, seat, level):
            return id, i.Fill(None if seat is None else Seat(seat), level)
        case w.Clear(id, seat):
            return id, i.Clear(None if seat is None else Seat(seat))
        case w.Kick(id, member):
            return id, i.Kick(MemberId(member))
        case w.LetBack(id, member):
            return id, i.LetBack(MemberId(member))
        case w.Ready(id, ready):
            return id, i.Ready(ready)
        case w.Hold(id):
            return id, i.Hold()
        case w.Poll(id, poll, seat, on):
            return id, i.Poll(poll, None if seat is None else Seat(seat), on)
        case w.Say(id, text, sure):
            return id, i.Say(text, sure)
        case w.Phrase(id, phrase):
            return id, i.Phrase(phrase)
        case w.MakeClaim(id, claim):
            return id, i.MakeClaim(claim)
        case w.Mute(id, member, on):
            return id, i.Mute(MemberId(member), on)
        case w.Report(id, member, text):
            return id, i.Report(MemberId(member), text)
        case w.Mark(id, turn, faction, role, trust):
            return id, i.Mark(Turn(turn), faction, role, trust)
        case w.Note(id, text, turn):
            return id, i.Note(None if turn is None else Turn(turn), text)
        case w.ShareNotes(id, on):
            return id, i.ShareNotes(on)
        case w.HandOn(id, member):
            return id, i.HandOn(MemberId(member))
        case w.Change(id, settings):
            return id, i.Change(settings)
        case w.Start(id):
            return id, i.Start()
        case w.Contribute(id, mixed):
            return id, i.Contribute(mixed)
        case w.Seen(id):
            return id, i.Seen()
        case w.Rematch(id):
            return id, i.Rematch()
        case w.Vote(id, target, game, round):
            return id, i.Move(CastVote(None if target is None else Turn(target)), game, round)
        case w.Pass(id, to, game, round):
            return id, i.Move(PassCrystal(Turn(to)), game, round)
        case w.Targets(id, targets, game, round):
            return id, i.Move(ChooseTargets(tuple(Turn(turn) for turn in targets)), game, round)
        case w.PickCard(id, position, game, round):
            return id, i.Move(ChooseCard(position), game, round)
        case w.Play(id, card, game, round):
            return id, i.Move(PlayCard(card), game, round)
        case w.Skip(id, game, round):
            return id, i.Move(SkipTurn(), game, round)
        case _:
            assert_never(message)
