"""A tournament plays every cell at the same deals, and what it tells follows from the games."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence
from random import Random

import pytest

from cinderforge.arena.by_engine import Played, play_cells
from cinderforge.arena.report import as_json, as_picture, as_text
from cinderforge.arena.tables import MIXED, Cell, cells_of, lone_seats, seated, secret_of
from cinderforge.arena.tournament import Standing, tournament
from cinderforge.bots import BOTS
from cinderforge.bots.bot import Bot
from cinderforge.redaction.recollection import Recollection
from cinderforge.redaction.shapes import View
from cinderforge.rules.commands import Command, PlayCard
from cinderforge.rules.game import draw_deal
from cinderforge.rules.luck import SeededLuck, seed_from
from cinderforge.rules.settings import Settings, default_settings
from cinderforge.rules.words import Faction, Role, faction_of

POOL = ["dice", "plain"]


class Stubborn:
    """Asks for what nobody may do."""

    def choose(self, view: View, recollection: Recollection, rng: Random) -> Command:
        return PlayCard("no such card")


def standing(pool: dict[str, Bot], deals: int, seats: Sequence[int] = (8,)) -> Standing:
    def play(settings: Settings, cells: Sequence[Cell], numbers: Sequence[int]) -> Played:
        return play_cells(settings, pool, cells, "test", numbers)

    return tournament(list(pool), [default_settings(one) for one in seats], deals, "test", play)


@pytest.fixture(scope="module")
def told() -> Standing:
    return standing({name: BOTS[name] for name in POOL}, 24, (5, 8))


def roles_of(number: int, seats: int = 8) -> tuple[Role, ...]:
    return draw_deal(default_settings(seats), SeededLuck(seed_from(secret_of("test", number), ()))).roles


def test_in_a_cell_the_candidate_has_its_seats_and_nobody_elses() -> None:
    for number in range(50):
        roles, secret = roles_of(number), secret_of("test", number)
        whole = seated(Cell("all humans", "a", "b"), roles, secret, "ab")
        assert whole == ["a" if faction_of(role) is Faction.HUMAN else "b" for role in roles]
        for kind, faction in (("one human", Faction.HUMAN), ("one dragon", Faction.DRAGON)):
            names = seated(Cell(kind, "a", "b"), roles, secret, "ab")  # type: ignore[arg-type]
            assert names.count("a") == 1
            assert faction_of(roles[names.index("a")]) is faction
            mixed = [seated(Cell(kind, one, MIXED), roles, secret, "ab") for one in "ab"]  # type: ignore[arg-type]
            assert sum(one != other for one, other in zip(*mixed, strict=True)) == 1, "the strangers are the same"


def test_a_mixed_team_is_drawn_seat_by_seat_against_one_kind() -> None:
    found = set()
    for number in range(50):
        roles, secret = roles_of(number), secret_of("test", number)
        humans = [at for at, role in enumerate(roles) if faction_of(role) is Faction.HUMAN]
        dragons = sorted(set(range(8)) - set(humans))
        ours = seated(Cell("all humans", MIXED, "c"), roles, secret, "ab")
        assert {ours[at] for at in dragons} == {"c"}
        found.add("".join(sorted(ours[at] for at in humans)))
        theirs = seated(Cell("all humans", "c", MIXED), roles, secret, "ab")
        assert {theirs[at] for at in humans} == {"c"}
        assert {theirs[at] for at in dragons} <= {"a", "b"}
    assert found == {"aaaaa", "aaaab", "aaabb", "aabbb", "abbbb", "bbbbb"}


def test_what_mixing_costs_is_what_teams_of_one_kind_win_more(told: Standing) -> None:
    setting = told.settings[0]
    mixed = setting.wins("all humans", MIXED, "dice")
    whole = setting.wins("all humans", "dice", "dice") + setting.wins("all humans", "plain", "dice")
    assert setting.debt("human", "dice").value == pytest.approx(sum(whole) / 48 - sum(mixed) / 24)
    each = [setting.debt("dragon", one).value for one in POOL]
    assert setting.debt("dragon").value == pytest.approx(sum(each) / 2)
    found = as_json(told, {})["settings"][0]["mixing_costs"]
    assert found["dragon"]["each"][0] == pytest.approx(sum(each) / 2, abs=1e-4)


def test_every_seat_of_a_faction_is_the_lone_one_in_turn() -> None:
    found = {lone_seats(roles_of(n), secret_of("test", n))["one human"] for n in range(100)}
    assert found == set(range(8))


def test_each_cell_is_there_once_and_self_play_is_none_of_the_lonely_ones() -> None:
    cells = cells_of(POOL)
    assert len(cells) == len(set(cells)) == 4 + 2 * 2 + 2 * 4
    assert not [cell for cell in cells if cell.kind != "all humans" and cell.candidate == cell.population]
    assert cells_of(["dice"]) == [Cell("all humans", "dice", "dice")]


def test_the_same_seed_gives_the_same_results_in_any_batches(told: Standing) -> None:
    pool = {name: BOTS[name] for name in POOL}
    again = play_cells(default_settings(8), pool, cells_of(POOL), "test", range(16, 24))
    kept = told.settings[1]
    assert [kept.results[cell][16:] for cell in cells_of(POOL)] == again.results
    assert kept.lone[16:] == again.lone


def test_rates_follow_from_the_games(told: Standing) -> None:
    setting = told.settings[1]
    humans = setting.wins("all humans", "plain", "dice")
    assert setting.rate("all humans", "plain", "dice").value == sum(humans) / 24
    assert setting.wins("all dragons", "dice", "plain") == [not won for won in humans]
    assert setting.wins("one human", "plain", "plain") == setting.wins("all humans", "plain", "plain")
    assert setting.gain("one human", "plain", "plain").value == 0
    assert sum(setting.ends("dice", "dice").values()) == pytest.approx(1)
    assert set(setting.by_role("dice")) == set(Role)


def test_a_sensible_player_is_rated_above_dice(told: Standing) -> None:
    dice, plain = told.strengths
    assert plain.both.value > dice.both.value
    assert told.nash.mass[1] > 0.99


def test_what_is_not_allowed_is_counted_and_costs_the_time() -> None:
    found = standing({"stubborn": Stubborn(), "dice": BOTS["dice"]}, 10, (5,))
    assert found.conduct.refused["stubborn"] == found.conduct.decisions["stubborn"] > 0
    assert found.conduct.refused["dice"] == 0


def test_the_report_names_every_policy_and_the_picture_is_one(told: Standing) -> None:
    text = as_text(told)
    assert "5 seats, A 1, K 2" in text and "8 seats, A 2, K 3" in text
    assert all(text.count(name) > 10 for name in POOL)
    found = as_json(told, {"commit": "abc"})
    assert found["commit"] == "abc"
    assert found["settings"][1]["all_humans"]["plain"]["dice"][0] == pytest.approx(
        told.settings[1].rate("all humans", "plain", "dice").value, abs=1e-4
    )
    root = ET.fromstring(as_picture(told, "A <title>"))
    words = [one.text for one in root.iter() if one.text]
    assert "A <title>" in words and "plain" in words


def test_one_policy_alone_is_rated_by_its_own_games() -> None:
    found = standing({"dice": BOTS["dice"]}, 5, (5,))
    assert found.strengths[0].both.value == pytest.approx(0)
    assert "one human" not in as_text(found)
