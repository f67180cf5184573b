"""Every screen of the client, one after the other: pages, a real waiting room, and a game as it is shown to a page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from playwright.sync_api import Browser, FilePayload, Page

from cinderforge.records.record import write
from cinderforge.rules.settings import settings_from
from tests.e2e.pages import Watched
from tests.e2e.staged import NOTHING, ROLES, Staged, played, room
from tests.records.games import random_record

PAGES = ("/", "/rules", "/rules/terms", "/rules/scrolls", "/rules/story", "/settings", "/replay", "/learn", "/nowhere")

Screen = tuple[str, Page]

ORDER = [8, 1, 2, 3, 4, 5, 6, 7]
PLAY: dict[str, Any] = {"offer": "play", "cards": ["adventurer", "blank"], "may_skip": True}
FIRED = [{"turn": 4, "scroll": "insight", "round": 1, "targets": [], "effect": True}]
MARKS: list[dict[str, Any]] = [
    {"mark": "must_play", "turn": 3},
    {"mark": "linked", "leader": 1, "follower": 5},
    {"mark": "acts_last", "turn": 7, "lasting": "game"},
    {"mark": "sources_open"},
]
TALLY = {**NOTHING, "activated": 1, "slain": 1}
PAST = [
    {
        "number": number,
        "giver": 2,
        "holder": 4,
        "fired": {"turn": 4, "scroll": "force_play", "round": number, "targets": [3], "effect": True},
        "acts": [*played(1, 3), {"turn": 5, "act": "skipped", "how": "timeout"}],
        "marks": MARKS[:2],
        "cards": ["adventurer", "blank"],
        "sources": [1, 3] if number == 2 else None,
        "tally": TALLY,
    }
    for number in (1, 2)
]
REVEAL = {
    "roles": ROLES,
    "hands": [["blank"]] * 8,
    "scrolls": [
        *("force_play", "reveal_sources", "draw_next", "draw_previous"),
        *("link_play", "act_last", "gift_blank", "peek_hand"),
    ],
    "plays": [[{"turn": 1, "card": "adventurer"}, {"turn": 3, "card": "blank"}]] * 2,
}


PATIENT = """() => {
  const real = window.setTimeout;
  window.setTimeout = (then, ms, ...given) => (ms > 1_500 ? 0 : real(then, ms, ...given));
}"""
"""Nothing goes by itself any more: what is shown for a while stays to be looked at."""


def still(page: Page) -> None:
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(60)


def replay(seen: Watched, address: str) -> Iterator[Screen]:
    """A finished game, from a file."""
    seen.page.goto(f"{address}/replay")
    record = random_record(settings_from({"seats": 8}), 3)
    file: FilePayload = {
        "name": "game.cinder.jsonl",
        "mimeType": "text/plain",
        "buffer": (write(record) + "\n").encode(),
    }
    seen.page.set_input_files('[data-testid="file"]', file)
    seen.by("show-all").click()
    seen.by("replay-board").wait_for()
    still(seen.page)
    yield "replay, board", seen.page
    for tab in seen.page.locator('[data-testid^="tab-"]').all():
        tab.click()
        still(seen.page)
        yield f"replay, {tab.get_attribute('data-testid')}", seen.page


def pages(seen: Watched, address: str) -> Iterator[Screen]:
    for path in PAGES:
        seen.page.goto(address + path)
        seen.page.locator("h1, h2").first.wait_for()
        still(seen.page)
        yield path, seen.page


def waiting(seen: Watched, guest: Watched, address: str) -> Iterator[Screen]:
    """A room of one's own, its dialogs, and the same room as somebody finds it who comes by a link."""
    page = seen.page
    page.goto(address)
    seen.by("name").fill("Iris")
    seen.by("create-room").click()
    code = seen.by("code").inner_text()
    # as high as all of it: what sticks to the window's edge covers nothing
    before = page.viewport_size
    assert before
    page.set_viewport_size({**before, "height": 1800})
    still(page)
    yield "waiting", page
    page.set_viewport_size(before)
    guest.page.goto(f"{address}/r/{code}")
    guest.by("join").wait_for()
    still(guest.page)
    yield "join", guest.page
    for door in ("settings", "invite", "try-out"):
        seen.by(door).click()
        page.locator("dialog[open] h2").wait_for()
        if seen.there("details"):
            seen.by("details").click()
        still(page)
        yield f"waiting, {door}", page
        page.keyboard.press("Escape")
    seen.by("fill-all").click()
    seen.by("start").wait_for()
    page.set_viewport_size({**before, "height": 1800})
    still(page)
    yield "waiting, full", page


