"""The five levels: the same habits and the same rules of thought, but more or less memory, care and looking ahead.

None is shown more than another, and none acts slower or faster: they differ by what they make of it (docs/bots.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any, Final

from cinderforge.bots.absurd import absurd
from cinderforge.bots.blueprint import Blueprint
from cinderforge.bots.characters import Character, tilted
from cinderforge.bots.hearing import Ear, hearsay, leaned, taken_at_their_word, weighed
from cinderforge.bots.searcher import Care, Searcher
from cinderforge.bots.speaking import TRUTHFUL, Tongue, spoken
from cinderforge.kernel import ffi, lib
from cinderforge.redaction.claims import Claim
from cinderforge.redaction.recollection import Recollection
from cinderforge.redaction.shapes import View


@dataclass(frozen=True, slots=True)
class Skill:
    """How well one plays."""

    heat: float = 1.0
    """How warm one's habits are: the warmer, the more often one does what one likes less."""
    heat_as_dragon: float | None = None
    """The same with a dragon's role, where one false step costs less; null is no other."""
    slips: float = 0.0
    """The share of acts that are done without a look: anything that is allowed."""
    remembers: int | None = None
    """For how many rounds one remembers the night and cards that one saw; null is for ever."""
    ear: Ear = "all"
    """How well one listens to what others claim."""
    tongue: Tongue = TRUTHFUL
    """How freely one speaks, and with how much thought."""
    care: Care | None = None
    """How far one thinks before one follows a habit; null is not at all."""
    care_as_dragon: Care | None = None
    """The same with a dragon's role; null is no other."""


SKILLS: Final[dict[str, Skill]] = {
    "acolyte": Skill(heat=3.0, slips=0.75, remembers=2, ear="nothing"),
    "scout": Skill(heat=12.0, heat_as_dragon=6.6, remembers=3, ear="plain words"),
    "knight": Skill(heat=4.5, heat_as_dragon=3.1, tongue=Tongue("careful", 0.4)),
    "warden": Skill(
        tongue=Tongue("free", 0.25),
        care=Care(games=20, steps=600, pull=2.5, heat=3.6),
        care_as_dragon=Care(games=20, steps=600, pull=4.5, heat=1.7),
    ),
    "oracle": Skill(tongue=Tongue("free", 0.12), care=Care(games=2000, steps=14000, pull=20.0)),
}
"""From the weakest to the strongest."""


class Level(Blueprint):
    """Habit, perhaps thought, a character's leaning, and nothing absurd."""

    def __init__(self, skill: Skill, character: Character | None = None) -> None:
        super().__init__(temperature=skill.heat)
        self.skill, self.character = skill, character
        self._searcher = Searcher(skill.care) if skill.care else None
        self._as_dragon = Searcher(skill.care_as_dragon) if skill.care_as_dragon else self._searcher

    def spoken(self, view: View, recollection: Recollection, count: int, seed: str) -> list[Claim]:
        """So many claims, to be made one after the other. May take some ten milliseconds."""
        return spoken(view, recollection, self.skill.tongue, count, seed, self.remembered)

    def remembered(self, public: Any, private: Any) -> Any:
        """What it still knows, in this round, of what it once saw (`cf_private *`)."""
        rounds = self.skill.remembers
        if rounds is None or public.round < 1:
            return private
        out = ffi.new("cf_private *", private[0])
        for number in range(max(0, public.round + 1 - rounds)):
            out.seen_card[number] = out.seen_of[number] = -1
        if public.round >= rounds:
            for turn in range(public.rules.n):
                if turn != private.me:
                    out.night[turn] = -1
        return out

    def heard(self, view: View, recollection: Recollection) -> Any:
        """`cf_hearsay *`; by whoever takes others at their word, what they say of each player."""
        if not recollection.claims or not view.you or self.skill.ear == "nothing":
            return None
        if self.skill.ear == "all":
            return hearsay(recollection.claims, view.you.turn)
        return taken_at_their_word(recollection.claims, view.you.turn, len(view.table.seats))

    def chances(self, public: Any, private: Any, rng: Random, heard: Any = None) -> list[float]:
        """How it would choose, by action; `heard` as the method of this name gives it."""
        searcher = self._as_dragon if private.role >= lib.CF_RED else self._searcher
        if searcher:
            chances = list(searcher.thought(public, private, rng.getrandbits(64), heard).chance)
        else:
            found = ffi.new("float[]", lib.CF_ACTIONS)
            mask = lib.cf_legal(public, private)
            own = self.skill.heat_as_dragon if private.role >= lib.CF_RED else None
            lib.cf_policy(self._net, public, private, mask, own or self.skill.heat, found)
            chances = list(found)
            if heard is not None and public.phase == lib.CF_PLAY:
                against = heard if isinstance(heard, list) else weighed(public, private, heard)
                chances = leaned(chances, public, private, against)
        return tilted(chances, public, private, self.character) if self.character else chances

    def _action(self, public: Any, private: Any, rng: Random, heard: Any = None) -> int:
        known = self.remembered(public, private)
        if rng.random() < self.skill.slips:
            mask = lib.cf_legal(public, known)
            chances = [float(mask >> action & 1) for action in range(lib.CF_ACTIONS)]
        else:
            chances = self.chances(public, known, rng, heard)
        while True:
            action = rng.choices(range(lib.CF_ACTIONS), chances)[0]
            chances[action] = 0.0
            # What was once seen and is forgotten guards all the same: nobody who saw it would do this.
            if not any(chances) or not absurd(public, private, action):
                return action
