"""Faults that pages of such games had, in a real browser (docs/trials-log.md): clocks, lost sockets, changed pages."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, CDPSession, Page, Request, expect

from tests.e2e.keys import tab_to
from tests.e2e.pages import CHOOSABLE, PHONE, Watched, needs_chromium
from tests.e2e.serving import ServerProcess

pytestmark = needs_chromium


SHIFTED = """
const real = Date.now.bind(Date);
window.shift = {shift};
Date.now = () => real() + window.shift;
const Socket = window.WebSocket;
window.sockets = [];
window.isCut = false;
window.WebSocket = class extends Socket {
  constructor(url) {
    super(window.isCut ? 'ws://127.0.0.1:9/' : url);
    window.sockets.push(this);
  }
};
"""
"""A device whose clock is wrong, and whose network can be cut without the page's knowing why."""

TRANSLATED = """
const wrap = () => {
  if (document.body === null) return;
  watcher.disconnect();
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walk.nextNode()) texts.push(walk.currentNode);
  for (const text of texts) {
    const parent = text.parentElement;
    if (!text.data.trim() || parent.closest('font, script, style, svg, input, textarea, select, option')) continue;
    if (!isRude && parent.closest('[translate]')?.getAttribute('translate') === 'no') continue;
    const font = document.createElement('font');
    font.append(document.createElement('font'));
    font.firstChild.textContent = text.data.toUpperCase();
    text.replaceWith(font);
  }
  watcher.observe(document, { subtree: true, childList: true, characterData: true });
};
const watcher = new MutationObserver(wrap);
watcher.observe(document, { subtree: true, childList: true });
"""
"""What a browser's translation does to a page: every text, and every new one, is replaced by an element of its own. The
page's own framework goes on writing to the texts that it has made, which nobody sees any more."""


@pytest.fixture
def server(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("pages"), tempo=request.param) as server:
        yield server


def page_of(
    browser: Browser, server: ServerProcess, path: str = "", shift: int = 0, script: str = "", **has: Any
) -> Watched:
    context = browser.new_context(locale="en-US", reduced_motion="reduce", **has)
    context.add_init_script(SHIFTED.replace("{shift}", str(shift)) + script)
    seen = Watched(context.new_page())
    seen.page.goto(server.address + path)
    return seen


def begun(seen: Watched, name: str) -> str:
    """A room in which this page's person plays with AIs and looks at the role; gives its path."""
    seen.by("name").fill(name)
    seen.by("create-room").click()
    seen.by("fill-all").click()
    path = "/" + seen.page.url.split("/", 3)[3]
    seen.by("start").click()
    seen.by("hold-role").wait_for()
    return path


def look(seen: Watched) -> None:
    """Who has not held the role to see it cannot say to have seen it."""
    seen.by("hold-role").hover()
    seen.page.mouse.down()
    seen.page.wait_for_timeout(100)
    seen.page.mouse.up()
    seen.by("seen").click(timeout=5_000)


def watching(seen: Watched, name: str) -> None:
    seen.by("name").fill(name)
    seen.by("watch").click()
    inside = seen.page.locator('.ring:visible, [data-testid="result"]:visible').first
    for _ in range(20):
        seen.page.wait_for_timeout(300)
        if inside.count():
            return
        if seen.there("watch") and seen.by("watch").is_enabled():  # nobody comes in by night
            seen.by("watch").click()
    inside.wait_for()


def left(page: Page) -> int:
    """The seconds that the page shows."""
    shown = page.locator(".ring").first.inner_text()
    found = re.search(r"\d+", shown)
    assert found, shown
    return int(found.group())


@pytest.mark.parametrize("server", [1], indirect=True)
def test_pages_with_wrong_clocks_in_odd_zones_show_the_same_time_left(server: ServerProcess, browser: Browser) -> None:
    hour = 3_600_000
    host = page_of(browser, server, shift=hour, timezone_id="Asia/Kathmandu")
    path = begun(host, "Ahead")
    behind = page_of(browser, server, path, shift=-hour, timezone_id="Pacific/Marquesas")
    watching(behind, "Behind")
    for shift in (0, 2 * hour, -5 * hour):
        if shift:
            behind.page.evaluate("by => { window.shift += by }", shift)
            behind.page.wait_for_timeout(3_500)
        times = [left(seen.page) for seen in (host, behind)]
        assert max(times) - min(times) <= 1 and 1 < times[0] <= 30, times
    for seen in (host, behind):
        assert [error for error in seen.errors if "WebSocket" not in error] == []
        seen.page.context.close()


