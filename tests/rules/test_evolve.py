"""Event → successor: a fold that leaves what it was given as it was, and keeps what is known of drawn cards true."""

from __future__ import annotations

from cinderforge.rules.commands import ChooseCard, ChooseTargets, Command, PassCrystal, PlayCard, Skip
from cinderforge.rules.events import (
    BallotCast,
    CardDrawn,
    CardGiven,
    CardPeeked,
    CardPlayed,
    CrystalPassed,
    Marked,
    RolesLearned,
    RoundBegan,
    Skipped,
)
from cinderforge.rules.evolve import evolve, without
from cinderforge.rules.marks import ActsLast, MustPlay
from cinderforge.rules.state import SKIPPED, GameState
from cinderforge.rules.vault import DrawnCard, Insight, Peek
from cinderforge.rules.words import Card, How, Role, Turn
from tests.redaction.deals import after, by_day

ONE, TWO, THREE = Turn(1), Turn(2), Turn(3)
DRAW = {2: "draw_previous", 1: "draw_next", 3: "reveal_sources"}


def skips(*turns: int) -> list[tuple[int, Command]]:
    return [(turn, Skip()) for turn in turns]


def drawn() -> GameState:
    """B has drawn A's sage, and everybody skipped; B holds the crystal in round 2."""
    return after(by_day(DRAW), [(1, PassCrystal(TWO)), (2, ChooseCard(1)), *skips(2, 3, 4, 5, 1)])


def test_a_state_is_never_changed() -> None:
    before = by_day()
    copy = GameState(before.table._replace(), before.vault._replace())
    evolve(before, CardGiven(ONE, TWO, Card.BLANK))
    evolve(before, CrystalPassed(ONE, TWO, How.OWN))
    assert before == copy


def test_the_card_at_the_place_leaves_the_hand() -> None:
    assert without((Card.SAGE, Card.BLANK, Card.BLANK), 0) == (Card.BLANK, Card.BLANK)
    table, vault = evolve(by_day(), CardPlayed(ONE, Card.BLANK, 1, How.OWN))
    assert vault.hands[0] == (Card.SAGE, Card.BLANK)
    assert vault.middle == ((ONE, Card.BLANK),)
    assert table.hand_sizes[0] == 2


def test_a_given_card_joins_at_the_end() -> None:
    table, vault = evolve(by_day(), CardGiven(ONE, TWO, Card.BLANK))
    assert vault.hands[1] == (Card.MYSTIC, Card.BLANK, Card.BLANK, Card.BLANK)
    assert table.hand_sizes == (3, 4, 3, 3, 3)


def test_a_glimpse_fades_with_the_next_act_but_is_remembered() -> None:
    peeked = evolve(by_day(), CardPeeked(ONE, TWO, Card.MYSTIC))
    assert peeked.vault.glimpse == Peek(ONE, TWO, Card.MYSTIC)
    faded = evolve(peeked, Skipped(ONE, How.OWN))
    assert faded.vault.glimpse is None
    assert faded.vault.memories == (Peek(ONE, TWO, Card.MYSTIC),)
    learnt = evolve(peeked, RolesLearned(ONE, ((TWO, Role.MYSTIC),)))
    assert learnt.vault.glimpse == Insight(ONE, ((TWO, Role.MYSTIC),))


def test_marks_go_with_the_round_and_lasting_orders_stay() -> None:
    state = evolve(by_day(), Marked(MustPlay(TWO)))
    state = evolve(state, Marked(ActsLast(ONE, "round")))
    state = evolve(state, Marked(ActsLast(THREE, "game")))
    assert len(state.table.marks) == 3
    state = evolve(state, RoundBegan(2))
    assert state.table.marks == ()
    assert state.table.acts_last == (THREE,)


def test_a_ballot_is_public_only_as_cast() -> None:
    table, vault = evolve(by_day(), BallotCast(ONE, TWO, How.OWN))
    assert table.voted == (ONE,)
    assert table.ballots is None
    assert vault.ballots == ((ONE, TWO),)


def test_a_round_past_keeps_what_was_public() -> None:
    past = drawn().table.past[-1]
    assert (past.giver, past.holder, past.cards, past.sources) == (1, 2, (), None)
    assert {acted.act for acted in past.acts} == {SKIPPED}


# What a drawn card tells (R6.3, docs/decisions/what-a-drawn-card-tells.md)


def test_both_know_a_drawn_card_while_it_lies_there() -> None:
    assert drawn().vault.drawn == (DrawnCard(TWO, ONE, Card.SAGE),)


def test_played_in_the_round_of_the_draw_both_see_it_go() -> None:
    state = after(by_day(DRAW), [(1, PassCrystal(TWO)), (2, ChooseCard(1)), (2, PlayCard(Card.SAGE))])
    assert state.vault.drawn == ()


def test_played_later_its_former_owner_learns_it_only_from_what_is_shown() -> None:
    at_play = after(drawn(), [(2, PassCrystal(THREE)), *skips(3, 4, 5, 1)])
    played = evolve(at_play, CardPlayed(TWO, Card.SAGE, 3, How.OWN))
    assert played.vault.drawn == (DrawnCard(TWO, ONE, Card.SAGE, holder_has=False),)
    assert after(at_play, [(2, PlayCard(Card.SAGE))]).vault.drawn == ()
    other = after(at_play, [(2, PlayCard(Card.BLANK))])
    assert other.vault.drawn == (DrawnCard(TWO, ONE, Card.SAGE),)


def test_drawn_back_it_is_known_where_it_lies_now() -> None:
    state = after(drawn(), [(2, PassCrystal(ONE)), (1, ChooseCard(4))])
    assert state.vault.drawn == (DrawnCard(ONE, TWO, Card.SAGE),)


def test_who_draws_another_card_stays_sure_of_the_first() -> None:
    state = after(drawn(), [(2, PassCrystal(ONE)), (1, ChooseCard(1))])
    assert set(state.vault.drawn) == {DrawnCard(TWO, ONE, Card.SAGE), DrawnCard(ONE, TWO, Card.MYSTIC)}


def test_a_third_who_draws_leaves_the_former_owner_unsure() -> None:
    """No two scrolls of today let a third draw there; the fold is right all the same."""
    state = evolve(drawn(), CardDrawn(Turn(4), TWO, Card.BLANK, 1))
    assert state.vault.drawn[0] == DrawnCard(TWO, ONE, Card.SAGE, source_knows=False)


def test_a_peek_leaves_the_former_owner_sure() -> None:
    drew = after(by_day({2: "draw_previous", 3: "peek_hand"}), [(1, PassCrystal(TWO)), (2, ChooseCard(1))])
    state = after(drew, skips(2, 3, 4, 5, 1))
    state = after(state, [(2, PassCrystal(THREE)), (3, ChooseTargets((TWO,))), (3, ChooseCard(4))])
    assert state.vault.drawn == drew.vault.drawn
