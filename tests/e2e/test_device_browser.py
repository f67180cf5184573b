"""What one has chosen for one's device, in a real browser: kept, applied at once, and usable by everybody."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.listening import hear_all
from tests.e2e.pages import PHONE, Watched, needs_chromium
from tests.e2e.serving import ServerProcess

pytestmark = needs_chromium

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
PAGES = ("/", "/rules", "/settings")
MOVING = "document.getAnimations().filter((one) => one.playState === 'running').length"
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
TOLD_TO_SHOW = """
  window.notices = [];
  Notification = class { constructor(title, options) { window.notices.push({ title, ...options }); } close() {} };
  Notification.permission = 'granted';
  const worker = { register: async () => {}, getRegistration: async () => {} };
  Object.defineProperty(navigator, 'serviceWorker', { value: worker });
"""
LOCKS = """
  window.locks = 0;
  const request = async () => {
    window.locks++;
    const lock = { released: false, release: async () => { lock.released = true; window.locks--; } };
    return (window.lock = lock);
  };
  Object.defineProperty(navigator, 'wakeLock', { value: { request } });
"""
LISTEN = """
  window.contexts = [];
  const Real = AudioContext;
  AudioContext = class extends Real { constructor() { super(); window.contexts.push(this); } };
  window.sounded = 0;
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...when) { window.sounded++; start.apply(this, when); };
"""
HIDE = """(isHidden) => {
  Object.defineProperty(document, 'hidden', { value: isHidden, configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
}"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("device"), tempo=8) as server:
        yield server


def opened(browser: Browser, chosen: dict[str, Any], scripts: str = "", **more: Any) -> Watched:
    """A page of a device on which this was chosen before."""
    page = browser.new_context(**({"locale": "en-US"} | more)).new_page()
    kept = json.dumps(json.dumps({"muted": True, **chosen}))
    page.add_init_script(
        f"localStorage.getItem('cinderforge.device') ?? localStorage.setItem('cinderforge.device', {kept});"
    )
    page.add_init_script(scripts)
    return Watched(page)


def plays(seen: Watched, server: ServerProcess) -> None:
    """Comes to a table whose night is over."""
    seen.page.goto(server.address)
    seen.by("name").fill("Bea")
    seen.by("practise").click()
    seen.by("hold-role").focus()
    seen.page.keyboard.down(" ")
    expect(seen.by("seen")).to_be_enabled()
    seen.page.keyboard.up(" ")
    seen.by("seen").click()
    expect(seen.page.locator(".veil")).to_have_count(0, timeout=10_000)


def test_what_is_chosen_applies_at_once_and_survives_a_reload(server: ServerProcess, browser: Browser) -> None:
    seen = opened(browser, {}, **PHONE)
    root = seen.page.locator("html")
    seen.page.goto(server.address + "/settings")
    before = seen.page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)")
    for name in ("text-1.3", "contrast-high", "motion-less", "cards-large", "play-at_once"):
        seen.by(name).check()
    seen.by("private").check()
    for _ in range(2):
        assert seen.page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)") == before * 1.3
        expect(root).to_have_attribute("data-contrast", "high")
        expect(root).to_have_attribute("data-motion", "less")
        expect(root).to_have_attribute("data-cards", "large")
        expect(seen.by("play-at_once")).to_be_checked()
        expect(seen.by("private")).to_be_checked()
        seen.page.reload()
        seen.by("private").wait_for()
    seen.by("language-zh-TW").check()
    expect(seen.page.locator("h1")).to_have_text("設定")
    seen.by("reset-all").click()
    expect(root).to_have_attribute("data-contrast", "usual")
    assert seen.errors == []
    seen.page.context.close()


@pytest.mark.skipif(not AXE.exists(), reason="axe-core comes with the tools of web/")
@pytest.mark.parametrize("contrast", ["usual", "high"])
@pytest.mark.parametrize("locale", ["en-US", "zh-TW"])
def test_axe_finds_nothing_and_high_contrast_is_enhanced(
    server: ServerProcess, browser: Browser, contrast: str, locale: str
) -> None:
    seen = opened(browser, {"contrast": contrast, "motion": "less", "muted": False}, locale=locale, **PHONE)
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    rules = {"color-contrast-enhanced": {"enabled": contrast == "high"}}
    for path in PAGES:
        seen.page.goto(server.address + path)
        seen.page.locator("h1").wait_for()
        seen.page.wait_for_load_state("networkidle")
        seen.page.evaluate(AXE.read_text("utf-8"))
        run = "([runOnly, rules]) => axe.run({ runOnly, rules }).then((all) => all.violations)"
        found = seen.page.evaluate(run, [[*tags, *(["wcag2aaa"] if contrast == "high" else [])], rules])
        told = [(one["id"], [(node["html"][:120], node["failureSummary"]) for node in one["nodes"]]) for one in found]
        assert told == [], path
    seen.page.context.close()


