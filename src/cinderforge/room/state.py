"""What a room is by its log alone: `RoomState.apply` folds one event after the other, and decides nothing."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from typing import Final, assert_never

from cinderforge.room import notebook, talking, waits
from cinderforge.room.events import (
    BackToWaiting,
    Came,
    Claimed,
    ClaimedByAi,
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
    WantsSeat,
    Went,
)
from cinderforge.room.keeping import unplain
from cinderforge.room.running import Running
from cinderforge.room.seats import Seats
from cinderforge.room.settings import RoomSettings, as_then, changed, first_settings
from cinderforge.room.shapes import MemberId, PollKind, Stage, WaitKind
from cinderforge.rules.words import Seat

REMEMBERED_COMMANDS: Final = 2000
REMEMBERED_WISHES: Final = 4


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


class RoomState:
    """The half of a room that its log tells; what no log holds is in `room/room.py`."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.now = 0
        """When the present input came, or what is just folded from the log happened; server time in ms."""
        self.seats = Seats()
        self.settings: RoomSettings = first_settings()
        self.stage: Stage = "waiting"
        self.secret = b""
        """Of the coming game or the one that is on (R3.4)."""
        self.bots_seed = ""
        """What the AIs' own chance comes from, hex; apart from the secret, of which it tells nothing."""
        self.contributions: dict[MemberId, bytes] = {}
        self.games = 0
        """The number of the game that is on, or was last."""
        self.running: Running | None = None
        self.wait: Wait | None = None
        self.waits_so_far = 0
        self.votes: dict[tuple[PollKind, Seat | None], set[MemberId]] = {}
        """By poll and, where it is about an absent player, chair: who has voted for it (R10)."""
        self.conversation = talking.Conversation()
        self.notebook = notebook.Notebook()
        self.wishes: dict[MemberId, deque[int]] = {}
        """When each member last changed their mind about a chair; server times in ms."""
        self.done: dict[str, None] = {}
        """The ids of the last commands that were done, oldest first."""
        self.wait_key: tuple[object, ...] | None = None
        """Which of a game's waits has begun, by `waits.key_of`."""

    def apply(self, event: RoomEvent) -> None:
        """Folds what happened."""
        self.conversation.apply(event, self.seats, self.now)  # while those who go are still there
        self.notebook.apply(event)
        self.seats.apply(event)
        if isinstance(event, Came) and (gone := set(self.seats.forget_strangers())):
            self.conversation.forget(gone)
            self.notebook.forget(gone)
            for member in gone:
                self.wishes.pop(member, None)
        match event:
            case SecretDrawn(secret, bots):
                self.secret, self.bots_seed = bytes.fromhex(secret), bots
            case SettingsChanged(given):
                self.settings = changed(self.settings, as_then(given))
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
                self.wait, self.wait_key = None, None
            case Looked(member):
                assert self.running
                self.running.looked.add(member)
            case Happened(rows):
                assert self.running
                self.running.fold(unplain(rows))
                self.end_if_over()
            case WaitBegan() | Resumed() | Paused() | Unpaused():
                self._apply_to_wait(event)
            case Polled(member, poll, seat, on):
                voters = self.votes.setdefault((poll, seat), set())
                (voters.add if on else voters.discard)(member)
            case BackToWaiting():
                self.stage, self.running, self.wait = "waiting", None, None
                self.contributions, self.wait_key, self.votes = {}, None, {}
            case WantsSeat(member):
                self.wishes.setdefault(member, deque(maxlen=REMEMBERED_WISHES)).append(self.now)
            case Came() | Sat() | Renamed() | Went() | Left() | Returned() | Pardoned() | HostIs():
                pass  # folded by the seats
            case Filled() | Cleared() | StandInBegan() | StandInEnded() | ReadyIs():
                pass  # folded by the seats
            case Said() | Claimed() | ClaimedByAi() | Reported() | Muted():
                pass  # folded by the conversation and the seats
            case CommandsDone(commands):
                for command in commands:
                    self.remember(command)
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
                if kind != "mixing":
                    assert self.running
                    self.wait_key = waits.key_of(self.running.shown)
            case Resumed(later):
                assert wait
                until = None if wait.until is None else wait.until + later
                self.wait = replace(wait, until=until, paused_at=wait.paused_at + later)
            case Paused(left, at):
                assert wait
                self.wait = replace(wait, until=None, is_paused=True, paused_at=at, left=left)
                self._forget_votes("pause")
            case Unpaused(until):
                assert wait
                self.wait = replace(wait, until=until, is_paused=False, left=None)
                self._forget_votes("resume")
            case _:
                assert_never(event)

    def _forget_votes(self, poll: PollKind) -> None:
        self.votes.pop((poll, None), None)

    def end_if_over(self) -> None:
        """What a game that has ended ends in the room."""
        if self.running and self.running.is_over:
            self.stage, self.wait = "over", None

    def free_chairs(self) -> list[Seat]:
        """The chairs that nobody has and no AI, in order."""
        return self.seats.free(self.settings.rules.seats)

    def remember(self, command: str) -> None:
        """A command is done: sent again, it is answered and not done again. Very old ones are forgotten."""
        self.done[command] = None
        if len(self.done) > REMEMBERED_COMMANDS:
            del self.done[next(iter(self.done))]
