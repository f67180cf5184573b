"""What a person notes on a game for themselves: marks on players, texts. Kept with the room, told to nobody else.

After the end a player may let everybody see them. What has been guessed then stands, so that the truth can be held
against it; texts may go on.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from cinderforge.room.events import BackToWaiting, Dealt, NotesShared, NoteWritten, RoomEvent, Suspected, Went
from cinderforge.room.floods import refuse_flood
from cinderforge.room.inputs import Mark
from cinderforge.room.refused import RoomRefused
from cinderforge.room.running import Running
from cinderforge.room.seats import Member
from cinderforge.room.shapes import MemberId, NotesView, SharedNotesView, SuspicionView
from cinderforge.rules.words import Turn, faction_of
from cinderforge.talk.text import TextTooLong, cleaned_note

if TYPE_CHECKING:
    from cinderforge.room.room import Room

MOST_ON_A_PLAYER: Final = 80
MOST_ON_THE_GAME: Final = 500
"""Graphemes of a text on one player, and on the game as a whole."""
BURST: Final = 24
MS_PER_NOTE: Final = 1_500
"""Marks and texts that a person may write at once, and how soon the next one after that."""


@dataclass(slots=True)
class Page:
    """One member's notes on the game that is on."""

    marks: dict[Turn, SuspicionView] = field(default_factory=dict)
    text: str = ""

    def on(self, turn: Turn) -> SuspicionView:
        return self.marks.get(turn, SuspicionView(turn, None, None, None, ""))

    def put(self, mark: SuspicionView) -> None:
        self.marks[mark.turn] = mark
        if mark == SuspicionView(mark.turn, None, None, None, ""):
            del self.marks[mark.turn]

    def listed(self) -> list[SuspicionView]:
        return [self.marks[turn] for turn in sorted(self.marks)]


@dataclass(slots=True)
class Notebook:
    """Everybody's pages on one game, and those that everybody may see; folded from events."""

    pages: dict[MemberId, Page] = field(default_factory=dict)
    shared: dict[Turn, SharedNotesView] = field(default_factory=dict)
    written: dict[MemberId, deque[int]] = field(default_factory=dict)
    """When each member wrote last."""

    def apply(self, event: RoomEvent) -> None:
        match event:
            case Suspected(member, turn, faction, role, trust, at):
                page = self._write(member, at)
                page.put(replace(page.on(turn), faction=faction, role=role, trust=trust))
            case NoteWritten(member, None, text, at):
                self._write(member, at).text = text
            case NoteWritten(member, turn, text, at) if turn is not None:
                page = self._write(member, at)
                page.put(replace(page.on(turn), text=text))
            case NotesShared(member, turn, on, at):
                page = self._write(member, at)
                self.shared.pop(turn, None)
                if on:
                    self.shared[turn] = SharedNotesView(turn, page.listed(), page.text)
            case Went(member):
                self.pages.pop(member, None)
            case Dealt() | BackToWaiting():
                self.pages.clear()
                self.shared.clear()
            case _:
                pass

    def forget(self, members: set[MemberId]) -> None:
        """They are known no longer: how much they have written does not count, if they ever come again."""
        for member in members:
            self.written.pop(member, None)

    def _write(self, member: MemberId, at: int) -> Page:
        self.written.setdefault(member, deque(maxlen=BURST)).append(at)
        return self.pages.setdefault(member, Page())


def notes_of(room: Room, member: Member | None) -> NotesView | None:
    """A member's own notes; None for whoever has no game before their eyes."""
    running = room.running
    if running is None or member is None or not _may_note(room, member):
        return None
    page = room.notebook.pages.get(member.id, Page())
    shared = member.seat is not None and running.turn_of(member.seat) in room.notebook.shared
    return NotesView(page.listed(), page.text, _is_final(running, member), shared)


def mark(room: Room, member: Member, wish: Mark, now: int) -> None:
    """What a member thinks of a player; a role brings its faction along.

    Refused: `not_started`, `no_spectators`, `unknown_seat`, `notes_stand` (the game is over), `too_fast`.
    """
    running = _running(room, member)
    _check_player(running, member, wish.turn)
    if _is_final(running, member):
        raise RoomRefused("notes_stand")
    faction = wish.faction if wish.role is None else faction_of(wish.role)
    before = room.notebook.pages.get(member.id, Page()).on(wish.turn)
    if (before.faction, before.role, before.trust) == (faction, wish.role, wish.trust):
        return
    _not_too_fast(room, member, now)
    room.record(Suspected(member.id, wish.turn, faction, wish.role, wish.trust, now))


def note(room: Room, member: Member, turn: Turn | None, text: str, now: int) -> None:
    """A text on a player, or with none on the whole game; "" takes it away. It may be written after the end, too.

    Refused: `not_started`, `no_spectators`, `unknown_seat`, `too_long`, `too_fast`.
    """
    running = _running(room, member)
    if turn is not None:
        _check_player(running, member, turn)
    try:
        written = cleaned_note(text, MOST_ON_THE_GAME if turn is None else MOST_ON_A_PLAYER)
    except TextTooLong:
        raise RoomRefused("too_long") from None
    page = room.notebook.pages.get(member.id, Page())
    if written == (page.text if turn is None else page.on(turn).text):
        return
    _not_too_fast(room, member, now)
    room.record(NoteWritten(member.id, turn, written, now))


def share_notes(room: Room, member: Member, on: bool, now: int) -> None:
    """By one's own wish alone, after the end, and as they are now: what is written later is again one's own."""
    running = _running(room, member)
    if member.seat is None:
        raise RoomRefused("not_seated")
    if not running.is_over:
        raise RoomRefused("wrong_phase")
    _not_too_fast(room, member, now)
    room.record(NotesShared(member.id, running.turn_of(member.seat), on, now))


def _may_note(room: Room, member: Member) -> bool:
    return member.seat is not None or room.settings.spectators


def _running(room: Room, member: Member) -> Running:
    if room.running is None:
        raise RoomRefused("not_started")
    if not _may_note(room, member):
        raise RoomRefused("no_spectators")
    return room.running


def _is_final(running: Running, member: Member) -> bool:
    """For those who play: who watches may see the end later than it is, and must not learn of it here."""
    return running.is_over and member.seat is not None


def _check_player(running: Running, member: Member, turn: Turn) -> None:
    own = None if member.seat is None else running.turn_of(member.seat)
    if turn == own or not 1 <= turn <= len(running.deal.seats):
        raise RoomRefused("unknown_seat")


def _not_too_fast(room: Room, member: Member, now: int) -> None:
    refuse_flood(room.notebook.written.get(member.id, ()), BURST, MS_PER_NOTE, now)
