"""State → what an eye sees. Built up from nothing, by allow-list; a new field is unseen until a line here shows it."""

from __future__ import annotations

from typing import assert_never

from cinderforge.redaction import shapes
from cinderforge.redaction.eye import Eye, HindsightEye, PlayerEye, SpectatorEye
from cinderforge.redaction.knowledge import cards_known, night_sighting, roles_known
from cinderforge.rules import marks as m
from cinderforge.rules import offers as o
from cinderforge.rules.events import Tally
from cinderforge.rules.game import offers
from cinderforge.rules.settings import Settings
from cinderforge.rules.state import (
    Acted,
    Choice,
    Fired,
    GameState,
    RoundPast,
    Table,
    awaited,
    only_drawn,
    turns,
)
from cinderforge.rules.vault import Vault
from cinderforge.rules.words import Phase, Turn, faction_of


def view(state: GameState, eye: Eye) -> shapes.View:
    """What this eye sees of a game. Hindsight refuses a game that is not over (AssertionError)."""
    match eye:
        case PlayerEye(turn):
            return shapes.View(table_view(state), player_view(state, turn))
        case SpectatorEye():
            return shapes.View(table_view(state), None)
        case HindsightEye():
            assert state.table.phase is Phase.OVER, "hindsight comes after the end"
            return shapes.View(table_view(state), None)
        case _:
            assert_never(eye)


def table_view(state: GameState, before: shapes.TableView | None = None) -> shapes.TableView:
    """The public half, the same for every eye; encode it once.

    `before` is an earlier one of the same game, if there is any: rounds that are past do not change.
    """
    table = state.table
    known = before.past if before else []
    spent = {fired.turn for fired in table.fired}
    over = table.phase is Phase.OVER
    return shapes.TableView(
        rules=rules_view(table.settings),
        seats=list(table.seats),
        phase=table.phase,
        round=table.round,
        holder=table.holder,
        giver=table.giver,
        awaited=list(awaited(table)),
        hand_sizes=list(table.hand_sizes),
        unfired=[turn for turn in turns(table) if turn not in spent],
        fired=[fired_view(fired) for fired in table.fired],
        choice=choice_view(table.choice) if table.choice else None,
        announcing=table.announcing,
        marks=[mark_view(mark) for mark in table.marks],
        acts_last=list(table.acts_last),
        order=list(table.order) or None,
        acts=[act_view(act) for act in table.acts],
        voted=list(table.voted),
        ballots=None if table.ballots is None else list(table.ballots),
        tally=tally_view(table.tally),
        past=[*known, *map(round_view, table.past[len(known) :])],
        result=shapes.ResultView(table.winner, table.reason) if table.winner and table.reason else None,
        reveal=reveal_view(state.vault) if over else None,
    )


def player_view(state: GameState, turn: Turn) -> shapes.PlayerView:
    """What this player alone sees (R11)."""
    table, vault = state
    role, hand = vault.roles[turn - 1], vault.hands[turn - 1]
    restricted = table.phase is Phase.PLAY and only_drawn(table, turn) and not _has_acted(table, turn)
    return shapes.PlayerView(
        turn=turn,
        role=role,
        faction=faction_of(role),
        hand=list(hand),
        scroll=vault.scrolls[turn - 1],
        played=dict(vault.middle).get(turn),
        plays=[dict(middle).get(turn) for middle in vault.played],
        drawn=hand[-1] if restricted else None,
        ballot=dict(vault.ballots).get(turn),
        night=night_sighting(state, turn),
        knows_cards=cards_known(state, turn),
        knows_roles=roles_known(state, turn),
        offer=offer_view(offers(state, turn)),
    )


def _has_acted(table: Table, turn: Turn) -> bool:
    return any(act.turn == turn for act in table.acts)


def rules_view(settings: Settings) -> shapes.RulesView:
    """The settings are public from the waiting room on (R2.6)."""
    return shapes.RulesView(
        seats=settings.seats,
        first_holder=settings.first_holder,
        sage_slain_ends=settings.sage_slain_ends,
        activation_target=settings.activation_target,
        kill_target=settings.kill_target,
        act_last_lasts=settings.act_last_lasts,
        memory_aid=settings.memory_aid,
    )


def fired_view(fired: Fired) -> shapes.FiredView:
    """Whose scroll, on whom; the card that a choice met is not in it (R6.9)."""
    return shapes.FiredView(fired.turn, fired.scroll, fired.round, list(fired.targets), fired.effect)


def choice_view(choice: Choice) -> shapes.ChoiceView:
    """What is chosen so far; of face-down cards their number alone (R6.11)."""
    return shapes.ChoiceView(choice.turn, choice.scroll, list(choice.targets), choice.of, choice.cards)


def act_view(act: Acted) -> shapes.ActView:
    """That somebody played, never which card (R5.5)."""
    return shapes.ActView(act.turn, act.act, act.how)


def tally_view(tally: Tally) -> shapes.TallyView:
    """The counts are public (R5.7)."""
    return shapes.TallyView(tally.sage_activated, tally.activated, tally.slain, tally.sage_slain)


def round_view(past: RoundPast) -> shapes.RoundView:
    """A round's public record; who played which card only where sources were open (R6.2)."""
    return shapes.RoundView(
        number=past.number,
        giver=past.giver,
        holder=past.holder,
        fired=fired_view(past.fired),
        acts=[act_view(act) for act in past.acts],
        marks=[mark_view(mark) for mark in past.marks],
        cards=list(past.cards),
        sources=None if past.sources is None else list(past.sources),
        tally=tally_view(past.tally),
    )


def reveal_view(vault: Vault) -> shapes.RevealView:
    """Everything, after the end (R7.5)."""
    return shapes.RevealView(
        roles=list(vault.roles),
        hands=[list(hand) for hand in vault.hands],
        scrolls=list(vault.scrolls),
        plays=[[shapes.PlayedView(turn, card) for turn, card in middle] for middle in vault.played],
    )


def mark_view(mark: m.Mark) -> shapes.MarkView:
    """All marks are public: everybody knows what a shown scroll does (R6)."""
    match mark:
        case m.MustPlay(turn):
            return shapes.MustPlayView(turn)
        case m.OnlyCard(turn):
            return shapes.OnlyCardView(turn)
        case m.Linked(leader, follower):
            return shapes.LinkedView(leader, follower)
        case m.ActsLast(turn, lasting):
            return shapes.ActsLastView(turn, lasting)
        case m.SourcesOpen():
            return shapes.SourcesOpenView()
        case _:
            assert_never(mark)


def offer_view(offer: o.Offer | None) -> shapes.OfferView | None:
    """What may be asked now, for the player who may ask it."""
    match offer:
        case None:
            return None
        case o.OfferVote(targets):
            return shapes.VoteOffer(list(targets))
        case o.OfferPass(targets):
            return shapes.PassOffer(list(targets))
        case o.OfferTargets(targets, count):
            return shapes.TargetsOffer(list(targets), count)
        case o.OfferRow(of, cards):
            return shapes.RowOffer(of, cards)
        case o.OfferPlay(cards, may_skip):
            return shapes.PlayOffer(list(cards), may_skip)
        case _:
            assert_never(offer)
