"""Every screen of the client and how a page comes to show it: for `make screenshots` and for tests of every screen."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from playwright.sync_api import BrowserContext, FilePayload, WebSocketRoute

from cinderforge.wire.requests import PublicRooms, RoomSummary
from tests.e2e.pages import Watched
from tools.staged_games import MOMENTS, USUAL_SEATS, Found, Shown

CODE: Final = "QXKMRT"
ALL_SEATS: Final = (5, 8, 10)
TUTORIAL_STEPS: Final = 20
PUBLIC: Final = [
    RoomSummary("QXKMRT", "阿狸", 3, 8, "waiting", "normal", 0, True),
    RoomSummary("HDWEPA", "Wilhelmina the Undaunted", 5, 6, "waiting", "fast", 2, True),
    RoomSummary("BNCTRJ", "永夜守望者阿爾法德騎士團", 10, 10, "game", "relaxed", 4, True),
]


PATIENT: Final = """() => {
  const real = window.setTimeout;
  window.setTimeout = (then, ms, ...given) => (ms > 1_500 ? 0 : real(then, ms, ...given));
}"""
"""Nothing goes by itself any more: what is shown for a while stays to be looked at."""


class Stage(Watched):
    """A page that is handed what to show. On a patient one it stays."""

    def __init__(self, context: BrowserContext, address: str, *, is_patient: bool = False) -> None:
        super().__init__(context.new_page())
        self.address = address
        self.is_patient = is_patient
        self.is_cut = False
        self._socket: WebSocketRoute | None = None
        page = self.page
        page.route("**/api/session", lambda route: route.fulfill(status=204))
        page.route("**/api/rooms", lambda route: route.fulfill(body=msgspec.json.encode(PublicRooms(PUBLIC))))
        page.route(
            "**/api/rooms/*/ticket",
            lambda route: route.abort() if self.is_cut else route.fulfill(json={"ticket": "t"}),
        )
        page.route_web_socket("**/ws/**", self._open)

    def goes(self, path: str) -> None:
        self.page.goto(self.address + path)
        self.page.locator("main").first.wait_for()

    def room(self, *shown: Shown, stays: bool = False) -> None:
        """Opens a room and shows these pictures, one after the other; the last may stay for ever."""
        self._socket = None
        self.page.goto(f"{self.address}/r/{CODE}")
        end = time.monotonic() + 10
        while not self._is_open():
            assert time.monotonic() < end, "the page opens no socket"
            self.page.wait_for_timeout(20)
        self.page.mouse.click(1, 1)  # so that the browser marks no focus that a script moves
        if self.is_patient and stays:
            self.page.evaluate(PATIENT)
        for number, one in enumerate(shown):
            self._show(one, is_first=number == 0)
            self.page.locator("main").first.wait_for()  # the part that shows it may still be on its way
            self.page.wait_for_timeout(150)

    def _is_open(self) -> bool:
        return self._socket is not None

    def _show(self, one: Shown, *, is_first: bool) -> None:
        update = {**one.update, "room": {**one.update["room"], "code": CODE}, "fresh": is_first}
        lines = {"t": "lines", "lines": one.lines, "latest": one.lines[-1]["n"] if one.lines else 0}
        self._send(lines)
        self._send({"t": "update", **update})

    def _send(self, message: dict[str, Any]) -> None:
        assert self._socket
        self._socket.send(json.dumps(message))

    def _open(self, socket: WebSocketRoute) -> None:
        self._socket = socket
        socket.on_message(self._hear)

    def _hear(self, text: str | bytes) -> None:
        said = json.loads(text)
        if "id" in said:
            self._send({"t": "done", "id": said["id"]})

    def cut(self) -> None:
        """The network is gone."""
        assert self._socket
        self.is_cut = True
        self._socket.close()

    def press(self, *testids: str) -> None:
        for testid in testids:
            self.by(testid).click(timeout=4_000)
            self.page.wait_for_timeout(120)

    def talk(self, *testids: str) -> None:
        """Opens the talk, where it does not stand beside the table, and presses these there."""
        self.press_if_there("talk")
        self.press(*testids)

    def press_if_there(self, *testids: str) -> None:
        """What only a small screen has to open."""
        for testid in testids:
            if self.there(testid):
                self.press(testid)

    def find_anywhere(self, css: str) -> None:
        self.page.locator(f"{css}:visible").first.click(timeout=4_000)
        self.page.wait_for_timeout(120)


@dataclass(frozen=True)
class Scene:
    """What the screens of one language are made of."""

    moments: dict[tuple[str, int], Found]
    language: str


Doing = Callable[[Stage], None]
Showing = Callable[[Stage, Scene, int], None]


@dataclass(frozen=True)
class Screen:
    """How one comes to it; for how many seats it is looked at; whether all of a long page is."""

    name: str
    show: Showing
    seats: tuple[int, ...] = (USUAL_SEATS,)
    is_whole: bool = False


def nothing(stage: Stage) -> None:
    pass


def page(name: str, path: str, do: Doing = nothing, *, is_whole: bool = False) -> Screen:
    def show(stage: Stage, scene: Scene, seats: int) -> None:
        stage.goes(path)
        do(stage)

    return Screen(name, show, is_whole=is_whole)


def moment(
    name: str,
    do: Doing = nothing,
    of: str = "",
    seats: tuple[int, ...] = (USUAL_SEATS,),
    *,
    is_live: bool = True,
    is_whole: bool = False,
) -> Screen:
    """A moment of a game as it happens before one's eyes, or as one finds it."""

    def show(stage: Stage, scene: Scene, count: int) -> None:
        found = scene.moments[of or name, count]
        shown = [found.before, found.moment] if is_live and found.before else [found.moment]
        stage.room(*shown, stays=do is nothing)
        do(stage)

    return Screen(name, show, seats, is_whole)


