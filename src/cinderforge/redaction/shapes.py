"""The shapes of what is shown and told. Names are the wire's, in Python and TypeScript alike.

Absent is absent: a field that an eye may not have is null for everybody who may not, never a stand-in value.
Players are turn numbers 1…n, lists "by turn" have player t's entry at index t − 1.
"""

from __future__ import annotations

from msgspec import Struct

from cinderforge.rules.settings import FirstHolder as FirstHolderRule
from cinderforge.rules.settings import Lasting
from cinderforge.rules.state import Act
from cinderforge.rules.words import (
    Card,
    Faction,
    How,
    Phase,
    Reason,
    Role,
    ScrollId,
    Seat,
    Turn,
)

# -- marks -------------------------------------------------------------------------------------------------------------


class MustPlayView(Struct, frozen=True, gc=False, tag_field="mark", tag="must_play"):
    """This player may not skip this round (R6.1, R6.8)."""

    turn: Turn


class OnlyCardView(Struct, frozen=True, gc=False, tag_field="mark", tag="only_card"):
    """This player may play only the drawn card, or skip (R6.3)."""

    turn: Turn


class LinkedView(Struct, frozen=True, gc=False, tag_field="mark", tag="linked"):
    """The follower does as the leader does (R6.5)."""

    leader: Turn
    follower: Turn


class ActsLastView(Struct, frozen=True, gc=False, tag_field="mark", tag="acts_last"):
    """This player acts last, this round or until the end (R6.6)."""

    turn: Turn
    lasting: Lasting


class SourcesOpenView(Struct, frozen=True, gc=False, tag_field="mark", tag="sources_open"):
    """This round's cards are shown with their players (R6.2)."""


MarkView = MustPlayView | OnlyCardView | LinkedView | ActsLastView | SourcesOpenView


# -- offers ------------------------------------------------------------------------------------------------------------


class VoteOffer(Struct, frozen=True, gc=False, tag_field="offer", tag="vote"):
    """Vote for one of these, or for nobody (R5.1)."""

    targets: list[Turn]


class PassOffer(Struct, frozen=True, gc=False, tag_field="offer", tag="pass"):
    """Give the crystal to one of these (R5.3)."""

    targets: list[Turn]


class TargetsOffer(Struct, frozen=True, gc=False, tag_field="offer", tag="targets"):
    """Choose `count` different players of these, in order (R6)."""

    targets: list[Turn]
    count: int


class RowOffer(Struct, frozen=True, gc=False, tag_field="offer", tag="row"):
    """Choose one of this player's face-down cards, places 1…cards (R6.11)."""

    of: Turn
    cards: int


class PlayOffer(Struct, frozen=True, gc=False, tag_field="offer", tag="play"):
    """Play one of these kinds of card, or skip where allowed (R5.5)."""

    cards: list[Card]
    may_skip: bool


OfferView = VoteOffer | PassOffer | TargetsOffer | RowOffer | PlayOffer


# -- the public table --------------------------------------------------------------------------------------------------


class RulesView(Struct, frozen=True, gc=False):
    """The rules of this game (R2.6)."""

    seats: int
    first_holder: FirstHolderRule
    sage_slain_ends: bool
    activation_target: int
    kill_target: int
    act_last_lasts: Lasting
    memory_aid: bool


class FiredView(Struct, frozen=True, gc=False):
    """A scroll that has been shown; `effect` is null while it waits for its choice, false where it had none (R5.4)."""

    turn: Turn
    scroll: ScrollId
    round: int
    targets: list[Turn]
    effect: bool | None


class ActView(Struct, frozen=True, gc=False):
    """What a player publicly did in this round's play (R5.5), and whose doing it was."""

    turn: Turn
    act: Act
    how: How


class ChoiceView(Struct, frozen=True, gc=False):
    """The choice that a scroll waits for; `of` and `cards` where face-down cards are on offer."""

    turn: Turn
    scroll: ScrollId
    targets: list[Turn]
    of: Turn | None
    cards: int


