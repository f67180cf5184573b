"""What players may claim at the table in a form that every language renders and every AI understands (R9).

A claim may be a lie. The shapes lie here, below the talk that checks them and the AIs that will make and believe them.
Players are turn numbers; a player may claim about anybody, oneself included, unless said otherwise.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from cinderforge.rules.settings import MAX_SEATS
from cinderforge.rules.words import Card, Faction, Role, Turn

ClaimTurn = Annotated[int, Meta(ge=1, le=MAX_SEATS)]
LineNumber = Annotated[int, Meta(ge=1, le=2**53 - 1)]
RoundNumber = Annotated[int, Meta(ge=1, le=MAX_SEATS)]
"""A round uses up a scroll, so there are at most as many as seats (R5.2)."""
Because = Annotated[list[LineNumber], Meta(max_length=4)]
"""The claims, by the numbers of their lines, that speak for it."""


class RoleClaim(Struct, frozen=True, gc=False, tag_field="claim", tag="role", forbid_unknown_fields=True):
    """A player has this role."""

    turn: ClaimTurn
    role: Role


class NotRoleClaim(Struct, frozen=True, gc=False, tag_field="claim", tag="not_role", forbid_unknown_fields=True):
    """A player does not have this role."""

    turn: ClaimTurn
    role: Role


class TeamClaim(Struct, frozen=True, gc=False, tag_field="claim", tag="team", forbid_unknown_fields=True):
    """A player is of this faction; how sure one is, 1 to 3."""

    turn: ClaimTurn
    faction: Faction
    sure: Annotated[int, Meta(ge=1, le=3)]


class FourClaim(Struct, frozen=True, gc=False, tag_field="claim", tag="four", forbid_unknown_fields=True):
    """One was of those who saw each other at night (R4.1), and the others were these; as many as there were."""

    others: Annotated[list[ClaimTurn], Meta(min_length=2, max_length=3)]


class PlayedClaim(Struct, frozen=True, gc=False, tag_field="claim", tag="played", forbid_unknown_fields=True):
    """A player's card in this round, in which they did play one."""

    turn: ClaimTurn
    round: RoundNumber
    card: Card


class PassedClaim(Struct, frozen=True, gc=False, tag_field="claim", tag="passed_because", forbid_unknown_fields=True):
    """Why one skipped last."""

    reason: Literal["blank_hand", "too_dangerous", "saving", "waiting"]


class IntendClaim(Struct, frozen=True, gc=False, tag_field="claim", tag="intend", forbid_unknown_fields=True):
    """What one is about to do: play this card, skip, or give the crystal to this player."""

    act: Literal["play", "pass", "crystal"]
    card: Card | None = None
    to: ClaimTurn | None = None


class AskToClaim(Struct, frozen=True, gc=False, tag_field="claim", tag="ask_to", forbid_unknown_fields=True):
    """Another player is asked to play, to skip, or to give the crystal to oneself."""

    turn: ClaimTurn
    act: Literal["play", "pass", "crystal"]


class ScrollSawClaim(Struct, frozen=True, gc=False, tag_field="claim", tag="scroll_saw", forbid_unknown_fields=True):
    """Which card of another's one's scroll has shown; only once it has fired and did show one (R9.2)."""

    turn: ClaimTurn
    card: Card


class SuspectClaim(Struct, frozen=True, gc=False, tag_field="claim", tag="suspect", forbid_unknown_fields=True):
    """One suspects another player."""

    turn: ClaimTurn
    because: Because = []


class TrustClaim(Struct, frozen=True, gc=False, tag_field="claim", tag="trust", forbid_unknown_fields=True):
    """One trusts another player."""

    turn: ClaimTurn
    because: Because = []


class AgreeClaim(Struct, frozen=True, gc=False, tag_field="claim", tag="agree", forbid_unknown_fields=True):
    """What another has claimed in this line is so."""

    line: LineNumber


class DenyClaim(Struct, frozen=True, gc=False, tag_field="claim", tag="deny", forbid_unknown_fields=True):
    """What another has claimed in this line is not so."""

    line: LineNumber


class AskClaim(Struct, frozen=True, gc=False, tag_field="claim", tag="ask", forbid_unknown_fields=True):
    """Another player is asked about something."""

    turn: ClaimTurn
    topic: Literal["role", "faction", "played", "skipped", "suspects"]


Claim = (
    RoleClaim
    | NotRoleClaim
    | TeamClaim
    | FourClaim
    | PlayedClaim
    | PassedClaim
    | IntendClaim
    | AskToClaim
    | ScrollSawClaim
    | SuspectClaim
    | TrustClaim
    | AgreeClaim
    | DenyClaim
    | AskClaim
)


class ClaimedView(Struct, frozen=True, gc=False):
    """A claim in the record of the talk: in which of the room's games, whose, in which round (0 before the first).

    Its number is its line's.
    """

    game: int
    turn: Turn
    round: int
    said: Claim
