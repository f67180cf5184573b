"""Whole games in a real browser against seven AIs: by touch on a phone, by keyboard and by mouse alone on a desktop."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page

from tests.e2e.pages import CHOOSABLE, Watched, needs_chromium
from tests.e2e.serving import ServerProcess

GAME_SECONDS = 240

pytestmark = needs_chromium


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("browser"), tempo=8) as server:
        yield server


def touch_drag(page: Page, source: Locator, target: Locator) -> None:
    """Real touch events: Playwright's own touchscreen can only tap."""
    a, b = source.bounding_box(), target.bounding_box()
    assert a and b
    x0, y0 = a["x"] + a["width"] / 2, a["y"] + a["height"] / 2
    x1, y1 = b["x"] + b["width"] / 2, b["y"] + b["height"] / 2
    client = page.context.new_cdp_session(page)
    client.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x0, "y": y0}]})
    for step in range(1, 9):
        at = {"x": x0 + (x1 - x0) * step / 8, "y": y0 + (y1 - y0) * step / 8}
        client.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [at]})
        page.wait_for_timeout(16)
    client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    client.detach()


def test_a_whole_game_by_touch_on_a_phone(server: ServerProcess, browser: Browser) -> None:
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, locale="zh-TW", reduced_motion="reduce"
    )
    seen = Watched(context.new_page())
    page = seen.page
    page.goto(server.address.replace("127.0.0.1", "cinderforge.test"))
    assert not page.evaluate("isSecureContext"), "a phone in a club's network has plain http, and less of the browser"
    seen.by("name").fill("阿狸")
    seen.by("create-room").tap()
    seen.by("settings").tap()
    seen.by("details").tap()
    seen.by("set-first_holder").select_option("vote")
    page.keyboard.press("Escape")
    seen.by("fill-all").tap()
    seen.by("start").tap()
    hold = seen.by("hold-role")
    hold.wait_for()
    box = hold.bounding_box()
    assert box
    client = context.new_cdp_session(page)
    middle = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    before = hold.inner_text()
    client.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [middle]})
    page.wait_for_timeout(150)
    assert hold.inner_text() != before
    client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_timeout(100)
    left = set(hold.inner_text().splitlines())
    assert left <= set(before.splitlines()), "what was held is hidden again"
    seen.by("seen").tap()
    dragged = play_on(seen, tap, touch_drag)
    assert "贏" in page.inner_text('[data-testid="result"]') or "勝" in page.inner_text('[data-testid="result"]')
    assert dragged > 0 or "1" in page.inner_text('[data-testid="result"]')
    seen.by("verify").tap()
    page.wait_for_selector(".human[role=status]")
    overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert overflow <= 0, "the page scrolls sideways"
    seen.by("rematch").tap()
    seen.by("start").wait_for()
    assert seen.errors == []
    context.close()


Press = Callable[[Locator], None]
Drag = Callable[[Page, Locator, Locator], None]


def play_on(seen: Watched, press: Press, drag: Drag) -> int:
    """Plays whatever is offered until the game is over; gives how many cards were dragged."""
    page, dragged = seen.page, 0
    end = time.monotonic() + GAME_SECONDS
    while not seen.there("result"):
        assert time.monotonic() < end, "the game does not end"
        try:
            dragged += one_action(seen, press, drag)
        except Exception as error:
            if "Timeout" not in str(error) and "detached" not in str(error) and "AssertionError" not in repr(error):
                raise
        page.wait_for_timeout(80)
    return dragged


def one_action(seen: Watched, press: Press, drag: Drag) -> int:
    page = seen.page
    if seen.there("row-1"):
        press(seen.by("row-1"))
        press(seen.by("confirm"))
    elif seen.chooses():
        seen.choose(press)
    elif seen.there("skip"):
        card = page.locator(".held:not(.idle):visible").last
        if card.count():
            drag(page, card, seen.by("play-zone"))
            page.wait_for_timeout(200)
            return 1
        if seen.by("skip").is_enabled():
            press(seen.by("skip"))
    return 0


def tap(locator: Locator) -> None:
    locator.tap(timeout=1500)


def click(locator: Locator) -> None:
    locator.click(timeout=1500)


def mouse_drag(page: Page, source: Locator, target: Locator) -> None:
    a, b = source.bounding_box(), target.bounding_box()
    assert a and b
    page.mouse.move(a["x"] + a["width"] / 2, a["y"] + a["height"] / 2)
    page.mouse.down()
    page.mouse.move(b["x"] + b["width"] / 2, b["y"] + b["height"] / 2, steps=8)
    page.mouse.up()


