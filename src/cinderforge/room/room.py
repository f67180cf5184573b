"""One room as a machine: `take` an input, get the outputs. Inputs come one after the other; nothing here waits.

What happened is folded from events alone (`apply`), so that a room read back from its log is the room that was left.
Only who is connected is not kept: after a restart nobody is, until they come back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random
from typing import Final, Literal, assert_never

from cinderforge.bots.pace import delay
from cinderforge.redaction.eye import SPECTATOR, Eye, PlayerEye
from cinderforge.redaction.shapes import News, TableView, View
from cinderforge.redaction.view import player_view
from cinderforge.room import waiting, waits
from cinderforge.room.archive import record_text
from cinderforge.room.events import (
    BackToWaiting,
    Came,
    Cleared,
    Contributed,
    Dealt,
    Filled,
    Happened,
    HostIs,
    Looked,
    MixingBegan,
    Opened,
    Renamed,
    Resumed,
    RoomEvent,
    Sat,
    SecretDrawn,
    SettingsChanged,
    WaitBegan,
    Went,
)
from cinderforge.room.inputs import (
    Arrived,
    Asked,
    BotAnswered,
    CallMe,
    ChangeSettings,
    ClearSeats,
    FillSeats,
    GoAway,
    HaveLooked,
    Input,
    MakeHost,
    MixIn,
    Move,
    PlayAgain,
    Remove,
    SessionKey,
    SocketId,
    StartGame,
    Swept,
    TakeSeat,
    TimeIsUp,
    Vanished,
    WatchOnly,
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
    Tell,
    WakeAt,
)
from cinderforge.room.picture import member_view, room_view
from cinderforge.room.refused import RoomRefused
from cinderforge.room.running import Running
from cinderforge.room.seats import Member, Seats
from cinderforge.room.settings import (
    RoomSettings,
    changed,
    first_settings,
)
from cinderforge.room.shapes import (
    MemberId,
    RoomView,
    Stage,
    WaitKind,
)
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
from cinderforge.rules.words import Seat, Turn

REMEMBERED_COMMANDS: Final = 2000
BOTS_SEED_BYTES: Final = 16
HOST_GRACE: Final = 30_000
"""How long, in ms, a host may be away from the waiting room before another takes over (R2.5)."""
EMPTY_GRACE: Final = 1_800_000
"""How long, in ms, a room without any person stays open (R2.5)."""

Entropy = Callable[[int], bytes]
"""So many fresh random bytes: the server's, or a test's."""


@dataclass(frozen=True, slots=True)
class Wait:
    """The one thing that the table waits for, and its one deadline."""

    number: int
    kind: WaitKind
    until: int | None
    whole: int | None


@dataclass(slots=True)
class Presence:
    """A socket that said hello: how much of which game's news it has heard, and up to which event it was told."""

    session: SessionKey
    game: int
    heard: int
    told: int | None = None


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
        self.done: dict[str, None] = {}
        self._wait_key: tuple[object, ...] | None = None

        self.sockets: dict[SocketId, Presence] = {}
        self._new: list[RoomEvent] = []
        """Recorded by the present input, and not yet handed on to be kept."""
        self._asked: set[tuple[Turn, Turn | None]] = set()
        """Which AIs the present wait has asked, and whose row lay before them then."""
        self._just_ended = False
        self._host_away: int | None = None
        self._empty_since: int | None = None
        """Server times in ms of the first sweep that missed them (R2.5)."""

    # -- reading back --------------------------------------------------------------------------------------------------

    @classmethod
    def open(cls, code: str, host: SessionKey, name: str, entropy: Entropy, now: int) -> tuple[Room, Keep]:
        """A new room whose host sits in seat 1 (R2.1). Raises RoomRefused for a name that cannot be shown."""
        room = cls(code, entropy)
        room.record(Opened(code, now))
        room.record(Came(MemberId(1), host, waiting.named(room, name), Seat(1)), HostIs(MemberId(1)))
        room._draw_secret()
        kept = Keep(tuple(room._new), None)
        room._new = []
        return room, kept

    @classmethod
    def read_back(cls, code: str, entropy: Entropy, log: Iterable[tuple[RoomEvent, str | None]]) -> Room:
        """The room that a log tells of: its events, each with the id of the command that caused it, if any."""
        room = cls(code, entropy)
        for event, command in log:
            room.apply(event)
            if command is not None:
                room._remember(command)
        return room

    def resume(self, last: int, now: int) -> list[Output]:
        """After an outage: the open wait gets back the time that was lost; AIs are asked anew, records put again."""
        if self.wait and self.wait.until is not None:
            self.record(Resumed(max(0, now - last)))
        outputs = self._kept(None)
        self._just_ended = self.running is not None and self.running.is_over
        outputs += self._wakings(now)
        return outputs + self._archives()

    # -- the one way in ------------------------------------------------------------------------------------------------

    def take(self, what: Input, now: int) -> list[Output]:
        """What follows from an input at this server time in ms."""
        match what:
            case Arrived():
                return self._arrived(what, now)
            case Vanished(socket):
                return self._vanished(socket, now)
            case Asked(socket):
                return self._asked_for(what, now)
            case Swept():
                return self._swept(now)
            case TimeIsUp(wait):
                return self._time_is_up(wait, now)
            case BotAnswered(wait, turn, command):
                return self._bot_answered(wait, turn, command, now)
            case _:
                assert_never(what)

    def _arrived(self, what: Arrived, now: int) -> list[Output]:
        """A socket joins; the newest of a session wins, and the other is told plainly (R10.3)."""
        if what.session in self.seats.banned:
            return [SayBye(what.socket, "kicked")]
        older = [s for s, presence in self.sockets.items() if presence.session == what.session]
        outputs: list[Output] = []
        for socket in older:
            del self.sockets[socket]
            outputs.append(SayBye(socket, "replaced"))
        self.sockets[what.socket] = Presence(what.session, what.game, what.heard)
        member = self.seats.of_session(what.session)
        if member and self.seats.host is None:
            self.record(HostIs(member.id))
            return [*self._kept(None), *outputs, *self._tell()]
        return outputs + self._tell(only=what.socket if older else None)

    def _vanished(self, socket: SocketId, now: int) -> list[Output]:
        if self.sockets.pop(socket, None) is None:
            return []
        if self.stage == "mixing" and self._all_mixed_in():
            self._deal(now)
            return self._close_step(None, now)
        return self._tell()

    def _swept(self, now: int) -> list[Output]:
        """The host's role goes on when the host stays away; an empty room is closed (R2.5)."""
        here = self.here()
        if here:
            self._empty_since = None
        elif self._empty_since is None:
            self._empty_since = now
        elif now - self._empty_since >= EMPTY_GRACE:
            return [CloseRoom()]
        host = self.seats.members[self.seats.host] if self.seats.host is not None else None
        if self.stage == "game" or (host and host.session in here):
            self._host_away = None
        elif self._host_away is None:
            self._host_away = now
        elif now - self._host_away >= HOST_GRACE and (heir := self.seats.heir(here)) is not None:
            self.record(HostIs(heir))
            return [*self._kept(None), *self._tell()]
        return []

    def here(self) -> set[SessionKey]:
        return {presence.session for presence in self.sockets.values()}

    def _asked_for(self, asked: Asked, now: int) -> list[Output]:
        presence = self.sockets.get(asked.socket)
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
        self._remember(command)
        outputs = self._close_step(command, now)
        at = 1 if outputs and isinstance(outputs[0], Keep) else 0
        outputs.insert(at, Answer(asked.socket, asked.id))
        outputs[at + 1 : at + 1] = farewell
        return outputs

    def _time_is_up(self, number: int, now: int) -> list[Output]:
        wait = self.wait
        if wait is None or wait.number != number or wait.until is None:
            return []
        if now < wait.until:
            return [WakeAt(number, wait.until)]
        if wait.kind == "mixing":
            self._deal(now)
        else:
            for command in self._overdue(wait.kind):
                self._clock(command)
        return self._close_step(None, now)

    def _bot_answered(self, wait: int, turn: Turn, command: Command, now: int) -> list[Output]:
        """An AI's move counts while its wait lasts; what is not on offer is replaced by the first legal command."""
        running = self.running
        if running is None or self.wait is None or self.wait.number != wait or turn not in awaited(running.table):
            return []
        try:
            self._move(turn, command)
        except Rejected:
            offer = offers(running.state, turn)
            assert offer is not None
            self._move(turn, commands_of(offer)[0])
        return self._close_step(None, now)

    # -- what may be asked ---------------------------------------------------------------------------------------------

    def _do(self, asked: Asked, session: SessionKey, now: int) -> list[SayBye]:
        """Does what was asked, or raises; gives the farewells that follow from it."""
        wish = asked.wish
        member = self.seats.of_session(session)
        match wish:
            case TakeSeat(name):
                waiting.take_seat(self, session, member, name)
            case WatchOnly(name):
                waiting.watch(self, session, member, name)
            case CallMe(name):
                waiting.rename(self, _known(member), name)
            case GoAway():
                return waiting.go_away(self, _known(member))
            case FillSeats(seat, level):
                self._host(member)
                waiting.fill(self, seat, level)
            case ClearSeats(seat):
                self._host(member)
                waiting.clear(self, seat)
            case Remove(other):
                return waiting.remove(self, self._host(member), other)
            case MakeHost(other):
                self._host(member)
                if other not in self.seats.members:
                    raise RoomRefused("unknown_member")
                self.record(HostIs(other))
            case ChangeSettings(settings):
                self._host(member)
                waiting.change(self, settings)
            case StartGame():
                self._host(member)
                waiting.start(self, now)
            case MixIn(given):
                self._mix_in(_known(member), given, now)
            case HaveLooked():
                self._looked(_known(member))
            case PlayAgain():
                self._host(member)
                self._rematch()
            case Move(command):
                self._move(self._player(member), command, by_person=True)
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

    def _mix_in(self, member: Member, given: str, now: int) -> None:
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
        if self._all_mixed_in():
            self._deal(now)

    def _all_mixed_in(self) -> bool:
        """Whether nobody who is here and seated still owes a contribution (R3.4)."""
        here = self.here()
        seated = [m for m in self.seats.members.values() if m.seat is not None and m.session in here]
        return all(m.id in self.contributions for m in seated)

    def _deal(self, now: int) -> None:
        by_seat = sorted(self.contributions, key=lambda member: self.seats.members[member].seat or 0)
        mixed = [self.contributions[member].hex() for member in by_seat]
        self.record(Dealt(self.games + 1, mixed))

    def _looked(self, member: Member) -> None:
        """When every person has looked, the night need not wait for the clock."""
        running = self.running
        if running is None or self.wait is None or self.wait.kind != "reveal" or member.seat is None:
            raise RoomRefused("wrong_phase")
        if member.id in running.looked:
            return
        self.record(Looked(member.id))
        if all(m.id in running.looked for m in self.seats.members.values() if m.seat is not None):
            self._clock(EndReveal())

    def _rematch(self) -> None:
        if self.stage != "over":
            raise RoomRefused("wrong_phase")
        self.record(BackToWaiting())
        self._draw_secret()

    def _move(self, turn: Turn, command: Command, *, by_person: bool = False) -> None:
        """A move in the game, by the rules. While a scroll is announced nobody moves (R6.10)."""
        running = self.running
        assert running
        if by_person and running.table.announcing and not running.is_over:
            raise RoomRefused("announcing")
        self._happened(*take(running.state, turn, command))

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

    def _next_wait(self, table: TableView, now: int) -> None:
        """Every wait owns exactly one deadline, read off the public table."""
        kind = waits.kind_of(table)
        if kind is not None and self._wait_key != waits.key_of(table):
            self.begin_wait(kind, waits.seconds_of(table, self.settings.timers), now)

    # -- folding -------------------------------------------------------------------------------------------------------

    def apply(self, event: RoomEvent) -> None:
        """Folds what happened."""
        self.seats.apply(event)
        match event:
            case SecretDrawn(secret, bots):
                self.secret, self.bots_seed = bytes.fromhex(secret), bots
            case SettingsChanged(given):
                self.settings = changed(self.settings, given)
            case MixingBegan():
                self.stage = "mixing"
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
            case WaitBegan(number, kind, until, whole):
                self.wait, self.waits_so_far = Wait(number, kind, until, whole), number
                self._asked = set()
                if kind != "mixing":
                    assert self.running
                    self._wait_key = waits.key_of(self.running.shown)
            case Resumed(later):
                assert self.wait and self.wait.until is not None
                self.wait = Wait(
                    self.wait.number,
                    self.wait.kind,
                    self.wait.until + later,
                    self.wait.whole,
                )
            case BackToWaiting():
                self.stage, self.running, self.wait = "waiting", None, None
                self.contributions, self._wait_key = {}, None
            case Came() | Sat() | Renamed() | Went() | HostIs() | Filled() | Cleared():
                pass  # folded by the seats
            case Opened():
                pass  # tells whoever reads the log
            case _:
                assert_never(event)

    def _end_if_over(self) -> None:
        if self.running and self.running.is_over:
            self.stage, self.wait = "over", None

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

    def _close_step(self, command: str | None, now: int) -> list[Output]:
        """After a change: the next wait, then keep, archive, tell, wake and ask, in this order."""
        if self.running and self.stage in ("game", "over"):
            self._next_wait(self.running.shown, now)
        if not self._new:
            return []
        outputs = self._kept(command)
        outputs += self._archives()  # who hears that the game is over may ask for its record at once
        outputs += self._tell()
        return outputs + self._wakings(now)

    def _kept(self, command: str | None) -> list[Output]:
        if not self._new:
            return []
        kept = Keep(tuple(self._new), command)
        self._new = []
        return [kept]

    def _wakings(self, now: int) -> list[Output]:
        """The present wait's alarm, and the AIs that it waits for and has not asked yet."""
        wait = self.wait
        if wait is None:
            return []
        outputs: list[Output] = []
        if wait.until is not None:
            outputs.append(WakeAt(wait.number, wait.until))
        running = self.running
        if running is None or running.table.announcing or wait.kind == "mixing":
            return outputs
        for turn in awaited(running.table):
            ai = self.seats.ais.get(running.seat_of(turn))
            step = (turn, running.table.choice.of if running.table.choice else None)
            if ai and step not in self._asked:
                self._asked.add(step)
                outputs.append(self._question(running, wait, turn, ai.level, now))
        return outputs

    def _question(self, running: Running, wait: Wait, turn: Turn, level: str, now: int) -> AskBot:
        """Its pace follows from the wait's number and the public table alone, not from what it knows (R11)."""
        shown = View(running.shown, player_view(running.state, turn))
        seed = f"{self.bots_seed}:{running.number}:{wait.number}:{turn}"
        pause = waits.pause_before_bots(shown.table) + delay(Random(f"{seed}:pace"), shown.table)
        return AskBot(wait.number, turn, level, shown, seed, now + round(pause * 1000))

    def _archives(self) -> list[Output]:
        running = self.running
        if running is None or not self._just_ended:
            return []
        self._just_ended = False
        return [Archive(running.number, record_text(running, self.seats))]

    def dismiss(self, member: Member, why: Literal["left", "kicked"]) -> list[SayBye]:
        sockets = [s for s, presence in self.sockets.items() if presence.session == member.session]
        for socket in sockets:
            del self.sockets[socket]
        return [SayBye(socket, why) for socket in sockets]

    def _tell(self, only: SocketId | None = None) -> list[Output]:
        """The whole picture for every socket, or for one that has just come; the shared parts are made once."""
        if not self.sockets:
            return []
        room = room_view(self)
        running = self.running
        table = running.shown if running else None
        told: list[tuple[int, SocketId, Tell]] = []
        for socket, presence in self.sockets.items():
            if only is not None and socket != only:
                continue
            member = self.seats.of_session(presence.session)
            tell = self._picture(socket, presence, member, room, table)
            told.append((member.id if member else 1 << 30, socket, tell))
        return [tell for _, _, tell in sorted(told, key=lambda one: one[:2])]

    def _eye(self, member: Member | None) -> Eye:
        if member is None or member.seat is None or self.running is None:
            return SPECTATOR
        return PlayerEye(self.running.turn_of(member.seat))

    def _picture(
        self,
        socket: SocketId,
        presence: Presence,
        member: Member | None,
        room: RoomView,
        table: TableView | None,
    ) -> Tell:
        running, mine = self.running, member_view(self, member)
        if running is None:
            presence.game, presence.heard, presence.told = self.games, 0, None
            return Tell(socket, room, None, mine, None, self.games, 0, True, ())
        eye = self._eye(member)
        news, fresh = self._news(running, presence, eye)
        player = player_view(running.state, eye.turn) if isinstance(eye, PlayerEye) else None
        return Tell(socket, room, table, mine, player, self.games, presence.heard, fresh, news)

    def _news(self, running: Running, presence: Presence, eye: Eye) -> tuple[tuple[News, ...], bool]:
        """What this socket has not heard yet; from the start, and said to be, where its count cannot be ours."""
        same_game = presence.game == self.games
        if same_game and presence.told is not None:
            news, fresh = (
                running.news_for(eye, running.chronicle[presence.told :]),
                False,
            )
            presence.heard += len(news)
        else:
            whole = running.news_for(eye, running.chronicle)
            fresh = not same_game or not 0 < presence.heard <= len(whole)
            news = whole if fresh else whole[presence.heard :]
            presence.heard = len(whole)
        presence.game, presence.told = self.games, len(running.chronicle)
        return news, fresh


def _known(member: Member | None) -> Member:
    if member is None:
        raise RoomRefused("not_seated")
    return member
