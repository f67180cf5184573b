"""One room in a storm: all that can go wrong does, at random but from one seed, and nobody may lose anything by it.

Here is the world of a storm: its clock, its alarm, the AIs that think, the log that outlives the process. What happens
in it is in `havoc.py`; what must hold whatever happens is in `always.py`, `audience.py` and `ledger.py`.
"""

from __future__ import annotations

import logging
from random import Random
from typing import Final, Literal

from cinderforge.records.record import how_of, read
from cinderforge.records.verify import verify
from cinderforge.redaction.claims import Claim
from cinderforge.room.closing import EMPTY_GRACE, IDLE_GRACE
from cinderforge.room.events import Unpaused
from cinderforge.room.inputs import (
    AiSpoke,
    Arrived,
    Asked,
    BotAnswered,
    Input,
    Mark,
    Note,
    SessionKey,
    SocketId,
    TimeIsUp,
    Vanished,
    Wish,
)
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
from cinderforge.room.shapes import MemberId
from cinderforge.room.waiting import WATCHER_GRACE
from cinderforge.rules.commands import Command
from cinderforge.rules.words import Turn
from cinderforge.testkit.audience import Audience
from cinderforge.testkit.ledger import Broken, Ledger, compare, must
from cinderforge.testkit.mischief import first_settings
from cinderforge.testkit.people import Person

LOG: Final = logging.getLogger(__name__)
CODE: Final = "STRMAA"
MOST_RINGS: Final = 4
"""What falls due at one moment may take a few rings: a deal, then the AI of somebody who has long been away."""

Fate = Literal["lost", "kept"] | int
"""Where the process gives the room up: instead of an append, right after it, or before the output of this number."""


class _Down(Exception):
    """The process is gone, or an append did not go through."""


