"""What other engines and older ones lack, taken away from Chromium."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.e2e.pages import PHONE, Watched, needs_chromium
from tests.e2e.serving import ServerProcess
from tests.e2e.test_talk_browser import look

pytestmark = needs_chromium

OLD = """
  delete Element.prototype.checkVisibility;
  for (const name of ['userActivation', 'wakeLock', 'vibrate', 'share', 'clipboard', 'serviceWorker'])
    delete Navigator.prototype[name];
  delete window.Notification;
  delete window.requestIdleCallback;
  delete Intl.Segmenter;
"""
UNFIT_FIELDS = """
  [...document.querySelectorAll('textarea, select, input:not([type=checkbox], [type=radio], [type=range])')]
    .filter((one) => one.getClientRects().length > 0 && getComputedStyle(one).opacity !== '0')
    .filter((one) => !(parseFloat(getComputedStyle(one).fontSize) >= 16 && one.offsetHeight < 120))
    .map((one) => one.outerHTML.slice(0, 80))
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("engines"), tempo=8) as server:
        yield server


def test_a_browser_in_which_nothing_comes_is_told_why_in_two_languages(server: ServerProcess, browser: Browser) -> None:
    context = browser.new_context(**PHONE, java_script_enabled=False, reduced_motion="reduce")
    page = context.new_page()
    page.goto(server.address)
    told = page.locator("#app > .late")
    assert not told.is_visible(), "a page on a slow network is not called broken at once"
    told.wait_for(state="visible", timeout=15_000)
    assert "請更新瀏覽器" in told.inner_text()
    assert "update your browser" in told.inner_text()
    context.close()


def test_a_table_is_played_and_explained_without_what_old_engines_lack(server: ServerProcess, browser: Browser) -> None:
    context = browser.new_context(**PHONE, locale="zh-TW", reduced_motion="reduce")
    context.add_init_script(OLD)
    seen = Watched(context.new_page())
    page = seen.page
    page.goto(server.address)
    seen.by("name").fill("阿狸")
    assert page.evaluate(UNFIT_FIELDS) == [], "an iPhone would enlarge the page"
    seen.by("create-room").tap()
    seen.by("settings").tap()
    seen.by("details").tap()
    seen.by("set-preset").select_option("none")
    assert page.evaluate(UNFIT_FIELDS) == []
    page.keyboard.press("Escape")
    seen.by("fill-all").tap()
    seen.by("level-2").wait_for()
    assert page.evaluate(UNFIT_FIELDS) == []
    seen.by("start").tap()
    look(seen)
    seen.by("play-zone").wait_for()
    page.locator(".veil").wait_for(state="detached")
    seen.by("talk").tap()
    seen.by("say").wait_for()
    assert page.evaluate(UNFIT_FIELDS) == []
    seen.by("talk-close").tap()
    page.get_by_role("button", name="說明").first.tap()
    page.locator("[role=dialog], dialog[open], .help").first.wait_for()
    assert seen.errors == []
    page.goto(f"{server.address}/learn")
    for _ in range(4):
        seen.by("coach-next").tap()
    assert seen.errors == []
    context.close()
