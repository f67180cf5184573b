"""What was kept of a room, and the room that follows from it alone: folded entry by entry beside the one in memory.

Each check is restated here in plain words, and breaks with a name; asking the room itself would hide its faults.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection

from cinderforge.redaction.eye import SPECTATOR
from cinderforge.redaction.news import tell
from cinderforge.redaction.shapes import News
from cinderforge.room.events import (
    BackToWaiting,
    Dealt,
    Happened,
    Left,
    NotesShared,
    NoteWritten,
    Pardoned,
    Paused,
    RoomEvent,
    Suspected,
    Unpaused,
    Went,
)
from cinderforge.room.inputs import (
    Asked,
    BotAnswered,
    Change,
    Input,
    Join,
    Kick,
    Leave,
    SessionKey,
    TimeIsUp,
    WantSeat,
    Watch,
)
from cinderforge.room.keeping import kept, unkept
from cinderforge.room.outputs import Keep
from cinderforge.room.room import Room
from cinderforge.room.running import Running
from cinderforge.room.seats import Member
from cinderforge.room.shapes import MemberId
from cinderforge.rules.events import BallotCast, CardPlayed, CrystalPassed, Event, ScrollSettled, Skipped, TargetsChosen
from cinderforge.rules.words import How, Seat, Turn

Entry = tuple[RoomEvent, str | None, int]


class Broken(AssertionError):
    """Something that must always hold does not. `check` is its name."""

    def __init__(self, check: str, detail: object = "") -> None:
        super().__init__(f"{check}: {detail}")
        self.check = check


def must(holds: object, check: str, detail: object = "") -> None:
    """Raises Broken unless it holds."""
    if not holds:
        raise Broken(check, detail)


class Ledger:
    """The log as bytes, and `room`, which follows from it. `public` is the news of the game that is on, so far."""

    def __init__(self, code: str, entropy: Callable[[int], bytes]) -> None:
        self.code = code
        self.log: list[tuple[bytes, str | None, int]] = []
        self.commands: Counter[str] = Counter()
        self.room = Room(code, entropy)
        self.public: list[News] = []
        self.noted: dict[tuple[MemberId, Turn | None], list[object]] = {}
        """Of the game that is on, whose notes on whom: faction, role, trust, text."""
        self.may_see_notes: set[Turn] = set()
        """The players who let everybody see theirs."""
        self.wanting: list[MemberId] = []
        """Who wanted a chair before what was kept last."""
        self.kicked: set[SessionKey] = set()
        self.moves: list[tuple[Turn, How]] = []
        """Votes, passes, plays and skips of the game that is on: who, and whose doing it was."""
        self.targets_by = How.OWN
        """Who named the players of a scroll whose card is still to be picked."""

    @property
    def last(self) -> int:
        """When the last event was kept."""
        return self.log[-1][2]

    def entries(self) -> list[Entry]:
        return [(unkept(body), command, at) for body, command, at in self.log]

    def keep(
        self, kept_now: Keep, because: Input | None, asker: SessionKey | None, forgettable: Collection[MemberId]
    ) -> None:
        """All or nothing: this is the one append that an input leads to.

        `asker`: whose command it was; `forgettable`: who has been away for so long that a watcher may be forgotten.
        """
        must(kept_now.events, "an append says something")
        must(not self.log or kept_now.at >= self.last, "the log's times never go back", kept_now.at)
        chairs, ais = self.chairs(), dict(self.room.seats.ais)
        self.wanting = list(self.room.seats.wanting)
        for number, event in enumerate(kept_now.events):
            body, command = kept(event), kept_now.command if number == 0 else None
            self.log.append((body, command, kept_now.at))
            if command is not None:
                self.commands[command] += 1
                must(self.commands[command] == 1, "a command is in the log once", command)
            self._fold(unkept(body), command, kept_now.at, because)
        self._check_chairs(chairs, kept_now.events, because, asker, forgettable)
        paused = [type(event) for event in kept_now.events if isinstance(event, Paused | Unpaused)]
        if paused and paused[-1] is Paused:
            must(self.room.wait and self.room.wait.is_paused, "what is paused stands still", kept_now.events)
        gone = set(ais) - set(self.room.seats.ais)
        must(not gone or isinstance(because, Asked), "an AI's chair is cleared by the host alone", gone)

    def _fold(self, event: RoomEvent, command: str | None, at: int, because: Input | None) -> None:
        members = self.room.seats.members
        match event:
            case Went(member, banned) | Left(member, banned) if banned:
                self.kicked.add(members[member].session)
            case Pardoned(member):
                self.kicked.discard(self.room.seats.banned[member].session)
            case _:
                pass
        self._note(event)
        told = len(self.room.running.chronicle) if self.room.running and not isinstance(event, Dealt) else 0
        self.room.fold(event, command, at)
        if isinstance(event, Dealt):
            self.public, self.moves = [], []
        if isinstance(event, Happened) and self.room.running:
            new = self.room.running.chronicle[told:]
            self.public += [news for one in new if (news := tell(one, SPECTATOR)) is not None]
            self._check_hows(self.room.running, new, because)

    def _note(self, event: RoomEvent) -> None:
        nothing: list[object] = [None, None, None, ""]
        match event:
            case Suspected(member, turn, faction, role, trust):
                found = self.noted.setdefault((member, turn), nothing)
                found[:3] = [faction, role, trust]
            case NoteWritten(member, turn, text):
                self.noted.setdefault((member, turn), nothing)[3] = text
            case NotesShared(_, turn, on):
                (self.may_see_notes.add if on else self.may_see_notes.discard)(turn)
            case Went(gone):
                self.noted = {key: what for key, what in self.noted.items() if key[0] != gone}
            case Dealt() | BackToWaiting():
                self.noted, self.may_see_notes = {}, set()
            case _:
                pass

    # -- whose doing a move was ----------------------------------------------------------------------------------------

    def _check_hows(self, running: Running, events: list[Event], because: Input | None) -> None:
        for event in events:
            match event:
                case BallotCast(turn, _, how) | Skipped(turn, how) | CrystalPassed(turn, _, how):
                    self.moves.append((turn, how))
                case CardPlayed(turn, _, _, how):
                    self.moves.append((turn, how))
                case TargetsChosen(turn, _, how):
                    self.targets_by = how
                case ScrollSettled(turn, _, targets, card, _, how) if card is not None:
                    if targets and self.targets_by is not How.OWN and how is self.targets_by:
                        continue  # the first step was less the player's own than this one
                case _:
                    continue
            seat = running.seat_of(turn)
            match because:
                case TimeIsUp():
                    right = how is How.TIMEOUT
                case BotAnswered():
                    right = how is (How.OWN if seat in self.room.seats.ais else How.STAND_IN)
                case _:
                    right = how is How.OWN and seat not in self.room.seats.stand_ins
            must(right, "a move says whose it was", event)

    # -- chairs --------------------------------------------------------------------------------------------------------

    def chairs(self) -> dict[SessionKey, Member]:
        return {member.session: member for member in self.room.seats.members.values()}

    def _check_chairs(
        self,
        before: dict[SessionKey, Member],
        events: tuple[RoomEvent, ...],
        because: Input | None,
        asker: SessionKey | None,
        forgettable: Collection[MemberId],
    ) -> None:
        """Nobody loses a chair or moves but by their own wish, or as the host removes them or shrinks the table."""
        after = self.chairs()
        wish = because.wish if isinstance(because, Asked) else None
        cleared = any(isinstance(event, BackToWaiting) for event in events)
        for session, member in before.items():
            now = after.get(session)
            own = session == asker
            if now is None:
                removed = isinstance(wish, Kick) and wish.member == member.id
                went = own and isinstance(wish, Leave)
                forgotten = member.seat is None and member.id in forgettable
                must(removed or went or forgotten or (cleared and member.left), "nobody's membership is lost", member)
            elif now.seat != member.seat:
                chose = own and isinstance(wish, Join | Watch | WantSeat)
                wanted = member.seat is None and member.id in self.wanting
                shrunk = isinstance(wish, Change) and (member.seat or 0) > self.room.settings.rules.seats
                must(chose or wanted or (shrunk and now.seat is not None), "nobody's chair moves", (member, now))
        taken = [m.seat for m in after.values() if m.seat is not None] + list(self.room.seats.ais)
        count = self.room.settings.rules.seats
        must(len(taken) == len(set(taken)), "no chair is doubled", taken)
        must(set(taken) <= {Seat(seat) for seat in range(1, count + 1)}, "no chair is beyond the table", taken)
        if self.room.stage != "waiting":
            must(len(taken) == count, "in a game every chair is taken", taken)


def compare(room: Room, other: Room, *, whole: bool) -> None:
    """Both rooms hold the same of all that is kept. `whole` compares what can be long, too."""
    for name in ("settings", "stage", "secret", "bots_seed", "contributions", "games", "wait", "waits_so_far", "votes"):
        one, two = getattr(room, name), getattr(other, name)
        must(one == two, "the log gives the same room", (name, one, two))
    must(room.seats == other.seats, "the log gives the same room", (room.seats, other.seats))
    one_talk, two_talk = room.conversation, other.conversation
    must(one_talk.latest == two_talk.latest, "the log gives the same room", "lines")
    must(list(one_talk.claims()) == list(two_talk.claims()), "the log gives the same room", "claims")
    must(one_talk.reports == two_talk.reports, "the log gives the same room", "reports")
    must(room.notebook == other.notebook, "the log gives the same room", "notes")
    must((room.running is None) == (other.running is None), "the log gives the same room", "running")
    if room.running and other.running:
        _compare_games(room.running, other.running, whole=whole)
    if whole:
        must(one_talk.lines == two_talk.lines, "the log gives the same room", "lines")
        must(one_talk.aside == two_talk.aside, "the log gives the same room", "lines aside")
        must(one_talk.said == two_talk.said, "the log gives the same room", "said")
        must(one_talk.said_by_ais == two_talk.said_by_ais, "the log gives the same room", "said by AIs")
        forgotten = other.done.keys() - room.done.keys()
        must(not forgotten, "a command's id is remembered", forgotten)


def _compare_games(one: Running, two: Running, *, whole: bool) -> None:
    for name in ("number", "secret", "contributions", "deal", "looked"):
        must(getattr(one, name) == getattr(two, name), "the log gives the same game", name)
    must(len(one.chronicle) == len(two.chronicle), "the log gives the same game", "chronicle")
    # All but the source of chance, which is made of the secret and the contributions.
    must(one.state.table == two.state.table, "the log gives the same game", "table")
    must(one.state.vault[1:] == two.state.vault[1:], "the log gives the same game", "what is hidden")
    if whole:
        must(one.chronicle == two.chronicle, "the log gives the same game", "chronicle")
