"""Event → successor state: one exhaustive match that only folds. Decisions and draws are made in `decide`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar, assert_never

from cinderforge.rules.events import (
    AnnouncementEnded,
    BallotCast,
    CardDrawn,
    CardGiven,
    CardPeeked,
    CardPlayed,
    CardsFanned,
    CardsResolved,
    CrystalPassed,
    Event,
    FirstHolderFound,
    GameEnded,
    Marked,
    NightBegan,
    NightEnded,
    PassedOver,
    PlayBegan,
    RolesLearned,
    RoundBegan,
    ScrollSettled,
    ScrollShown,
    Skipped,
    TargetsChosen,
    VoteClosed,
)
from cinderforge.rules.marks import ActsLast
from cinderforge.rules.order import from_holder
from cinderforge.rules.state import (
    EMPTY,
    PLAYED,
    SKIPPED,
    Acted,
    Choice,
    Fired,
    GameState,
    RoundPast,
    Table,
    only_drawn,
)
from cinderforge.rules.vault import DrawnCard, Glimpse, Insight, Memory, Peek, Vault
from cinderforge.rules.words import Card, Phase, Turn

T = TypeVar("T")


def evolve(state: GameState, event: Event) -> GameState:
    """The state after an event. The most frequent events come first: this is the engine's innermost step."""
    table, vault = state
    match event:
        case CardPlayed(turn, card, position, how):
            return GameState(
                table._replace(
                    acts=(*table.acts, Acted(turn, PLAYED, how)),
                    hand_sizes=_changed(table.hand_sizes, turn, table.hand_sizes[turn - 1] - 1),
                    announcing=False,
                ),
                _with_card_out(table, vault, turn, card, position),
            )
        case Skipped(turn, how):
            skipped = table._replace(acts=(*table.acts, Acted(turn, SKIPPED, how)), announcing=False)
            return GameState(skipped, _faded(vault))
        case PassedOver(turn):
            return GameState(table._replace(acts=(*table.acts, Acted(turn, EMPTY))), vault)
        case CrystalPassed(giver, to, _):
            passed = table._replace(giver=giver, holder=to, order=from_holder(table, to), announcing=False)
            return GameState(passed, _faded(vault))
        case ScrollShown(turn, scroll, asks):
            shown = table._replace(
                phase=Phase.SCROLL if asks else table.phase,
                fired=(*table.fired, Fired(turn, scroll, table.round)),
                choice=Choice(turn, scroll) if asks else None,
            )
            return GameState(shown, vault)
        case PlayBegan(order):
            return GameState(table._replace(phase=Phase.PLAY, order=order), vault)
        case CardsResolved():
            return _resolved(state, event)
        case RoundBegan(number):
            begun = table._replace(phase=Phase.PASS, round=number, giver=None, marks=(), acts=(), order=())
            return GameState(begun, vault)
        case Marked(mark):
            acts_last = table.acts_last
            if isinstance(mark, ActsLast) and mark.lasting == "game":
                acts_last = (*acts_last, mark.turn)
            return GameState(table._replace(marks=(*table.marks, mark), acts_last=acts_last), vault)
        case ScrollSettled(_, _, targets, _, effect, _):
            fired = table.fired[-1]._replace(targets=targets, effect=effect)
            settled = table._replace(fired=(*table.fired[:-1], fired), choice=None, announcing=True)
            return GameState(settled, vault._replace(row=()))
        case TargetsChosen(_, targets, how):
            assert table.choice
            return GameState(
                table._replace(choice=table.choice._replace(targets=targets, how=how)),
                vault,
            )
        case CardsFanned(_, of, row):
            assert table.choice
            return GameState(
                table._replace(choice=table.choice._replace(of=of, cards=len(row))),
                vault._replace(row=row),
            )
        case CardDrawn():
            return _drawn(state, event)
        case CardGiven(_, to, card):
            return GameState(
                table._replace(hand_sizes=_changed(table.hand_sizes, to, table.hand_sizes[to - 1] + 1)),
                vault._replace(hands=_changed(vault.hands, to, (*vault.hands[to - 1], card))),
            )
        case CardPeeked(turn, of, card):
            return GameState(table, _glimpsed(vault, Peek(turn, of, card)))
        case RolesLearned(turn, roles):
            return GameState(table, _glimpsed(vault, Insight(turn, roles)))
        case AnnouncementEnded():
            return GameState(table._replace(announcing=False), _faded(vault))
        case NightBegan():
            return GameState(table._replace(phase=Phase.NIGHT), vault)
        case NightEnded():
            by_vote = table.settings.first_holder == "vote"
            return GameState(table._replace(phase=Phase.VOTE if by_vote else Phase.PASS), vault)
        case BallotCast(turn, target, _):
            return GameState(
                table._replace(voted=(*table.voted, turn)),
                vault._replace(ballots=(*vault.ballots, (turn, target))),
            )
        case VoteClosed(ballots):
            return GameState(table._replace(ballots=ballots), vault)
        case FirstHolderFound(turn):
            return GameState(table._replace(holder=turn), vault)
        case GameEnded(winner, reason):
            return GameState(table._replace(phase=Phase.OVER, winner=winner, reason=reason), vault)
        case _:
            assert_never(event)


