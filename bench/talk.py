"""What does it bring AIs to talk, and what does their talk tell? `python -m bench.talk --games 400 --names knight`

The same deals with talk and without, whole games of the engine with 8 seats at the defaults; each chair's level is
drawn from the names given. Printed: who wins; how often each kind of claim is true, by role (the table of
`bots/hearing.py`); how many claims are false, and which of these logic has not excluded two rounds later; what a
listener believes of the true dragons after rounds 2 and 4; and how well a classifier tells dragons from humans by all
of their talk but its content: how much, when, in which form.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from statistics import mean
from typing import Any, Final, get_args

import numpy as np

from cinderforge.bots import bot_of
from cinderforge.bots.characters import character_of
from cinderforge.bots.hearing import Row, hearsay, rows_of
from cinderforge.bots.levels import Level
from cinderforge.bots.sight import CARDS, sight
from cinderforge.bots.wording import Form, moments
from cinderforge.cli.arena import commit
from cinderforge.kernel import lib, minds
from cinderforge.kernel.belief import Filter
from cinderforge.redaction import claims as c
from cinderforge.redaction.claims import ClaimedView
from cinderforge.redaction.eye import PlayerEye
from cinderforge.redaction.recollection import ClaimHeard, recollection
from cinderforge.redaction.view import view
from cinderforge.rules.commands import Command
from cinderforge.rules.luck import SeededLuck, seed_from
from cinderforge.rules.settings import default_settings
from cinderforge.rules.state import GameState
from cinderforge.rules.words import Card, Faction, Phase, Turn
from cinderforge.talk.claims import problem_with
from cinderforge.testkit.drive import drive

SEATS: Final = 8
LOOKED_AT: Final = (2, 4)
MOST_TOLD: Final = 0.55
"""How well dragons may be told from humans by all but the content of their talk; 0.5 is not at all."""

FORMS: Final = get_args(Form)


@dataclass
class Talk:
    """What was said in one game, and what it did."""

    humans_won: bool = False
    rounds: int = 0
    roles: list[int] = field(default_factory=list)
    said: list[tuple[int, int, str, float]] = field(default_factory=list)
    """Turn, round, form, and the second of each claim."""
    kinds: list[tuple[str, int, bool]] = field(default_factory=list)
    """Kind of `TRUTH`, role of the speaker, and whether it was true."""
    lies: list[tuple[int, int, bool]] = field(default_factory=list)
    """Turn, round, and whether it could still be true two rounds later; none where the game was over by then."""
    refused: int = 0
    exposed: dict[int, tuple[float, float]] = field(default_factory=dict)
    """By round: what a listener believes of the true dragons, without the talk and with it."""


class Table:
    """One game at which everybody may talk."""

    def __init__(self, names: Sequence[str], seed: str, number: int, *, talks: bool) -> None:
        self.rng, self.talks = Random(f"{seed}:{number}"), talks
        self.levels = []
        for chair in range(1, SEATS + 1):
            bot = bot_of(self.rng.choice(list(names)), character_of(f"{seed}:{number}", chair))
            assert isinstance(bot, Level)
            self.levels.append(bot)
        self.seed, self.number = seed, number
        self.claims = list[ClaimHeard]()
        self.talk, self.round, self.filter = Talk(), -1, Filter()
        self.open_lies = list[tuple[int, ClaimHeard]]()
        self.dice = [Random(f"{seed}:{number}:{turn}") for turn in range(SEATS)]

    def play(self) -> Talk:
        luck = SeededLuck(seed_from(self.rng.randbytes(32), ()))
        game = drive(default_settings(SEATS), luck, self._choose)
        table = game.final.table
        assert table.winner
        self.talk.humans_won, self.talk.rounds = table.winner is Faction.HUMAN, table.round
        return self.talk

    def _choose(self, state: GameState, turn: Turn) -> Command:
        if state.table.phase is Phase.PASS and state.table.round != self.round:
            self.round = state.table.round
            self._look(state)
            if self.talks:
                self._speak(state)
        shown = view(state, PlayerEye(turn))
        recalled = recollection(state, turn, self.claims if self.talks else ())
        return self.levels[turn - 1].choose(shown, recalled, self.dice[turn - 1])

    def _speak(self, state: GameState) -> None:
        planned = list[tuple[float, int, Any]]()
        for at, level in enumerate(self.levels):
            turn, seed = Turn(at + 1), f"{self.seed}:{self.number}:{self.round}:{at}"
            assert level.character
            times = moments(Random(f"{seed}:pace"), level.character)
            if times:
                shown, recalled = view(state, PlayerEye(turn)), recollection(state, turn, self.claims)
                words = level.spoken(shown, recalled, len(times), seed)
                planned += [(time, at, claim) for time, claim in zip(times, words, strict=True)]
        for time, at, claim in sorted(planned, key=lambda one: one[:2]):
            self._said(state, Turn(at + 1), claim, time)

    def _said(self, state: GameState, turn: Turn, claim: c.Claim, time: float) -> None:
        shown = view(state, PlayerEye(turn))
        earlier = [heard.line for heard in self.claims if heard.claim.turn != turn]
        looked = {seen.of for seen in recollection(state, turn).cards if seen.to in (None, turn)}
        if problem_with(claim, turn, shown.table, earlier, looked):
            self.talk.refused += 1
            return
        heard = ClaimHeard(len(self.claims) + 1, ClaimedView(1, turn, self.round, claim))
        self.claims.append(heard)
        self.talk.said.append((turn - 1, self.round, str(claim.__struct_config__.tag), time))
        roles = _roles(state)
        for kind, row in self._rows(heard):
            so = _is_so(row, roles, state)
            self.talk.kinds.append((kind, roles[turn - 1], so))
            if not so:
                self.open_lies.append((self.round, heard))

    def _rows(self, heard: ClaimHeard) -> Iterable[Row]:
        return rows_of(heard.claim, {one.line: one.claim for one in self.claims})

    def _look(self, state: GameState) -> None:
        """What may be believed after the rounds that are over."""
        done, roles = self.round - 1, _roles(state)
        self.talk.roles = roles
        public, _ = sight(view(state, PlayerEye(Turn(1))), recollection(state, Turn(1)))
        public.phase = lib.CF_PASS
        due = [lie for lie in self.open_lies if lie[0] + 2 == self.round]
        if due:
            answer = self.filter.believe(public)
            assert answer
            for number, heard in due:
                ((_, row),) = self._rows(heard)
                may_be = True
                if row["kind"] == lib.CF_SAYS_ROLES:
                    chances = answer.roles[row["who"]]
                    may_be = any(chances[role] > 0 for role in range(6) if (row["set"] >> role & 1) != row["denied"])
                self.talk.lies.append((heard.claim.turn - 1, number, may_be))
        if done in LOOKED_AT:
            found = list[float]()
            for claims in (None, hearsay(self.claims, Turn(0))):
                answer = self.filter.believe(public, None, minds.shipped(), heard=claims)
                assert answer
                found.append(mean(answer.dragon[turn] for turn in range(SEATS) if roles[turn] >= lib.CF_RED))
            self.talk.exposed[done] = (found[0], found[1])


def _roles(state: GameState) -> list[int]:
    return [CARDS.index(Card(role.value)) for role in state.vault.roles]


def _is_so(row: dict[str, Any], roles: Sequence[int], state: GameState) -> bool:
    if row["kind"] == lib.CF_SAYS_PLAYED:
        plays = view(state, PlayerEye(Turn(row["speaker"] + 1))).you
        assert plays
        so = plays.plays[row["of_round"]] is CARDS[row["set"]]
    else:
        so = bool(row["set"] >> roles[row["who"]] & 1)
    return so is not bool(row["denied"])


# -- what is told without its content ----------------------------------------------------------------------------------


def outside(talk: Talk, turn: int) -> list[float]:
    """All that a player's talk shows but what it says."""
    mine = [one for one in talk.said if one[0] == turn]
    forms = Counter(form for _, _, form, _ in mine)
    times = [time for *_, time in mine]
    per_round = Counter(number for _, number, _, _ in mine)
    return [
        1.0,
        len(mine) / talk.rounds,
        mean(times) / 10 if times else 0.7,
        min(times, default=7.0) / 10,
        sum(count > 1 for count in per_round.values()) / talk.rounds,
        mean(number for _, number, _, _ in mine) / talk.rounds if mine else 0.5,
        *(forms[form] / talk.rounds for form in FORMS),
    ]


