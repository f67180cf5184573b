"""What a player was once shown and would remember. Handed to whoever plays for the seat; never sent to a person.

A view fades (R4.2, R6.9, R6.10), and an AI is asked anew each time: this is what a person in its seat would still know.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from cinderforge.redaction.claims import ClaimedView
from cinderforge.redaction.knowledge import others_at_night
from cinderforge.redaction.shapes import RoleKnown
from cinderforge.rules.state import GameState
from cinderforge.rules.vault import Insight, Memory, Peek
from cinderforge.rules.words import Card, Phase, Turn


class CardSeen(Struct, frozen=True, gc=False):
    """A card that one saw as it was drawn, from oneself or by oneself (R6.3), or peeked at (R6.9)."""

    round: int
    of: Turn
    """In whose hand it lay before the scroll."""
    to: Turn | None
    """Who drew it; null where it stayed."""
    card: Card


class ClaimHeard(Struct, frozen=True, gc=False):
    """What somebody has claimed, under the number of its line."""

    line: int
    claim: ClaimedView


class Recollection(Struct, frozen=True, gc=False):
    """All that one player was shown of others' secrets, whether it has faded or not."""

    night: list[Turn] | None
    """The others of the night's set (R4.1), from nightfall on; null for whoever is not one of them."""
    cards: list[CardSeen]
    """As they were seen. What has become of them since is for the player to think about."""
    roles: list[RoleKnown]
    """Of an insight (R6.10)."""
    claims: list[ClaimHeard] = []
    """About this game, in their order, one's own among them: what this seat was told, and so nothing of whom its person
    has muted. Of what else is said nothing is here: AIs read no text.
    """


def recollection(state: GameState, turn: Turn, claims: Sequence[ClaimHeard] = ()) -> Recollection:
    """What this player was once shown, up to now, and of the claims that were told what has been told to this seat; the
    same function for AIs and stand-ins.
    """
    cards, roles = [], []
    rounds = {fired.turn: fired.round for fired in state.table.fired}
    for memory in state.vault.memories:
        if memory.turn != turn:
            continue
        match memory:
            case Memory(_, holder, source, card):
                cards.append(CardSeen(rounds[holder], source, holder, card))
            case Peek(_, of, card):
                cards.append(CardSeen(rounds[turn], of, None, card))
            case Insight(_, learnt):
                roles += [RoleKnown(t, role) for t, role in learnt]
    night = None if state.table.phase is Phase.REVEAL else others_at_night(state.vault, turn)
    return Recollection(night, cards, sorted(roles, key=lambda known: known.turn), list(claims))
