"""Recomputes a game from its secret and its moves (R3.4), and finds whatever does not follow.

Two passes: what chance dealt must follow from the secret and the contributions; and the moves, replayed through the
rules under that very chance, must give the record's own moves, counts and result again, entry by entry.
"""

from __future__ import annotations

from collections.abc import Iterator
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
from cinderforge.rules.rejection import Rejected
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


def verify(record: Record) -> list[Difference]:
    """All differences of chance and deal, and the first of the moves; none at all for a true record."""
    return [*_fairness(record), *_deal(record), *_moves(record), *_digest(record)]


def events_of(record: Record) -> list[Event]:
    """The chronicle that a record tells of, by the rules. Raises BadRecord where its moves are not legal."""
    events: list[Event] = []
    for happened, _ in _replayed(record):
        events += happened
    return events


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
    at = 0
    last = None
    try:
        for events, state in _replayed(record):
            last = state
            made = moves_of(events)
            told = [list(one) for one in record.moves[at : at + len(made)]]
            for offset, one in enumerate(made):
                found = told[offset] if offset < len(told) else None
                if found != one:
                    yield _differs(f"move {at + offset + 1}", one, found)
                    return
            at += len(made)
    except BadRecord as bad:
        yield Difference(f"move {at + 1}", bad.expected, str(bad.found))
        return
    if at != len(record.moves):
        yield _differs(f"move {at + 1}", "the end", record.moves[at])
    elif last is None or last.table.phase is not Phase.OVER:
        yield _differs(f"move {at + 1}", "a move, for the game is not over", "the end")
    else:
        table = last.table
        result = (table.winner, table.reason, table.round)
        claimed = (record.result.winner, record.result.reason, record.result.rounds)
        if result != claimed:
            yield _differs("result", result, claimed)


def _replayed(record: Record) -> Iterator[tuple[list[Event], GameState]]:
    """For each thing done the events that follow by the rules, and the state after them.

    Moves that follow by themselves (first, empty, resolve, scrolls without a choice) are among the events of others.
    """
    state = begin(record.settings, record.deal, _luck(record))
    for clock in (EndReveal(), EndNight()):
        events, state = take_clock(state, clock)
        yield events, state
    for move in record.moves:
        try:
            events, state = _done(move, state)
        except Rejected as rejected:
            raise BadRecord("a legal move", f"{list(move)} ({rejected.code.value})") from None
        if events:
            yield events, state


def _done(move: tuple[Any, ...], state: GameState) -> tuple[list[Event], GameState]:
    """What a move of a record does; nothing where it follows by itself."""
    how = how_of(move)
    if move[0] in ("first", "empty", "resolve") or (move[0] == "scroll" and state.table.choice is None):
        return [], state
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