def _changed(row: tuple[T, ...], turn: Turn, entry: T) -> tuple[T, ...]:
    """The row with this player's entry changed."""
    return (*row[: turn - 1], entry, *row[turn:])


def without(hand: tuple[Card, ...], position: int) -> tuple[Card, ...]:
    """The hand less the card at this 0-based position.

    >>> without((Card.SAGE, Card.BLANK), 0)
    (<Card.BLANK: 'blank'>,)
    """
    return hand[:position] + hand[position + 1 :]


def _faded(vault: Vault) -> Vault:
    return vault if vault.glimpse is None else vault._replace(glimpse=None)


def _glimpsed(vault: Vault, glimpse: Glimpse) -> Vault:
    return vault._replace(glimpse=glimpse, memories=(*vault.memories, glimpse))


def _with_card_out(table: Table, vault: Vault, turn: Turn, card: Card, position: int) -> Vault:
    hand = without(vault.hands[turn - 1], position)
    return vault._replace(
        hands=_changed(vault.hands, turn, hand),
        middle=(*vault.middle, (turn, card)),
        glimpse=None,
        drawn=_after_play(vault.drawn, turn, card, hand, public=only_drawn(table, turn)) if vault.drawn else (),
    )


def _after_play(
    drawn: tuple[DrawnCard, ...],
    turn: Turn,
    card: Card,
    hand: tuple[Card, ...],
    *,
    public: bool,
) -> tuple[DrawnCard, ...]:
    """Drawn cards lie behind equal ones, and the first of equals leaves: the last copy played is the drawn one.

    Its former owner sees at once that it went only where nothing else could be played (R6.3).
    """
    gone = card not in hand or public
    return _kept(
        replace(d, holder_has=False, source_knows=d.source_knows and not public)
        if d.holder == turn and d.card == card and d.holder_has and gone
        else d
        for d in drawn
    )


def _drawn(state: GameState, event: CardDrawn) -> GameState:
    table, vault = state
    source, drawer = event.source, event.drawer
    left = without(vault.hands[source - 1], event.position)
    hands = _changed(vault.hands, source, left)
    hands = _changed(hands, drawer, (*hands[drawer - 1], event.card))
    sizes = _changed(table.hand_sizes, source, len(left))
    sizes = _changed(sizes, drawer, table.hand_sizes[drawer - 1] + 1)
    kept = _kept(_after_draw(d, event, left) for d in vault.drawn)
    seen = (Memory(drawer, drawer, source, event.card), Memory(source, drawer, source, event.card))
    return GameState(
        table._replace(hand_sizes=sizes),
        vault._replace(
            hands=hands,
            drawn=(*kept, DrawnCard(drawer, source, event.card)),
            memories=(*vault.memories, *seen),
        ),
    )


def _after_draw(known: DrawnCard, event: CardDrawn, left: tuple[Card, ...]) -> DrawnCard:
    """What is still known of an earlier drawn card when somebody draws from its holder.

    Who saw it go in earlier stays sure only if it was the sole card there, or if they are the one who draws and see
    another card.
    """
    if known.holder != event.source:
        return known
    went = known.card == event.card and event.card not in left
    if not left and known.source_knows:
        return replace(known, holder=event.drawer, holder_has=False)
    sure = known.source == event.drawer and known.card != event.card
    return replace(
        known,
        holder_has=known.holder_has and not went,
        source_knows=known.source_knows and sure,
    )


def _resolved(state: GameState, event: CardsResolved) -> GameState:
    table, vault = state
    assert table.giver is not None and table.holder is not None
    past = RoundPast(
        number=table.round,
        giver=table.giver,
        holder=table.holder,
        fired=table.fired[-1],
        acts=table.acts,
        marks=table.marks,
        cards=event.cards,
        sources=event.sources,
        tally=event.tally,
    )
    return GameState(
        table._replace(tally=event.tally, past=(*table.past, past)),
        vault._replace(
            middle=(),
            played=(*vault.played, vault.middle),
            drawn=_kept(_after_resolution(d, past, vault.middle) for d in vault.drawn) if vault.drawn else (),
        ),
    )


def _after_resolution(known: DrawnCard, past: RoundPast, middle: tuple[tuple[Turn, Card], ...]) -> DrawnCard:
    """The former owner stays sure unless the holder played and such a card, not the owner's own, was shown."""
    if not known.source_knows or all(a.turn != known.holder or a.act != PLAYED for a in past.acts):
        return known
    if past.sources is not None:
        shown = dict(zip(past.sources, past.cards, strict=True))[known.holder] == known.card
    else:
        own = (known.source, known.card) in middle
        shown = past.cards.count(known.card) > own
    return replace(known, source_knows=not shown)


def _kept(drawn: Iterable[DrawnCard]) -> tuple[DrawnCard, ...]:
    return tuple(d for d in drawn if d.holder_has or d.source_knows)
