"""A person's page in a real browser, with the latest picture that it was sent."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Browser

from tests.e2e.pages import Watched
from tests.e2e.serving import ServerProcess
from tests.e2e.test_talk_browser import DESKTOP, look

GAME_SECONDS = 240


NO_HINTS = """
if (location.protocol.startsWith('http')) localStorage.setItem('cinderforge.device', '{"hints":false}');
"""
"""Hints of a first game come once, and name cards as the rules do."""


class Player(Watched):
    """A page and the latest picture that it was sent."""

    def __init__(self, browser: Browser, script: str = "", **has: Any) -> None:
        context = browser.new_context(**DESKTOP | {"reduced_motion": "reduce"} | has)
        context.add_init_script(NO_HINTS + script)
        super().__init__(context.new_page())
        self.last: dict[str, Any] = {}
        self.page.on("websocket", lambda socket: socket.on("framereceived", self._hear))

    def _hear(self, text: str | bytes) -> None:
        message = json.loads(text)
        if message["t"] == "update":
            self.last = message

    @property
    def table(self) -> dict[str, Any]:
        return self.last.get("table") or {}

    @property
    def you(self) -> dict[str, Any]:
        return (self.last.get("you") or {}).get("player") or {}

    @property
    def offer(self) -> str:
        """What may be done now: nothing while a scroll is read."""
        offer = self.you.get("offer") or {}
        return "" if self.table.get("announcing") else offer.get("offer", "")

    def hosts(self, server: ServerProcess, name: str, **settings: str) -> str:
        """Opens a room in which nobody is hurried, with these settings; gives its address."""
        self.page.goto(server.address)
        self.by("name").fill(name)
        self.by("create-room").click()
        self.by("settings").click()
        self.by("details").click()
        self.by("set-preset").select_option("none")
        for setting, value in settings.items():
            self.by(f"set-{setting}").select_option(value)
        self.page.keyboard.press("Escape")
        return f"{server.address}/r/{self.by('code').inner_text()}"

    def leaves(self) -> None:
        assert self.errors == []
        self.page.context.close()


def begin(*players: Player) -> None:
    """The first is the host: AIs take what seats are free; all look at their roles."""
    players[0].by("fill-all").click()
    players[0].by("start").click()
    for one in players:
        look(one)


def act(one: Player, card: int = -1) -> None:
    """Does what is offered; plays a card wherever one may."""
    page = one.page
    if one.there("resolution"):
        one.by("resolution").click(timeout=1_000)
    elif one.there("confirm") and one.by("confirm").is_enabled():  # picked before; the click came too soon to be meant
        one.by("confirm").click(timeout=1_000)
    elif one.there("row-1"):
        one.by("row-1").click(timeout=1_000)
        one.by("confirm").click(timeout=1_000)
    elif one.chooses():
        one.choose(lambda button: button.click(timeout=1_000))
    elif one.there("skip"):
        held = page.locator(".held:not(.idle):visible")
        if held.count():
            held.nth(card if 0 <= card < held.count() else 0).click(timeout=1_000)
            one.by("confirm").click(timeout=1_000)
        else:
            one.by("skip").click(timeout=1_000)


def acting(one: Player, card: int = -1) -> None:
    try:
        act(one, card)
    except Exception as error:  # what was to be pressed has just gone
        if "Timeout" not in str(error):
            raise
