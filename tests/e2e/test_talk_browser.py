"""Several browsers at one table: they talk, mute, type by an input method, go away, vote about it and come back."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Browser, CDPSession, Locator

from tests.e2e import pages
from tests.e2e.pages import NIGHT, Watched, needs_chromium
from tests.e2e.serving import ServerProcess
from tests.e2e.test_browser import focus

pytestmark = needs_chromium

PHONE: dict[str, Any] = pages.PHONE | {"locale": "zh-TW"}
DESKTOP: dict[str, Any] = pages.DESKTOP | {"locale": "en-US"}
KEYBOARD = 336
# A keyboard on the screen makes what is seen smaller and nothing else; no headless browser has one.
FAKE_KEYBOARD = """(() => {
  const view = Object.assign(new EventTarget(), { height: innerHeight, offsetTop: 0, scale: 1 });
  Object.defineProperty(window, 'visualViewport', { get: () => view });
  window.keyboard = (height) => {
    view.height = document.documentElement.clientHeight - height;
    view.dispatchEvent(new Event('resize'));
  };
})()"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("talk"), tempo=8) as server:
        yield server


@dataclass
class Table:
    """A phone and a desktop at a table of AIs in its first day; nothing hurries them."""

    phone: Watched
    desktop: Watched
    address: str

    def close(self) -> None:
        for one in (self.phone, self.desktop):
            assert one.errors == []
            one.page.context.close()


@pytest.fixture
def table(server: ServerProcess, browser: Browser) -> Iterator[Table]:
    phone, desktop = person(browser, PHONE), person(browser, DESKTOP)
    phone.page.goto(server.address)
    phone.by("name").fill("阿狸")
    phone.by("create-room").tap()
    phone.by("settings").tap()
    phone.by("details").tap()
    phone.by("set-preset").select_option("none")
    phone.page.keyboard.press("Escape")
    address = f"{server.address}/r/{phone.by('code').inner_text()}"
    enter(desktop, address, "Bob", "join")
    desktop.by("code").wait_for()
    phone.by("fill-all").tap()
    phone.by("start").tap()
    for one in (phone, desktop):
        look(one)
    for one in (phone, desktop):
        one.page.wait_for_selector(NIGHT, state="detached")
        one.by("status").wait_for()
    table = Table(phone, desktop, address)
    yield table
    table.close()


def person(browser: Browser, kind: dict[str, Any]) -> Watched:
    context = browser.new_context(**kind, reduced_motion="reduce")
    context.add_init_script(FAKE_KEYBOARD)
    return Watched(context.new_page())


def enter(seen: Watched, address: str, name: str, how: str) -> None:
    seen.page.goto(address)
    seen.by("name").fill(name)
    seen.by(how).click()


def look(seen: Watched) -> None:
    seen.by("hold-role").wait_for()
    focus(seen, "hold-role")
    seen.page.keyboard.down(" ")
    seen.page.wait_for_timeout(100)
    seen.page.keyboard.up(" ")
    seen.by("seen").click()


def say(seen: Watched, text: str) -> None:
    seen.by("say").fill(text)
    seen.page.keyboard.press("Enter")


def lines(seen: Watched) -> Locator:
    return seen.by("lines")


