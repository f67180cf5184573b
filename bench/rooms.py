"""Many tables on one core: `python bench/rooms.py --rooms 2000 --seconds 600`.

Starts `cinderforge serve` on core 0 and plays from core 1: in each room five persons, three who watch and three AIs,
eight sockets in all; persons think one to four seconds, games are followed by games. Printed: how long it takes from a
person's command until all eight sockets have been told, beside an echo of as many bytes to eight sockets by a bare
socket server on the server's core in the same run; the server's CPU and memory; and who lost a seat, socket or command.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import platform
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from functools import partial
from http.cookiejar import DefaultCookiePolicy
from pathlib import Path
from typing import Any

import httpx
import msgspec
import uvloop
from msgspec import Raw, Struct
from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect, ws_create_server

PERSONS, WATCHERS = 5, 3
SOCKETS = PERSONS + WATCHERS
THINKING = (1.0, 4.0)
ECHO_GROUPS = 40
ECHO_EVERY_S = 2.0
AT_ONCE = 48
REST_S = 4.0
STARTING_S = 20.0


class MemberPart(Struct):
    member: int | None
    seat: int | None
    host: bool
    wanted: int | None


class PlayerPart(Struct):
    turn: int
    offer: dict[str, Any] | None


class You(Struct):
    member: MemberPart
    player: PlayerPart | None


class RoomPart(Struct):
    stage: str
    game: int
    missing: int


class TablePart(Struct):
    phase: str
    round: int
    announcing: bool
    acts: list[Raw]
    choice: Raw


class Message(Struct):
    """What is read of the server's messages."""

    t: str
    room: RoomPart | None = None
    table: TablePart | None = None
    you: You | None = None
    code: str = ""
    why: str = ""


read = msgspec.json.Decoder(Message).decode
encode = msgspec.json.encode


class Seen:
    """What the whole run has shown. Times in seconds."""

    def __init__(self) -> None:
        self.told: list[float] = []
        self.echoed: list[float] = []
        self.frames = self.bytes = self.commands = self.games = 0
        self.refused: Counter[str] = Counter()
        self.lost: Counter[str] = Counter()
        self.is_measuring = False


class Room:
    """The eight sockets of a room. One person's command at a time is followed until all have been told."""

    def __init__(self, seen: Seen) -> None:
        self.seen = seen
        self.sockets: list[Client] = []
        self.asked_at: float | None = None
        self.waiting: set[int] = set()

    def command(self) -> None:
        self.seen.commands += 1
        if self.asked_at is None and self.seen.is_measuring:
            self.asked_at = time.perf_counter()
            self.waiting = set(range(len(self.sockets)))

    def told(self, number: int) -> None:
        if self.asked_at is not None:
            self.waiting.discard(number)
            if not self.waiting:
                self.seen.told.append(time.perf_counter() - self.asked_at)
                self.asked_at = None


