"""Eight persons in eight browsers of their own play a whole game, each through their own page and in their own way."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.e2e.pages import needs_chromium
from tests.e2e.players import GAME_SECONDS, Player, acting
from tests.e2e.serving import ServerProcess
from tests.e2e.test_talk_browser import DESKTOP, PHONE, enter, look

pytestmark = needs_chromium

NAMES = ["阿狸", "Bea", "石頭", "Ravenna", "小火龍", "Quill", "永夜守望者阿爾法德騎士團", "Wilhelmina the Undaunted"]


@pytest.fixture
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("eight"), tempo=25) as server:
        yield server


def test_eight_persons_play_a_whole_game_and_all_are_shown_the_same_end(
    server: ServerProcess, browser: Browser
) -> None:
    began = time.monotonic()
    players = [Player(browser, **(DESKTOP if number % 2 else PHONE)) for number in range(len(NAMES))]
    address = players[0].hosts(server, NAMES[0])
    for one, name in zip(players[1:], NAMES[1:], strict=True):
        enter(one, address, name, "join")
    for one in players[1:]:
        one.by("ready").wait_for()
    players[0].by("start").click()
    for one in players:
        look(one)
    dealt = time.monotonic()
    acted = dict.fromkeys(NAMES, 0)
    while not all(one.there("result") for one in players):
        assert time.monotonic() < dealt + GAME_SECONDS, f"the game does not end: {acted}"
        players[0].page.wait_for_timeout(40)
        for one, name in zip(players, NAMES, strict=True):
            if one.offer or one.there("resolution"):
                acting(one)
                acted[name] += 1
    ended = time.monotonic()
    assert all(acted.values()), acted
    assert len({str(one.table["result"]) for one in players}) == 1
    assert len({str(one.table["reveal"]) for one in players}) == 1
    for alike in (players[::2], players[1::2]):
        assert len({shown(one) for one in alike}) == 1
    assert {one.by("result").get_attribute("class") for one in players} == {
        players[0].by("result").get_attribute("class")
    }
    sys.stdout.write(f"eight: {dealt - began:.0f} s to the deal, {ended - dealt:.0f} s to the end\n")
    for one in players:
        one.leaves()


def shown(one: Player) -> str:
    """Who has won, as it is said to everybody of one language."""
    return one.by("result").get_by_role("heading").inner_text()
