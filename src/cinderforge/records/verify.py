"""Recomputes a game from its secret and its moves (R3.4), and finds whatever does not follow.

Two passes: what chance dealt must follow from the secret and the contributions; and the moves, replayed through the
rules under that very chance, must give the record's own moves, counts and result again, entry by entry.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from cinderforge.records.record import BadRecord, Record, digest_of, how_of, moves_of
from cinderforge.rules.commands import (
    CastVote,
    ChooseCard,
    ChooseTargets,
    EndNight,
    EndReveal,
    PassCrystal,
    PlayCard,
    Skip,
    TimeOut,
)
from cinderforge.rules.events import Event
from cinderforge.rules.game import Deal, begin, draw_deal, take, take_clock
from cinderforge.rules.luck import SeededLuck, commitment_to, seed_from
from cinderforge.rules.rejection import Code, Rejected
from cinderforge.rules.state import GameState
from cinderforge.rules.words import Card, How, Phase, Turn


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a record is not what follows: what was expected, what it says."""

    where: str
    expected: str
    found: str

    def __str__(self) -> str:
        return f"{self.where}: expected {self.expected}, found {self.found}"


class _Astray(Exception):
    """A move that the game does not know, or not there."""

    def __init__(self, at: int, expected: object, found: object) -> None:
        super().__init__()
        self.difference = _differs(f"move {at + 1}", expected, found)


def verify(record: Record) -> list[Difference]:
    """All differences of chance and deal, and the first of the moves; none at all for a true record."""
    return [*_fairness(record), *_deal(record), *_moves(record), *_digest(record)]


def chronicle_of(record: Record) -> Iterator[tuple[list[Event], GameState]]:
    """The game again, by the rules: what happened at each thing done, and the state after it.

    Raises BadRecord, with the number of the move, where the record's moves are not what the rules make of them.
    """
    try:
        yield from _replayed(record)
    except _Astray as astray:
        where, expected, found = astray.difference.where, astray.difference.expected, astray.difference.found
        raise BadRecord(f"{where}: {expected}", found) from None


def start_of(record: Record) -> GameState:
    """The dealt game before anything happened."""
    return begin(record.settings, record.deal, _luck(record))


def _digest(record: Record) -> Iterator[Difference]:
    """A record may carry none: other programs write records, too."""
    if "digest" in record.raw and record.raw["digest"] != digest_of(record):
        yield _differs("digest", digest_of(record), record.raw["digest"])


def _fairness(record: Record) -> Iterator[Difference]:
    given = record.fairness
    if commitment_to(given.secret) != given.commitment:
        yield _differs("commitment", commitment_to(given.secret).hex(), given.commitment.hex())
    seed = seed_from(given.secret, given.contributions)
    if seed != given.seed:
        yield _differs("seed", seed.hex(), given.seed.hex())


def _luck(record: Record) -> SeededLuck:
    return SeededLuck(seed_from(record.fairness.secret, record.fairness.contributions))


def _deal(record: Record) -> Iterator[Difference]:
    drawn = draw_deal(record.settings, _luck(record), record.rules)
    for name in Deal.__dataclass_fields__:
        for turn, (expected, found) in enumerate(zip(getattr(drawn, name), getattr(record.deal, name), strict=True), 1):
            if expected != found:
                yield _differs(f"deal, {name} of turn {turn}", expected, found)


def _moves(record: Record) -> Iterator[Difference]:
    final = start_of(record)
    try:
        for _, state in _replayed(record):
            final = state
    except _Astray as astray:
        yield astray.difference
        return
    told = record.result
    for name, expected, found in (
        ("winner", final.table.winner, told.winner),
        ("reason", final.table.reason, told.reason),
        ("rounds", final.table.round, told.rounds),
    ):
        if expected != found:
            yield _differs(f"result, {name}", expected, found)


