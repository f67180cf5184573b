"""What scrolls leave behind for the phases to read. A mark never says which scroll made it."""

from __future__ import annotations

from cinderforge.rules.settings import Lasting
from cinderforge.rules.value import value
from cinderforge.rules.words import Turn


@value
class MustPlay:
    """This player may not skip this round (R6.1, R6.8)."""

    turn: Turn


@value
class OnlyCard:
    """This player may play only the card just drawn, the last of the hand, or skip (R6.3, R6.13)."""

    turn: Turn


@value
class Linked:
    """The follower does as the leader does, directly after them where they stood before (R6.5)."""

    leader: Turn
    follower: Turn


@value
class ActsLast:
    """This player acts last, in this round or in all that follow (R6.6)."""

    turn: Turn
    lasting: Lasting


@value
class SourcesOpen:
    """This round's cards are shown with their players, unshuffled (R6.2)."""


Mark = MustPlay | OnlyCard | Linked | ActsLast | SourcesOpen