def game(one: Staged) -> Iterator[Screen]:
    """A game in all its phases, with what one can open in it."""
    page = one.page

    def at(name: str) -> Screen:
        page.wait_for_timeout(120)
        return name, page

    one.show(fresh=True, phase="reveal", round=0, holder=None, giver=None)
    one.by("hold-role").wait_for()
    yield at("reveal")
    one.by("hold-role").focus()
    page.keyboard.down(" ")
    yield at("reveal, held")
    page.keyboard.up(" ")
    one.show(phase="night", round=0, holder=None, giver=None, you={"night": [2, 5, 6]})
    yield at("night")
    beginning: dict[str, Any] = {"round": 0, "holder": None, "giver": None, "unfired": list(range(1, 9))}
    vote = {"offer": {"offer": "vote", "targets": list(range(1, 9))}}
    one.show(
        [{"news": "night_over"}], phase="vote", awaited=[1, 3], voted=[2, 4], you={**vote, "ballot": 3}, **beginning
    )
    yield at("vote")
    one.show(
        phase="pass",
        holder=1,
        giver=None,
        awaited=[1],
        fired=FIRED,
        you={"offer": {"offer": "pass", "targets": [2, 3]}},
    )
    yield at("pass")
    one.by("seat-2").click()
    yield at("pass, chosen")
    link = {"turn": 1, "scroll": "link_play", "targets": [], "of": None, "cards": 0}
    one.show(
        phase="scroll",
        holder=1,
        awaited=[1],
        choice=link,
        fired=[*FIRED, {"turn": 1, "scroll": "link_play", "round": 3, "targets": [], "effect": None}],
        you={"offer": {"offer": "targets", "targets": [1, 2, 3, 5], "count": 2}},
    )
    one.by("seat-3").click()
    yield at("scroll, link")
    row = {"turn": 1, "scroll": "peek_hand", "targets": [3], "of": 3, "cards": 3}
    peek = {"turn": 1, "scroll": "peek_hand", "round": 3, "targets": [3], "effect": None}
    one.show(
        phase="scroll",
        holder=1,
        awaited=[1],
        choice=row,
        fired=[*FIRED, peek],
        you={"offer": {"offer": "row", "of": 3, "cards": 3}},
    )
    one.by("row-2").click()
    yield at("row")
    one.show(
        phase="play",
        holder=1,
        awaited=[1],
        announcing=True,
        fired=[*FIRED, {**peek, "effect": True}],
        you={"knows_cards": [{"turn": 3, "card": "mystic"}], "offer": PLAY},
    )
    yield at("scroll, read")
    turn: dict[str, Any] = {
        "order": ORDER,
        "holder": 8,
        "giver": 2,
        "awaited": [1],
        "acts": played(8),
        "fired": FIRED,
        "marks": MARKS,
        "tally": TALLY,
        "past": PAST,
    }
    news = [{"news": "acted", "turn": 8, "act": "played", "how": "own"}]
    one.show(news, you={"offer": PLAY}, **turn)
    yield at("play")
    one.by("hand-0").click()
    yield at("play, chosen")
    one.show(you={"offer": {**PLAY, "cards": ["blank"], "may_skip": False}, "drawn": "blank"}, **turn)
    yield at("play, drawn")
    one.show(
        you={"played": "adventurer", "hand": ["blank", "blank"]},
        **{**turn, "awaited": [2], "acts": played(8, 1)},
    )
    yield at("play, others")
    for door in ("talk", "record", "notes", "menu"):
        if one.there(door):
            one.by(door).click()
            yield at(f"table, {door}")
            page.keyboard.press("Escape")
            if one.there("talk-close"):
                one.by("talk-close").click()
            page.wait_for_timeout(50)
    if not one.there("claim"):
        one.by("talk").click()
    one.by("claim").click()
    one.by("claim-picker").wait_for()
    yield at("claims")
    one.by("claim").click()
    if one.there("talk-close"):
        one.by("talk-close").click()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("?")
    one.by("help").wait_for()
    yield at("help")
    page.keyboard.press("Escape")
    one.by("menu").click()
    one.by("rules").click()
    one.by("rules-sheet").wait_for()
    still(page)
    yield at("rules beside")
    one.by("rules-close").click()
    page.keyboard.press("r")
    yield at("table in words")
    page.keyboard.press("Escape")
    one.by("people" if one.there("people") else "menu").click()
    yield at("people or menu")
    page.keyboard.press("Escape")
    away = room(one.names)["seats"]
    away[2]["online"] = False
    away[4]["stand_in"] = True
    paused = {"kind": "play", "until": None, "whole": 30_000, "paused": True, "left": 12_000}
    one.show(room_={"seats": away, "wait": paused}, **turn)
    yield at("paused")
    resolved = {
        "news": "resolved",
        "cards": ["blank", "adventurer", "red_dragon"],
        "sources": [1, 8, 2],
        "tally": TALLY,
    }
    page.evaluate(PATIENT)
    one.show([resolved], phase="pass", holder=8, giver=2, awaited=[8], tally=TALLY, past=PAST)
    yield at("resolution")
    one.by("resolution").click()
    one.show(watching=True, **turn)
    yield at("watching")
    one.show(
        [{"news": "ended", "winner": "dragon", "reason": "R7.3"}],
        room_={"stage": "over", "wait": None, "secret": "00", "contributions": []},
        phase="over",
        result={"winner": "dragon", "reason": "R7.3"},
        reveal=REVEAL,
        past=PAST,
        tally=TALLY,
    )
    one.by("result").wait_for()
    yield at("over")


def screens(browser: Browser, address: str, locale: str, device: dict[str, Any]) -> Iterator[Screen]:
    """Each screen with its name. Fails if a page tells of an error."""
    context: dict[str, Any] = {**device, "locale": locale, "reduced_motion": "reduce"}
    seen, guest = (Watched(browser.new_context(**context).new_page()) for _ in range(2))
    yield from pages(seen, address)
    yield from replay(seen, address)
    yield from waiting(seen, guest, address)
    for one in (seen, guest):
        assert [error for error in one.errors if "404" not in error] == []
        one.page.context.close()
    staged = Staged(browser, address, **context)
    yield from game(staged)
    assert staged.errors == []
    staged.close()
