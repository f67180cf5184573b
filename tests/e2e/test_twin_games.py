"""Two games that differ only in what a seat may not know, over real sockets: the same frames at the same times (R11).

The server runs in this process on a clock that jumps. The first game is played at random; its twin deals anew what the
eye was never told, and everybody in it does what leads to the same public course. AIs claim things, too: at the moments
that the room draws for them, and the same in both. Order, size, number, bytes and tick of every frame are compared, for
a player's socket and for that of somebody who watches.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any
from unittest.mock import patch

import httpx
import pytest
from msgspec.structs import replace as struct_replace
from starlette.types import ASGIApp, Receive, Scope, Send
from websockets.asyncio.client import ClientConnection, connect

from cinderforge.bots import BOTS, DEFAULT_BOT
from cinderforge.bots.bot import offer_of
from cinderforge.redaction.eye import SPECTATOR, Eye, PlayerEye
from cinderforge.redaction.recollection import Recollection
from cinderforge.redaction.shapes import View
from cinderforge.room import picture, playing, questions, speeches, telling
from cinderforge.room.inputs import AiSpoke, SocketId
from cinderforge.room.outputs import AskBot, AskWords, Output
from cinderforge.room.room import Room
from cinderforge.room.running import Running
from cinderforge.room.shapes import RoomView
from cinderforge.room.state import Wait
from cinderforge.rules import game
from cinderforge.rules.commands import (
    CastVote,
    ChooseCard,
    ChooseTargets,
    Command,
    PassCrystal,
    PlayCard,
    TimeOut,
)
from cinderforge.rules.events import Event
from cinderforge.rules.game import begin
from cinderforge.rules.offers import commands_of
from cinderforge.rules.state import GameState
from cinderforge.rules.words import DRAGON_CARDS, Card, Role, Seat, Turn
from cinderforge.server.app import House, build_app
from cinderforge.server.config import ConnKind
from cinderforge.server.conn import Admission, Refusal, UpgradeHead
from cinderforge.server.game_server import build_server
from cinderforge.server.health import Health
from cinderforge.server.identity import Tickets
from cinderforge.server.limits import Limits
from cinderforge.server.lobby import Lobby
from cinderforge.server.metrics import LoopLag
from cinderforge.server.room_task import RoomTask
from cinderforge.server.socket import FrontDoor
from cinderforge.server.store_memory import MemoryStore
from cinderforge.testkit.clock import JumpingClock
from cinderforge.testkit.mischief import any_claim
from cinderforge.testkit.twins import Move, ScriptedLuck, World, any_settings, twin

LEVEL = DEFAULT_BOT
GAMES = {"picows": 50, "starlette": 20}
"""Each gives a pair for a player's eye and one for a watcher's, on each of two kinds of connection."""
SILENCE = 0.08
"""How often the person lets time run out where that means to skip."""

pytestmark = pytest.mark.anyio


@dataclass
class Course:
    """How a game goes: at random and written down, or as a twin of one has it."""

    rng: random.Random
    twin: World | None = None
    moves: list[Move] = field(default_factory=list)
    times: list[int] = field(default_factory=list)
    clock: JumpingClock = field(default_factory=JumpingClock)
    running: Running | None = None

    def __post_init__(self) -> None:
        self.script: dict[Turn, deque[Command | None]] = defaultdict(deque)
        for move in self.twin.moves if self.twin else ():
            if isinstance(move.command, TimeOut):
                self.script[move.command.turn].append(None)
            elif move.turn is not None:
                assert isinstance(move.command, Command)
                self.script[move.turn].append(move.command)

    def choose(self, view: View, recollection: Recollection, rng: random.Random) -> Command:
        """As an AI; past the end of a twin's script it no longer matters."""
        legal = commands_of(offer_of(_offer(view)))
        if self.twin is None:
            return rng.choice(legal)
        script = self.script[view.you.turn] if view.you else deque()
        return (script.popleft() if script else None) or legal[0]

    def act(self, turn: Turn, offer: dict[str, Any]) -> Command | None:
        """As the person; None is to let time run out."""
        if self.twin is not None:
            return self.script[turn].popleft() if self.script[turn] else None
        if offer["offer"] == "play" and offer["may_skip"] and self.rng.random() < SILENCE:
            return None
        assert self.running
        here = game.offers(self.running.state, turn)
        assert here is not None
        return self.rng.choice(commands_of(here))

    @contextmanager
    def steered(self) -> Iterator[None]:
        """The room plays this course: its AIs, its deal, and a note of each move."""

        def dealt(number: int, settings: Any, secret: bytes, contributions: Any) -> Running:
            self.running = deal_out(number, settings, secret, contributions)
            if self.twin is not None:
                luck = ScriptedLuck(self.twin)
                self.running.deal = self.twin.deal
                self.running.state = begin(settings, self.twin.deal, luck)
            return self.running

        def taken(state: GameState, turn: Turn, command: Command, *how: Any) -> tuple[list[Event], GameState]:
            events, after = game.take(state, turn, command, *how)
            self._note(Move(turn, command, tuple(events)))
            return events, after

        def clocked(state: GameState, command: Any) -> tuple[list[Event], GameState]:
            events, after = game.take_clock(state, command)
            self._note(Move(None, command, tuple(events)))
            return events, after

        def worded(task: RoomTask, ask: AskWords) -> None:
            for number, at in enumerate(ask.at):
                claim = any_claim(random.Random(f"{ask.view.table.round} {ask.turn} {number}"))
                self.clock.call_at(at, partial(task.put, AiSpoke(ask.game, ask.turn, claim)))

        deal_out = Running.deal_out
        with (
            patch.object(RoomTask, "_ask_words", worded),
            patch.dict(BOTS, {LEVEL: self}),
            patch.object(Running, "deal_out", dealt),
            patch.object(playing, "take", taken),
            patch.object(playing, "take_clock", clocked),
        ):
            yield

    def _note(self, move: Move) -> None:
        self.moves.append(move)
        self.times.append(self.clock.now())

    def world(self) -> World:
        """The game as it went, but for the move that ended it."""
        assert self.running
        luck = self.running.state.vault.luck
        return World(self.running.table.settings, self.running.deal, luck, tuple(self.moves[:-1]))