class TallyView(Struct, frozen=True, gc=False):
    """Cards activated and slain so far (R5.7); mystic and adventurer cards apart from the sage's."""

    sage_activated: bool
    activated: int
    slain: int
    sage_slain: bool


class RoundView(Struct, frozen=True, gc=False):
    """The public record of a round that is over. `sources` (by card) only where they were open (R6.2)."""

    number: int
    giver: Turn
    holder: Turn
    fired: FiredView
    acts: list[ActView]
    marks: list[MarkView]
    cards: list[Card]
    sources: list[Turn] | None
    tally: TallyView


class ResultView(Struct, frozen=True, gc=False):
    """Who has won, and by which clause (R7)."""

    winner: Faction
    reason: Reason


class PlayedView(Struct, frozen=True, gc=False):
    """Who played which card."""

    turn: Turn
    card: Card


class RevealView(Struct, frozen=True, gc=False):
    """What everybody sees after the end (R7.5): by turn roles, starting hands' remains, scrolls; plays by round."""

    roles: list[Role]
    hands: list[list[Card]]
    scrolls: list[ScrollId]
    plays: list[list[PlayedView]]


class TableView(Struct, frozen=True, gc=False):
    """The public half of a game, the same for every eye."""

    rules: RulesView
    seats: list[Seat]
    """By turn: the chair in the room."""
    phase: Phase
    round: int
    holder: Turn | None
    giver: Turn | None
    awaited: list[Turn]
    hand_sizes: list[int]
    """By turn."""
    unfired: list[Turn]
    """Whose scroll has not fired yet."""
    fired: list[FiredView]
    choice: ChoiceView | None
    announcing: bool
    marks: list[MarkView]
    acts_last: list[Turn]
    """Who acts last until the end of the game, the very last at the end (R6.6)."""
    order: list[Turn] | None
    """Who acts when in this round; null before the play."""
    acts: list[ActView]
    voted: list[Turn]
    """Who has voted so far, in the order in which they did."""
    ballots: list[Turn | None] | None
    """By turn, once the vote is closed."""
    tally: TallyView
    past: list[RoundView]
    result: ResultView | None
    reveal: RevealView | None


# -- what one player alone knows ---------------------------------------------------------------------------------------


class CardKnown(Struct, frozen=True, gc=False):
    """This player holds, or with the memory aid once held, this card."""

    turn: Turn
    card: Card


class RoleKnown(Struct, frozen=True, gc=False):
    """A player's role, which the reader knows."""

    turn: Turn
    role: Role


class PlayerView(Struct, frozen=True, gc=False):
    """What one player alone sees."""

    turn: Turn
    role: Role
    faction: Faction
    hand: list[Card]
    scroll: ScrollId
    played: Card | None
    """One's own card in this round's middle."""
    plays: list[Card | None]
    """One's own cards of the rounds past."""
    drawn: Card | None
    """The drawn card that alone may be played this round (R6.3)."""
    ballot: Turn | None
    night: list[Turn] | None
    """The others of the night's set while it is seen (R4.1); null for everybody else and afterwards."""
    knows_cards: list[CardKnown]
    knows_roles: list[RoleKnown]
    """Others' roles that one knows (R6.10); all after the end."""
    offer: OfferView | None


class View(Struct, frozen=True, gc=False):
    """A game as one eye sees it; `you` is null for all but players."""

    table: TableView
    you: PlayerView | None


# -- news --------------------------------------------------------------------------------------------------------------


class NightFell(Struct, frozen=True, gc=False, tag_field="news", tag="night_fell"):
    """The night begins (R4.1)."""


class NightOver(Struct, frozen=True, gc=False, tag_field="news", tag="night_over"):
    """Day breaks."""


class Voted(Struct, frozen=True, gc=False, tag_field="news", tag="voted"):
    """Somebody has voted; for whom is told when all have (R5.1)."""

    turn: Turn
    how: How


