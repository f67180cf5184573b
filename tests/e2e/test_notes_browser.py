"""One's own notes in real browsers: they outlive a reload and a killed server, and nobody else's page hears of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import Browser, WebSocket
from playwright.sync_api import TimeoutError as TooLate

from tests.e2e.pages import NIGHT, Watched, needs_chromium
from tests.e2e.serving import ServerProcess
from tests.e2e.test_talk_browser import DESKTOP, PHONE, look, step

pytestmark = needs_chromium

SECRET = "第一回合就跳過，怪"
ALL_OF_IT = "冒險者還有兩張。\nWatch the one who smiles."


@pytest.fixture
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("notes"), tempo=30) as server:
        yield server


@dataclass
class Person:
    """A page, and all that has come to it over its sockets."""

    seen: Watched
    frames: list[str] = field(default_factory=list)

    def listen(self) -> None:
        def on_socket(socket: WebSocket) -> None:
            socket.on("framereceived", lambda data: self.frames.append(str(data)))

        self.seen.page.on("websocket", on_socket)


@dataclass
class Table:
    writer: Person
    other: Person

    def close(self, *, is_restarted: bool) -> None:
        for one in (self.writer, self.other):
            errors = [said for said in one.seen.errors if not (is_restarted and "ERR_CONNECTION" in said)]
            assert errors == []
            one.seen.page.context.close()


def person(browser: Browser, kind: dict[str, Any]) -> Person:
    context = browser.new_context(**kind, reduced_motion="reduce")
    found = Person(Watched(context.new_page()))
    found.listen()
    return found


def seated(server: ServerProcess, browser: Browser) -> Table:
    """A phone that writes and a desktop at a table of AIs, in the first day of a game that nobody hurries."""
    table = Table(person(browser, PHONE), person(browser, DESKTOP))
    phone, desktop = table.writer.seen, table.other.seen
    phone.page.goto(server.address)
    phone.by("name").fill("阿狸")
    phone.by("create-room").tap()
    phone.by("settings").tap()
    phone.by("details").tap()
    phone.by("set-preset").select_option("none")
    phone.by("set-ai_talk").select_option("false")
    phone.page.keyboard.press("Escape")
    desktop.page.goto(f"{server.address}/r/{phone.by('code').inner_text()}")
    desktop.by("name").fill("Bob")
    desktop.by("join").click()
    desktop.by("code").wait_for()
    phone.by("fill-all").tap()
    phone.by("start").tap()
    for one in (phone, desktop):
        look(one)
    for one in (phone, desktop):
        one.page.wait_for_selector(NIGHT, state="detached")
        one.by("status").wait_for()
    return table


def until(seen: Watched, is_so: Callable[[], bool], why: str, seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, why
        seen.page.wait_for_timeout(50)


def write(seen: Watched) -> None:
    """Marks and a text on the first of the others, and a text on the whole."""
    seen.by("notes").tap()
    seen.page.locator('[data-testid^="notes-of-"]').first.tap()
    seen.by("trust--2").tap()
    seen.by("role-red_dragon").tap()
    seen.page.locator('textarea[data-testid^="note-"]').first.fill(SECRET)
    seen.by("note-game").fill(ALL_OF_IT)
    seen.by("notes-at-seats").check()
    until(seen, lambda: seen.page.locator(".notes .head small", has_text="已存").count() == 2, "texts are not kept")
    seen.page.keyboard.press("Escape")


def check(seen: Watched) -> None:
    """What was written stands in the list, and as a sign at the seat."""
    seen.page.locator(".others .sign", has_text="−2").first.wait_for()
    seen.by("notes").tap()
    first = seen.page.locator('[data-testid^="notes-of-"]').first
    until(seen, lambda: SECRET in first.inner_text() and "紅龍" in first.inner_text(), "the marks are gone")
    assert seen.by("note-game").input_value() == ALL_OF_IT
    seen.page.keyboard.press("Escape")


def test_notes_outlive_a_reload_and_a_killed_server_and_nobody_elses_page_hears_of_them(
    server: ServerProcess, browser: Browser
) -> None:
    table = seated(server, browser)
    phone, desktop = table.writer.seen, table.other.seen
    write(phone)
    check(phone)
    phone.page.reload()
    phone.by("status").wait_for()
    check(phone)
    server.kill()
    server.start()
    for one in (phone, desktop):
        until(one, lambda one=one: one.page.locator(".banner").count() == 0, "nobody is back")  # type: ignore[misc]
    check(phone)
    phone.page.reload()
    phone.by("status").wait_for()
    check(phone)
    desktop.page.reload()
    desktop.by("status").wait_for()
    for secret in (SECRET, "the one who smiles", '"trust":-2'):
        assert not any(secret in one for one in table.other.frames)
        assert secret not in desktop.page.content()
    assert any(SECRET in one for one in table.writer.frames)
    kept = phone.page.evaluate("JSON.stringify({...localStorage, ...sessionStorage})")
    assert SECRET not in kept and "smiles" not in kept
    desktop.by("notes").click()
    assert desktop.page.locator(".notes .sign").count() == 0 and desktop.by("note-game").input_value() == ""
    table.close(is_restarted=True)


def test_a_claim_is_heard_and_denied_and_stands_at_the_end_beside_guesses_that_are_opened_by_consent_alone(
    server: ServerProcess, browser: Browser
) -> None:
    table = seated(server, browser)
    phone, desktop = table.writer.seen, table.other.seen
    write(phone)
    desktop.by("claim").click()
    desktop.by("claim-role").click()
    desktop.page.locator('[data-testid^="claim-turn-"]').first.click()
    desktop.by("claim-role-sage").click()
    assert desktop.by("claim-preview").inner_text() == "You will say: I am the Sage."
    desktop.by("claim-send").click()
    desktop.by("lines").get_by_text("I am the Sage.").wait_for()
    phone.by("talk").tap()
    phone.by("lines").get_by_text("我是賢者。").wait_for()
    phone.page.locator('[data-testid^="deny-"]').first.tap()
    desktop.by("lines").get_by_text("What 阿狸", exact=False).first.wait_for(state="detached")
    desktop.by("lines").get_by_text("I disagree", exact=False).wait_for()
    phone.by("talk-close").tap()
    for one in (phone, desktop):
        one.page.set_default_timeout(3_000)
    end = time.monotonic() + 300
    while not (phone.there("truth") and desktop.there("claims")):
        assert time.monotonic() < end, [one.page.inner_text("main") for one in (phone, desktop)]
        for one in (phone, desktop):
            with suppress(TooLate):  # what was on offer is no longer, as the other has ended the game
                if not one.there("result"):
                    step(one)
        phone.page.wait_for_timeout(60)
    for one in (phone, desktop):
        one.page.set_default_timeout(30_000)
    assert phone.by("score").inner_text().startswith("你猜對 ")
    assert SECRET in phone.by("truth").inner_text()
    assert not desktop.there("truth"), "who has noted nothing is shown nothing"
    assert not desktop.there("others-notes") and SECRET not in desktop.page.content()
    assert desktop.by("claims").locator("li").count() == 2
    phone.by("share-notes").tap()
    desktop.by("others-notes").locator("summary").click()
    assert SECRET in desktop.by("others-notes").inner_text()
    phone.by("share-notes").tap()
    desktop.by("others-notes").wait_for(state="detached")
    assert SECRET not in desktop.page.content()
    table.close(is_restarted=False)
