"""Fits the minds of a belief (src/cinderforge/kernel/minds.json) to players of many kinds; measures them on others.

    python -m tools.fit_minds --nets FOLDER/run.npz

A mind is a multinomial logit: how likely a role skips, plays a blank, a person card, the sage, a dragon card, by what
everybody sees. Players of the kinds in FITTED are learnt from; how warm minds are, and how many play by dice, is chosen
by the log loss of beliefs about players of the kinds in CHOSEN; what is reported comes from those in HELD_OUT, which
neither step has seen.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from cinderforge.kernel import ffi, lib, minds
from cinderforge.kernel.belief import Filter
from cinderforge.kernel.minds import model_of
from cinderforge.kernel.scripts import BLANKS, DICE, EAGER, PLAIN, SKIPPER
from cinderforge.rules.settings import DEFAULT_TARGETS

WIDTHS: Final = (32, 96, 64)
SIGNS: Final = 30
DEEDS: Final = 5


@dataclass(frozen=True)
class Player:
    """A kind of player: a script of the kernel, or a net by number; how often it does anything, how warm a net is."""

    script: int = 0
    net: int = 0
    noise: float = 0.0
    heat: float = 1.0


FITTED: Final = {
    "plain": (Player(PLAIN), Player(PLAIN, noise=0.1)),
    "trained": (Player(net=0), Player(net=0, noise=0.1), Player(net=1), Player(net=2)),
    "eager": (Player(EAGER), Player(EAGER, noise=0.15)),
    "shy": (Player(SKIPPER, noise=0.2), Player(BLANKS, noise=0.1)),
}
"""Mind by mind; dice need no fitting. A kind that is known by name is nearly sure to have the mind of that name."""

ALL_FITTED: Final = (Player(DICE), *itertools.chain(*FITTED.values()))
MIXED: Final = (
    Player(DICE),
    Player(PLAIN, noise=0.2),
    Player(PLAIN, noise=0.2),
    Player(net=0, heat=1.4),
    Player(net=2, heat=0.7),
    Player(EAGER, noise=0.3),
)
CHOSEN: Final[dict[str, tuple[Player, ...]]] = {
    "mixed": MIXED,
    "dice": (Player(DICE),),
    "plain": (Player(PLAIN, noise=0.2),),
    "trained": (Player(net=1, heat=1.2),),
    "odd": (Player(EAGER, noise=0.3), Player(SKIPPER, noise=0.4), Player(BLANKS, noise=0.3)),
}
"""Tables of many kinds, and of one: a belief must be worth its while at the first, and do little harm at any."""

HELD_OUT: Final = (
    Player(DICE),
    Player(PLAIN, noise=0.05),
    Player(PLAIN, noise=0.3),
    Player(net=3),
    Player(net=3, heat=0.7),
    Player(net=3, heat=1.3, noise=0.05),
    Player(SKIPPER, noise=0.4),
    Player(EAGER, noise=0.25),
    Player(BLANKS, noise=0.3),
)


class Table:
    """Plays games among players of these kinds, drawn anew for every seat."""

    def __init__(self, kinds: Sequence[Player], nets: Sequence[Any], seed: str) -> None:
        self.kinds, self.nets, self.rng = kinds, nets, random.Random(seed)
        self.dice = ffi.new("uint64_t[2]", [self.rng.getrandbits(63), 1])
        self.chances = ffi.new("float[]", lib.CF_ACTIONS)

    def game(self, seats: int = 0) -> Iterator[tuple[Any, int, list[Player]]]:
        """A game at every moment at which somebody decides, and at its end (then -1)."""
        rng = self.rng
        seats = seats or rng.choice((5, 6, 7, 8, 8, 8, 8, 9, 10))
        activation, kill = (max(1, target + rng.choice((-1, 0, 0, 0, 1))) for target in DEFAULT_TARGETS[seats])
        rules = {
            "n": seats,
            "act_target": activation,
            "kill_target": kill,
            "sage_slain_ends": rng.random() < 0.75,
            "act_last_game": rng.random() < 0.25,
        }
        game = ffi.new("cf_game *")
        lib.cf_deal(game, ffi.new("cf_rules *", rules), rng.getrandbits(63))
        who_plays = [rng.choice(self.kinds) for _ in range(seats)]
        while (who := lib.cf_next(game)) >= 0:
            yield game, who, who_plays
            lib.cf_apply(game, self._action(game, who, who_plays[who]), -1)
        yield game, -1, who_plays

    def _action(self, game: Any, who: int, player: Player) -> int:
        mask, mine = lib.cf_mask(game), ffi.addressof(game.priv[who])
        if player.noise and self.rng.random() < player.noise:
            return int(lib.cf_script(DICE, ffi.addressof(game.pub), mine, mask, self.dice))
        if player.script:
            return int(lib.cf_script(player.script, ffi.addressof(game.pub), mine, mask, self.dice))
        net = self.nets[min(player.net, len(self.nets) - 1)]
        lib.cf_policy(net, ffi.addressof(game.pub), mine, mask, player.heat, self.chances)
        return int(self.rng.choices(range(lib.CF_ACTIONS), list(self.chances))[0])


# -- learning ----------------------------------------------------------------------------------------------------------


@dataclass
class Acts:
    """Decisions in play of one role: what everybody saw, how many kinds of each deed were legal, which was done."""

    signs: np.ndarray
    ways: np.ndarray
    deed: np.ndarray


def deed_of(act: int) -> int:
    """Skip, blank, mystic or adventurer, sage, dragon."""
    if act == lib.CF_SKIP:
        return 0
    return 1 if act == lib.CF_BLANK else 3 if act == lib.CF_SAGE else 4 if act >= lib.CF_RED else 2


def collected(table: Table, games: int) -> dict[str, dict[int, Acts]]:
    """Acts by mind and role, of players in mixed company."""
    mind_of = {player: name for name, kinds in FITTED.items() for player in kinds}
    kept: dict[tuple[str, int], list[tuple[list[float], list[int], int]]] = defaultdict(list)
    signs = ffi.new("float[]", SIGNS)
    for _ in range(games):
        waiting: tuple[int, int, int, list[int]] | None = None
        for game, who, players in table.game():
            if waiting:
                number, place, turn, ways = waiting
                record = game.pub.rounds[number]
                lib.cf_signs(ffi.addressof(game.pub), number, place, signs)
                skipped = record.act[place] == lib.CF_SKIPPED
                deed = 0 if skipped else deed_of(game.hid.played[number][turn])
                kept[mind_of[players[turn]], game.hid.role[turn]].append((list(signs), ways, deed))
                waiting = None
            if who >= 0 and game.pub.phase == lib.CF_PLAY and players[who] in mind_of:
                mask = lib.cf_mask(game)
                ways = [0] * DEEDS
                for act in range(8):
                    ways[deed_of(act)] += mask >> act & 1
                if sum(ways) > 1:
                    waiting = (game.pub.round, game.pub.rounds[game.pub.round].acted, who, ways)
    found: dict[str, dict[int, Acts]] = {name: {} for name in FITTED}
    for (name, role), rows in kept.items():
        found[name][role] = Acts(*(np.array(column) for column in zip(*rows, strict=True)))
    return found


def fitted(acts: Acts, steps: int = 400, decay: float = 3.0) -> np.ndarray:
    """Deeds × signs: the logit of least penalised log loss, by Adam on all acts at once."""
    weight = np.zeros((DEEDS, SIGNS))
    first, second = np.zeros_like(weight), np.zeros_like(weight)
    chosen = np.eye(DEEDS)[acts.deed]
    with np.errstate(divide="ignore"):
        ways = np.log(acts.ways)
    for step in range(1, steps + 1):
        chance = softmax(acts.signs @ weight.T + ways)
        slope = ((chance - chosen).T @ acts.signs + decay * weight) / len(acts.deed)
        first = 0.9 * first + 0.1 * slope
        second = 0.99 * second + 0.01 * slope**2
        weight -= 0.05 * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.99**step)) + 1e-8)
    return weight


def softmax(scores: np.ndarray) -> np.ndarray:
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def learnt(nets: Sequence[Any], games: int) -> list[list[list[list[float]]]]:
    """Mind by mind, role by role; the first is that of dice, which is even."""
    found = [np.zeros((6, DEEDS, SIGNS))]
    for name, acts in collected(Table(ALL_FITTED, nets, "fit"), games).items():
        found.append(np.array([fitted(acts[role]) if role in acts else np.zeros((DEEDS, SIGNS)) for role in range(6)]))
        print(f"{name}: {sum(len(a.deed) for a in acts.values()):,} acts", flush=True)
    return [[[[round(float(x), 3) for x in deed] for deed in role] for role in mind] for mind in found]


# -- measuring ---------------------------------------------------------------------------------------------------------


@dataclass
class Score:
    """How good beliefs were: bits for each role asked for, bits for each side, and what was called (almost) certain."""

    roles: float = 0.0
    sides: float = 0.0
    asked: int = 0
    sure: int = 0
    right: int = 0
    worst: float = 0.0

    def line(self) -> str:
        sure = f"{self.right / self.sure:.1%} right of {self.sure} said at 95 % or more" if self.sure else "never sure"
        bits = f"{self.roles / self.asked:.4f} bits a role, {self.sides / self.asked:.4f} bits a side"
        return f"{bits} over {self.asked:,}; {sure}"


def moments(
    kinds: Sequence[Player], nets: Sequence[Any], games: int, seed: str, seats: int = 0
) -> list[tuple[Any, int]]:
    """Games as they were at the end of a round (at most one or two each), with the seat that is asked."""
    table, found = Table(kinds, nets, seed), list[tuple[Any, int]]()
    for _ in range(games):
        last, ends = 0, list[Any]()
        for game, who, _ in table.game(seats):
            if game.pub.round > last or (who < 0 and game.pub.round):
                last = game.pub.round
                if who >= 0:
                    ends.append(ffi.new("cf_game *", game[0]))
        for kept in table.rng.sample(ends, min(2, len(ends))):
            found.append((kept, table.rng.randrange(kept.pub.rules.n)))
    return found


def scored(asked: Sequence[tuple[Any, int]], model: Any) -> Score:
    believed, score = Filter(), Score()
    for game, me in asked:
        answer = believed.believe(ffi.addressof(game.pub), ffi.addressof(game.priv[me]), model)
        assert answer
        for turn in range(game.pub.rules.n):
            role = game.hid.role[turn]
            # What is certain by logic is no merit of a model.
            if turn == me or max(answer.roles[turn]) > 1 - 1e-9:
                continue
            score.asked += 1
            score.roles -= float(np.log2(max(answer.roles[turn][role], 1e-12)))
            true_side = answer.dragon[turn] if role >= lib.CF_RED else 1 - answer.dragon[turn]
            score.sides -= float(np.log2(max(true_side, 1e-12)))
            for dragon in (True, False):
                chance = answer.dragon[turn] if dragon else 1 - answer.dragon[turn]
                if 0.95 <= chance < 1 - 1e-9:
                    score.sure += 1
                    score.right += (role >= lib.CF_RED) == dragon
    return score


def prior_of(even: float) -> dict[str, list[float]]:
    """How likely a player of a kind has each mind."""
    others = (1 - even) / len(FITTED)
    names = ["dice", *FITTED]
    priors = {minds.ANYONE: [even, *[others] * len(FITTED)]}
    for name in names:
        priors[name] = [0.9 if mind == name else 0.1 / len(FITTED) for mind in names]
    return priors


def chosen(weight: Any, nets: Sequence[Any], games: int) -> dict[str, Any]:
    """Heat, slip and prior: the least log loss of roles over all tables, where harm beyond logic alone counts twice."""
    asked = {name: moments(kinds, nets, games, f"choose {name}") for name, kinds in CHOSEN.items()}
    alone = {name: each.roles / each.asked for name, each in ((name, scored(a, None)) for name, a in asked.items())}
    best, least = {}, float("inf")
    for heat, even in itertools.product((0.4, 0.55, 0.7, 0.85, 1.0), (0.1, 0.2, 0.3, 0.5)):
        tried = {"heat": [1.0, *[heat] * len(FITTED)], "slip": 0.04, "prior": prior_of(even), "weight": weight}
        scores = {name: scored(a, model_of(tried)) for name, a in asked.items()}
        more = {name: each.roles / each.asked - alone[name] for name, each in scores.items()}
        worth = sum(x + max(0.0, x) for x in more.values()) + 2 * more["mixed"]
        sure = sum(each.right for each in scores.values()) / max(1, sum(each.sure for each in scores.values()))
        told = ", ".join(f"{name} {x:+.3f}" for name, x in more.items())
        print(f"heat {heat} even {even}: bits a role more than logic: {told}; sure {sure:.1%}; {worth:.3f}", flush=True)
        if worth < least:
            best, least = tried, worth
    return best


def compiled(path: Path) -> list[Any]:
    """The nets of a training's folder: the newest, then older ones."""
    with np.load(path) as kept:
        rows = [kept["policy"], *kept["past"][::-1]]
    assert len(rows[0]) == lib.cf_net_size(False, *WIDTHS)
    kept_alive = [np.ascontiguousarray(row, np.float32) for row in rows]
    return [lib.cf_net_new(False, *WIDTHS, ffi.from_buffer("float[]", row)) for row in kept_alive]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nets", type=Path, required=True)
    parser.add_argument("--games", type=int, default=3000)
    parser.add_argument("--asked", type=int, default=400)
    given = parser.parse_args()
    began, nets = time.monotonic(), compiled(given.nets)
    best = chosen(learnt(nets, given.games), nets, given.asked)
    Path(minds.__file__).with_name(minds.FILE).write_text(json.dumps(best) + "\n", "utf-8")
    asked = moments(HELD_OUT, nets, 3 * given.asked, "held out")
    print("held out, logic alone:", scored(asked, None).line())
    print("held out, minds      :", scored(asked, model_of(best)).line())
    asked = moments([Player(net=3)], nets, given.asked, "known")
    print("held-out net, logic alone       :", scored(asked, None).line())
    print("held-out net, minds             :", scored(asked, model_of(best)).line())
    print("held-out net, known to be a net :", scored(asked, model_of(best, ["trained"] * 10)).line())
    print(f"{time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
