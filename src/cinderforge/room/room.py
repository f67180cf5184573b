"""One room as a machine: `take` an input, get the outputs. Inputs come one after the other; nothing here waits.

What happened is folded from events alone (`apply`), so that a room read back from its log is the room that was left.
Only who is connected is not kept: after a restart nobody is, until they come back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final, Literal, assert_never

from cinderforge.bots.pace import delay
from cinderforge.redaction.recollection import recollection
from cinderforge.redaction.shapes import View
from cinderforge.redaction.view import player_view
from cinderforge.room import absence, notebook, talking, telling, waiting, waits
from cinderforge.room.archive import record_text
from cinderforge.room.events import (
    BackToWaiting,
    Came,
    Claimed,
    Cleared,
    CommandsDone,
    Contributed,
    Dealt,
    Filled,
    Happened,
    HostIs,
    Left,
    Looked,
    MixingBegan,
    Muted,
    NotesShared,
    NoteWritten,
    Opened,
    Pardoned,
    Paused,
    Polled,
    ReadyIs,
    Renamed,
    Reported,
    Resumed,
    Returned,
    RoomEvent,
    Said,
    Sat,
    SecretDrawn,
    SettingsChanged,
    StandInBegan,
    StandInEnded,
    StartHeld,
    Suspected,
    Unpaused,
    WaitBegan,
    Went,
)
from cinderforge.room.inputs import (
    Arrived,
    Asked,
    BotAnswered,
    Change,
    Clear,
    Contribute,
    Fill,
    HandOn,
    Hold,
    Input,
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
    SocketId,
    Start,
    TimeIsUp,
    Vanished,
    Watch,
)
from cinderforge.room.keeping import plain, unplain
from cinderforge.room.outputs import (
    Answer,
    Archive,
    AskBot,
    CloseRoom,
    Keep,
    Output,
    SayBye,
    WakeAt,
)
from cinderforge.room.presence import Attendance, Presence
from cinderforge.room.refused import RoomRefused
from cinderforge.room.running import Running
from cinderforge.room.seats import Member, Seats
from cinderforge.room.settings import (
    RoomSettings,
    changed,
    first_settings,
)
from cinderforge.room.shapes import MemberId, PollKind, Stage, WaitKind
from cinderforge.room.telling import Telling
from cinderforge.rules.commands import (
    ClockCommand,
    Command,
    EndAnnouncement,
    EndNight,
    EndReveal,
    TimeOut,
)
from cinderforge.rules.events import Event
from cinderforge.rules.game import offers, take, take_clock
from cinderforge.rules.luck import CONTRIBUTION_BYTES, MAX_CONTRIBUTION_BYTES, SECRET_BYTES
from cinderforge.rules.offers import commands_of
from cinderforge.rules.rejection import Rejected
from cinderforge.rules.state import GameState, awaited
from cinderforge.rules.words import How, Seat, Turn

REMEMBERED_COMMANDS: Final = 2000
BOTS_SEED_BYTES: Final = 16
HOST_GRACE: Final = 30_000
"""How long, in ms, a host may be away before another takes over (R2.5)."""
EMPTY_GRACE: Final = 1_800_000
"""How long, in ms, a room without any person stays open (R2.5)."""
IDLE_GRACE: Final = 3_600_000
"""How long, in ms, a room stays open in which no game is on and nobody does anything."""

IN_NO_PICTURE: Final = (Said, Claimed, Reported, Muted, Suspected, NoteWritten)
"""What changes nobody's picture but at most its doer's own."""

Entropy = Callable[[int], bytes]
"""So many fresh random bytes: the server's, or a test's."""


@dataclass(frozen=True, slots=True)
class Wait:
    """The one thing that the table waits for, and its one deadline. Times are server times or lengths, in ms."""

    number: int
    kind: WaitKind
    until: int | None
    whole: int | None
    is_paused: bool = False
    paused_at: int = 0
    left: int | None = None
    """What was to go when the wait was paused; None without a limit."""


class Room:
    """See the module. What follows from the log alone stands first; what no log holds stands apart."""

    def __init__(self, code: str, entropy: Entropy) -> None:
        self.code = code
        self.entropy = entropy
        self.seats = Seats()
        self.settings: RoomSettings = first_settings()
        self.stage: Stage = "waiting"
        self.secret = b""
        self.bots_seed = ""
        self.contributions: dict[MemberId, bytes] = {}
        self.games = 0
        self.running: Running | None = None
        self.wait: Wait | None = None
        self.waits_so_far = 0
        self.votes: dict[tuple[PollKind, Seat | None], set[MemberId]] = {}
        self.conversation = talking.Conversation()
        self.notebook = notebook.Notebook()
        self.done: dict[str, None] = {}
        self._wait_key: tuple[object, ...] | None = None

        self.attendance = Attendance()
        self.telling = Telling()
        self._now = 0
        """When the present input came, for what is folded from it."""
        self._new: list[RoomEvent] = []
        """Recorded by the present input, and not yet handed on to be kept."""
        self._unkept: list[str] = []
        """Commands that were done and changed nothing. Their ids are kept with the next change: before it, they would
        change nothing a second time, either."""
        self._asked: dict[Turn, tuple[int, Turn | None]] = {}
        """Which question each AI has before it, and whose row lay before it then."""
        self._questions = 0
        self._just_ended = False
        self._alarm: int | None = None
        self._empty_since: int | None = None
        self._is_closed = False
        self._busy_at = 0
        """When somebody last did something."""

    # -- reading back --------------------------------------------------------------------------------------------------

    @classmethod
    def open(cls, code: str, host: SessionKey, name: str, entropy: Entropy, now: int) -> tuple[Room, Keep]:
        """A new room whose host sits in seat 1 (R2.1). Raises RoomRefused for a name that cannot be shown."""
        room = cls(code, entropy)
        room._now = room._busy_at = now
        room.record(Opened(code, now))
        room.record(Came(MemberId(1), host, waiting.named(room, name), Seat(1)), HostIs(MemberId(1)))
        room._draw_secret()
        kept = Keep(tuple(room._new), None, now)
        room._new = []
        room.attendance.note(room.seats, now)
        return room, kept

    @classmethod
    def read_back(cls, code: str, entropy: Entropy, log: Iterable[tuple[RoomEvent, str | None, int]]) -> Room:
        """The room that a log tells of: its events, each with the id of the command that caused it and its time."""
        room = cls(code, entropy)
        for event, command, at in log:
            if at != room._now:
                telling.remember(room, room._now)
            room.fold(event, command, at)
        telling.remember(room, room._now)
        return room

    def fold(self, event: RoomEvent, command: str | None, at: int) -> None:
        """One entry of the log."""
        self._now = at
        self.apply(event)
        if command is not None:
            self._remember(command)

    def resume(self, last: int, now: int) -> list[Output]:
        """After an outage: the open wait gets back the time that was lost; AIs are asked anew, records put again."""
        self._now = self._busy_at = now
        if self.wait and (self.wait.until is not None or self.wait.is_paused):
            self.record(Resumed(max(0, now - last)))
        outputs = self._kept(None)
        self._just_ended = self.running is not None and self.running.is_over
        self.attendance.note(self.seats, now)
        return [*outputs, *self._questions_to_ais(now), *self._archives(), *self._alarm_set()]

    # -- the one way in ------------------------------------------------------------------------------------------------

    def take(self, what: Input, now: int) -> list[Output]:
        """What follows from an input at this server time in ms."""
        self._now = now
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
            case BotAnswered(ask, turn, command):
                outputs = self._bot_answered(ask, turn, command, now)
            case _:
                assert_never(what)
        return outputs + self._alarm_set()

    def _arrived(self, what: Arrived, now: int) -> list[Output]:
        """A socket joins; the newest of a session wins, and the other is told plainly (R10.3)."""
        if self.seats.is_banned(what.session):
            return [SayBye(what.socket, "kicked")]
        lines = what.lines if 0 <= what.lines <= self.conversation.latest else 0  # a count that cannot be ours
        presence = Presence(what.session, what.game, what.heard, lines, lines)
        older = self.attendance.enter(what.socket, presence)
        farewell: list[Output] = [] if older is None else [SayBye(older, "replaced")]
        member = self.seats.of_session(what.session)
        self._busy_at = now
        if member is None:
            return farewell + telling.tell(self, now, what.socket)
        presence.withheld = self.conversation.withheld(self.seats, member.id, lines)
        was_missed = member.id in self.attendance.shown_away or member.left
        self.attendance.note(self.seats, now)
        if self.seats.host is None:
            self.record(HostIs(member.id))
        absence.come_back(self, member)
        absence.settle(self, now)
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
            farewell = self._do(asked, presence.session, now)
        except (RoomRefused, Rejected) as refused:
            assert not self._new, "a refusal changes nothing"
            detail = refused.detail if isinstance(refused, RoomRefused) else ""
            code = refused.code if isinstance(refused, RoomRefused) else refused.code.value
            return [Answer(asked.socket, asked.id, code, detail)]
        self._busy_at = now
        self._remember(command)
        return self._close_step(command, now, [Answer(asked.socket, asked.id), *farewell])

    def _time_is_up(self, now: int) -> list[Output]:
        """Does everything that is due by now: an alarm may ring early, late or twice."""
        if self._is_over_and_done(now):
            self._is_closed = True
            return [CloseRoom()]
        changed_picture = self.attendance.show(now)
        self._look_after_host(now)
        waiting.forget_watchers(self, now)
        absence.look_after(self, now)
        wait = self.wait
        if wait and wait.until is not None and now >= wait.until:
            if wait.kind == "mixing":
                self._deal()
            elif self.running and self._wait_key == waits.key_of(self.running.shown):  # else it has just ended
                for command in self._overdue(wait.kind):
                    self._clock(command)
        if changed_picture or self._new:
            return self._close_step(None, now, seen_anew=changed_picture)
        return [*telling.tell_late(self, now), *telling.tell_lines(self, now)]

    def _is_over_and_done(self, now: int) -> bool:
        """A room without any person, or where no game is on and nobody does anything, is closed (R2.5)."""
        return any(now >= due for due in self._closing())

    def _closing(self) -> list[int]:
        """When the room will be closed if nothing happens; server times in ms."""
        times = [] if self._empty_since is None else [self._empty_since + EMPTY_GRACE]
        if self.stage in ("waiting", "over"):
            times.append(self._busy_at + IDLE_GRACE)
        return times

    def _host_due(self) -> list[int]:
        host = self.seats.host
        if host is None or host not in self.attendance.away or self.seats.heir(self.here()) is None:
            return []
        return [self.attendance.away[host] + HOST_GRACE]

    def _look_after_host(self, now: int) -> None:
        """The host's role goes on when the host stays away (R2.5)."""
        if any(now >= due for due in self._host_due()):
            self.record(HostIs(self.seats.heir(self.here())))

    def _alarm_set(self) -> list[Output]:
        """The room's one alarm, when it has changed: the earliest of all that will be due."""
        if self.here():
            self._empty_since = None
        elif self._empty_since is None:
            self._empty_since = self._now
        times = [
            *self._closing(),
            *self._host_due(),
            *self.attendance.due(),
            *absence.due(self),
            *waiting.watchers_due(self),
            *telling.due(self),
        ]
        if self.wait and self.wait.until is not None:
            times.append(self.wait.until)
        earliest = None if self._is_closed else min(times, default=None)
        if earliest == self._alarm:
            return []
        self._alarm = earliest
        return [WakeAt(earliest)]

    def _bot_answered(self, ask: int, turn: Turn, command: Command, now: int) -> list[Output]:
        """An AI's move counts while its question is open; what is not on offer is replaced by the first legal command.

        The question is void once a person has taken the chair over, or the wait has passed or stands still.
        """
        running = self.running
        asked = self._asked.get(turn)
        if running is None or asked is None or asked[0] != ask or turn not in awaited(running.table):
            return []
        seat = running.seat_of(turn)
        how = How.OWN if seat in self.seats.ais else How.STAND_IN
        try:
            self._move(turn, command, how)
        except Rejected:
            offer = offers(running.state, turn)
            assert offer is not None
            self._move(turn, commands_of(offer)[0], how)
        return self._close_step(None, now)

    # -- what may be asked ---------------------------------------------------------------------------------------------

    def _do(self, asked: Asked, session: SessionKey, now: int) -> list[SayBye]:
        """Does what was asked, or raises; gives the farewells that follow from it."""
        wish = asked.wish
        member = self.seats.of_session(session)
        match wish:
            case Join(name):
                waiting.join(self, session, member, name)
            case Watch(name):
                waiting.watch(self, session, member, name)
            case Rename(name):
                waiting.rename(self, _known(member), name)
            case Leave():
                return waiting.leave(self, _known(member))
            case Fill(seat, level):
                self._host(member)
                waiting.fill(self, seat, level)
            case Clear(seat):
                self._host(member)
                waiting.clear(self, seat)
            case Kick(other):
                return waiting.kick(self, self._host(member), other)
            case LetBack(other):
                self._host(member)
                waiting.let_back(self, other)
            case HandOn(other):
                waiting.hand_on(self, self._host(member), other)
            case Change(settings):
                self._host(member)
                waiting.change(self, settings)
            case Ready(ready):
                waiting.be_ready(self, _known(member), ready)
            case Start():
                self._host(member)
                waiting.start(self, now)
            case Hold():
                waiting.hold(self, _known(member))
            case Contribute(given):
                self._mix_in(_known(member), given)
            case Seen():
                self._looked(_known(member))
            case Poll(poll, seat, on):
                absence.cast(self, _known(member), poll, seat, on)
            case Say(text, sure):
                talking.say(self, _known(member), text, sure, now, telling.stage_seen(self, member, now))
            case Phrase(phrase):
                talking.phrase(self, _known(member), phrase, now, telling.stage_seen(self, member, now))
            case MakeClaim(claim):
                talking.claim(self, _known(member), claim, now, telling.stage_seen(self, member, now))
            case Mute(other, on):
                talking.mute(self, _known(member), other, on)
            case Report(other, text):
                talking.report(self, _known(member), other, text, now)
            case Mark():
                notebook.mark(self, _known(member), wish, now)
            case Note(turn, text):
                notebook.note(self, _known(member), turn, text, now)
            case ShareNotes(on):
                notebook.share_notes(self, _known(member), on, now)
            case Rematch():
                self._host(member)
                self._rematch()
            case Move(command):
                self._move_of(self._player(member), command)
            case _:
                assert_never(wish)
        return []

    def _host(self, member: Member | None) -> Member:
        if member is None or member.id != self.seats.host:
            raise RoomRefused("not_host")
        return member

    def _player(self, member: Member | None) -> Turn:
        if member is None or member.seat is None:
            raise RoomRefused("not_seated")
        if self.running is None or self.stage not in ("game", "over"):
            raise RoomRefused("not_started")
        return self.running.turn_of(member.seat)

    # -- the game ------------------------------------------------------------------------------------------------------

    def _mix_in(self, member: Member, given: str) -> None:
        if self.stage != "mixing" or member.seat is None:
            raise RoomRefused("wrong_phase")
        if member.id in self.contributions:
            return
        try:
            mixed = bytes.fromhex(given)
        except ValueError:
            raise RoomRefused("malformed", "bytes: hex") from None
        if not CONTRIBUTION_BYTES <= len(mixed) <= MAX_CONTRIBUTION_BYTES:
            raise RoomRefused(
                "malformed",
                f"bytes: {CONTRIBUTION_BYTES} to {MAX_CONTRIBUTION_BYTES} of them",
            )
        self.record(Contributed(member.id, mixed.hex()))
        if len(self.seats.seated()) == 1:
            self._deal()  # nobody else has to be given time to call the start off

    def _deal(self) -> None:
        by_seat = sorted(self.contributions, key=lambda member: self.seats.members[member].seat or 0)
        mixed = [self.contributions[member].hex() for member in by_seat]
        self.record(Dealt(self.games + 1, mixed))
        if not self.seats.seated():
            self._clock(EndReveal())  # AIs among themselves have nothing to look at, whatever the timers

    def _looked(self, member: Member) -> None:
        """When every person has looked, the night need not wait for the clock."""
        running = self.running
        if running is None or self.wait is None or self.wait.kind != "reveal" or member.seat is None:
            raise RoomRefused("wrong_phase")
        if member.id in running.looked:
            return
        self.record(Looked(member.id))
        self.go_on_if_all_looked()

    def go_on_if_all_looked(self) -> None:
        """Ends the private look when every person has looked for whom no AI plays (R3.3)."""
        running = self.running
        if running is None or waits.kind_of(running.shown) != "reveal":
            return
        if all(m.id in running.looked or m.seat in self.seats.stand_ins for m in self.seats.seated()):
            self._clock(EndReveal())

    def _rematch(self) -> None:
        if self.stage != "over":
            raise RoomRefused("wrong_phase")
        self.record(BackToWaiting())
        self._draw_secret()

    def _move_of(self, turn: Turn, command: Command) -> None:
        """A person's move. While a scroll is announced (R6.10), or in a pause, nobody moves."""
        assert self.running
        if self.running.table.announcing and not self.running.is_over:
            raise RoomRefused("announcing")
        if self.wait and self.wait.is_paused:
            raise RoomRefused("paused")
        self._move(turn, command, How.OWN)

    def _move(self, turn: Turn, command: Command, how: How) -> None:
        assert self.running
        self._happened(*take(self.running.state, turn, command, how))

    def _clock(self, command: ClockCommand) -> None:
        assert self.running
        self._happened(*take_clock(self.running.state, command))

    def _happened(self, events: list[Event], state: GameState) -> None:
        """What `record(Happened(…))` does, without folding again what the rules have folded already."""
        assert self.running
        self.running.advance(events, state)
        self._new.append(Happened(plain(events)))
        self._end_if_over()
        self._just_ended = self.running.is_over

    def _overdue(self, kind: WaitKind) -> list[ClockCommand]:
        """What the clock asks when the present wait has run out (R10.1)."""
        assert self.running
        match kind:
            case "reveal":
                return [EndReveal()]
            case "night":
                return [EndNight()]
            case "announcement":
                return [EndAnnouncement()]
            case "vote" | "pass" | "scroll" | "play":
                return [TimeOut(turn) for turn in awaited(self.running.table)]
            case "mixing":
                raise AssertionError("mixing ends with a deal")

    def begin_wait(self, kind: WaitKind, seconds: int | None, now: int) -> None:
        whole = None if seconds is None else seconds * 1000
        self.record(
            WaitBegan(
                self.waits_so_far + 1,
                kind,
                None if whole is None else now + whole,
                whole,
            )
        )

    def _next_wait(self, now: int) -> None:
        """Every wait owns exactly one deadline, read off the public table."""
        if self.running is None or self._wait_key == waits.key_of(self.running.shown):
            return
        kind = waits.kind_of(self.running.shown)
        if kind is not None:
            self.begin_wait(kind, waits.seconds_of(self.running.shown, self.settings.timers), now)

    # -- folding -------------------------------------------------------------------------------------------------------

    def apply(self, event: RoomEvent) -> None:
        """Folds what happened."""
        self.conversation.apply(event, self.seats, self._now)  # while those who go are still there
        self.notebook.apply(event)
        self.seats.apply(event)
        match event:
            case SecretDrawn(secret, bots):
                self.secret, self.bots_seed = bytes.fromhex(secret), bots
            case SettingsChanged(given):
                self.settings = changed(self.settings, given)
            case MixingBegan():
                self.stage = "mixing"
                self.contributions = {}
            case StartHeld():
                self.stage, self.wait = "waiting", None
                self.contributions = {}
            case Contributed(member, mixed):
                self.contributions[member] = bytes.fromhex(mixed)
            case Dealt(game, mixed):
                self.stage = "game"
                self.games = game
                parts = [bytes.fromhex(one) for one in mixed]
                self.running = Running.deal_out(game, self.settings.rules, self.secret, parts)
                self.wait, self._wait_key = None, None
            case Looked(member):
                assert self.running
                self.running.looked.add(member)
            case Happened(rows):
                assert self.running
                self.running.fold(unplain(rows))
                self._end_if_over()
            case WaitBegan() | Resumed() | Paused() | Unpaused():
                self._apply_to_wait(event)
            case Polled(member, poll, seat, on):
                voters = self.votes.setdefault((poll, seat), set())
                (voters.add if on else voters.discard)(member)
            case BackToWaiting():
                self.stage, self.running, self.wait = "waiting", None, None
                self.contributions, self._wait_key, self.votes = {}, None, {}
                self.telling.moments.clear()
            case Came() | Sat() | Renamed() | Went() | Left() | Returned() | Pardoned() | HostIs():
                pass  # folded by the seats
            case Filled() | Cleared() | StandInBegan() | StandInEnded() | ReadyIs():
                pass  # folded by the seats
            case Said() | Claimed() | Reported() | Muted():
                pass  # folded by the conversation and the seats
            case CommandsDone(commands):
                for command in commands:
                    self._remember(command)
            case Suspected() | NoteWritten() | NotesShared():
                pass  # folded by the notebook
            case Opened():
                pass  # tells whoever reads the log
            case _:
                assert_never(event)

    def _apply_to_wait(self, event: WaitBegan | Resumed | Paused | Unpaused) -> None:
        wait = self.wait
        match event:
            case WaitBegan(number, kind, until, whole):
                self.wait, self.waits_so_far = Wait(number, kind, until, whole), number
                self._asked = {}
                if kind != "mixing":
                    assert self.running
                    self._wait_key = waits.key_of(self.running.shown)
            case Resumed(later):
                assert wait
                until = None if wait.until is None else wait.until + later
                self.wait = replace(wait, until=until, paused_at=wait.paused_at + later)
            case Paused(left, at):
                assert wait
                self.wait = replace(wait, until=None, is_paused=True, paused_at=at, left=left)
                self._asked = {}
                self._forget_votes("pause")
            case Unpaused(until):
                assert wait
                self.wait = replace(wait, until=until, is_paused=False, left=None)
                self._forget_votes("resume")
            case _:
                assert_never(event)

    def _forget_votes(self, poll: PollKind) -> None:
        self.votes.pop((poll, None), None)

    def _end_if_over(self) -> None:
        if self.running and self.running.is_over:
            self.stage, self.wait = "over", None
            self._busy_at = max(self._busy_at, self._now)  # a game may end by the clock alone

    def record(self, *events: RoomEvent) -> None:
        """Something happens: it is folded at once, and kept with the next outputs."""
        for event in events:
            self.apply(event)
            self._new.append(event)

    def _draw_secret(self) -> None:
        self.record(SecretDrawn(self.entropy(SECRET_BYTES).hex(), self.entropy(BOTS_SEED_BYTES).hex()))

    def _remember(self, command: str) -> None:
        self.done[command] = None
        if len(self.done) > REMEMBERED_COMMANDS:
            del self.done[next(iter(self.done))]

    # -- the one way out -----------------------------------------------------------------------------------------------

    def _close_step(
        self, command: str | None, now: int, answers: Sequence[Output] = (), *, seen_anew: bool = False
    ) -> list[Output]:
        """After an input: the next wait, then keep, answer, archive, tell and ask, in this order.

        `seen_anew`: the picture has changed although nothing is to be kept, as somebody is seen to be away.
        """
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
        return outputs + self._questions_to_ais(now)

    def _kept(self, command: str | None) -> list[Output]:
        if not self._new:
            if command is not None:
                self._unkept = [*self._unkept[1 - REMEMBERED_COMMANDS :], command]
            return []
        if self._unkept:
            self.record(CommandsDone(self._unkept))
            self._unkept = []
        kept = Keep(tuple(self._new), command, self._now)
        self._new = []
        return [kept]

    def _questions_to_ais(self, now: int) -> list[Output]:
        """The AIs that the present wait awaits and that have not been asked yet (R2.3, R10.2)."""
        wait, running = self.wait, self.running
        if wait is None or running is None or running.table.announcing or wait.kind == "mixing" or wait.is_paused:
            return []
        outputs: list[Output] = []
        due = {turn: self.seats.level_at(running.seat_of(turn)) for turn in awaited(running.table)}
        for turn in [turn for turn in self._asked if due.get(turn) is None]:
            del self._asked[turn]  # a person has taken over
        of = running.table.choice.of if running.table.choice else None
        for turn, level in due.items():
            if level is not None and (turn not in self._asked or self._asked[turn][1] != of):
                self._questions += 1
                self._asked[turn] = (self._questions, of)
                outputs.append(self._question(running, wait, turn, level, now))
        return outputs

    def _question(self, running: Running, wait: Wait, turn: Turn, level: str, now: int) -> AskBot:
        """Its pace follows from the wait's number and the public table alone, not from what it knows (R11)."""
        shown = View(running.shown, player_view(running.state, turn))
        seed = f"{self.bots_seed}:{running.number}:{wait.number}:{turn}"
        pause = waits.pause_before_bots(shown.table) + delay(Random(f"{seed}:pace"), shown.table)
        recalled = recollection(running.state, turn)
        return AskBot(self._questions, turn, level, shown, recalled, seed, now + round(pause * 1000))

    def _archives(self) -> list[Output]:
        running = self.running
        if running is None or not self._just_ended:
            return []
        self._just_ended = False
        return [Archive(running.number, record_text(running, self.seats))]

    def dismiss(self, member: Member, why: Literal["left", "kicked"]) -> list[SayBye]:
        socket = self.attendance.socket_of(member.session)
        if socket is None:
            return []
        self.attendance.leave(socket)
        return [SayBye(socket, why)]


def _known(member: Member | None) -> Member:
    if member is None:
        raise RoomRefused("not_seated")
    return member
