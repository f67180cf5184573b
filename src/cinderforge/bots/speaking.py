"""What an AI claims in the form that was drawn for it: truths worth telling, and lies that nobody can see through yet.

Each thing that it could say is scored by what it would do to a listener who knows what the public does: games drawn
from the public's belief are weighed anew by the claim, as `bots/hearing.py` would weigh it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import exp, log
from random import Random
from typing import Any, Final

from cinderforge.bots import wording
from cinderforge.bots.hearing import hearsay, rows_of
from cinderforge.bots.sight import phase_of_table, sight
from cinderforge.bots.wording import Form, Voice
from cinderforge.kernel import ffi, lib, minds
from cinderforge.kernel.belief import Beliefs, filter_here
from cinderforge.redaction import claims as c
from cinderforge.redaction.claims import Claim, ClaimedView
from cinderforge.redaction.recollection import ClaimHeard, Recollection
from cinderforge.redaction.shapes import View
from cinderforge.rules.words import DRAGON_CARDS, Card, Faction, Role, Turn

DRAWS: Final = 150
"""Games that a listener is thought to have in mind."""

HUMAN_ROLES: Final = (Role.SAGE, Role.MYSTIC, Role.ADVENTURER)
_DRAGON: Final = int(lib.CF_RED)
_SURE_OF_IT: Final = 0.03
"""What is less likely than this to be true, by all that one knows, is a lie."""
_HIDES: Final = 1.5
"""How much a sage minds being found, who is the first to be slain (R7.1)."""
_REASONS: Final = ("blank_hand", "too_dangerous", "saving", "waiting")
_MOST: Final = 14


@dataclass(frozen=True, slots=True)
class Tongue:
    """How one speaks: how freely, and how much one thinks about what it does."""

    voice: Voice
    heat: float


TRUTHFUL: Final = Tongue("honest", 0.5)


@dataclass(frozen=True, slots=True)
class _Draw:
    """A game that may be the one played: roles, and what the speaker played in each round."""

    roles: tuple[int, ...]
    plays: tuple[int, ...]


def spoken(
    view: View,
    recollection: Recollection,
    tongue: Tongue,
    count: int,
    seed: str,
    remembered: Callable[[Any, Any], Any] | None = None,
) -> list[Claim]:
    """So many claims, one after the other. Their forms are drawn without a look at what only the seat knows.

    `remembered` gives what one still knows, of the kernel's public record and what one once knew.
    """
    assert view.you
    said, claims = list[Claim](), list(recollection.claims)
    latest = claims[-1].line if claims else 0
    for number in range(count):
        dice = Random(f"{seed}:form {number}")
        form = wording.form(dice, tongue.voice, view.table, view.you.turn, claims, _looked_at(view, recollection))
        rng = Random(f"{seed}:words {number}")
        claim = _Speaker(view, recollection, claims, tongue, remembered).words(form, rng)
        said.append(claim)
        claims.append(ClaimHeard(latest + number + 1, ClaimedView(0, view.you.turn, view.table.round, claim)))
    return said


def _looked_at(view: View, recollection: Recollection) -> list[Turn]:
    """Into whose hands one's own scroll has looked: everybody was told, though not what lay there (R6.3, R6.9)."""
    assert view.you
    return sorted({seen.of for seen in recollection.cards if seen.to in (None, view.you.turn)})


