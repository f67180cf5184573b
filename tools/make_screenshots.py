"""Pictures of every screen, in both languages, on a phone both ways and on a desktop: `python -m tools.make_screenshots`.

The pages are real and so are the games (tools/staged_games.py), but each page is handed the picture of a moment instead
of waiting for it. They go to screenshots/, with a page to look at them all; `--only PATTERN` takes those whose name has
the pattern in it. What could not be pictured is said at the end.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, Final

import msgspec
from playwright.sync_api import Browser, BrowserContext, WebSocketRoute, sync_playwright
from playwright.sync_api import Error as BrowserError

from cinderforge.wire.requests import PublicRooms, RoomSummary
from tests.e2e.pages import ARGUMENTS, CHROMIUM, Watched
from tests.e2e.serving import ServerProcess
from tools.staged_games import MOMENTS, Found, Shown, StagedGame, find, heard

TARGET: Final = Path(__file__).resolve().parent.parent / "screenshots"
LANGUAGES: Final = ("zh-TW", "en-US")
TOUCH: Final[dict[str, Any]] = {"has_touch": True, "is_mobile": True}
FORMS: Final[dict[str, dict[str, Any]]] = {
    "phone": {"viewport": {"width": 390, "height": 844}, **TOUCH},
    "landscape": {"viewport": {"width": 844, "height": 390}, **TOUCH},
    "desktop": {"viewport": {"width": 1280, "height": 800}},
}
CODE: Final = "QXKMRT"
SETTLE_MS: Final = 700
TALLEST: Final = 3_000
USUAL_SEATS: Final = 8

NAMES: Final = ["阿狸", "夜行者", "Momo", "小火龍", "Ravenna", "石頭"]
LONG_NAMES: Final = [
    "永夜守望者阿爾法德騎士團",
    "Wilhelmina the Undaunted",
    "灰燼之城第十三代守夜人長",
    "Bartholomew-Aurelius III",
    "梅子",
]
"""As long as names may be: 12 characters of Chinese, 24 Latin ones."""
SAID: Final = {
    "zh-TW": ["三號上一輪猶豫很久,我先記著。", "晶核給五號吧,我想看他怎麼出。", "等等,四號你剛剛為什麼不出牌?"],
    "en-US": [
        "Seat 3 took their time there; noted.",
        "Let us give the crystal to 5, I want to see that.",
        "Wait, 4, why did you skip?",
    ],
}
PUBLIC: Final = [
    RoomSummary("QXKMRT", "阿狸", 3, 8, "waiting", "normal", 0, True),
    RoomSummary("HDWEPA", "Wilhelmina the Undaunted", 5, 6, "waiting", "fast", 2, True),
    RoomSummary("BNCTRJ", "永夜守望者阿爾法德騎士團", 10, 10, "game", "relaxed", 4, True),
]


class Stage(Watched):
    """A page that is handed what to show."""

    def __init__(self, context: BrowserContext, address: str) -> None:
        super().__init__(context.new_page())
        self.address = address
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

    def room(self, *shown: Shown) -> None:
        """Opens a room and shows these pictures, one after the other."""
        self._socket = None
        self.page.goto(f"{self.address}/r/{CODE}")
        end = time.monotonic() + 10
        while self._socket is None:
            assert time.monotonic() < end, "the page opens no socket"
            self.page.wait_for_timeout(20)
        for number, one in enumerate(shown):
            self._show(one, is_first=number == 0)
            self.page.wait_for_timeout(150)

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


ALL_SEATS: Final = (5, 8, 10)


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
        if is_live and found.before:
            stage.room(found.before, found.moment)
        else:
            stage.room(found.moment)
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
    stage.press("to-quiz", "answer-0")


def replay(*keys: str) -> Showing:
    def show(stage: Stage, scene: Scene, seats: int) -> None:
        stage.goes("/replay")
        record = scene.moments["over-human", seats].record
        files = {"name": "game.cinder.jsonl", "mimeType": "application/x-ndjson", "buffer": record.encode()}
        stage.page.locator('[data-testid="file"]').set_input_files([files])  # type: ignore[list-item]
        stage.page.wait_for_timeout(300)
        stage.press_if_there("show-all")
        stage.by("replay-board").wait_for(timeout=8_000)
        for key in keys:
            stage.page.keyboard.press(key)

    return show


TUTORIAL_STEPS: Final = 20

SCREENS: Final = [
    page("home", "/"),
    page("home-problem", "/", lambda stage: stage.press("practise")),
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
    moment("pass-other", seats=ALL_SEATS),
    *(moment(name) for name in MOMENTS if name.startswith("announced-")),
    moment("scroll-targets", choose, seats=ALL_SEATS),
    moment("scroll-row"),
    moment("scroll-peeked"),
    moment("play-mine", pick, seats=ALL_SEATS),
    moment("play-other", seats=ALL_SEATS),
    moment("resolved-activated", seats=ALL_SEATS),
    moment("resolved-slain"),
    moment("record", lambda stage: stage.press_if_there("record"), of="play-other", seats=ALL_SEATS, is_live=False),
    moment("talk", lambda stage: stage.press_if_there("talk"), of="play-other"),
    moment("talk-on-turn", lambda stage: stage.press_if_there("talk"), of="play-mine"),
    moment("phrases", lambda stage: (stage.press_if_there("talk"), stage.press("phrases"))[0], of="play-other"),
    moment("people", lambda stage: (stage.press_if_there("talk"), stage.press("people"))[0], of="play-other"),
    moment("claims", lambda stage: (stage.press_if_there("talk"), stage.press("claims"))[0], of="play-other"),
    moment("notes", lambda stage: stage.press_if_there("notes"), of="play-other", is_live=False),
    moment("menu", lambda stage: stage.press("menu"), of="play-other"),
    moment("rules-sheet", lambda stage: stage.press("menu", "rules"), of="play-mine"),
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
    Screen("replay-end", replay("End")),
]


def names_for(seats: int) -> list[str]:
    """At the usual table people have usual names."""
    return NAMES if seats == USUAL_SEATS else [NAMES[0], *LONG_NAMES][: seats - 1]


def moments_of(language: str, seats: int) -> dict[str, Found]:
    """Every moment of the tables of this size, before, in and after the game."""
    names, said = names_for(seats), SAID[language]
    found = find(names, seats, said, MOMENTS)

    host = StagedGame(7, names, seats, said)
    host.fill()
    few = [one for one in host.shown if one.update["room"]["missing"] > 2]
    found["waiting-few"] = Found(few[-2], heard(few), "")
    found["waiting-full"] = Found(None, host.shown[-1], "")
    host.play(lambda shown: shown.update["room"]["stage"] == "mixing" or _has_countdown(shown))
    found["countdown"] = Found(host.shown[-2], host.shown[-1], "")

    guest = StagedGame(7, names, seats, said)
    guest.fill(as_host=False)
    found["join"] = Found(None, guest.shown[0], "")
    found["waiting-guest"] = Found(None, guest.shown[-1], "")

    away = StagedGame(7, names, seats, said)
    away.fill()
    away.play(lambda shown: bool(shown.update["table"]) and shown.update["table"]["round"] == 2)
    away.vanish(away.people.pop(2))
    at = len(away.shown)
    away.clock.pass_time(4_000)
    found["away"] = Found(heard(away.shown[:at]), away.shown[-1], "")
    away.clock.pass_time(30_000)
    for number, one in enumerate(away.shown):
        if any(seat["stand_in"] for seat in one.update["room"]["seats"]):
            found["stand-in"] = Found(heard(away.shown[:number]), one, "")
            break

    middle = found["play-other"].moment
    you = {"member": {**middle.update["you"]["member"], "seat": None, "host": False}, "player": None}
    found["watching"] = Found(None, Shown({**middle.update, "you": you}, middle.lines), "")
    return found


def _has_countdown(shown: Shown) -> bool:
    wait = shown.update["room"]["wait"]
    return wait is not None and wait["kind"] == "mixing"


@dataclass(frozen=True)
class Picture:
    screen: Screen
    language: str
    form: str
    seats: int

    @property
    def name(self) -> str:
        count = f"-{self.seats}" if len(self.screen.seats) > 1 else ""
        return f"{self.screen.name}{count}.{self.language}.{self.form}"


def take(picture: Picture, context: BrowserContext, address: str, scene: Scene) -> str:
    """Takes it; gives what went wrong."""
    stage = Stage(context, address)
    problem = ""
    try:
        picture.screen.show(stage, scene, picture.seats)
        stage.page.wait_for_timeout(SETTLE_MS)
        clip = None
        if picture.screen.is_whole:
            width, height = stage.page.evaluate(
                "[document.documentElement.clientWidth, document.documentElement.scrollHeight]"
            )
            clip = {"x": 0, "y": 0, "width": width, "height": min(TALLEST, height)}
        path = TARGET / f"{picture.name}.png"
        stage.page.screenshot(path=path, full_page=clip is not None, clip=clip)  # type: ignore[arg-type]
    except KeyError as error:
        problem = f"no such moment: {error}"
    except (BrowserError, AssertionError) as error:
        problem = str(error).splitlines()[0]
    if stage.errors:
        problem = " | ".join([*filter(None, [problem]), *dict.fromkeys(stage.errors)])
    stage.page.close()
    return problem


def contact_sheet(names: list[str]) -> str:
    """A page with all of them: a row for each screen."""
    rows: dict[str, list[str]] = defaultdict(list)
    for name in names:
        rows[name.split(".")[0]].append(name)
    made = "".join(
        f"<h2>{escape(row)}</h2><p>"
        + "".join(
            f'<a href="{name}.png"><img src="{name}.png" alt="{name}" title="{name}" loading="lazy"></a>'
            for name in sorted(row_names)
        )
        + "</p>\n"
        for row, row_names in rows.items()
    )
    return (
        '<!doctype html><meta charset="utf-8"><title>Cinderforge, every screen</title><style>'
        "body{background:#222;color:#eee;font:14px sans-serif;margin:16px}"
        "p{display:flex;gap:12px;align-items:start;overflow-x:auto}img{height:420px}h2{margin:24px 0 8px}</style>\n" + made
    )


def wanted(only: str) -> list[Picture]:
    pictures = [
        Picture(screen, language, form, seats)
        for screen in SCREENS
        for language in LANGUAGES
        for form in FORMS
        for seats in screen.seats
        if form != "landscape" or seats != 5
    ]
    return [one for one in pictures if re.search(only, one.name)]


def take_all(browser: Browser, address: str, pictures: list[Picture]) -> dict[str, str]:
    """Those that were not taken, or went wrong, and why."""
    problems: dict[str, str] = {}
    for language in LANGUAGES:
        seats = {one.seats for one in pictures if one.language == language}
        moments = {(name, count): one for count in seats for name, one in moments_of(language, count).items()}
        scene = Scene(moments, language)
        for form, kind in FORMS.items():
            context = browser.new_context(**kind, locale=language, reduced_motion="reduce", service_workers="block")
            for one in pictures:
                if (one.language, one.form) == (language, form) and (problem := take(one, context, address, scene)):
                    problems[one.name] = problem
            context.close()
    return problems


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", metavar="PATTERN")
    pictures = wanted(parser.parse_args(arguments).only)
    TARGET.mkdir(exist_ok=True)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        server = ServerProcess(Path(data), env={"CINDERFORGE_LIMITS": "off"})
        server.start()
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        try:
            problems = take_all(browser, server.address, pictures)
        finally:
            browser.close()
            server.stop()
    taken = [one.name for one in wanted("") if (TARGET / f"{one.name}.png").exists()]
    (TARGET / "index.html").write_text(contact_sheet(taken), "utf-8")
    for name, problem in problems.items():
        print(f"{name}: {problem}")
    print(f"{len(pictures) - len(problems)} pictures in {time.monotonic() - began:.0f} s, {len(problems)} with a problem: {TARGET}/index.html")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