def hold_role(stage: Stage) -> None:
    stage.by("hold-role").hover()
    stage.page.mouse.down()


def pick(stage: Stage) -> None:
    stage.find_anywhere(".held:not(.idle)")


def choose(stage: Stage) -> None:
    stage.find_anywhere("button.choosable:not(:disabled)")


def cut(stage: Stage) -> None:
    stage.cut()
    stage.page.locator(".banner[role=status]").wait_for(timeout=5_000)


def asks(key: str, testid: str) -> Doing:
    """What a key opens."""

    def do(stage: Stage) -> None:
        stage.by("status").wait_for()
        stage.page.keyboard.press(key)
        stage.by(testid).wait_for(timeout=4_000)

    return do


def notes(stage: Stage) -> None:
    """Their button comes a moment after the table."""
    stage.by("notes").wait_for(timeout=8_000)
    stage.press("notes")


def tutorial(steps: int) -> Doing:
    """So many steps on; the coach shows how where something is to be done."""

    def do(stage: Stage) -> None:
        stage.by("coach").wait_for()
        for _ in range(steps):
            stage.page.locator('[data-testid="coach"]:not(.brief)').wait_for(timeout=8_000)
            stage.by("coach-next").click(timeout=4_000)
            stage.page.wait_for_timeout(150)
            if stage.page.locator('[data-testid="coach"].brief').count():
                stage.press_if_there("coach-next")

    return do


def quiz(stage: Stage) -> None:
    tutorial(TUTORIAL_STEPS)(stage)
    stage.press("coach-next", "to-quiz", "answer-0")


def replay(*keys: str, tab: str = "") -> Showing:
    def show(stage: Stage, scene: Scene, seats: int) -> None:
        stage.goes("/replay")
        record = scene.moments["over-human", seats].record
        file = FilePayload(name="game.cinder.jsonl", mimeType="application/x-ndjson", buffer=record.encode())
        stage.page.locator('[data-testid="file"]').set_input_files(file)
        stage.page.wait_for_timeout(300)
        stage.press_if_there("show-all")
        stage.by("replay-board").wait_for(timeout=8_000)
        for key in keys:
            stage.page.keyboard.press(key)
        if tab:
            stage.press(f"tab-{tab}")
        stage.page.evaluate("document.activeElement?.blur()")  # keys mark where they are

    return show


