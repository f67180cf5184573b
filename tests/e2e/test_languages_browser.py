"""Languages in a real browser: it gets its own unasked, another from the list, and none is too wide for a phone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, ViewportSize

from tests.e2e.pages import Watched, needs_chromium
from tests.e2e.serving import ServerProcess

pytestmark = needs_chromium


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    process = ServerProcess(tmp_path_factory.mktemp("languages"))
    process.start()
    yield process
    process.stop()


PHONE: ViewportSize = {"width": 390, "height": 844}
TOO_WIDE = "document.documentElement.scrollWidth - innerWidth"


@pytest.mark.parametrize(
    ("locale", "tag", "says"),
    [("ja-JP", "ja", "部屋を作る"), ("zh-CN", "zh-Hans-CN", "创建房间"), ("fr-FR", "en", "Create a room")],
)
def test_a_browser_gets_its_language_unasked_and_nothing_is_too_wide_in_it(
    browser: Browser, server: ServerProcess, locale: str, tag: str, says: str
) -> None:
    context = browser.new_context(viewport=PHONE, locale=locale, has_touch=True, is_mobile=True)
    seen = Watched(context.new_page())
    for path in ("", "/settings", "/rules", "/rules/scrolls", "/learn"):
        seen.page.goto(server.address + path)
        seen.page.locator("main:visible").first.wait_for()
        assert seen.page.evaluate("document.documentElement.lang") == tag
        assert seen.page.evaluate(TOO_WIDE) <= 0, path
        if path == "":
            assert says in seen.by("create-room").inner_text()
    assert seen.errors == []
    context.close()


def test_a_language_is_chosen_from_the_list_and_kept(browser: Browser, server: ServerProcess) -> None:
    context = browser.new_context(viewport=PHONE, locale="en-US")
    seen = Watched(context.new_page())
    seen.page.goto(server.address)
    seen.by("lang-list").select_option("ja")
    seen.page.get_by_text("部屋を作る").first.wait_for()
    assert not seen.there("lang"), "one tap leads nowhere in particular"
    seen.page.reload()
    seen.by("lang-list").select_option("zh-TW")
    seen.page.get_by_text("建立房間").first.wait_for()
    seen.by("lang").click()
    seen.page.get_by_text("Create a room").first.wait_for()
    assert seen.errors == []
    context.close()