def until(seen: Watched, is_so: Callable[[], bool], why: str, seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, why
        seen.page.wait_for_timeout(50)


def test_what_one_says_the_other_reads_and_who_is_muted_has_neither_name_nor_words(table: Table) -> None:
    phone, desktop = table.phone, table.desktop
    say(desktop, "Hello from <b>Bob</b>")
    lines(desktop).get_by_text("Hello from <b>Bob</b>").wait_for()
    phone.by("talk").locator(".badge").wait_for()
    phone.by("talk").tap()
    lines(phone).get_by_text("Hello from <b>Bob</b>").wait_for()
    until(phone, lambda: phone.page.locator(".badge").count() == 0, "what is before one's eyes is read")
    phone.by("phrases").tap()
    phone.by("phrase-thumbs_up").tap()
    desktop.page.locator(".seat .reaction").wait_for()
    phone.by("people").tap()
    phone.page.locator('[data-testid^="person-"]').tap()
    phone.by("mute").tap()
    until(phone, lambda: "Bob" not in phone.page.inner_text("main"), "a muted name is still on the page")
    assert "已靜音的玩家" in phone.page.inner_text(".others")
    assert "Hello from" not in lines(phone).inner_text()
    say(desktop, "Can you hear me?")
    lines(desktop).get_by_text("Can you hear me?").wait_for()
    say(phone, "安靜多了")
    lines(desktop).get_by_text("安靜多了").wait_for()
    assert "Can you hear me?" not in phone.page.content()
    phone.page.reload()
    phone.by("status").wait_for()
    assert "Bob" not in phone.page.inner_text("main"), "a reload forgets no mute"
    phone.by("talk").tap()
    phone.by("people").tap()
    phone.page.locator('[data-testid^="person-"]').tap()
    phone.by("mute").tap()
    until(phone, lambda: "Bob" in phone.page.inner_text(".others"), "the name is not back")


def press_enter(client: CDPSession, *, composing: bool) -> None:
    code = 229 if composing else 13
    key = {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": code, "nativeVirtualKeyCode": code}
    client.send("Input.dispatchKeyEvent", {"type": "rawKeyDown", **key})
    client.send("Input.dispatchKeyEvent", {"type": "keyUp", **key})


def test_enter_that_chooses_a_candidate_of_an_input_method_sends_nothing(table: Table) -> None:
    desktop, phone = table.desktop, table.phone
    desktop.by("say").click()
    client = desktop.page.context.new_cdp_session(desktop.page)
    client.send("Input.imeSetComposition", {"text": "ㄋㄧˇㄏㄠˇ", "selectionStart": 6, "selectionEnd": 6})
    press_enter(client, composing=True)
    client.send("Input.insertText", {"text": "你好"})
    press_enter(client, composing=True)  # in Safari's order: the composition is over already
    desktop.page.wait_for_timeout(300)
    assert desktop.by("say").input_value() == "你好"
    assert "你好" not in lines(desktop).inner_text()
    press_enter(client, composing=False)
    lines(desktop).get_by_text("你好").wait_for()
    assert desktop.by("say").input_value() == ""
    phone.by("talk").tap()
    lines(phone).get_by_text("你好").wait_for()


def play_until(table: Table, is_so: Callable[[], bool]) -> None:
    """Both play whatever is offered, the phone with its sheet open, until then."""
    end = time.monotonic() + 180
    while not is_so():
        assert time.monotonic() < end, "it never came to this"
        for one in (table.desktop, table.phone):
            if not is_so():
                step(one)
        table.phone.page.wait_for_timeout(60)


def step(seen: Watched) -> None:
    if seen.there("row-1"):
        seen.by("row-1").click()
        seen.by("confirm").click()
    elif seen.chooses():
        seen.choose()
    elif seen.there("skip"):
        if seen.by("skip").is_enabled():
            seen.by("skip").click()
        else:
            seen.page.locator(".held:not(.idle)").last.click()
            seen.by("confirm").click()
    else:
        return
    seen.page.wait_for_timeout(150)


# The middle of a control, and whether the control is what one finds there.
IN_SIGHT = """(testid) => [...document.querySelectorAll(`[data-testid^="${testid}"]`)].every((one) => {
  const { left, top, width, height } = one.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  return width > 0 && y < visualViewport.height && (one.closest('li') ?? one).contains(document.elementFromPoint(x, y));
})"""


def test_neither_the_sheet_nor_the_keyboard_covers_the_hand_when_it_is_to_be_used(table: Table) -> None:
    phone = table.phone
    phone.by("talk").tap()
    box = phone.by("talk-panel").bounding_box()
    assert box
    if not phone.there("confirm"):
        assert 0.5 * 844 < box["height"] < 0.6 * 844 + 1, "a sheet of sixty hundredths"
    play_until(table, lambda: phone.there("skip"))
    for testid in ("hand-", "skip", "confirm", "say", "seat-note-"):
        assert phone.page.evaluate(IN_SIGHT, testid), f"{testid} is covered"
    focus(phone, "say")
    phone.page.evaluate(f"keyboard({KEYBOARD})")
    phone.page.wait_for_timeout(150)
    for testid in ("hand-", "skip", "confirm", "say"):
        assert phone.page.evaluate(IN_SIGHT, testid), f"{testid} is covered by the keyboard"
    phone.page.evaluate("keyboard(0)")
    say(phone, "我出牌囉")
    lines(table.desktop).get_by_text("我出牌囉").wait_for()
    phone.page.keyboard.press("Escape")
    until(phone, lambda: not phone.there("talk-panel"), "Escape closes the sheet")


def test_who_is_away_is_voted_on_stood_in_for_and_told_on_return(table: Table, browser: Browser) -> None:
    phone, desktop = table.phone, table.desktop
    watcher = person(browser, PHONE)
    enter(watcher, table.address, "旁觀的人", "watch")
    watcher.by("status").wait_for()
    play_until(table, lambda: desktop.there("skip"))
    desktop.page.goto("about:blank")
    phone.by("absence").wait_for()
    assert "Bob 離線了" in phone.by("absence").inner_text()
    assert "離線" in phone.page.inner_text(".others")
    assert "0／1" in phone.by("poll-pause").inner_text()
    phone.by("poll-pause").tap()
    phone.by("poll-resume").wait_for()
    assert "遊戲暫停中" in phone.by("status").inner_text()
    watcher.page.get_by_text("遊戲暫停中").first.wait_for()
    assert watcher.page.locator('[data-testid^="poll-"], [data-testid="skip"], [data-testid="confirm"]').count() == 0
    assert not any(one.is_enabled() for one in watcher.page.locator(".seat").all())
    phone.by("poll-resume").tap()
    phone.by("poll-pause").wait_for()
    phone.page.locator('[data-testid^="poll-replace-"]').tap()
    until(phone, lambda: "AI 代打" in phone.page.inner_text(".others"), "no mark of the AI that stands in")
    assert not phone.there("absence")
    desktop.page.goto(table.address)
    desktop.by("back-ok").wait_for()
    assert "An AI played for you" in desktop.page.inner_text("main")
    until(phone, lambda: "AI 代打" not in phone.page.inner_text(".others"), "who is back is still stood in for")
    desktop.by("back-ok").click()
    until(desktop, lambda: not desktop.there("back-ok"), "what was read stays")
    desktop.page.reload()
    desktop.by("status").wait_for()
    assert not desktop.there("back-ok"), "what was read comes back"
    assert watcher.errors == []
    watcher.page.context.close()
