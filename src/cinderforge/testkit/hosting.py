"""A room without sockets or a server: persons ask, the clock jumps, AIs answer, and all that was kept is at hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from itertools import count
from random import Random

from cinderforge.bots import bot_of
from cinderforge.bots.levels import Level
from cinderforge.room.events import RoomEvent
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
    Wish,
)
from cinderforge.room.keeping import kept, unkept
from cinderforge.room.outputs import (
    Answer,
    Archive,
    AskBot,
    AskWords,
    CloseRoom,
    Keep,
    Output,
    SayBye,
    Tell,
    TellLines,
    WakeAt,
)
from cinderforge.room.room import Room
from cinderforge.room.shapes import LineView
from cinderforge.testkit.clock import Alarm, JumpingClock


@dataclass(slots=True)
class Seen:
    """What one socket was sent."""

    tells: list[Tell] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    byes: list[SayBye] = field(default_factory=list)
    lines: list[LineView] = field(default_factory=list)
    latest: int = 0

    @property
    def last(self) -> Tell:
        return self.tells[-1]


class Hosting:
    """Runs one room by hand. `log` is what was kept; `restart` reads the room back from it."""

    def __init__(self, seed: int = 1, host: str = "host", clock: JumpingClock | None = None) -> None:
        self.rng = Random(seed)
        self.clock = clock or JumpingClock()
        self.log: list[tuple[bytes, str | None, int]] = []
        self.records: dict[int, str] = {}
        self.seen: dict[SocketId, Seen] = {}
        self.inputs: list[Input] = []
        self.closed = False
        self.ais_talk = False
        """Whether AIs say what they are asked to; they take some milliseconds for it."""
        self._sockets = count(1)
        self._ids = count(1)
        self._busy = False
        self.room, keep = Room.open("TESTAA", SessionKey(host), host, self.rng.randbytes, self.clock.now())
        self._alarm: Alarm | None = None
        self._do([keep])
        self.put(TimeIsUp())

    def arrive(self, session: str, game: int = 0, heard: int = 0, lines: int = 0) -> SocketId:
        """A new socket of this session says hello."""
        socket = SocketId(next(self._sockets))
        self.seen[socket] = Seen()
        self.put(Arrived(socket, SessionKey(session), game, heard, lines))
        return socket

    def vanish(self, socket: SocketId) -> None:
        self.put(Vanished(socket))

    def ask(self, socket: SocketId, wish: Wish, id: str | None = None) -> Answer:
        """Asks, and gives the answer."""
        command = id or f"c{next(self._ids)}"
        before = len(self.seen[socket].answers)
        self.put(Asked(socket, command, wish))
        answers = self.seen[socket].answers[before:]
        return answers[0]

    def put(self, what: Input) -> None:
        """Inputs come one after the other, also where an output causes the next."""
        self.inputs.append(what)
        if self._busy:
            return
        self._busy = True
        try:
            while self.inputs:
                self._do(self.room.take(self.inputs.pop(0), self.clock.now()))
        finally:
            self._busy = False

    def restart(self) -> None:
        """The process dies and comes back: sockets, alarms and AIs' thoughts are gone, the log is not."""
        last = self.log[-1][2]
        self.clock = JumpingClock(self.clock.now())
        self.seen = {}
        self._alarm = None
        self.room = Room.read_back("TESTAA", self.rng.randbytes, self.entries())
        self._do(self.room.resume(last, self.clock.now()))

    def entries(self) -> list[tuple[RoomEvent, str | None, int]]:
        return [(unkept(body), command, at) for body, command, at in self.log]

    def _do(self, outputs: list[Output]) -> None:
        for output in outputs:
            match output:
                case Keep(events, command, at):
                    for number, event in enumerate(events):
                        self.log.append((kept(event), command if number == 0 else None, at))
                case Tell(socket):
                    self.seen[socket].tells.append(output)
                case Answer(socket):
                    self.seen[socket].answers.append(output)
                case SayBye(socket):
                    self.seen[socket].byes.append(output)
                case TellLines(socket):
                    self.seen[socket].lines += output.lines
                    self.seen[socket].latest = output.latest
                case WakeAt(at):
                    self._set_alarm(at)
                case AskBot():
                    self.clock.call_at(output.at, partial(self._bot, output))
                case AskWords():
                    if self.ais_talk:
                        self._words(output)
                case Archive(game, record):
                    self.records[game] = record
                case CloseRoom():
                    self.closed = True

    def _set_alarm(self, at: int | None) -> None:
        if self._alarm:
            self._alarm.cancel()
        self._alarm = None if at is None else self.clock.call_at(at, lambda: self.put(TimeIsUp()))

    def _words(self, ask: AskWords) -> None:
        bot = bot_of(ask.level, ask.character)
        assert isinstance(bot, Level)
        claims = bot.spoken(ask.view, ask.recollection, len(ask.at), ask.seed)
        for at, claim in zip(ask.at, claims, strict=True):
            self.clock.call_at(at, partial(self.put, AiSpoke(ask.game, ask.turn, claim)))

    def _bot(self, ask: AskBot) -> None:
        command = bot_of(ask.level, ask.character).choose(ask.view, ask.recollection, Random(ask.seed))
        self.put(BotAnswered(ask.ask, ask.turn, command))
