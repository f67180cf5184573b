"""How a game ends (R7, R8), checked after each resolution in the order of the clauses."""

from __future__ import annotations

from collections.abc import Sequence

from cinderforge.rules.events import GameEnded
from cinderforge.rules.resolution import is_sage_caught
from cinderforge.rules.state import GameState
from cinderforge.rules.words import PERSON_CARDS, Card, Faction, Reason, faction_of


def ending(state: GameState, shown: Sequence[Card]) -> GameEnded | None:
    """The end that follows from the state after a resolution that showed these cards, if any."""
    table = state.table
    settings, tally = table.settings, table.tally
    if settings.sage_slain_ends and is_sage_caught(shown):
        return GameEnded(Faction.DRAGON, Reason.SAGE_SLAIN)
    if tally.sage_activated and tally.activated >= settings.activation_target:
        return GameEnded(Faction.HUMAN, Reason.SAGE_AND_OTHERS_ACTIVATED)
    if not settings.sage_slain_ends and tally.activated >= 2 * settings.activation_target:
        return GameEnded(Faction.HUMAN, Reason.DOUBLE_ACTIVATED)
    if tally.slain >= settings.kill_target:
        return GameEnded(Faction.DRAGON, Reason.SLAIN)
    if len(table.fired) == len(table.seats):
        winner = Faction.DRAGON if _humans_hold_persons(state) else Faction.HUMAN
        return GameEnded(winner, Reason.SCROLLS_SPENT)
    return None


def _humans_hold_persons(state: GameState) -> bool:
    """R7.4 asks of human players alone; a human's drawn person card counts."""
    vault = state.vault
    return any(
        faction_of(role) is Faction.HUMAN and not PERSON_CARDS.isdisjoint(hand)
        for role, hand in zip(vault.roles, vault.hands, strict=True)
    )
