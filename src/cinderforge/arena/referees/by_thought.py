"""Referees that reckon: an exact belief by logic alone, plain play-outs, a search tree. None knows the shipped net."""

from __future__ import annotations

import math
import threading
from random import Random
from typing import Any, Final

from cinderforge.arena.referees.seat import SAGE, SKIP, Referee, Seat, dice
from cinderforge.kernel import ffi, lib
from cinderforge.kernel.belief import Beliefs, Filter

_memory: Final = threading.local()


def _filter() -> Filter:
    if not hasattr(_memory, "filter"):
        _memory.filter = Filter()
    found: Filter = _memory.filter
    return found


class Logician(Referee):
    """Believes what is possible and nothing else, and plays by two thresholds."""

    def act(self, seat: Seat) -> int:
        believed = _filter().believe(seat.public, seat.private)
        if believed is None:
            return seat.pass_over()
        if seat.is_dragon:
            met = believed.lies[1] + 0.15 * len(seat.later)
            wants = met > 0.6 or believed.lies[2] > 0.25 or not seat.rounds_left
            return seat.dragon if seat.dragon is not None and wants else seat.pass_over()
        safe = 1 - believed.lies[0]
        for turn in seat.later:
            dragons = sum(believed.holds[turn][3:6]) / max(1, seat.public.hand_size[turn])
            safe *= 1 - 0.6 * dragons
        if SAGE in seat.cards and safe > (0.55 if seat.public.activated >= seat.public.rules.act_target else 0.75):
            return SAGE
        return seat.person if seat.person is not None and (safe > 0.55 or not seat.rounds_left) else seat.pass_over()

    def pick(self, seat: Seat, turns: list[int]) -> int:
        believed: Beliefs | None = None
        if seat.public.phase != lib.CF_VOTE:
            believed = _filter().believe(seat.public, seat.private)
        if believed is None:
            return seat.me if seat.me in turns else seat.rng.choice(turns)
        doubt = believed.dragon
        return max(turns, key=lambda turn: doubt[turn]) if seat.is_dragon else min(turns, key=lambda turn: doubt[turn])


class Planner(Referee):
    """Tries each act on imagined games in which everybody has plain judgement, to their end, and takes the best."""

    def _action(self, public: Any, private: Any, rng: Random, heard: Any = None) -> int:
        out = ffi.new("cf_thought *")
        care = ffi.new("cf_care *", {"games": 48, "steps": 3000, "rounds": 0, "pull": 200.0, "heat": 1.0})
        handle = _filter().handle
        lib.cf_ponder(handle, ffi.NULL, ffi.NULL, ffi.NULL, public, private, care, rng.getrandbits(64), out)
        return int(out.action)


class Tree(Referee):
    """Information-set search: one tree over what this seat would see, each descent in another imagined game.

    An opponent's card is one branch, whichever it is; below the tree everybody plays by dice.
    """

    games = 48
    reach = 0.7

    def _action(self, public: Any, private: Any, rng: Random, heard: Any = None) -> int:
        seat = Seat(public, private, rng)
        if len(seat.legal) == 1:
            return seat.legal[0]
        if public.phase == lib.CF_VOTE or _filter().believe(public, private) is None:
            return rng.choice(seat.legal)
        chance, game = dice(rng), ffi.new("cf_game *")
        nodes: dict[tuple[int, ...], list[float]] = {}
        for _ in range(self.games):
            lib.cf_imagine(_filter().handle, chance, game)
            self._descend(game, seat, nodes)
        return max(seat.legal, key=lambda action: nodes.get((action,), [0.0])[0])

    def _descend(self, game: Any, seat: Seat, nodes: dict[tuple[int, ...], list[float]]) -> None:
        key: tuple[int, ...] = ()
        path = []
        while game.pub.phase != lib.CF_OVER:
            who, mask = lib.cf_awaited(ffi.addressof(game.pub)), lib.cf_mask(game)
            acts: dict[int, list[int]] = {}
            for action in (one for one in range(lib.CF_ACTIONS) if mask >> one & 1):
                acts.setdefault(action if who == seat.me or action >= SKIP else 0, []).append(action)
            if len(acts) < 2 and (not acts or len(next(iter(acts.values()))) < 2):
                lib.cf_apply(game, next(iter(acts.values()))[0] if acts else 0, -1)
                continue
            new = [seen for seen in acts if (*key, seen) not in nodes]
            seen = seat.rng.choice(new) if new else self._best(nodes, key, list(acts))
            key = (*key, seen)
            nodes.setdefault(key, [0.0, 0.0])
            path.append((key, bool(game.hid.role[who] >= lib.CF_RED)))
            lib.cf_apply(game, seat.rng.choice(acts[seen]), -1)
            if new:
                break
        lib.cf_finish(game)
        for at, is_dragon in path:
            nodes[at][0] += 1
            nodes[at][1] += (game.pub.winner == lib.CF_DRAGON) == is_dragon

    def _best(self, nodes: dict[tuple[int, ...], list[float]], key: tuple[int, ...], acts: list[int]) -> int:
        visits = {seen: nodes[*key, seen] for seen in acts}
        whole = math.log(sum(count for count, _ in visits.values()))
        return max(
            acts, key=lambda seen: visits[seen][1] / visits[seen][0] + self.reach * math.sqrt(whole / visits[seen][0])
        )
