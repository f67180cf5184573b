"""The kernel's own chance: deals of R3.2, even draws, and the same game from the same seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import sqrt
from typing import Any

import pytest

from cinderforge.kernel import ffi, lib
from cinderforge.rules.settings import default_settings, roles_for
from cinderforge.rules.words import Card, Role

MOST_SIGMA = 4.5
ROLES = [Role(card.value) for card in Card if card is not Card.BLANK]
DRAW_NEXT, ACT_LAST = 2, 5


def rules_of(seats: int, *, vote: bool = False) -> Any:
    usual = default_settings(seats)
    return ffi.new("cf_rules *", [seats, usual.activation_target, usual.kill_target, 1, 0, vote])


def dealt(seats: int, games: int) -> Iterable[Any]:
    game, rules = ffi.new("cf_game *"), rules_of(seats)
    for seed in range(games):
        lib.cf_deal(game, rules, seed)
        yield game


def far_off(counts: Counter[Any], shares: dict[Any, float]) -> list[Any]:
    """What was drawn more or less often than its share allows."""
    total = sum(counts.values())
    return [
        one
        for one, share in shares.items()
        if abs(counts[one] - total * share) > MOST_SIGMA * sqrt(total * share * (1 - share))
    ]


@pytest.mark.parametrize("seats", range(5, 11))
def test_each_deal_has_the_roles_of_its_size_and_different_scrolls(seats: int) -> None:
    for game in dealt(seats, 300):
        roles = [ROLES[game.hid.role[turn]] for turn in range(seats)]
        assert sorted(roles) == sorted(roles_for(seats))
        scrolls = {game.hid.scroll[turn] for turn in range(seats)}
        assert len(scrolls) == seats and scrolls <= set(range(10))


def test_roles_scrolls_and_the_first_holder_are_drawn_evenly() -> None:
    seats, games = 8, 40_000
    roles: list[Counter[Role]] = [Counter() for _ in range(seats)]
    scrolls: list[Counter[int]] = [Counter() for _ in range(seats)]
    first: Counter[int] = Counter()
    for game in dealt(seats, games):
        first[game.pub.holder] += 1
        for turn in range(seats):
            roles[turn][ROLES[game.hid.role[turn]]] += 1
            scrolls[turn][game.hid.scroll[turn]] += 1
    of_size = Counter(roles_for(seats))
    shares = {role: number / seats for role, number in of_size.items()}
    assert [far_off(one, shares) for one in roles] == [[]] * seats
    assert [far_off(one, dict.fromkeys(range(10), 0.1)) for one in scrolls] == [[]] * seats
    assert far_off(first, dict.fromkeys(range(seats), 1 / seats)) == []


def opened(scrolls: list[int], *, vote: bool = False, seed: int = 1) -> Any:
    """Five seats: sage, two-headed dragon, mystic, adventurer, shadow dragon; the first holds the crystal."""
    game = ffi.new("cf_game *")
    roles = [Role.SAGE, Role.TWO_HEADED_DRAGON, Role.MYSTIC, Role.ADVENTURER, Role.SHADOW_DRAGON]
    lib.cf_begin(game, rules_of(5, vote=vote), [ROLES.index(role) for role in roles], scrolls, 0, seed)
    return game


def test_a_card_is_drawn_from_a_row_as_often_as_it_lies_there() -> None:
    met: Counter[int] = Counter()
    for seed in range(20_000):
        game = opened([DRAW_NEXT, 0, 1, 3, 4], seed=seed)
        game.pub.holder = 4  # gives it to the first, next to whom sits the two-headed dragon
        lib.cf_apply(game, lib.CF_CHOOSE, -1)
        assert game.pub.phase == lib.CF_ROW
        lib.cf_next(game)
        met[game.hid.seen[0]] += 1
    assert far_off(met, {lib.CF_TWO_HEADED: 2 / 3, lib.CF_ADVENTURER: 1 / 3}) == []
    assert set(met) == {lib.CF_TWO_HEADED, lib.CF_ADVENTURER}


def test_a_vote_of_nobody_elects_evenly_among_all() -> None:
    elected: Counter[int] = Counter()
    for seed in range(20_000):
        game = opened([0, 1, 2, 3, 4], vote=True, seed=seed)
        for _ in range(5):
            lib.cf_apply(game, lib.CF_NOBODY, -1)
        elected[game.pub.holder] += 1
    assert far_off(elected, dict.fromkeys(range(5), 0.2)) == []


def test_random_play_is_even() -> None:
    receivers: Counter[int] = Counter()
    for seed in range(20_000):
        game = opened([ACT_LAST, 6, 7, 8, 9], seed=seed)
        lib.cf_finish(game)
        receivers[game.pub.rounds[0].holder] += 1
    assert far_off(receivers, dict.fromkeys(range(1, 5), 0.25)) == []


def test_the_same_seed_gives_the_same_game_and_another_seed_another() -> None:
    def final(seed: int) -> bytes:
        game = ffi.new("cf_game *")
        lib.cf_deal(game, rules_of(8), seed)
        lib.cf_finish(game)
        return bytes(ffi.buffer(game))

    assert final(7) == final(7)
    assert len({final(seed) for seed in range(200)}) == 200


def test_what_is_not_legal_is_refused_and_changes_nothing() -> None:
    game = opened([0, 1, 2, 3, 4])
    before = bytes(ffi.buffer(game))
    refused = [action for action in range(-1, 20) if not lib.cf_mask(game) >> max(action, 0) & 1 or action < 0]
    assert all(lib.cf_take(game, action, -1) == -1 for action in refused)
    assert bytes(ffi.buffer(game)) == before


def test_a_game_put_together_from_its_halves_is_the_game() -> None:
    game, again = ffi.new("cf_game *"), ffi.new("cf_game *")
    lib.cf_deal(game, rules_of(8), 3)
    for _ in range(12):
        mask = lib.cf_mask(game)
        lib.cf_apply(game, mask.bit_length() - 1, -1)
    lib.cf_assemble(again, ffi.addressof(game, "pub"), ffi.addressof(game, "hid"), 1)
    known = ffi.offsetof("cf_game", "priv") + 8 * ffi.sizeof("cf_private")
    assert bytes(ffi.buffer(game))[:known] == bytes(ffi.buffer(again))[:known]
