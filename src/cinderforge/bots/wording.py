"""When an AI says something and in which form: drawn before and without its role, so that neither tells anything (R11).

What it then says in that form is `bots/speaking.py`'s; nothing here is given a view, a hand or a role.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Final, Literal, get_args

from cinderforge.bots.characters import Character
from cinderforge.redaction import claims as c
from cinderforge.redaction.recollection import ClaimHeard
from cinderforge.redaction.shapes import RoundView, TableView
from cinderforge.rules.words import Faction, Turn

Voice = Literal["honest", "careful", "free"]
"""Nothing that one knows to be false; perhaps one lie a game; whatever helps."""

Form = Literal[
    "suspect", "trust", "team", "not_role", "role", "played", "scroll_saw", "agree", "deny", "ask", "passed_because"
]
"""The tag of the claim to be made."""

_WORDS: Final = (0, 1, 2)
_HOW_MANY: Final[dict[Character, tuple[float, float, float]]] = {
    "bold": (0.6, 0.31, 0.09),
    "quiet": (0.86, 0.13, 0.01),
    "accuser": (0.6, 0.31, 0.09),
    "loyal": (0.7, 0.25, 0.05),
    "gambler": (0.65, 0.28, 0.07),
}
"""How often a character says nothing in a round, or one thing, or two."""

_SECONDS: Final = (2.0, 14.0)
_BETWEEN: Final = 3.0

HONEST: Final[dict[Form, float]] = {"suspect": 3, "trust": 3, "not_role": 1, "agree": 2, "ask": 2, "passed_because": 1}
FREE: Final[dict[Form, float]] = {
    "suspect": 3,
    "trust": 2,
    "team": 3,
    "not_role": 1,
    "role": 1,
    "played": 3,
    "scroll_saw": 4,
    "agree": 2,
    "deny": 2,
    "ask": 1,
    "passed_because": 1,
}
MAY_NEED_A_LIE: Final[frozenset[Form]] = frozenset({"role", "played", "scroll_saw", "deny"})
"""What some could not say without one: `careful` speakers, of whatever role, say one such thing a game."""

Topic = Literal["role", "faction", "played", "skipped", "suspects"]
_TOPICS: Final = get_args(Topic)
_ABOUT: Final[dict[Topic, str]] = {"played": "played", "skipped": "skipped"}
"""Which act of the last round a question is about."""

_ONCE: Final[frozenset[Form]] = frozenset({"role", "not_role", "scroll_saw"})
_BOLD_FROM: Final = 2
"""The round from which somebody may be called something: before, nothing has been seen."""


def moments(rng: Random, character: Character) -> list[float]:
    """How many seconds into a round an AI speaks, each time that it does."""
    (count,) = rng.choices(_WORDS, _HOW_MANY[character])
    found = sorted(rng.uniform(*_SECONDS) for _ in range(count))
    return [at + _BETWEEN * number for number, at in enumerate(found)]


def form(
    rng: Random, voice: Voice, table: TableView, me: Turn, claims: Sequence[ClaimHeard], looked_at: Sequence[Turn]
) -> Form:
    """In which form it speaks. What is open to one follows from what everybody has seen and heard; `looked_at`: into
    whose hands one's scroll has looked.
    """
    weights = dict(HONEST if voice == "honest" else FREE)
    mine = [heard.claim.said.__struct_config__.tag for heard in claims if heard.claim.turn == me]
    has_lied = voice == "careful" and not MAY_NEED_A_LIE.isdisjoint(mine)
    for one in list(weights):
        is_spent = (has_lied and one in MAY_NEED_A_LIE) or (one in _ONCE and one in mine)
        is_open = bool(looked_at) if one == "scroll_saw" else one not in _OPEN or _OPEN[one](table, me, claims)
        if is_spent or not is_open:
            del weights[one]
    (found,) = rng.choices(list(weights), list(weights.values()))
    return found


def answerable(claims: Sequence[ClaimHeard], me: Turn, now: int, *, is_denied: bool) -> list[ClaimHeard]:
    """What others have lately called somebody else, and one has not answered; or oneself a dragon, if it is denied."""
    answered = {
        heard.claim.said.line
        for heard in claims
        if heard.claim.turn == me and isinstance(heard.claim.said, c.AgreeClaim | c.DenyClaim)
    }
    return [
        heard
        for heard in claims
        if heard.claim.turn != me
        and heard.line not in answered
        and heard.claim.round >= now - 1
        and isinstance(heard.claim.said, c.TeamClaim | c.SuspectClaim | c.TrustClaim)
        and heard.claim.said.turn != heard.claim.turn
        and (heard.claim.said.turn != me or (is_denied and accuses(heard.claim.said)))
    ]


def accuses(said: c.Claim) -> bool:
    """Whether it calls somebody a dragon."""
    match said:
        case c.SuspectClaim() | c.TeamClaim(_, Faction.DRAGON):
            return True
        case _:
            return False


def questions(table: TableView, of: Turn) -> list[Topic]:
    """What one may be asked about: why one skipped, or what one played, only after one has in the last round."""
    last = {act.act for act in table.past[-1].acts if act.turn == of} if table.past else set[str]()
    return [topic for topic in _TOPICS if _ABOUT.get(topic) in {None, *last}]


def unsaid_rounds(table: TableView, me: Turn, claims: Sequence[ClaimHeard]) -> list[RoundView]:
    """The rounds past in which one played a card that nobody saw, and of which one has said nothing."""
    said = {
        heard.claim.said.round
        for heard in claims
        if heard.claim.turn == me and isinstance(heard.claim.said, c.PlayedClaim) and heard.claim.said.turn == me
    }
    return [
        past
        for past in table.past
        if past.sources is None
        and past.number not in said
        and any(act.turn == me and act.act == "played" for act in past.acts)
    ]


def _may_call(table: TableView, me: Turn, claims: Sequence[ClaimHeard]) -> bool:
    return table.round >= _BOLD_FROM


def _has_skipped(table: TableView, me: Turn, claims: Sequence[ClaimHeard]) -> bool:
    return bool(table.past) and any(act.turn == me and act.act == "skipped" for act in table.past[-1].acts)


_OPEN: Final[dict[Form, Callable[[TableView, Turn, Sequence[ClaimHeard]], bool]]] = {
    "suspect": _may_call,
    "team": _may_call,
    "played": lambda table, me, claims: bool(unsaid_rounds(table, me, claims)),
    "agree": lambda table, me, claims: bool(answerable(claims, me, table.round, is_denied=False)),
    "deny": lambda table, me, claims: bool(answerable(claims, me, table.round, is_denied=True)),
    "passed_because": _has_skipped,
}
