"""Runs scenarios: moves through the rules, expectations against what is shown (docs/formats.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, assert_never

from cinderforge.redaction.eye import SPECTATOR, PlayerEye
from cinderforge.redaction.shapes import View
from cinderforge.redaction.view import player_view, view
from cinderforge.rules.commands import (
    CastVote,
    ChooseCard,
    ChooseTargets,
    Command,
    EndNight,
    PassCrystal,
    PlayCard,
    Skip,
    TimeOut,
)
from cinderforge.rules.events import FirstHolderFound, NightBegan, NightEnded, RoundBegan
from cinderforge.rules.game import Deal, begin, offers, replay, take, take_clock
from cinderforge.rules.luck import StillLuck
from cinderforge.rules.offers import OfferPlay, commands_of
from cinderforge.rules.rejection import Rejected
from cinderforge.rules.state import GameState, to_act
from cinderforge.rules.words import Phase, Seat, Turn
from cinderforge.scenarios.parse import (
    SPECTATOR_NAME,
    AutoSkipStep,
    BadScenario,
    Expectation,
    ExpectStep,
    MoveStep,
    NightOverStep,
    RejectStep,
    Scenario,
)


@dataclass(frozen=True, slots=True)
class Failure:
    """What did not hold, and where."""

    file: str
    line: int
    what: str
    expected: str
    found: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.what}: expected {self.expected}, found {self.found}"


@dataclass(slots=True)
class Report:
    scenario: Scenario
    failures: list[Failure] = field(default_factory=list)

    @property
    def is_ok(self) -> bool:
        return not self.failures


def run(scenario: Scenario) -> Report:
    """Runs a scenario to its end, or to the first plain move that is refused. Raises BadScenario."""
    runner = _Runner(scenario)
    for step in scenario.steps:
        if not runner.step(step):
            break
    return runner.report


class _Runner:
    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.report = Report(scenario)
        self.turns = {player.name: Turn(turn) for turn, player in enumerate(scenario.players, 1)}
        self.names = {turn: name for name, turn in self.turns.items()}
        self.state = self._start()

    def _start(self) -> GameState:
        people = self.scenario.players
        deal = Deal(
            seats=tuple(Seat(turn) for turn in range(1, len(people) + 1)),
            roles=tuple(player.role for player in people),
            hands=tuple(player.hand for player in people),
            scrolls=tuple(player.scroll for player in people),
        )
        state = replay(begin(self.scenario.settings, deal, StillLuck()), [NightBegan()])
        if self.scenario.first is None:
            return state
        first = self.turns[self.scenario.first]
        return replay(state, [NightEnded(), FirstHolderFound(first), RoundBegan(1)])

    def step(self, step: MoveStep | NightOverStep | RejectStep | AutoSkipStep | ExpectStep) -> bool:
        """Does one step; False where the run cannot go on."""
        match step:
            case MoveStep() | NightOverStep():
                return self._move(step)
            case RejectStep():
                self._reject(step)
            case AutoSkipStep():
                self._auto_skip()
            case ExpectStep(_, expectations):
                for expectation in expectations:
                    self._expect(expectation)
            case _:
                assert_never(step)
        return True

    # -- moves ---------------------------------------------------------------------------------------------------------

    def _move(self, step: MoveStep | NightOverStep) -> bool:
        try:
            self.state = self._after(step)
        except Rejected as rejected:
            self._fail(step.line, _words(step), "to be accepted", f"refused: {rejected.code.value}")
            return False
        return True

    def _reject(self, step: RejectStep) -> None:
        try:
            self._after(step.move)
        except Rejected as rejected:
            if rejected.code.value != step.code:
                self._fail(step.line, f"reject {_words(step.move)}", step.code, rejected.code.value)
        else:
            self._fail(step.line, f"reject {_words(step.move)}", step.code, "accepted")

    def _after(self, step: MoveStep | NightOverStep) -> GameState:
        if isinstance(step, NightOverStep):
            return take_clock(self.state, EndNight())[1]
        turn = self._turn(step.player)
        if step.verb == "timeout":
            return take_clock(self.state, TimeOut(turn))[1]
        return take(self.state, turn, self._command(step))[1]

    def _command(self, step: MoveStep) -> Command:
        match step.verb, step.arguments:
            case "vote", (target,):
                return CastVote(self._turn(target))
            case "pass", (to,):
                return PassCrystal(self._turn(to))
            case "scroll", targets:
                return ChooseTargets(tuple(self._turn(target) for target in targets))
            case "choose", (position,):
                return ChooseCard(int(position))
            case "play", (card,):
                return PlayCard(card)
            case _:
                return Skip()

    def _turn(self, name: str) -> Turn:
        """Somebody whom the file does not know is nobody's turn: the rules refuse it in its place."""
        return self.turns.get(name, Turn(0))

    def _auto_skip(self) -> None:
        number = self.state.table.round
        while self.state.table.phase is Phase.PLAY and self.state.table.round == number:
            turn = to_act(self.state.table)
            assert turn is not None
            offer = offers(self.state, turn)
            assert isinstance(offer, OfferPlay)
            command = Skip() if offer.may_skip else PlayCard(offer.cards[0])
            self.state = take(self.state, turn, command)[1]

    # -- expectations --------------------------------------------------------------------------------------------------

    def _expect(self, expected: Expectation) -> None:
        check = getattr(self, f"_expect_{expected.key}", None)
        if check is not None:
            check(expected)
        else:
            self._compare(expected, expected.key, expected.value, _SIMPLE[expected.key](self._shown))

    @property
    def _shown(self) -> View:
        return view(self.state, SPECTATOR)

    def _expect_holder(self, expected: Expectation) -> None:
        self._compare(expected, "holder", expected.value, self._name(self._shown.table.holder))

    def _expect_to_act(self, expected: Expectation) -> None:
        turn = to_act(self.state.table)
        self._compare(expected, "to_act", expected.value, self._name(turn))

    def _expect_order(self, expected: Expectation) -> None:
        order = self._shown.table.order
        found = None if order is None else [self.names[turn] for turn in order]
        self._compare(expected, "order", expected.value, found, in_order=True)

    def _expect_shown(self, expected: Expectation) -> None:
        past = self._shown.table.past
        found = [card.value for card in past[-1].cards] if past else None
        in_order = bool(past) and past[-1].sources is not None
        self._compare(expected, "shown", expected.value, found, in_order=in_order)

    def _expect_sources(self, expected: Expectation) -> None:
        past = self._shown.table.past
        found = None
        if past and past[-1].sources is not None:
            last = past[-1]
            assert last.sources is not None
            found = [[self.names[turn], card.value] for turn, card in zip(last.sources, last.cards, strict=True)]
        self._compare(expected, "sources", expected.value, found, in_order=True)

    def _expect_fired(self, expected: Expectation) -> None:
        found = [self.names[fired.turn] for fired in self._shown.table.fired]
        self._compare(expected, "fired", expected.value, found)

    def _expect_legal(self, expected: Expectation) -> None:
        for name, value in self._by_player(expected).items():
            found = self._legal(self.turns[name])
            if not any(isinstance(one, str) and one.startswith("play ") for one in value or []):
                found = list(dict.fromkeys("play" if one.startswith("play ") else one for one in found))
            self._compare(expected, f"legal of {name}", value, found)

    def _expect_hand(self, expected: Expectation) -> None:
        for name, value in self._by_player(expected).items():
            hand = player_view(self.state, self.turns[name]).hand
            self._compare(expected, f"hand of {name}", value, [card.value for card in hand])

    def _expect_sees(self, expected: Expectation) -> None:
        for name, value in self._by_player(expected, spectator=True).items():
            self._sees(expected, name, value)

    def _sees(self, expected: Expectation, name: str, wanted: Mapping[str, Any]) -> None:
        shown = view(self.state, SPECTATOR if name == SPECTATOR_NAME else PlayerEye(self.turns[name]))
        found: dict[str, Any] = {
            "hand_sizes": {self.names[Turn(t)]: size for t, size in enumerate(shown.table.hand_sizes, 1)},
            "night_set": None,
            "own_hand": None,
            "knows_card": [],
            "knows_role": {},
        }
        if shown.you:
            night = shown.you.night
            found["night_set"] = None if night is None else [self.names[turn] for turn in night]
            found["own_hand"] = [card.value for card in shown.you.hand]
            found["knows_card"] = [[self.names[known.turn], known.card.value] for known in shown.you.knows_cards]
            found["knows_role"] = {self.names[known.turn]: known.role.value for known in shown.you.knows_roles}
        elif shown.table.reveal:
            found["knows_role"] = {
                self.names[Turn(t)]: role.value for t, role in enumerate(shown.table.reveal.roles, 1)
            }
        for key, value in wanted.items():
            if isinstance(value, dict) and value:
                for player in value:
                    self._known(expected, str(player))
                part = {player: found[key].get(player) for player in value}
                self._compare(expected, f"{name} sees {key}", value, part)
            else:
                self._compare(expected, f"{name} sees {key}", value, found[key])

    def _by_player(self, expected: Expectation, *, spectator: bool = False) -> dict[str, Any]:
        if not isinstance(expected.value, dict):
            raise BadScenario(self.scenario.file, expected.line, f"{expected.key}: a map by player", expected.value)
        for name in expected.value:
            if not (spectator and name == SPECTATOR_NAME):
                self._known(expected, str(name))
        return expected.value

    def _known(self, expected: Expectation, name: str) -> None:
        if name not in self.turns:
            raise BadScenario(self.scenario.file, expected.line, f"a player: {', '.join(self.turns)}", name)

    def _legal(self, turn: Turn) -> list[str]:
        offer = offers(self.state, turn)
        if offer is None:
            return []
        return [words for command in commands_of(offer) if (words := self._spelt(command)) is not None]

    def _spelt(self, command: Command) -> str | None:
        """A command as a move is written; a vote for nobody has no spelling."""
        match command:
            case CastVote(target):
                return None if target is None else f"vote {self.names[target]}"
            case PassCrystal(to):
                return f"pass {self.names[to]}"
            case ChooseTargets(targets):
                return " ".join(["scroll", *(self.names[target] for target in targets)])
            case ChooseCard(position):
                return f"choose {position}"
            case PlayCard(card):
                return f"play {card}"
            case Skip():
                return "skip"
            case _:
                assert_never(command)

    def _name(self, turn: Turn | None) -> str | None:
        return None if turn is None else self.names[turn]

    def _compare(
        self, expected: Expectation, what: str, wanted: object, found: object, *, in_order: bool = False
    ) -> None:
        if not _is_same(wanted, found, in_order):
            self._fail(expected.line, what, _yaml(wanted), _yaml(found))

    def _fail(self, line: int, what: str, expected: str, found: str) -> None:
        self.report.failures.append(Failure(self.scenario.file, line, what, expected, found))


