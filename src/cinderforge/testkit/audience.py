"""Holds what each socket is told against what had been kept by then, and against what its person may know."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

import msgspec

from cinderforge.redaction.shapes import TableView
from cinderforge.redaction.view import player_view
from cinderforge.room.inputs import SessionKey, SocketId
from cinderforge.room.outputs import Tell, TellLines
from cinderforge.room.picture import member_view, room_view
from cinderforge.room.room import Room
from cinderforge.room.seats import Member
from cinderforge.room.shapes import LineView, RoomView
from cinderforge.testkit.ledger import Ledger, must
from cinderforge.testkit.people import Person


@dataclass(slots=True)
class Audience:
    """`shown` is what could be seen when, for those who see a game later: server time, news so far, table."""

    ledger: Ledger
    people: dict[SessionKey, Person]
    shown: deque[tuple[int, int, TableView | None]] = field(default_factory=deque)
    _checked: tuple[RoomView, bytes] | None = None

    def of(self, socket: SocketId) -> Person:
        person = next((one for one in self.people.values() if one.socket == socket), None)
        must(person, "only open sockets are told anything", socket)
        assert person
        return person

    def member(self, person: Person) -> Member | None:
        return self.ledger.room.seats.of_session(person.session)

    def is_late(self, member: Member | None) -> bool:
        kept = self.ledger.room
        return bool(kept.settings.spectator_delay) and kept.running is not None and (not member or member.seat is None)

    def note(self, now: int, lines: int) -> None:
        """After something was kept: from now on this could be seen, and lines behind number `lines` read."""
        self._owe(lines)
        running = self.ledger.room.running
        if running is None:
            self.shown.clear()
            return
        self.shown.append((now, len(self.ledger.public), running.shown))

    # -- pictures ------------------------------------------------------------------------------------------------------

    def tell(self, tell: Tell, now: int) -> None:
        person = self.of(tell.socket)
        member = self.member(person)
        person.last = tell
        self._check_secrets(tell, member)
        must(tell.member.member == (member.id if member else None), "a picture is its receiver's own", tell.member)
        in_vain = member is None or (member.seat is None and not self.ledger.room.settings.spectators)
        if member is None or in_vain or self.ledger.room.running is None:
            must(tell.table is None and tell.player is None, "who may not watch sees nothing of a game", person.name)
            must(not tell.news and tell.heard == 0, "who may not watch hears nothing of a game", person.name)
            person.game, person.news = tell.game, []
            return
        self._check_table(tell, member, now)
        self._hear(tell, person)

    def _check_table(self, tell: Tell, member: Member, now: int) -> None:
        running = self.ledger.room.running
        assert running
        mine = player_view(running.state, running.turn_of(member.seat)) if member.seat is not None else None
        must(tell.player == mine, "one sees what one may know", (tell.player, mine))
        if not self.is_late(member):
            must(tell.table == running.shown, "what is told has been kept", tell.table)
            must(tell.heard == len(self.ledger.public), "a picture has all the news", (tell.heard, self.ledger.public))
            return
        edge = now - self.ledger.room.settings.spectator_delay * 1000
        seen = [at for at, heard, table in self.shown if heard == tell.heard and table == tell.table]
        must(seen, "who watches sees a moment that has been", (tell.heard, tell.table))
        must(min(seen) <= max(edge, self.shown[0][0]), "who watches sees the game late", (min(seen), edge))

    def _hear(self, tell: Tell, person: Person) -> None:
        if tell.fresh or tell.game != person.game:
            must(tell.fresh, "another game's news starts over", tell.game)
            person.game, person.news = tell.game, []
        person.news += tell.news
        must(len(person.news) == tell.heard, "the news has no gap", (len(person.news), tell.heard))
        known = self.ledger.public[tell.heard - len(tell.news) : tell.heard]
        must(known == list(tell.news), "the news is what happened", tell.news)

    def _check_secrets(self, tell: Tell, member: Member | None) -> None:
        """What nobody may be told, looked for in the bytes of the public half."""
        kept = self.ledger.room
        is_host = member is not None and member.id == kept.seats.host
        must(is_host or not tell.member.banned, "who was removed is the host's to know", tell.member)
        self._check_notes(tell, member)
        must(tell.member.host == is_host, "a picture is its receiver's own", tell.member)
        if self._checked is None or self._checked[0] is not tell.room:
            self._checked = (tell.room, msgspec.json.encode(tell.room))
        written = self._checked[1].decode()
        must(kept.bots_seed not in written, "a secret is never told", "the AIs' chance")
        must("session-" not in written, "a secret is never told", "a session")
        if kept.running is None or not kept.running.is_over:
            mixed = [one.hex() for one in kept.contributions.values()]
            mixed += [one.hex() for one in kept.running.contributions] if kept.running else []
            must(kept.secret.hex() not in written, "a secret is told after the end", "the game's")
            must(not any(one in written for one in mixed), "a secret is told after the end", "contributions")

    def _check_notes(self, tell: Tell, member: Member | None) -> None:
        """One's own picture has all that one has noted, and nobody else's has any of it."""
        shared = {notes.turn for notes in tell.room.notes}
        must(not shared or tell.room.stage == "over", "notes are opened after the end", tell.room.stage)
        if not self.is_late(member):
            must(shared == self.ledger.may_see_notes, "notes are seen by consent", shared)
        seen = tell.member.notes
        kept = {turn: what for (whose, turn), what in self.ledger.noted.items() if member and whose == member.id}
        if member is None or seen is None:
            must(seen is None and not kept, "one's notes are one's own", (member, kept))
            return
        found = {mark.turn: [mark.faction, mark.role, mark.trust, mark.text] for mark in seen.marks}
        mine = {
            turn: what for turn, what in kept.items() if turn is not None and any(one not in (None, "") for one in what)
        }
        must(found == mine, "one's notes are one's own", (member, found, mine))
        must(seen.text == kept.get(None, [""])[-1], "one's notes are one's own", (member, seen.text))

    def check_pictures(self, room: Room, now: int) -> None:
        """Nobody's picture is stale: it shows what a reload would show now. `now`: until when the alarm has rung."""
        present: RoomView | None = None
        same: RoomView | None = None
        for person in self.people.values():
            if person.last is None:
                continue
            member = self.member(person)
            mine = member_view(room, member, person.last.room.stage)
            must(person.last.member == mine, "nobody's own picture is stale", (person.name, person.last.member, mine))
            if self.is_late(member):
                self._check_not_too_late(person, now)
                continue
            present = present or room_view(room)
            if person.last.room is not same:
                must(person.last.room == present, "nobody's picture is stale", (person.name, person.last.room, present))
                same = person.last.room

    def _check_not_too_late(self, person: Person, now: int) -> None:
        edge = now - self.ledger.room.settings.spectator_delay * 1000
        due = max((heard for at, heard, _ in self.shown if at <= edge), default=0)
        if self.member(person) and self.ledger.room.settings.spectators:
            must(len(person.news) >= due, "who watches late sees all in time", (person.name, len(person.news), due))

    # -- talk ----------------------------------------------------------------------------------------------------------

    def tell_lines(self, tell: TellLines, now: int) -> None:
        person = self.of(tell.socket)
        member = self.member(person)
        must(member, "who is no member reads nothing", person.name)
        assert member
        numbers = [line.n for line in tell.lines]
        must(numbers == sorted(set(numbers)), "lines come in order", numbers)
        for line in tell.lines:
            must(self._may_read(member, line), "one reads what is meant for one", (member, line))
            # A report that waits for the end of a game may come again to a host who was away for a while.
            must(line.n not in person.read or line.kind == "report", "a line comes once", line)
            late = self.is_late(member) and line.channel == "table"
            delay = self.ledger.room.settings.spectator_delay * 1000
            must(not late or line.at <= now - delay, "who watches reads the table's lines late", line)
        person.read.update(numbers)
        person.lines = tell.latest

    def _may_read(self, member: Member, line: LineView) -> bool:
        seats = self.ledger.room.seats
        if line.channel == "watchers" and member.seat is not None:
            return False
        if line.kind == "report":
            about = self.ledger.room.conversation.about[line.n]
            plays = member.seat is not None and self.ledger.room.stage == "game"
            return member.id == line.member or (member.id == seats.host and member.id != about and not plays)
        if line.kind != "notice" and line.channel == "table" and self._waits_in_vain(member):
            return False
        return line.kind == "notice" or line.member not in seats.muted.get(member.id, ())

    def _waits_in_vain(self, member: Member) -> bool:
        """Where nobody may watch, who only waits for a chair hears nothing of a game that is on."""
        kept = self.ledger.room
        return member.seat is None and kept.stage == "game" and not kept.settings.spectators

    def _owe(self, before: int) -> None:
        """Lines behind `before` must come to whoever may read them, is here and sees nothing late."""
        if before == self.ledger.room.conversation.latest:
            return
        new = [line for line in self.ledger.room.conversation.all() if line.n > before]
        for person in self.people.values():
            member = self.member(person)
            if person.socket is not None and member is not None and not self.is_late(member):
                person.owed.update(line.n for line in new if self._may_read(member, line))

    def check_lines(self) -> None:
        for person in self.people.values():
            must(person.owed <= person.read, "every line arrives", (person.name, person.owed - person.read))
