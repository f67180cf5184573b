"""Whole games without a room: who chooses is handed in, and the chronicle comes out."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from cinderforge.rules.commands import Command, EndAnnouncement, EndNight, EndReveal, TimeOut
from cinderforge.rules.events import Event
from cinderforge.rules.evolve import evolve
from cinderforge.rules.game import Deal, begin, draw_deal, offers, take, take_clock
from cinderforge.rules.luck import Luck, SeededLuck
from cinderforge.rules.offers import commands_of
from cinderforge.rules.settings import Settings
from cinderforge.rules.state import GameState, awaited
from cinderforge.rules.words import Phase, Turn

Chooser = Callable[[GameState, Turn], Command | None]
"""What a player does; None lets their time run out (R10.1)."""


@dataclass(slots=True)
class Chronicle:
    """A game: what it was dealt from, and all that happened. `final` is the state that the events lead to."""

    settings: Settings
    deal: Deal
    luck: Luck
    final: GameState
    events: list[Event] = field(default_factory=list)

    @property
    def start(self) -> GameState:
        return begin(self.settings, self.deal, self.luck)


def drive(settings: Settings, luck: Luck, choose: Chooser, *, announce: bool = False) -> Chronicle:
    """Plays a game to its end. With `announce` each scroll's announcement ends by the clock before anybody moves."""
    deal = draw_deal(settings, luck)
    game = Chronicle(settings, deal, luck, begin(settings, deal, luck))
    for command in (EndReveal(), EndNight()):
        _add(game, *take_clock(game.final, command))
    while game.final.table.phase is not Phase.OVER:
        table = game.final.table
        if announce and table.announcing:
            _add(game, *take_clock(game.final, EndAnnouncement()))
            continue
        turn = awaited(table)[0]
        chosen = choose(game.final, turn)
        if chosen is None:
            _add(game, *take_clock(game.final, TimeOut(turn)))
        else:
            _add(game, *take(game.final, turn, chosen))
    return game


def steps(game: Chronicle) -> Iterator[tuple[Event | None, GameState]]:
    """The state before anything happened, then each event with the state after it."""
    state = game.start
    yield None, state
    for event in game.events:
        state = evolve(state, event)
        yield event, state


def at_random(rng: random.Random, timeouts: float = 0.0) -> Chooser:
    """Chooses evenly among the legal commands; lets time run out as often as `timeouts` says (0…1)."""

    def choose(state: GameState, turn: Turn) -> Command | None:
        if timeouts and rng.random() < timeouts:
            return None
        offer = offers(state, turn)
        assert offer is not None
        commands = commands_of(offer)
        return commands[int(rng.random() * len(commands))]

    return choose


def random_game(settings: Settings, rng: random.Random, *, timeouts: float = 0.0, announce: bool = False) -> Chronicle:
    """A game of random legal moves on a random deal."""
    return drive(settings, SeededLuck(rng.randbytes(32)), at_random(rng, timeouts), announce=announce)


def _add(game: Chronicle, events: list[Event], state: GameState) -> None:
    game.events += events
    game.final = state
