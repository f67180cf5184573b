"""How long each wait lasts (R10.1). Reads the public table only, so that no wait can tell anything (R11)."""

from __future__ import annotations

from typing import Final

from cinderforge.redaction.shapes import TableView
from cinderforge.room.shapes import TimersView, WaitKind
from cinderforge.rules.scrolls import CATALOG
from cinderforge.rules.words import Phase

NIGHT_SECONDS: Final = 10
"""R4.1; no setting changes it."""
MIXING_SECONDS: Final = 3
"""How long the deal waits for contributions (R3.4)."""
COUNTDOWN_SECONDS: Final = 5
"""The same where several persons play, who may want to call it off."""
RESOLUTION_SECONDS: Final = 6
"""What the showing of a round's cards takes, before the next pass's own time begins to count."""


def kind_of(table: TableView) -> WaitKind | None:
    """What the table waits for; None when the game is over."""
    if table.announcing:
        return "announcement"
    match table.phase:
        case Phase.REVEAL:
            return "reveal"
        case Phase.NIGHT:
            return "night"
        case Phase.VOTE:
            return "vote"
        case Phase.PASS:
            return "pass"
        case Phase.SCROLL:
            return "scroll"
        case Phase.PLAY:
            return "play"
        case Phase.OVER:
            return None


def key_of(table: TableView) -> tuple[object, ...]:
    """What tells one wait from the next. A scroll's second choice still belongs to its first (docs/formats.md)."""
    return (kind_of(table), table.round, len(table.acts))


def seconds_of(table: TableView, timers: TimersView) -> int | None:
    """How long the present wait lasts; None is without a limit."""
    match kind_of(table):
        case "announcement":
            return CATALOG[table.fired[-1].scroll].seconds
        case "night":
            return NIGHT_SECONDS
        case "reveal":
            return timers.reveal
        case "vote":
            return timers.vote
        case "pass":
            pause = RESOLUTION_SECONDS if table.past else 0
            return None if timers.passing is None else timers.passing + pause
        case "scroll":
            return timers.scroll
        case "play":
            return timers.play
        case "mixing" | None:  # no wait of a table: mixing has its own length, an ended game none
            return None


def pause_before_bots(table: TableView) -> int:
    """Seconds that an AI leaves for what the screens are just showing."""
    return RESOLUTION_SECONDS if kind_of(table) == "pass" and table.past else 0
