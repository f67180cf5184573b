"""The game that is on in a room: its chance, its chronicle and its present state."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from cinderforge.redaction.eye import SPECTATOR
from cinderforge.redaction.news import tell
from cinderforge.redaction.shapes import News, TableView
from cinderforge.redaction.view import table_view
from cinderforge.room.shapes import MemberId
from cinderforge.rules.events import Event
from cinderforge.rules.game import Deal, begin, draw_deal, replay
from cinderforge.rules.luck import SeededLuck, seed_from
from cinderforge.rules.settings import Settings
from cinderforge.rules.state import GameState, Table
from cinderforge.rules.words import Phase, Seat, Turn


@dataclass(slots=True)
class Running:
    """A dealt game; `chronicle` holds all of its events so far."""

    number: int
    secret: bytes
    contributions: tuple[bytes, ...]
    deal: Deal
    state: GameState
    chronicle: list[Event] = field(default_factory=list)
    looked: set[MemberId] = field(default_factory=set)
    _news: list[News | None] = field(default_factory=list)
    _shown: tuple[GameState, TableView] | None = None

    @classmethod
    def deal_out(
        cls,
        number: int,
        settings: Settings,
        secret: bytes,
        contributions: Sequence[bytes],
    ) -> Running:
        """The game that follows from the secret and the contributions alone (R3.4)."""
        luck = SeededLuck(seed_from(secret, contributions))
        deal = draw_deal(settings, luck)
        return cls(number, secret, tuple(contributions), deal, begin(settings, deal, luck))

    @property
    def table(self) -> Table:
        return self.state.table

    @property
    def shown(self) -> TableView:
        """The public table, made once for each state."""
        if self._shown is None or self._shown[0] is not self.state:
            self._shown = (self.state, table_view(self.state, self._shown and self._shown[1]))
        return self._shown[1]

    @property
    def is_over(self) -> bool:
        return self.table.phase is Phase.OVER

    def fold(self, events: Iterable[Event]) -> None:
        events = list(events)
        self.state = replay(self.state, events)
        self.chronicle += events

    def advance(self, events: Iterable[Event], state: GameState) -> None:
        """What `fold` does, where the state is known already."""
        self.chronicle += events
        self.state = state

    def turn_of(self, seat: Seat) -> Turn:
        return Turn(self.deal.seats.index(seat) + 1)

    def seat_of(self, turn: Turn) -> Seat:
        return self.deal.seats[turn - 1]

    def news(self, first: int, end: int) -> tuple[News, ...]:
        """What everybody is told of the events from number `first` up to before `end`, in order.

        It is what somebody hears who only watches, made once for all: no news holds anything private.
        """
        self._news += [tell(event, SPECTATOR) for event in self.chronicle[len(self._news) : end]]
        return tuple([news for news in self._news[first:end] if news is not None])
