"""Leaks as other games have had them, each a small change of the real code, planted to see that it is noticed.

`python -m tests.properties.planted` prints the table in docs/measurements.md.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Protocol

import msgspec
import pytest

from cinderforge.bots import pace
from cinderforge.redaction import knowledge, news, shapes, view
from cinderforge.redaction import recollection as remembering
from cinderforge.redaction.eye import Eye
from cinderforge.redaction.recollection import Recollection
from cinderforge.room import waits
from cinderforge.rules import events as e
from cinderforge.rules import evolve, game, resolution, unfolding
from cinderforge.rules.commands import PassCrystal
from cinderforge.rules.phases import choosing, passing, playing, voting
from cinderforge.rules.rejection import Code, Rejected
from cinderforge.rules.scrolls import draw_next, draw_previous, insight, peek_hand
from cinderforge.rules.settings import settings_from
from cinderforge.rules.state import GameState, Table, turns
from cinderforge.rules.vault import Peek
from cinderforge.rules.words import DRAGON_CARDS, NIGHT_ROLES, Card, How, Phase, Role, Turn
from cinderforge.testkit.leaks import Leak, find_leak, given_leak
from cinderforge.testkit.twins import any_settings, any_world


class Patch(Protocol):
    """What of pytest's monkeypatch is needed."""

    def setattr(self, target: Any, name: str, value: Any) -> None: ...


@dataclass(frozen=True, slots=True)
class Planted:
    """A leak of a kind, how it is planted, and which checks may be the one that notices."""

    name: str
    kind: str
    plant: Callable[[Patch], None]
    caught_by: tuple[str, ...]


PLANTED: list[Planted] = []


def planted(kind: str, *caught_by: str) -> Callable[[Callable[[Patch], None]], Callable[[Patch], None]]:
    def enlist(plant: Callable[[Patch], None]) -> Callable[[Patch], None]:
        name = plant.__name__.replace("_", " ")
        PLANTED.append(Planted(name, kind, plant, caught_by))
        return plant

    return enlist


def caught(games: int = 120) -> tuple[Leak | None, int]:
    """The first leak that the checks find in so many games, and in which game; they run as in `test_twins.py`."""
    if leak := given_leak(waits) or given_leak(pace):
        return leak, 0
    for seed in range(games):
        rng = random.Random(seed)
        settings = any_settings(rng)
        if seed % 2:
            settings = settings_from({"seats": settings.seats, "first_holder": "vote"})
        wanted = (peek_hand, insight) if seed % 4 < 2 else (draw_next, draw_previous)
        world = any_world(rng, settings, [module.SCROLL.id for module in wanted])
        if leak := find_leak(world, rng, eyes=4):
            return leak, seed + 1
    return None, games


def _evolves(patch: Patch, changed: Callable[[GameState, e.Event, GameState], GameState]) -> None:
    """Every fold goes through `changed`, which is given the state before, the event and the true state after."""
    true = evolve.evolve

    def fold(state: GameState, event: e.Event) -> GameState:
        return changed(state, event, true(state, event))

    for module in (evolve, unfolding, game):
        patch.setattr(module, "evolve", fold)


def _shows(patch: Patch, changed: Callable[[shapes.TableView, GameState], shapes.TableView]) -> None:
    """The public table goes through `changed`, which is given the whole state, too."""
    true = view.table_view
    patch.setattr(view, "table_view", lambda state: changed(true(state), state))


def _shows_you(patch: Patch, changed: Callable[[shapes.PlayerView, GameState], shapes.PlayerView]) -> None:
    true = view.player_view
    patch.setattr(view, "player_view", lambda state, turn: changed(true(state, turn), state))


def _tells(patch: Patch, changed: Callable[[e.Event, shapes.News | None], shapes.News | None]) -> None:
    true = news.tell
    patch.setattr(news, "tell", lambda event, eye: changed(event, true(event, eye)))


def _tells_eye(patch: Patch, changed: Callable[[e.Event, Eye, shapes.News | None], shapes.News | None]) -> None:
    true = news.tell
    patch.setattr(news, "tell", lambda event, eye: changed(event, eye, true(event, eye)))


# -- numbers -----------------------------------------------------------------------------------------------------------


@planted("a public number computed from the hidden part", "twins: view")
def the_tally_counts_cards_that_still_lie_face_down(patch: Patch) -> None:
    def changed(_: GameState, event: e.Event, state: GameState) -> GameState:
        if not isinstance(event, e.CardPlayed) or event.card not in (Card.MYSTIC, Card.ADVENTURER):
            return state
        tally = replace(state.table.tally, activated=state.table.tally.activated + 1)
        return state._replace(table=state.table._replace(tally=tally))

    _evolves(patch, changed)


