"""The minds that a belief gives others: fair signs, right about who is like that, better than logic about strangers."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from cinderforge.bots.weights import shipped
from cinderforge.kernel import ffi, lib, minds
from cinderforge.kernel.belief import Filter
from cinderforge.kernel.scripts import DICE, EAGER, NET, PLAIN, SKIPPER
from cinderforge.rules.settings import DEFAULT_TARGETS
from tests.kernel.games import decisions, rules

SIGNS = 30


def _signs(game: Any, number: int, place: int) -> list[float]:
    out = ffi.new("float[]", SIGNS)
    lib.cf_signs(ffi.addressof(game.pub), number, place, out)
    return list(out)


def test_what_comes_later_changes_no_sign_of_an_act() -> None:
    rng = random.Random("signs")
    for seats in (5, 8, 10):
        for _ in range(15):
            then: dict[tuple[int, int], list[float]] = {}
            for game, who in decisions(seats, rng):
                number = game.pub.round
                if who >= 0 and game.pub.phase == lib.CF_PLAY:
                    place = game.pub.rounds[number].acted
                    game.pub.rounds[number].how[place] = lib.cf_how(ffi.addressof(game.pub), who)
                    then[number, place] = _signs(game, number, place)
                for (past, place), signs in then.items():
                    if who < 0 or rng.random() < 0.02:
                        assert _signs(game, past, place) == signs


def _deed(act: int) -> int:
    return {lib.CF_SKIP: 0, lib.CF_BLANK: 1, lib.CF_SAGE: 3}.get(act, 4 if act >= lib.CF_RED else 2)


def _of_one_mind(seats: int, model: Any, rng: random.Random) -> Iterator[tuple[Any, int]]:
    """A game among players who act just as the model's only mind says."""
    game = ffi.new("cf_game *")
    lib.cf_deal(game, rules(seats, rng), rng.getrandbits(63))
    while (who := lib.cf_next(game)) >= 0:
        yield game, who
        mask = lib.cf_mask(game)
        legal = [action for action in range(lib.CF_ACTIONS) if mask >> action & 1]
        chances = [1.0] * len(legal)
        if game.pub.phase == lib.CF_PLAY and rng.random() >= model.slip:
            record = game.pub.rounds[game.pub.round]
            record.how[record.acted] = lib.cf_how(ffi.addressof(game.pub), who)
            signs = _signs(game, game.pub.round, record.acted)
            weights = model.weight[0][game.hid.role[who]]
            scores = [sum(map(float.__mul__, weights[_deed(act)], signs)) * model.heat[0] for act in legal]
            chances = [math.exp(score) for score in scores]
        lib.cf_apply(game, rng.choices(legal, chances)[0], -1)
    yield game, -1


def test_a_belief_is_right_about_players_who_are_as_it_takes_them_to_be() -> None:
    rng, believed = random.Random("one mind"), Filter()
    known = minds.shipped()
    model = ffi.new(
        "cf_model *", {"minds": 1, "prior": [[1]] * 10, "heat": [1], "slip": 0.05, "weight": [known.weight[1]]}
    )
    said, true, sums = Counter[int](), Counter[int](), Counter[int]()
    bits = {"model": 0.0, "logic": 0.0}
    for _ in range(700):
        stop, seen = rng.randrange(15, 50), None
        for number, (game, who) in enumerate(_of_one_mind(8, model, rng)):
            if who >= 0 and (number == stop or seen is None or number < stop):
                seen = (ffi.new("cf_game *", game[0]), who)
            if number == stop:
                break
        assert seen
        kept, me = seen
        for name, minds_of_others in (("model", model), ("logic", None)):
            answer = believed.believe(ffi.addressof(kept.pub), ffi.addressof(kept.priv[me]), minds_of_others)
            assert answer and believed.weight_of(ffi.addressof(kept.hid)) > 0
            for turn, chance in enumerate(answer.dragon):
                is_dragon = kept.hid.role[turn] >= lib.CF_RED
                bits[name] -= math.log2(max(1e-9, chance if is_dragon else 1 - chance))
                if name == "model":
                    at = min(9, int(chance * 10))
                    said[at] += 1
                    sums[at] += round(chance * 1e6)
                    true[at] += is_dragon
    for at, count in said.items():
        mean = sums[at] / 1e6 / count
        assert abs(true[at] / count - mean) <= 4 * (mean * (1 - mean) / count) ** 0.5 + 0.002
    assert bits["model"] < 0.97 * bits["logic"]


