"""AIs weigh what others claim: each level as well as it listens, never its own words, and no lie for a certainty."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from math import log

import pytest
from msgspec.structs import replace

from cinderforge.bots import BOTS, HABIT, LEVELS, takes_long
from cinderforge.bots.hearing import TRUTH, hearsay, leaned, taken_at_their_word, weighed
from cinderforge.bots.levels import SKILLS, Level
from cinderforge.bots.searcher import Care
from cinderforge.bots.sight import sight
from cinderforge.kernel import lib
from cinderforge.kernel.belief import Filter
from cinderforge.redaction import claims as c
from cinderforge.redaction.claims import Claim, ClaimedView
from cinderforge.redaction.eye import PlayerEye
from cinderforge.redaction.recollection import ClaimHeard, Recollection, recollection
from cinderforge.redaction.shapes import PlayOffer, View
from cinderforge.redaction.view import view
from cinderforge.rules.settings import default_settings
from cinderforge.rules.state import awaited
from cinderforge.rules.words import Card, Faction, Phase, Role, Turn
from cinderforge.testkit.drive import random_game, steps

PLAIN_TALK: tuple[Claim, ...] = (
    c.TeamClaim(3, Faction.DRAGON, 3),
    c.RoleClaim(2, Role.SAGE),
    c.FourClaim([1, 4, 5]),
    c.SuspectClaim(4),
    c.TrustClaim(1),
)


def told(*said: tuple[int, Claim], round: int = 1) -> list[ClaimHeard]:
    """Claims one after the other, numbered from 10."""
    return [ClaimHeard(n, ClaimedView(1, Turn(turn), round, claim)) for n, (turn, claim) in enumerate(said, 10)]


def moments(seed: int, count: int) -> Iterator[tuple[View, Recollection]]:
    """Plays to be decided on, by somebody who is asked."""
    found, rng = 0, random.Random(seed)
    while found < count:
        for _, state in steps(random_game(default_settings(8), rng)):
            turns = awaited(state.table) if state.table.phase is Phase.PLAY else ()
            if turns and rng.random() < 0.15:
                shown = view(state, PlayerEye(turns[0]))
                if shown.you and isinstance(shown.you.offer, PlayOffer):
                    found += 1
                    yield shown, recollection(state, turns[0])


def test_a_claim_becomes_a_row_of_who_says_what_of_whom() -> None:
    rows = hearsay(told((2, c.RoleClaim(2, Role.SAGE)), (3, c.TeamClaim(5, Faction.DRAGON, 3))), Turn(1))
    assert rows.count == 2
    own, other = rows.claims[0], rows.claims[1]
    assert (own.speaker, own.kind, own.who, own.set, own.denied) == (1, lib.CF_SAYS_ROLES, 1, 1 << lib.CF_SAGE, 0)
    assert (other.speaker, other.who, other.set) == (2, 4, 0b111000)
    truth = TRUTH["a dragon, for sure"]
    assert other.weight[lib.CF_SAGE][1] == pytest.approx(log(truth.sage / truth.by_chance))


def test_who_agrees_says_the_same_and_who_denies_the_contrary() -> None:
    claims = told(
        (2, c.TeamClaim(5, Faction.DRAGON, 2)), (3, c.AgreeClaim(10)), (4, c.DenyClaim(10)), (6, c.AgreeClaim(12))
    )
    rows = hearsay(claims, Turn(1))
    assert [(row.speaker, row.who, row.denied) for row in rows.claims[0 : rows.count]] == [
        (1, 4, 0),
        (2, 4, 0),
        (3, 4, 1),
    ]


def test_of_what_somebody_says_on_one_subject_the_last_word_counts_and_ones_own_words_do_not() -> None:
    claims = told(
        (2, c.TeamClaim(5, Faction.DRAGON, 2)),
        (2, c.TeamClaim(5, Faction.DRAGON, 2)),
        (2, c.TeamClaim(5, Faction.HUMAN, 1)),
        (1, c.RoleClaim(1, Role.MYSTIC)),
    )
    rows = hearsay(claims, Turn(1))
    assert [row.set for row in rows.claims[0 : rows.count]] == [0b000111]
    assert hearsay(told((1, c.RoleClaim(1, Role.MYSTIC)), (2, c.AskClaim(1, "role"))), Turn(1)) is None


def test_what_the_level_does_not_listen_to_changes_nothing_that_it_does() -> None:
    silent = Level(SKILLS["acolyte"])
    for number, (shown, recalled) in enumerate(moments(1, 20)):
        loud = replace(recalled, claims=told(*((turn, claim) for turn in (2, 3, 7) for claim in PLAIN_TALK)))
        assert silent.choose(shown, loud, random.Random(number)) == silent.choose(
            shown, recalled, random.Random(number)
        )


@pytest.mark.parametrize("name", [name for name in LEVELS if SKILLS[name].ear != "nothing"])
def test_a_level_that_listens_is_moved_by_what_it_hears_and_the_same_each_time(name: str) -> None:
    skill = SKILLS[name]
    level, moved = Level(skill), 0
    if skill.care:
        bound = Care(games=12, steps=400, pull=skill.care.pull)
        level = Level(type(skill)(care=bound, heat=skill.heat))
    for number, (shown, recalled) in enumerate(moments(2, 40)):
        assert shown.you
        human = shown.you.faction is Faction.HUMAN
        speakers = [turn for turn in range(1, 9) if turn != shown.you.turn]
        suspects = random.Random(number).sample(speakers, 3)
        said = [(turn, c.TeamClaim(who, Faction.DRAGON, 3)) for turn in speakers for who in suspects if who != turn]
        loud = replace(recalled, claims=told(*said))
        known = sight(shown, recalled)
        heard = [level.heard(shown, one) for one in (recalled, loud, loud)]
        assert heard[0] is None
        chances = [level.chances(*known, random.Random(number), one) for one in heard]
        assert chances[1] == chances[2]
        assert [bool(one) for one in chances[0]] == [bool(one) for one in chances[1]] or skill.care
        moved += chances[0] != chances[1]
        if not human and not skill.care:
            assert chances[0] == chances[1]
    assert moved


def test_no_level_that_is_to_play_is_asked_in_the_loop_whatever_its_role(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_belief(*_: object, **__: object) -> None:
        raise AssertionError("a belief is asked for")

    monkeypatch.setattr(Filter, "believe", no_belief)
    for shown, recalled in moments(5, 20):
        loud = replace(recalled, claims=told((2, c.TeamClaim(5, Faction.DRAGON, 2))))
        BOTS[HABIT].choose(shown, loud, random.Random(1))
        assert all(takes_long(name, shown) for name in LEVELS)
        vote = replace(shown, table=replace(shown.table, phase=Phase.VOTE))
        assert [name for name in LEVELS if takes_long(name, vote)] == ["warden", "oracle"]
    assert not takes_long(HABIT, shown), "what acts in the place of a late thought takes no time"


def against(claims: Sequence[ClaimHeard], shown: View, recalled: Recollection) -> list[float]:
    assert shown.you
    return weighed(*sight(shown, recalled), hearsay(claims, shown.you.turn))


def test_a_lie_found_out_speaks_against_the_liar_and_not_against_whom_it_is_about() -> None:
    liars = 0
    for shown, recalled in moments(3, 30):
        assert shown.you
        if shown.you.faction is Faction.DRAGON:
            continue
        liar = Turn(shown.you.turn % 8 + 1)
        found = against(told((liar, c.TeamClaim(shown.you.turn, Faction.DRAGON, 3))), shown, recalled)
        assert found[liar - 1] >= 0 and found[shown.you.turn - 1] == 0
        liars += found[liar - 1] > 0.2
    assert liars > 5


def test_a_human_lays_a_person_card_more_gladly_beside_whom_others_speak_well_of() -> None:
    compared = 0
    for shown, recalled in moments(4, 40):
        assert shown.you and isinstance(shown.you.offer, PlayOffer)
        public, private = sight(shown, recalled)
        others = [act.turn for act in shown.table.acts if act.act == "played" and act.turn != shown.you.turn]
        if shown.you.faction is Faction.DRAGON or not others or Card.BLANK not in shown.you.offer.cards:
            continue
        even = [1.0] * lib.CF_ACTIONS
        for claim, sign in ((c.SuspectClaim(others[0]), -1), (c.TrustClaim(others[0]), 1)):
            speaker = next(turn for turn in range(1, 9) if turn not in (others[0], shown.you.turn))
            word = taken_at_their_word(told((speaker, claim)), shown.you.turn, 8)
            out = leaned(even, public, private, word)
            assert (out[lib.CF_ADVENTURER] > 1) == (sign > 0) and out[lib.CF_BLANK] == 1
            compared += 1
    assert compared > 5
