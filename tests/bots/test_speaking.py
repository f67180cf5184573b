"""AIs say what may be said, lie no more than they may, and tell nothing by how much, when or in which form."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import get_args

import pytest

from cinderforge.bots import LEVELS
from cinderforge.bots.characters import CHARACTERS
from cinderforge.bots.levels import SKILLS, Level
from cinderforge.bots.speaking import Tongue, spoken
from cinderforge.bots.wording import FREE, HONEST, MAY_NEED_A_LIE, Form, form, moments
from cinderforge.redaction import claims as c
from cinderforge.redaction.claims import Claim, ClaimedView
from cinderforge.redaction.eye import PlayerEye
from cinderforge.redaction.recollection import ClaimHeard, recollection
from cinderforge.redaction.view import view
from cinderforge.rules.settings import default_settings
from cinderforge.rules.state import GameState
from cinderforge.rules.words import DRAGON_CARDS, Faction, Phase, Role, Turn
from cinderforge.talk.claims import problem_with
from cinderforge.testkit.drive import random_game, steps
from cinderforge.testkit.twins import any_world, twin

FREELY = Tongue("free", 0.2)


def passes(seats: int, seed: str) -> Iterator[GameState]:
    """The beginning of each round of a random game."""
    last = 0
    for _, state in steps(random_game(default_settings(seats), Random(seed))):
        if state.table.phase is Phase.PASS and state.table.round != last:
            last = state.table.round
            yield state


def said_in(seats: int, seed: str, tongue: Tongue, count: int = 2) -> Iterator[tuple[GameState, Turn, Claim]]:
    """What everybody says in a game in which everybody speaks in each round."""
    claims = list[ClaimHeard]()
    for state in passes(seats, seed):
        for number in range(1, seats + 1):
            turn, recalled = Turn(number), recollection(state, Turn(number), claims)
            words = spoken(view(state, PlayerEye(turn)), recalled, tongue, count, f"{seed} {state.table.round} {turn}")
            assert len(words) == count
            for claim in words:
                looked = {seen.of for seen in recalled.cards if seen.to in (None, turn)}
                earlier = [heard.line for heard in claims if heard.claim.turn != turn]
                table = view(state, PlayerEye(turn)).table
                assert problem_with(claim, turn, table, earlier, looked) == "", "it is refused as anybody's would be"
                claims.append(ClaimHeard(len(claims) + 1, ClaimedView(1, turn, state.table.round, claim)))
                yield state, turn, claim


@pytest.mark.parametrize("seats", [5, 8, 10])
def test_whatever_an_ai_says_may_be_said(seats: int) -> None:
    found = Counter(type(claim).__name__ for n in range(3) for *_, claim in said_in(seats, f"{n}", FREELY))
    assert len(found) >= 8


def is_false(state: GameState, turn: Turn, claim: Claim) -> bool:
    """Whether it is known to be false to who says it: what one knows is restated."""
    me = view(state, PlayerEye(turn)).you
    assert me
    match claim:
        case c.RoleClaim(whom, role):
            return whom == turn and role is not me.role
        case c.NotRoleClaim(whom, role):
            return whom == turn and role is me.role
        case c.PlayedClaim(whom, round, card):
            return whom == turn and me.plays[round - 1] is not card
        case c.ScrollSawClaim(of, card):
            return all(seen.card is not card for seen in recollection(state, turn).cards if seen.of == of)
        case _:
            return False


def test_the_honest_say_nothing_that_they_know_to_be_false() -> None:
    for number in range(4):
        for state, turn, claim in said_in(8, f"honest {number}", Tongue("honest", 0.5)):
            assert not is_false(state, turn, claim), (turn, claim)
            assert claim.__struct_config__.tag in HONEST


def test_the_careful_tell_at_most_one_lie_a_game_about_what_they_have_or_saw() -> None:
    lies = Counter[tuple[int, int]]()
    for number in range(6):
        for state, turn, claim in said_in(8, f"careful {number}", Tongue("careful", 0.3)):
            if claim.__struct_config__.tag in MAY_NEED_A_LIE:
                lies[number, turn] += 1
            else:
                assert not is_false(state, turn, claim), claim
    assert lies and max(lies.values()) == 1


def test_humans_but_the_sage_tell_the_truth_of_cards_and_of_their_role() -> None:
    lied = Counter[bool]()
    for number in range(6):
        for state, turn, claim in said_in(8, f"free {number}", FREELY):
            me = view(state, PlayerEye(turn)).you
            assert me
            if isinstance(claim, c.RoleClaim | c.PlayedClaim | c.ScrollSawClaim) and me.role is not Role.SAGE:
                lied[me.faction is Faction.DRAGON] += is_false(state, turn, claim)
    assert lied[False] == 0 and lied[True] > 0


def side_called(claim: Claim) -> tuple[int, Faction] | None:
    """Whom somebody calls what, in plain words."""
    match claim:
        case c.TeamClaim(whom, faction):
            return whom, faction
        case c.SuspectClaim(whom):
            return whom, Faction.DRAGON
        case c.TrustClaim(whom):
            return whom, Faction.HUMAN
        case _:
            return None


def test_nobody_says_what_cannot_be_beside_their_own_words() -> None:
    again, seeds = 0, (f"own words {number}" for number in range(100))
    for seed in islice((one for one in seeds if len([*passes(8, one)]) >= 5), 3):
        called = dict[tuple[Turn, int], Faction]()
        for _, turn, claim in said_in(8, seed, FREELY, 4):
            if found := side_called(claim):
                whom, faction = found
                again += (turn, whom) in called
                assert called.setdefault((turn, whom), faction) is faction
    assert again > 20


def test_what_one_played_or_why_one_skipped_is_asked_of_those_who_did_so_in_the_last_round() -> None:
    topics = Counter[str]()
    for number in range(8):
        for state, _, claim in said_in(8, f"asks {number}", FREELY, 4):
            if isinstance(claim, c.AskClaim):
                topics[claim.topic] += 1
                last = state.table.past[-1].acts if state.table.past else ()
                acts = {"played": "played", "skipped": "skipped"}
                if claim.topic in acts:
                    assert any(act.turn == claim.turn and act.act == acts[claim.topic] for act in last), claim
    assert len(topics) == 5


def test_nobody_says_that_they_played_a_dragon_card_but_a_human_who_did_or_where_no_other_was_shown() -> None:
    said = 0
    for number in range(8):
        for state, turn, claim in said_in(8, f"owns up {number}", Tongue("free", 10), 4):
            me = view(state, PlayerEye(turn)).you
            if isinstance(claim, c.PlayedClaim) and me:
                if me.faction is Faction.HUMAN and me.plays[claim.round - 1] in DRAGON_CARDS:
                    continue
                shown = set(state.table.past[claim.round - 1].cards)
                said += bool(shown & DRAGON_CARDS)
                assert claim.card not in DRAGON_CARDS or shown <= DRAGON_CARDS
    assert said > 0


def test_nobody_denies_that_they_may_be_trusted() -> None:
    answers = 0
    for number in range(8):
        heard = dict[int, Claim]()
        for line, (_, turn, claim) in enumerate(said_in(8, f"denies {number}", FREELY, 4), 1):
            heard[line] = claim
            if isinstance(claim, c.DenyClaim):
                whom, side = side_called(heard[claim.line]) or (0, Faction.DRAGON)
                answers += whom == turn
                assert whom != turn or side is Faction.DRAGON
    assert answers > 0


# -- no tells ----------------------------------------------------------------------------------------------------------


def test_how_much_when_and_in_which_form_is_drawn_by_what_is_given_no_role() -> None:
    assert list(inspect.get_annotations(moments)) == ["rng", "character", "return"]
    assert list(inspect.get_annotations(form)) == ["rng", "voice", "table", "me", "claims", "looked_at", "return"]
    for character in CHARACTERS:
        drawn = [moments(Random(seed), character) for seed in range(300)]
        assert all(len(times) <= 2 and times == sorted(times) for times in drawn)
        assert all(2 <= time <= 20 for times in drawn for time in times)
        assert [] in drawn and any(drawn)


def test_in_a_twin_of_its_world_an_ai_says_the_same_and_whatever_its_role_it_speaks_in_the_form_that_was_drawn() -> (
    None
):
    rng, compared, others = Random("twins"), 0, 0
    while compared < 60:
        world = any_world(rng)
        states = list(world.states())
        days = [at for at, state in enumerate(states) if state.table.phase is Phase.PASS and state.table.round > 1]
        for at in rng.sample(days, min(2, len(days))):
            turn = Turn(rng.randint(1, len(states[at].table.seats)))
            other = twin(world.until(at), PlayerEye(turn), rng)
            if other is None:
                continue
            *_, there = other.states()
            both = [
                [
                    spoken(view(state, PlayerEye(whose)), recollection(state, whose), FREELY, 2, "the same")
                    for whose in (turn, Turn(turn % len(state.table.seats) + 1))
                ]
                for state in (states[at], there)
            ]
            assert both[0][0] == both[1][0], "nothing but what its seat knows goes into its words"
            tags = [[claim.__struct_config__.tag for claim in said[1]] for said in both]
            assert tags[0][0] == tags[1][0], "another, whose cards were dealt anew, still speaks in the form drawn"
            compared += 1
            others += both[0][1] != both[1][1]
    assert others > 10


def test_every_form_has_its_weight_and_every_level_its_tongue() -> None:
    assert set(FREE) == set(get_args(Form)) >= set(HONEST)
    assert [SKILLS[name].tongue.voice for name in LEVELS] == ["honest", "honest", "careful", "free", "free"]
    state = next(passes(8, "levels"))
    for name in LEVELS:
        level = Level(SKILLS[name])
        said = [level.spoken(view(state, PlayerEye(Turn(3))), recollection(state, Turn(3)), 1, "x") for _ in range(2)]
        assert said[0] == said[1] and len(said[0]) == 1