class Client(WSListener):
    """One socket of a person or of somebody who watches."""

    def __init__(self, room: Room, number: int, name: str, rng: random.Random) -> None:
        super().__init__()
        self.room, self.number, self.name, self.rng = room, number, name, rng
        self.transport: WSTransport
        self.is_in = asyncio.Event()
        self.stage = ""
        self.done: set[object] = set()
        self.count = 0
        self.is_leaving = False
        room.sockets.append(self)

    def on_ws_connected(self, transport: WSTransport) -> None:
        self.transport = transport
        self.say({"t": "hello", "protocol": 1})
        kind = "join" if self.number < PERSONS else "watch"
        if self.number:
            self.ask({"t": kind, "name": self.name})

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type != WSMsgType.TEXT:
            return
        payload = frame.get_payload_as_memoryview()
        seen = self.room.seen
        seen.frames += 1
        seen.bytes += len(payload)
        message = read(payload)
        if message.t == "update":
            self.room.told(self.number)
            self.update(message)
        elif message.t == "refused":
            seen.refused[message.code] += 1
        elif message.t == "bye":
            seen.lost[message.why] += not self.is_leaving

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self.room.seen.lost["socket"] += not self.is_leaving

    def say(self, message: dict[str, Any]) -> None:
        self.transport.send(WSMsgType.TEXT, encode(message))

    def ask(self, wish: dict[str, Any]) -> None:
        self.count += 1
        self.say({**wish, "id": f"{self.number}-{self.count}"})

    def once(self, key: object) -> bool:
        if key in self.done:
            return False
        self.done.add(key)
        return True

    def later(self, wish: dict[str, Any], seconds: float) -> None:
        asyncio.get_running_loop().call_later(seconds, self._move, wish)

    def _move(self, wish: dict[str, Any]) -> None:
        if not self.is_leaving:
            self.room.command()
            self.ask(wish)

    def update(self, message: Message) -> None:
        room, you, table = message.room, message.you, message.table
        assert room and you
        if you.member.member is None:
            return
        self.is_in.set()
        self.stage = room.stage
        if self.number < PERSONS and you.member.seat is None:
            self.room.seen.lost["seat"] += 1
        if you.member.wanted is not None and self.once(("mix", room.game)):
            self.ask({"t": "contribute", "bytes": self.rng.randbytes(16).hex()})
        elif room.stage == "over" and you.member.host and self.once(("over", room.game)):
            self.room.seen.games += 1
            self.later({"t": "rematch"}, REST_S)
        elif room.stage == "waiting" and you.member.host and room.game and room.missing == 0:
            if self.once(("start", room.game)):
                self.later({"t": "start"}, REST_S)
        elif table and you.player:
            self.play(room, table, you.player)

    def play(self, room: RoomPart, table: TablePart, player: PlayerPart) -> None:
        if table.phase == "reveal" and self.once(("seen", room.game)):
            self.later({"t": "seen"}, self.rng.uniform(*THINKING))
        if player.offer is None or table.announcing:
            return
        if self.once((room.game, table.phase, table.round, len(table.acts), bytes(table.choice))):
            self.later(self.choice(player.offer), self.rng.uniform(*THINKING))

    def choice(self, offer: dict[str, Any]) -> dict[str, Any]:
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
                plays = [{"t": "play", "card": card} for card in offer["cards"]]
                return rng.choice([*plays, {"t": "skip"}] if offer["may_skip"] else plays)


async def fill_room(http: httpx.AsyncClient, port: int, seen: Seen, number: int, *, plays: bool = True) -> Room:
    """A room with its sockets."""
    rng = random.Random(number)
    room = Room(seen)
    code = ""
    for at in range(SOCKETS if plays else 1):
        answer = await post(http, "/api/session")
        cookie = answer.headers["set-cookie"].partition(";")[0]
        headers = {"cookie": cookie}
        if at == 0:
            code = (await post(http, "/api/rooms", json={"name": "P0"}, headers=headers)).json()["code"]
        ticket = (await post(http, f"/api/rooms/{code}/ticket", headers=headers)).json()["ticket"]
        url = f"ws://127.0.0.1:{port}/ws/{code}?ticket={ticket}"
        await ws_connect(
            partial(Client, room, at, f"P{at}", rng),
            url,
            extra_headers=[("Cookie", cookie)],
            read_buffer_init_size=2048,
            websocket_handshake_timeout=60,
            use_aiofastnet=False,
        )
    for client in room.sockets:
        await client.is_in.wait()
    return room


async def post(http: httpx.AsyncClient, path: str, **more: Any) -> httpx.Response:
    """Asks again where the server has just closed a connection that was kept alive."""
    while True:
        try:
            return await http.post(path, **more)
        except httpx.TransportError:
            await asyncio.sleep(0.05)


async def start_games(rooms: list[Room]) -> None:
    for room in rooms:
        room.sockets[0].ask({"t": "fill"})
        room.sockets[0].ask({"t": "start"})
        await asyncio.sleep(STARTING_S / len(rooms))


