"""One room as a machine: `take` an input, get the outputs. Inputs come one after the other; nothing here waits.

What happened is folded from events alone (`room/state.py`), so that a room read back from its log is the room that was
left. Only who is connected is not kept: after a restart nobody is, until they come back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Final, Literal, assert_never

from cinderforge.room import absence, playing, questions, speeches, telling, waiting, waits, wanting, wishes
from cinderforge.room.archive import record_text
from cinderforge.room.closing import Closing
from cinderforge.room.events import (
    BackToWaiting,
    Came,
    Claimed,
    ClaimedByAi,
    CommandsDone,
    Happened,
    HostIs,
    Muted,
    NoteWritten,
    Opened,
    Paused,
    Reported,
    Resumed,
    RoomEvent,
    Said,
    SecretDrawn,
    Suspected,
    WaitBegan,
)
from cinderforge.room.inputs import (
    AiSpoke,
    Arrived,
    Asked,
    BotAnswered,
    Input,
    SessionKey,
    SocketId,
    TimeIsUp,
    Vanished,
)
from cinderforge.room.keeping import plain
from cinderforge.room.outputs import Answer, Archive, CloseRoom, Keep, Output, SayBye, WakeAt
from cinderforge.room.presence import Attendance, Presence
from cinderforge.room.refused import RoomRefused
from cinderforge.room.seats import Member
from cinderforge.room.shapes import MemberId, WaitKind
from cinderforge.room.state import REMEMBERED_COMMANDS, RoomState
from cinderforge.rules.events import Event
from cinderforge.rules.luck import SECRET_BYTES
from cinderforge.rules.rejection import Rejected
from cinderforge.rules.state import GameState
from cinderforge.rules.words import Seat

BOTS_SEED_BYTES: Final = 16

IN_NO_PICTURE: Final = (Said, Claimed, ClaimedByAi, Reported, Muted, Suspected, NoteWritten)
"""What changes nobody's picture but at most its doer's own."""

Entropy = Callable[[int], bytes]
"""So many fresh random bytes: the server's, or a test's."""


class Room(RoomState):
    """What follows from the log is the state; here is what no log holds, and the way from each input to its outputs."""

    def __init__(self, code: str, entropy: Entropy) -> None:
        super().__init__(code)
        self.entropy = entropy
        self.attendance = Attendance()
        self.telling = telling.Telling()
        self.questions = questions.Questions()
        self.speeches = speeches.Speeches()
        self.closing = Closing()
        self._new: list[RoomEvent] = []
        """Recorded by the present input, and not yet handed on to be kept."""
        self._unkept: list[str] = []
        """Commands that were done and changed nothing. Their ids are kept with the next change: before it, they would
        change nothing a second time, either."""
        self._just_ended = False
        """A game has ended whose record has not been handed on yet."""
        self._alarm: int | None = None

    # -- reading back --------------------------------------------------------------------------------------------------

    @classmethod
    def open(cls, code: str, host: SessionKey, name: str, entropy: Entropy, now: int) -> tuple[Room, Keep]:
        """A new room whose host sits in seat 1 (R2.1). Raises RoomRefused for a name that cannot be shown."""
        room = cls(code, entropy)
        room.now = room.closing.busy_at = now
        room.record(Opened(code, now))
        room.record(Came(MemberId(1), host, waiting.named(room, name), Seat(1)), HostIs(MemberId(1)))
        room.draw_secret()
        kept = Keep(tuple(room._new), None, now)
        room._new = []
        room.attendance.note(room.seats, now)
        return room, kept

    @classmethod
    def read_back(cls, code: str, entropy: Entropy, log: Iterable[tuple[RoomEvent, str | None, int]]) -> Room:
        """The room that a log tells of: its events, each with the id of the command that caused it and its time."""
        room = cls(code, entropy)
        for event, command, at in log:
            if at != room.now:
                telling.remember(room, room.now)
            room.fold(event, command, at)
        telling.remember(room, room.now)
        return room

    def fold(self, event: RoomEvent, command: str | None, at: int) -> None:
        """One entry of the log."""
        self.now = at
        self.apply(event)
        if command is not None:
            self.remember(command)

    def resume(self, last: int, now: int) -> list[Output]:
        """After an outage: the open wait gets back the time that was lost; AIs are asked anew, records put again."""
        self.now = self.closing.busy_at = now
        if self.wait and (self.wait.until is not None or self.wait.is_paused):
            self.record(Resumed(max(0, now - last)))
        outputs = self._kept(None)
        self._just_ended = self.running is not None and self.running.is_over
        self.attendance.note(self.seats, now)
        outputs += [*questions.ask(self, now), *speeches.ask(self, now)]
        return [*outputs, *self._archives(), *self._alarm_set()]

    # -- the one way in ------------------------------------------------------------------------------------------------

    def take(self, what: Input, now: int) -> list[Output]:
        """What follows from an input at this server time in ms."""
        self.now = now
        match what:
            case Arrived():
                outputs = self._arrived(what, now)
            case Vanished(socket):
                outputs = self._vanished(socket, now)
            case Asked():
                outputs = self._asked_for(what, now)
            case TimeIsUp():
                self._alarm = None
                outputs = self._time_is_up(now)
            case BotAnswered():
                outputs = self._bot_answered(what, now)
            case AiSpoke():
                outputs = self._ai_spoke(what, now)
            case _:
                assert_never(what)
        return outputs + self._alarm_set()

    def _arrived(self, what: Arrived, now: int) -> list[Output]:
        """A socket joins; the newest of a session wins, and the other is told plainly (R10.3)."""
        if self.seats.is_banned(what.session):
            return [SayBye(what.socket, "kicked")]
        lines = what.lines if 0 <= what.lines <= self.conversation.newest(now) else 0  # a number that cannot be ours
        presence = Presence(what.session, what.game, what.heard, lines, lines, lines)
        older = self.attendance.enter(what.socket, presence)
        farewell: list[Output] = [] if older is None else [SayBye(older, "replaced")]
        member = self.seats.of_session(what.session)
        self.closing.busy_at = now
        if member is None:
            return farewell + telling.tell(self, now, what.socket)
        presence.withheld = self.conversation.withheld(self.seats, member.id, lines)
        was_missed = member.id in self.attendance.shown_away or member.left
        self.attendance.note(self.seats, now)
        if self.seats.host is None:
            self.record(HostIs(member.id))
        absence.come_back(self, member)
        absence.settle(self, now)
        wanting.seat_who_wants(self)
        if self._new or was_missed:
            return self._close_step(None, now, farewell, seen_anew=True)
        return [*farewell, *telling.tell(self, now, what.socket), *telling.tell_lines(self, now)]

    def _vanished(self, socket: SocketId, now: int) -> list[Output]:
        """That alone changes nothing: a member is seen as away, or played by an AI, only after a while (R10)."""
        if self.attendance.leave(socket) is not None:
            self.attendance.note(self.seats, now)
        return []

    def here(self) -> set[MemberId]:
        """The members who have a socket now."""
        return {m.id for m in self.seats.members.values() if self.attendance.has(m)}

    def _asked_for(self, asked: Asked, now: int) -> list[Output]:
        presence = self.attendance.sockets.get(asked.socket)
        if presence is None:
            return []
        command = f"{presence.session[:16]}:{asked.id}"
        if command in self.done:
            return [Answer(asked.socket, asked.id)]
        try:
            farewell = wishes.grant(self, asked.wish, presence.session, now)
        except (RoomRefused, Rejected) as refused:
            assert not self._new, "a refusal changes nothing"
            detail = refused.detail if isinstance(refused, RoomRefused) else ""
            code = refused.code if isinstance(refused, RoomRefused) else refused.code.value
            return [Answer(asked.socket, asked.id, code, detail)]
        self.closing.busy_at = now
        self.remember(command)
        return self._close_step(command, now, [Answer(asked.socket, asked.id), *farewell])

    def _bot_answered(self, answer: BotAnswered, now: int) -> list[Output]:
        if not questions.is_open(self, answer):
            return []
        playing.move_of_ai(self, answer.turn, answer.command)
        return self._close_step(None, now)

    def _ai_spoke(self, what: AiSpoke, now: int) -> list[Output]:
        """What cannot be said any more is not said; nobody hears of it."""
        with suppress(RoomRefused):
            speeches.say(self, what, now)
        return self._close_step(None, now)

    def _time_is_up(self, now: int) -> list[Output]:
        """Does everything that is due by now: an alarm may ring early, late or twice."""
        if any(now >= due for due in self.closing.due(self.stage)):
            self.closing.is_closed = True
            return [CloseRoom()]
        changed_picture = self.attendance.show(now)
        waiting.look_after_host(self, now)
        waiting.forget_watchers(self, now)
        absence.look_after(self, now)
        wait = self.wait
        if wait and wait.until is not None and now >= wait.until:
            if wait.kind == "mixing":
                playing.deal(self)
            elif self.running and self.wait_key == waits.key_of(self.running.shown):  # else it has just ended
                playing.run_out(self, wait.kind)
        if changed_picture or self._new:
            return self._close_step(None, now, seen_anew=changed_picture)
        return [*telling.tell_late(self, now), *telling.tell_lines(self, now)]

    def _alarm_set(self) -> list[Output]:
        """The room's one alarm, when it has changed: the earliest of all that will be due."""
        self.closing.note(self.now, is_empty=not self.here())
        times = [
            *self.closing.due(self.stage),
            *waiting.host_due(self),
            *self.attendance.due(),
            *absence.due(self),
            *waiting.watchers_due(self),
            *telling.due(self),
        ]
        if self.wait and self.wait.until is not None:
            times.append(self.wait.until)
        earliest = None if self.closing.is_closed else min(times, default=None)
        if earliest == self._alarm:
            return []
        self._alarm = earliest
        return [WakeAt(earliest)]

    # -- what happens --------------------------------------------------------------------------------------------------

    def record(self, *events: RoomEvent) -> None:
        """Something happens: it is folded at once, and kept with the next outputs."""
        for event in events:
            self.apply(event)
            self._new.append(event)

    def happened(self, events: list[Event], state: GameState) -> None:
        """What `record(Happened(…))` does, without folding again what the rules have folded already."""
        assert self.running
        self.running.advance(events, state)
        self._new.append(Happened(plain(events)))
        self.end_if_over()
        self._just_ended = self.running.is_over
        if self._just_ended:
            self.closing.busy_at = max(self.closing.busy_at, self.now)  # a game may end by the clock alone

    def apply(self, event: RoomEvent) -> None:
        """Folds what happened, and lets go of what it makes void."""
        super().apply(event)
        match event:
            case WaitBegan() | Paused():
                self.questions.open.clear()
            case BackToWaiting():
                self.telling.moments.clear()
            case _:
                pass

    def draw_secret(self) -> None:
        """Chance for the coming game (R3.4)."""
        self.record(SecretDrawn(self.entropy(SECRET_BYTES).hex(), self.entropy(BOTS_SEED_BYTES).hex()))

    def begin_wait(self, kind: WaitKind, seconds: int | None, now: int) -> None:
        """The table waits from now on; `seconds` None is without a limit."""
        whole = None if seconds is None else seconds * 1000
        until = None if whole is None else now + whole
        self.record(WaitBegan(self.waits_so_far + 1, kind, until, whole))

    def _next_wait(self, now: int) -> None:
        """Every wait owns exactly one deadline, read off the public table."""
        if self.running is None or self.wait_key == waits.key_of(self.running.shown):
            return
        kind = waits.kind_of(self.running.shown)
        if kind is not None:
            self.begin_wait(kind, waits.seconds_of(self.running.shown, self.settings.timers), now)

    # -- the one way out -----------------------------------------------------------------------------------------------

    def _close_step(
        self, command: str | None, now: int, answers: Sequence[Output] = (), *, seen_anew: bool = False
    ) -> list[Output]:
        """After an input: the next wait, then keep, answer, archive, tell and ask, in this order.

        `seen_anew`: the picture has changed although nothing is to be kept, as somebody is seen to be away.
        """
        wanting.seat_who_wants(self)
        self._next_wait(now)  # what is voted on is about it
        absence.settle(self, now)
        self._next_wait(now)
        self.attendance.note(self.seats, now)
        changed = seen_anew or bool(self._new)
        is_own = not seen_anew and all(isinstance(event, IN_NO_PICTURE) for event in self._new)
        outputs = self._kept(command)
        outputs += answers
        if not changed:
            return outputs
        if is_own:  # who does not hear a line, or whose note it is not, must not notice it
            return [*outputs, *telling.tell_own(self, now), *telling.tell_lines(self, now)]
        outputs += self._archives()  # who hears that the game is over may ask for its record at once
        outputs += telling.tell(self, now)
        outputs += telling.tell_lines(self, now)
        return [*outputs, *questions.ask(self, now), *speeches.ask(self, now)]

    def _kept(self, command: str | None) -> list[Output]:
        if not self._new:
            if command is not None:
                self._unkept = [*self._unkept[1 - REMEMBERED_COMMANDS :], command]
            return []
        if self._unkept:
            self.record(CommandsDone(self._unkept))
            self._unkept = []
        kept = Keep(tuple(self._new), command, self.now)
        self._new = []
        return [kept]

    def _archives(self) -> list[Output]:
        running = self.running
        if running is None or not self._just_ended:
            return []
        self._just_ended = False
        return [Archive(running.number, record_text(running, self.seats))]

    def dismiss(self, member: Member, why: Literal["left", "kicked"]) -> list[SayBye]:
        """A member's socket, if there is one, is told why it is closed; it counts as gone at once."""
        socket = self.attendance.socket_of(member.session)
        if socket is None:
            return []
        self.attendance.leave(socket)
        return [SayBye(socket, why)]
