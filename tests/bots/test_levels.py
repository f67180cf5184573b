"""The levels: their names, what they forget, and that none does what nobody at the table would understand."""

from __future__ import annotations

import inspect
import random
from typing import Any

import pytest

from cinderforge.bots import BOTS, DEFAULT_BOT, LEVELS, bot_called, bot_of, own_name
from cinderforge.bots.absurd import absurd
from cinderforge.bots.characters import CHARACTERS, character_of, tilted
from cinderforge.bots.levels import SKILLS, Level
from cinderforge.kernel import ffi, lib
from tests.kernel.games import decisions, seen_by

DRAGONS = (lib.CF_RED, lib.CF_TWO_HEADED, lib.CF_SHADOW)
PERSONS = (lib.CF_SAGE, lib.CF_MYSTIC, lib.CF_ADVENTURER)


def _acts(public: Any, private: Any) -> list[int]:
    mask = lib.cf_legal(public, private)
    return [action for action in range(lib.CF_ACTIONS) if mask >> action & 1]


def test_a_level_has_a_number_beside_its_name() -> None:
    assert [own_name(f"level{number}") for number in range(1, 6)] == list(LEVELS)
    assert {own_name(name) for name in BOTS} == set(BOTS)
    assert own_name("level6") is own_name("knight:bold") is own_name("") is None
    assert DEFAULT_BOT in LEVELS


def test_research_may_name_a_character() -> None:
    assert bot_called("level3") is BOTS["knight"]
    assert bot_called("knight:bold") is bot_of("knight", "bold") is not BOTS["knight"]
    assert bot_called("knight:rude") is bot_called("plain:bold") is bot_called("nobody") is None
    assert bot_of("plain", "bold") is BOTS["plain"]


def _lies(game: Any, kinds: tuple[int, ...]) -> bool:
    return any(game.hid.played[game.pub.round][turn] in kinds for turn in range(game.pub.rules.n))


def _is_borne_out(game: Any, who: int, action: int, what: str) -> bool:
    """Whether the truth agrees that this was absurd."""
    if what == "person into a dragon":
        return _lies(game, DRAGONS)
    if what == "dragon for nothing":
        return not _lies(game, PERSONS)
    if what == "dragon against one's own":
        now = game.pub.rounds[game.pub.round]
        has_played = [now.act[place] == lib.CF_PLAYED for place in range(now.acted)]
        may_play = [game.pub.hand_size[now.order[place]] > 0 for place in range(now.acted + 1, game.pub.rules.n)]
        return game.hid.role[who] < lib.CF_RED and any(has_played + may_play)
    own = lib.CF_HUMAN if game.hid.role[who] < lib.CF_RED else lib.CF_DRAGON
    return any(_winner_after(game, other) == own for other in _acts(*seen_by(game, who)) if other != action)


def _winner_after(game: Any, action: int) -> int | None:
    after = ffi.new("cf_game *", game[0])
    lib.cf_apply(after, action, -1)
    return int(after.pub.winner) if after.pub.phase == lib.CF_OVER else None


def test_what_is_called_absurd_for_certain_is_so_in_truth() -> None:
    rng, found = random.Random("absurd"), dict[str, int]()
    for number in range(120):
        for game, who in decisions(5 + number % 6, rng):
            if who < 0 or game.pub.phase != lib.CF_PLAY:
                continue
            for action in (one for one in _acts(*seen_by(game, who)) if one != lib.CF_BLANK):
                what = absurd(*seen_by(game, who), action)
                if what and what != "sage into a likely dragon":
                    found[what] = found.get(what, 0) + 1
                    assert _is_borne_out(game, who, action, what)
    assert set(found) == {"person into a dragon", "dragon against one's own", "dragon for nothing", "win left lying"}


def _games(levels: list[Level], seats: int, count: int, rng: random.Random) -> int:
    """Plays games among these; gives how many absurd acts there were, also by what a player has forgotten."""
    off, rules = 0, ffi.new("cf_rules *", (seats, 2, 3, 1, 0, 0))
    for _ in range(count):
        game = ffi.new("cf_game *")
        lib.cf_deal(game, rules, rng.getrandbits(63))
        while (who := lib.cf_next(game)) >= 0:
            public, private = seen_by(game, who)
            action = levels[who % len(levels)]._action(public, private, rng)
            off += absurd(public, private, action) is not None
            assert not lib.cf_take(game, action, -1)
    return off


@pytest.mark.parametrize("name", LEVELS)
def test_a_level_does_nothing_absurd(name: str) -> None:
    thinks = SKILLS[name].care is not None
    levels = [Level(SKILLS[name], character) for character in (None, *CHARACTERS)]
    for seats in (5, 8) if thinks else range(5, 11):
        assert _games(levels, seats, 1 if thinks else 40, random.Random(f"{name}{seats}")) == 0


def test_who_forgets_is_asked_as_if_it_had_never_been_told() -> None:
    rng, faded = random.Random("faded"), 0
    forgetful, keen = Level(SKILLS["acolyte"]), Level(SKILLS["knight"])
    for game, who in (one for _ in range(60) for one in decisions(8, rng)):
        if who < 0:
            continue
        public, private = seen_by(game, who)
        out = forgetful.remembered(public, private)
        assert keen.remembered(public, private) is private
        others = [turn for turn in range(8) if turn != who]
        if public.round >= 2:
            assert [out.night[turn] for turn in others] == [-1] * 7
        else:
            assert list(out.night) == list(private.night)
        old = range(max(0, public.round - 1))
        assert all(out.seen_card[number] == out.seen_of[number] == -1 for number in old)
        assert all(out.seen_card[number] == private.seen_card[number] for number in range(len(old), 10))
        assert (out.role, list(out.hand), list(out.plays)) == (private.role, list(private.hand), list(private.plays))
        faded += any(private.seen_card[number] >= 0 for number in old)
    assert faded


def test_a_character_comes_from_the_chair_and_not_from_what_was_dealt() -> None:
    assert list(inspect.get_annotations(character_of)) == ["seed", "chair", "return"]
    drawn = [character_of("room", chair) for chair in range(400)]
    assert all(40 < drawn.count(one) < 120 for one in CHARACTERS)
    assert drawn == [character_of("room", chair) for chair in range(400)]


def test_a_character_leans_and_makes_nothing_possible_that_was_not() -> None:
    rng, leant = random.Random("characters"), dict.fromkeys(CHARACTERS, 0)
    for game, who in (one for _ in range(20) for one in decisions(8, rng)):
        if who < 0:
            continue
        known = seen_by(game, who)
        chances = BOTS["knight"].chances(*known, rng)  # type: ignore[attr-defined]
        for character in CHARACTERS:
            out = tilted(chances, *known, character)
            assert [bool(one) for one in out] == [bool(one) for one in chances]
            leant[character] += out != pytest.approx(chances)
    assert all(leant.values())