def classified(talks: Sequence[Talk], steps: int = 300) -> tuple[float, float]:
    """The area under the curve of a logit fitted on half of the games, on the other half; and its error."""
    halves = [talks[::2], talks[1::2]]
    rows = [np.array([outside(talk, turn) for talk in half for turn in range(SEATS)]) for half in halves]
    so = [np.array([talk.roles[turn] >= lib.CF_RED for talk in half for turn in range(SEATS)]) for half in halves]
    weight = np.zeros(rows[0].shape[1])
    for _ in range(steps):
        chance = 1 / (1 + np.exp(-rows[0] @ weight))
        hessian = (rows[0] * (chance * (1 - chance))[:, None]).T @ rows[0] + np.eye(len(weight))
        weight -= np.linalg.solve(hessian, rows[0].T @ (chance - so[0]) + weight)
    scores = rows[1] @ weight
    ranks = np.empty(len(scores))
    ranks[np.argsort(scores, kind="stable")] = np.arange(1, len(scores) + 1)
    dragons, humans = int(so[1].sum()), int((~so[1]).sum())
    area = (ranks[so[1]].sum() - dragons * (dragons + 1) / 2) / (dragons * humans)
    return float(area), float(1.96 * (area * (1 - area) * 1.1 / min(dragons, humans)) ** 0.5)


