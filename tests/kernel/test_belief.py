"""The belief holds the truth, is exact, keeps what it says, and draws games that fit."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from cinderforge.kernel import ffi, lib
from cinderforge.kernel.belief import Filter
from tests.kernel import by_hand
from tests.kernel.games import SIZES, bytes_of, decisions, seen_by
from tests.kernel.planted import FAULTS, is_seen

DRAGONS = (lib.CF_RED, lib.CF_TWO_HEADED, lib.CF_SHADOW)
OTHERS = (lib.CF_MYSTIC, lib.CF_ADVENTURER)
PERSONS = (lib.CF_SAGE, *OTHERS)


@pytest.fixture(scope="module")
def filter_() -> Filter:
    return Filter()


@pytest.mark.parametrize("seats", SIZES)
def test_the_truth_is_always_among_what_a_seat_believes_possible(seats: int, filter_: Filter) -> None:
    rng = random.Random(f"seats {seats}")
    for _ in range(170 if seats < 9 else 40):
        asked = rng.randrange(30)
        for number, (game, who) in enumerate(decisions(seats, rng)):
            if number == asked or who < 0:
                mine = who if who >= 0 else rng.randrange(seats)
                assert filter_.believe(*seen_by(game, mine))
                assert filter_.weight_of(ffi.addressof(game.hid)) > 0


@pytest.mark.parametrize("seats", SIZES)
def test_the_truth_is_always_among_what_the_public_believes_possible(seats: int, filter_: Filter) -> None:
    rng = random.Random(f"public {seats}")
    for _ in range(40 if seats < 9 else 3):
        for game, who in decisions(seats, rng):
            if who < 0 or rng.random() < 0.05:
                assert filter_.believe(ffi.addressof(game.pub))
                assert filter_.weight_of(ffi.addressof(game.hid)) > 0


def stories(seed: str, count: int) -> list[tuple[Any, int | None]]:
    """Games of five and six, broken off within three rounds, with a seat (often whose scroll fired) or the public."""
    rng, found = random.Random(seed), list[tuple[Any, int | None]]()
    while len(found) < count:
        seats = rng.choice((5, 5, 6))
        stop = rng.randrange(1, 34)
        for number, (game, who) in enumerate(decisions(seats, rng)):
            if who < 0 or number == stop or game.pub.round == 2:
                seat = rng.choice((rng.randrange(seats), game.pub.rounds[0].holder, game.pub.holder))
                is_public = seats == 5 and rng.random() < 0.4
                found.append((ffi.new("cf_game *", game[0]), None if is_public or seat < 0 else seat))
                break
    return found


def differs(game: Any, who: int | None, believed: Filter) -> str | None:
    """Where the filter and the plain reckoning are not of one opinion."""
    mine = None if who is None else game.priv[who]
    expected = by_hand.beliefs(game.pub, mine)
    answer = believed.believe(ffi.addressof(game.pub), None if who is None else ffi.addressof(mine))
    if answer is None:
        return "nothing fits" if expected else None
    whole, truth = 0.0, ffi.new("cf_hidden *", game.hid)
    now, seats = game.pub.round, game.pub.rules.n
    roles = [[0.0] * 6 for _ in range(seats)]
    record = game.pub.rounds[max(now, 0)]
    is_drawing = now >= 0 and record.scroll in by_hand.DRAWS and record.effect == 1 and record.acted < seats
    for (deal, hands, laid), chance in expected.items():
        for turn in range(seats):
            truth.role[turn], truth.hand[turn] = deal[turn], hands[turn]
            roles[turn][deal[turn]] += chance
        for turn, kind in laid:
            truth.played[now][turn] = kind
        weight = 0.0
        for kind in range(7) if is_drawing else (-1,):
            truth.seen[max(now, 0)] = kind
            weight += believed.weight_of(truth)
        whole += weight
        if abs(weight - chance) > 1e-9:
            return f"{deal} {hands}: {weight} for {chance}"
    if abs(whole - 1) > 1e-9:
        return f"{1 - whole} lies on what cannot be"
    lies = [
        sum(chance for (_, _, laid), chance in expected.items() if any(kind in kinds for _, kind in laid))
        for kinds in (DRAGONS, PERSONS, (lib.CF_SAGE,), OTHERS)
    ]
    if answer.lies != pytest.approx(lies, abs=1e-9):
        return f"in the middle: {answer.lies} for {lies}"
    off = max(
        abs(a - b)
        for mine_, theirs in zip(answer.roles, roles, strict=True)
        for a, b in zip(mine_, theirs, strict=True)
    )
    return f"roles differ by {off}" if off > 1e-9 else None


def test_the_belief_is_what_comes_of_telling_every_story(filter_: Filter) -> None:
    for game, who in stories("by hand", 250):
        assert differs(game, who, filter_) is None


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_seen(fault: str, tmp_path: Path) -> None:
    assert is_seen(fault, tmp_path)


def test_of_what_is_called_so_likely_so_many_are_true(filter_: Filter) -> None:
    rng = random.Random("calibration")
    said, true = Counter[int](), Counter[int]()
    sums = Counter[int]()
    for _ in range(1500):
        stop = rng.randrange(4, 40)
        for number, (game, who) in enumerate(decisions(8, rng)):
            if who < 0:
                break
            if number == stop:
                answer = filter_.believe(*seen_by(game, who))
                assert answer
                for turn, chance in enumerate(answer.dragon):
                    at = min(9, int(chance * 10))
                    said[at] += 1
                    sums[at] += round(chance * 1e6)
                    true[at] += game.hid.role[turn] >= lib.CF_RED
                break
    for at, count in said.items():
        mean = sums[at] / 1e6 / count
        spread = (mean * (1 - mean) / count) ** 0.5
        assert abs(true[at] / count - mean) <= 4 * spread + 1e-6


def test_games_drawn_from_a_belief_fit_all_that_the_seat_knows(filter_: Filter) -> None:
    rng = random.Random("imagined")
    dice, drawn, again = ffi.new("uint64_t[2]", [1, 2]), ffi.new("cf_game *"), ffi.new("cf_private *")
    for seats in (5, 8, 10):
        for _ in range(12):
            for game, who in decisions(seats, rng):
                if who < 0 or rng.random() > 0.2:
                    continue
                assert filter_.believe(*seen_by(game, who))
                for _ in range(5):
                    filter_.imagine(dice, drawn)
                    assert bytes_of(drawn.pub) == bytes_of(game.pub)
                    lib.cf_private_of(ffi.addressof(game.pub), ffi.addressof(drawn.hid), who, again)
                    assert bytes_of(again[0]) == bytes_of(game.priv[who])
                    assert filter_.weight_of(ffi.addressof(drawn.hid)) > 0
                    assert [sum(hand) for hand in drawn.hid.hand][:seats] == list(game.pub.hand_size)[:seats]
                    assert len(set(drawn.hid.scroll[0:seats])) == seats
                    for number in range(game.pub.round + 1):
                        record = game.pub.rounds[number]
                        if record.acted == seats:
                            laid = Counter(kind for kind in drawn.hid.played[number][0:seats] if kind >= 0)
                            assert [laid[kind] for kind in range(7)] == list(record.count)


def test_games_are_drawn_as_often_as_they_are_likely(filter_: Filter) -> None:
    rng = random.Random("as often")
    dice, drawn = ffi.new("uint64_t[2]", [3, 4]), ffi.new("cf_game *")
    for stop in (7, 15, 25, 31):
        game, who = next((game, who) for at, (game, who) in enumerate(decisions(6, rng)) if at == stop or who < 0)
        answer = filter_.believe(*seen_by(game, max(who, 0)))
        assert answer
        dragons = [0] * 6
        laid: Counter[tuple[int, int]] = Counter()
        for _ in range(4000):
            filter_.imagine(dice, drawn)
            for turn in range(6):
                dragons[turn] += drawn.hid.role[turn] >= lib.CF_RED
                laid[turn, drawn.hid.played[game.pub.round][turn]] += 1
        for turn in range(6):
            assert dragons[turn] / 4000 == pytest.approx(answer.dragon[turn], abs=0.04)
            if game.pub.rounds[game.pub.round].acted < 6:
                for kind in range(7):
                    assert laid[turn, kind] / 4000 == pytest.approx(answer.played[turn][kind], abs=0.04)


def test_a_filter_without_room_says_how_much_it_leaves_out(filter_: Filter) -> None:
    rng = random.Random("no room")
    small = Filter(most_states=500)
    for _ in range(10):
        for game, who in decisions(8, rng):
            if who < 0:
                answer, whole = small.believe(ffi.addressof(game.pub)), filter_.believe(ffi.addressof(game.pub))
                assert whole and not whole.dropped
                assert answer is None or (answer.states <= 500 and (whole.most <= 500 or 0 < answer.dropped < 1))


def test_who_has_forgotten_believes_more_possible_and_never_less(filter_: Filter) -> None:
    rng = random.Random("forgotten")
    for _ in range(60):
        for game, who in decisions(7, rng):
            if who < 0 or rng.random() > 0.1:
                continue
            knows = filter_.believe(*seen_by(game, who))
            less = ffi.new("cf_private *", game.priv[who])
            less.night, less.plays, less.seen_card = [-1] * 10, [-1] * 10, [-1] * 10
            less.sage = less.mystic = -1
            forgot = filter_.believe(ffi.addressof(game.pub), less)
            assert knows and forgot and forgot.deals >= knows.deals
            assert filter_.weight_of_deal(list(game.hid.role)) > 0


def test_an_act_without_a_choice_tells_nothing_and_a_mute_one_leaves_what_is_possible(filter_: Filter) -> None:
    rng, forced, telling = random.Random("told"), 0, 0.0
    for _ in range(16):
        *_, (game, _) = decisions(6, rng)
        public = ffi.addressof(game.pub)
        before = filter_.believe(public)
        assert before
        for (number, place), odds in filter_.told(public).items():
            if game.pub.rounds[number].how[place] == lib.CF_MUST_SKIP:
                forced += 1
                assert odds == pytest.approx([0.0] * 6, abs=1e-9)
            telling = max(telling, *map(abs, odds))
            lib.cf_mute(filter_.handle, number, place)
            mute = filter_.believe(public)
            lib.cf_mute(filter_.handle, -1, 0)
            assert mute and mute.states == before.states
        assert filter_.believe(public) == before
    assert forced and telling > 0.1
