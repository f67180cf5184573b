"""The page as an app of the device: it may be installed, and without a network it still opens."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from tests.e2e.pages import ARGUMENTS, CHROMIUM, Watched, needs_chromium
from tests.e2e.serving import ServerProcess

pytestmark = needs_chromium


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    (tmp_path / "data").mkdir()
    with ServerProcess(tmp_path / "data") as server:
        yield server


@pytest.fixture
def seen(tmp_path: Path) -> Iterator[Watched]:
    """In a profile that is kept: others call themselves private, in which nothing is installed."""
    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            str(tmp_path / "profile"), executable_path=CHROMIUM, args=ARGUMENTS, locale="zh-TW", reduced_motion="reduce"
        )
        yield Watched(context.new_page())
        context.close()


def test_it_may_be_installed_and_opens_home_rules_tutorial_and_settings_without_a_network(
    server: ServerProcess, seen: Watched
) -> None:
    page = seen.page
    page.goto(server.address)
    seen.by("create-room").wait_for()
    page.evaluate("navigator.serviceWorker.ready")
    seen.until("navigator.serviceWorker.controller !== null")
    client = page.context.new_cdp_session(page)
    assert client.send("Page.getInstallabilityErrors")["installabilityErrors"] == []
    assert client.send("Page.getAppManifest")["errors"] == []

    server.stop()
    for path, what in {
        "/": "create-room",
        "/rules": "rules-search",
        "/rules/story": "part-story",
        "/learn": "coach",
        "/settings": "reset-all",
        "/replay": "replay-home",
    }.items():
        page.goto(server.address + path)
        seen.by(what).wait_for()
    assert [error for error in seen.errors if "ERR_" not in error] == []
    server.start()


KEPT = """async () => (await Promise.all((await caches.keys()).map(async (name) =>
  (await (await caches.open(name)).keys()).map((one) => new URL(one.url).pathname)))).flat()
    .flatMap((path) => /[/.]([a-z]{2}(?:-[A-Z]{2})?)[.]gen-/.exec(path)?.[1] ?? [])"""


def test_only_the_languages_in_use_are_kept_and_one_that_is_chosen_is_there_without_a_network(
    server: ServerProcess, seen: Watched
) -> None:
    page = seen.page
    page.goto(server.address)
    seen.by("create-room").wait_for()
    page.evaluate("navigator.serviceWorker.ready")
    seen.until(f"async () => (await ({KEPT})()).length >= 14")
    assert set(page.evaluate(KEPT)) == {"zh-TW", "en"}, "that of the browser, and the one in which rules are found, too"
    seen.by("lang-list").select_option("ja")
    page.get_by_text("部屋を作る").wait_for()
    seen.until(f"async () => (await ({KEPT})()).length >= 21")
    assert set(page.evaluate(KEPT)) == {"zh-TW", "en", "ja"}

    page.context.set_offline(True)
    for path, what in {"/": "部屋を作る", "/rules": "30秒でわかる", "/learn": "あなたは秘術師"}.items():
        page.goto(server.address + path)
        page.get_by_text(what).first.wait_for()
    page.goto(server.address)
    seen.by("lang-list").select_option("zh-CN")
    page.get_by_role("alert").filter(has_text="接続").wait_for()
    assert seen.by("lang-list").input_value() == "ja"
    page.evaluate("localStorage.setItem('cinderforge.language', 'zh-CN')")
    page.reload()
    page.get_by_text("建立房間").first.wait_for()  # one that is there is better than none
    page.context.set_offline(False)