@pytest.mark.parametrize("how", [pytest.param("mouse", marks=pytest.mark.everywhere), "touch", "keyboard"])
@pytest.mark.parametrize("server", [6], indirect=True)
def test_a_page_whose_socket_was_cut_over_a_change_of_phase_catches_up_and_its_buttons_work(
    server: ServerProcess, browser: Browser, how: str
) -> None:
    seen = page_of(browser, server, **PHONE if how == "touch" else {})
    page = seen.page
    begun(seen, "Cut")
    look(seen)
    page.wait_for_timeout(200)
    page.evaluate("window.isCut = true; window.sockets.forEach((socket) => socket.close())")
    page.wait_for_timeout(2_600)  # the night is over
    page.evaluate("window.isCut = false")
    seen.by("play-zone").wait_for(timeout=15_000)
    acted = 0
    end = time.monotonic() + 120
    while acted < 2 and not seen.there("result"):
        assert time.monotonic() < end, "nothing can be done any more"
        waiting = seen.there("skip") or seen.chooses()
        if waiting:
            page.evaluate("window.sockets.forEach((socket) => socket.close())")
            page.wait_for_timeout(900)
            does(seen, USES[how])
            acted += 1
        page.wait_for_timeout(100)
    assert acted, "nobody asked anything of this page"
    assert [error for error in seen.errors if "WebSocket" not in error] == []
    page.context.close()


def click(seen: Watched) -> None:
    if seen.there("row-1"):
        seen.by("row-1").click(timeout=2_000)
    if seen.chooses():
        seen.choose(lambda button: button.click(timeout=2_000))
    elif seen.there("skip") and seen.by("skip").is_enabled():
        seen.by("skip").click(timeout=2_000)


def clicking(seen: Watched) -> None:
    try:
        click(seen)
    except Exception as error:  # what was to be pressed has just gone
        if "Timeout" not in str(error):
            raise


USES: dict[str, Callable[[Page, str], None]] = {
    "mouse": lambda page, what: page.locator(f"{what}:visible").first.click(timeout=2_000),
    "touch": lambda page, what: page.locator(f"{what}:visible").first.tap(timeout=2_000),
    "keyboard": lambda page, what: tab_to(page, what, "Enter"),
}
CONFIRM, SKIP = '[data-testid="confirm"]', '[data-testid="skip"]'


def does(seen: Watched, use: Callable[[Page, str], None]) -> None:
    """What is offered, and sees that it is done: it is offered no longer."""
    page = seen.page
    asked = page.locator('[data-testid="status"]').inner_text()
    if seen.there("row-1"):
        use(page, '[data-testid="row-1"]')
    elif seen.chooses():
        for _ in range(2):
            if seen.lacks():
                use(page, CHOOSABLE)
    elif seen.by("skip").is_disabled():
        use(page, ".held:not(.idle)")
    use(page, CONFIRM if seen.by("confirm").is_enabled() else SKIP)
    expect(page.locator('[data-testid="status"]').get_by_text(asked, exact=True)).to_have_count(0, timeout=1_500)


def role_is_seen_while_it_is_held(seen: Watched) -> None:
    """On a page that is translated, too; and no word of it stays behind."""
    page = seen.page
    roles = "SAGE|MYSTIC|ADVENTURER|DRAGON"
    on_table = page.locator("main").inner_text().upper()
    assert not re.search(rf"^({roles})", on_table, re.MULTILINE), on_table
    seen.by("hold-role").hover()
    page.mouse.down()
    page.wait_for_timeout(300)
    held = set(page.locator("main").inner_text().upper().splitlines()) - set(on_table.splitlines())
    assert any(re.search(roles, line) for line in held), held
    page.mouse.up()
    left = held
    for _ in range(30):
        page.wait_for_timeout(100)  # a busy machine turns it over late
        left = {line for line in page.locator("body").inner_text().upper().splitlines() if line in held}
        if not left:
            break
    assert left == set()
    seen.by("seen").click(timeout=5_000)