def _offer(view: View) -> Any:
    assert view.you and view.you.offer
    return view.you.offer


class Socket:
    """One end of a socket: every frame with the tick at which it came."""

    def __init__(self, socket: ClientConnection, clock: JumpingClock) -> None:
        self.socket, self.clock = socket, clock
        self.frames: list[tuple[int, bytes]] = []
        self.last: dict[str, Any] = {}
        self._pings = 0
        self._asked = 0

    async def send(self, message: dict[str, Any]) -> None:
        await self.socket.send(json.dumps(message))

    async def ask(self, message: dict[str, Any]) -> None:
        self._asked += 1
        await self.send({"id": f"c{self._asked}"} | message)

    async def hear(self) -> None:
        """All frames that were sent before now."""
        self._pings += 1
        await self.send({"t": "ping", "n": self._pings})
        while True:
            frame = await asyncio.wait_for(self.socket.recv(decode=False), 10)
            message = json.loads(frame)
            if message["t"] == "pong" and message["n"] == self._pings:
                return
            self.frames.append((self.clock.now(), frame))
            if message["t"] == "update":
                self.last = message


class Entrance:
    """The one server of a test, and the house that it leads into at present: each game has its own."""

    def __init__(self, kind: ConnKind) -> None:
        self._app: ASGIApp
        self._door: FrontDoor
        self._server = build_server(self, self, conn=kind, port=0)

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        with patch.object(self._server, "capture_signals", _no_signals):
            serving = asyncio.create_task(self._server.serve())
            while not self._server.started:  # noqa: ASYNC110 - uvicorn tells of it in no other way
                await asyncio.sleep(0.001)
            yield
            self._server.should_exit = True
            await serving

    def lead_to(self, lobby: Lobby, store: MemoryStore, clock: JumpingClock) -> str:
        """Gives the address."""
        tickets, limits = Tickets(clock), Limits(clock, are_off=True)
        health = Health(store, LoopLag(asyncio.get_running_loop()), lambda: False)
        self._app = build_app(House(lobby, store, clock, tickets, limits, health))
        self._door = FrontDoor(lobby, store, clock, tickets, limits)
        return f"http://127.0.0.1:{self._server.port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._app(scope, receive, send)

    async def admit(self, head: UpgradeHead) -> Admission | Refusal:
        return await self._door.admit(head)


