"""The shapes in which a room is shown: its public half, the same for everybody, and what is one member's own."""

from __future__ import annotations

from typing import Literal, NewType

from msgspec import Struct

from cinderforge.bots.measured import Who
from cinderforge.redaction.claims import ClaimedView
from cinderforge.redaction.shapes import RulesView
from cinderforge.rules.words import Faction, Role, Seat, Turn

MemberId = NewType("MemberId", int)
"""A person in a room, for as long as the room lives. Names are only shown; ids drive everything."""

Stage = Literal["waiting", "mixing", "game", "over"]
"""Filling up; collecting contributions to the seed (R3.4); a game is on; a game has ended and all is shown."""

PollKind = Literal["pause", "resume", "replace"]
"""What players vote on while somebody is away (R10): stand still, go on, let an AI play for the absent one now."""

Channel = Literal["table", "watchers"]
"""Where a line is heard: by everybody, or by those alone who watch."""

Quiet = Literal["", "night", "look", "guest"]
"""Why one may not talk: not at all closed, night (R4.2), the private look (R3.3), not a member."""

NoticeCode = Literal[
    "came",
    "watches",
    "wants_seat",
    "left",
    "kicked",
    "host",
    "stand_in",
    "returned",
    "held",
    "paused",
    "resumed",
]

WaitKind = Literal["mixing", "reveal", "night", "vote", "pass", "scroll", "announcement", "play"]

TimerPreset = Literal["fast", "normal", "relaxed", "none", "custom"]

ChatGuard = Literal["block", "warn", "off"]


class TimersView(Struct, frozen=True, gc=False):
    """Seconds for each phase; null is no limit (R2.6). The night always lasts 10 s (R4.1)."""

    reveal: int | None
    vote: int | None
    passing: int | None
    scroll: int | None
    play: int | None
    away: int | None
    """How long a player may be away before an AI stands in (R10.2)."""


class RoomSettingsView(Struct, frozen=True, gc=False):
    """The room's settings (R2.6), the same for everybody."""

    rules: RulesView
    preset: TimerPreset
    timers: TimersView
    ai_level: str
    spectators: bool
    spectator_delay: int
    """Seconds by which those who watch see a game later than it is played."""
    public: bool
    chat_guard: ChatGuard
    ai_talk: bool
    """Whether AIs claim things at the table."""


class SeatView(Struct, frozen=True, gc=False):
    """A chair. `online` is true for AIs; `ready`: in the waiting room, ready to start; then, has looked (R3.3).

    `stand_in`: an AI plays for this person at present (R10.2). `left`: they have left the game.
    """

    seat: Seat
    kind: Literal["empty", "person", "ai"]
    name: str
    member: MemberId | None
    level: str | None
    online: bool
    ready: bool
    stand_in: bool
    left: bool


class WatcherView(Struct, frozen=True, gc=False):
    """Somebody present without a seat."""

    member: MemberId
    name: str
    online: bool


class WaitView(Struct, frozen=True, gc=False):
    """What the table waits for, and until when: server time in ms, null without a limit."""

    kind: WaitKind
    until: int | None
    whole: int | None
    """How long the wait lasts in all, in ms."""
    paused: bool
    """The wait stands still; `left` ms are to go (null without a limit)."""
    left: int | None


class PollView(Struct, frozen=True, gc=False):
    """A vote of the players present: counts only, never who (R10)."""

    poll: PollKind
    seat: Seat | None
    votes: int
    needed: int


class SuspicionView(Struct, frozen=True, gc=False):
    """What somebody thinks of one player: guesses, trust from -2 to 2, a short text. What is not marked is null."""

    turn: Turn
    faction: Faction | None
    role: Role | None
    trust: int | None
    text: str


class NotesView(Struct, frozen=True, gc=False):
    """One's own notes on the game that is on, by turn; nobody else is told that there are any."""

    marks: list[SuspicionView]
    text: str
    """About the game as a whole; may have several lines."""
    final: bool
    """The game is over: what has been guessed stands. Texts may still be written."""
    shared: bool
    """Everybody sees them, as they were when one allowed it."""


class SharedNotesView(Struct, frozen=True, gc=False):
    """A player's notes on the game that is over, shown to everybody by that player's own wish."""

    turn: Turn
    marks: list[SuspicionView]
    text: str


class MeasuredView(Struct, frozen=True, gc=False):
    """What became of games that AIs of one kind played among themselves under the room's rules."""

    who: Who
    games: int
    wins: int
    """Games that the humans won."""
    rounds: int
    """Those of all games together."""


class RoomView(Struct, frozen=True, gc=False):
    """The public half of a room. It holds nothing of the game that is on but what the game waits for."""

    code: str
    stage: Stage
    game: int
    """Which game of this room, 1…; 0 before the first."""
    settings: RoomSettingsView
    seats: list[SeatView]
    watchers: list[WatcherView]
    wanting: list[MemberId]
    """Who of the watchers would like to sit, whoever has asked first before the others."""
    host: MemberId | None
    wait: WaitView | None
    polls: list[PollView]
    """The votes that may be cast now."""
    commitment: str
    """Hex; the promise about the coming or running game's secret (R3.4)."""
    mixed: int
    """How many persons' contributions are in."""
    secret: str | None
    """Hex; published when the game has ended (R7.5)."""
    contributions: list[str] | None
    """Hex, in the order in which they were mixed in; published with the secret."""
    warnings: list[Literal["double_target"]]
    """R8.3."""
    measured: list[MeasuredView]
    """How these rules play, the strongest AIs first; empty where they were not measured, and while a game is on."""
    levels: list[str]
    """The AI levels there are."""
    missing: int
    """Seats still to be filled before the game can start (R2.4)."""
    notes: list[SharedNotesView]
    """After the end: the notes that players have let everybody see."""


class MemberView(Struct, frozen=True, gc=False):
    """What is one member's own, apart from the game: which of the room's commands are theirs to give."""

    member: MemberId | None
    name: str
    seat: Seat | None
    host: bool
    may_sit: bool
    may_watch: bool
    may_want: bool
    """Whether one may ask for a seat, as none is free; whoever `wants` one has done so."""
    wants: bool
    yields: Seat | None
    """For the host: the seat that `admit` gives away, a free one or an AI's; null where there is none."""
    may_hold: bool
    """Whether one may call off the start that is being counted down."""
    may_vote: bool
    """Whether the polls of the room are open to one."""
    wanted: int | None
    """Number of contribution bytes asked of this client now (R3.4)."""
    voted: list[tuple[PollKind, Seat | None]]
    """The polls that one has voted for."""
    talk: Channel | None
    """Where one's lines would go; null where one may not talk, for the reason in `quiet`."""
    quiet: Quiet
    muted: list[MemberId]
    banned: list[WatcherView]
    """For the host: who was removed and may be let in again."""
    notes: NotesView | None
    """What one has noted on the game that is on or over; null where there is none to note on."""


class LineView(Struct, frozen=True, gc=False):
    """One line of talk; its number is higher than those of all before it. `text` is what was said, a phrase's id, or a
    notice's code; what was claimed is in `claim` alone.
    """

    n: int
    at: int
    kind: Literal["said", "phrase", "claim", "notice", "report"]
    channel: Channel
    member: MemberId | None
    name: str
    text: str
    about: str
    """Whom a report is about."""
    claim: ClaimedView | None = None
