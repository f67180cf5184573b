"""A scroll is shown, makes its choices and takes effect (R5.4, R6). What it does stands in its own file."""

from __future__ import annotations

from typing import Final

from cinderforge.rules.commands import ChooseCard, ChooseTargets
from cinderforge.rules.events import (
    CardsFanned,
    ScrollSettled,
    ScrollShown,
    TargetsChosen,
)
from cinderforge.rules.offers import OfferRow, OfferTargets
from cinderforge.rules.phases import playing
from cinderforge.rules.rejection import Code, Rejected
from cinderforge.rules.scrolls import CATALOG
from cinderforge.rules.scrolls.scroll import Firing, Scroll
from cinderforge.rules.state import GameState, Table
from cinderforge.rules.unfolding import Unfolding
from cinderforge.rules.words import How, Turn

_HOW_FAR_FROM_OWN: Final = (How.OWN, How.STAND_IN, How.TIMEOUT)
"""A choice in two steps is marked by the step that was least the player's own (R10)."""


def show(unfolding: Unfolding, turn: Turn) -> None:
    """The receiver's scroll is shown; it fires at once where it needs no choice or has none (R5.4)."""
    table, vault = unfolding.state
    scroll = CATALOG[vault.scrolls[turn - 1]]
    asks = scroll.asks and _has_choice(scroll, table, turn)
    unfolding.add(ScrollShown(turn, scroll.id, asks))
    if not asks:
        if not scroll.asks:
            unfolding.add(*scroll.effect(unfolding.state, Firing(turn)))
        unfolding.add(ScrollSettled(turn, scroll.id, (), None, not scroll.asks, How.OWN))
        playing.begin(unfolding)
    elif not scroll.players:
        _fan(unfolding, scroll)


def offer(table: Table) -> OfferTargets | OfferRow:
    """What the scroll still waits for: the players first, then one of the face-down cards (R5.4, R6.11)."""
    choice = table.choice
    assert choice
    if choice.of is not None:
        return OfferRow(choice.of, choice.cards)
    players = CATALOG[choice.scroll].players
    assert players
    return OfferTargets(players.candidates(table, choice.turn), players.count)


def choose_targets(unfolding: Unfolding, turn: Turn, command: ChooseTargets, how: How) -> None:
    """Names the players. Raises Rejected; the order of the codes is part of the answer (docs/formats.md)."""
    table = unfolding.state.table
    assert table.choice
    scroll = CATALOG[table.choice.scroll]
    players, targets = scroll.players, command.targets
    if not players or table.choice.targets or len(targets) != players.count:
        raise Rejected(Code.BAD_CHOICE)
    if not players.oneself and turn in targets:
        raise Rejected(Code.SELF_NOT_ALLOWED)
    if len(set(targets)) < len(targets):
        raise Rejected(Code.DUPLICATE_TARGET)
    if players.holding_cards and not all(table.hand_sizes[target - 1] for target in targets):
        raise Rejected(Code.TARGET_HAS_NO_CARDS)
    _take_targets(unfolding, targets, how)


def choose_card(unfolding: Unfolding, turn: Turn, command: ChooseCard, how: How) -> None:
    """Picks from the row, by its 1-based place. Raises Rejected where no row lies, or no card at that place."""
    choice = unfolding.state.table.choice
    assert choice
    if choice.of is None:
        raise Rejected(Code.BAD_CHOICE)
    if not 1 <= command.position <= choice.cards:
        raise Rejected(Code.NO_SUCH_CARD)
    _take_card(unfolding, command.position, how)


def time_out(unfolding: Unfolding, turn: Turn) -> None:
    """What is given is kept; the rest is chosen at random among the legal (R10.1)."""
    table, vault = unfolding.state
    choice = table.choice
    assert choice
    if choice.of is None:
        _take_targets(unfolding, _random_targets(unfolding.state), How.TIMEOUT)
    choice = unfolding.state.table.choice
    if choice and choice.of is not None:
        drawn = vault.luck.pick(f"round {table.round} card", choice.cards)
        _take_card(unfolding, drawn + 1, How.TIMEOUT)


def _random_targets(state: GameState) -> tuple[Turn, ...]:
    """Different players, one draw each, from those still left in turn order."""
    table, vault = state
    offered = offer(table)
    assert isinstance(offered, OfferTargets)
    left, chosen = list(offered.targets), []
    for number in range(1, offered.count + 1):
        drawn = vault.luck.pick(f"round {table.round} target {number}", len(left))
        chosen.append(left.pop(drawn))
    return tuple(chosen)


def _has_choice(scroll: Scroll, table: Table, turn: Turn) -> bool:
    if scroll.players:
        return bool(scroll.players.candidates(table, turn))
    assert scroll.card_of
    return table.hand_sizes[scroll.card_of(table, turn, ()) - 1] > 0


def _take_targets(unfolding: Unfolding, targets: tuple[Turn, ...], how: How) -> None:
    choice = unfolding.state.table.choice
    assert choice
    scroll = CATALOG[choice.scroll]
    unfolding.add(TargetsChosen(choice.turn, targets, how))
    if scroll.card_of:
        _fan(unfolding, scroll)
    else:
        _settle(unfolding, scroll, Firing(choice.turn, targets), how)


def _fan(unfolding: Unfolding, scroll: Scroll) -> None:
    """Lay the cards face down in a fresh order, so that no position tells anything (R6.11)."""
    table, vault = unfolding.state
    choice = table.choice
    assert choice and scroll.card_of
    of = scroll.card_of(table, choice.turn, choice.targets)
    row = vault.luck.order(f"round {table.round} row", table.hand_sizes[of - 1])
    unfolding.add(CardsFanned(choice.turn, of, row))


def _take_card(unfolding: Unfolding, position: int, how: How) -> None:
    table, vault = unfolding.state
    choice = table.choice
    assert choice and choice.of is not None
    hand = vault.hands[choice.of - 1]
    card = hand[vault.row[position - 1]]
    firing = Firing(choice.turn, choice.targets, choice.of, card, hand.index(card))
    least_own = max(choice.how, how, key=_HOW_FAR_FROM_OWN.index)
    _settle(unfolding, CATALOG[choice.scroll], firing, least_own)


def _settle(unfolding: Unfolding, scroll: Scroll, firing: Firing, how: How) -> None:
    unfolding.add(*scroll.effect(unfolding.state, firing))
    unfolding.add(ScrollSettled(firing.turn, scroll.id, firing.targets, firing.card, True, how))
    playing.begin(unfolding)
