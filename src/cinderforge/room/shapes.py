"""The shapes in which a room is shown: its public half, the same for everybody, and what is one member's own."""

from __future__ import annotations

from typing import Literal, NewType

from msgspec import Struct

from cinderforge.redaction.shapes import RulesView
from cinderforge.rules.words import Seat

MemberId = NewType("MemberId", int)
"""A person in a room, for as long as the room lives. Names are only shown; ids drive everything."""

Stage = Literal["waiting", "mixing", "game", "over"]
"""Filling up; collecting contributions to the seed (R3.4); a game is on; a game has ended and all is shown."""

WaitKind = Literal["mixing", "reveal", "night", "vote", "pass", "scroll", "announcement", "play"]

TimerPreset = Literal["fast", "normal", "relaxed", "none", "custom"]

ChatGuard = Literal["block", "warn", "off"]


class TimersView(Struct, frozen=True):
    """Seconds for each phase; null is no limit (R2.6). The night always lasts 10 s (R4.1)."""

    reveal: int | None
    vote: int | None
    passing: int | None
    scroll: int | None
    play: int | None


class RoomSettingsView(Struct, frozen=True):
    rules: RulesView
    preset: TimerPreset
    timers: TimersView
    ai_level: str
    spectators: bool
    public: bool
    chat_guard: ChatGuard


class SeatView(Struct, frozen=True):
    """A chair. `online` is true for AIs; `ready`: has looked at their role (R3.3) or, in the waiting room, unused."""

    seat: Seat
    kind: Literal["empty", "person", "ai"]
    name: str
    member: MemberId | None
    level: str | None
    online: bool
    ready: bool


class WatcherView(Struct, frozen=True):
    """Somebody present without a seat."""

    member: MemberId
    name: str
    online: bool


class WaitView(Struct, frozen=True):
    """What the table waits for, and until when: server time in ms, null without a limit."""

    kind: WaitKind
    until: int | None
    whole: int | None
    """How long the wait lasts in all, in ms."""


class RoomView(Struct, frozen=True):
    code: str
    stage: Stage
    game: int
    """Which game of this room, 1…; 0 before the first."""
    settings: RoomSettingsView
    seats: list[SeatView]
    watchers: list[WatcherView]
    host: MemberId | None
    wait: WaitView | None
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
    levels: list[str]
    """The AI levels there are."""
    missing: int
    """Seats still to be filled before the game can start (R2.4)."""


class MemberView(Struct, frozen=True):
    """What is one member's own, apart from the game: which of the room's commands are theirs to give."""

    member: MemberId | None
    name: str
    seat: Seat | None
    host: bool
    may_sit: bool
    may_watch: bool
    wanted: int | None
    """Number of contribution bytes asked of this client now (R3.4)."""
