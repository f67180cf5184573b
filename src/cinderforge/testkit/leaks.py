"""Looks for leaks: whether two worlds that an eye cannot tell apart are sent as the same bytes, and other checks.

Each check looks at a game from one side and gives the first `Leak` that it finds, so that a test can say which it was.
"""

from __future__ import annotations

import inspect
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from types import FunctionType, ModuleType
from typing import Final, TypeVar, get_type_hints

import msgspec

from cinderforge.redaction import news as telling
from cinderforge.redaction import recollection as remembering
from cinderforge.redaction import view as seeing
from cinderforge.redaction.eye import SPECTATOR, Eye, PlayerEye
from cinderforge.redaction.shapes import PlayerView, TableView
from cinderforge.room.shapes import TimersView
from cinderforge.rules import events as e
from cinderforge.rules import game
from cinderforge.rules.commands import (
    CastVote,
    ChooseCard,
    ChooseTargets,
    Command,
    EndAnnouncement,
    PassCrystal,
    PlayCard,
    Skip,
)
from cinderforge.rules.rejection import Rejected
from cinderforge.rules.state import GameState, awaited
from cinderforge.rules.words import Card, Phase, Role, Turn
from cinderforge.testkit.twins import NIGHT_SET, Move, World, replayed, twin

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Leak:
    """What a check has found: its name, whose eyes, after which move, and what differed."""

    check: str
    eye: Eye
    move: int
    what: str


def eyes_of(world: World) -> list[Eye]:
    """Everybody who looks on while a game is not over."""
    return [*(PlayerEye(Turn(t)) for t in range(1, world.settings.seats + 1)), SPECTATOR]


def told(move: Iterable[e.Event], eye: Eye) -> list[bytes]:
    """What this eye hears of a move, as sent."""
    heard = (telling.tell(event, eye) for event in move)
    return [msgspec.json.encode(news) for news in heard if news is not None]


def shown(state: GameState, eye: Eye) -> bytes:
    """What this eye sees, as sent."""
    return msgspec.json.encode(seeing.view(state, eye))


def remembered(state: GameState, eye: Eye) -> bytes:
    """What an AI in this seat is handed besides its view."""
    return msgspec.json.encode(remembering.recollection(state, eye.turn)) if isinstance(eye, PlayerEye) else b""


# -- twins -------------------------------------------------------------------------------------------------------------


def same_to(eye: Eye, world: World, other: World) -> Leak | None:
    """Whether this eye is sent the same by two worlds: news, its number, and every view."""
    for at, (here, there) in enumerate(zip(world.states(), other.states(), strict=True)):
        if at:
            one, two = told(world.moves[at - 1].events, eye), told(other.moves[at - 1].events, eye)
            if len(one) != len(two):
                return Leak("twins: number of news", eye, at, f"{one!r} / {two!r}")
            if one != two:
                return Leak("twins: news", eye, at, f"{one!r} / {two!r}")
        if (one_view := shown(here, eye)) != (two_view := shown(there, eye)):
            kind = "length" if len(one_view) != len(two_view) else "bytes"
            return Leak("twins: view", eye, at, f"{kind} of {one_view!r} / {two_view!r}")
        if (one_mind := remembered(here, eye)) != (two_mind := remembered(there, eye)):
            return Leak("twins: recollection", eye, at, f"{one_mind!r} / {two_mind!r}")
    return None


def same_course(eye: Eye, world: World, other: World) -> Leak | None:
    """Whether the rules, given the other world's own commands and a chance that allows it, let this eye hear the same.

    So phases may not end, and nothing may happen, by what is hidden.
    """
    course = replayed(other)
    for at, move in enumerate(world.moves, 1):
        try:
            events, state = next(course)
        except Rejected as refused:
            return Leak("course: refused", eye, at, f"{other.moves[at - 1].command}: {refused}")
        if told(events, eye) != (expected := told(move.events, eye)):
            return Leak("course: news", eye, at, f"{expected!r} / {told(events, eye)!r}")
        if state.table.phase is not Phase.OVER and not _is_same_hand(events, other.moves[at - 1].events):
            return Leak("course: cards", eye, at, f"{other.moves[at - 1].events} / {events}")
    return None


def _is_same_hand(events: Sequence[e.Event], expected: Sequence[e.Event]) -> bool:
    """The card that a chosen place met must not follow from where it lay in the hand (R6.11)."""
    kinds = (e.CardDrawn, e.CardPeeked)
    return [x for x in events if isinstance(x, kinds)] == [x for x in expected if isinstance(x, kinds)]


def same_answers(eye: Eye, at: int, here: GameState, there: GameState) -> Leak | None:
    """Whether this player's commands get the same answers in two states that look alike."""
    if not isinstance(eye, PlayerEye):
        return None
    for command in every_command(here):
        if (one := answer(here, eye.turn, command)) != (two := answer(there, eye.turn, command)):
            return Leak("answers", eye, at, f"{command}: {one} / {two}")
    return None