# -- told --------------------------------------------------------------------------------------------------------------


def told(games: Sequence[tuple[Talk, Talk]]) -> Iterable[str]:
    """The lines of the report."""
    silent, loud = [one for one, _ in games], [other for _, other in games]
    count = len(games)
    rates = [mean(one.humans_won for one in side) for side in (silent, loud)]
    differ = [other.humans_won - one.humans_won for one, other in games]
    error = 1.96 * (np.std(differ) / count**0.5)
    change = f"{mean(differ):+.3f} ± {error:.3f}"
    yield f"humans win {rates[0]:.3f} without talk, {rates[1]:.3f} with it: {change} of {count}"
    claims = sum(len(one.said) for one in loud)
    a_round = claims / sum(one.rounds for one in loud)
    yield f"{claims:,} claims, {a_round:.2f} a round; refused {sum(one.refused for one in loud)}"
    for side, is_dragon in (("humans", False), ("dragons", True)):
        mine = [so for one in loud for _, role, so in one.kinds if (role >= lib.CF_RED) == is_dragon]
        lies = [may for one in loud for turn, _, may in one.lies if (one.roles[turn] >= lib.CF_RED) == is_dragon]
        if mine and lies:
            yield (
                f"{side}: {1 - mean(mine):.1%} of {len(mine):,} claims on hidden things are false; "
                f"{mean(lies):.1%} of {len(lies):,} may still be true two rounds later"
            )
    for number in LOOKED_AT:
        found = [one.exposed[number] for one in loud if number in one.exposed]
        before = [one.exposed[number][0] for one in silent if number in one.exposed]
        if found:
            by_acts, by_both = mean(x for x, _ in found), mean(x for _, x in found)
            yield (
                f"after round {number} a listener believes of the true dragons {by_acts:.3f} by acts alone, "
                f"{by_both:.3f} with the talk ({len(found)} games); "
                f"where nobody talks {mean(before):.3f} ({len(before)})"
            )
    by_kind: dict[str, dict[int, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for one in loud:
        for kind, role, so in one.kinds:
            by_kind[kind][role].append(so)
    names = ("sage", "mystic", "adventurer", "red", "two_headed", "shadow")
    yield "| kind | " + " | ".join(names) + " |"
    for kind, by_role in sorted(by_kind.items()):
        cells = (f"{mean(by_role[r]):.2f} of {len(by_role[r])}" if by_role[r] else "–" for r in range(6))
        yield f"| {kind} | " + " | ".join(cells) + " |"
    area, spread = classified(loud)
    yield f"dragons told from humans by all but the content: AUC {area:.3f} ± {spread:.3f}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--names", nargs="+", default=["knight"])
    parser.add_argument("--seed", default="talk")
    given = parser.parse_args()
    print(f"{given.names}, seed {given.seed}, commit {commit()}", flush=True)
    games = list[tuple[Talk, Talk]]()
    for number in range(given.games):
        pair = [Table(given.names, given.seed, number, talks=talks).play() for talks in (False, True)]
        games.append((pair[0], pair[1]))
        if number % 100 == 99:
            print(number + 1, flush=True)
    print("\n".join(told(games)))
    area, spread = classified([loud for _, loud in games])
    return 1 if area - spread > MOST_TOLD else 0


if __name__ == "__main__":
    sys.exit(main())
