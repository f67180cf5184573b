"""Learning the game in a real browser: the tutorial to its end by keyboard and by touch, and the questions after it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.pages import PHONE, Watched, needs_chromium
from tests.e2e.serving import ServerProcess
from tests.e2e.test_waiting_browser import assert_well_made

pytestmark = needs_chromium

CONTENT = Path(__file__).parents[2] / "content"
STEPS = 21
MOST_KEYS = 40


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("teach"), tempo=4) as server:
        yield server


class Learner(Watched):
    """Somebody who has opened the tutorial."""

    def __init__(self, browser: Browser, server: ServerProcess, language: str, **more: Any) -> None:
        context = browser.new_context(locale=language, reduced_motion="reduce", **more)
        super().__init__(context.new_page())
        self.page.goto(server.address)
        self.by("learn").click()
        self.by("coach").wait_for()

    @property
    def step(self) -> str:
        return self.by("coach").get_attribute("data-step") or ""

    def comes_to(self, step: str) -> None:
        """The others have acted, and the coach says what this step is about."""
        expect(self.page.locator(f'[data-testid="coach"][data-step="{step}"]:not(.brief)')).to_be_visible()

    def sees_what_is_pointed_at(self) -> None:
        """The bubble lies over nothing that it points at."""
        covered = self.page.evaluate(
            """() => {
              const ring = document.querySelector('.ring');
              if (!ring) return false;
              const a = document.querySelector('[data-testid="coach"]').getBoundingClientRect();
              const b = ring.getBoundingClientRect();
              return Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
                && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
            }"""
        )
        assert not covered, self.step

    def leaves(self) -> None:
        assert self.errors == []
        self.page.context.close()


def steps_of(language: str) -> list[str]:
    return list(tomllib.loads((CONTENT / "teach" / "learn" / f"{language}.toml").read_text("utf-8"))["steps"])


def test_the_tutorial_is_walked_to_its_end_and_the_questions_are_answered_by_keyboard(
    server: ServerProcess, browser: Browser
) -> None:
    learner = Learner(browser, server, "en-US", viewport={"width": 1280, "height": 800})
    keys = learner.page.keyboard

    def focused() -> str:
        return str(learner.page.evaluate("document.activeElement?.dataset.testid ?? ''"))

    def tab_to(testid: str) -> None:
        for _ in range(MOST_KEYS):
            if focused() == testid:
                return
            keys.press("Tab")
        raise AssertionError(f"no way to {testid} by keys")

    steps = steps_of("en")
    assert len(steps) == STEPS
    for step in steps[:-1]:
        learner.comes_to(step)
        learner.page.wait_for_timeout(200)
        learner.sees_what_is_pointed_at()
        if not learner.there("coach-show"):
            tab_to("coach-next")
            keys.press("Enter")
            continue
        tab_to("coach-show")
        if step in ("skip", "lead"):
            expect(learner.by("skip")).to_be_enabled()
        keys.press("Enter")
        learner.page.wait_for_timeout(50)
        if step == "look":
            keys.down(" ")
            keys.up(" ")
            tab_to("seen")
        elif step not in ("skip", "lead"):
            keys.press("Enter")
            if step != "forced_play":
                tab_to("confirm")
        keys.press("Enter")
    learner.comes_to("shown")
    learner.by("lesson-end").get_by_text("R7.2").wait_for()
    assert_well_made(learner, "the end of the tutorial")
    tab_to("coach-next")
    keys.press("Enter")
    expect(learner.by("to-quiz")).to_be_focused()
    keys.press("Enter")

    learner.by("quiz").wait_for()
    assert_well_made(learner, "quiz")
    for question in tomllib.loads((CONTENT / "teach" / "learn" / "en.toml").read_text("utf-8"))["questions"]:
        expect(learner.page.get_by_role("heading", name=question["question"])).to_be_focused()
        tab_to(f"answer-{question['right']}")
        keys.press("Enter")
        learner.page.get_by_text(question["why"]).wait_for()
        tab_to("quiz-next")
        keys.press("Enter")
    expect(learner.by("score")).to_have_text("10 of 10 right")
    tab_to("quiz-to-game")
    keys.press("Enter")
    learner.page.wait_for_url("**/r/*")  # practice asks for no name
    learner.leaves()


def test_the_tutorial_is_walked_to_its_end_by_touch(server: ServerProcess, browser: Browser) -> None:
    learner = Learner(browser, server, "zh-TW", **PHONE)

    def tap(testid: str) -> None:
        learner.by(testid).tap()

    doings = {
        "look": ["hold-role", "seen"],
        "vote": ["seat-4", "confirm"],
        "guard": ["coach-say", "coach-next"],
        "first_pass": ["seat-4", "confirm"],
        "forced_play": ["hand-0", "confirm"],
        "peek_whom": ["seat-2", "confirm"],
        "peek_which": ["row-3", "confirm"],
        "skip": ["skip"],
        "tell": ["coach-say", "coach-next"],
        "second_pass": ["seat-1", "confirm"],
        "lead": ["skip"],
    }
    for step in steps_of("zh-TW")[:-1]:
        learner.comes_to(step)
        learner.page.wait_for_timeout(200)
        learner.sees_what_is_pointed_at()
        if step in ("welcome", "night", "vote"):
            assert_well_made(learner, step)
        if step == "forced_play":
            tap("hand-1")
            tap("confirm")
            learner.by("coach").get_by_text("出空白卡也合規則").wait_for()
        for testid in doings.get(step, ["coach-next"]):
            tap(testid)
    learner.comes_to("shown")
    tap("coach-next")
    tap("to-quiz")
    tap("answer-0")
    learner.by("quiz").get_by_text("R7.1").wait_for()
    learner.leaves()


@pytest.mark.parametrize("language", ["zh-TW", pytest.param("en-US", marks=pytest.mark.everywhere)])
def test_rules_terms_scrolls_and_story_are_well_made_and_searched_by_keys(
    server: ServerProcess, browser: Browser, language: str
) -> None:
    reader = Watched(browser.new_context(locale=language, reduced_motion="reduce", **PHONE).new_page())
    for part in ("", "/terms", "/scrolls", "/story"):
        reader.page.goto(f"{server.address}/rules{part}")
        expect(reader.by(f"part-{part[1:] or 'rules'}")).to_have_attribute("aria-pressed", "true")
        assert_well_made(reader, part or "/rules")
    reader.page.keyboard.press("/")
    expect(reader.by("rules-search")).to_be_focused()
    reader.page.keyboard.type("sage")
    expect(reader.page.locator("[data-result]").first).to_be_visible()
    reader.page.keyboard.press("Enter")
    expect(reader.page.locator("[data-result]").first).to_be_focused()
    assert_well_made(reader, "what was found")
    assert reader.errors == []
    reader.page.context.close()


def test_the_rules_lie_beside_the_game_which_goes_on(server: ServerProcess, browser: Browser) -> None:
    learner = Learner(browser, server, "en-US", viewport={"width": 1280, "height": 800})
    for _ in range(13):
        learner.by("coach-next").click()
        if learner.page.locator(".bubble.brief").count():
            learner.by("coach-next").click()
    learner.comes_to("skip")
    learner.by("menu").click()
    learner.by("rules").click()
    learner.by("rules-sheet").wait_for()
    learner.by("part-scrolls").click()
    learner.by("rules-sheet").get_by_text("fired by").first.wait_for()
    learner.page.keyboard.press("k")
    learner.comes_to("skip")
    learner.page.keyboard.press("Escape")
    expect(learner.by("rules-sheet")).to_be_hidden()
    expect(learner.by("menu")).to_be_focused()
    learner.by("skip").click()
    learner.by("coach-next").click()
    learner.comes_to("slain")
    learner.leaves()


def test_whatever_is_on_the_screen_explains_itself_by_touch_even_what_cannot_be_pressed(
    server: ServerProcess, browser: Browser
) -> None:
    learner = Learner(browser, server, "zh-TW", **PHONE)
    for _ in range(8):
        learner.by("coach-next").tap()
        if learner.page.locator(".bubble.brief").count():
            learner.by("coach-next").tap()
    learner.comes_to("forced_play")
    learner.by("help-button").tap()
    learner.by("help").wait_for()
    assert_well_made(learner, "help")
    learner.by("help-hand").tap()
    learner.by("help").get_by_text("你的手牌").wait_for()
    learner.by("help-all").tap()
    expect(learner.by("seat-3")).to_be_disabled()
    seat = learner.by("seat-3").bounding_box()
    assert seat
    learner.page.touchscreen.tap(seat["x"] + seat["width"] / 2, seat["y"] + seat["height"] / 2)
    expect(learner.by("help")).to_have_attribute("data-topic", "seat")
    learner.comes_to("forced_play")
    learner.page.keyboard.press("Escape")
    expect(learner.by("help")).to_be_hidden()
    learner.leaves()


def test_a_first_game_gives_each_hint_once_and_none_to_whoever_wants_none(
    server: ServerProcess, browser: Browser
) -> None:
    for wants in (True, False):
        player = Watched(browser.new_context(locale="en-US", reduced_motion="reduce").new_page())
        player.page.goto(server.address)
        player.by("name").fill("Ann")
        player.by("practise").click()
        player.by("hold-role").focus()
        player.page.keyboard.down(" ")
        player.page.keyboard.up(" ")
        player.by("seen").click()
        hint = player.page.locator('[data-testid="hint"]')
        expect(hint).to_have_attribute("data-hint", "night")
        if wants:
            player.by("hint-ok").click()
            expect(player.page.locator('[data-testid="hint"]:not([data-hint="night"])')).to_be_visible(timeout=30_000)
            given = player.page.evaluate("JSON.parse(localStorage.getItem('cinderforge.hints'))")
            assert len(given) == len(set(given)) >= 2
        else:
            player.page.locator('[data-testid="hint-off"]').dispatch_event("click")
            player.by("status").wait_for()
            expect(hint).to_have_count(0)
            assert player.page.evaluate("JSON.parse(localStorage.getItem('cinderforge.device')).hints") is False
        assert player.errors == []
        player.page.context.close()