class Table:
    """A room on a server in this process, one person and one who watches in it, AIs on the other chairs."""

    def __init__(self, course: Course, seed: int) -> None:
        self.course, self.clock = course, course.clock
        self.store = MemoryStore()
        self.lobby = Lobby(self.store, self.clock, entropy=random.Random(seed).randbytes)
        self.person: Socket
        self.watcher: Socket
        self.task: RoomTask
        self._done: set[object] = set()

    @asynccontextmanager
    async def open(self, entrance: Entrance, settings: dict[str, Any]) -> AsyncIterator[None]:
        address = entrance.lead_to(self.lobby, self.store, self.clock)
        async with httpx.AsyncClient(base_url=address) as one, httpx.AsyncClient(base_url=address) as two:
            for client in (one, two):
                await client.post("/api/session")
            code = (await one.post("/api/rooms", json={"name": "Ann"})).json()["code"]
            task = await self.lobby.find(code)
            assert task
            self.task = task
            async with await self._enter(one, code) as mine, await self._enter(two, code) as theirs:
                self.person, self.watcher = Socket(mine, self.clock), Socket(theirs, self.clock)
                await self._begin(settings)
                yield
        await self.lobby.close()

    async def _enter(self, client: httpx.AsyncClient, code: str) -> connect:
        ticket = (await client.post(f"/api/rooms/{code}/ticket")).json()["ticket"]
        cookie = "; ".join(f"{key}={value}" for key, value in client.cookies.items())
        uri = f"ws://{client.base_url.netloc.decode()}/ws/{code}?ticket={ticket}"
        return connect(uri, additional_headers={"Cookie": cookie}, proxy=None)

    async def _begin(self, settings: dict[str, Any]) -> None:
        for socket in (self.person, self.watcher):
            await socket.send({"t": "hello", "protocol": 1})
        await self.watcher.ask({"t": "watch", "name": "Bea"})
        await self.person.ask({"t": "change", "settings": settings | {"ai_level": LEVEL}})
        await self.person.ask({"t": "fill"})
        await self.person.ask({"t": "start"})
        await self.person.ask({"t": "contribute", "bytes": "ab" * 16})
        await self._settle()

    async def _settle(self) -> None:
        """Lets the room do all that it has to, the person act, and both sockets hear of it."""
        while True:
            for _ in range(3):
                while not self._is_idle():  # noqa: ASYNC110 - a queue tells of it in no other way
                    await asyncio.sleep(0)
                await asyncio.sleep(0)
            await self.person.hear()
            await self.watcher.hear()
            if not await self._act():
                return

    def _is_idle(self) -> bool:
        inputs: Any = self.task._inputs
        return inputs.empty() and bool(inputs._getters)

    async def _act(self) -> bool:
        update = self.person.last
        table, player = update["table"], update["you"]["player"]
        if not player:
            return False
        if table["phase"] == "reveal" and "seen" not in self._done:
            self._done.add("seen")
            await self.person.ask({"t": "seen"})
            await self._until_idle()
            return True
        moment = (table["phase"], table["round"], len(table["acts"]), json.dumps(table["choice"]))
        if not player["offer"] or table["announcing"] or moment in self._done:
            return False
        self._done.add(moment)
        command = self.course.act(Turn(player["turn"]), player["offer"])
        if command is None:
            return False
        await self.person.ask(_message(command))
        await self._until_idle()
        return True

    async def _until_idle(self) -> None:
        """A message is on its way: the pong behind it says that it has arrived."""
        await self.person.hear()

    async def play(self, until: int | None = None) -> None:
        """To the end of the game, or up to this time."""
        while self.task.room.stage != "over" and (until is None or self.clock.now() < until):
            assert self.clock.jump_to_next(), "nothing is waited for"
            await self._settle()


def _message(command: Command) -> dict[str, Any]:
    match command:
        case CastVote(target):
            return {"t": "vote", "target": target}
        case PassCrystal(to):
            return {"t": "pass", "to": to}
        case ChooseTargets(targets):
            return {"t": "targets", "targets": list(targets)}
        case ChooseCard(position):
            return {"t": "pick_card", "position": position}
        case PlayCard(card):
            return {"t": "play", "card": card}
        case _:
            return {"t": "skip"}


@contextmanager
def _no_signals() -> Iterator[None]:
    yield


def _settings(rng: random.Random) -> dict[str, Any]:
    rules = any_settings(rng)
    keys = ("seats", "first_holder", "sage_slain_ends", "act_last_lasts", "memory_aid", "activation_target")
    return {key: getattr(rules, key) for key in keys} | {"kill_target": rules.kill_target}


def _before(socket: Socket, time: int) -> list[tuple[int, bytes]]:
    return [frame for frame in socket.frames if frame[0] < time]