class EchoServer(WSListener):
    """The baseline: what somebody sends is sent to all of their group, as many bytes as were asked for."""

    def __init__(self, members: list[WSTransport]) -> None:
        super().__init__()
        self.members = members

    def on_ws_connected(self, transport: WSTransport) -> None:
        self.members.append(transport)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        size = int(frame.get_payload_as_ascii_text())
        for member in self.members:
            member.send(WSMsgType.TEXT, b"x" * size)


class EchoClient(WSListener):
    def __init__(self, group: EchoGroup) -> None:
        super().__init__()
        self.group = group

    def on_ws_connected(self, transport: WSTransport) -> None:
        self.group.transports.append(transport)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        self.group.heard()


class EchoGroup:
    def __init__(self, seen: Seen) -> None:
        self.seen = seen
        self.transports: list[WSTransport] = []
        self.at = 0.0
        self.missing = 0

    def shout(self) -> None:
        size = self.seen.bytes // max(1, self.seen.frames)
        self.at, self.missing = time.perf_counter(), SOCKETS
        self.transports[0].send(WSMsgType.TEXT, str(size).encode())

    def heard(self) -> None:
        self.missing -= 1
        if self.missing == 0 and self.seen.is_measuring:
            self.seen.echoed.append(time.perf_counter() - self.at)


def run_echo(port: int) -> None:
    groups: dict[bytes, list[WSTransport]] = defaultdict(list)

    async def serve() -> None:
        await ws_create_server(lambda request: EchoServer(groups[request.path]), "127.0.0.1", port)
        await asyncio.Event().wait()

    uvloop.run(serve())


async def shout_on(groups: list[EchoGroup]) -> None:
    pause = ECHO_EVERY_S / len(groups)
    while True:
        for group in groups:
            group.shout()
            await asyncio.sleep(pause)


async def echo_groups(port: int, seen: Seen) -> list[EchoGroup]:
    groups = [EchoGroup(seen) for _ in range(ECHO_GROUPS)]
    for number, group in enumerate(groups):
        for _ in range(SOCKETS):
            await ws_connect(
                partial(EchoClient, group),
                f"ws://127.0.0.1:{port}/{number}",
                use_aiofastnet=False,
            )
    return groups


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_mib(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("VmRSS"))) / 1024


def start(command: list[str], env: dict[str, str]) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(command, env=os.environ | env, stdout=subprocess.DEVNULL)
    os.sched_setaffinity(process.pid, {0})
    return process


async def until_up(port: int) -> None:
    end = time.monotonic() + 30
    while time.monotonic() < end:
        try:
            async with httpx.AsyncClient() as http:
                if (await http.get(f"http://127.0.0.1:{port}/healthz")).status_code == 200:
                    return
        except httpx.HTTPError:
            await asyncio.sleep(0.05)
    raise TimeoutError("the server does not answer")


def percentiles(times: list[float]) -> str:
    ordered = sorted(times)
    if not ordered:
        return "nothing measured"
    at = [1000 * ordered[min(len(ordered) - 1, int(len(ordered) * share))] for share in (0.5, 0.99, 0.999)]
    return f"p50 {at[0]:.2f} ms, p99 {at[1]:.2f} ms, p99.9 {at[2]:.2f} ms ({len(ordered):,} of them)"


