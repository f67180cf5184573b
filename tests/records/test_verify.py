"""Whatever is altered in a record is found, with or without its digest where chance or the rules can tell."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cinderforge.records.record import BadRecord, read, write
from cinderforge.records.verify import verify
from cinderforge.rules.settings import settings_from
from cinderforge.rules.words import Card, Role
from tests.records.games import random_record

Raw = dict[str, Any]
CARDS = [card.value for card in Card]
COUNTS = ("sage_activated", "activated", "slain", "sage_slain")


def true_records() -> list[Raw]:
    """Games of all sizes and of both first holders, with moves of chance among them."""
    found = []
    for number in range(24):
        rules = {
            "seats": 5 + number % 6,
            "first_holder": ("random", "vote")[number // 6 % 2],
            "sage_slain_ends": number % 4 != 3,
            "act_last_lasts": ("round", "game")[number % 2],
        }
        found.append(json.loads(write(random_record(settings_from(rules), number))))
    return found


TRUE = true_records()


def complaints(raw: Raw) -> list[str]:
    """What is wrong with a record: that it is none, or each difference."""
    try:
        return [str(one) for one in verify(read(json.dumps(raw), "f", 1))]
    except BadRecord as bad:
        return [str(bad)]


def flipped(text: str) -> str:
    """Other bytes of the same length."""
    return ("0" if text[0] != "0" else "1") + text[1:]


def swap(row: list[Any]) -> None:
    """Two different entries change places."""
    first = 0
    second = next(i for i, one in enumerate(row) if one != row[first])
    row[first], row[second] = row[second], row[first]


def moves(raw: Raw, *kinds: str) -> list[list[Any]]:
    return [move for move in raw["moves"] if move[0] in kinds]


class NothingToAlter(Exception):
    """There is no such move in this game."""


def one_of(rng: random.Random, found: list[Any]) -> Any:
    if not found:
        raise NothingToAlter
    return rng.choice(found)


def _commitment(raw: Raw, rng: random.Random) -> None:
    raw["fairness"]["commitment"] = flipped(raw["fairness"]["commitment"])


def _secret(raw: Raw, rng: random.Random) -> None:
    raw["fairness"]["secret"] = flipped(raw["fairness"]["secret"])


def _seed(raw: Raw, rng: random.Random) -> None:
    raw["fairness"]["seed"] = flipped(raw["fairness"]["seed"])


def _contribution(raw: Raw, rng: random.Random) -> None:
    given_bytes = one_of(rng, [raw["fairness"]["contributions"]] if raw["fairness"]["contributions"] else [])
    given_bytes[-1] = flipped(given_bytes[-1])


def _contribution_more(raw: Raw, rng: random.Random) -> None:
    raw["fairness"]["contributions"].append("00")


def _role(raw: Raw, rng: random.Random) -> None:
    at = rng.randrange(len(raw["deal"]["roles"]))
    raw["deal"]["roles"][at] = rng.choice([role.value for role in Role if role.value != raw["deal"]["roles"][at]])


def _roles(raw: Raw, rng: random.Random) -> None:
    swap(raw["deal"]["roles"])


def _hand(raw: Raw, rng: random.Random) -> None:
    hand = rng.choice(raw["deal"]["hands"])
    at = rng.randrange(len(hand))
    hand[at] = rng.choice([card for card in CARDS if card != hand[at]])


def _hand_order(raw: Raw, rng: random.Random) -> None:
    swap(next(hand for hand in raw["deal"]["hands"] if len(set(hand)) > 1))


def _hand_shorter(raw: Raw, rng: random.Random) -> None:
    rng.choice(raw["deal"]["hands"]).pop()


def _hand_empty(raw: Raw, rng: random.Random) -> None:
    rng.choice(raw["deal"]["hands"]).clear()


def _scrolls(raw: Raw, rng: random.Random) -> None:
    swap(raw["deal"]["scrolls"])


def _scroll_twice(raw: Raw, rng: random.Random) -> None:
    raw["deal"]["scrolls"][0] = raw["deal"]["scrolls"][1]


def _seats(raw: Raw, rng: random.Random) -> None:
    a, b = rng.sample(raw["players"], 2)
    a["seat"], b["seat"] = b["seat"], a["seat"]


def _turn_order(raw: Raw, rng: random.Random) -> None:
    """Two players change places with all that is theirs."""
    a, b = rng.sample(range(len(raw["players"])), 2)
    for row in (raw["players"], *raw["deal"].values()):
        row[a], row[b] = row[b], row[a]
    raw["players"][a]["turn"], raw["players"][b]["turn"] = a + 1, b + 1


def _first(raw: Raw, rng: random.Random) -> None:
    move = moves(raw, "first")[0]
    move[1] = move[1] % len(raw["players"]) + 1


def _shown_order(raw: Raw, rng: random.Random) -> None:
    swap(one_of(rng, [move[1] for move in moves(raw, "resolve") if len(set(move[1])) > 1]))


def _shown_card(raw: Raw, rng: random.Random) -> None:
    cards = one_of(rng, [move[1] for move in moves(raw, "resolve") if move[1]])
    cards[0] = rng.choice([card for card in CARDS if card != cards[0]])


def _count(raw: Raw, rng: random.Random) -> None:
    counts, key = rng.choice(moves(raw, "resolve"))[2], rng.choice(COUNTS)
    counts[key] = not counts[key] if isinstance(counts[key], bool) else counts[key] + 1


def _card_drawn(raw: Raw, rng: random.Random) -> None:
    choices = one_of(rng, [m[3] for m in moves(raw, "scroll") if m[3] and isinstance(m[3][-1], str)])
    choices[-1] = rng.choice([card for card in CARDS if card != choices[-1]])


def _target(raw: Raw, rng: random.Random) -> None:
    choices = one_of(rng, [m[3] for m in moves(raw, "scroll") if m[3] and isinstance(m[3][0], int)])
    choices[0] = choices[0] % len(raw["players"]) + 1


def _target_more(raw: Raw, rng: random.Random) -> None:
    one_of(rng, [m[3] for m in moves(raw, "scroll") if m[3] is not None]).append(1)


def _scroll_of_move(raw: Raw, rng: random.Random) -> None:
    move = rng.choice(moves(raw, "scroll"))
    move[2] = rng.choice([scroll for scroll in raw["deal"]["scrolls"] if scroll != move[2]])


def _scroll_without_effect(raw: Raw, rng: random.Random) -> None:
    move = rng.choice(moves(raw, "scroll"))
    move[3] = [] if move[3] is None else None


def _passed_to(raw: Raw, rng: random.Random) -> None:
    move = rng.choice(moves(raw, "pass"))
    move[2] = rng.choice([t for t in range(1, len(raw["players"]) + 1) if t != move[2]])


def _vote(raw: Raw, rng: random.Random) -> None:
    move = one_of(rng, moves(raw, "vote"))
    move[2] = rng.choice([t for t in (None, *range(1, len(raw["players"]) + 1)) if t != move[2]])


def _card_played(raw: Raw, rng: random.Random) -> None:
    move = one_of(rng, moves(raw, "play"))
    move[2] = rng.choice([card for card in CARDS if card != move[2]])


def _skipped(raw: Raw, rng: random.Random) -> None:
    move = one_of(rng, moves(raw, "play"))
    move[:] = ["skip", move[1]]


def _played(raw: Raw, rng: random.Random) -> None:
    move = one_of(rng, moves(raw, "skip"))
    move[:] = ["play", move[1], "blank"]


def _mover(raw: Raw, rng: random.Random) -> None:
    move = one_of(rng, moves(raw, "play", "skip", "empty", "pass", "scroll", "vote"))
    move[1] = move[1] % len(raw["players"]) + 1


def _unmarked(raw: Raw, rng: random.Random) -> None:
    one_of(rng, [move for move in raw["moves"] if move[-1] == "timeout"]).pop()


def _marked(raw: Raw, rng: random.Random) -> None:
    own = [m for m in moves(raw, "play", "skip", "pass", "vote", "first", "empty") if m[-1] != "timeout"]
    one_of(rng, own).append(rng.choice(["timeout", "stand_in"]))


def _left_out(raw: Raw, rng: random.Random) -> None:
    del raw["moves"][rng.randrange(len(raw["moves"]))]


def _twice(raw: Raw, rng: random.Random) -> None:
    at = rng.randrange(len(raw["moves"]))
    raw["moves"].insert(at, copy.deepcopy(raw["moves"][at]))


def _exchanged(raw: Raw, rng: random.Random) -> None:
    at = rng.choice([i for i in range(len(raw["moves"]) - 1) if raw["moves"][i] != raw["moves"][i + 1]])
    raw["moves"][at : at + 2] = reversed(raw["moves"][at : at + 2])


def _cut(raw: Raw, rng: random.Random) -> None:
    del raw["moves"][rng.randrange(len(raw["moves"])) :]


def _longer(raw: Raw, rng: random.Random) -> None:
    raw["moves"].append(["skip", 1])


def _winner(raw: Raw, rng: random.Random) -> None:
    raw["result"]["winner"] = "dragon" if raw["result"]["winner"] == "human" else "human"


def _reason(raw: Raw, rng: random.Random) -> None:
    raw["result"]["reason"] = rng.choice(
        [reason for reason in ("R7.1", "R7.2", "R7.3", "R7.4", "R8.2") if reason != raw["result"]["reason"]]
    )


def _rounds(raw: Raw, rng: random.Random) -> None:
    raw["result"]["rounds"] += 1


def _name(raw: Raw, rng: random.Random) -> None:
    rng.choice(raw["players"])["name"] += "!"


def _kind(raw: Raw, rng: random.Random) -> None:
    player = rng.choice(raw["players"])
    player["kind"] = "ai" if player["kind"] == "person" else "person"


def _setting(raw: Raw, rng: random.Random) -> None:
    key = rng.choice(["first_holder", "sage_slain_ends", "activation_target", "act_last_lasts", "kill_target"])
    values = raw["settings"]
    other = {"random": "vote", "vote": "random", "round": "game", "game": "round"}
    if isinstance(values[key], bool):
        values[key] = not values[key]
    else:
        values[key] = other[values[key]] if isinstance(values[key], str) else values[key] % 3 + 1


def _digest(raw: Raw, rng: random.Random) -> None:
    raw["digest"] = flipped(raw["digest"])


Alteration = Callable[[Raw, random.Random], None]

FOUND_WITHOUT_DIGEST: tuple[Alteration, ...] = (
    *(_commitment, _secret, _seed, _contribution, _contribution_more),
    *(_role, _roles, _hand, _hand_order, _hand_shorter, _hand_empty, _scrolls, _scroll_twice, _seats, _turn_order),
    *(_first, _shown_order, _shown_card, _count, _target_more, _scroll_of_move, _scroll_without_effect),
    *(_left_out, _twice, _cut, _longer, _winner, _reason, _rounds),
)
"""What chance or the rules alone can tell: nobody needs to believe the record's digest."""
FOUND_BY_DIGEST: tuple[Alteration, ...] = (
    *(_card_drawn, _target, _passed_to, _vote, _card_played, _skipped, _played, _mover, _unmarked, _marked, _exchanged),
    *(_name, _kind, _setting, _digest),
)
"""What may be another legal game with the same end."""


