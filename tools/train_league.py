"""Goes on where self-play ended, against those who learnt to beat it; `make train` ends with it (docs/model-card.md).

    python -m tools.train_league --begin build/seed1 --folder build/league1

In each round best responders are trained against the net of now, one to all the humans and one to all the dragons
(policy-space response oracles: Lanctot et al. 2017). They sit as guests at a quarter of the net's tables from then on,
and the net learns on. What a round's responders gain is printed. At the end most teams are mixed, with nets of other
seeds among them (`--guests`), so that strangers understand each other. A league that is stopped goes on where it was; a
round that was broken off begins anew.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from tools.train_blueprint import EXPLOITS, Guest, Net, Plan, Shares, Trainer, guest_of, kept_nets

LEAGUE: Final = Plan(
    rate=4e-4,
    entropy=0.01,
    least_entropy=0.01,
    shares=Shares(itself=0.12, mixed=0.4, guests=0.25, past=0.03, plain=0.05),
    usual=0.3,
)
MIXED: Final = Shares(itself=0.1, mixed=0.55, guests=0.15, past=0.02, plain=0.04)
"""At the end teams are mostly mixed, so that the net plays well with whom it does not know."""
SIDES: Final = ("human", "dragon")
MOST_RESPONDERS: Final = 12
"""The newest of them sit at the tables."""


@dataclass(frozen=True, slots=True)
class Rounds:
    steps: int = 90
    """Of the net, in one round."""
    responses: int = 60
    """Steps of each best responder."""


class League:
    """A net, its guests from elsewhere, and the best responders of its rounds; all of it lies in a folder."""

    def __init__(self, folder: Path, begin: Path, guests: Sequence[Guest], plan: Plan, rounds: Rounds) -> None:
        self.folder, self.plan, self.rounds = folder, plan, rounds
        self.others = list(guests)
        self.net = Trainer(plan, start=kept_nets(begin, plan))
        if begin.is_dir():
            with np.load(begin / "run.npz") as kept:
                self.net.past = [Net(False, plan.widths, row.copy()) for row in kept["past"]]
        if (folder / "run.npz").exists():
            self.net.resume(folder)
        self.done = self.net.steps // rounds.steps
        """Rounds."""

    def respond(self, side: str) -> dict[str, float]:
        """Trains this round's best responder as one faction; what it gains beside the net of now, in points."""
        folder = self._responder(self.done, side)
        plan = replace(
            EXPLOITS,
            seed=self.plan.seed * 1000 + self.done,
            games=self.plan.games,
            batch=self.plan.batch,
            usual=self.plan.usual,
            widths=self.plan.widths,
            judge_widths=self.plan.judge_widths,
        )
        trainer = Trainer(plan, self.net.average, side, start=(self.net.average, self.net.judge))
        while trainer.steps < self.rounds.responses:
            trainer.step()
        trainer.save(folder)
        return trainer.measured()

    def play(self) -> dict[str, float]:
        """A whole round; what its responders had gained before it."""
        gains: dict[str, float] = {}
        for side in SIDES:
            gains |= self.respond(side)
        self.net.guests = self.guests_of_now()
        while self.net.steps < (self.done + 1) * self.rounds.steps:
            self.net.step()
        self.net.save(self.folder)
        self.done += 1
        return gains

    def mix(self, steps: int) -> Trainer:
        """What the league has come to, after so many steps more at tables that are mostly mixed."""
        mixed = Trainer(replace(self.plan, shares=MIXED), guests=self.guests_of_now())
        mixed.resume(self.folder)
        if (self.folder / "mixed" / "run.npz").exists():
            mixed.resume(self.folder / "mixed")
        while mixed.steps < self.net.steps + steps:
            mixed.step()
        mixed.save(self.folder / "mixed")
        return mixed

    def guests_of_now(self) -> list[Guest]:
        """Whoever sits at its tables: nets of other runs, and the newest responders."""
        rounds = [
            self._responder(done, side) for done in range(self.net.steps // self.rounds.steps + 1) for side in SIDES
        ]
        there = [guest_of(one, self.plan) for one in rounds if (one / "run.npz").exists()]
        return [*self.others, *there[-MOST_RESPONDERS:]]

    def _responder(self, done: int, side: str) -> Path:
        return self.folder / f"round{done + 1}-{side}"


def main() -> None:
    parser = argparse.ArgumentParser(description=f"{__doc__}\nNETS is the folder of a run, or a file of nets.")
    parser.add_argument("--begin", type=Path, metavar="NETS", required=True, help="the net that goes on")
    parser.add_argument("--guests", type=Path, nargs="*", default=(), metavar="NETS", help="nets of other runs, too")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--mixed", type=int, default=180, metavar="STEPS", help="at the end; into the folder's mixed/")
    parser.add_argument("--minutes", type=float, default=30, help="no round begins after that")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=Path("build/league1"))
    args = parser.parse_args()
    plan = replace(LEAGUE, seed=args.seed)
    league = League(args.folder, args.begin, [guest_of(one, plan) for one in args.guests], plan, Rounds())
    end = time.monotonic() + 60 * args.minutes
    while league.done < args.rounds and time.monotonic() < end:
        gains = league.play()
        gap = sum(points for name, points in gains.items() if name.endswith("gains"))
        print(f"round {league.done}: gap {gap:.1f} before it, {gains}; now {league.net.measured()}", flush=True)
    if league.done >= args.rounds:
        print(f"mixed: {league.mix(args.mixed).measured()}", flush=True)


if __name__ == "__main__":
    main()
