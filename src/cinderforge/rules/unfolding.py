"""A command being decided: the events so far, and the state they have led to."""

from __future__ import annotations

from cinderforge.rules.events import Event
from cinderforge.rules.evolve import evolve
from cinderforge.rules.state import GameState


class Unfolding:
    """Collects the events of one command and folds them as it goes. Lives no longer than the decision."""

    __slots__ = ("events", "state")

    def __init__(self, state: GameState) -> None:
        self.state = state
        self.events: list[Event] = []

    def add(self, *events: Event) -> None:
        """These happen next, in this order; `state` is the one after them."""
        for event in events:
            self.events.append(event)
            self.state = evolve(self.state, event)