def named(alterations: tuple[Alteration, ...]) -> list[Any]:
    return [pytest.param(one, id=one.__name__.strip("_")) for one in alterations]


def altered(alteration: Alteration) -> Iterator[Raw]:
    """Every game that has something of its kind, altered in a few places."""
    for number, true in enumerate(TRUE):
        for again in range(3):
            raw = copy.deepcopy(true)
            try:
                alteration(raw, random.Random(100 * number + again))
            except NothingToAlter:
                break
            assert raw != true
            yield raw


@pytest.mark.parametrize("number", range(len(TRUE)))
def test_a_true_record_has_no_difference(number: int) -> None:
    assert complaints(TRUE[number]) == []


@pytest.mark.parametrize("alteration", named((*FOUND_WITHOUT_DIGEST, *FOUND_BY_DIGEST)))
def test_an_alteration_is_found(alteration: Alteration) -> None:
    raws = list(altered(alteration))
    assert len(raws) >= 12, "too few games have something of the kind"
    assert [raw for raw in raws if not complaints(raw)] == []


@pytest.mark.parametrize("alteration", named(FOUND_WITHOUT_DIGEST))
def test_what_chance_and_the_rules_tell_is_found_without_a_digest(alteration: Alteration) -> None:
    for raw in altered(alteration):
        del raw["digest"]
        assert complaints(raw)