def every_command(state: GameState) -> Iterator[Command]:
    """Sensible and foolish ones: all that a player of this table might send."""
    count = len(state.table.seats)
    turns = [Turn(t) for t in range(count + 2)]
    yield CastVote(None)
    for turn in turns:
        yield CastVote(turn)
        yield PassCrystal(turn)
        yield ChooseTargets((turn,))
    for pair in permutations(turns[:4] + turns[-2:], 2):
        yield ChooseTargets(pair)
    yield ChooseTargets(())
    yield ChooseTargets((turns[1], turns[1]))
    for place in range(6):
        yield ChooseCard(place)
    for card in (*Card, "kraken"):
        yield PlayCard(card)
    yield Skip()


def answer(state: GameState, turn: Turn, command: Command) -> str:
    """`accepted`, or the code of the refusal."""
    try:
        game.take(state, turn, command)
    except Rejected as refused:
        return refused.code.value
    return "accepted"


# -- what fades, and what one may know ---------------------------------------------------------------------------------


class Panel:
    """What one player may and must know of the others, restated from R4, R6 and R11 move by move."""

    def __init__(self, world: World, turn: Turn) -> None:
        self.turn = turn
        self.world = world
        self.aid = world.settings.memory_aid
        self.night: list[Turn] | None = None
        self.must_roles: dict[Turn, Role] = {}
        self.seen: set[tuple[Turn, Card]] = set()
        """Every card this player saw, and where."""
        self.may_cards: set[tuple[Turn, Card]] = set()
        """What was seen, and where it may since have been drawn to: nothing else may be shown."""
        self.must_cards: set[tuple[Turn, Card]] = set()
        """Surely known now: the peek on show, and drawn cards of holders who have not acted on them since."""
        self.recalls_night: list[Turn] | None = None
        self.recalls_cards: list[tuple[int, Turn, Turn | None, Card]] = []
        self.recalls_roles: dict[Turn, Role] = {}
        """What this player was ever shown, with the round of a card: what an AI in the seat must be handed."""
        self._round = 0
        self._peek: set[tuple[Turn, Card]] = set()
        self._drawn: dict[Turn, set[tuple[Turn, Card]]] = {}

    def hear(self, move: Move) -> None:
        if self._fades(move) and not self.aid:
            self.must_roles, self._peek = {}, set()
        for event in move.events:
            self._hear(event)
            self._remember(event)
        self.must_cards = self._peek.union(*self._drawn.values())
        if self.aid:
            self.must_cards = set(self.seen)

    def _fades(self, move: Move) -> bool:
        """A glimpse is gone with the announcement, or with the next move (R6.10, docs/formats.md)."""
        return isinstance(move.command, EndAnnouncement) or any(
            isinstance(event, e.CardPlayed | e.Skipped | e.CrystalPassed) for event in move.events
        )

    def _hear(self, event: e.Event) -> None:
        roles, me = self.world.deal.roles, self.turn
        match event:
            case e.NightBegan() if roles[me - 1] in NIGHT_SET:
                self.night = [Turn(t) for t, role in enumerate(roles, 1) if role in NIGHT_SET and t != me]
            case e.NightEnded() if not self.aid:
                self.night = None
            case e.RolesLearned(turn, learnt) if turn == me:
                self.must_roles |= dict(learnt)
            case e.CardPeeked(turn, of, card) if turn == me:
                self._peek = self._peek | {(of, card)}
                self._see(of, card)
            case e.CardDrawn(drawer, source, card):
                self._card_goes(source)
                self.may_cards |= {(drawer, known) for holder, known in self.may_cards if holder == source}
                if me in (drawer, source):
                    self._see(drawer, card)
                    self._drawn[drawer] = {(drawer, card)}
            case e.CardPlayed(turn):
                self._card_goes(turn)
            case _:
                pass

    def _remember(self, event: e.Event) -> None:
        me = self.turn
        match event:
            case e.NightBegan():
                self.recalls_night = self.night
            case e.RoundBegan(number):
                self._round = number
            case e.RolesLearned(turn, learnt) if turn == me:
                self.recalls_roles = dict(learnt)
            case e.CardPeeked(turn, of, card) if turn == me:
                self.recalls_cards.append((self._round, of, None, card))
            case e.CardDrawn(drawer, source, card) if me in (drawer, source):
                self.recalls_cards.append((self._round, source, drawer, card))
            case _:
                pass

    def _see(self, holder: Turn, card: Card) -> None:
        self.seen.add((holder, card))
        self.may_cards.add((holder, card))

    def _card_goes(self, holder: Turn) -> None:
        """A card left this hand: from here on nothing must be known of it."""
        self._drawn.pop(holder, None)

    def check(self, at: int, you: PlayerView) -> Leak | None:
        eye = PlayerEye(self.turn)
        if you.night != self.night:
            return Leak("fading: night", eye, at, f"{you.night} for {self.night}")
        known_roles = {known.turn: known.role for known in you.knows_roles}
        if known_roles != self.must_roles:
            return Leak("fading: insight", eye, at, f"{known_roles} for {self.must_roles}")
        cards = {(known.turn, known.card) for known in you.knows_cards}
        allowed = self.may_cards if self.aid else self.may_cards - self._faded_peeks()
        if not cards <= allowed:
            return Leak("fading: cards", eye, at, f"{cards} beyond {allowed}")
        if not self.must_cards <= cards:
            return Leak("missing: cards", eye, at, f"{self.must_cards} not all of {cards}")
        return None

    def check_recollection(self, at: int, recalled: remembering.Recollection) -> Leak | None:
        """Whether an AI in this seat is handed what the player was shown, no less and no more."""
        cards = [(seen.round, seen.of, seen.to, seen.card) for seen in recalled.cards]
        roles = {known.turn: known.role for known in recalled.roles}
        found = (recalled.night, cards, roles)
        true = (self.recalls_night, self.recalls_cards, self.recalls_roles)
        return None if found == true else Leak("remembers", PlayerEye(self.turn), at, f"{found} for {true}")

    def _faded_peeks(self) -> set[tuple[Turn, Card]]:
        """Peeked cards that are no longer shown, unless the same is known from a draw."""
        peeked = {
            (event.of, event.card)
            for event in self.world.events
            if isinstance(event, e.CardPeeked) and event.turn == self.turn
        }
        drawn = {(event.drawer, event.card) for event in self.world.events if isinstance(event, e.CardDrawn)}
        return peeked - self._peek - drawn


