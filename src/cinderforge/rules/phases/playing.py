"""The play (R5.5): one after the other plays one card face down or skips; then the round resolves (R5.6)."""

from __future__ import annotations

from cinderforge.rules.commands import PlayCard
from cinderforge.rules.ending import ending
from cinderforge.rules.events import (
    CardPlayed,
    PassedOver,
    PlayBegan,
    RoundBegan,
    Skipped,
)
from cinderforge.rules.offers import OfferPlay
from cinderforge.rules.order import round_order
from cinderforge.rules.rejection import Code, Rejected
from cinderforge.rules.resolution import resolve
from cinderforge.rules.state import GameState, must_play, must_skip, only_drawn
from cinderforge.rules.unfolding import Unfolding
from cinderforge.rules.words import Card, How, Turn


def begin(unfolding: Unfolding) -> None:
    """The order is fixed, and those without cards are passed over."""
    table = unfolding.state.table
    assert table.holder is not None
    unfolding.add(PlayBegan(round_order(table, table.holder)))
    _go_round(unfolding)


def offer(state: GameState, turn: Turn) -> OfferPlay:
    """Which kinds of card this player may play now, in hand order, and whether they may skip."""
    table = state.table
    if not table.marks:
        return OfferPlay(tuple(dict.fromkeys(state.vault.hands[turn - 1])), True)
    if must_skip(table, turn):
        return OfferPlay((), True)
    hand = state.vault.hands[turn - 1]
    cards = hand[-1:] if only_drawn(table, turn) else tuple(dict.fromkeys(hand))
    return OfferPlay(cards, not must_play(table, turn))


def play(unfolding: Unfolding, turn: Turn, command: PlayCard, how: How) -> None:
    """Lays a card face down; of equal cards the first of the hand. Raises Rejected by marks and hand (R5.5, R6.3)."""
    table, vault = unfolding.state
    hand = vault.hands[turn - 1]
    if table.marks and must_skip(table, turn):
        raise Rejected(Code.MUST_SKIP)
    if command.card not in hand:
        raise Rejected(Code.NOT_IN_HAND)
    card = Card(command.card)
    if table.marks and only_drawn(table, turn):
        if card != hand[-1]:
            raise Rejected(Code.ONLY_DRAWN_CARD)
        _play(unfolding, turn, card, len(hand) - 1, how)
    else:
        _play(unfolding, turn, card, hand.index(card), how)


def skip(unfolding: Unfolding, turn: Turn, how: How) -> None:
    """Plays nothing. Raises Rejected where a mark forbids it (R6.1, R6.5, R6.8)."""
    table = unfolding.state.table
    if table.marks and must_play(table, turn):
        raise Rejected(Code.MUST_PLAY)
    unfolding.add(Skipped(turn, how))
    _go_round(unfolding)


def time_out(unfolding: Unfolding, turn: Turn) -> None:
    """A play is skipped or, where that is not allowed, a random card is played (R10.1)."""
    table, vault = unfolding.state
    if not must_play(table, turn):
        skip(unfolding, turn, How.TIMEOUT)
        return
    hand = vault.hands[turn - 1]
    first = len(hand) - 1 if only_drawn(table, turn) else 0
    drawn = vault.luck.pick(f"round {table.round} play of {turn}", len(hand) - first)
    card = hand[first + drawn]
    _play(unfolding, turn, card, first if first else hand.index(card), How.TIMEOUT)


def _play(unfolding: Unfolding, turn: Turn, card: Card, position: int, how: How) -> None:
    unfolding.add(CardPlayed(turn, card, position, how))
    _go_round(unfolding)


def _go_round(unfolding: Unfolding) -> None:
    """On to the next player with cards; after the last one the round resolves (R5.5, R5.6)."""
    table = unfolding.state.table
    order = table.order
    at = len(table.acts)
    while at < len(order) and not table.hand_sizes[order[at] - 1]:
        unfolding.add(PassedOver(order[at]))
        at += 1
    if at == len(order):
        _resolve(unfolding)


def _resolve(unfolding: Unfolding) -> None:
    resolved = resolve(unfolding.state)
    unfolding.add(resolved)
    end = ending(unfolding.state, resolved.cards)
    unfolding.add(end if end else RoundBegan(unfolding.state.table.round + 1))