@planted("a number that jumps where something happened in secret", "twins: number of news")
def an_insight_is_a_piece_of_news_without_content(patch: Patch) -> None:
    _tells(patch, lambda event, true: shapes.AnnouncementOver() if isinstance(event, e.RolesLearned) else true)


@planted("a length that follows from what is hidden", "twins: view")
def a_row_is_laid_with_one_place_for_each_kind_of_card(patch: Patch) -> None:
    _shows(
        patch,
        lambda table, state: msgspec.structs.replace(
            table,
            choice=msgspec.structs.replace(table.choice, cards=len(set(state.vault.hands[table.choice.of - 1])))
            if table.choice and table.choice.of
            else table.choice,
        ),
    )


# -- who sees what -----------------------------------------------------------------------------------------------------


@planted("too much knowledge for a role", "twins: view", "fading: night")
def the_shadow_dragon_sees_the_night(patch: Patch) -> None:
    patch.setattr(knowledge, "NIGHT_ROLES", NIGHT_ROLES | {Role.SHADOW_DRAGON})


@planted("a peek shown to others than the one who looks", "twins: view", "fading: cards")
def everybody_sees_the_peeked_card(patch: Patch) -> None:
    true = knowledge.cards_known

    def known(state: GameState, turn: Turn) -> list[shapes.CardKnown]:
        glimpse = state.vault.glimpse
        peeked = [shapes.CardKnown(glimpse.of, glimpse.card)] if isinstance(glimpse, Peek) else []
        return [*true(state, turn), *(card for card in peeked if card not in true(state, turn))]

    patch.setattr(view, "cards_known", known)


@planted("votes visible before all are in", "twins: view")
def ballots_are_open_before_the_last_is_cast(patch: Patch) -> None:
    def changed(table: shapes.TableView, state: GameState) -> shapes.TableView:
        cast = dict(state.vault.ballots)
        return msgspec.structs.replace(table, ballots=[cast.get(Turn(t)) for t in turns(state.table)])

    _shows(patch, changed)


@planted("a part of the whole state sent too early", "twins: view")
def the_reveal_is_sent_before_the_end(patch: Patch) -> None:
    _shows(patch, lambda table, state: msgspec.structs.replace(table, reveal=view.reveal_view(state.vault)))


@planted("a key that is there for some and absent for others", "twins: view")
def a_field_is_null_only_where_there_is_nothing_to_hide(patch: Patch) -> None:
    """Whether the holder's choice is shown at all says whether the one drawn from holds a person card."""

    def changed(table: shapes.TableView, state: GameState) -> shapes.TableView:
        if table.order is None or state.table.phase is Phase.OVER:
            return table
        blank = all(card is Card.BLANK for _, card in state.vault.middle)
        return msgspec.structs.replace(table, order=None if blank else table.order)

    _shows(patch, changed)


# -- the log -----------------------------------------------------------------------------------------------------------


@planted("the log carries a move's arguments", "twins: news")
def news_of_a_play_names_the_card(patch: Patch) -> None:
    def changed(event: e.Event, true: shapes.News | None) -> shapes.News | None:
        return shapes.Given(event.turn, event.turn, event.card) if isinstance(event, e.CardPlayed) else true

    _tells(patch, changed)


@planted("the log carries what only two may know", "twins: news")
def everybody_is_told_which_card_was_drawn(patch: Patch) -> None:
    def changed(event: e.Event, true: shapes.News | None) -> shapes.News | None:
        return shapes.Given(event.source, event.drawer, event.card) if isinstance(event, e.CardDrawn) else true

    _tells(patch, changed)


@planted("private news, so that a reload brings back what has faded", "news: not the same for all")
def a_peek_is_told_to_the_one_who_looks(patch: Patch) -> None:
    def changed(event: e.Event, eye: Eye, true: shapes.News | None) -> shapes.News | None:
        if isinstance(event, e.CardPeeked) and getattr(eye, "turn", None) == event.turn:
            return shapes.Given(event.of, event.of, event.card)
        return true

    _tells_eye(patch, changed)


# -- order and place ---------------------------------------------------------------------------------------------------


@planted("an order that tells who", "course: news")
def cards_are_shown_in_the_order_in_which_they_were_played(patch: Patch) -> None:
    true = resolution.resolve

    def resolve(state: GameState) -> e.CardsResolved:
        return replace(true(state), cards=tuple(card for _, card in state.vault.middle))

    patch.setattr(playing, "resolve", resolve)