SCREENS: Final = [
    page("home", "/"),
    page("home-problem", "/", lambda stage: stage.press("create-room")),
    page("home-whole", "/", is_whole=True),
    moment("join", is_live=False),
    moment("waiting-host", of="waiting-few", seats=ALL_SEATS),
    moment("waiting-full", is_live=False),
    moment("waiting-guest", is_live=False),
    moment("waiting-try-out", lambda stage: stage.press("try-out"), of="waiting-few"),
    moment("waiting-menu", lambda stage: stage.press("menu-2"), of="waiting-few"),
    moment("room-settings", lambda stage: stage.press("settings"), of="waiting-few"),
    moment("room-settings-all", lambda stage: stage.press("settings", "details"), of="waiting-few"),
    moment("room-settings-read", lambda stage: stage.press("settings"), of="waiting-guest", is_live=False),
    moment("invite", lambda stage: stage.press("invite"), of="waiting-few"),
    moment("countdown"),
    moment("reveal-covered", of="reveal"),
    moment("reveal-held", hold_role, of="reveal"),
    moment("night-seeing", seats=ALL_SEATS),
    moment("night-alone"),
    moment("vote", choose, seats=ALL_SEATS),
    moment("vote-opened", seats=ALL_SEATS),
    moment("pass-mine", choose, seats=ALL_SEATS),
    moment("pass-other", seats=ALL_SEATS, is_live=False),
    *(moment(name) for name in MOMENTS if name.startswith("announced-")),
    moment("scroll-targets", choose, seats=ALL_SEATS),
    moment("scroll-row"),
    moment("scroll-peeked"),
    moment("play-mine", pick, seats=ALL_SEATS),
    moment("play-drawn"),
    moment("play-done"),
    moment("play-other", seats=ALL_SEATS),
    moment("resolved-activated", seats=ALL_SEATS),
    moment("resolved-slain"),
    moment("record", lambda stage: stage.press_if_there("record"), of="play-other", seats=ALL_SEATS, is_live=False),
    moment("talk", lambda stage: stage.press_if_there("talk"), of="play-other"),
    moment("talk-on-turn", lambda stage: stage.press_if_there("talk"), of="play-mine"),
    moment("phrases", lambda stage: stage.talk("phrases"), of="play-other"),
    moment("people", lambda stage: stage.talk("people"), of="play-other"),
    moment("claim", lambda stage: stage.talk("claim"), of="play-other"),
    moment("claim-team", lambda stage: stage.talk("claim", "claim-team"), of="play-other"),
    moment("notes", notes, of="play-other", is_live=False),
    moment("menu", lambda stage: stage.press("menu"), of="play-other"),
    moment("rules-sheet", lambda stage: stage.press("menu", "rules"), of="play-mine"),
    moment("help", asks("?", "help"), of="play-mine", is_live=False),
    moment("table-in-words", asks("r", "table-words"), of="play-other", is_live=False),
    moment("away"),
    moment("stand-in"),
    moment("watching", is_live=False),
    moment("reconnecting", cut, of="play-other"),
    moment("over-human", is_live=False),
    moment("over-dragon", is_live=False),
    moment("over-human-whole", of="over-human", seats=ALL_SEATS, is_live=False, is_whole=True),
    *(
        page(f"rules-{part or 'rules'}", f"/rules/{part}".rstrip("/"), is_whole=part == "story")
        for part in ("", "terms", "scrolls", "story")
    ),
    *(page(f"learn-{steps:02}", "/learn", tutorial(steps)) for steps in (0, 2, 4, 7, 10, 14, 17)),
    page("learn-quiz", "/learn", quiz),
    page("device-settings", "/settings", is_whole=True),
    page("replay-opener", "/replay"),
    Screen("replay-deal", replay("Home")),
    Screen("replay-middle", replay("Home", *["Shift+ArrowRight"] * 3, *["ArrowRight"] * 4), ALL_SEATS),
    *(Screen(f"replay-{tab}", replay("End", tab=tab)) for tab in ("moves", "record", "game")),
    Screen("replay-end", replay("End")),
    page("lost", "/nowhere"),
    page("balance", "/balance/8"),
]
