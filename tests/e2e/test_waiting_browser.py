"""Coming in, waiting and going on, in a real browser: with several persons, by touch, mouse and keyboard."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.pages import PHONE, Watched, needs_chromium
from tests.e2e.serving import ServerProcess

pytestmark = needs_chromium

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
GAME_SECONDS = 240


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """At the pace of people: a countdown is there to be held."""
    with ServerProcess(tmp_path_factory.mktemp("waiting"), tempo=1) as server:
        yield server


@pytest.fixture
def quick(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """So fast that a game ends by itself while nobody does anything."""
    with ServerProcess(tmp_path_factory.mktemp("quick"), tempo=150) as server:
        yield server


class Person(Watched):
    """Somebody with a browser of their own, who has told their name before."""

    def __init__(self, browser: Browser, name: str, language: str = "en-US", **more: Any) -> None:
        context = browser.new_context(locale=language, reduced_motion="reduce", **more)
        super().__init__(context.new_page())
        keep = "localStorage.getItem('cinderforge.nickname') ?? localStorage.setItem('cinderforge.nickname', '%s')"
        self.page.add_init_script(keep % name if name else "")

    def goes(self, address: str) -> Person:
        self.page.goto(address)
        return self

    def reads(self, testid: str) -> str:
        self.by(testid).wait_for()
        return self.by(testid).inner_text()

    def looks(self) -> None:
        """At role, hand and scroll."""
        self.by("hold-role").focus()
        self.page.keyboard.down(" ")
        expect(self.by("seen")).to_be_enabled()
        self.page.keyboard.up(" ")
        self.by("seen").click()

    def leaves(self) -> None:
        """A wrong code is an answer, too, which the browser calls an error."""
        assert [error for error in self.errors if "404" not in error and "429" not in error] == []
        self.page.context.close()


def room_of(host: Person, server: ServerProcess, *, public: bool = False) -> str:
    host.goes(server.address).by("create-room").click()
    code = host.reads("code")
    if public:
        host.by("settings").click()
        host.by("details").click()
        host.by("set-public").select_option("true")
        host.by("done").click()
    return code


def sits(browser: Browser, name: str, server: ServerProcess, code: str, **more: Any) -> Person:
    person = Person(browser, name, **more).goes(f"{server.address}/r/{code}")
    person.by("join").click()
    person.by("ready").wait_for()
    return person


def assert_well_made(person: Watched, where: str) -> None:
    """Nothing that axe finds, nothing that scrolls sideways, no target too small for a finger."""
    page = person.page
    if AXE.exists():
        page.evaluate(AXE.read_text("utf-8"))
        tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
        found = page.evaluate("tags => axe.run({ runOnly: tags }).then(all => all.violations)", tags)
        told = [(one["id"], [node["html"][:160] for node in one["nodes"]]) for one in found]
        assert told == [], where
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0, f"{where} scrolls sideways"
    # what is clipped away shows itself to keys alone
    small = page.evaluate(
        """[...document.querySelectorAll('button, select, input, summary')]
        .filter(one => one.checkVisibility() && one.getClientRects().length)
        .filter(one => getComputedStyle(one).clipPath === 'none')
        .filter(one => one.getBoundingClientRect().height < 43.5 || one.getBoundingClientRect().width < 43.5)
        .map(one => one.outerHTML.slice(0, 120))"""
    )
    assert small == [], where


def test_a_missing_name_is_told_in_sight_and_a_wrong_code_gently(server: ServerProcess, browser: Browser) -> None:
    guest = Person(browser, "", "zh-TW", **PHONE).goes(server.address)
    guest.by("create-room").tap()
    expect(guest.by("name-problem")).to_be_in_viewport()
    expect(guest.by("name")).to_be_focused()
    guest.by("name").fill("阿狸")
    expect(guest.page.locator('[data-testid="name-problem"]')).to_be_empty()
    guest.by("join-code").fill("zzzzzz")
    guest.by("join").tap()
    guest.page.get_by_text("找不到這個房間").wait_for()
    assert_well_made(guest, "home")

    refusal = {"code": "too_many_tries", "detail": "2"}
    guest.page.route("**/api/rooms/*", lambda route: route.fulfill(status=429, json=refusal))
    guest.by("join").tap()
    guest.by("slow-down").wait_for()
    expect(guest.by("join")).to_be_disabled()
    expect(guest.by("join")).to_be_enabled(timeout=4000)
    assert not guest.there("slow-down")

    guest.page.unroute("**/api/rooms/*")
    guest.goes(f"{server.address}/r/ZZZZZZ").by("join-code").wait_for()
    assert_well_made(guest, "no such room")
    guest.goes(f"{server.address}/nowhere/at/all").by("lost").wait_for()
    assert_well_made(guest, "no such page")
    guest.by("lost-home").tap()
    guest.by("create-room").wait_for()
    guest.leaves()


def test_a_public_room_is_found_and_entered_with_one_tap(server: ServerProcess, browser: Browser) -> None:
    host = Person(browser, "Alice")
    code = room_of(host, server, public=True)
    guest = Person(browser, "阿狸", "zh-TW", **PHONE).goes(server.address)
    guest.by(f"room-{code}").wait_for()
    assert "Alice" in guest.reads(f"room-{code}")
    assert guest.reads("known-name") == "阿狸" and not guest.there("name"), "asked once"
    assert_well_made(guest, "home with a room")
    guest.by(f"room-{code}").get_by_role("button").tap()
    assert "阿狸" in guest.reads("chair-2")

    other = Person(browser, "Bea").goes(server.address)
    other.by("join-code").fill(f"{server.address}/r/{code.lower()}")
    other.page.keyboard.press("Enter")
    assert "Bea" in other.reads("chair-3")
    for person in (host, guest, other):
        person.leaves()


def test_who_finds_no_seat_is_seen_and_given_an_ais_with_one_tap(server: ServerProcess, browser: Browser) -> None:
    host = Person(browser, "Alice", "zh-TW")
    code = room_of(host, server)
    host.by("fill-all").click()
    late = Person(browser, "Late", "zh-TW", **PHONE).goes(f"{server.address}/r/{code}")
    assert "坐滿" in late.reads("why")
    assert_well_made(late, "join, full")
    late.by("wait").tap()
    assert "Alice" in late.reads("wanting-mine")
    expect(host.by("wanting")).to_contain_text("Late")
    expect(host.page.locator('[data-testid="heard"]')).to_contain_text("Late 想入座")
    assert_well_made(host, "somebody would like to sit")
    assert_well_made(late, "one would like to sit")

    late.by("take-back").tap()
    late.by("want-seat").wait_for()
    expect(host.page.locator('[data-testid="wanting"]')).to_have_count(0)
    late.by("want-seat").tap()
    late.page.reload()
    late.by("wanting-mine").wait_for()
    expect(host.by("admit-2")).to_have_accessible_name(re.compile("Hesper.*Late"))
    host.by("admit-2").focus()
    host.page.keyboard.press("Enter")
    expect(late.by("chair-8")).to_contain_text("Late")
    expect(late.page.locator('[data-testid="heard"]')).to_contain_text("你入座了")
    expect(late.by("ready")).to_be_visible()

    keen = Person(browser, "Keen").goes(server.address)
    keen.by("join-code").fill(code)
    keen.by("join").click()
    keen.by("wanting-mine").wait_for()
    host.by("clear-4").click()
    expect(keen.by("chair-4")).to_contain_text("Keen")

    host.by("clear-5").click()
    watcher = Person(browser, "Walt").goes(f"{server.address}/r/{code}")
    watcher.by("watch").wait_for()
    assert "Alice" in watcher.page.inner_text("main")
    assert_well_made(watcher, "join")
    watcher.by("watch").click()
    watcher.by("sit").click()
    expect(watcher.by("chair-5")).to_contain_text("Walt")
    for person in (host, late, keen, watcher):
        person.leaves()


def opens_its_clause(person: Person) -> None:
    """A clause number opens that very paragraph beside what goes on; closing it leads back. So does its address."""
    link = person.page.locator('main [data-testid^="clause-R"]').first
    clause = link.inner_text()
    link.focus()
    person.page.keyboard.press("Enter")
    paragraph = person.page.locator('[data-testid="rules-sheet"] li:focus')
    expect(paragraph).to_contain_text(clause)
    expect(paragraph).to_be_in_viewport()
    person.page.keyboard.press("Escape")
    expect(person.page.locator('[data-testid="rules-sheet"]')).to_have_count(0)
    expect(link).to_be_focused()
    other = person.page.context.new_page()
    other.goto(f"{person.page.url.split('/r/')[0]}/rules#{clause}")
    expect(other.locator("li:focus")).to_contain_text(clause)
    other.close()


def test_who_waits_for_the_next_game_is_seen_at_its_end(quick: ServerProcess, browser: Browser) -> None:
    host = Person(browser, "Alice")
    code = room_of(host, quick)
    host.by("fill-all").click()
    host.by("settings").click()
    host.by("details").click()
    host.by("set-spectators").select_option("false")
    host.by("done").click()
    host.by("start").click()
    host.by("hold-role").wait_for()
    late = Person(browser, "Late", **PHONE).goes(f"{quick.address}/r/{code}")
    late.by("wait").tap()
    late.by("take-back").wait_for()
    assert not late.there("why") and not late.there("name"), "the game is not for them to see"
    assert_well_made(late, "waiting for the next game")
    host.by("result").wait_for(timeout=GAME_SECONDS * 1000)
    expect(host.by("wanting-next")).to_contain_text("Late")
    opens_its_clause(host)
    host.by("rematch").click()
    host.by("admit-2").click()
    expect(late.by("chair-8")).to_contain_text("Late")
    for person in (host, late):
        person.leaves()


def test_a_start_is_counted_down_and_held_once(server: ServerProcess, browser: Browser) -> None:
    host = Person(browser, "Alice")
    code = room_of(host, server)
    guest = sits(browser, "阿狸", server, code, language="zh-TW", **PHONE)
    expect(host.by("start")).to_have_attribute("aria-disabled", "true")
    assert "6" in host.reads("state")
    host.by("start").dispatch_event("click")
    host.page.get_by_role("alert").get_by_text("6 more players").wait_for()
    host.by("fill-all").click()
    guest.by("ready").tap()
    expect(host.by("ready-2")).to_have_text("Ready")
    expect(host.by("state")).to_contain_text("1/2")
    assert_well_made(host, "waiting room")
    assert_well_made(guest, "waiting room on a phone")

    host.by("start").focus()
    host.page.keyboard.press("Enter")
    guest.by("countdown").wait_for()
    assert_well_made(guest, "countdown")
    host.page.keyboard.press("Escape")
    assert host.there("countdown"), "Escape hides no countdown"
    expect(guest.by("hold")).to_be_focused()
    guest.by("hold").tap()
    expect(host.page.locator('[data-testid="countdown"]')).to_have_count(0)
    host.page.locator(".toast.shown").wait_for()

    host.by("start").click()
    guest.by("countdown").wait_for()
    assert not guest.there("hold"), "once before each game"
    host.by("hold").wait_for()
    host.by("hold-role").wait_for(timeout=9000)
    guest.by("hold-role").wait_for()
    for person in (host, guest):
        person.leaves()


def test_a_removed_person_is_let_back_and_the_role_handed_on(server: ServerProcess, browser: Browser) -> None:
    host = Person(browser, "Alice")
    code = room_of(host, server)
    guest = sits(browser, "Bea", server, code)
    host.by("menu-2").click()
    host.by("kick").click()
    assert_well_made(host, "remove, asked")
    expect(host.page.get_by_role("button", name="Cancel")).to_be_focused()
    host.by("sure").click()
    guest.page.get_by_text("The host removed you").wait_for()
    host.page.locator('[data-testid^="let-back-"]').click()
    guest.goes(f"{server.address}/r/{code}").by("join").click()
    assert "Bea" in guest.reads("chair-2")

    carries(host, "grip-2", "out")
    expect(host.page.get_by_role("button", name="Cancel")).to_be_focused()
    host.page.keyboard.press("Escape")
    carries(host, "grip-2", "crown")
    host.by("sure").click()
    guest.by("start").wait_for()
    assert not host.there("start")
    guest.by("menu-2").click()
    guest.by("rename").fill("Beatrix")
    guest.page.keyboard.press("Enter")
    expect(host.by("chair-2")).to_contain_text("Beatrix")
    for person in (host, guest):
        person.leaves()


def carries(person: Person, grip: str, place: str) -> None:
    """A chair by its number to a place that is there only then."""
    mouse, box = person.page.mouse, person.by(grip).bounding_box()
    assert box
    mouse.move(box["x"] + 8, box["y"] + 8)
    mouse.down()
    mouse.move(box["x"] + 40, box["y"] + 40, steps=3)
    to = person.page.locator(f'[data-place="{place}"]').bounding_box()
    assert to
    mouse.move(to["x"] + 40, to["y"] + 40, steps=3)
    mouse.up()


def test_sound_and_a_card_are_tried_before_the_game(server: ServerProcess, browser: Browser) -> None:
    host = Person(browser, "阿狸", "zh-TW", **PHONE)
    room_of(host, server)
    host.by("try-out").tap()
    host.by("try-turn").tap()
    assert_well_made(host, "try out")
    host.by("try-card").focus()
    host.page.keyboard.press("Enter")
    expect(host.by("try-play")).to_be_enabled()
    host.by("try-play").tap()
    expect(host.by("try-told")).to_contain_text("就是這樣")
    host.leaves()


def test_every_setting_is_changed_by_the_host_and_told_to_the_others(server: ServerProcess, browser: Browser) -> None:
    host = Person(browser, "Alice", **PHONE)
    code = room_of(host, server)
    guest = sits(browser, "Bea", server, code)
    usual = guest.reads("measured-line")
    assert re.fullmatch(r"Among AIs: humans win \d+\s% · \d+\.\d rounds", usual)
    guest.by("measured").locator("summary").click()
    expect(guest.by("measured")).to_contain_text("games")
    assert_well_made(guest, "how it was measured")
    with guest.page.expect_popup() as opened:
        guest.by("all-measured").click()
    percent = re.findall(r"\d+", usual)[0]
    expect(opened.value.locator("td.usual")).to_contain_text(percent)
    opened.value.close()
    guest.by("measured").locator("summary").click()
    host.by("settings").tap()
    host.by("recipe-beginner").tap()
    expect(host.by("recipe-beginner")).to_have_attribute("aria-pressed", "true")
    expect(guest.by("changed")).to_contain_text("Relaxed")
    assert_well_made(host, "ready-made settings")
    host.by("recipe-standard").tap()
    expect(host.by("summary")).to_contain_text("8 seats")
    host.by("details").tap()
    assert_well_made(host, "settings")
    for key, value in {
        "seats": "6",
        "activation_target": "3",
        "kill_target": "4",
        "first_holder": "vote",
        "sage_slain_ends": "false",
        "act_last_lasts": "game",
        "memory_aid": "true",
        "preset": "fast",
        "spectators": "false",
        "spectator_delay": "120",
        "chat_guard": "warn",
        "ai_talk": "false",
        "ai_level": "oracle",
        "public": "true",
    }.items():
        host.by(f"set-{key}").select_option(value)
        expect(host.by(f"set-{key}")).to_have_value(value)
        if key == "kill_target":
            expect(guest.by("measured-line")).not_to_have_text(usual)
            shown = host.page.locator("dialog[open]").get_by_test_id("measured-line")
            expect(shown).to_have_text(guest.reads("measured-line"))
    host.page.get_by_text("Careful").wait_for()
    expect(guest.by("changed")).to_contain_text("Listing: Public")

    host.by("set-timer_away").focus()
    host.page.keyboard.press("End")
    expect(host.by("value-timer_away")).to_have_text("never")
    host.by("set-timer_play").focus()
    for _ in range(3):
        host.page.keyboard.press("ArrowRight")
    expect(host.by("value-timer_play")).to_have_text("25 s")
    expect(guest.by("changed")).to_contain_text("25 s")

    guest.by("settings").click()
    expect(guest.by("set-preset")).to_have_text("Custom")
    expect(guest.by("value-timer_away")).to_have_text("never")
    assert guest.page.locator("dialog[open] select, dialog[open] input").count() == 0, "to read, not to change"
    assert_well_made(guest, "settings to read")
    box = guest.by("done").bounding_box()
    guest.page.locator("dialog[open]").evaluate("one => one.scrollTo(0, 10000)")
    assert guest.by("done").bounding_box() == box
    guest.by("done").click()
    for person in (host, guest):
        person.leaves()


def test_an_invitation_is_a_link_and_a_picture_of_it(server: ServerProcess, browser: Browser) -> None:
    host = Person(browser, "阿狸", "zh-TW", **PHONE)
    code = room_of(host, server)
    assert not [one for one in loaded(host) if "dist-" in one], "the picture is fetched when it is wanted"
    host.by("invite").tap()
    host.by("qr").wait_for()
    assert f"/r/{code}" in (host.by("qr").get_attribute("aria-label") or "")
    expect(host.by("link")).to_have_value(f"{server.address}/r/{code}")
    assert_well_made(host, "invitation")
    host.page.keyboard.press("Escape")
    expect(host.by("invite")).to_be_focused()
    host.leaves()


def loaded(person: Person) -> list[str]:
    names: list[str] = person.page.evaluate("performance.getEntriesByType('resource').map(one => one.name)")
    return names


def test_a_result_stays_until_one_goes_on_and_leaving_a_game_is_confirmed(
    quick: ServerProcess, browser: Browser
) -> None:
    host = Person(browser, "Alice")
    code = room_of(host, quick)
    guest = sits(browser, "Bea", quick, code)
    host.by("settings").click()
    host.by("recipe-quick").click()
    host.by("done").click()
    host.by("fill-all").click()
    host.by("start").click()
    for person in (host, guest):
        person.by("result").wait_for(timeout=GAME_SECONDS * 1000)
    verdict, own = guest.reads("result"), host.reads("result")
    assert_well_made(host, "result")

    host.by("rematch").click()
    host.by("start").wait_for()
    guest.by("to-room").wait_for()
    assert guest.reads("result") == verdict
    guest.page.reload()
    assert guest.reads("result") == verdict, "a reload loses no result"
    guest.by("verify").click()
    guest.page.wait_for_selector(".human[role=status]")
    assert_well_made(guest, "result, checked")
    guest.by("to-room").click()
    guest.by("ready").wait_for()
    guest.page.reload()
    guest.by("ready").wait_for()
    guest.by("last-result").click()
    assert guest.reads("result") == verdict
    host.by("last-result").click()
    assert host.reads("result") == own
    host.by("to-room").click()

    host.by("settings").click()
    host.by("details").click()
    host.by("set-preset").select_option("none")
    host.by("done").click()
    host.by("start").click()
    for person in (host, guest):
        person.looks()
    guest.by("menu").click(timeout=20_000)
    guest.page.locator("dialog[open] button").last.click()
    assert_well_made(guest, "leaving, asked")
    guest.page.get_by_role("button", name="Stay").click()
    guest.page.keyboard.press("Escape")
    assert guest.there("status")
    guest.by("menu").click()
    guest.page.locator("dialog[open] button").last.click()
    guest.by("sure-leave").click()
    guest.by("return").wait_for()
    guest.page.reload()
    guest.by("return-button").click()
    guest.by("status").wait_for()
    for person in (host, guest):
        person.leaves()


def test_practice_begins_at_once(quick: ServerProcess, browser: Browser) -> None:
    person = Person(browser, "", "zh-TW", **PHONE).goes(quick.address)
    began = time.monotonic()
    person.by("practise").tap()
    person.by("hold-role").wait_for()
    assert time.monotonic() - began < 10, "nobody asked for a name first"
    person.leaves()