KNOWN_BY_NAME = """localStorage.setItem('cinderforge.nickname', 'Alice');
addEventListener('keydown', (event) => console.error(`a key: ${event.key}`), true);"""
"""Who has been here before has no name to type; whatever key is pressed is an error."""


def test_a_whole_game_by_mouse_on_a_desktop(server: ServerProcess, browser: Browser) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-US", reduced_motion="reduce")
    context.add_init_script(KNOWN_BY_NAME)
    seen = Watched(context.new_page())
    page = seen.page
    page.goto(server.address)
    seen.by("practise").click()
    hold = seen.by("hold-role")
    hold.wait_for()
    before = hold.inner_text()
    hold.hover()
    page.mouse.down()
    page.wait_for_timeout(150)
    assert hold.inner_text() != before
    page.mouse.up()
    page.wait_for_timeout(100)
    assert hold.inner_text() == before
    seen.by("seen").click()
    dragged = play_on(seen, click, mouse_drag)
    assert "win" in page.inner_text('[data-testid="result"]')
    assert dragged > 0 or "1" in page.inner_text('[data-testid="result"]')
    seen.by("review").click()
    seen.by("replay-board").wait_for()
    for testid in ("on", "round-on", "link-moment", "tab-record", "replay-back"):
        seen.by(testid).click()
    seen.by("rematch").click()
    seen.by("start").click()
    hold.wait_for()
    assert seen.errors == []
    context.close()


def test_a_whole_game_by_keyboard_on_a_desktop(server: ServerProcess, browser: Browser) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-US", reduced_motion="reduce")
    seen = Watched(context.new_page())
    page = seen.page
    page.goto(server.address)
    focus(seen, "name")
    page.keyboard.type("Alice")
    press(seen, "practise")
    seen.by("hold-role").wait_for()
    focus(seen, "hold-role")
    before = page.inner_text("main")
    page.keyboard.down(" ")
    page.wait_for_timeout(150)
    assert page.inner_text("main") != before
    page.keyboard.up(" ")
    page.wait_for_timeout(100)
    assert page.inner_text("main") == before
    press(seen, "seen")
    end = time.monotonic() + GAME_SECONDS
    while not seen.there("result"):
        assert time.monotonic() < end, "the game does not end"
        by_keys(seen)
        page.wait_for_timeout(80)
    assert "win" in page.inner_text('[data-testid="result"]')
    assert seen.errors == []
    context.close()


def by_keys(seen: Watched) -> None:
    page = seen.page
    if seen.there("row-1"):
        press(seen, "row-1")
        press(seen, "confirm")
    elif seen.chooses():
        for _ in range(2):
            if not seen.lacks():
                break
            page.evaluate(f"document.querySelector({json.dumps(CHOOSABLE)})?.focus()")
            page.keyboard.press("Enter")
            page.wait_for_timeout(60)
        press(seen, "confirm")
    elif seen.there("skip"):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(60)
        page.keyboard.press("k" if seen.by("skip").is_enabled() else "Enter")
        page.wait_for_timeout(120)


def focus(seen: Watched, testid: str) -> None:
    if testid == "name":  # the first control of all: the page may still be loading its words
        seen.by(testid).wait_for()
    seen.page.evaluate('id => document.querySelector(`[data-testid="${id}"]`)?.focus()', testid)


def press(seen: Watched, testid: str) -> None:
    seen.page.wait_for_timeout(60)
    focus(seen, testid)
    seen.page.keyboard.press("Enter")
    seen.page.wait_for_timeout(60)


def test_a_second_tab_takes_over_and_a_reload_keeps_the_seat(server: ServerProcess, browser: Browser) -> None:
    context = browser.new_context(locale="en-US")
    first = Watched(context.new_page())
    first.page.goto(server.address)
    first.by("name").fill("Bea")
    first.by("create-room").click()
    first.by("start").wait_for()
    address = first.page.url
    second = Watched(context.new_page())
    second.page.goto(address)
    second.by("start").wait_for()
    first.by("continue-here").wait_for()
    first.page.wait_for_timeout(1500)
    assert first.there("continue-here"), "the replaced tab does not come back by itself"
    second.page.reload()
    second.by("start").wait_for()
    first.by("continue-here").click()
    first.by("start").wait_for()
    second.by("continue-here").wait_for()
    stranger = browser.new_context(locale="zh-TW").new_page()
    stranger.goto(address)
    stranger.wait_for_selector('[data-testid="join"]')
    stranger.fill('[data-testid="name"]', "訪客")
    stranger.click('[data-testid="join"]')
    stranger.wait_for_selector('[data-testid="chair-2"]')
    assert "訪客" in first.page.inner_text('[data-testid="chair-2"]')
    stranger.context.close()
    context.close()