@planted("a place that tells what lies there", "course: cards")
def face_down_cards_lie_as_they_lie_in_the_hand(patch: Patch) -> None:
    class Unshuffled:
        def order(self, _: str, count: int) -> tuple[int, ...]:
            return tuple(range(count))

    true = choosing._fan

    def fan(u: unfolding.Unfolding, scroll: Any) -> None:
        luck, u.state = u.state.vault.luck, _with_luck(u.state, Unshuffled())
        true(u, scroll)
        u.state = _with_luck(u.state, luck)

    patch.setattr(choosing, "_fan", fan)


def _with_luck(state: GameState, luck: Any) -> GameState:
    return state._replace(vault=state.vault._replace(luck=luck))


@planted("a set in an order that follows from what is hidden", "twins: view")
def unfired_players_stand_in_the_order_of_their_scrolls(patch: Patch) -> None:
    def changed(table: shapes.TableView, state: GameState) -> shapes.TableView:
        scrolls = state.vault.scrolls
        return msgspec.structs.replace(table, unfired=sorted(table.unfired, key=lambda turn: scrolls[turn - 1]))

    _shows(patch, changed)


# -- what fades --------------------------------------------------------------------------------------------------------


@planted("a sighting that stays", "fading: night")
def the_night_is_seen_by_day(patch: Patch) -> None:
    true = knowledge.night_sighting

    def sighting(state: GameState, turn: Turn) -> list[Turn] | None:
        table = state.table
        again = table._replace(phase=Phase.NIGHT) if table.phase is not Phase.REVEAL else table
        return true(state._replace(table=again), turn)

    patch.setattr(view, "night_sighting", sighting)


@planted("a glimpse that stays", "fading: cards", "fading: insight")
def what_is_shown_briefly_does_not_fade(patch: Patch) -> None:
    patch.setattr(evolve, "_faded", lambda vault: vault)


@planted("the memory aid's memories without the memory aid", "fading: cards", "fading: insight")
def memories_are_shown_to_who_has_no_memory_aid(patch: Patch) -> None:
    patch.setattr(knowledge, "_glimpses", lambda state: [m for m in state.vault.memories if not hasattr(m, "holder")])


@planted("knowledge that ends with what is hidden", "twins: view", "missing: cards")
def who_gave_a_drawn_card_is_told_when_it_is_played(patch: Patch) -> None:
    true = evolve._after_play

    def after(drawn: Any, turn: Turn, card: Card, hand: Any, *, public: bool) -> Any:
        return tuple(
            replace(d, source_knows=d.source_knows and d.holder_has)
            for d in true(drawn, turn, card, hand, public=public)
        )

    patch.setattr(evolve, "_after_play", after)


# -- what an AI remembers ----------------------------------------------------------------------------------------------


def _recalls(patch: Patch, changed: Callable[[Recollection, GameState], Recollection]) -> None:
    true = remembering.recollection
    patch.setattr(remembering, "recollection", lambda state, turn: changed(true(state, turn), state))


@planted("an AI is handed more than it saw", "twins: recollection", "remembers")
def an_ai_remembers_what_others_peeked_at(patch: Patch) -> None:
    def changed(true: Recollection, state: GameState) -> Recollection:
        peeked = [m for m in state.vault.memories if isinstance(m, Peek)]
        seen = [remembering.CardSeen(0, peek.of, None, peek.card) for peek in peeked]
        return msgspec.structs.replace(true, cards=[*true.cards, *seen])

    _recalls(patch, changed)


@planted("an AI follows what it once saw", "twins: recollection", "remembers")
def an_ai_forgets_a_card_when_it_is_no_longer_there(patch: Patch) -> None:
    """What it no longer remembers tells it what was played face down."""

    def changed(true: Recollection, state: GameState) -> Recollection:
        hands = state.vault.hands
        still = [seen for seen in true.cards if seen.card in hands[(seen.to or seen.of) - 1]]
        return msgspec.structs.replace(true, cards=still)

    _recalls(patch, changed)


# -- answers -----------------------------------------------------------------------------------------------------------


@planted("a command that unmasks by its answer", "answers", "course: refused")
def a_refused_pass_says_who_holds_a_dragon_card(patch: Patch) -> None:
    true = passing.give

    def give(u: unfolding.Unfolding, turn: Turn, command: PassCrystal, how: How) -> None:
        try:
            true(u, turn, command, how)
        except Rejected:
            if not DRAGON_CARDS.isdisjoint(u.state.vault.hands[command.to - 1]):
                raise Rejected(Code.BAD_CHOICE) from None
            raise

    patch.setattr(passing, "give", give)


