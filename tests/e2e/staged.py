"""A page that is shown a table by the test instead of by a game: any moment, any number of seats, any names.

What is shown is made of the wire's own types, so that it stays what a server could send.
"""

from __future__ import annotations

import json
import time
from typing import Any

import msgspec
from playwright.sync_api import Browser, WebSocketRoute

from cinderforge.wire.messages import Update
from tests.e2e.pages import Watched

CODE = "QXKMRT"
NAMES = ["阿狸", "夜行者", "Momo", "小火龍", "Bea", "石頭", "Ravenna", "阿光", "Quill", "梅子"]
ROLES = ["sage", "adventurer", "mystic", "red_dragon", "two_headed_dragon", "adventurer", "shadow_dragon", "adventurer"]
NOTHING = {"sage_activated": False, "activated": 0, "slain": 0, "sage_slain": False}
TIMERS = {"reveal": 30, "vote": 30, "passing": 45, "scroll": 30, "play": 30, "away": 20}


def room(names: list[str], left: float | None = 20, **over: Any) -> dict[str, Any]:
    """A room in its first game, with the host in seat 1 and AIs in the even seats."""
    until = None if left is None else int((time.time() + left) * 1000)
    seats = [
        {
            "seat": index + 1,
            "kind": "ai" if index % 2 else "person",
            "name": name,
            "online": True,
            "ready": False,
            "member": None if index % 2 else index + 1,
            "level": "normal" if index % 2 else None,
            "stand_in": False,
            "left": False,
        }
        for index, name in enumerate(names)
    ]
    settings = {
        "rules": rules(len(names)),
        "preset": "normal",
        "timers": TIMERS,
        "ai_level": "normal",
        "spectators": True,
        "spectator_delay": 0,
        "public": False,
        "chat_guard": "block",
        "ai_talk": True,
    }
    return {
        "code": CODE,
        "stage": "game",
        "game": 1,
        "settings": settings,
        "seats": seats,
        "watchers": [],
        "host": 1,
        "polls": [],
        "commitment": "c0",
        "mixed": 0,
        "secret": None,
        "contributions": None,
        "warnings": [],
        "measured": [],
        "levels": ["easy", "normal"],
        "missing": 0,
        "wanting": [],
        "notes": [],
        "wait": {"kind": "play", "until": until, "whole": 30_000, "paused": False, "left": None},
        **over,
    }


def rules(seats: int) -> dict[str, Any]:
    return {
        "seats": seats,
        "first_holder": "vote",
        "sage_slain_ends": True,
        "activation_target": 2,
        "kill_target": 3,
        "act_last_lasts": "round",
        "memory_aid": False,
    }


def table(seats: int, **over: Any) -> dict[str, Any]:
    return {
        "rules": rules(seats),
        "seats": list(range(1, seats + 1)),
        "phase": "play",
        "round": 3,
        "holder": 4,
        "giver": 2,
        "awaited": [],
        "hand_sizes": [3] * seats,
        "unfired": [t for t in range(1, seats + 1) if t > 4],
        "fired": [],
        "choice": None,
        "announcing": False,
        "marks": [],
        "acts_last": [],
        "order": None,
        "acts": [],
        "voted": [],
        "ballots": None,
        "tally": NOTHING,
        "past": [],
        "result": None,
        "reveal": None,
        **over,
    }


def player(**over: Any) -> dict[str, Any]:
    return {
        "turn": 1,
        "role": "adventurer",
        "faction": "human",
        "hand": ["adventurer", "blank", "blank"],
        "scroll": "peek_hand",
        "played": None,
        "plays": [],
        "drawn": None,
        "ballot": None,
        "night": None,
        "knows_cards": [],
        "knows_roles": [],
        "offer": None,
        **over,
    }


def member(**over: Any) -> dict[str, Any]:
    return {
        "member": 1,
        "name": NAMES[0],
        "seat": 1,
        "host": True,
        "may_sit": False,
        "may_watch": False,
        "may_want": False,
        "wants": False,
        "yields": None,
        "may_hold": False,
        "may_vote": True,
        "wanted": None,
        "voted": [],
        "talk": "table",
        "quiet": "",
        "muted": [],
        "banned": [],
        "notes": {"marks": [], "text": "", "final": False, "shared": False},
        **over,
    }


def played(*turns: int) -> list[dict[str, Any]]:
    return [{"turn": turn, "act": "played", "how": "own"} for turn in turns]


class Staged(Watched):
    """A page in that room. `show` is an update; `asked` is what the page has asked for."""

    def __init__(
        self,
        browser: Browser,
        address: str,
        names: list[str] | None = None,
        *,
        device: dict[str, Any] | None = None,
        **context: Any,
    ) -> None:
        self.names = names or NAMES[:8]
        self.asked: list[dict[str, Any]] = []
        self._heard = 0
        self._socket: WebSocketRoute | None = None
        super().__init__(browser.new_context(**context).new_page())
        page = self.page
        if device:
            kept = json.dumps(json.dumps(device))
            page.add_init_script(f"localStorage.setItem('cinderforge.device', {kept})")
        page.route("**/api/session", lambda route: route.fulfill(status=204))
        page.route("**/api/rooms/*/ticket", lambda route: route.fulfill(json={"ticket": "t"}))
        page.route_web_socket("**/ws/**", self._open)
        page.goto(f"{address}/r/{CODE}")
        end = time.monotonic() + 30
        while self._socket is None:
            assert time.monotonic() < end, f"the page opens no socket: {self.errors}"
            page.wait_for_timeout(20)

    def _open(self, socket: WebSocketRoute) -> None:
        self._socket = socket
        socket.on_message(self._hear)

    def _hear(self, text: str | bytes) -> None:
        said = json.loads(text)
        if said["t"] in ("hello", "ping"):
            return
        self.asked.append(said)
        assert self._socket
        self._socket.send(json.dumps({"t": "done", "id": said["id"]}))

    def show(
        self,
        news: list[dict[str, Any]] | None = None,
        *,
        fresh: bool = False,
        you: dict[str, Any] | None = None,
        watching: bool = False,
        room_: dict[str, Any] | None = None,
        left: float | None = 20,
        **of_table: Any,
    ) -> None:
        """The table as it now is, with `of_table` different from usual, and the news that led to it."""
        told = news or []
        self._heard = len(told) if fresh else self._heard + len(told)
        update = {
            "now": int(time.time() * 1000),
            "game": 1,
            "heard": self._heard,
            "fresh": fresh,
            "news": told,
            "room": room(self.names, left, **(room_ or {})),
            "table": table(len(self.names), **of_table),
            "you": {
                "member": member(seat=None) if watching else member(),
                "player": None if watching else player(**(you or {})),
            },
        }
        msgspec.convert(update, Update)
        assert self._socket
        self._socket.send(json.dumps({"t": "update", **update}))
        if fresh:  # the part of the client that shows a game may still be on its way
            self.page.wait_for_selector('[data-testid="status"], [data-testid="hold-role"]', state="attached")
        self.page.wait_for_timeout(30)

    def wishes(self) -> list[dict[str, Any]]:
        """What was asked for, without ids and without the round in which it was."""
        return [{key: value for key, value in one.items() if key not in ("id", "game", "round")} for one in self.asked]

    def close(self) -> None:
        self.page.context.close()