_SIMPLE: Mapping[str, Callable[[View], object]] = {
    "phase": lambda shown: shown.table.phase.value,
    "round": lambda shown: shown.table.round,
    "activated": lambda shown: shown.table.tally.activated,
    "slain": lambda shown: shown.table.tally.slain,
    "sage_activated": lambda shown: shown.table.tally.sage_activated,
    "sage_slain": lambda shown: shown.table.tally.sage_slain,
    "winner": lambda shown: shown.table.result.winner.value if shown.table.result else None,
    "reason": lambda shown: shown.table.result.reason.value if shown.table.result else None,
}


def _is_same(wanted: object, found: object, in_order: bool) -> bool:
    """Lists are complete; unordered unless said otherwise. True is not 1."""
    if isinstance(wanted, list) and isinstance(found, list) and not in_order:
        return Counter(map(_yaml, wanted)) == Counter(map(_yaml, found))
    return type(wanted) is type(found) and wanted == found


def _yaml(value: object) -> str:
    """A value as the file would write it."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case list():
            return "[" + ", ".join(_yaml(one) for one in value) + "]"
        case dict():
            return "{" + ", ".join(f"{key}: {_yaml(one)}" for key, one in value.items()) + "}"
        case _:
            return str(value)


def _words(step: MoveStep | NightOverStep) -> str:
    return str(step) if isinstance(step, MoveStep) else "night over"
