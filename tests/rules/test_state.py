"""Questions that everybody at the table can answer (R11)."""

from __future__ import annotations

from cinderforge.rules.marks import ActsLast, Linked, MustPlay, OnlyCard, SourcesOpen
from cinderforge.rules.state import (
    PLAYED,
    SKIPPED,
    Acted,
    Fired,
    awaited,
    has_fired,
    is_awaited,
    last_actors,
    must_play,
    must_skip,
    next_of,
    only_drawn,
    previous_of,
    receivers,
    sources_open,
    to_act,
    turns,
    with_cards,
)
from cinderforge.rules.words import Phase, ScrollId, Turn
from tests.redaction.deals import by_day

TABLE = by_day().table


def test_the_table_is_a_circle() -> None:
    assert [next_of(TABLE, Turn(turn)) for turn in turns(TABLE)] == [2, 3, 4, 5, 1]
    assert [previous_of(TABLE, Turn(turn)) for turn in turns(TABLE)] == [5, 1, 2, 3, 4]


def test_the_crystal_goes_to_others_whose_scroll_has_not_fired() -> None:
    table = TABLE._replace(fired=(Fired(Turn(3), ScrollId("any"), 1),))
    assert receivers(table) == (2, 4, 5)
    assert has_fired(table, Turn(3))
    assert not has_fired(table, Turn(1)), "to hold it first fires nothing (R5.3)"


def test_who_is_awaited_follows_from_the_phase() -> None:
    assert (to_act(TABLE), awaited(TABLE)) == (1, (1,))
    vote = TABLE._replace(phase=Phase.VOTE, voted=(Turn(2),))
    assert (to_act(vote), awaited(vote)) == (None, (1, 3, 4, 5))
    order = (Turn(4), Turn(5), Turn(1), Turn(2), Turn(3))
    play = TABLE._replace(phase=Phase.PLAY, order=order, acts=(Acted(Turn(4), SKIPPED),))
    assert awaited(play) == (5,)
    assert awaited(TABLE._replace(phase=Phase.OVER)) == ()


def test_is_awaited_says_the_same_of_each_player() -> None:
    for phase in (Phase.NIGHT, Phase.VOTE, Phase.PASS, Phase.OVER):
        table = TABLE._replace(phase=phase)
        assert [turn for turn in range(7) if is_awaited(table, Turn(turn))] == list(awaited(table))


def test_marks_bind_those_they_name() -> None:
    table = TABLE._replace(marks=(MustPlay(Turn(2)), OnlyCard(Turn(3))))
    assert [must_play(table, Turn(turn)) for turn in (1, 2, 3)] == [False, True, False]
    assert [only_drawn(table, Turn(turn)) for turn in (1, 2, 3)] == [False, False, True]
    assert not sources_open(table)
    assert sources_open(TABLE._replace(marks=(SourcesOpen(),)))


def test_a_follower_is_bound_once_the_leader_has_acted() -> None:
    table = TABLE._replace(marks=(Linked(Turn(1), Turn(2)),))
    assert not must_play(table, Turn(2))
    assert not must_skip(table, Turn(2))
    played = table._replace(acts=(Acted(Turn(1), PLAYED),))
    assert (must_play(played, Turn(2)), must_skip(played, Turn(2))) == (True, False)
    skipped = table._replace(acts=(Acted(Turn(1), SKIPPED),))
    assert (must_play(skipped, Turn(2)), must_skip(skipped, Turn(2))) == (False, True)
    assert not must_skip(skipped, Turn(1)), "the leader is free"


def test_the_latest_to_fire_is_the_very_last() -> None:
    table = TABLE._replace(marks=(ActsLast(Turn(2), "game"),), acts_last=(Turn(4), Turn(2)))
    assert last_actors(table) == (4, 2)


def test_hands_without_cards_are_known_to_all() -> None:
    assert with_cards(TABLE._replace(hand_sizes=(0, 1, 0, 2, 3))) == (2, 4, 5)
