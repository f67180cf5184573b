"""Night, vote, pass, choice and play, where scenarios do not reach: chance that is not still (R5.1, R10.1)."""

from __future__ import annotations

import pytest

from cinderforge.rules.commands import CastVote, EndNight, EndReveal, TimeOut
from cinderforge.rules.game import begin, draw_deal, take, take_clock
from cinderforge.rules.luck import SeededLuck
from cinderforge.rules.phases import LEADS_TO
from cinderforge.rules.settings import settings_from
from cinderforge.rules.state import GameState, receivers
from cinderforge.rules.words import Phase, Turn

SEEDS = [bytes([number]) * 32 for number in range(60)]


def morning(seed: bytes, **settings: object) -> GameState:
    rules, luck = settings_from({"seats": 5, **settings}), SeededLuck(seed)
    state = begin(rules, draw_deal(rules, luck), luck)
    return take_clock(take_clock(state, EndReveal())[1], EndNight())[1]


def test_the_first_holder_is_drawn_among_all() -> None:
    assert {morning(seed).table.holder for seed in SEEDS} == {1, 2, 3, 4, 5}


@pytest.mark.parametrize(
    ("votes", "possible"),
    [
        ((2, 2, 1, None, 3), {2}),
        ((2, 2, 1, 1, 3), {1, 2}),
        ((None,) * 5, {1, 2, 3, 4, 5}),
        ((5, 4, 3, None, None), {3, 4, 5}),
    ],
)
def test_most_votes_win_and_a_tie_is_drawn_among_the_tied(votes: tuple[int | None, ...], possible: set[int]) -> None:
    elected = set()
    for seed in SEEDS:
        state = morning(seed, first_holder="vote")
        for turn, target in enumerate(votes, 1):
            state = take(state, Turn(turn), CastVote(None if target is None else Turn(target)))[1]
        elected.add(state.table.holder)
    assert elected == possible


def test_out_of_time_the_crystal_goes_to_a_drawn_candidate() -> None:
    met: set[Turn] = set()
    for seed in SEEDS:
        state = morning(seed)
        holder = state.table.holder
        assert holder is not None
        given = take_clock(state, TimeOut(holder))[1]
        assert given.table.holder in receivers(state.table)
        met.add(given.table.holder)
    assert met == {1, 2, 3, 4, 5}


def test_every_phase_leads_somewhere_and_the_end_nowhere() -> None:
    assert set(LEADS_TO) == set(Phase)
    assert [phase for phase, later in LEADS_TO.items() if not later] == [Phase.OVER]