def _in_company(seats: int, kinds: Sequence[tuple[int, float]], rng: random.Random) -> Iterator[tuple[Any, int]]:
    """A game among players of these kinds, a script or 0 for the net, who do anything legal so often."""
    game, dice = ffi.new("cf_game *"), ffi.new("uint64_t[2]", [rng.getrandbits(60), 1])
    activation, kill = DEFAULT_TARGETS[seats]
    lib.cf_deal(game, ffi.new("cf_rules *", (seats, activation, kill, 1, 0, 0)), rng.getrandbits(63))
    players = [rng.choice(kinds) for _ in range(seats)]
    chances = ffi.new("float[]", lib.CF_ACTIONS)
    while (who := lib.cf_next(game)) >= 0:
        yield game, who
        kind, noise = players[who]
        mask, pub, mine = lib.cf_mask(game), ffi.addressof(game.pub), ffi.addressof(game.priv[who])
        if kind or rng.random() < noise:
            action = lib.cf_script(1 if rng.random() < noise else kind or 1, pub, mine, mask, dice)
        else:
            lib.cf_policy(shipped("blueprint")[0], pub, mine, mask, 1.2, chances)
            action = rng.choices(range(lib.CF_ACTIONS), list(chances))[0]
        lib.cf_apply(game, action, -1)
    yield game, -1


STRANGERS = ((DICE, 0), (PLAIN, 0.2), (PLAIN, 0.05), (NET, 0), (NET, 0.1), (EAGER, 0.25), (SKIPPER, 0.3))


def test_about_strangers_a_belief_with_minds_beats_logic_and_is_right_where_it_is_sure() -> None:
    rng, believed = random.Random("strangers"), Filter()
    models = {"minds": minds.shipped(), "known": minds.shipped(("trained",) * 8), "logic": None}
    bits = {(table, name): 0.0 for table in ("mixed", "net") for name in models}
    sure = right = 0
    for number in range(300):
        last, table = 0, "net" if number % 3 else "mixed"
        kinds = ((NET, 0.0),) if table == "net" else STRANGERS
        for game, who in _in_company(8, kinds, rng):
            if who < 0 or game.pub.round == last:
                continue
            last = game.pub.round
            me = rng.randrange(8)
            for name, model in models.items():
                answer = believed.believe(ffi.addressof(game.pub), ffi.addressof(game.priv[me]), model)
                assert answer and believed.weight_of(ffi.addressof(game.hid)) > 0
                for turn, row in enumerate(answer.roles):
                    bits[table, name] -= math.log2(max(1e-9, row[game.hid.role[turn]]))
                    chance = max(answer.dragon[turn], 1 - answer.dragon[turn])
                    if name == "minds" and 0.95 <= chance < 1 - 1e-9:
                        sure += 1
                        right += (answer.dragon[turn] > 0.5) == (game.hid.role[turn] >= lib.CF_RED)
    assert bits["mixed", "minds"] < bits["mixed", "logic"]
    assert bits["net", "known"] < bits["net", "minds"] < bits["net", "logic"]
    assert right >= 0.93 * sure > 0


def test_players_are_found_to_have_the_mind_they_have() -> None:
    rng, believed = random.Random("whose mind"), Filter()
    model = minds.shipped()
    by_kind: dict[int, list[float]] = {DICE: [], PLAIN: []}
    for kind, found in by_kind.items():
        for _ in range(100):
            *_, (game, _) = _in_company(8, ((kind, 0.0),), rng)
            answer = believed.believe(ffi.addressof(game.pub), None, model)
            assert answer
            found += [row[1] for row in answer.minds]
    assert sum(by_kind[PLAIN]) / len(by_kind[PLAIN]) > sum(by_kind[DICE]) / len(by_kind[DICE]) + 0.05