def test_differences_say_where_what_was_expected_and_what_was_found() -> None:
    raw = copy.deepcopy(TRUE[0])
    raw["result"]["rounds"] = 99
    _seed(raw, random.Random(1))
    _shown_order(raw, random.Random(1))
    del raw["digest"]
    seed, move = complaints(raw)
    assert seed.startswith("seed: expected ") and f"found {raw['fairness']['seed']}" in seed
    assert move.startswith("move ") and ": expected ['resolve', " in move
    at = int(move.split(":")[0].removeprefix("move "))
    assert move.endswith(f"found {raw['moves'][at - 1]}")


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to each value of a record, its digest apart."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inside in items:
        if path or key != "digest":
            yield (*path, key)
            yield from places(inside, (*path, key))


JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 11),
    st.floats(allow_nan=False),
    st.sampled_from([*CARDS, "timeout", "stand_in", "first", "resolve", "skip", "00", ""]),
    st.lists(st.integers(0, 5), max_size=3),
    st.just({}),
)


@given(st.sampled_from(TRUE), st.randoms(use_true_random=False), JUNK)
@settings(max_examples=400, deadline=None)
def test_any_value_put_anywhere_is_found_and_never_breaks_the_reader(true: Raw, rng: random.Random, junk: Any) -> None:
    raw = copy.deepcopy(true)
    *way, last = rng.choice(list(places(raw)))
    inside: Any = raw
    for key in way:
        inside = inside[key]
    if inside[last] == junk and type(inside[last]) is type(junk):
        return
    inside[last] = junk
    assert complaints(raw)


@pytest.mark.parametrize("turn", [True, 1.0])
def test_a_turn_that_only_equals_the_number_is_found(turn: Any) -> None:
    raw = copy.deepcopy(TRUE[0])
    raw["players"][0]["turn"] = turn
    assert complaints(raw)
