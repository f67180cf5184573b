"""Who acts when in a round (R6.12): turn order from the holder, then act-last players to the end, then the link."""

from __future__ import annotations

from cinderforge.rules.state import Table, last_actors, link, turns
from cinderforge.rules.words import Turn


def from_holder(table: Table, holder: Turn) -> tuple[Turn, ...]:
    """Turn order from the holder on, as nothing had changed it."""
    everyone = turns(table)
    return everyone[holder - 1 :] + everyone[: holder - 1]


def round_order(table: Table, holder: Turn) -> tuple[Turn, ...]:
    """The order in which this round's play goes round (R6.12)."""
    last = last_actors(table)
    if not last and not table.marks:
        return from_holder(table, holder)
    order = [turn for turn in from_holder(table, holder) if turn not in last]
    order.extend(last)
    linked = link(table)
    if linked and order.index(linked.follower) < order.index(linked.leader):
        order.remove(linked.follower)
        order.insert(order.index(linked.leader) + 1, linked.follower)
    assert len(order) == len(turns(table))
    return tuple(order)
