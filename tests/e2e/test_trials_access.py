"""The use of a page by keys, with heaps of marks and by input methods (docs/trials-log.md, C2, I5 and I11)."""

from __future__ import annotations

import time
from base64 import b64encode
from collections.abc import Iterator
from itertools import pairwise

import pytest
from playwright.sync_api import Browser, CDPSession, Page, expect

from tests.e2e.keys import OFFERED, stop, tab_to, walk
from tests.e2e.pages import CHOOSABLE, NIGHT, needs_chromium
from tests.e2e.players import GAME_SECONDS, Player, acting, begin
from tests.e2e.serving import ServerProcess
from tests.e2e.test_reconnect_browser import GENEROUS
from tests.e2e.test_talk_browser import PHONE, enter, press_enter, say

pytestmark = needs_chromium


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("access"), tempo=25) as server:
        yield server


@pytest.fixture
def generous(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Where the person comes to every kind of choice, that of a card of another's hand too."""
    with ServerProcess(tmp_path_factory.mktemp("generous"), tempo=25, program=GENEROUS) as server:
        yield server


# --- by Tab alone (C2) ---


FOCUSED = """
window.focused = [];
for (const kind of ['focusin', 'focusout', 'keydown'])
  addEventListener(kind, (event) => {
    const what = event.key ?? event.target.dataset.testid ?? event.target.outerHTML.slice(0, 80);
    window.focused = [...window.focused, `${kind} ${what}`].slice(-12);
  });
"""
"""Where the focus has been of late, to tell of where it was lost."""


def test_tab_reaches_all_that_is_offered_in_every_phase_and_the_focus_is_never_lost(
    generous: ServerProcess, browser: Browser
) -> None:
    one = Player(browser, FOCUSED)
    page = one.page
    page.goto(generous.address)
    one.by("name").wait_for()
    assert_reaches_all(page)
    tab_to(page, '[data-testid="name"]')
    page.keyboard.type("Alice")
    tab_to(page, '[data-testid="create-room"]', "Enter")
    one.by("settings").wait_for()
    tab_to(page, '[data-testid="settings"]', "Enter")
    tab_to(page, '[data-testid="details"]', "Enter")
    for setting, wanted in (("first_holder", "vote"), ("preset", "none")):
        tab_to(page, f'[data-testid="set-{setting}"]')
        page.keyboard.press("End")
        page.wait_for_timeout(150)
        assert one.by(f"set-{setting}").input_value() == wanted
    assert_reaches_all(page)
    page.keyboard.press("Escape")
    assert_kept(page)
    tab_to(page, '[data-testid="fill-all"]', " ")
    page.wait_for_timeout(150)
    assert_kept(page)
    assert_reaches_all(page)
    tab_to(page, '[data-testid="start"]', "Enter")
    one.by("hold-role").wait_for()
    assert_kept(page)
    tab_to(page, '[data-testid="hold-role"]')
    page.keyboard.down(" ")
    page.wait_for_timeout(100)
    page.keyboard.up(" ")
    assert_reaches_all(page)
    tab_to(page, '[data-testid="seen"]', "Enter")
    walked: set[str] = set()
    ended = 0
    end = time.monotonic() + GAME_SECONDS
    while not one.there("result"):
        assert time.monotonic() < end, "the game does not end"
        page.wait_for_timeout(100)
        assert_kept(page)
        if one.there("resolution"):
            # back from the line to which the focus has come; the cards go by themselves, too
            for _ in range(6):
                if page.evaluate("document.activeElement.dataset.testid") == "resolution":
                    page.keyboard.press("Enter")
                    ended += 1
                    break
                page.keyboard.press("Shift+Tab")
        elif one.offer:
            if one.offer not in walked:
                walked.add(one.offer)
                page.wait_for_timeout(100)
                assert_reaches_all(page)
            by_tab(one)
    assert {"vote", "targets", "row", "play"} <= walked
    assert ended, "no resolution was ended by Enter"
    page.wait_for_timeout(150)
    assert_kept(page)
    assert_reaches_all(page)
    tab_to(page, '[data-testid="rematch"]', "Enter")
    one.by("start").wait_for()
    assert_kept(page)
    one.leaves()


def assert_kept(page: Page) -> None:
    """Whatever was pressed may be gone: one is somewhere all the same."""
    for _ in range(10):
        if stop(page) is not None:
            return
        page.wait_for_timeout(30)
    raise AssertionError(f"the focus is lost: {page.evaluate('window.focused')}")


def assert_reaches_all(page: Page) -> None:
    offered = set(page.evaluate(OFFERED))
    passed = walk(page)
    assert offered <= set(passed), (offered - set(passed), passed)


def by_tab(one: Player) -> None:
    page = one.page
    match one.offer:
        case "row":
            tab_to(page, '[data-testid="row-1"]', " ")
        case "play":
            if one.you["offer"]["may_skip"] and one.table["round"] % 2:
                tab_to(page, '[data-testid="skip"]', "Enter")
                return
            tab_to(page, ".held:not(.idle)" if page.locator(".held:not(.idle)").count() else ".actions button", "Enter")
        case _:
            for key in ("Enter", " "):
                if one.lacks():
                    tab_to(page, CHOOSABLE, key)
    tab_to(page, '[data-testid="confirm"]', "Enter")


# --- heaps of marks (I5) ---

ABOVE, BELOW_IT = "\u0301\u0302\u0303\u0306\u0308\u030a" * 20, "\u0323\u0324\u0325\u0330\u0331\u0332" * 20
NAME = "".join(letter + ABOVE[:5] for letter in "Zalgot")
HEAP = "".join(letter + ABOVE for letter in "Zal") + "".join(letter + BELOW_IT for letter in "go")
PLAIN = "A line as any other"
ROW = ".line, .news, .notice, .chair, .seat, .who, .status p, tr, li"

MARKED = """(row) => {
  const found = [...document.querySelectorAll('bdi, p, button, td, th, h1, span, small')].filter((one) =>
    /[\\u0300-\\u036f]/.test([...one.childNodes].map((node) => (node.nodeType === 3 ? node.data : '')).join('')));
  window.marked = found.filter((one) => {
    const { top, bottom, width } = (one.closest(row) ?? one).getBoundingClientRect();
    return width > 0 && top > 16 && bottom < innerHeight - 16 && one.closest('.sr') === null;
  });
  return window.marked.map((one) => {
    const { x, y, width, height } = (one.closest(row) ?? one).getBoundingClientRect();
    return { what: one.outerHTML.slice(0, 200), x, y, width, height };
  });
}"""
"""What has heaps of marks in it, and the boxes of the rows in which it stands."""


DIFFERENCE = """async (pictures) => {
  const [a, b] = await Promise.all(pictures.map(async (text) => {
    const bytes = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const pen = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
    pen.drawImage(picture, 0, 0);
    return pen.getImageData(0, 0, picture.width, picture.height).data;
  }));
  return a.reduce((most, one, at) => Math.max(most, Math.abs(one - b[at])), 0);
}"""
"""By how much the most different dots of two pictures differ, of 255."""


def assert_stays_in_its_rows(page: Page, least: int) -> None:
    """What is painted above and below a row is the same whether its text is there or not."""
    rows = page.evaluate(MARKED, ROW)
    assert len(rows) >= least, rows

    for number, row in enumerate(rows):
        clips = [
            {"x": row["x"], "y": y, "width": row["width"], "height": 16}
            for y in (row["y"] - 16, row["y"] + row["height"])
        ]
        for clip in clips:
            pictures = []
            for shown in ("hidden", ""):
                page.evaluate("([at, shown]) => { window.marked[at].style.visibility = shown }", [number, shown])
                pictures.append(b64encode(page.screenshot(clip=clip)).decode())  # type: ignore[arg-type]
            # a line that is painted anew may be a shade lighter; a mark is as light as its text
            assert page.evaluate(DIFFERENCE, pictures) < 48, f"painted beyond its row: {row}"


def test_heaps_of_marks_stay_in_their_rows_on_a_phone(server: ServerProcess, browser: Browser) -> None:
    phone, desktop = Player(browser, **PHONE), Player(browser)
    address = phone.hosts(server, "阿狸")
    enter(desktop, address, NAME, "join")
    desktop.by("code").wait_for()
    phone.page.locator('[data-testid="chair-2"]').scroll_into_view_if_needed()
    phone.page.wait_for_timeout(300)
    assert_stays_in_its_rows(phone.page, 1)
    begin(phone, desktop)
    for one in (phone, desktop):
        one.page.wait_for_selector(NIGHT, state="detached")
    for text in (PLAIN, HEAP + " " + HEAP, PLAIN + "!"):
        say(desktop, text)
        expect(desktop.by("say")).to_have_value("")
    end = time.monotonic() + GAME_SECONDS
    while not phone.offer:
        assert time.monotonic() < end, "the phone is not asked"
        acting(desktop)
        phone.page.wait_for_timeout(50)
    phone.page.wait_for_timeout(300)
    assert_stays_in_its_rows(phone.page, 1)
    phone.by("talk").tap()
    phone.by("lines").get_by_text(PLAIN + "!").wait_for()
    phone.page.wait_for_timeout(300)
    boxes = [one.bounding_box() for one in phone.page.locator(".line").all()]
    tops = [(box["y"], box["y"] + box["height"]) for box in boxes if box]
    assert len(tops) >= 3 and all(one[1] <= following[0] for one, following in pairwise(tops)), tops
    assert max(bottom - top for top, bottom in tops) < 101, "no line is higher than two lines of text and a name"
    assert_stays_in_its_rows(phone.page, 2)
    wide = phone.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0
    for one in (phone, desktop):
        one.leaves()


# --- input methods (I11) ---

COMPOSED = {
    "zhuyin": (["ㄋ", "ㄋㄧ", "ㄋㄧˇ", "你", "你ㄏㄠˇ"], "你好"),
    "pinyin": (["n", "ni", "ni h", "ni hao"], "你好"),
    "kana": (["k", "か", "かん", "かんj", "かんじ", "漢字"], "漢字"),
    "hangul": (["ㅎ", "하", "한"], "한"),
}
SAFARI = """(text) => {
  const field = document.activeElement;
  const told = (kind) => field.dispatchEvent(new CompositionEvent(kind, { bubbles: true, data: text }));
  told('compositionstart');
  field.value += text;
  field.dispatchEvent(new InputEvent('input', { bubbles: true, data: text, isComposing: true }));
  told('compositionend');
  const key = { key: 'Enter', code: 'Enter', keyCode: 229, which: 229, bubbles: true, cancelable: true };
  return field.dispatchEvent(new KeyboardEvent('keydown', key));
}"""
"""Safari ends the composition before it tells the key that ended it."""


def compose(client: CDPSession, stages: list[str], chosen: str) -> None:
    """As an input method does: each key is 229, what is composed changes under the cursor, Enter takes it."""
    for stage in stages:
        client.send("Input.dispatchKeyEvent", {"type": "rawKeyDown", "key": "Process", "windowsVirtualKeyCode": 229})
        client.send(
            "Input.imeSetComposition", {"text": stage, "selectionStart": len(stage), "selectionEnd": len(stage)}
        )
    press_enter(client, composing=True)
    client.send("Input.insertText", {"text": chosen})


def test_enter_that_ends_a_composition_neither_sends_nor_enters(server: ServerProcess, browser: Browser) -> None:
    host = Player(browser)
    address = host.hosts(server, "Alice")
    guest = Player(browser, **PHONE)
    guest.page.goto(address)
    guest.by("name").click()
    client = guest.page.context.new_cdp_session(guest.page)
    compose(client, *COMPOSED["zhuyin"])
    guest.page.evaluate(SAFARI, "嗎")
    guest.page.wait_for_timeout(200)
    assert guest.by("name").input_value() == "你好嗎"
    assert guest.there("join"), "a name half written takes no seat"
    guest.page.keyboard.press("Enter")
    host.page.get_by_text("你好嗎").first.wait_for()

    host.by("say").click()
    client = host.page.context.new_cdp_session(host.page)
    for stages, chosen in COMPOSED.values():
        said = host.page.locator(".line").count()
        compose(client, stages, chosen)
        host.page.evaluate(SAFARI, "嗎")
        host.page.wait_for_timeout(100)
        assert host.by("say").input_value() == chosen + "嗎"
        assert host.page.locator(".line").count() == said, "half a line is sent"
        press_enter(client, composing=False)
        expect(host.page.locator(".line")).to_have_count(said + 1)
        assert chosen + "嗎" in host.page.locator(".line").last.inner_text()
        expect(host.by("say")).to_have_value("")
        host.page.wait_for_timeout(700)  # the room takes no lines in a hurry
    for one in (host, guest):
        one.leaves()