def _replayed(record: Record) -> Iterator[tuple[list[Event], GameState]]:
    """Each thing done again, held against the record's moves.

    Moves that follow by themselves (first, empty, resolve, scrolls without a choice) come with what led to them.
    """
    moves, at = record.moves, 0
    state = start_of(record)
    for clock in (EndReveal(), EndNight()):
        events, state = take_clock(state, clock)
        at = _same(events, moves, at)
        yield events, state
    while state.table.phase is not Phase.OVER:
        if at == len(moves):
            raise _Astray(at, "a move, for the game is not over", "the end")
        try:
            events, state = _done(moves[at], state)
        except Rejected as rejected:
            raise _Astray(at, "a legal move", f"{list(moves[at])} ({rejected.code.value})") from None
        at = _same(events, moves, at)
        yield events, state
    if at != len(moves):
        raise _Astray(at, "the end, for the game is over", list(moves[at]))


def _same(events: list[Event], moves: Sequence[tuple[Any, ...]], at: int) -> int:
    """Where the moves go on after these events, which must be the next of them."""
    for move in moves_of(events):
        found = list(moves[at]) if at < len(moves) else "the end"
        if found != move:
            raise _Astray(at, move, found)
        at += 1
    return at


def _done(move: tuple[Any, ...], state: GameState) -> tuple[list[Event], GameState]:
    """What a move of a record does. Raises Rejected, also where it could only follow by itself."""
    how = how_of(move)
    if move[0] in ("first", "empty", "resolve") or (move[0] == "scroll" and state.table.choice is None):
        raise Rejected(Code.WRONG_PHASE)
    turn = Turn(move[1])
    if move[0] == "scroll":
        return _chosen(turn, move[3] or [], how, state)
    if how is How.TIMEOUT:
        return take_clock(state, TimeOut(turn))
    match move:
        case ("vote", _, target, *_):
            return take(state, turn, CastVote(target), how)
        case ("pass", _, to, *_):
            return take(state, turn, PassCrystal(Turn(to)), how)
        case ("play", _, card, *_):
            return take(state, turn, PlayCard(card), how)
        case _:
            return take(state, turn, Skip(), how)


def _chosen(turn: Turn, choices: list[Any], how: How, state: GameState) -> tuple[list[Event], GameState]:
    """A scroll's choices made again. Which place in the row was chosen is not on record: any with that card serves.

    Where time ran out, it may have been after the players were chosen (docs/formats.md, "Timeouts"): then those are
    given first, if leaving all to chance does not lead to the same players.
    """
    targets = tuple(Turn(one) for one in choices if type(one) is int)
    if how is How.TIMEOUT:
        left_to_chance = take_clock(state, TimeOut(turn))
        if left_to_chance[1].table.fired[-1].targets == targets or not targets:
            return left_to_chance
        first, between = take(state, turn, ChooseTargets(targets))
        if between.table.choice is None:
            return left_to_chance
        rest, after = take_clock(between, TimeOut(turn))
        return first + rest, after
    events: list[Event] = []
    if targets or (state.table.choice and state.table.choice.of is None):
        events, state = take(state, turn, ChooseTargets(targets), how)
    if state.table.choice is not None:
        more, state = take(state, turn, ChooseCard(_place_of(choices[-1] if choices else None, state)), how)
        events = events + more
    return events, state


def _place_of(card: Any, state: GameState) -> int:
    """The first place in the face-down row that holds this card; 0, which is no place, if none does."""
    table, vault = state
    assert table.choice and table.choice.of is not None
    hand = vault.hands[table.choice.of - 1]
    shown = [hand[position] for position in vault.row]
    return shown.index(card) + 1 if card in shown else 0


def _differs(where: str, expected: object, found: object) -> Difference:
    return Difference(where, _plain(expected), _plain(found))


def _plain(value: object) -> str:
    if isinstance(value, tuple):
        return "(" + ", ".join(_plain(one) for one in value) + ")"
    if isinstance(value, Card):
        return value.value
    return str(value)
