"""A finished game again, moment by moment, as somebody saw it: each picture is what the server would have sent then.

A moment is what people call a step: a deal, a night, a ballot, a pass with the scroll that it opens, a choice, a play,
a resolution, the next round, the end. Of each picture only what differs from the one before is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any, Final, Literal, NamedTuple

from msgspec import Meta, Struct

from cinderforge.records.record import Record, moves_of
from cinderforge.records.verify import chronicle_of, start_of
from cinderforge.redaction.eye import HINDSIGHT, Eye, PlayerEye
from cinderforge.redaction.news import tell
from cinderforge.redaction.shapes import News, PlayerView, ResultView, TableView
from cinderforge.redaction.view import player_view, table_view
from cinderforge.rules.events import CardDrawn, CardPeeked, CardsResolved, Event, GameEnded, RoundBegan, VoteClosed
from cinderforge.rules.game import replay as fold
from cinderforge.rules.state import GameState
from cinderforge.rules.words import Seat, Turn, first_turns

TableChanges = Annotated[dict[str, Any], Meta(extra={"typescript": "Partial<TableView>"})]
PlayerChanges = Annotated[dict[str, Any], Meta(extra={"typescript": "Partial<PlayerView>"})]
"""With `turn`, always."""


class ReplayPlayer(Struct, frozen=True):
    """Who played; the first has turn 1."""

    seat: Seat
    name: str
    kind: Literal["person", "ai"]


class ReplayFairness(Struct, frozen=True):
    """Hex; what makes the deal verifiable (R3.4)."""

    commitment: str
    secret: str
    contributions: list[str]
    seed: str


class ReplayMoment(Struct, frozen=True):
    """A step: its news, and the picture after it as far as it differs from the one before."""

    moves: int
    """How many of the record's moves have been made."""
    news: list[News]
    table: TableChanges
    players: list[PlayerChanges]
    """Of each player whose eyes one looks with: what they alone saw."""


class Replay(Struct, frozen=True):
    """A finished game as seen by everybody together (`eye` null) or by one player."""

    eye: Turn | None
    players: list[ReplayPlayer]
    fairness: ReplayFairness
    result: ResultView
    rounds: int
    moments: list[ReplayMoment]


class Moment(NamedTuple):
    """What happened in one step, the state after it, and how many moves of the record that makes."""

    events: Sequence[Event]
    state: GameState
    moves: int


_NEVER: Final = object()
_STEPS: Final = (VoteClosed, CardDrawn, CardPeeked, CardsResolved, RoundBegan, GameEnded)
"""What is a step of its own, though it follows at once from what was done."""


def replay(record: Record, turn: Turn | None = None) -> Replay:
    """The whole game through one player's eyes, exactly what they knew at each moment, or through everybody's.

    Raises BadRecord where the moves are not what the rules make of them.
    """
    fairness = record.fairness
    return Replay(
        eye=turn,
        players=[ReplayPlayer(one.seat, one.name, one.kind) for one in record.players],
        fairness=ReplayFairness(
            fairness.commitment.hex(),
            fairness.secret.hex(),
            [one.hex() for one in fairness.contributions],
            fairness.seed.hex(),
        ),
        result=ResultView(record.result.winner, record.result.reason),
        rounds=record.result.rounds,
        moments=list(pictures(moments(record), turn)),
    )


def pictures(course: Iterable[Moment], turn: Turn | None) -> Iterator[ReplayMoment]:
    """What is shown and told of a game's moments, to one player or to everybody together."""
    eye: Eye = HINDSIGHT if turn is None else PlayerEye(turn)
    table: TableView | None = None
    players: dict[Turn, PlayerView] = {}
    for events, state, moves in course:
        table, before = table_view(state, table), table
        turns = first_turns(len(table.seats)) if turn is None else (turn,)
        players, known = {one: player_view(state, one) for one in turns}, players
        changes = {one: _changes(now, known.get(one)) for one, now in players.items()}
        yield ReplayMoment(
            moves=moves,
            news=[news for event in events if (news := tell(event, eye)) is not None],
            table=_changes(table, before),
            players=[{"turn": one} | changed for one, changed in changes.items() if changed],
        )


def moments(record: Record) -> Iterator[Moment]:
    """The steps of a recorded game, the deal first. Raises BadRecord."""
    return course_of(start_of(record), (events for events, _ in chronicle_of(record)))


def course_of(state: GameState, deeds: Iterable[Sequence[Event]]) -> Iterator[Moment]:
    """A game step by step, from a state and the events of each thing done."""
    moves = 0
    yield Moment((), state, moves)
    for events in deeds:
        for step in _steps(events):
            state = fold(state, step)
            moves += len(moves_of(step))
            yield Moment(step, state, moves)


def _steps(events: Sequence[Event]) -> Iterator[Sequence[Event]]:
    """What was done, apart from what followed. Daybreak and an opened vote lead straight into the first round."""
    start = 0
    for at, event in enumerate(events):
        if at > start and isinstance(event, _STEPS) and not (isinstance(event, RoundBegan) and event.number == 1):
            yield events[start:at]
            start = at
    yield events[start:]


def _changes(now: Struct, before: Struct | None) -> dict[str, Any]:
    """The fields that have another value than before."""
    return {
        name: value
        for name in now.__struct_fields__
        if (value := getattr(now, name)) != (_NEVER if before is None else getattr(before, name))
    }
