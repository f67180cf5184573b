"""The whole engine in few words: deal · offers · decide · take · replay."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, assert_never

from cinderforge.rules.commands import (
    CastVote,
    ChooseCard,
    ChooseTargets,
    ClockCommand,
    Command,
    EndAnnouncement,
    EndNight,
    EndReveal,
    PassCrystal,
    PlayCard,
    Skip,
    TimeOut,
)
from cinderforge.rules.events import AnnouncementEnded, Event, NightBegan
from cinderforge.rules.evolve import evolve
from cinderforge.rules.luck import Luck
from cinderforge.rules.offers import Offer
from cinderforge.rules.phases import choosing, night, passing, playing, voting
from cinderforge.rules.rejection import Code, Rejected
from cinderforge.rules.scrolls import CATALOGS
from cinderforge.rules.settings import RULES_VERSION, Settings, hand_of, roles_for
from cinderforge.rules.state import GameState, Table, is_awaited
from cinderforge.rules.unfolding import Unfolding
from cinderforge.rules.value import value
from cinderforge.rules.vault import Vault
from cinderforge.rules.words import Card, How, Phase, Role, ScrollId, Seat, Turn


@value
class Deal:
    """What was dealt (R3.1): seats, roles, hands and scrolls, each by turn number."""

    seats: tuple[Seat, ...]
    roles: tuple[Role, ...]
    hands: tuple[tuple[Card, ...], ...]
    scrolls: tuple[ScrollId, ...]


def draw_deal(settings: Settings, luck: Luck, rules: int = RULES_VERSION) -> Deal:
    """The deal that follows from the draws `order`, `roles` and `scrolls` (R3.1, R3.4).

    Roles and scrolls are dealt to seats, in seat order; turn order is a permutation of the seats.
    """
    count = settings.seats
    roles, catalog = roles_for(count), CATALOGS[rules]
    at_seat = luck.order("roles", count)
    scroll_at_seat = luck.order("scrolls", len(catalog))
    chairs = luck.order("order", count)
    dealt = tuple(roles[at_seat[chair]] for chair in chairs)
    return Deal(
        seats=tuple(Seat(chair + 1) for chair in chairs),
        roles=dealt,
        hands=tuple(hand_of(role) for role in dealt),
        scrolls=tuple(catalog[scroll_at_seat[chair]] for chair in chairs),
    )


def begin(settings: Settings, deal: Deal, luck: Luck) -> GameState:
    """A dealt game, at the private look (R3.3)."""
    table = Table(settings, deal.seats, tuple(len(hand) for hand in deal.hands))
    return GameState(table, Vault(luck, deal.roles, deal.hands, deal.scrolls))


def deal(settings: Settings, luck: Luck) -> GameState:
    """A game of these settings, dealt and at nightfall (R4)."""
    return replay(begin(settings, draw_deal(settings, luck), luck), [NightBegan()])


def offers(state: GameState, turn: Turn) -> Offer | None:
    """What this player may be asked now; None while others are awaited."""
    table = state.table
    if not is_awaited(table, turn):
        return None
    match table.phase:
        case Phase.PLAY:
            return playing.offer(state, turn)
        case Phase.PASS:
            return passing.offer(table)
        case Phase.SCROLL:
            return choosing.offer(table)
        case Phase.VOTE:
            return voting.offer(table)
        case Phase.REVEAL | Phase.NIGHT | Phase.OVER:
            raise AssertionError("nobody is awaited before the day or after the end")
        case _:
            assert_never(table.phase)


def decide(state: GameState, turn: Turn, command: Command, how: How = How.OWN) -> list[Event]:
    """The events of a player's command. Raises Rejected, by the first code that applies."""
    return _decided(state, turn, command, how).events


def take(state: GameState, turn: Turn, command: Command, how: How = How.OWN) -> tuple[list[Event], GameState]:
    """The events of a player's command and the state they lead to. Raises Rejected."""
    unfolding = _decided(state, turn, command, how)
    return unfolding.events, unfolding.state


