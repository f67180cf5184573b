"""Looking at finished games again in a real browser: from a file, from a game's end, by keys, by touch, offline."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from cinderforge.records.record import Record, write
from cinderforge.records.replay import moments
from cinderforge.rules.settings import settings_from
from tests.e2e.pages import PHONE, needs_chromium
from tests.e2e.serving import ServerProcess
from tests.e2e.test_waiting_browser import GAME_SECONDS, Person, assert_well_made
from tests.records.games import NAMES, random_record

pytestmark = needs_chromium

DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
LANDSCAPE = PHONE | {"viewport": {"width": 844, "height": 390}}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """So fast that a game ends by itself."""
    with ServerProcess(tmp_path_factory.mktemp("replay"), tempo=60) as server:
        yield server


RECORD: Record = random_record(settings_from({"seats": 8, "activation_target": 5, "kill_target": 5}), 11)
STEPS = len(list(moments(RECORD)))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "game.cinder.jsonl"
    path.write_text(write(RECORD) + "\n", "utf-8")
    return path


def opened(person: Person, server: ServerProcess, file: Path, *, unseen: bool) -> Person:
    person.goes(f"{server.address}/replay")
    person.page.set_input_files('[data-testid="file"]', file)
    person.by("from-start" if unseen else "show-all").click()
    person.by("replay-board").wait_for()
    return person


def test_a_file_is_stepped_through_by_keys_with_anybodys_eyes_and_is_there_offline(
    server: ServerProcess, browser: Browser, file: Path
) -> None:
    person = opened(Person(browser, "Ann", **DESK), server, file, unseen=False)
    keys, count = person.page.keyboard, person.by("step-count")
    assert_well_made(person, "replay")
    expect(count).to_have_text(f"Step 1 of {STEPS}")
    keys.press("ArrowRight")
    expect(count).to_have_text(f"Step 2 of {STEPS}")
    expect(person.page.get_by_test_id("said")).to_contain_text("saw one another")
    keys.press("End")
    expect(count).to_have_text(f"Step {STEPS} of {STEPS}")
    keys.press("Shift+ArrowLeft")
    keys.press("Home")
    keys.press("Shift+ArrowRight")
    expect(person.by("round-1")).to_have_attribute("aria-current", "step")
    for _ in range(3):
        keys.press("ArrowRight")

    role, name = RECORD.deal.roles[1].replace("_", " "), NAMES[RECORD.players[1].seat - 1]
    other = person.by("place-2")
    expect(other).to_contain_text(name)
    assert f"role {role}" in other.inner_text().lower().replace("-", " ")
    person.by("eyes").select_option("1")
    assert "role" not in other.inner_text()
    assert "role" in person.by("place-1").inner_text()
    at = count.inner_text()
    person.by("eyes").focus()
    keys.press("ArrowDown")
    expect(count).to_have_text(at)
    assert "role" in other.inner_text()

    person.by("tab-game").click()
    person.by("verify").click()
    person.page.get_by_text("The secret agrees").wait_for()
    person.page.evaluate("navigator.serviceWorker.ready")
    person.until("navigator.serviceWorker.controller !== null")
    step = at.split()[1]
    person.page.wait_for_url(f"**/{step}?as=2")
    person.page.context.set_offline(True)
    person.page.reload()
    person.by("replay-board").wait_for()
    expect(count).to_have_text(at)
    expect(person.by("eyes")).to_have_value("2")
    expect(person.page.get_by_test_id("said")).not_to_be_empty()
    person.by("replay-back").click()
    person.page.get_by_text("game.cinder.jsonl").wait_for()
    assert_well_made(person, "list of replays")
    person.leaves()


def test_a_link_leads_to_one_moment_and_tells_nothing_of_what_comes_after(
    server: ServerProcess, browser: Browser, file: Path
) -> None:
    person = opened(Person(browser, "Ann", **DESK), server, file, unseen=True)
    person.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    count = person.by("step-count")
    for _ in range(6):
        person.page.keyboard.press("ArrowRight")
    person.by("eyes").select_option("2")
    person.by("link-moment").click()
    expect(person.page.get_by_role("status").filter(has_text="on this device only")).to_be_visible()
    link = person.page.evaluate("navigator.clipboard.readText()")
    assert link.endswith("/7?as=2")
    assert_well_made(person, "replay, linked")

    person.page.goto(f"{server.address}/rules")
    person.page.goto(link)
    person.by("at-moment").click()
    expect(count).to_have_text("Step 7")
    expect(person.by("eyes")).to_have_value("2")
    expect(person.page.get_by_test_id("said")).not_to_be_empty()
    person.page.keyboard.press("End")
    expect(count).to_have_text("Step 7")  # the rest is not told of
    person.page.keyboard.press("ArrowRight")
    expect(count).to_have_text("Step 8")
    person.page.wait_for_url("**/8?as=2")
    person.page.go_back()
    person.by("rules-search").wait_for()
    person.page.go_forward()
    person.by("at-moment").click()
    expect(count).to_have_text("Step 8")

    person.page.goto(link.replace("/7?as=2", "/9999?as=77"))
    person.by("at-moment").click()
    expect(count).to_have_text(f"Step {STEPS} of {STEPS}")
    expect(person.by("eyes")).to_have_value("0")
    person.leaves()


def test_whoever_wants_no_spoilers_learns_the_end_at_the_end(
    server: ServerProcess, browser: Browser, file: Path
) -> None:
    person = opened(Person(browser, "阿狸", "zh-TW", **PHONE), server, file, unseen=True)
    assert_well_made(person, "replay without spoilers")
    expect(person.by("step-count")).to_have_text("第 1 步")
    assert not person.there("round-1")
    person.by("tab-game").tap()
    person.page.get_by_text("看到最後就會揭曉").wait_for()
    for _ in range(STEPS - 1):
        person.by("on").tap()
    expect(person.by("step-count")).to_have_text(f"第 {STEPS}／{STEPS} 步")
    person.page.get_by_text("R7").or_(person.page.get_by_text("R8")).first.wait_for()
    for tab in ("now", "moves", "record"):
        person.by(f"tab-{tab}").tap()
        assert_well_made(person, f"replay, {tab}")
    person.leaves()


def test_a_replay_held_sideways_shows_all_in_one_screen(server: ServerProcess, browser: Browser, file: Path) -> None:
    person = opened(Person(browser, "阿狸", "zh-TW", **LANDSCAPE), server, file, unseen=False)
    for testid in ("place-1", "place-5", "slider", "on", "eyes"):
        expect(person.by(testid)).to_be_in_viewport()
    assert_well_made(person, "replay, sideways")
    person.leaves()


def test_what_is_wrong_with_a_file_is_said_in_words(server: ServerProcess, browser: Browser, tmp_path: Path) -> None:
    person = Person(browser, "Ann", **DESK).goes(f"{server.address}/replay")
    file = tmp_path / "broken.cinder.jsonl"
    file.write_text("\n" + write(RECORD).replace('"play"', '"plough"', 1), "utf-8")
    person.page.set_input_files('[data-testid="file"]', file)
    expect(person.by("replay-problem")).to_contain_text("no complete record of a game")
    expect(person.by("replay-problem")).to_contain_text("broken.cinder.jsonl, line 2: expected move")
    person.errors = [error for error in person.errors if "400" not in error]
    person.leaves()


def test_from_a_games_end_one_comes_to_its_replay_and_back(server: ServerProcess, browser: Browser) -> None:
    person = Person(browser, "Alice", **DESK).goes(server.address)
    person.by("practise").click()
    person.by("result").wait_for(timeout=GAME_SECONDS * 1000)
    person.by("review").click()
    person.by("replay-board").wait_for()
    expect(person.by("place-1")).to_contain_text("role")
    person.by("tab-game").click()
    person.by("verify").click()
    # at this pace one's random bytes may come too late to be mixed in, which is told as well
    person.page.get_by_text("your random bytes").wait_for()
    person.by("replay-back").click()
    person.by("result").wait_for()
    person.page.goto(f"{server.address}/replay")
    person.page.get_by_text("You won").or_(person.page.get_by_text("You lost")).wait_for()
    person.leaves()