@pytest.mark.parametrize("locale", ["en-US", "zh-TW"])
def test_text_of_twice_the_size_scrolls_nowhere_sideways(server: ServerProcess, browser: Browser, locale: str) -> None:
    seen = opened(browser, {}, locale=locale, **PHONE)
    for path in PAGES:
        seen.page.goto(server.address + path)
        seen.page.locator("h1").wait_for()
        seen.page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert seen.page.evaluate(SIDEWAYS) <= 0, path
    seen.page.context.close()


def test_less_motion_stands_still_and_full_motion_overrides_the_system(server: ServerProcess, browser: Browser) -> None:
    still = opened(browser, {"motion": "less"})
    plays(still, server)
    assert still.page.evaluate(MOVING) == 0
    still.page.context.close()
    lively = opened(browser, {"motion": "full"}, reduced_motion="reduce")
    plays(lively, server)
    assert lively.page.evaluate(MOVING) > 0
    lively.by("menu").click()
    lively.by("device-settings").click()
    lively.by("motion-system").check()
    lively.until(f"{MOVING} === 0", 3)  # what is chosen within a game applies to it; what flies comes down
    assert lively.errors == []
    lively.page.context.close()


def test_each_sound_is_heard_ends_when_it_says_and_never_clips(browser: Browser) -> None:
    page = browser.new_page()
    heard = hear_all(page)
    assert len(heard) >= 8
    for name, one in heard.items():
        assert 0.03 < one["peak"] < 0.9, name
        assert one["first"] < 0.1 or "music" in name, f"{name} comes late"
        assert one["last"] <= one["length"] + 0.05, f"{name} is longer than it says"
        assert one["last"] >= one["length"] * 0.4, f"{name} is shorter than it says"
        assert one["power"] < 0.15, name
    page.close()


def test_nothing_sounds_before_a_gesture_nor_out_of_sight(server: ServerProcess, browser: Browser) -> None:
    host = opened(browser, {})
    host.page.goto(server.address)
    host.by("name").fill("Bea")
    host.by("create-room").click()
    host.by("code").wait_for()
    # what Playwright evaluates counts as a gesture, so this page hears of them by their events alone
    guest = opened(browser, {"muted": False}, LISTEN + "delete Navigator.prototype.userActivation;")
    guest.page.goto(host.page.url)
    guest.by("join").wait_for()
    guest.page.wait_for_load_state("networkidle")
    assert guest.page.evaluate("contexts.length") == 0
    guest.page.keyboard.press("Shift")
    guest.until("contexts.length === 1 && contexts[0].state === 'running'")
    guest.page.evaluate(HIDE, True)
    guest.until("contexts[0].state === 'suspended'")
    guest.page.evaluate(HIDE, False)
    guest.until("contexts[0].state === 'running'")
    assert guest.errors == []
    for one in (host, guest):
        one.page.context.close()


def test_one_is_called_when_it_is_ones_turn_and_told_nothing_secret(server: ServerProcess, browser: Browser) -> None:
    seen = opened(browser, {"muted": False, "notification": True}, TOLD_TO_SHOW + LOCKS + LISTEN)
    plays(seen, server)
    assert seen.page.evaluate("locks") == 1, "the screen stays on while one plays"
    seen.page.evaluate("lock.released = true; locks--")  # as browsers do when a page is hidden
    seen.page.evaluate(HIDE, True)
    assert seen.page.evaluate("locks") == 0
    seen.until("document.title.startsWith('●') && notices.length > 0", seconds=60)
    notice = seen.page.evaluate("notices[0]")
    code = seen.page.url.rsplit("/", 1)[1]
    shown = {"title": "Your turn.", "body": "Cinderforge 灼焰契約", "tag": "cinderforge-turn", "data": f"/r/{code}"}
    assert notice == shown
    assert seen.page.evaluate("sounded") > 0
    assert seen.page.title() == "● Your turn. Cinderforge"
    seen.page.evaluate(HIDE, False)
    seen.until("locks === 1")
    seen.by("menu").click()
    seen.page.get_by_role("button", name="Leave").click()
    seen.by("sure-leave").click()
    seen.by("create-room").wait_for()
    seen.until("locks === 0")
    assert seen.page.title() == "Cinderforge 灼焰契約"
    assert seen.errors == []
    seen.page.context.close()