def take_clock(state: GameState, command: ClockCommand) -> tuple[list[Event], GameState]:
    """What follows from time alone. Raises Rejected where nothing of the kind is waited for.

    In the night a time-out changes nothing: the night has a clock of its own (docs/formats.md, "Timeouts").
    """
    unfolding = Unfolding(state)
    table = state.table
    if table.phase is Phase.OVER:
        raise Rejected(Code.GAME_OVER)
    match command:
        case EndReveal():
            if table.phase is not Phase.REVEAL:
                raise Rejected(Code.WRONG_PHASE)
            night.start(unfolding)
        case EndNight():
            if table.phase is not Phase.NIGHT:
                raise Rejected(Code.WRONG_PHASE)
            night.end(unfolding)
        case EndAnnouncement():
            if not table.announcing:
                raise Rejected(Code.WRONG_PHASE)
            unfolding.add(AnnouncementEnded())
        case TimeOut(turn):
            _time_out(unfolding, turn)
        case _:
            assert_never(command)
    return unfolding.events, unfolding.state


def replay(state: GameState, events: Iterable[Event]) -> GameState:
    """The state that a chronicle leads to."""
    for event in events:
        state = evolve(state, event)
    return state


def _decided(state: GameState, turn: Turn, command: Command, how: How) -> Unfolding:
    table = state.table
    if table.phase is Phase.OVER:
        raise Rejected(Code.GAME_OVER)
    _check_players(table, turn, command)
    if table.phase is not _PHASES[type(command)]:
        raise Rejected(Code.WRONG_PHASE)
    if not is_awaited(table, turn):
        raise Rejected(Code.NOT_YOUR_TURN)
    unfolding = Unfolding(state)
    match command:
        case PlayCard():
            playing.play(unfolding, turn, command, how)
        case Skip():
            playing.skip(unfolding, turn, how)
        case PassCrystal():
            passing.give(unfolding, turn, command, how)
        case ChooseTargets():
            choosing.choose_targets(unfolding, turn, command, how)
        case ChooseCard():
            choosing.choose_card(unfolding, turn, command, how)
        case CastVote():
            voting.vote(unfolding, turn, command, how)
        case _:
            assert_never(command)
    return unfolding


_PHASES: Final[dict[type[Command], Phase]] = {
    PlayCard: Phase.PLAY,
    Skip: Phase.PLAY,
    PassCrystal: Phase.PASS,
    ChooseTargets: Phase.SCROLL,
    ChooseCard: Phase.SCROLL,
    CastVote: Phase.VOTE,
}
"""The only phase in which each command is possible."""


def _check_players(table: Table, turn: Turn, command: Command) -> None:
    """The mover, then the targets, must be players of this table."""
    _check_player(table, turn)
    match command:
        case PlayCard() | Skip() | ChooseCard():
            pass
        case PassCrystal(to):
            _check_player(table, to)
        case ChooseTargets(targets):
            for target in targets:
                _check_player(table, target)
        case CastVote(target):
            if target is not None:
                _check_player(table, target)
        case _:
            assert_never(command)


def _check_player(table: Table, turn: Turn) -> None:
    if not 1 <= turn <= len(table.seats):
        raise Rejected(Code.UNKNOWN_PLAYER)


def _time_out(unfolding: Unfolding, turn: Turn) -> None:
    table = unfolding.state.table
    _check_player(table, turn)
    if table.phase in (Phase.REVEAL, Phase.NIGHT):
        return
    if not is_awaited(table, turn):
        raise Rejected(Code.NOT_YOUR_TURN)
    match table.phase:
        case Phase.VOTE:
            voting.time_out(unfolding, turn)
        case Phase.PASS:
            passing.time_out(unfolding, turn)
        case Phase.SCROLL:
            choosing.time_out(unfolding, turn)
        case Phase.PLAY:
            playing.time_out(unfolding, turn)
        case Phase.OVER:
            raise AssertionError("nobody is awaited after the end")
        case _:
            assert_never(table.phase)
