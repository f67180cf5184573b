"""Every phase of a game, and every way to be cut off in it: one comes back to the same picture, and plays on."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.e2e.keys import OFFERED
from tests.e2e.pages import Watched, needs_chromium
from tests.e2e.players import GAME_SECONDS, Player, acting
from tests.e2e.serving import ServerProcess
from tests.e2e.test_talk_browser import look

pytestmark = needs_chromium

GENEROUS = """
import sys
from dataclasses import replace
from cinderforge.bots import BOTS, DEFAULT_BOT
from cinderforge.bots.plain import Plain
from cinderforge.cli.main import main
from cinderforge.redaction.shapes import PassOffer, VoteOffer
from cinderforge.room import running
from cinderforge.rules.commands import CastVote, PassCrystal

class Generous(Plain):
    def choose(self, view, recollection, rng):
        offer, person = view.you.offer, view.table.seats.index(1) + 1
        if isinstance(offer, VoteOffer) and person in offer.targets:
            return CastVote(person)
        if isinstance(offer, PassOffer) and person in offer.targets:
            return PassCrystal(person)
        return super().choose(view, recollection, rng)

deal = running.draw_deal
running.draw_deal = lambda rules, luck: replace(deal(rules, luck), scrolls=("peek_hand",) * rules.seats)
BOTS[DEFAULT_BOT] = Generous()
sys.exit(main())
"""
"""A server at which the person in seat 1 comes to every kind of choice: all give them the crystal, all may peek."""

SETTINGS = {
    "seats": "6",
    "first_holder": "vote",
    "preset": "none",
    "activation_target": "4",
    "kill_target": "4",
    "sage_slain_ends": "false",
}
STANDING = {"reveal", "vote", "pass", "targets", "row", "play", "over"}
"""The person is waited for there; others may still vote, but the round goes no further."""
MOVES = ("hand-", "row-", "skip", "abstain", "seen", "rematch")
"""What one may do, beside players: at whom one points is no wish before it is confirmed, and may be forgotten."""

SOCKETS = """
localStorage.setItem('cinderforge.device', '{"hints":false}');  // each is given once, not again after a cut
const Socket = WebSocket;
window.sockets = [];
window.WebSocket = class extends Socket {
  constructor(url) {
    super(url);
    window.sockets.push(this);
  }
};
"""


@pytest.fixture
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("cuts"), tempo=16, program=GENEROUS) as server:
        yield server


def goes_offline(one: Player, server: ServerProcess) -> None:
    one.page.context.set_offline(True)
    one.page.evaluate("window.sockets.forEach((socket) => socket.close())")
    one.page.locator(".banner[role=status]").wait_for()
    one.page.context.set_offline(False)


def reloads(one: Player, server: ServerProcess) -> None:
    one.page.reload()


def opens_a_second_tab(one: Player, server: ServerProcess) -> None:
    """And comes back to the first."""
    second = Watched(one.page.context.new_page())
    second.page.goto(one.page.url)
    one.by("continue-here").wait_for()
    second.page.locator("main").wait_for()
    assert second.errors == []
    second.page.close()
    one.by("continue-here").click()


def loses_the_server(one: Player, server: ServerProcess) -> None:
    server.kill()
    one.page.locator(".banner[role=status]").wait_for()
    server.start()


CUTS: list[Callable[[Player, ServerProcess], None]] = [goes_offline, reloads, opens_a_second_tab, loses_the_server]


PASSING: dict[str, list[Callable[[Player, ServerProcess], None]]] = {
    "night": [goes_offline],
    "resolution": [loses_the_server],
}


def moment(one: Player) -> str:
    """Where the game is, if it is at one of those at which we cut."""
    if one.there("result"):
        return "over"
    if one.there("resolution"):
        return "resolution"
    phase = one.table.get("phase", "")
    return phase if phase in ("reveal", "night") else one.offer


def shown(one: Player) -> dict[str, Any]:
    """What the page says, and what it offers."""
    said = one.page.locator("[data-testid=status]:visible, [data-testid=result]:visible, main h1:visible")
    return {
        "said": said.all_inner_texts(),
        "offered": sorted(name for name in one.page.evaluate(OFFERED) if name.startswith(MOVES)),
        "you": one.you,
        "at": (one.table.get("phase"), one.table.get("round"), one.table.get("tally"), one.table.get("marks")),
    }


def comes_back(one: Player, what: str, before: dict[str, Any], how: str) -> None:
    """To the very picture, where nothing moves meanwhile; else to one with which the game goes on."""
    end = time.monotonic() + 30
    while True:
        after = shown(one)
        is_there = not one.page.locator(".banner[role=status]:visible").count() and after["said"]
        if is_there and (what not in STANDING or after == before):
            return
        assert time.monotonic() < end, (
            (what, how),
            {key: (before[key], after[key]) for key in after if after[key] != before[key]},
        )
        one.page.wait_for_timeout(100)


def test_whoever_is_cut_off_comes_back_to_the_same_picture_in_every_phase(
    server: ServerProcess, browser: Browser
) -> None:
    """In each way in every phase that waits for one; in one way in those that pass by."""
    one = Player(browser, SOCKETS)
    one.page.goto(server.address)
    one.by("name").fill("Ash")
    one.by("create-room").click()
    one.by("settings").click()
    one.by("details").click()
    for key, value in SETTINGS.items():
        one.by(f"set-{key}").select_option(value)
    one.page.keyboard.press("Escape")
    one.by("fill-all").click()
    one.by("start").click()
    one.by("hold-role").wait_for()
    left = dict.fromkeys(STANDING, CUTS) | PASSING
    end = time.monotonic() + GAME_SECONDS
    while left:
        assert time.monotonic() < end, f"never: {left}"
        one.page.wait_for_timeout(30)
        what = moment(one)
        if what in left:
            one.page.wait_for_timeout(300 if what in STANDING else 0)
            before = shown(one)
            for cut in left.pop(what):
                cut(one, server)
                comes_back(one, what, before, cut.__name__)
        elif what == "reveal":
            look(one)
        elif what != "night":  # the vote follows, once in a game: it is to be cut before anything is done
            acting(one)
    assert [error for error in one.errors if not re.search("WebSocket|ERR_|Failed to fetch", error)] == []
    one.page.context.close()
