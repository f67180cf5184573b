"""The searcher decides by what its seat may know and by nothing else, the same each time, and in time."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from typing import Any

import pytest

from cinderforge.bots.searcher import Care, Searcher
from cinderforge.bots.sight import CARDS, sight
from cinderforge.kernel import ffi, lib, minds
from cinderforge.kernel.belief import Filter, filter_here
from cinderforge.redaction.eye import PlayerEye
from cinderforge.redaction.recollection import recollection
from cinderforge.redaction.shapes import RowOffer, View
from cinderforge.redaction.view import view
from cinderforge.rules.state import GameState, awaited
from cinderforge.rules.vault import Memory
from cinderforge.rules.words import Card, Phase, Turn
from cinderforge.testkit.twins import any_world, twin
from tests.kernel.games import bytes_of, decisions, seen_by

QUICK = Care(games=6, steps=400)


def _twins(rng: random.Random, count: int) -> Iterator[tuple[GameState, GameState, Turn]]:
    """Moments at which somebody decides, and the same with all that they were never told dealt anew."""
    found = 0
    while found < count:
        world = any_world(rng)
        states = list(world.states())
        asked = [at for at, state in enumerate(states) if awaited(state.table)]
        for at in rng.sample(asked, min(4, len(asked))):
            turn = rng.choice(awaited(states[at].table))
            other = twin(world.until(at), PlayerEye(turn), rng)
            if other is not None:
                *_, last = other.states()
                found += 1
                yield states[at], last, turn


def _thoughts(bot: Searcher, state: GameState, turn: Turn, seed: int) -> tuple[View, bytes, object]:
    shown, recalled = view(state, PlayerEye(turn)), recollection(state, turn)
    assert shown.you
    command = bot.choose(shown, recalled, random.Random(seed))
    if isinstance(shown.you.offer, RowOffer):
        return shown, b"", command
    return shown, bytes_of(bot.thought(*sight(shown, recalled), seed)[0]), command


def leaks(seed: str, positions: int, care: Care = QUICK) -> int:
    """In how many of so many positions what a seat cannot know changes what the searcher thinks or does."""
    rng, bot, off = random.Random(seed), Searcher(care), 0
    for number, (here, there, turn) in enumerate(_twins(rng, positions)):
        off += _thoughts(bot, here, turn, number) != _thoughts(bot, there, turn, number)
        assert here.vault != there.vault or here.table.round == 0
    return off


def test_what_a_seat_cannot_know_changes_no_thought_and_no_act() -> None:
    assert leaks("searcher", 250) == 0


def test_any_truth_that_the_seat_believes_possible_leads_to_the_same_thoughts() -> None:
    rng, bot, dice, other = (
        random.Random("support"),
        Searcher(QUICK),
        ffi.new("uint64_t[2]", [5, 6]),
        ffi.new("cf_game *"),
    )
    for seats in (5, 8, 10):
        for _ in range(8):
            for game, who in decisions(seats, rng):
                if who < 0 or rng.random() > 0.2:
                    continue
                first = bot.thought(*seen_by(game, who), 7)
                if first.games:
                    lib.cf_imagine(filter_here().handle, dice, other)
                    assert bytes_of(bot.thought(*seen_by(other, who), 7)[0]) == bytes_of(first[0])


def test_from_a_view_and_a_recollection_the_truth_is_believed_possible() -> None:
    rng, believed, truth = random.Random("from a view"), Filter(), ffi.new("cf_hidden *")
    asked = 0
    while asked < 200:
        world = any_world(rng)
        for state in world.states():
            if state.table.phase is Phase.VOTE or not awaited(state.table) or rng.random() > 0.15:
                continue
            turn = rng.choice(awaited(state.table))
            public, private = sight(view(state, PlayerEye(turn)), recollection(state, turn))
            assert believed.believe(public, private, minds.shipped())
            for at, (role, hand) in enumerate(zip(state.vault.roles, state.vault.hands, strict=True)):
                truth.role[at] = CARDS.index(Card(role.value))
                truth.hand[at] = [hand.count(card) for card in CARDS]
            for played, card in state.vault.middle:
                truth.played[public.round][played - 1] = CARDS.index(card)
            record = public.rounds[public.round]
            drawn = [memory.card for memory in state.vault.memories if isinstance(memory, Memory)]
            if record.effect == 1 and drawn:
                truth.seen[public.round] = CARDS.index(drawn[-1])
            assert believed.weight_of(truth) > 0
            asked += 1


def _legal(thought: Any, public: Any, private: Any) -> bool:
    mask = lib.cf_legal(public, private)
    return all(not thought.chance[act] or mask >> act & 1 for act in range(lib.CF_ACTIONS)) and bool(
        mask >> thought.action & 1
    )


def test_it_thinks_of_every_legal_act_and_takes_one() -> None:
    rng, bot = random.Random("legal"), Searcher(QUICK)
    for seats in range(5, 11):
        for game, who in decisions(seats, rng):
            if who >= 0:
                known = seen_by(game, who)
                thought = bot.thought(*known, 3)
                assert _legal(thought, *known)
                assert sum(thought.chance) == pytest.approx(1, abs=1e-5)


def test_more_pull_means_better_outcomes_and_less_habit() -> None:
    rng = random.Random("pull")
    mild, keen = Searcher(Care(games=64, pull=0)), Searcher(Care(games=64, pull=100_000))
    for game, who in decisions(8, rng):
        if who < 0 or game.pub.phase == lib.CF_VOTE:
            continue
        one, two = mild.thought(*seen_by(game, who), 11), keen.thought(*seen_by(game, who), 11)
        assert list(one.chance) == pytest.approx(list(one.habit), abs=1e-4)
        if two.games:
            best = max(range(lib.CF_ACTIONS), key=lambda act: two.value[act] if two.habit[act] > 0 else -1.0)
            assert two.chance[best] == max(two.chance)


def test_a_thought_takes_less_than_fifty_milliseconds() -> None:
    rng, bot, took = random.Random("in time"), Searcher(), list[float]()
    for _ in range(2):
        for game, who in decisions(8, rng):
            if who >= 0:
                began = time.process_time()
                bot.thought(*seen_by(game, who), 1)
                took.append(time.process_time() - began)
    # The bar is for the 99th of a hundred; a busy machine counts against nobody's processor time, but its caches do.
    assert sorted(took)[int(0.9 * len(took))] < 0.05
