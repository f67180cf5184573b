"""A decision as somebody at the table would put it to themselves, from the kernel's numbers of one seat (R11)."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from cinderforge.bots.blueprint import Blueprint
from cinderforge.kernel import ffi, lib

SAGE, MYSTIC, ADVENTURER, RED, TWO_HEADED, SHADOW, BLANK, SKIP = range(8)
DRAGONS: Final = (RED, TWO_HEADED, SHADOW)
OTHERS: Final = (MYSTIC, ADVENTURER)


class Seat:
    """What is to be decided, and what lies open."""

    def __init__(self, public: Any, private: Any, rng: Random) -> None:
        self.public, self.private, self.rng = public, private, rng
        self.count, self.me = int(public.rules.n), int(private.me)
        mask = lib.cf_legal(public, private)
        self.legal = [action for action in range(lib.CF_ACTIONS) if mask >> action & 1]
        self.cards = [action for action in self.legal if action < SKIP]
        self.may_skip = SKIP in self.legal
        self.is_dragon = bool(private.role >= lib.CF_RED)
        self.round_number = int(public.round)
        self.is_play = public.phase == lib.CF_PLAY

    @property
    def now(self) -> Any:
        """The record of the round that goes on."""
        return self.public.rounds[self.public.round]

    @property
    def past(self) -> list[Any]:
        return [self.public.rounds[number] for number in range(max(0, self.round_number))]

    @property
    def played(self) -> list[int]:
        """Whose cards lie in the middle now."""
        return players(self.now)

    @property
    def later(self) -> list[int]:
        """Who is to act after me and has a card."""
        now = self.now
        turns = [int(now.order[place]) for place in range(now.acted + 1, self.count)]
        return [turn for turn in turns if turn >= 0 and self.public.hand_size[turn]]

    @property
    def rounds_left(self) -> int:
        """How many rounds come after this one at most."""
        return self.count - 1 - self.round_number

    def own(self, *kinds: int) -> int | None:
        """The first of these cards that may be played now."""
        return next((card for card in kinds if card in self.cards), None)

    @property
    def person(self) -> int | None:
        return self.own(*OTHERS)

    @property
    def best_person(self) -> int | None:
        """The sage if one has it, else another person."""
        return self.own(SAGE, *OTHERS)

    @property
    def dragon(self) -> int | None:
        return self.own(*DRAGONS)

    def pass_over(self) -> int:
        """Nothing, if that is allowed; else what does one's own side the least harm."""
        if self.may_skip:
            return SKIP
        harmless = (BLANK, *OTHERS, *DRAGONS, SAGE) if self.is_dragon else (BLANK, *DRAGONS, *OTHERS, SAGE)
        card = self.own(*harmless)
        assert card is not None
        return card

    def choosing(self) -> dict[int, int]:
        """The actions that choose a player, by player."""
        return {
            (self.me + 1 + action - lib.CF_CHOOSE) % self.count: action
            for action in self.legal
            if action >= lib.CF_CHOOSE
        }

    def known_friends(self) -> list[int]:
        """Whom the night or an insight has shown, for what it is worth: the night's set may hold both sides."""
        return [turn for turn in range(self.count) if turn != self.me and self.private.night[turn] == 1]


def players(record: Any) -> list[int]:
    """Who has played in this round."""
    return [int(record.order[place]) for place in range(record.acted) if record.act[place] == lib.CF_PLAYED]


def dragons_in(record: Any) -> int:
    """How many dragon cards were shown in this round."""
    return sum(int(record.count[kind]) for kind in DRAGONS)


class Referee(Blueprint):
    """Somebody with one idea of how to play."""

    def _action(self, public: Any, private: Any, rng: Random, heard: Any = None) -> int:
        seat = Seat(public, private, rng)
        if len(seat.legal) == 1:
            return seat.legal[0]
        if seat.is_play:
            return self.act(seat)
        choices = seat.choosing()
        return choices[self.pick(seat, sorted(choices))]

    def act(self, seat: Seat) -> int:
        """Which card, or none."""
        return seat.pass_over()

    def pick(self, seat: Seat, turns: list[int]) -> int:
        """Which player: for the vote, the crystal, a scroll."""
        return seat.rng.choice(turns)


def dice(rng: Random) -> Any:
    """The kernel's own dice, thrown from these."""
    return ffi.new("uint64_t[2]", [rng.getrandbits(64), rng.getrandbits(64) | 1])
