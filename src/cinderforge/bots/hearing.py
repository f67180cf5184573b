"""What an AI makes of what others claim: rows for the belief, and for those who act by habit how far to lean.

A claim may be a lie, and counts by how often such a claim by such a role is true (`TRUTH`); the kernel sees to it that
none counts for too much (docs/bots.md). Nothing is heard but what the recollection holds (R11).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import exp, log
from typing import Any, Final, Literal, NamedTuple

from cinderforge.bots.sight import NUMBER_OF
from cinderforge.kernel import ffi, lib, minds
from cinderforge.kernel.belief import filter_here, odds
from cinderforge.redaction import claims as c
from cinderforge.redaction.recollection import ClaimHeard
from cinderforge.rules.settings import hand_of
from cinderforge.rules.words import Card, Faction, Role, Turn

Ear = Literal["nothing", "plain words", "all"]
"""How well one listens: not at all, to who is called what, to everything weighed."""

_HUMANS: Final = 0b000111
_DRAGONS: Final = 0b111000
_ALL: Final = 0b111111
_MOST: Final = int(lib.CF_CLAIMS)


@dataclass(frozen=True, slots=True)
class Truth:
    """How often a claim of a kind is true, by the role of who makes it, and how often it would be by chance alone."""

    sage: float
    mystic: float
    adventurer: float
    red: float
    two_headed: float
    shadow: float
    by_chance: float

    def weights(self) -> list[list[float]]:
        """By role: the logarithm of how likely it is said where it is false, and where it is true."""
        rates = (self.sage, self.mystic, self.adventurer, self.red, self.two_headed, self.shadow)
        return [[log((1 - rate) / (1 - self.by_chance)), log(rate / self.by_chance)] for rate in rates]


TRUTH: Final = {
    "own role": Truth(0.3, 0.95, 0.95, 0.03, 0.03, 0.03, 0.3),
    "own roles": Truth(0.9, 0.9, 0.95, 0.75, 0.75, 0.75, 0.8),
    "a role": Truth(0.5, 0.5, 0.35, 0.2, 0.2, 0.2, 0.2),
    "not a role": Truth(0.9, 0.9, 0.85, 0.7, 0.7, 0.75, 0.8),
    "a dragon, perhaps": Truth(0.6, 0.6, 0.52, 0.42, 0.4, 0.43, 0.43),
    "a dragon": Truth(0.68, 0.68, 0.56, 0.45, 0.43, 0.43, 0.43),
    "a dragon, for sure": Truth(0.72, 0.72, 0.62, 0.47, 0.47, 0.47, 0.43),
    "a human, perhaps": Truth(0.68, 0.68, 0.62, 0.62, 0.6, 0.63, 0.57),
    "a human": Truth(0.74, 0.76, 0.66, 0.64, 0.64, 0.62, 0.57),
    "a human, for sure": Truth(0.74, 0.76, 0.68, 0.6, 0.6, 0.62, 0.57),
    "the night": Truth(0.95, 0.95, 0.1, 0.7, 0.7, 0.1, 0.3),
    "own card": Truth(0.6, 0.95, 0.95, 0.25, 0.28, 0.42, 0.4),
    "a card": Truth(0.6, 0.6, 0.5, 0.4, 0.4, 0.4, 0.4),
    "seen": Truth(0.85, 0.95, 0.95, 0.5, 0.5, 0.6, 0.4),
}
"""Kind by kind: for what AIs say, between what they were measured to say and what people may be guessed to.

