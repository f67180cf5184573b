"""What happened: the closed family of events whose fold is a game. All of them in order are its chronicle.

Which eye hears what of each is decided in `redaction/news.py`, never here.
"""

from __future__ import annotations

from cinderforge.rules.marks import Mark
from cinderforge.rules.value import value
from cinderforge.rules.words import Card, Faction, How, Reason, Role, ScrollId, Turn


@value
class NightBegan:
    """Those of the night see one another (R4.1)."""


@value
class NightEnded:
    """What was seen in the night is seen no more (R4.2)."""


@value
class BallotCast:
    """A sealed vote (R5.1); `target` None is a vote for nobody."""

    turn: Turn
    target: Turn | None
    how: How


@value
class VoteClosed:
    """All ballots are in and are opened: target (or None) by turn number (R11)."""

    ballots: tuple[Turn | None, ...]


@value
class FirstHolderFound:
    """Who holds the crystal first (R5.1)."""

    turn: Turn


@value
class RoundBegan:
    """A round begins with its pass (R5.2, R5.8)."""

    number: int


@value
class CrystalPassed:
    """The crystal goes to its next holder (R5.3)."""

    giver: Turn
    to: Turn
    how: How


@value
class ScrollShown:
    """The receiver's scroll is shown to everybody (R5.4); `asks` when it waits for a choice."""

    turn: Turn
    scroll: ScrollId
    asks: bool


@value
class TargetsChosen:
    """Whom a scroll is turned on, in the scroll's order; everybody sees it (R5.4)."""

    turn: Turn
    targets: tuple[Turn, ...]
    how: How


@value
class CardsFanned:
    """A player's cards are laid face down in a freshly shuffled row (R6.11). `row` holds hand positions."""

    turn: Turn
    of: Turn
    row: tuple[int, ...]


@value
class CardDrawn:
    """The card at `position` of the source's hand moves to the end of the drawer's (R6.3, R6.4)."""

    drawer: Turn
    source: Turn
    card: Card
    position: int


@value
class CardGiven:
    """A card that everybody sees joins a hand for good (R6.7)."""

    giver: Turn
    to: Turn
    card: Card


@value
class CardPeeked:
    """One sees a card of another; it stays (R6.9)."""

    turn: Turn
    of: Turn
    card: Card


@value
class RolesLearned:
    """One secretly learns roles (R6.10). Nobody else can tell that this happened."""

    turn: Turn
    roles: tuple[tuple[Turn, Role], ...]


@value
class Marked:
    """A scroll leaves a mark for the rest of its round, or of the game (R6)."""

    mark: Mark


@value
class ScrollSettled:
    """The scroll has done what it does; `effect` is False where no legal choice existed (R5.4).

    `seen` is the card that a choice of card met, for the record alone; `how` tells of the choice.
    """

    turn: Turn
    scroll: ScrollId
    targets: tuple[Turn, ...]
    seen: Card | None
    effect: bool
    how: How


@value
class PlayBegan:
    """The order of this round is fixed (R6.12)."""

    order: tuple[Turn, ...]


@value
class AnnouncementEnded:
    """What was shown briefly has faded (R6.10)."""


@value
class CardPlayed:
    """One card, the one at `position` of the hand, lies face down in the middle (R5.5)."""

    turn: Turn
    card: Card
    position: int
    how: How


@value
class Skipped:
    """No card this round, though there are some (R5.5)."""

    turn: Turn
    how: How


@value
class PassedOver:
    """A player without cards is passed over (R5.5)."""

    turn: Turn


@value
class Tally:
    """The public counts (R5.7): mystic and adventurer cards apart from the sage's."""

    sage_activated: bool = False
    activated: int = 0
    slain: int = 0
    sage_slain: bool = False


@value
class CardsResolved:
    """The middle is shown (R5.6): cards as shown, who played each where open (R6.2), the counts after it."""

    cards: tuple[Card, ...]
    sources: tuple[Turn, ...] | None
    tally: Tally


@value
class GameEnded:
    """Who won, by which clause (R7, R8)."""

    winner: Faction
    reason: Reason


Event = (
    NightBegan
    | NightEnded
    | BallotCast
    | VoteClosed
    | FirstHolderFound
    | RoundBegan
    | CrystalPassed
    | ScrollShown
    | TargetsChosen
    | CardsFanned
    | CardDrawn
    | CardGiven
    | CardPeeked
    | RolesLearned
    | Marked
    | ScrollSettled
    | PlayBegan
    | AnnouncementEnded
    | CardPlayed
    | Skipped
    | PassedOver
    | CardsResolved
    | GameEnded
)
