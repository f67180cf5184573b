"""The grid of settings: what is in it, what a point says, and that a page shows it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cinderforge.arena.balance import Point, as_line, as_page, from_line, grid, point_of
from cinderforge.arena.tables import Result
from cinderforge.rules.settings import Settings, default_settings, others_dealt
from tools.make_balance import data_from

FAIR = [Result(True, "R7.2", 6)] * 35 + [Result(True, "R7.4", 8)] * 15 + [Result(False, "R7.1", 4)] * 30
FAIR += [Result(False, "R7.3", 6)] * 20


def test_the_grid_of_what_may_be_a_default_has_every_default_and_no_target_that_is_out_of_reach() -> None:
    points = list(grid(range(5, 11), options=False))
    assert len(points) == len(set(points))
    assert all(default_settings(seats) in points for seats in range(5, 11))
    assert all(2 * one.activation_target <= others_dealt(one.seats) for one in points)
    assert all(one.kill_target < others_dealt(one.seats) for one in points)


def test_the_whole_grid_has_all_that_a_host_may_set_and_begins_with_what_may_be_a_default() -> None:
    likely, points = list(grid([5, 8], options=False)), list(grid([5, 8], options=True))
    assert points[: len(likely)] == likely
    assert len(points) == len(set(points)) == 8 * (3 * 3 + 5 * 5)


def test_a_point_says_who_won_why_and_how_soon() -> None:
    point = point_of(default_settings(8), "dice", FAIR)
    assert point.rate.value == 0.5
    assert point.mean_rounds == pytest.approx(5.7)
    assert point.is_default and point.is_liked
    assert from_line(json.loads(json.dumps(as_line(point)))) == point


@pytest.mark.parametrize(
    "results",
    [
        FAIR + [Result(True, "R7.4", 8)] * 30,  # the humans win too often
        FAIR + [Result(False, "R7.3", 6)] * 30,  # the dragons do
        [Result(one.humans_won, "R7.1", one.rounds) for one in FAIR],  # one reason ends most games
        [Result(one.humans_won, one.reason, 4) for one in FAIR],  # it is over too soon
    ],
)
def test_what_nobody_would_want_is_not_liked(results: list[Result]) -> None:
    assert not point_of(default_settings(8), "dice", results).is_liked


def test_the_page_has_a_table_for_each_size_and_policy() -> None:
    points: list[Point] = []
    for settings in grid([5, 6], options=False):
        points += [point_of(settings, policy, FAIR) for policy in ("dice", "<b>")]
    page = as_page(points, "about it")
    assert page.count("<table>") == 4 and page.count("50.0 ±") == len(points)
    assert page.count('class="usual liked"') == 4
    assert "&lt;b&gt;" in page and "<b>" not in page


def test_other_options_are_no_default() -> None:
    assert not point_of(Settings(sage_slain_ends=False), "dice", FAIR).is_default


def test_what_the_product_knows_is_of_one_net_and_of_the_most_games(tmp_path: Path) -> None:
    how = {"seed": "1", "commit": "abc", "net": "one"}
    few, many = (point_of(default_settings(8), "kernel/blueprint", FAIR * times) for times in (1, 3))
    file = tmp_path / "balance.jsonl"
    file.write_text("\n".join(json.dumps({**as_line(point), **how}) for point in (few, many, few)), "utf-8")
    found = data_from(file).splitlines()
    assert found[1:2] == ["# blueprint: net one, seed 1, commit abc"]
    assert found[3:] == ["blueprint,8,2,3,yes,round,random,300,150,1710,90,105,60,45,0"]
    with file.open("a", encoding="utf-8") as more:
        more.write("\n" + json.dumps({**as_line(few), **how, "net": "other"}))
    with pytest.raises(SystemExit, match="one net"):
        data_from(file)