@pytest.mark.parametrize("server", [20], indirect=True)
def test_a_translated_page_goes_on_and_a_watcher_has_nothing_to_press(server: ServerProcess, browser: Browser) -> None:
    host = page_of(browser, server, script="const isRude = true;" + TRANSLATED)
    path = begun(host, "Translated")
    role_is_seen_while_it_is_held(host)
    watcher = page_of(browser, server, path)
    watching(watcher, "Eye")
    end = time.monotonic() + 240
    while not (host.there("result") and watcher.there("result")):
        assert time.monotonic() < end, "the game does not end"
        for control in ("skip", "confirm", "seen", "start", "fill-all", "rematch", "row-1"):
            assert not watcher.there(control), control
        assert not watcher.chooses()
        clicking(host)
        host.page.wait_for_timeout(100)
    assert host.errors == [] and watcher.errors == []
    assert not watcher.there("rematch")
    for seen in (host, watcher):
        seen.page.context.close()


def attempts_of(seen: Watched) -> list[float]:
    """When the page asked for a ticket, or opened a socket, from now on."""
    times: list[float] = []

    def note(request: Request) -> None:
        if request.url.endswith("/ticket"):
            times.append(time.monotonic())

    seen.page.on("request", note)
    seen.page.on("websocket", lambda socket: times.append(time.monotonic()))
    return times


@pytest.mark.parametrize("server", [1], indirect=True)
def test_pages_whose_server_is_away_hardly_work(server: ServerProcess, browser: Browser) -> None:
    """The first seconds, when they try most often; five pages, of which each is measured."""
    pages = [page_of(browser, server) for _ in range(5)]
    for number, seen in enumerate(pages):
        begun(seen, f"Tab {number}")
    attempts = [attempts_of(seen) for seen in pages]
    sessions = [seen.page.context.new_cdp_session(seen.page) for seen in pages]
    for session in sessions:
        session.send("Performance.enable")
    server.kill()
    before, began = [busy_seconds(session) for session in sessions], time.monotonic()
    pages[0].page.wait_for_timeout(10_000)
    took = time.monotonic() - began
    shares = [(busy_seconds(session) - was) / took for session, was in zip(sessions, before, strict=True)]
    counts = [len(times) for times in attempts]
    sys.stdout.write(f"server away for {took:.0f} s: attempts {counts}, busy {[f'{share:.1%}' for share in shares]}\n")
    assert all(1 <= count <= 16 for count in counts)
    assert max(shares) < 0.15
    server.start()
    for seen in pages:
        seen.page.locator('[data-testid="hold-role"]:visible').first.wait_for(timeout=20_000)
        seen.page.context.close()


def busy_seconds(session: CDPSession) -> float:
    """How long the page's main thread has worked."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return float(next(one["value"] for one in metrics if one["name"] == "TaskDuration"))


@pytest.mark.parametrize("server", [1], indirect=True)
def test_a_page_whose_server_is_away_for_ten_minutes_asks_seldom(server: ServerProcess, browser: Browser) -> None:
    seen = page_of(browser, server)
    begun(seen, "Patient")
    seen.page.clock.install()
    seen.page.reload()
    seen.page.locator('[data-testid="hold-role"]:visible').first.wait_for()
    server.kill()
    attempts = attempts_of(seen)
    a_minute = []
    for _ in range(10):
        before = len(attempts)
        for _ in range(60):
            seen.page.clock.run_for(1_000)
        a_minute.append(len(attempts) - before)
    sys.stdout.write(f"attempts in each of ten minutes: {a_minute}\n")
    assert a_minute[0] <= 30 and max(a_minute[1:]) <= 24 and sum(a_minute) <= 150
    assert min(a_minute) >= 1, "it goes on trying"
    seen.page.context.close()


@pytest.mark.parametrize("server", [20], indirect=True)
def test_a_browser_translates_the_rules_and_nothing_that_changes_by_itself(
    server: ServerProcess, browser: Browser
) -> None:
    """A translated text is never changed again by the page: a status line, a name or a count would be an old one."""
    host = page_of(browser, server, "/rules", script="const isRude = false;" + TRANSLATED)
    page = host.page
    page.locator("font").get_by_text("SAGE").first.wait_for()
    page.get_by_role("searchbox").fill("crystal")
    page.wait_for_timeout(200)
    host.by("lang").click()
    page.locator("font").get_by_text("賢者").first.wait_for()
    host.by("lang").click()
    page.get_by_role("searchbox").fill("")
    page.locator("font").get_by_text("SAGE").first.wait_for()
    page.goto(server.address)
    begun(host, "Translated")
    host.by("status").wait_for()
    for _ in range(20):
        assert page.locator("font").count() == 0
        clicking(host)
        page.wait_for_timeout(100)
    assert host.errors == []
    page.context.close()