Whom one suspects for what everybody saw is no news to who saw it, so that much that is true counts for little.
"""

_CONTRARY: Final = {
    **dict.fromkeys(("a dragon, perhaps", "a dragon", "a dragon, for sure"), "a human, perhaps"),
    **dict.fromkeys(("a human, perhaps", "a human", "a human, for sure"), "a dragon, perhaps"),
    "a role": "not a role",
    "not a role": "a role",
}
_SURE: Final = {1: ", perhaps", 2: "", 3: ", for sure"}


@cache
def _weights(kind: str) -> list[list[float]]:
    return TRUTH[kind].weights()


def hearsay(claims: Sequence[ClaimHeard], me: Turn) -> Any:
    """`cf_hearsay *` of what others have claimed; None where nothing of it says anything.

    Of all that one player has said on a subject the last word counts: said again, it is not truer.
    """
    said = {heard.line: heard.claim for heard in claims}
    last: dict[tuple[object, ...], dict[str, Any]] = {}
    for heard in claims:
        for _, row in rows_of(heard.claim, said) if heard.claim.turn != me else ():
            subject = (row["speaker"], row["kind"], row.get("who"), row.get("of_round"))
            last.pop(subject, None)
            last[subject] = row
    kept = list(last.values())[-_MOST:]
    if not kept:
        return None
    return ffi.new("cf_hearsay *", {"count": len(kept), "claims": kept})


class Row(NamedTuple):
    """One claim, for the kernel: its kind in `TRUTH`, and the fields of its `cf_claim`."""

    of: str
    fields: dict[str, Any]


def rows_of(claim: c.ClaimedView, said: Mapping[int, c.ClaimedView]) -> Iterable[Row]:
    """Its row, if it says anything of what is hidden; `said`: claims by their lines, for answers."""
    denied, what, whose = False, claim.said, claim.turn
    if isinstance(what, c.AgreeClaim | c.DenyClaim):
        meant = said.get(what.line)
        if meant is None or isinstance(meant.said, c.AgreeClaim | c.DenyClaim):
            return  # answers to answers are a maze
        denied, what, whose = isinstance(what, c.DenyClaim), meant.said, meant.turn
    row = _row(what, whose, claim.turn)
    if row:
        kind, fields = row
        if denied:
            kind = "own roles" if fields.get("who") == claim.turn - 1 else _CONTRARY.get(kind, kind)
        about = {"speaker": claim.turn - 1, "round": claim.round, "denied": denied, "weight": _weights(kind)}
        yield Row(kind, about | fields)


def _row(what: c.Claim, whose: Turn, speaker: Turn) -> tuple[str, dict[str, Any]] | None:
    """The kind and the row of a claim that `whose` made first and `speaker` stands for."""
    match what:
        case c.RoleClaim(turn, role):
            return ("own role" if turn == speaker else "a role"), _roles(turn, 1 << _number(role))
        case c.NotRoleClaim(turn, role):
            return ("own roles" if turn == speaker else "not a role"), _roles(turn, _ALL & ~(1 << _number(role)))
        case c.TeamClaim(turn, faction, sure):
            is_dragon = faction is Faction.DRAGON
            if turn == speaker:
                return "own roles", _roles(turn, _DRAGONS if is_dragon else _HUMANS)
            return _side(is_dragon=is_dragon) + _SURE[sure], _roles(turn, _DRAGONS if is_dragon else _HUMANS)
        case c.SuspectClaim(turn) | c.TrustClaim(turn):
            is_dragon = isinstance(what, c.SuspectClaim)
            return _side(is_dragon=is_dragon) + _SURE[1], _roles(turn, _DRAGONS if is_dragon else _HUMANS)
        case c.FourClaim(others):
            members = 1 << (whose - 1)
            for turn in others:
                members |= 1 << (turn - 1)
            return "the night", {"kind": lib.CF_SAYS_NIGHT, "set": members}
        case c.PlayedClaim(turn, round, card):
            if turn == speaker:
                return "own card", {"kind": lib.CF_SAYS_PLAYED, "of_round": round - 1, "set": NUMBER_OF[card]}
            return "a card", _roles(turn, _dealt(card))
        case c.ScrollSawClaim(turn, card):
            return "seen", _roles(turn, _dealt(card))
        case _:
            return None


def _side(*, is_dragon: bool) -> str:
    return "a dragon" if is_dragon else "a human"


def _roles(turn: int, roles: int) -> dict[str, Any]:
    return {"kind": lib.CF_SAYS_ROLES, "who": turn - 1, "set": roles}


def _number(role: Role) -> int:
    return NUMBER_OF[Card(role.value)]


@cache
def _dealt(card: Card) -> int:
    """The roles that are dealt such a card."""
    return sum(1 << _number(role) for role in Role if card in hand_of(role))


# -- who acts by habit -------------------------------------------------------------------------------------------------

_SAID: Final = 0.5
_LEAN: Final = 0.5
_MOST_LEAN: Final = 1.5


def taken_at_their_word(claims: Sequence[ClaimHeard], me: Turn, seats: int) -> list[float]:
    """What plain words say of each player's side, as log odds for a dragon; everybody's word counts alike."""
    against = [0.0] * seats
    for heard in claims:
        match heard.claim.said:
            case c.TeamClaim(turn, faction, sure) if turn != heard.claim.turn:
                against[turn - 1] += (_SAID if faction is Faction.DRAGON else -_SAID) * sure / 2
            case c.SuspectClaim(turn):
                against[turn - 1] += _SAID
            case c.TrustClaim(turn):
                against[turn - 1] -= _SAID
            case _:
                pass
    against[me - 1] = 0.0
    return [max(-_MOST_LEAN, min(_MOST_LEAN, one)) for one in against]


def weighed(public: Any, private: Any, heard: Any) -> list[float]:
    """What all that was heard says of each player's side: by how much it moves the log odds for a dragon."""
    believed = filter_here()
    model = minds.shipped()
    without = believed.believe(public, private, model)
    with_it = believed.believe(public, private, model, heard=heard)
    if without is None or with_it is None:
        return [0.0] * int(public.rules.n)
    pairs = zip(with_it.dragon, without.dragon, strict=True)
    return [max(-_MOST_LEAN, min(_MOST_LEAN, odds(after) - odds(before))) for after, before in pairs]


def leaned(chances: Sequence[float], public: Any, private: Any, against: Sequence[float]) -> list[float]:
    """A human's chances: person cards go more gladly beside whom others speak well of, and less beside the others."""
    out = list(chances)
    if public.phase != lib.CF_PLAY or private.role >= lib.CF_RED or public.round < 0:
        return out
    record = public.rounds[public.round]
    played = [record.order[place] for place in range(record.acted) if record.act[place] == lib.CF_PLAYED]
    danger = max(-_MOST_LEAN, min(_MOST_LEAN, sum(against[turn] for turn in played if turn != private.me)))
    for card in (lib.CF_SAGE, lib.CF_MYSTIC, lib.CF_ADVENTURER):
        out[card] *= exp(-_LEAN * danger)
    return out