class VoteOpened(Struct, frozen=True, gc=False, tag_field="news", tag="vote_opened"):
    """By turn: for whom each voted."""

    ballots: list[Turn | None]


class FirstHolder(Struct, frozen=True, gc=False, tag_field="news", tag="first_holder"):
    """Who holds the crystal first (R5.1)."""

    turn: Turn


class RoundStarted(Struct, frozen=True, gc=False, tag_field="news", tag="round_started"):
    """A round begins; they count from 1."""

    number: int


class Passed(Struct, frozen=True, gc=False, tag_field="news", tag="passed"):
    """The crystal goes from one player to another (R5.3), by whose doing."""

    giver: Turn
    to: Turn
    how: How


class ScrollUnrolled(Struct, frozen=True, gc=False, tag_field="news", tag="scroll_unrolled"):
    """A player's scroll fires and is read by all (R5.4)."""

    turn: Turn
    scroll: ScrollId


class TargetsNamed(Struct, frozen=True, gc=False, tag_field="news", tag="targets_named"):
    """On whom a scroll is turned, in its order (R6), and by whose doing."""

    turn: Turn
    targets: list[Turn]
    how: How


class RowLaid(Struct, frozen=True, gc=False, tag_field="news", tag="row_laid"):
    """A player's cards lie face down for choosing (R6.11)."""

    turn: Turn
    of: Turn
    cards: int


class Drawn(Struct, frozen=True, gc=False, tag_field="news", tag="drawn"):
    """A card changed hands; only the two players know which (R6.3)."""

    drawer: Turn
    source: Turn


class Given(Struct, frozen=True, gc=False, tag_field="news", tag="given"):
    """A card is given, for all to see (R6.7)."""

    giver: Turn
    to: Turn
    card: Card


class Peeked(Struct, frozen=True, gc=False, tag_field="news", tag="peeked"):
    """Whose hand was looked into; only the player sees the card (R6.9)."""

    turn: Turn
    of: Turn


class MarkSet(Struct, frozen=True, gc=False, tag_field="news", tag="mark_set"):
    """What a scroll leaves for the round, or the game."""

    mark: MarkView


class ScrollDone(Struct, frozen=True, gc=False, tag_field="news", tag="scroll_done"):
    """A scroll is over; without a legal choice it had no effect (R5.4)."""

    turn: Turn
    scroll: ScrollId
    effect: bool
    how: How


class OrderSet(Struct, frozen=True, gc=False, tag_field="news", tag="order_set"):
    """In which order the players act this round (R6.12)."""

    order: list[Turn]


class AnnouncementOver(Struct, frozen=True, gc=False, tag_field="news", tag="announcement_over"):
    """The scroll has been read; play goes on (R6.10)."""


class Acted(Struct, frozen=True, gc=False, tag_field="news", tag="acted"):
    """Somebody played a card face down, skipped, or was passed over for want of cards."""

    turn: Turn
    act: Act
    how: How


class Resolved(Struct, frozen=True, gc=False, tag_field="news", tag="resolved"):
    """A round's cards, shuffled; `sources` by card only where they are open (R6.2); the counts with them (R5.7)."""

    cards: list[Card]
    sources: list[Turn] | None
    tally: TallyView


class Ended(Struct, frozen=True, gc=False, tag_field="news", tag="ended"):
    """The game is over (R7)."""

    winner: Faction
    reason: Reason


News = (
    NightFell
    | NightOver
    | Voted
    | VoteOpened
    | FirstHolder
    | RoundStarted
    | Passed
    | ScrollUnrolled
    | TargetsNamed
    | RowLaid
    | Drawn
    | Given
    | Peeked
    | MarkSet
    | ScrollDone
    | OrderSet
    | AnnouncementOver
    | Acted
    | Resolved
    | Ended
)
"""What an eye is told. The same for every eye: what is private lives in the view, and what fades with it."""
