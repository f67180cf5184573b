"""How soon and how smoothly pages can be used on a slow phone: `python -m bench.page`, or `make pages`.

Four times slower than this machine, on slow 4G (1.6 Mbit/s, 150 ms), without a cache: how long until the home page's
button and a room link's button can be pressed; how much of a page shifts by itself; how long a touch drag's frames are.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, sync_playwright

from tests.e2e.pages import ARGUMENTS, CHROMIUM
from tests.e2e.serving import ServerProcess
from tests.e2e.test_browser import touch_drag
from tools.make_screenshots import FORMS, NO_WORKER
from tools.screens import Stage
from tools.staged_games import USUAL_SEATS, Found, Shown, moments_of

TIMES = 5
SLOWER = 4
STILL = ("waiting-full", "play-mine", "away", "announced-draw_next", "announced-force_play", "resolved-activated")
"""Moments at which nothing shifts, whatever unrolls or is laid over the table."""
COMING = ("away",)
"""Those that are seen to come, too."""
SLOW_4G = {"latency": 150, "downloadThroughput": 1_600_000 / 8, "uploadThroughput": 750_000 / 8, "offline": False}
USABLE_S, FRAME_MS = 2.5, 50

WATCH = """
window.shifted = 0;
window.usable = null;
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (!one.hadRecentInput) window.shifted += one.value;
}).observe({ type: 'layout-shift', buffered: true });
const look = () => {
  const button = document.querySelector('[data-testid="create-room"], main [data-testid="join"]');
  if (button?.checkVisibility() && !button.disabled) window.usable = performance.now();
  else requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""
FRAMES = """
window.frames_ = [];
let last = performance.now();
const frame = (now) => { window.frames_.push(now - last); last = now; requestAnimationFrame(frame); };
requestAnimationFrame(frame);
"""
TRACED = ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline"]


@contextmanager
def phone(browser: Browser, *, slower: int, network: bool = False) -> Iterator[tuple[BrowserContext, Any]]:
    """A context, and what makes one of its pages as slow."""
    context = browser.new_context(**FORMS["phone"], locale="zh-TW")
    context.add_init_script(NO_WORKER + WATCH)

    def slow(page: Page) -> CDPSession:
        client = context.new_cdp_session(page)
        client.send("Emulation.setCPUThrottlingRate", {"rate": slower})
        if network:
            client.send("Network.enable")
            client.send("Network.emulateNetworkConditions", SLOW_4G)
        return client

    yield context, slow
    context.close()


def usable_s(browser: Browser, address: str) -> tuple[float, float]:
    """Seconds until the button can be pressed, and how much the page had shifted two seconds later."""
    with phone(browser, slower=SLOWER, network=True) as (context, slow):
        page = context.new_page()
        slow(page)
        page.goto(address, wait_until="commit")
        for _ in range(600):
            if page.evaluate("window.usable") is not None:
                break
            page.wait_for_timeout(50)
        page.wait_for_timeout(2_000)
        return page.evaluate("window.usable") / 1000, page.evaluate("window.shifted")


def shifted(browser: Browser, address: str, *shown: Shown) -> float:
    """How much a room's page shifts from its opening to two seconds after the last of these pictures."""
    with phone(browser, slower=SLOWER) as (context, slow):
        stage = Stage(context, address)
        slow(stage.page)
        stage.room(*shown)
        stage.page.wait_for_timeout(2_000)
        return float(stage.page.evaluate("window.shifted"))


def dragged(browser: Browser, address: str, found: Found, slower: int) -> tuple[list[float], float]:
    """How long each frame of a touch drag took, and the page's longest task, in ms of the processor."""
    with phone(browser, slower=slower) as (context, slow):
        stage = Stage(context, address)
        slow(stage.page)
        stage.room(found.moment)
        stage.page.wait_for_timeout(1_500)
        stage.page.evaluate(FRAMES)
        browser.start_tracing(page=stage.page, categories=TRACED)
        stage.page.wait_for_timeout(200)
        stage.page.evaluate("window.frames_ = []")
        touch_drag(stage.page, stage.page.locator(".held:not(.idle):visible").last, stage.by("play-zone"))
        frames: list[float] = stage.page.evaluate("window.frames_")
        return frames, longest_task(json.loads(browser.stop_tracing()))


def longest_task(trace: dict[str, Any]) -> float:
    """Of the threads on which pages run."""
    events = trace["traceEvents"]
    mains = {(one["pid"], one["tid"]) for one in events if one.get("args", {}).get("name") == "CrRendererMain"}
    tasks = [one for one in events if (one["pid"], one["tid"]) in mains and one["name"].endswith("RunTask")]
    return max(one.get("tdur", 0) for one in tasks) / 1000


def main() -> int:
    moments = moments_of("zh-TW", USUAL_SEATS)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = ServerProcess(Path(folder), tempo=1, env={"CINDERFORGE_LIMITS": "off"})
        server.start()
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        try:
            good = measure(browser, server.address, moments)
        finally:
            browser.close()
            server.stop()
    return 0 if good else 1


def measure(browser: Browser, address: str, moments: dict[str, Found]) -> bool:
    host = browser.new_context(locale="zh-TW").new_page()
    host.goto(address)
    host.get_by_test_id("name").fill("阿狸")
    host.get_by_test_id("create-room").click()
    host.get_by_test_id("code").wait_for()
    good = True
    for name, where in {"home": address, "room link": host.url}.items():
        times = [usable_s(browser, where) for _ in range(TIMES)]
        seconds, shift = median(one for one, _ in times), max(one for _, one in times)
        spread = f"{min(times)[0]:.2f} to {max(times)[0]:.2f}"
        print(f"{name}: usable after {seconds:.2f} s (of {TIMES}: {spread}), CLS {shift:.4f}")
        good &= seconds <= USABLE_S and shift == 0
    for name in STILL:
        found = moments[name]
        came = [found.before] if name in COMING and found.before else []
        shift = shifted(browser, address, *came, found.moment)
        print(f"{name}: CLS {shift:.4f}")
        good &= shift == 0
    for slower in (1, SLOWER):
        frames, task = dragged(browser, address, moments["play-mine"], slower)
        long = f"median {median(frames):.0f}, longest {max(frames):.0f} ms; longest task {task:.0f} ms"
        print(f"touch drag, {slower} times slower: {len(frames)} frames, {long}")
        good &= slower > 1 or task <= FRAME_MS
    return good


if __name__ == "__main__":
    sys.exit(main())
