"""A room without sockets whose people are known by their names: `host`, `p2`, …; AIs take the other chairs."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from cinderforge.room.inputs import (
    Change,
    Contribute,
    Fill,
    Join,
    Move,
    Seen,
    Start,
    Watch,
    Wish,
)
from cinderforge.room.outputs import Tell
from cinderforge.room.room import Room
from cinderforge.room.shapes import LineView, MemberId, PollView, SeatView, WaitView
from cinderforge.room.state import Wait
from cinderforge.room.waits import COUNTDOWN_SECONDS
from cinderforge.rules.game import offers
from cinderforge.rules.offers import commands_of
from cinderforge.rules.state import awaited
from cinderforge.rules.words import Seat
from cinderforge.testkit.hosting import Hosting

MOMENTS = ("waiting", "mixing", "reveal", "night", "vote", "pass", "scroll", "announcement", "play", "over")
"""Every stage of a room and every wait of a game."""
IN_GAME = MOMENTS[2:9]
AT_LEISURE: dict[str, Any] = {"timers": dict.fromkeys(("reveal", "vote", "passing", "scroll", "play", "away"), 600)}
"""Ten minutes for everything."""


class Company:
    """So many persons at a table of `seats`, so many who watch (`w1`, …). Names are also their sessions."""

    def __init__(self, persons: int = 3, seats: int = 5, watchers: int = 0, seed: int = 1, **settings: Any) -> None:
        self.hosting = Hosting(seed)
        self.people = ["host", *(f"p{number}" for number in range(2, persons + 1))]
        self.sockets = {"host": self.hosting.arrive("host")}
        self.does("host", Change({"seats": seats, "first_holder": "vote"} | settings))
        for name in self.people[1:]:
            self.comes(name)
            self.does(name, Join(name))
        for number in range(1, watchers + 1):
            self.comes(f"w{number}")
            self.does(f"w{number}", Watch(f"w{number}"))

    # -- what people do ------------------------------------------------------------------------------------------------

    def code(self, name: str, wish: Wish, id: str | None = None) -> str | None:
        """The code of the answer; None when it was done."""
        return self.hosting.ask(self.sockets[name], wish, id).code

    def does(self, name: str, wish: Wish) -> None:
        code = self.code(name, wish)
        assert code is None, (name, wish, code)

    def goes(self, *names: str) -> None:
        """Their sockets break; nobody has said anything."""
        for name in names:
            self.hosting.vanish(self.sockets.pop(name))

    def comes(self, *names: str) -> None:
        """A new socket of theirs says hello, as after a reload: nothing has been heard."""
        for name in names:
            self.sockets[name] = self.hosting.arrive(name)

    def restart(self) -> None:
        """The server dies and comes back; and so do those who were here."""
        self.restart_without()

    def restart_without(self, *names: str) -> None:
        """The same, but these do not come."""
        here = [name for name in self.sockets if name not in names]
        self.hosting.restart()
        self.sockets.clear()
        self.comes(*here)

    # -- what they see -------------------------------------------------------------------------------------------------

    @property
    def room(self) -> Room:
        return self.hosting.room

    def stage(self) -> str:
        """A method, since it changes between two looks."""
        return self.room.stage

    def closed(self) -> bool:
        return self.hosting.closed

    @property
    def wait(self) -> Wait:
        assert self.room.wait
        return self.room.wait

    def sees(self, name: str) -> Tell:
        return self.hosting.seen[self.sockets[name]].last

    def wait_of(self, name: str) -> WaitView:
        wait = self.sees(name).room.wait
        assert wait
        return wait

    def chair(self, of: str, seen_by: str = "host") -> SeatView:
        """A person's chair as somebody sees it."""
        return next(seat for seat in self.sees(seen_by).room.seats if seat.name == of)

    def chairs(self, seen_by: str = "host") -> list[tuple[Seat, str]]:
        return [(seat.seat, seat.name) for seat in self.sees(seen_by).room.seats]

    def polls(self, seen_by: str = "host") -> dict[str, PollView]:
        return {f"{poll.poll} {poll.seat or ''}".strip(): poll for poll in self.sees(seen_by).room.polls}

    def lines(self, name: str) -> list[LineView]:
        return self.hosting.seen[self.sockets[name]].lines

    def id_of(self, name: str) -> MemberId:
        return next(m.id for m in self.room.seats.members.values() if m.name == name)

    def told(self, name: str) -> int:
        """How many pictures this socket has been sent."""
        return len(self.hosting.seen[self.sockets[name]].tells)

    # -- time ----------------------------------------------------------------------------------------------------------

    @property
    def now(self) -> int:
        return self.hosting.clock.now()

    def pass_time(self, ms: int) -> None:
        self.hosting.clock.pass_time(ms)

    def start(self) -> None:
        """AIs fill up, everybody mixes in, and the roles are looked at."""
        self.does("host", Fill(None, None))
        self.does("host", Start())
        for at, name in enumerate(self.people):
            if self.room.stage == "mixing":
                self.does(name, Contribute(f"{at:02x}" * 16))
        if self.room.stage == "mixing":
            self.pass_time(COUNTDOWN_SECONDS * 1000)

    def until(self, is_there: Callable[[], bool], most: int = 3000) -> None:
        """Lets time pass, alarm by alarm; whoever is asked lets it run out (R10.1), or moves where it never would."""
        for _ in range(most):
            if is_there():
                return
            if self.room.stage != "game" or self.wait.until is not None or not self._move_somebody():
                assert self.hosting.clock.jump_to_next(), "nothing is waited for"
        raise AssertionError("it never comes")

    def _move_somebody(self) -> bool:
        """Whoever is here and asked does the first thing on offer."""
        running = self.room.running
        assert running
        for turn in awaited(running.table):
            member = self.room.seats.at(running.seat_of(turn))
            offer = offers(running.state, turn)
            if member and member.name in self.sockets and offer and not self.wait.is_paused:
                self.moves(member.name)
                return True
        return False

    def moves(self, name: str) -> None:
        """Does the last thing on offer: skips where that is possible."""
        running = self.room.running
        seat = self.sees(name).member.seat
        assert running and seat
        turn = running.turn_of(seat)
        offer = offers(running.state, turn)
        assert offer
        self.does(name, Move(commands_of(offer)[-1]))

    def to(self, moment: str) -> Company:
        """To the first moment of this kind."""
        if moment == "waiting":
            return self
        if moment == "mixing":
            self.does("host", Fill(None, None))
            self.does("host", Start())
            return self
        if self.room.stage == "waiting":
            self.start()
        if moment == "over":
            self.until(lambda: self.room.stage == "over")
        else:
            if moment != "reveal" and self.wait.kind == "reveal":
                for name in self.people:
                    if name in self.sockets and self.wait.kind == "reveal":
                        self.does(name, Seen())
            self.until(lambda: self.room.wait is not None and self.wait.kind == moment)
        return self


def at(moment: str, persons: int = 3, seats: int = 5, watchers: int = 0, **settings: Any) -> Company:
    """A table at this moment; of the deals that are tried, the first in which it comes about."""
    for seed in range(1, 20):
        company = Company(persons, seats, watchers, seed, **settings)
        try:
            return company.to(moment)
        except AssertionError:
            if moment != "scroll":
                raise
    raise AssertionError(f"no deal comes to {moment}")


def asked(name: str, persons: int = 3, seats: int = 5, **settings: Any) -> Company:
    """A table at which this person is the one to play or skip."""
    company = Company(persons, seats, **settings).to("play")
    company.until(lambda: is_asked(company, name))
    return company


def is_asked(company: Company, name: str) -> bool:
    told = company.sees(name)
    if not told.table or not told.player or company.wait.kind != "play":
        return False
    return told.player.turn in told.table.awaited


def shuffled(rng: Random, names: list[str]) -> list[str]:
    return rng.sample(names, len(names))


def claimed(company: Company, name: str) -> list[LineView]:
    return [line for line in company.lines(name) if line.kind == "claim"]