@planted("a code that says what another holds", "answers")
def a_card_that_nobody_holds_is_no_such_card(patch: Patch) -> None:
    true = playing.play

    def play(u: unfolding.Unfolding, turn: Turn, command: Any, how: How) -> None:
        vault = u.state.vault
        if command.card not in vault.hands[turn - 1] and not any(command.card in hand for hand in vault.hands):
            raise Rejected(Code.NO_SUCH_CARD)
        true(u, turn, command, how)

    patch.setattr(playing, "play", play)


# -- when --------------------------------------------------------------------------------------------------------------


@planted("a phase that ends by what is hidden", "course: news")
def the_vote_closes_once_a_majority_is_sure(patch: Patch) -> None:
    def cast(u: unfolding.Unfolding, turn: Turn, target: Turn | None, how: How) -> None:
        u.add(e.BallotCast(turn, target, how))
        table, vault = u.state
        for_one = [choice for _, choice in vault.ballots if choice is not None]
        sure = any(2 * for_one.count(choice) > len(turns(table)) for choice in for_one)
        if sure or len(table.voted) == len(turns(table)):
            ballots = dict(vault.ballots)
            u.add(e.VoteClosed(tuple(ballots.get(Turn(t)) for t in turns(table))))
            u.add(e.FirstHolderFound(voting._elected(u)), e.RoundBegan(1))

    patch.setattr(voting, "_cast", cast)


@planted("an effect that shows whether something was learnt", "course: news")
def an_insight_of_others_is_without_effect(patch: Patch) -> None:
    true = unfolding.Unfolding.add

    def add(self: unfolding.Unfolding, *events: e.Event) -> None:
        for event in events:
            if isinstance(event, e.ScrollSettled) and event.scroll == insight.SCROLL.id:
                event = replace(event, effect=self.state.vault.roles[event.turn - 1] is Role.SHADOW_DRAGON)
            true(self, event)

    patch.setattr(unfolding.Unfolding, "add", add)


@planted("a wait that is handed the hidden half", "given: more than the table")
def a_wait_is_given_the_state(patch: Patch) -> None:
    def seconds_of(table: Table, state: GameState) -> int | None:
        return 30 if state.vault.hands[0] else 10

    patch.setattr(waits, "seconds_of", seconds_of)


@planted("a pace that follows from a hand", "given: more than the table")
def an_ai_with_a_thick_hand_is_slow(patch: Patch) -> None:
    def delay(rng: random.Random, you: shapes.PlayerView) -> float:
        return float(len(you.hand))

    patch.setattr(pace, "delay", delay)


# -- chance ------------------------------------------------------------------------------------------------------------


@planted("a trace of the seed", "twins: view")
def the_seed_colours_the_table(patch: Patch) -> None:
    def changed(table: shapes.TableView, state: GameState) -> shapes.TableView:
        seed = getattr(state.vault.luck, "seed", b"\0")
        return msgspec.structs.replace(table, round=table.round * 256 + seed[0])

    _shows(patch, changed)


@planted("a hand of somebody else", "twins: view")
def one_sees_how_many_person_cards_the_next_player_holds(patch: Patch) -> None:
    def changed(you: shapes.PlayerView, state: GameState) -> shapes.PlayerView:
        hand = state.vault.hands[you.turn % len(state.table.seats)]
        return msgspec.structs.replace(you, plays=[*you.plays, *[None for card in hand if card is not Card.BLANK]])

    _shows_you(patch, changed)


def kinds() -> Iterator[str]:
    return (leak.kind for leak in PLANTED)


def table() -> Iterator[str]:
    """Which check noticed each leak, and in which of the games, as Markdown."""
    rows, noticed = [], 0
    for leak in PLANTED:
        with pytest.MonkeyPatch.context() as patch:
            leak.plant(patch)
            found, games = caught()
        noticed += found is not None
        rows.append(f"| {leak.kind} | {leak.name} | {found.check if found else 'nobody'} | {games or 'before any'} |")
    yield f"Planted leaks: {noticed} of {len(PLANTED)} caught."
    yield ""
    yield "| kind | the leak | noticed by | in game |"
    yield "| --- | --- | --- | --- |"
    yield from rows


if __name__ == "__main__":
    sys.stdout.writelines(f"{line}\n" for line in table())
