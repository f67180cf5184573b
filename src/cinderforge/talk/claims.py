"""Which claims may be made (R9): lies may; what everybody sees to be none, and one's own unfired scroll (R9.2), not.

Asked of what is public alone, so that an answer tells nothing (R11).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, assert_never

from cinderforge.redaction import claims as c
from cinderforge.redaction.shapes import ActView, TableView
from cinderforge.rules.settings import roles_for
from cinderforge.rules.words import NIGHT_ROLES, Turn

Problem = Literal["", "bad_claim", "unfired_scroll"]


def problem_with(
    claim: c.Claim, speaker: Turn, table: TableView, earlier: Collection[int], looked_at: Collection[Turn]
) -> Problem:
    """Why this player may not claim this now, "" if they may.

    `earlier`: the lines of this game's claims by others; `looked_at`: whose card the player's scroll has shown them.
    """
    others = {Turn(turn) for turn in range(1, len(table.seats) + 1)} - {speaker}
    match claim:
        case c.RoleClaim(turn) | c.NotRoleClaim(turn) | c.TeamClaim(turn):
            fits = turn in {speaker, *others}
        case c.FourClaim(named):
            night = sum(role in NIGHT_ROLES for role in roles_for(table.rules.seats))
            fits = len(set(named)) == len(named) == night - 1 and others.issuperset(map(Turn, named))
        case c.PlayedClaim(turn, round):
            fits = any(act.turn == turn and act.act == "played" for act in _acts(table, round))
        case c.PassedClaim():
            fits = any(
                act.turn == speaker and act.act == "skipped" for n in range(table.round + 1) for act in _acts(table, n)
            )
        case c.IntendClaim(act, card, to):
            fits = (card is not None) == (act == "play") and (to is not None) == (act == "crystal")
            fits = fits and (to is None or to in others)
        case c.ScrollSawClaim(turn):
            if speaker in table.unfired:
                return "unfired_scroll"
            fits = turn in looked_at
        case c.SuspectClaim(turn, because) | c.TrustClaim(turn, because):
            fits = turn in others and len(set(because)) == len(because) and set(because) <= set(earlier)
        case c.AskToClaim(turn) | c.AskClaim(turn):
            fits = turn in others
        case c.AgreeClaim(line) | c.DenyClaim(line):
            fits = line in earlier
        case _:
            assert_never(claim)
    return "" if fits else "bad_claim"


def _acts(table: TableView, round: int) -> list[ActView]:
    """What was done in a round that is over, or is on."""
    if 1 <= round <= len(table.past):
        return table.past[round - 1].acts
    return table.acts if round == table.round else []
