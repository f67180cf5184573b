"""How often somebody may do something: buckets that fill steadily, one for each key, by the server's clock."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

from cinderforge.server.clock import Clock

MOST_KEYS: Final = 20_000
"""Keys that are remembered; the one not heard of for longest is forgotten: its bucket is the likeliest to be full."""


@dataclass(frozen=True, slots=True)
class Rate:
    """So many at once, and so many a minute."""

    burst: int
    a_minute: float


class Buckets:
    """One bucket for each key. Nothing is kept: a restart forgives."""

    def __init__(self, rate: Rate, clock: Clock) -> None:
        self._rate = rate
        self._clock = clock
        self._levels: OrderedDict[object, tuple[float, int]] = OrderedDict()

    def is_known(self, key: object) -> bool:
        """Whether anything was used up under this key that has not come back yet."""
        return key in self._levels and self._level(key) < self._rate.burst

    def wait(self, key: object) -> int:
        """Whole seconds until this key may again; 0 is now."""
        lacking = 1 - self._level(key)
        return 0 if lacking <= 0 else -(-int(lacking * 60_000 / self._rate.a_minute) // 1000) or 1

    def spend(self, key: object) -> None:
        """One is used up, be it there or not."""
        self._levels[key] = (max(0.0, self._level(key) - 1), self._clock.now())
        self._levels.move_to_end(key)
        if len(self._levels) > MOST_KEYS:
            self._levels.popitem(last=False)

    def give_back(self, key: object) -> None:
        """What was spent in advance was not used."""
        self._levels[key] = (min(self._rate.burst, self._level(key) + 1), self._clock.now())

    def take(self, key: object) -> int:
        """Uses one up if there is one, else says how many whole seconds to wait."""
        wait = self.wait(key)
        if not wait:
            self.spend(key)
        return wait

    def _level(self, key: object) -> float:
        level, at = self._levels.get(key, (float(self._rate.burst), 0))
        return min(self._rate.burst, level + (self._clock.now() - at) / 60_000 * self._rate.a_minute)


class TooOften(Exception):
    """So many whole seconds too early."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class Limits:
    """The server's limits. `address` is where a request comes from (`line_of`), `session` whose it is.

    Looking for rooms costs nothing as long as they are there: only wrong codes are counted (SECURITY.md).
    """

    def __init__(self, clock: Clock, *, are_off: bool = False) -> None:
        self._are_off = are_off
        self._questions = Buckets(Rate(600, 3_000), clock)  # a club behind one address, which looks at the lobby
        self._sessions = Buckets(Rate(60, 60), clock)
        self._rooms = Buckets(Rate(10, 4), clock)
        self._rooms_from = Buckets(Rate(60, 20), clock)  # sessions are for the asking; a club opens many tables
        self._tickets = Buckets(Rate(60, 60), clock)
        self._replays = Buckets(Rate(20, 20), clock)
        self._misses = Buckets(Rate(10, 3), clock)
        self._all_misses = Buckets(Rate(100, 30), clock)
        self._speech = Buckets(Rate(40, 600), clock)
        self._speech_from = Buckets(Rate(1_000, 12_000), clock)  # a school's worth of people

    def question(self, address: str) -> None:
        """Anything that is asked of /api. Raises TooOften."""
        self._take(self._questions, address)

    def new_session(self, address: str) -> None:
        """Raises TooOften."""
        self._take(self._sessions, address)

    def new_room(self, session: str, address: str) -> None:
        """Raises TooOften."""
        self._take(self._rooms, session)
        self._take(self._rooms_from, address)

    def new_ticket(self, session: str) -> None:
        """Raises TooOften."""
        self._take(self._tickets, session)

    def new_replay(self, address: str) -> None:
        """Raises TooOften."""
        self._take(self._replays, address)

    def may_look(self, address: str) -> None:
        """Whether a code may be tried from here. Raises TooOften.

        While guesses come in from everywhere, whoever has guessed wrong before waits, and nobody else does.
        """
        if self._are_off:
            return
        wait = self._misses.wait(address)
        if not wait and self._misses.is_known(address):
            wait = self._all_misses.wait("all")
        if wait:
            raise TooOften(wait)

    def missed(self, address: str) -> None:
        """A code is wrong, as far as is known: to be said before anything is waited for, else many guesses at once
        would all be allowed.
        """
        self._misses.spend(address)
        self._all_misses.spend("all")

    def was_right(self, address: str) -> None:
        """The code was not wrong after all."""
        self._misses.give_back(address)
        self._all_misses.give_back("all")

    def may_speak(self, session: str, address: str) -> bool:
        """Whether a socket of this session may send one more message."""
        return self._are_off or not (self._speech.take(session) or self._speech_from.take(address))

    def _take(self, buckets: Buckets, key: str) -> None:
        if not self._are_off and (wait := buckets.take(key)):
            raise TooOften(wait)