async def load(args: argparse.Namespace, port: int, echo: int, pid: int) -> Seen:
    seen = Seen()
    await until_up(port)
    gate = asyncio.Semaphore(AT_ONCE)
    limits = httpx.Limits(max_connections=AT_ONCE, max_keepalive_connections=AT_ONCE)
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", limits=limits, timeout=60) as http:
        http.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))  # each person has a cookie of their own

        async def one(number: int) -> Room:
            async with gate:
                return await fill_room(http, port, seen, number)

        begun = time.perf_counter()
        rooms = await asyncio.gather(*(one(number) for number in range(args.rooms)))
        print(f"{len(rooms):,} rooms with {SOCKETS} sockets each opened in {time.perf_counter() - begun:.0f} s")
        await start_games(rooms)
        groups = await echo_groups(echo, seen)
        shouting = asyncio.create_task(shout_on(groups))
        await asyncio.sleep(min(20, args.seconds / 4))  # past the countdowns, looks and nights that all began at once
        seen.frames = seen.bytes = seen.commands = 0
        seen.is_measuring = True
        cpu, at = cpu_seconds(pid), time.perf_counter()
        for minute in range(max(1, args.seconds // 60)):
            await asyncio.sleep(min(60, args.seconds))
            memory = f"server {memory_mib(pid):.0f} MiB"
            print(f"  {minute + 1} min: {memory}, {seen.games:,} games ended, lost {dict(seen.lost)}", flush=True)
        spent, passed = cpu_seconds(pid) - cpu, time.perf_counter() - at
        shouting.cancel()
        seats = sum(client.stage != "" for room in rooms for client in room.sockets)
        print(f"server: {100 * spent / passed:.0f} % of a core, {memory_mib(pid):.0f} MiB")
        frames, megabytes = seen.frames / passed, seen.bytes / passed / 1e6
        print(f"{seen.commands / passed:,.0f} moves/s of persons, {frames:,.0f} frames/s, {megabytes:.1f} MB/s")
        print(f"command → all {SOCKETS} told: {percentiles(seen.told)}")
        print(f"echo of the same bytes to {SOCKETS}: {percentiles(seen.echoed)}")
        print(f"sockets there: {seats:,} of {len(rooms) * SOCKETS:,}")
        print(f"lost {dict(seen.lost)}, refused {dict(seen.refused)}")
        for room in rooms:
            for client in room.sockets:
                client.is_leaving = True
    return seen


async def abandon(args: argparse.Namespace, port: int, pid: int) -> None:
    """Opens rooms and leaves them; the server forgets them after their grace."""
    await until_up(port)
    before = memory_mib(pid)
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60) as http:
        http.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        for turn in range(args.times):
            for first in range(0, args.abandon, 500):
                opened = [
                    fill_room(http, port, Seen(), first + n, plays=False) for n in range(min(500, args.abandon - first))
                ]
                for batch in range(0, len(opened), AT_ONCE):
                    for room in await asyncio.gather(*opened[batch : batch + AT_ONCE]):
                        for client in room.sockets:
                            client.is_leaving = True
                            client.transport.disconnect()
            await asyncio.sleep(8)  # a grace of half an hour, at this tempo
            print(f"{args.abandon:,} rooms opened and abandoned, {turn + 1}×: {before:.0f} → {memory_mib(pid):.0f} MiB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rooms", type=int, default=2000)
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--abandon", type=int, default=0, help="open and abandon so many rooms instead")
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--echo-server", type=int, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.echo_server:
        run_echo(args.echo_server)
        return
    port, echo = free_port(), free_port()
    print(f"python {platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as data:
        env = {
            "CINDERFORGE_LIMITS": "off",
            "CINDERFORGE_MOST_ROOMS": "20000",
            "CINDERFORGE_MOST_SOCKETS": "60000",
            "CINDERFORGE_MOST_SOCKETS_PER_ADDRESS": "60000",
            "CINDERFORGE_LOG_LEVEL": "warning",
            "CINDERFORGE_TEMPO": "600" if args.abandon else "1",
        }
        server = start(
            [sys.executable, "-m", "cinderforge.cli.main", "serve", "--port", str(port), "--data", data], env
        )
        echoes = start([sys.executable, __file__, "--echo-server", str(echo)], {})
        os.sched_setaffinity(0, {1 % (os.cpu_count() or 1)})
        gc.disable()  # whoever measures must not stand still
        try:
            if args.abandon:
                uvloop.run(abandon(args, port, server.pid))
            else:
                uvloop.run(load(args, port, echo, server.pid))
        finally:
            server.send_signal(signal.SIGTERM)
            echoes.kill()
            print(f"server ended with {server.wait(30)}")


if __name__ == "__main__":
    main()