def fades(world: World, turn: Turn) -> Leak | None:
    """Whether this player knows exactly what they may, at every step of a game that is not over, and no longer.

    What an AI remembers for them is looked at, too: that never fades.
    """
    panel = Panel(world, turn)
    for at, state in enumerate(world.states()):
        if at:
            panel.hear(world.moves[at - 1])
        you = seeing.player_view(state, turn)
        if leak := panel.check(at, you):
            return leak
        if leak := panel.check_recollection(at, remembering.recollection(state, turn)):
            return leak
    return None


def unfading_news(world: World) -> Leak | None:
    """Whether news holds nothing private: each eye hears the same, and no private thing is in it."""
    for at, move in enumerate(world.moves, 1):
        public = told(move.events, SPECTATOR)
        for eye in eyes_of(world):
            if told(move.events, eye) != public:
                return Leak("news: not the same for all", eye, at, f"{told(move.events, eye)!r} / {public!r}")
    return None


# -- all together ------------------------------------------------------------------------------------------------------


def moments(world: World, rng: random.Random, count: int = 1) -> list[int]:
    """Somewhere (so often), at the last move, and while the ballots are sealed."""
    sealed = [at for at, move in enumerate(world.moves, 1) if isinstance(move.command, CastVote)][:-1]
    somewhere = [rng.randint(0, len(world.moves)) for _ in range(count)]
    return [*somewhere, len(world.moves), *rng.sample(sealed, min(1, len(sealed)))]


def find_leak(world: World, rng: random.Random, twins: int = 1, eyes: int | None = None) -> Leak | None:
    """The first leak in a game, over all eyes or so many of them and several twins each, at moments drawn anew."""
    going = world.until(len(world.moves) - 1)
    if leak := unfading_news(going):
        return leak
    looking = eyes_of(world)
    for eye in looking if eyes is None else rng.sample(looking, eyes):
        if isinstance(eye, PlayerEye) and (leak := fades(going, eye.turn)):
            return leak
        for at in moments(going, rng, twins):
            now = going.until(at)
            other = twin(now, eye, rng)
            if other and (leak := leak_between(eye, now, other, rng)):
                return leak
    return None


def leak_between(eye: Eye, world: World, other: World, rng: random.Random, answers: int = 2) -> Leak | None:
    """The first difference that this eye could notice between two worlds."""
    if leak := same_to(eye, world, other) or same_course(eye, world, other):
        return leak
    pairs = list(enumerate(zip(world.states(), other.states(), strict=True)))
    mine = [pair for pair in pairs if isinstance(eye, PlayerEye) and eye.turn in awaited(pair[1][0].table)]
    asked = [*_some(pairs, answers, rng), *_some(mine, answers, rng), pairs[-1]]
    for at, (here, there) in asked:
        if leak := same_answers(eye, at, here, there):
            return leak
    return None


def _some(of: Sequence[T], count: int, rng: random.Random) -> list[T]:
    return rng.sample(of, min(count, len(of)))


# -- what a module is given --------------------------------------------------------------------------------------------

_PUBLIC: Final = (TableView, TimersView, random.Random)


def given_leak(module: ModuleType) -> Leak | None:
    """Whether a module's own functions are given the public table (and settings, and chance) and nothing else."""
    for name, function in vars(module).items():
        if not inspect.isfunction(function) or (function.__module__ != module.__name__ and not _is_patched(function)):
            continue
        hints = get_type_hints(function)
        for parameter in inspect.signature(function).parameters:
            if hints.get(parameter) not in _PUBLIC:
                return Leak("given: more than the table", SPECTATOR, 0, f"{module.__name__}.{name}({parameter})")
    return None


def _is_patched(function: FunctionType) -> bool:
    """A function that somebody put there from elsewhere counts as the module's own."""
    return not function.__module__.startswith("cinderforge.") or ".testkit" in function.__module__
