"""The private look (R3.3) and the night (R4). Nobody may do anything; the clock ends both."""

from __future__ import annotations

from cinderforge.rules.events import FirstHolderFound, NightBegan, NightEnded, RoundBegan
from cinderforge.rules.state import turns
from cinderforge.rules.unfolding import Unfolding
from cinderforge.rules.words import Phase


def start(unfolding: Unfolding) -> None:
    """Night falls: the private look is over (R4.1)."""
    unfolding.add(NightBegan())


def end(unfolding: Unfolding) -> None:
    """Day breaks: to the vote, or straight to the first pass (R5.1)."""
    unfolding.add(NightEnded())
    table, vault = unfolding.state
    if table.phase is not Phase.VOTE:
        everyone = turns(table)
        first = everyone[vault.luck.pick("first holder", len(everyone))]
        unfolding.add(FirstHolderFound(first), RoundBegan(1))