class Storm:
    """`now` is server time in ms; `thinking` holds each AI's open question, `thought` questions that were answered."""

    def __init__(self, seed: int, settings: Wish | None = None) -> None:
        dice = Random(f"storm {seed}")
        self.chance = Random(f"entropy {seed}")
        self.now = 1_000_000
        names = ["Host", *(f"P{n}" for n in range(2, 2 + dice.choice([0, 1, 1, 2, 2, 3, 3, 4]))), "W1", "W2", "Guest"]
        self.people = {(key := SessionKey(f"session-{name:x>20}")): Person(key, name) for name in names}
        self.ledger = Ledger(CODE, self.chance.randbytes)
        self.audience = Audience(self.ledger, self.people)
        self.alarm: int | None = None
        self.thinking: dict[Turn, AskBot] = {}
        self.thought: list[AskBot] = []
        self.words: list[tuple[int, AskWords]] = []
        """When AIs will say something."""
        self.absent: dict[MemberId, int] = {}
        """Members without a socket, and since when."""
        self.last_here = self.last_busy = self.now
        self.records: dict[int, str] = {}
        self.is_closed = False
        self.fate: Fate | None = None
        """What becomes of the process at the next input, and how long it will then be away, in ms."""
        self.outage = 0
        self.restarts = 0
        self.rung = 0
        """Until when all that was due has been done."""
        self._sockets = 0
        self._was_here = False
        self._answers: list[Answer] = []
        host = self.people[next(iter(self.people))]
        self.room, first = Room.open(CODE, host.session, host.name, self.chance.randbytes, self.now)
        self.ledger.keep(first, None, None, set())
        self.put(TimeIsUp())
        self.arrive(host)
        self.ask(host, settings or first_settings(dice))

    # -- one input -----------------------------------------------------------------------------------------------------

    def put(self, what: Input, asker: Person | None = None) -> None:
        """One input and all that follows from it. The process may die on the way; then it is back afterwards."""
        if self.is_closed:
            return
        self._answers = []
        LOG.debug("%d %s", self.now, what)
        try:
            outputs = self.room.take(what, self.now)
            late = any(isinstance(output, Keep) for output in outputs[1:])
            must(not late, "what happens is kept before anything is told", outputs)
            self._carry_out(outputs, what, asker)
        except _Down:
            self._come_back()
            return
        self._note_absent()
        self.audience.check_lines()
        if isinstance(what, Asked):
            self._check_answers(what, outputs, asker)

    def _carry_out(self, outputs: list[Output], because: Input | None, asker: Person | None) -> None:
        fate, self.fate = self.fate, None
        for number, output in enumerate(outputs):
            if fate == number or (fate == "lost" and isinstance(output, Keep)):
                raise _Down
            self._do(output, because, asker)
            if fate == "kept" and isinstance(output, Keep):
                raise _Down

    def _do(self, output: Output, because: Input | None, asker: Person | None) -> None:
        LOG.debug("    %.300s", output)
        match output:
            case Keep(events):
                lines = self.ledger.room.conversation.latest
                self.ledger.keep(output, because, asker.session if asker else None, self._forgettable())
                self.audience.note(self.now, lines)
                if any(isinstance(event, Unpaused) for event in events):
                    seated = {m.id for m in self.ledger.room.seats.seated()}  # whose grace begins anew
                    self.absent |= dict.fromkeys(self.absent.keys() & seated, self.now)
            case Tell():
                self.audience.tell(output, self.now)
            case TellLines():
                self.audience.tell_lines(output, self.now)
            case Answer(socket, id, code):
                self.audience.of(socket).unanswered.pop(id, None)
                self._answers.append(output)
                self.last_busy = self.now if code is None else self.last_busy
            case SayBye(socket, why):
                if why != "replaced":
                    self.audience.of(socket).lose()
            case WakeAt(at):
                self.alarm = at
            case AskBot(_, turn):
                self.thinking[turn] = output
            case AskWords():
                self.words += [(at, output) for at in output.at]
            case Archive(game, record):
                self._archive(game, record)
            case CloseRoom():
                self._close()

    def _check_answers(self, asked: Asked, outputs: list[Output], asker: Person | None) -> None:
        must(len(self._answers) == (1 if asker else 0), "a command is answered once, to an open socket", asked)
        if not self._answers:
            must(not outputs, "a socket that is gone asks nothing", (asked, outputs))
        elif isinstance(asked.wish, Mark | Note):
            others = [output for output in outputs if isinstance(output, Tell) and output.socket != asked.socket]
            must(not others, "what one notes is shown to nobody else", (asked, others))
        if self._answers and self._answers[0].code is not None:
            must(outputs == self._answers, "a refusal changes nothing and is told to nobody else", (asked, outputs))

    def _archive(self, game: int, text: str) -> None:
        record = read(text)
        must(not (found := verify(record)), "a record verifies", found)
        moves = [(move[1], how_of(move)) for move in record.moves if move[0] in ("vote", "pass", "play", "skip")]
        must(moves == self.ledger.moves, "the record says whose each move was", (moves, self.ledger.moves))
        first = read(self.records.setdefault(game, text))
        must((first.moves, first.deal) == (record.moves, record.deal), "a game has one record", game)

    def _close(self) -> None:
        idle = self.now - self.last_busy >= IDLE_GRACE and self.ledger.room.stage in ("waiting", "over")
        must(idle or self.now - self.last_here >= EMPTY_GRACE, "a room is closed only after a grace", self.now)
        self.is_closed = True

    def _note_absent(self) -> None:
        members = self.ledger.room.seats.members
        here = {m.id for m in members.values() if self.people[m.session].socket is not None}
        self.absent = {member: self.absent.get(member, self.now) for member in members if member not in here}
        if here or self._was_here:
            self.last_here = self.now
        self._was_here = bool(here)

    def _forgettable(self) -> set[MemberId]:
        return {member for member, since in self.absent.items() if self.now >= since + WATCHER_GRACE}

    # -- the process ---------------------------------------------------------------------------------------------------

    def crash(self) -> None:
        """Between two inputs."""
        if not self.is_closed:
            self._come_back()

    def _come_back(self) -> None:
        """The room is read back from its log; sockets, the alarm and the AIs' thoughts are gone."""
        LOG.debug("%d the process is gone for %d ms", self.now, self.outage)
        self.restarts += 1
        for person in self.people.values():
            person.lose()
        self.now += self.outage
        self.outage = 0
        self.alarm, self.thinking, self.thought, self.words, self.absent = None, {}, [], [], {}
        self.last_here = self.last_busy = self.now
        before, last = self.ledger.room.wait, self.ledger.last
        self.room = Room.read_back(CODE, self.chance.randbytes, self.ledger.entries())
        compare(self.room, self.ledger.room, whole=True)
        try:
            self._carry_out(self.room.resume(last, self.now), None, None)
        except _Down:
            self._come_back()
            return
        self._note_absent()
        after = self.ledger.room.wait
        if before and before.until is not None:
            due = before.until + self.now - last
            must(after and (after.number, after.until) == (before.number, due), "a wait gets back what was lost", after)

    # -- what people and AIs do ----------------------------------------------------------------------------------------

    def arrive(self, person: Person) -> None:
        """On a new socket, which asks again for all that has not been answered."""
        self._sockets += 1
        restarts, socket = self.restarts, SocketId(self._sockets)
        person.open(socket)
        is_kicked = person.session in self.ledger.kicked
        self.last_busy = self.last_busy if is_kicked else self.now
        self.put(Arrived(socket, person.session, person.game, len(person.news), person.lines))
        if self.is_closed or self.restarts > restarts:
            return
        must((person.socket is None) == is_kicked, "who was removed does not come back, all others do", person.name)
        must(is_kicked or person.last, "who comes is shown the room", person.name)
        for command, wish in list(person.unanswered.items()):
            self.send(person, command, wish)

    def vanish(self, person: Person) -> None:
        if (socket := person.socket) is not None:
            person.lose()
            self.put(Vanished(socket))

    def hang_up(self, socket: SocketId) -> None:
        """The end of a socket that is gone is heard late, or again."""
        self.put(Vanished(socket))

    def ask(self, person: Person, wish: Wish) -> None:
        """Something new, with an id of its own."""
        command = person.next_id()
        person.unanswered[command] = wish
        person.said.append((command, wish))
        self.send(person, command, wish)

    def send(self, person: Person, command: str, wish: Wish) -> None:
        """A command over the open socket, if there is one."""
        if person.socket is not None:
            self.put(Asked(person.socket, command, wish), person)

    def send_from(self, socket: SocketId, command: str, wish: Wish) -> None:
        """A command over a socket that is gone: nobody hears it."""
        self.put(Asked(socket, command, wish))

    def answer(self, ask: AskBot, command: Command) -> None:
        """An AI's answer to a question, be it open or not."""
        if self.thinking.get(ask.turn) is ask:
            del self.thinking[ask.turn]
        self.thought = [*self.thought[-7:], ask]
        self.put(BotAnswered(ask.ask, ask.turn, command))

    def speak(self, claim: Claim) -> None:
        """The AI whose moment comes first says this, whether the room still wants it or not."""
        at, ask = min(self.words, key=lambda one: one[0])
        self.words.remove((at, ask))
        self.put(AiSpoke(ask.game, ask.turn, claim))

    # -- time ----------------------------------------------------------------------------------------------------------

    def next_due(self) -> int | None:
        """When the alarm will ring or an AI will have thought."""
        times = [ask.at for ask in self.thinking.values()] + [at for at, _ in self.words]
        return min([*times, *([] if self.alarm is None else [self.alarm])], default=None)

    def ring(self) -> None:
        """The alarm, whether it is due or not, and again while it is; it must not be for ever."""
        for _ in range(MOST_RINGS):
            if self.alarm is not None and self.alarm <= self.now:
                self.alarm = None
            self.put(TimeIsUp())
            if self.alarm is None or self.alarm > self.now:
                self.rung = self.now
                return
        raise Broken("an alarm that has rung is done with", self.alarm)
