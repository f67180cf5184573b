"""What the cards of a round do (R5.6, R5.7, R8.1)."""

from __future__ import annotations

from collections.abc import Sequence

from cinderforge.rules.events import CardsResolved, Tally
from cinderforge.rules.state import GameState, sources_open
from cinderforge.rules.words import DRAGON_CARDS, OTHERS, Card


def is_sage_caught(cards: Sequence[Card]) -> bool:
    """A sage card and a dragon card in the same round (R5.6.3)."""
    return Card.SAGE in cards and not DRAGON_CARDS.isdisjoint(cards)


def resolve(state: GameState) -> CardsResolved:
    """The middle, collected, shuffled unless its sources are open (R6.2), and counted."""
    table, vault = state
    if sources_open(table):
        cards = tuple(card for _, card in vault.middle)
        sources = tuple(turn for turn, _ in vault.middle)
        return CardsResolved(cards, sources, counted(table.tally, cards))
    drawn = vault.luck.order(f"round {table.round} shuffle", len(vault.middle))
    shown = tuple(vault.middle[at][1] for at in drawn)
    return CardsResolved(shown, None, counted(table.tally, shown))


def counted(tally: Tally, cards: Sequence[Card]) -> Tally:
    """The tally after these cards: activated without a dragon among them, slain with one (R5.6, R8.1).

    >>> counted(Tally(), [Card.SAGE, Card.MYSTIC, Card.BLANK])
    Tally(sage_activated=True, activated=1, slain=0, sage_slain=False)
    """
    sage = Card.SAGE in cards
    others = sum(card in OTHERS for card in cards)
    if DRAGON_CARDS.isdisjoint(cards):
        return Tally(
            tally.sage_activated or sage,
            tally.activated + others,
            tally.slain,
            tally.sage_slain,
        )
    return Tally(
        tally.sage_activated,
        tally.activated,
        tally.slain + others,
        tally.sage_slain or sage,
    )
