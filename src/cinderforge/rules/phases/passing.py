"""The pass (R5.3) and what it sets off: the receiver's scroll is shown at once (R5.4)."""

from __future__ import annotations

from cinderforge.rules.commands import PassCrystal
from cinderforge.rules.events import CrystalPassed
from cinderforge.rules.offers import OfferPass
from cinderforge.rules.phases import choosing
from cinderforge.rules.rejection import Code, Rejected
from cinderforge.rules.state import Table, has_fired, receivers
from cinderforge.rules.unfolding import Unfolding
from cinderforge.rules.words import How, Turn


def offer(table: Table) -> OfferPass:
    """Whom the holder may give the crystal (R5.3)."""
    return OfferPass(receivers(table))


def give(unfolding: Unfolding, turn: Turn, command: PassCrystal, how: How) -> None:
    """The holder passes. Raises Rejected for oneself, and for whose scroll has fired (R5.3)."""
    if command.to == turn:
        raise Rejected(Code.SELF_NOT_ALLOWED)
    if has_fired(unfolding.state.table, command.to):
        raise Rejected(Code.SCROLL_ALREADY_FIRED)
    _give(unfolding, turn, command.to, how)


def time_out(unfolding: Unfolding, turn: Turn) -> None:
    """The crystal goes to a random candidate (R10.1)."""
    table, vault = unfolding.state
    candidates = receivers(table)
    drawn = vault.luck.pick(f"round {table.round} pass", len(candidates))
    _give(unfolding, turn, candidates[drawn], How.TIMEOUT)


def _give(unfolding: Unfolding, turn: Turn, to: Turn, how: How) -> None:
    unfolding.add(CrystalPassed(turn, to, how))
    choosing.show(unfolding, to)
