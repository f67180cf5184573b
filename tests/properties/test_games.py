"""What holds for every game: offers are what is accepted, cards are conserved, games end, replay agrees."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cinderforge.rules.commands import (
    CastVote,
    ChooseCard,
    ChooseTargets,
    Command,
    EndNight,
    EndReveal,
    PassCrystal,
    PlayCard,
    Skip,
)
from cinderforge.rules.events import CardGiven
from cinderforge.rules.game import deal, decide, offers, replay, take, take_clock
from cinderforge.rules.luck import SeededLuck
from cinderforge.rules.offers import commands_of
from cinderforge.rules.phases import LEADS_TO
from cinderforge.rules.rejection import Rejected
from cinderforge.rules.settings import Settings, settings_from
from cinderforge.rules.state import GameState
from cinderforge.rules.words import Card, Phase, Turn
from cinderforge.testkit.drive import random_game, steps

EVERY_SETTING = st.fixed_dictionaries(
    {
        "seats": st.integers(5, 10),
        "first_holder": st.sampled_from(["vote", "random"]),
        "sage_slain_ends": st.booleans(),
        "act_last_lasts": st.sampled_from(["round", "game"]),
        "activation_target": st.integers(1, 3),
        "kill_target": st.integers(1, 3),
        "memory_aid": st.booleans(),
    }
).map(settings_from)
GAMES = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def universe(seats: int) -> list[Command]:
    """Every command that anybody could think of, and some that nobody should."""
    turns = [Turn(turn) for turn in range(seats + 2)]
    pairs = [ChooseTargets(pair) for pair in product(turns, repeat=2)]
    return [
        CastVote(None),
        *(CastVote(turn) for turn in turns),
        *(PassCrystal(turn) for turn in turns),
        ChooseTargets(()),
        *(ChooseTargets((turn,)) for turn in turns),
        *pairs,
        ChooseTargets((Turn(1), Turn(2), Turn(3))),
        *(ChooseCard(position) for position in range(-1, 7)),
        *(PlayCard(card) for card in Card),
        PlayCard("no such card"),
        Skip(),
    ]


@GAMES
@given(EVERY_SETTING, st.integers(0, 2**32))
def test_exactly_what_is_offered_is_accepted(rules: Settings, seed: int) -> None:
    rng = random.Random(seed)
    state = deal(rules, SeededLuck(rng.randbytes(32)))
    state = take_clock(state, EndNight())[1]
    commands = universe(rules.seats)
    while state.table.phase is not Phase.OVER:
        legal: list[tuple[Turn, Command]] = []
        for number in range(1, rules.seats + 1):
            turn = Turn(number)
            offer = offers(state, turn)
            offered = set() if offer is None else set(commands_of(offer))
            sample = [*offered, *rng.sample(commands, 25)]
            assert {c for c in sample if accepted(state, turn, c)} == offered & set(sample) | offered
            legal += [(turn, command) for command in offered]
        turn, command = rng.choice(sorted(legal, key=repr))
        state = take(state, turn, command)[1]


def accepted(state: GameState, turn: Turn, command: Command) -> bool:
    try:
        return bool(decide(state, turn, command))
    except Rejected:
        return False


@GAMES
@given(EVERY_SETTING, st.integers(0, 2**32))
def test_cards_are_conserved_and_sizes_are_told_truly(rules: Settings, seed: int) -> None:
    game = random_game(rules, random.Random(seed), timeouts=0.1, announce=True)
    cards = Counter(card for hand in game.deal.hands for card in hand)
    for event, state in steps(game):
        if isinstance(event, CardGiven):
            cards[event.card] += 1
        table, vault = state
        held = Counter(card for hand in vault.hands for card in hand)
        out = Counter(card for middle in (*vault.played, vault.middle) for _, card in middle)
        assert held + out == cards
        assert table.hand_sizes == tuple(len(hand) for hand in vault.hands)


@GAMES
@given(EVERY_SETTING, st.integers(0, 2**32))
def test_a_game_ends_within_as_many_rounds_as_seats(rules: Settings, seed: int) -> None:
    game = random_game(rules, random.Random(seed))
    assert game.final.table.winner is not None
    assert game.final.table.round <= rules.seats


@GAMES
@given(EVERY_SETTING, st.integers(0, 2**32))
def test_replay_gives_the_state_at_every_step(rules: Settings, seed: int) -> None:
    rng = random.Random(seed)
    game = random_game(rules, rng, timeouts=0.2, announce=True)
    state = game.start
    for at, (_, stepped) in enumerate(steps(game)):
        if at and rng.random() < 0.1:
            assert replay(game.start, game.events[:at]) == stepped
        state = stepped
    assert state == game.final == replay(game.start, game.events)


@GAMES
@given(EVERY_SETTING, st.integers(0, 2**32))
def test_phases_follow_one_another_as_the_picture_says(rules: Settings, seed: int) -> None:
    game = random_game(rules, random.Random(seed))
    state = game.start
    before = state.table.phase
    for _, state in steps(game):
        if state.table.phase is not before:
            assert state.table.phase in LEADS_TO[before] or before is Phase.NIGHT
        before = state.table.phase


def test_the_same_seed_gives_the_same_game() -> None:
    rules = settings_from({})
    one, other = (random_game(rules, random.Random(4)) for _ in range(2))
    assert one.events == other.events and one.deal == other.deal


@pytest.mark.parametrize("command", [EndReveal(), EndNight()])
def test_the_clock_cannot_repeat_what_is_over(command: EndReveal | EndNight) -> None:
    state = deal(settings_from({}), SeededLuck(bytes(32)))
    state = take_clock(state, EndNight())[1]
    with pytest.raises(Rejected):
        take_clock(state, command)
