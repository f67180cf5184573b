"""Claims weigh in a belief as they are said to, never for too much, and are gone when they are no longer heard."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from typing import Any

import pytest

from cinderforge.kernel import ffi, lib
from cinderforge.kernel.belief import Filter
from tests.kernel.games import SIZES, decisions, seen_by

ROLES_OF_5 = (lib.CF_SAGE, lib.CF_MYSTIC, lib.CF_ADVENTURER, lib.CF_TWO_HEADED, lib.CF_SHADOW)
DEALS_OF_5 = sorted(set(permutations(ROLES_OF_5)))
NIGHT = (lib.CF_SAGE, lib.CF_MYSTIC, lib.CF_RED, lib.CF_TWO_HEADED)


@pytest.fixture(scope="module")
def believed() -> Filter:
    return Filter()


def moments(seats: int, count: int, rng: random.Random) -> Iterator[tuple[Any, int]]:
    """Games broken off somewhere, with who decides then."""
    found = 0
    while found < count:
        stop = rng.randrange(2, 30)
        for number, (game, who) in enumerate(decisions(seats, rng)):
            if number == stop and who >= 0:
                found += 1
                yield game, who
                break


def any_claim(game: Any, speaker: int, rng: random.Random, *, strong: float = 9.0) -> dict[str, Any]:
    """Something that this player might say, with weights as wild as that."""
    seats, kind = game.pub.rules.n, rng.choice((lib.CF_SAYS_ROLES, lib.CF_SAYS_ROLES, lib.CF_SAYS_NIGHT))
    claim: dict[str, Any] = {
        "speaker": speaker,
        "round": max(game.pub.round, 0),
        "kind": kind,
        "denied": rng.randrange(2),
        "weight": [[rng.uniform(-strong, strong) for _ in range(2)] for _ in range(6)],
    }
    if kind == lib.CF_SAYS_NIGHT:
        return claim | {"set": sum(1 << turn for turn in rng.sample(range(seats), 3))}
    return claim | {"who": rng.randrange(seats), "set": rng.randrange(1, 63)}


def heard(claims: list[dict[str, Any]]) -> Any:
    return ffi.new("cf_hearsay *", {"count": len(claims), "claims": claims})


def is_so(claim: dict[str, Any], deal: tuple[int, ...]) -> bool:
    if claim["kind"] == lib.CF_SAYS_ROLES:
        so = bool(claim["set"] >> deal[claim["who"]] & 1)
    else:
        so = all(deal[turn] in NIGHT for turn in range(len(deal)) if claim["set"] >> turn & 1)
    return so != bool(claim["denied"])


def factor(claim: dict[str, Any], deal: tuple[int, ...]) -> float:
    """As belief.h promises it: a ratio of four from the likeliest to the least likely, at most."""
    top = max(max(row) for row in claim["weight"])
    weight = claim["weight"][deal[claim["speaker"]]][is_so(claim, deal)]
    return float(max(weight - top + math.log(2), -math.log(2)))


def test_what_is_said_of_roles_weighs_each_deal_as_it_should(believed: Filter) -> None:
    rng = random.Random("said")
    for game, who in moments(5, 60, rng):
        claims = [
            any_claim(game, rng.randrange(5), rng, strong=rng.choice((0.5, 9))) for _ in range(rng.randrange(1, 9))
        ]
        sums = {deal: [0.0] * 5 for deal in DEALS_OF_5}
        for claim in claims:
            for deal, by_speaker in sums.items():
                by_speaker[claim["speaker"]] += factor(claim, deal)
        assert believed.believe(*seen_by(game, who))
        before = {deal: believed.weight_of_deal(deal) for deal in DEALS_OF_5}
        expected = {
            deal: before[deal] * math.exp(sum(max(-1.5, min(1.5, all_of_it)) for all_of_it in sums[deal]))
            for deal in DEALS_OF_5
        }
        whole = sum(expected.values())
        assert believed.believe(*seen_by(game, who), heard=heard(claims))
        for deal, weight in expected.items():
            assert believed.weight_of_deal(deal) == pytest.approx(weight / whole, abs=1e-6)


@pytest.mark.parametrize("seats", SIZES)
def test_no_talk_makes_anything_impossible_or_certain(seats: int, believed: Filter) -> None:
    rng = random.Random(f"talk {seats}")
    for game, who in moments(seats, 12, rng):
        alone = believed.believe(*seen_by(game, who))
        claims = [any_claim(game, rng.randrange(seats), rng) for _ in range(60)]
        answer = believed.believe(*seen_by(game, who), heard=heard(claims))
        assert alone and answer and (answer.states, answer.deals) == (alone.states, alone.deals)
        assert believed.weight_of(ffi.addressof(game.hid)) > 0
        for rows in zip(alone.roles, answer.roles, strict=True):
            assert all((one > 0) == (other > 0) for one, other in zip(*rows, strict=True))
        assert believed.believe(*seen_by(game, who)) == alone


def test_who_contradicts_what_one_knows_is_taken_for_a_liar(believed: Filter) -> None:
    rng = random.Random("liar")
    told = [[math.log(0.3), math.log(0.7)]] * 3 + [[math.log(0.7), math.log(0.3)]] * 3
    compared = 0
    for game, who in moments(8, 60, rng):
        speaker = rng.choice([turn for turn in range(8) if turn != who])
        is_human = game.hid.role[who] < lib.CF_RED
        lie = {"speaker": speaker, "who": who, "set": 0b111000 if is_human else 0b000111, "weight": told}
        alone = believed.believe(*seen_by(game, who))
        answer = believed.believe(*seen_by(game, who), heard=heard([lie]))
        assert alone and answer
        if 0.01 < alone.dragon[speaker] < 0.99:
            compared += 1
            assert answer.dragon[speaker] > alone.dragon[speaker]
    assert compared > 20


def said_of_card(game: Any, speaker: int, of_round: int, card: int) -> dict[str, Any]:
    weight = [[math.log(0.4), math.log(0.6)]] * 3 + [[0.0, 0.0]] * 3
    kind = lib.CF_SAYS_PLAYED
    return {
        "speaker": speaker,
        "round": game.pub.round,
        "kind": kind,
        "of_round": of_round,
        "set": card,
        "weight": weight,
    }


@pytest.mark.parametrize("is_past", [False, True])
def test_what_one_says_of_ones_own_card_weighs_each_card_that_it_may_have_been(is_past: bool, believed: Filter) -> None:
    rng, compared = random.Random(f"card {is_past}"), 0
    dice, drawn = ffi.new("uint64_t[2]", [rng.getrandbits(60), 1]), ffi.new("cf_game *")
    for game, who in moments(6, 400, rng):
        number = game.pub.round - is_past
        if number < 0 or compared == 6:
            continue
        record = game.pub.rounds[number]
        acted = range(6 if is_past else record.acted)
        played = [record.order[place] for place in acted if record.act[place] == lib.CF_PLAYED]
        speaker = next((turn for turn in played if turn != who), None)
        if speaker is None or record.open:
            continue
        card = game.hid.played[number][speaker]
        claim, found = said_of_card(game, speaker, number, card), dict[bool, Counter[bool]]()
        factor_of = {True: Counter[bool](), False: Counter[bool]()}
        for is_heard in (False, True):
            assert believed.believe(*seen_by(game, who), heard=heard([claim]) if is_heard else None)
            found[is_heard] = Counter()
            for _ in range(3000):
                believed.imagine(dice, drawn)
                so = drawn.hid.played[number][speaker] == card
                weight = math.exp(claim["weight"][drawn.hid.role[speaker]][so])
                found[is_heard][so] += 1
                factor_of[is_heard][so] += round(1e6 * weight)
        expected = factor_of[False][True] / max(1, factor_of[False].total())
        assert found[True][True] / 3000 == pytest.approx(expected, abs=0.045)
        compared += 1
    assert compared == 6
