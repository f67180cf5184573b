"""Plays a game in the engines of Safari and of Firefox, where Debian's packages of them are installed.

`apt-get install webkit2gtk-driver xvfb xauth firefox-esr`. Neither wants a driver from elsewhere: WebKitGTK speaks
WebDriver, Firefox its younger sister WebDriver BiDi; what is done is said to both in the same words. Each engine opens
a room, fills it with AIs, plays to the end by click and by drag, reloads in the middle and turns the pages that are not
a game. Ends with 1 if an engine said an error or did not come to the end.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, Final

from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from tests.e2e.serving import ServerProcess, free_port

MINI_BROWSER: Final = sorted(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"))
GAME_SECONDS: Final = 300
STARTS_SECONDS: Final = 30
ESCAPE: Final = "\ue00c"
LOOP: Final = "ResizeObserver loop"
"""Said wherever a size was measured twice in one frame; nothing is wrong."""

HOOK: Final = """
if (!window.problems) {
  window.problems = [];
  addEventListener('error', (event) => problems.push(`${event.message} ${event.filename}:${event.lineno}`));
  addEventListener('unhandledrejection', (event) => problems.push(String(event.reason?.stack ?? event.reason)));
}
"""
PROBLEMS: Final = "return (window.problems ?? []).splice(0)"
MIDDLE: Final = """
const seen = [...document.querySelectorAll(arguments[0])].filter((one) => one.checkVisibility());
const one = seen.at(-1);
if (!one) return null;
let box = one.getBoundingClientRect();
if (box.top < 0 || box.bottom > innerHeight) one.scrollIntoView({ block: 'center', behavior: 'instant' });
box = one.getBoundingClientRect();
return [box.x + box.width / 2, box.y + box.height / 2];
"""
CHOSEN: Final = """
const list = document.querySelector(arguments[0]);
list.value = arguments[1];
list.dispatchEvent(new Event('change', { bubbles: true }));
"""
CHOOSABLE: Final = "button.choosable:not(:disabled):not([aria-pressed='true'])"
LACKS: Final = "#app [data-testid='confirm']:disabled"


class Engine(ABC):
    """A browser with one page."""

    name: str
    version: str

    @abstractmethod
    def goes(self, address: str) -> None: ...

    @abstractmethod
    def run(self, script: str, *given: Any) -> Any: ...

    @abstractmethod
    def acts(self, actions: list[dict[str, Any]]) -> None: ...

    @abstractmethod
    def ends(self) -> None: ...


class WebKit(Engine):
    """WebKitGTK's small browser, by WebDriver."""

    def __init__(self) -> None:
        self._port = free_port()
        command = ["WebKitWebDriver", f"--port={self._port}"]
        if "DISPLAY" not in os.environ:
            command = ["xvfb-run", "--auto-servernum", *command]
        quiet = subprocess.DEVNULL
        self._driver = subprocess.Popen(command, stdout=quiet, stderr=quiet, start_new_session=True)
        options = {"binary": str(MINI_BROWSER[-1]), "args": ["--automation"]}
        wanted = {"alwaysMatch": {"browserName": "MiniBrowser", "webkitgtk:browserOptions": options}}
        self._session = ""
        made = self._patiently({"capabilities": wanted})
        self._session = f"/session/{made['sessionId']}"
        self.name, self.version = "WebKitGTK", made["capabilities"]["browserVersion"]

    def _patiently(self, body: dict[str, Any]) -> Any:
        end = time.monotonic() + STARTS_SECONDS
        while True:
            try:
                return self._asks("POST", "/session", body)
            except OSError:
                if time.monotonic() > end:
                    self._stops()
                    raise
                time.sleep(0.2)

    def _asks(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        address = f"http://127.0.0.1:{self._port}{self._session}{path}"
        request = urllib.request.Request(address, data, {"content-type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310 -- always http
            return json.load(answer)["value"]

    def goes(self, address: str) -> None:
        self._asks("POST", "/url", {"url": address})

    def run(self, script: str, *given: Any) -> Any:
        return self._asks("POST", "/execute/sync", {"script": script, "args": given})

    def acts(self, actions: list[dict[str, Any]]) -> None:
        self._asks("POST", "/actions", {"actions": actions})

    def ends(self) -> None:
        self._asks("DELETE", "")
        self._stops()

    def _stops(self) -> None:
        """The driver, and the display that was started for it."""
        os.killpg(self._driver.pid, signal.SIGTERM)
        self._driver.wait()


class Firefox(Engine):
    """Firefox without a window, by WebDriver BiDi."""

    def __init__(self) -> None:
        port = free_port()
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        command = ["firefox-esr", "--headless", "--no-remote", "--profile", self._profile.name]
        home = os.environ | {"HOME": self._profile.name}
        quiet = subprocess.DEVNULL
        self._browser = subprocess.Popen(
            [*command, "--remote-debugging-port", str(port)], env=home, stdout=quiet, stderr=quiet
        )
        end = time.monotonic() + STARTS_SECONDS
        while True:
            try:
                self._socket = connect(f"ws://127.0.0.1:{port}/session", max_size=None, legacy=True)
                break
            except (OSError, WebSocketException):
                if time.monotonic() > end:
                    self._browser.terminate()
                    raise
                time.sleep(0.2)
        self._number = 0
        self.name = "Firefox"
        self.version = self._asks("session.new", capabilities={})["capabilities"]["browserVersion"]
        self._page = self._asks("browsingContext.getTree")["contexts"][0]["context"]
        phone = {"width": 390, "height": 844}
        self._asks("browsingContext.setViewport", context=self._page, viewport=phone)

    def _asks(self, method: str, **params: Any) -> Any:
        self._number += 1
        self._socket.send(json.dumps({"id": self._number, "method": method, "params": params}))
        while True:
            answer = json.loads(self._socket.recv(timeout=60))
            if answer.get("id") == self._number:
                if answer["type"] == "error":
                    raise OSError(f"{method}: {answer['message']}")
                return answer["result"]

    def goes(self, address: str) -> None:
        self._asks("browsingContext.navigate", context=self._page, url=address, wait="complete")

    def run(self, script: str, *given: Any) -> Any:
        answer = self._asks(
            "script.callFunction",
            functionDeclaration=f"(all) => JSON.stringify((function () {{{script}}})(...JSON.parse(all)) ?? null)",
            arguments=[{"type": "string", "value": json.dumps(given)}],
            target={"context": self._page},
            awaitPromise=False,
        )
        if answer["type"] == "exception":
            raise OSError(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"]["value"])

    def acts(self, actions: list[dict[str, Any]]) -> None:
        self._asks("input.performActions", context=self._page, actions=actions)

    def ends(self) -> None:
        self._asks("browser.close")
        self._browser.wait(timeout=20)
        self._profile.cleanup()


class Guest:
    """Somebody who plays in an engine, by the hooks of web/README.md."""

    def __init__(self, engine: Engine, address: str) -> None:
        self.engine = engine
        self.address = address
        self.problems: list[str] = []
        self.dragged = 0

    def goes(self, path: str) -> None:
        self._hear()
        self.engine.goes(self.address + path)
        self.engine.run(HOOK)
        self.until("main")

    def _hear(self) -> None:
        self.problems += [one for one in self.engine.run(PROBLEMS) if LOOP not in one]

    def middle(self, where: str) -> tuple[float, float] | None:
        """Of the last that is in sight, by a selector or the name of a hook; None where there is none."""
        is_selector = where == "main" or any(sign in where for sign in ".[ #")
        found = self.engine.run(MIDDLE, where if is_selector else f'[data-testid="{where}"]')
        return found and (found[0], found[1])

    def until(self, where: str, seconds: float = 30) -> tuple[float, float]:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if found := self.middle(where):
                return found
            time.sleep(0.1)
        raise TimeoutError(f"never seen: {where}")

    def point(self, *path: tuple[float, float], rest_s: float = 0.03) -> None:
        """Presses at the first of these points and lets go at the last."""
        moves = [{"type": "pointerMove", "x": round(x), "y": round(y), "duration": 30} for x, y in path]
        press, rest = {"type": "pointerDown", "button": 0}, {"type": "pause", "duration": round(rest_s * 1000)}
        actions = [moves[0], press, rest, *moves[1:], {"type": "pointerUp", "button": 0}]
        self.engine.acts([{"type": "pointer", "id": "mouse", "actions": actions}])
        time.sleep(0.15)

    def click(self, where: str) -> None:
        self.point(self.until(where, 3))

    def types(self, text: str) -> None:
        keys = [{"type": kind, "value": sign} for sign in text for kind in ("keyDown", "keyUp")]
        self.engine.acts([{"type": "key", "id": "keys", "actions": keys}])
        time.sleep(0.3)

    def begins(self) -> None:
        self.goes("/")
        self.click("name")
        self.types("Alice")
        self.click("create-room")
        self.until("code")
        self.click("settings")
        self.click("details")
        self.engine.run(CHOSEN, '[data-testid="set-preset"]', "none")
        self.types(ESCAPE)
        self.click("fill-all")
        self.click("start")
        self.point(self.until("hold-role"), rest_s=0.5)
        self.click("seen")

    def plays(self) -> str:
        """To the end, with a reload in the middle; gives the result."""
        end = time.monotonic() + GAME_SECONDS
        is_reloaded = False
        while not self.middle("result"):
            if time.monotonic() > end:
                raise TimeoutError("the game does not end")
            try:
                self._acts()
            except TimeoutError:  # what was to be pressed has just gone
                continue
            if self.dragged == 1 and not is_reloaded:
                is_reloaded = True
                self.goes(self.engine.run("return location.pathname"))
        return str(self.engine.run("return document.querySelector('h1').innerText"))

    def _acts(self) -> None:
        if self.middle("resolution"):
            self.click("resolution")
        elif self.middle("row-1"):
            self.click("row-1")
            self.click("confirm")
        elif self.middle(CHOOSABLE):
            for _ in range(2):
                if self.middle(LACKS):
                    self.click(CHOOSABLE)
            self.click("confirm")
        elif self.middle("skip"):
            card, zone = self.middle(".held:not(.idle)"), self.middle("play-zone")
            if card and zone:
                half = ((card[0] + zone[0]) / 2, (card[1] + zone[1]) / 2)
                self.point(card, half, zone)
                self.dragged += 1
            else:
                self.click("skip")
        time.sleep(0.1)

    def looks_around(self) -> None:
        for path in ("/rules", "/settings", "/replay", "/learn"):
            self.goes(path)
        for _ in range(4):
            self.click("coach-next")
        self._hear()


def main() -> int:
    engines: list[type[Engine]] = []
    if shutil.which("WebKitWebDriver") and MINI_BROWSER:
        engines.append(WebKit)
    if shutil.which("firefox-esr"):
        engines.append(Firefox)
    if not engines:
        print("none is installed: apt-get install webkit2gtk-driver xvfb xauth firefox-esr", file=sys.stderr)
        return 1
    failed = False
    with tempfile.TemporaryDirectory() as data, ServerProcess(Path(data), tempo=8) as server:
        for kind in engines:
            engine = kind()
            guest = Guest(engine, server.address)
            try:
                guest.begins()
                result = guest.plays()
                guest.looks_around()
                print(f"{engine.name} {engine.version}: {result}; {guest.dragged} cards dragged")
            except (OSError, TimeoutError) as error:
                guest.problems.append(str(error))
            finally:
                engine.ends()
            for problem in guest.problems:
                print(f"{engine.name} {engine.version}: {problem}", file=sys.stderr)
            failed |= guest.problems != []
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