class _Speaker:
    """One who is about to speak, and what they make of the game."""

    def __init__(
        self,
        view: View,
        recollection: Recollection,
        claims: Sequence[ClaimHeard],
        tongue: Tongue,
        remembered: Callable[[Any, Any], Any] | None,
    ) -> None:
        assert view.you
        self.view, self.you, self.claims, self.tongue = view, view.you, claims, tongue
        self.cards, self.looked_at = recollection.cards, _looked_at(view, recollection)
        self.seats = len(view.table.seats)
        self.others = [Turn(turn) for turn in range(1, self.seats + 1) if turn != self.you.turn]
        self.is_human = self.you.faction is Faction.HUMAN
        self.public, self.private = sight(view, recollection)
        self.public.phase = phase_of_table(view.table)
        if remembered:
            self.private = remembered(self.public, self.private)
        self.filter = filter_here()

    # -- what is said --------------------------------------------------------------------------------------------------

    def words(self, form: Form, rng: Random) -> Claim:
        """Something in this form; there always is something, whatever one's role."""
        if form == "ask":
            of = rng.choice(self.others)
            return c.AskClaim(of, rng.choice(wording.questions(self.view.table, of)))
        if form == "passed_because":
            return c.PassedClaim(rng.choice(_REASONS))
        sure = rng.choices((1, 2, 3), (2, 3, 1))[0]
        candidates = list(self._candidates(form, sure, rng))
        own = self._own_belief()
        if self.tongue.voice == "honest":
            return self._honest(candidates, own, rng)
        draws = self._listener()
        rows = [self._row(claim) for claim in candidates]
        open_to = [at for at, row in enumerate(rows) if any(_is_so(row, draw) for draw in draws)]
        fit = [at for at in open_to if self._agrees_with_own_words(rows[at])] or open_to or list(range(len(rows)))
        is_fact = form in wording.MAY_NEED_A_LIE and form != "deny"
        if is_fact and self.is_human and self.you.role is not Role.SAGE:
            # A human's word is worth more than what a lie could bring; a sage may have to hide.
            fit = self._no_lies(candidates, range(len(candidates)), own)
        elif self.tongue.voice == "careful" and form not in wording.MAY_NEED_A_LIE:
            fit = self._no_lies(candidates, fit, own)
        scores = [self._worth(rows[at], draws, own) for at in fit]
        best = max(scores)
        (chosen,) = rng.choices(fit, [exp((score - best) / self.tongue.heat) for score in scores])
        return candidates[chosen]

    def _honest(self, candidates: Sequence[Claim], own: Beliefs | None, rng: Random) -> Claim:
        """A human says what is likely; a dragon what it cannot tell either, and so gives nobody away."""
        fit = self._no_lies(candidates, range(len(candidates)), own)
        truth = [self._how_true(candidates[at], own) for at in fit]
        (chosen,) = rng.choices(fit, [one**2 + 1e-6 if self.is_human else exp(-6 * abs(one - 0.4)) for one in truth])
        return candidates[chosen]

    def _no_lies(self, candidates: Sequence[Claim], of: Sequence[int], own: Beliefs | None) -> list[int]:
        """Those that may be true by all that one knows; where all are lies, the least of them."""
        truth = {at: self._how_true(candidates[at], own) for at in of}
        return [at for at in of if truth[at] > _SURE_OF_IT] or [max(of, key=truth.__getitem__)]

    def _candidates(self, form: Form, sure: int, rng: Random) -> Iterable[Claim]:
        me, table = self.you.turn, self.view.table
        match form:
            case "suspect":
                return [c.SuspectClaim(turn) for turn in self.others]
            case "trust":
                return [c.TrustClaim(turn) for turn in self.others]
            case "team":
                both = [c.TeamClaim(turn, faction, sure) for turn in self.others for faction in Faction]
                return rng.sample(both, min(_MOST, len(both)))
            case "not_role":
                return [c.NotRoleClaim(me, role) for role in Role if role is not Role.ADVENTURER]
            case "role":
                return [c.RoleClaim(me, role) for role in HUMAN_ROLES]
            case "played":
                past = rng.choice(wording.unsaid_rounds(table, me, self.claims))
                cards = sorted(set(past.cards))
                if not self.is_human or self.you.plays[past.number - 1] not in DRAGON_CARDS:
                    # A dragon that owns up to its card, or a sage that takes it on, has given itself up for nothing.
                    cards = [card for card in cards if card not in DRAGON_CARDS] or cards
                return [c.PlayedClaim(me, past.number, card) for card in cards]
            case "scroll_saw":
                of = rng.choice(self.looked_at)
                return [c.ScrollSawClaim(of, card) for card in Card]
            case "agree":
                lately = wording.answerable(self.claims, me, table.round, is_denied=False)
                return [c.AgreeClaim(heard.line) for heard in lately[-_MOST:]]
            case "deny":
                lately = wording.answerable(self.claims, me, table.round, is_denied=True)
                about_me = [heard for heard in lately if self._is_of_me(heard.claim.said)]
                return [c.DenyClaim(heard.line) for heard in (about_me or lately)[-_MOST:]]
            case _:
                raise AssertionError(form)

    def _is_of_me(self, said: Claim) -> bool:
        return isinstance(said, c.SuspectClaim | c.TeamClaim) and said.turn == self.you.turn

    # -- what one knows, and what others may think ---------------------------------------------------------------------

    def _own_belief(self) -> Beliefs | None:
        heard = hearsay(self.claims, self.you.turn)
        return self.filter.believe(self.public, self.private, minds.shipped(), heard=heard)

    def _listener(self) -> list[_Draw]:
        """What somebody who knows what all know may take for the game, having heard all that was said."""
        public = self.filter.believe(self.public, None, minds.shipped(), heard=hearsay(self.claims, Turn(0)))
        assert public
        dice, game = ffi.new("uint64_t[2]", [self.view.table.round + 1, self.you.turn]), ffi.new("cf_game *")
        draws = []
        for _ in range(DRAWS):
            self.filter.imagine(dice, game)
            plays = tuple(game.hid.played[number][self.you.turn - 1] for number in range(self.view.table.round))
            draws.append(_Draw(tuple(game.hid.role[0 : self.seats]), plays))
        return draws

    def _row(self, claim: Claim) -> dict[str, Any]:
        said = {heard.line: heard.claim for heard in self.claims}
        mine = ClaimedView(0, self.you.turn, self.view.table.round, claim)
        (row,) = rows_of(mine, said)
        return row.fields

    def _agrees_with_own_words(self, row: dict[str, Any]) -> bool:
        """Nobody says what cannot be true beside what they have said before."""
        if row["kind"] != lib.CF_SAYS_ROLES:
            return True
        said = {heard.line: heard.claim for heard in self.claims}
        for heard in self.claims:
            for _, earlier in rows_of(heard.claim, said) if heard.claim.turn == self.you.turn else ():
                if (
                    earlier["kind"] == lib.CF_SAYS_ROLES
                    and earlier["who"] == row["who"]
                    and not _set(earlier) & _set(row)
                ):
                    return False
        return True

    def _how_true(self, claim: Claim, own: Beliefs | None) -> float:
        """How likely it is true, by all that one knows."""
        match claim:
            case c.PlayedClaim(_, round, card):
                return float(self.you.plays[round - 1] is card)
            case c.ScrollSawClaim(of, card):
                return float(
                    any(seen.of == of and seen.to in (None, self.you.turn) and seen.card is card for seen in self.cards)
                )
            case _:
                row = self._row(claim)
        if own is None:
            return 0.5
        if row["kind"] != lib.CF_SAYS_ROLES:
            return 0.5
        roles = _set(row)
        return float(sum(own.roles[row["who"]][role] for role in range(6) if roles >> role & 1))

    # -- what it is worth ----------------------------------------------------------------------------------------------

    def _worth(self, row: dict[str, Any], draws: Sequence[_Draw], own: Beliefs | None) -> float:
        """How much nearer it brings a listener to where one wants them."""
        factors = [[exp(weight) for weight in pair] for pair in _clipped(row)]
        weights = [factors[draw.roles[row["speaker"]]][_is_so(row, draw)] for draw in draws]
        whole, worth, me = sum(weights), 0.0, self.you.turn - 1

        def moved(is_one: Sequence[bool]) -> float:
            after = sum(weight for weight, one in zip(weights, is_one, strict=True) if one)
            return _odds(after / whole) - _odds(sum(is_one) / len(draws))

        for turn in range(self.seats):
            is_dragon = [draw.roles[turn] >= _DRAGON for draw in draws]
            if turn == me:
                worth -= moved(is_dragon)
            elif own is not None:
                worth += (2 * own.dragon[turn] - 1) * moved(is_dragon) * (1 if self.is_human else -1)
        if self.you.role is Role.SAGE:
            worth -= _HIDES * moved([draw.roles[me] == lib.CF_SAGE for draw in draws])
        return worth


def _set(row: dict[str, Any]) -> int:
    """The roles of which one is said, denied or not."""
    return int(~row["set"] & 0b111111 if row["denied"] else row["set"])


def _is_so(row: dict[str, Any], draw: _Draw) -> bool:
    if row["kind"] == lib.CF_SAYS_PLAYED:
        so = bool(draw.plays[row["of_round"]] == row["set"])
    else:
        so = bool(row["set"] >> draw.roles[row["who"]] & 1)
    return so is not bool(row["denied"])


def _clipped(row: dict[str, Any]) -> list[list[float]]:
    """As the kernel clips it: from end to end a ratio of four."""
    top = max(max(pair) for pair in row["weight"])
    return [[max(weight - top, -log(4)) for weight in pair] for pair in row["weight"]]


def _odds(chance: float) -> float:
    chance = min(0.98, max(0.02, chance))
    return log(chance / (1 - chance))
