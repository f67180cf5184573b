"""A game at one moment: Table is its public half, Vault its hidden one. A state is never changed; it has a successor.

Named tuples, not frozen dataclasses: a successor costs a quarter (docs/decisions/named-tuples-for-state.md).
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from cinderforge.rules.events import Tally
from cinderforge.rules.marks import (
    ActsLast,
    Linked,
    Mark,
    MustPlay,
    OnlyCard,
    SourcesOpen,
)
from cinderforge.rules.settings import Settings
from cinderforge.rules.value import value
from cinderforge.rules.vault import Vault
from cinderforge.rules.words import (
    Card,
    Faction,
    How,
    Phase,
    Reason,
    ScrollId,
    Seat,
    Turn,
    first_turns,
)


class Fired(NamedTuple):
    """A scroll that has been shown (R5.4). `effect` is None while it waits for its choice."""

    turn: Turn
    scroll: ScrollId
    round: int
    targets: tuple[Turn, ...] = ()
    effect: bool | None = None


Act = Literal["played", "skipped", "empty"]
PLAYED: Final = "played"
SKIPPED: Final = "skipped"
EMPTY: Final = "empty"


class Acted(NamedTuple):
    """What a player publicly did in the play of a round (R5.5): a card, or none by skipping or for want of cards."""

    turn: Turn
    act: Act
    how: How = How.OWN


class Choice(NamedTuple):
    """The choice a scroll waits for (R5.4): what is given so far, and how many face-down cards are on offer."""

    turn: Turn
    scroll: ScrollId
    targets: tuple[Turn, ...] = ()
    of: Turn | None = None
    cards: int = 0
    how: How = How.OWN


@value
class RoundPast:
    """The public record of a round that is over."""

    number: int
    giver: Turn
    holder: Turn
    fired: Fired
    acts: tuple[Acted, ...]
    marks: tuple[Mark, ...]
    cards: tuple[Card, ...]
    sources: tuple[Turn, ...] | None
    tally: Tally


class Table(NamedTuple):
    """What everybody sees (R11). Per-player tuples are by turn number."""

    settings: Settings
    seats: tuple[Seat, ...]
    hand_sizes: tuple[int, ...]
    phase: Phase = Phase.REVEAL
    round: int = 0
    giver: Turn | None = None
    holder: Turn | None = None
    fired: tuple[Fired, ...] = ()
    choice: Choice | None = None
    announcing: bool = False
    """A scroll has just been shown, and what it showed briefly may still be seen."""
    marks: tuple[Mark, ...] = ()
    acts_last: tuple[Turn, ...] = ()
    """Who acts last until the end of the game, in the order of their firing (R6.6)."""
    order: tuple[Turn, ...] = ()
    """This round's order; the last round's when over."""
    acts: tuple[Acted, ...] = ()
    voted: tuple[Turn, ...] = ()
    ballots: tuple[Turn | None, ...] | None = None
    tally: Tally = Tally()
    past: tuple[RoundPast, ...] = ()
    winner: Faction | None = None
    reason: Reason | None = None


class GameState(NamedTuple):
    """The two halves of a moment. Whoever needs the public one alone is handed the table alone (R11)."""

    table: Table
    vault: Vault


def turns(table: Table) -> tuple[Turn, ...]:
    """The turn numbers in play, 1…n."""
    return first_turns(len(table.seats))


def next_of(table: Table, turn: Turn) -> Turn:
    """The next player by the fixed circular order of R3.1."""
    return Turn(turn % len(table.seats) + 1)


def previous_of(table: Table, turn: Turn) -> Turn:
    """The player before, by the fixed circular order of R3.1."""
    return Turn((turn - 2) % len(table.seats) + 1)


def has_fired(table: Table, turn: Turn) -> bool:
    """Whether this player's scroll is spent; it counts from receipt (R5.3)."""
    return any(fired.turn == turn for fired in table.fired)


def receivers(table: Table) -> tuple[Turn, ...]:
    """Whom the holder may give the crystal (R5.3): others whose scroll has not fired."""
    spent = {fired.turn for fired in table.fired}
    return tuple([turn for turn in turns(table) if turn != table.holder and turn not in spent])


def with_cards(table: Table) -> tuple[Turn, ...]:
    """Who holds at least one card, in turn order."""
    return tuple([turn for turn, size in zip(turns(table), table.hand_sizes, strict=True) if size])


def to_act(table: Table) -> Turn | None:
    """Who is awaited in pass, scroll and play; nobody in particular otherwise."""
    phase = table.phase
    if phase is Phase.PLAY:
        return table.order[len(table.acts)] if len(table.acts) < len(table.order) else None
    if phase is Phase.PASS:
        return table.holder
    if phase is Phase.SCROLL:
        return table.choice.turn if table.choice else None
    return None


def is_awaited(table: Table, turn: Turn) -> bool:
    """Whether this player may act now."""
    if table.phase is Phase.VOTE:
        return 1 <= turn <= len(table.seats) and turn not in table.voted
    return turn == to_act(table)


def awaited(table: Table) -> tuple[Turn, ...]:
    """Everybody who may act now; in the vote all who have not voted."""
    if table.phase is Phase.VOTE:
        return tuple(turn for turn in turns(table) if turn not in table.voted)
    turn = to_act(table)
    return () if turn is None else (turn,)


def must_play(table: Table, turn: Turn) -> bool:
    """Whether the marks of this round forbid this player to skip (R6.1, R6.5, R6.8)."""
    for mark in table.marks:
        if isinstance(mark, MustPlay):
            if mark.turn == turn:
                return True
        elif isinstance(mark, Linked) and _follows(table, mark, turn, PLAYED):
            return True
    return False


def must_skip(table: Table, turn: Turn) -> bool:
    """Whether the one whom this player follows has skipped (R6.5)."""
    linked = link(table)
    return linked is not None and _follows(table, linked, turn, SKIPPED)


def only_drawn(table: Table, turn: Turn) -> bool:
    """Whether this player may play the drawn card alone, the last of the hand (R6.3)."""
    for mark in table.marks:  # noqa: SIM110 - the innermost of loops: a generator costs thrice as much
        if isinstance(mark, OnlyCard) and mark.turn == turn:
            return True
    return False


def sources_open(table: Table) -> bool:
    """Whether this round's cards will be shown with their players (R6.2)."""
    return any(isinstance(mark, SourcesOpen) for mark in table.marks)


def last_actors(table: Table) -> tuple[Turn, ...]:
    """Who acts last this round, the very last at the end (R6.6)."""
    this_round = tuple(m.turn for m in table.marks if isinstance(m, ActsLast) and m.turn not in table.acts_last)
    return table.acts_last + this_round


def link(table: Table) -> Linked | None:
    """Who follows whom this round (R6.5); one scroll fires a round, hence at most one link."""
    for mark in table.marks:
        if isinstance(mark, Linked):
            return mark
    return None


def _follows(table: Table, mark: Linked, turn: Turn, act: Act) -> bool:
    return mark.follower == turn and any(acted.turn == mark.leader and acted.act == act for acted in table.acts)
