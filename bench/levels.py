"""How far apart are the levels? `python -m bench.levels --deals 200 --file found/levels.jsonl`

All humans of one kind against all dragons of another at the same deals, in the kernel's loop: every pair of the levels,
or with `--against referees` each level and each referee (arena/referees) both ways. A line of the file is a deal, so
that a run goes on where it was broken off. Printed: how often the humans win, each level's Elo in either faction
(arena/strength.py), what it stands above the one before it, and, with `--absurd`, how many absurd acts (bots/absurd.py)
it committed, by what a seat that forgets nothing knows. `knight:bold` is a level of that character.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final

from cinderforge.arena.referees import PREFIX, REFEREES, referee_called
from cinderforge.arena.report import elo_told, percent, table
from cinderforge.arena.strength import Row, elo, wilson
from cinderforge.arena.tables import secret_of
from cinderforge.bots import LEVELS, bot_called
from cinderforge.bots.absurd import absurd
from cinderforge.kernel import ffi, lib
from cinderforge.kernel.scripts import DICE, PLAIN
from cinderforge.rules.settings import DEFAULT_TARGETS

SCRIPTS: Final = {"dice": DICE, "plain": PLAIN}
"""These two are the kernel's own here."""
ALL_REFEREES: Final = [PREFIX + name for name in REFEREES]


def player_called(name: str) -> Any:
    """Somebody who acts by the kernel's numbers, or the number of a script."""
    found = SCRIPTS.get(name) or referee_called(name) or bot_called(name)
    if found is None:
        raise SystemExit(f"nobody is called {name}")
    return found


class Table:
    """Plays whole games, and counts what was absurd."""

    def __init__(self, names: Sequence[str], seats: int, *, looks: bool) -> None:
        self.players = {name: player_called(name) for name in names}
        self.rules = ffi.new("cf_rules *", (seats, *DEFAULT_TARGETS[seats], 1, 0, 0))
        self.looks = looks
        self.absurd: Counter[tuple[str, str]] = Counter()

    def humans_win(self, human: str, dragon: str, secret: bytes) -> bool:
        """One game of this deal: who plays is no part of the chance that it meets."""
        game = ffi.new("cf_game *")
        lib.cf_deal(game, self.rules, int.from_bytes(secret[:8], "big"))
        dice = [Random(secret + b"player %d" % turn) for turn in range(self.rules.n)]
        while (who := lib.cf_next(game)) >= 0:
            mask = lib.cf_mask(game)
            if not mask & (mask - 1):
                lib.cf_apply(game, mask.bit_length() - 1, -1)
                continue
            name = dragon if game.hid.role[who] >= lib.CF_RED else human
            lib.cf_apply(game, self._act(name, game, who, mask, dice[who]), -1)
        return bool(game.pub.winner == lib.CF_HUMAN)

    def _act(self, name: str, game: Any, who: int, mask: int, rng: Random) -> int:
        player = self.players[name]
        public, private = ffi.addressof(game.pub), ffi.addressof(game.priv[who])
        if isinstance(player, int):
            chance = ffi.new("uint64_t[2]", [rng.getrandbits(64), rng.getrandbits(64) | 1])
            return int(lib.cf_script(player, public, private, mask, chance))
        action = int(player._action(public, private, rng))
        if self.looks and public.phase == lib.CF_PLAY and (what := absurd(public, private, action)):
            self.absurd[name, what] += 1
        return action


def pairs_of(pool: Sequence[str], foes: Sequence[str]) -> list[tuple[str, str]]:
    """Humans and dragons by cell."""
    if not foes:
        return [(one, other) for one in pool for other in pool]
    both = [((one, other), (other, one)) for one in pool for other in foes]
    return list(dict.fromkeys(pair for ways in both for pair in ways))


def deal(pool: list[str], foes: list[str], seats: int, seed: str, looks: bool, number: int) -> dict[str, Any]:
    """One deal, played by every pair."""
    played = Table([*pool, *foes], seats, looks=looks)
    secret = secret_of(seed, number)
    wins = [played.humans_win(human, dragon, secret) for human, dragon in pairs_of(pool, foes)]
    counts: dict[str, dict[str, int]] = {name: {} for name in pool}
    for (name, what), count in played.absurd.items():
        counts.setdefault(name, {})[what] = count
    return {"deal": number, "wins": wins, "absurd": counts}


def told(pool: list[str], foes: list[str], deals: list[dict[str, Any]], looks: bool) -> str:
    """The tables."""
    everybody = list(dict.fromkeys([*pool, *foes]))
    pairs = pairs_of(pool, foes)
    wins = {pair: [bool(found["wins"][at]) for found in deals] for at, pair in enumerate(pairs)}
    size = len(everybody)
    rows = [
        Row({everybody.index(human): 1.0, size + everybody.index(dragon): -1.0, 2 * size: 1.0}, won)
        for (human, dragon), won in wins.items()
    ]
    others = foes or pool
    grid = [
        table(
            ["as humans: humans win, %", *others],
            [[one, *(_rate(wins[one, other]) for other in others)] for one in pool],
        )
    ]
    if foes:
        lines = [[one, *(_rate(wins[other, one]) for other in others)] for one in pool]
        grid.append(table(["as dragons: humans win, %", *others], lines))
    strengths = elo(rows, size, 1, Random("bootstrap"))[: len(pool)]
    lines = []
    for at, (name, now) in enumerate(zip(pool, strengths, strict=True)):
        before = strengths[at - 1] if at else None
        steps = [
            f"{now.human.value - before.human.value:+.0f}" if before else "",
            f"{now.dragon.value - before.dragon.value:+.0f}" if before else "",
        ]
        lines.append(
            [name, elo_told(now.human), elo_told(now.dragon), *steps, *([_acts(name, pairs, deals)] if looks else [])]
        )
    head = ["", "Elo as humans", "Elo as dragons", "step, humans", "step, dragons"]
    head += ["absurd acts in 10,000 games"] if looks else []
    return "\n\n".join([f"{len(deals)} deals", *grid, table(head, lines)])


def _rate(wins: Sequence[bool]) -> str:
    return percent(wilson(sum(wins), len(wins)))


def _acts(name: str, pairs: Sequence[tuple[str, str]], deals: Sequence[dict[str, Any]]) -> str:
    acts = Counter[str]()
    for found in deals:
        acts.update(found["absurd"].get(name, {}))
    games = len(deals) * sum(name in pair for pair in pairs)
    return f"{10_000 * acts.total() / games:.1f} (of {games})" + "".join(f"; {what} {n}" for what, n in acts.items())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=list(LEVELS))
    parser.add_argument("--against", nargs="*", default=[], help="names; `referees` is all of them")
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--seats", type=int, default=8)
    parser.add_argument("--seed", default="levels")
    parser.add_argument("--absurd", action="store_true", help="count absurd acts, which takes time")
    parser.add_argument("--file", type=Path, default=Path("levels.jsonl"))
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    foes = [name for one in given.against for name in (ALL_REFEREES if one == "referees" else [one])]
    done = [json.loads(line) for line in given.file.read_text().splitlines()] if given.file.exists() else []
    left = sorted(set(range(given.deals)) - {found["deal"] for found in done})
    play = partial(deal, given.names, foes, given.seats, given.seed, given.absurd)
    with given.file.open("a") as file, ProcessPoolExecutor(given.jobs) as pool:
        for found in pool.map(play, left):
            file.write(json.dumps(found) + "\n")
            file.flush()
            done.append(found)
    print(told(given.names, foes, sorted(done, key=lambda found: int(found["deal"])), given.absurd))


if __name__ == "__main__":
    main()