async def _played(
    course: Course, entrance: Entrance, seed: int, settings: dict[str, Any], until: int | None = None
) -> Table:
    table = Table(course, seed)
    with course.steered():
        async with table.open(entrance, settings):
            await table.play(until)
    return table


async def _differences(entrance: Entrance, seed: int) -> tuple[int, list[str]]:
    """Plays a game and its twins for both eyes; gives how many pairs there were, and in what frames differ."""
    rng = random.Random(seed)
    settings = _settings(rng)
    first = Course(rng)
    table = await _played(first, entrance, seed, settings)
    world, end = first.world(), first.times[-1]
    me = Turn(table.person.last["you"]["player"]["turn"])
    eyes: list[tuple[Eye, Socket]] = [(PlayerEye(me), table.person), (SPECTATOR, table.watcher)]
    pairs, found = 0, []
    for eye, mine in eyes:
        other = twin(world, eye, rng)
        if other is None or (other.deal, other.moves) == (world.deal, world.moves):
            continue
        pairs += 1
        second = await _played(Course(rng, other), entrance, seed, settings, end)
        theirs = second.person if isinstance(eye, PlayerEye) else second.watcher
        here, there = _before(mine, end), _before(theirs, end)
        if [at for at, _ in here] != [at for at, _ in there]:
            found.append("ticks")
        if [len(frame) for _, frame in here] != [len(frame) for _, frame in there]:
            found.append("sizes")
        if here != there:
            found.append("bytes")
    return pairs, found


@pytest.mark.parametrize("kind", list(GAMES))
async def test_twin_games_send_the_same_frames_at_the_same_ticks(kind: ConnKind) -> None:
    pairs = 0
    entrance = Entrance(kind)
    async with entrance.open():
        for seed in range(GAMES[kind]):
            more, found = await _differences(entrance, seed)
            assert not found, seed
            pairs += more
    assert pairs >= GAMES[kind], "hardly any twin was found"


def _slow_with_dragons(room: Room, running: Running, wait: Wait, turn: Turn, level: str, now: int) -> AskBot:
    """An AI that holds a dragon card thinks longer."""
    ask = ORIGINAL_QUESTION(room, running, wait, turn, level, now)
    slow = not DRAGON_CARDS.isdisjoint(running.state.vault.hands[turn - 1])
    return replace(ask, at=ask.at + 400 * slow)


def _speaks_later_with_dragons(room: Room, running: Running, seat: Seat, now: int) -> AskWords | None:
    """An AI that was dealt a dragon's role says what it says a little later."""
    ask = ORIGINAL_WORDS(room, running, seat, now)
    later = 300 * (running.deal.roles[running.turn_of(seat) - 1] not in HUMANS)
    return ask and replace(ask, at=tuple(at + later for at in ask.at))


def _twice_for_the_sage(room: Room, now: int, only: SocketId | None = None) -> list[Output]:
    """A picture more while the sage's card is still in a hand."""
    told = ORIGINAL_TELL(room, now, only)
    held = room.running is not None and any(Card.SAGE in hand for hand in room.running.state.vault.hands)
    return told * 2 if held else told


def _padded(room: Room) -> RoomView:
    """A picture as long as the first player's role is."""
    view = ORIGINAL_VIEW(room)
    pad = " " * len(room.running.deal.roles[0]) if room.running else ""
    return struct_replace(view, commitment=view.commitment + pad)


ORIGINAL_QUESTION = questions._question
ORIGINAL_TELL = telling.tell
ORIGINAL_WORDS = speeches._asked
HUMANS = frozenset({Role.SAGE, Role.MYSTIC, Role.ADVENTURER})
ORIGINAL_VIEW = picture.room_view


@pytest.mark.parametrize(
    ("where", "name", "leak", "sign"),
    [
        (questions, "_question", _slow_with_dragons, "ticks"),
        (speeches, "_asked", _speaks_later_with_dragons, "ticks"),
        (telling, "tell", _twice_for_the_sage, "ticks"),
        (telling, "room_view", _padded, "sizes"),
    ],
)
async def test_a_tell_in_time_number_or_size_is_noticed(where: object, name: str, leak: object, sign: str) -> None:
    entrance = Entrance("picows")
    async with entrance.open():
        with patch.object(where, name, leak):
            for seed in range(20):
                if sign in (await _differences(entrance, seed))[1]:
                    return
    raise AssertionError("not noticed")
