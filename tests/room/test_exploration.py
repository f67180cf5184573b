"""From every state that chance leads to, with every preset, somebody can move: a person, an AI, or the clock (H10).

Whoever is said to be able to move does so on a copy of the room, and the game must have gone on by it.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable
from functools import partial
from random import Random

import pytest

from cinderforge.room.absence import LONGEST_PAUSE
from cinderforge.room.inputs import (
    Change,
    Contribute,
    Fill,
    Join,
    Leave,
    Move,
    Rematch,
    Seen,
    Start,
    Watch,
    Wish,
)
from cinderforge.rules.state import awaited
from cinderforge.testkit import havoc, mischief
from cinderforge.testkit.people import Person
from cinderforge.testkit.storm import Storm

SEEDS = 10
STEPS = 90
EVERY = 9
"""In every so many steps it is looked who can move."""

PRESETS: dict[str, dict[str, object]] = {
    "fast": {"preset": "fast"},
    "normal": {"preset": "normal"},
    "relaxed": {"preset": "relaxed"},
    "none": {"preset": "none"},
    "none, and nobody is ever replaced": {"preset": "none", "timers": {"away": None}},
    "a look without an end": {"preset": "fast", "timers": {"reveal": None}},
}

Mover = Callable[[Storm], None]


def movers(storm: Storm) -> dict[str, Mover]:
    """Everybody who can move now, and how they would."""
    room, wait = storm.ledger.room, storm.ledger.room.wait
    if room.stage in ("waiting", "over"):
        return {"the host": _as_host} if storm.ledger.room.seats.members else {"a guest": _as_host}
    assert wait
    if wait.is_paused:
        return {"the end of the pause": lambda copied: _ring_at(copied, wait.paused_at + LONGEST_PAUSE)}
    found: dict[str, Mover] = {}
    if (until := wait.until) is not None:
        found["the clock"] = lambda copied: _ring_at(copied, until)
    running = room.running
    if running is None or running.table.announcing:
        return found
    for turn in awaited(running.table):
        seat = running.seat_of(turn)
        member = room.seats.at(seat)
        if room.seats.level_at(seat) is not None:
            found[f"the AI of turn {turn}"] = partial(_think, turn=turn)
        elif member:
            found[f"turn {turn}"] = partial(_moves, session=member.session)
    if wait.kind == "reveal":
        lookers = [m for m in room.seats.seated() if m.id not in running.looked and m.seat not in room.seats.stand_ins]
        found |= {"who has not looked": lambda copied: _look(copied, [m.session for m in lookers])} if lookers else {}
    return found


def _ring_at(storm: Storm, time: int) -> None:
    storm.now = max(storm.now, time)
    storm.ring()


def _think(storm: Storm, turn: int) -> None:
    ask = next(ask for ask in storm.thinking.values() if ask.turn == turn)
    storm.now = max(storm.now, ask.at)
    assert ask.view.you and ask.view.you.offer
    storm.answer(ask, mischief.legal(Random(1), ask.view.you.offer))


def _here(storm: Storm, session: str) -> Person:
    person = next(one for one in storm.people.values() if one.session == session)
    if person.socket is None:
        person.unanswered.clear()
        storm.arrive(person)
    return person


def _does(storm: Storm, person: Person, wish: Wish) -> None:
    storm.ask(person, wish)
    assert not person.unanswered, f"{person.name} is not answered: {wish}"


def _moves(storm: Storm, session: str) -> None:
    """By the offer in the last picture, as a browser would; who was away comes back first."""
    person = _here(storm, session)
    assert person.last and person.last.player and person.last.player.offer
    _does(storm, person, Move(mischief.legal(Random(1), person.last.player.offer)))


def _look(storm: Storm, sessions: list[str]) -> None:
    for session in sessions:
        if storm.ledger.room.wait and storm.ledger.room.wait.kind == "reveal":
            _does(storm, _here(storm, session), Seen())


def _as_host(storm: Storm) -> None:
    """Everybody comes; the host begins the next game."""
    for person in storm.people.values():
        if person.session not in storm.ledger.kicked:
            _here(storm, person.session)
    host = next((one for one in storm.people.values() if one.last and one.last.member.host), None)
    if host is None:
        host = next(one for one in storm.people.values() if one.socket)
        storm.ask(host, Join("Guest"))
    if storm.ledger.room.stage == "over":
        _does(storm, host, Rematch())
    _does(storm, host, Fill(None, None))
    _does(storm, host, Start())


def state_of(storm: Storm) -> object:
    room = storm.ledger.room
    is_paused = room.wait is not None and room.wait.is_paused
    return room.stage, is_paused, room.running and (room.running.state.table, len(room.running.chronicle))


def _ready(storm: Storm) -> None:
    """Those of the table play with AIs; in one of three rooms the host watches AIs alone."""
    havoc.all_arrive(storm, Random(1))
    host = next(iter(storm.people.values()))
    if len(storm.people) % 3 == 0:
        storm.ask(host, Watch(host.name))
    else:
        havoc.all_help(storm, Random(1))
    storm.ask(host, Fill(None, None))
    storm.ask(host, Start())
    storm.ask(host, Contribute("ab" * 16))


@pytest.mark.parametrize("preset", PRESETS)
def test_from_every_state_somebody_can_move(preset: str) -> None:
    tried: Counter[str] = Counter()
    for seed in range(SEEDS):
        storm = Storm(seed, Change({"seats": 5, "first_holder": "vote"} | PRESETS[preset]))
        _ready(storm)
        for step in range(STEPS):
            dice = Random(seed << 20 | step)
            dice.choices(havoc.DEEDS, havoc.WEIGHTS)[0](storm, dice)
            if storm.is_closed:
                break
            if step % EVERY:
                continue
            able = movers(storm)
            assert able, f"seed {seed}, step {step}: nobody can move: {storm.ledger.room.wait}"
            for who, move in able.items():
                copied = copy.deepcopy(storm)
                move(copied)
                assert state_of(copied) != state_of(storm), f"seed {seed}, step {step}: {who} cannot"
                tried[who.split(" of ")[0] if who.startswith("the AI") else who.rstrip("0123456789 ")] += 1
    assert tried["the AI"] and tried["turn"], tried


@pytest.mark.parametrize("preset", PRESETS)
def test_a_table_left_by_everybody_plays_to_its_end(preset: str) -> None:
    storm = Storm(1, Change({"seats": 5} | PRESETS[preset]))
    _ready(storm)
    for person in storm.people.values():
        if person.socket is not None:
            storm.ask(person, Leave())
    for _ in range(400):
        if storm.ledger.room.stage == "over":
            return
        havoc.next_thing(storm, Random(2))
    raise AssertionError(f"it does not end: {storm.ledger.room.wait}")
