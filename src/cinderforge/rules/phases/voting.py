"""The vote for the first holder (R5.1). Ballots are sealed until the last is in."""

from __future__ import annotations

from collections import Counter

from cinderforge.rules.commands import CastVote
from cinderforge.rules.events import (
    BallotCast,
    FirstHolderFound,
    RoundBegan,
    VoteClosed,
)
from cinderforge.rules.offers import OfferVote
from cinderforge.rules.state import Table, turns
from cinderforge.rules.unfolding import Unfolding
from cinderforge.rules.words import How, Turn


def offer(table: Table) -> OfferVote:
    """Everybody may be voted for, oneself too (R5.1)."""
    return OfferVote(turns(table))


def vote(unfolding: Unfolding, turn: Turn, command: CastVote, how: How) -> None:
    """Casts a ballot, sealed; the last one opens them all (R5.1)."""
    _cast(unfolding, turn, command.target, how)


def time_out(unfolding: Unfolding, turn: Turn) -> None:
    """A vote that is not cast in time is for nobody (R10.1)."""
    _cast(unfolding, turn, None, How.TIMEOUT)


def _cast(unfolding: Unfolding, turn: Turn, target: Turn | None, how: How) -> None:
    unfolding.add(BallotCast(turn, target, how))
    table, vault = unfolding.state
    if len(table.voted) == len(turns(table)):
        cast = dict(vault.ballots)
        unfolding.add(VoteClosed(tuple(cast[turn] for turn in turns(table))))
        unfolding.add(FirstHolderFound(_elected(unfolding)), RoundBegan(1))


def _elected(unfolding: Unfolding) -> Turn:
    """Most votes; a tie, or no vote at all, is settled at random among the tied, or all (R5.1)."""
    table, vault = unfolding.state
    votes = Counter(target for _, target in vault.ballots if target is not None)
    most = max(votes.values(), default=0)
    tied = [turn for turn in turns(table) if votes[turn] == most]
    return tied[0] if len(tied) == 1 else tied[vault.luck.pick("first holder", len(tied))]
