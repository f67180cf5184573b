"""A person as a program: one cookie, one socket that comes back, commands re-sent until they are answered."""

from __future__ import annotations

import asyncio
import json
import random
from http.client import HTTPException
from typing import Any

import websockets
from websockets.asyncio.client import ClientConnection, connect

from tests.e2e.serving import ServerProcess

Message = dict[str, Any]


class Person:
    """Plays whatever is offered, at random. Remembers what was acknowledged, to hold the server to it."""

    def __init__(self, server: ServerProcess, cookie: str, code: str, name: str, seed: int) -> None:
        self.server, self.cookie, self.code, self.name = server, cookie, code, name
        self.rng = random.Random(seed)
        self.last: Message | None = None
        self.news: list[Message] = []
        self.acknowledged: list[Message] = []
        self.refused: list[tuple[Message, str]] = []
        self.unanswered: dict[str, Message] = {}
        self.sockets = 0
        self.is_patient = False
        """Comes back after pauses as a browser does, rather than at once."""
        self._count = 0
        self._asked_at: set[str] = set()

    async def live(self, is_done: Any) -> None:
        """Keeps coming back until `is_done(self)`."""
        attempt = 0
        while not is_done(self):
            try:
                ticket = await asyncio.to_thread(self.server.ticket, self.code, self.cookie)
                headers = {"Cookie": self.cookie, "Origin": self.server.address}
                uri = f"ws://127.0.0.1:{self.server.port}/ws/{self.code}?ticket={ticket}"
                async with connect(uri, additional_headers=headers, open_timeout=5) as socket:
                    self.sockets += 1
                    attempt = 0
                    await self._talk(socket, is_done)
            except (OSError, HTTPException, websockets.WebSocketException, TimeoutError):
                await asyncio.sleep(self.rng.random() * min(2, 0.5 * 2**attempt) if self.is_patient else 0.05)
                attempt += 1

    async def _talk(self, socket: ClientConnection, is_done: Any) -> None:
        last = self.last or {}
        hello = {"t": "hello", "protocol": 1, "game": last.get("game", 0), "heard": last.get("heard", 0)}
        await socket.send(json.dumps(hello))
        for wish in self.unanswered.values():
            await socket.send(json.dumps(wish))
        async for text in socket:
            message = json.loads(text)
            if message["t"] == "update":
                self.news = message["news"] if message["fresh"] else self.news + message["news"]
                assert message["heard"] == len(self.news), "the news has a gap"
                self.last = message
                for wish in self._wishes(message):
                    self.unanswered[wish["id"]] = wish
                    await socket.send(json.dumps(wish))
            elif message["t"] == "done":
                self.acknowledged.append(self.unanswered.pop(message["id"]))
            elif message["t"] == "refused":
                self.refused.append((self.unanswered.pop(message["id"]), message["code"]))
            elif message["t"] == "bye":
                return
            if is_done(self):
                return

    def _wishes(self, update: Message) -> list[Message]:
        you, room, table = update["you"], update["room"], update["table"]
        if you["member"]["member"] is None:
            return self._once("join", {"t": "join", "name": self.name})
        if you["member"]["wanted"]:
            return self._once(f"mix{room['game']}", {"t": "contribute", "bytes": self.rng.randbytes(16).hex()})
        if table and table["phase"] == "reveal":
            return self._once(f"seen{room['game']}", {"t": "seen"})
        player = you["player"]
        if not player or not player["offer"] or table["announcing"]:
            return []
        step = len(table["choice"]["targets"]) if table["choice"] else 0
        moment = f"{room['game']}/{table['phase']}/{table['round']}/{len(table['acts'])}/{step}"
        return self._once(moment, self._move(player["offer"]))

    def _move(self, offer: Message) -> Message:
        rng = self.rng
        match offer["offer"]:
            case "vote":
                return {"t": "vote", "target": rng.choice(offer["targets"])}
            case "pass":
                return {"t": "pass", "to": rng.choice(offer["targets"])}
            case "targets":
                return {"t": "targets", "targets": rng.sample(offer["targets"], offer["count"])}
            case "row":
                return {"t": "pick_card", "position": rng.randint(1, offer["cards"])}
            case _:
                plays = [{"t": "play", "card": card} for card in offer["cards"] if not card.endswith("dragon")]
                skips = [{"t": "skip"}] * 2 if offer["may_skip"] else []
                fallback = [{"t": "play", "card": card} for card in offer["cards"]]
                return rng.choice(plays + skips or fallback)

    def _once(self, moment: str, wish: Message) -> list[Message]:
        if moment in self._asked_at:
            return []
        self._asked_at.add(moment)
        self._count += 1
        return [wish | {"id": f"{self.name}-{self._count}"}]
