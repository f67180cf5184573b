"""Faults that games of this kind had, tried over real sockets (docs/trials-log.md). One server for all of them."""

from __future__ import annotations

import asyncio
import json
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from typing import Any, Final
from urllib.parse import quote

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from cinderforge.records.record import read
from cinderforge.records.verify import verify
from cinderforge.rules.scrolls import CATALOG
from cinderforge.rules.words import Card, Faction, Role
from tests.e2e.persons import Message, Person
from tests.e2e.serving import ServerProcess
from tests.e2e.test_sockets import is_over, session

SECRETS: Final = {*map(str, Role), *map(str, Card), *map(str, CATALOG), *map(str, Faction)}
MAY_NAME: Final = {
    "table.fired.scroll",
    "table.past.fired.scroll",
    "table.choice.scroll",
    "table.past.cards",
    "news.scroll",
    "news.cards",
    "news.card",
}
"""Where what everybody is sent may hold such a word while a game is on: fired scrolls, resolved cards, a gift (R11)."""
NIGHTS: Final = {"sage", "mystic", "red_dragon", "two_headed_dragon"}
PUBLIC_ROOM: Final = {"code", "host", "taken", "seats", "stage", "preset", "watchers", "spectators"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    server = ServerProcess(tmp_path_factory.mktemp("trials"), tempo=50, env={"CINDERFORGE_LIMITS": "off"})
    server.start()
    yield server
    assert server.stop() == 0
    said = server.said.read_text()
    assert "Traceback" not in said and " ERROR " not in said, said


def got(server: ServerProcess, path: str, cookie: str = "") -> tuple[int, str, str]:
    """Status, type and body of a page."""
    request = urllib.request.Request(server.address + path, headers={"Cookie": cookie})
    try:
        with urllib.request.urlopen(request, timeout=5) as answer:
            return answer.status, answer.headers["content-type"], answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers["content-type"], error.read().decode()


# -- people ------------------------------------------------------------------------------------------------------------


class Witness(Person):
    """Plays as `Person` does, as host too, and keeps every picture. Without a code it makes a room, so set."""

    def __init__(
        self, server: ServerProcess, code: str, name: str, seed: int, ais: bool = False, **settings: object
    ) -> None:
        super().__init__(server, session(server), code, name, seed)
        self.code = code or server.opened(self.cookie, name)
        self.ais, self.settings = ais, settings
        self.frames: list[Message] = []
        self.persons = 1
        """How many are to sit before AIs fill up."""

    def _wishes(self, update: Message) -> list[Message]:
        self.frames.append(update)
        room = update["room"]
        if room["stage"] != "waiting" or not update["you"]["member"]["host"] or not self.settings:
            return super()._wishes(update)
        change = self._once("settings", {"t": "change", "settings": self.settings})
        if change or self.unanswered:
            return change
        sitting = sum(seat["kind"] == "person" for seat in room["seats"])
        fill = self._once("fill", {"t": "fill"}) if self.ais and sitting >= self.persons else []
        return fill or (self._once("start", {"t": "start"}) if not room["missing"] else [])


class Onlooker(Witness):
    def _wishes(self, update: Message) -> list[Message]:
        self.frames.append(update)
        if update["you"]["member"]["member"] is None:
            return self._once("watch", {"t": "watch", "name": self.name})
        return []


async def play(*people: Person, seconds: float = 30) -> None:
    await asyncio.wait_for(asyncio.gather(*(person.live(is_over) for person in people)), seconds)


class Socket:
    """A raw socket of a cookie into a room."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.last: Message = {}

    async def send(self, **message: Any) -> None:
        await self.socket.send(json.dumps(message))

    async def hear(self, *kinds: str) -> Message:
        """The next message of these kinds; pictures are remembered on the way."""
        while True:
            message: Message = json.loads(await asyncio.wait_for(self.socket.recv(), 10))
            if message["t"] == "update":
                self.last = message
            if message["t"] in kinds:
                return message

    async def ask(self, id: str, **message: Any) -> str:
        await self.send(id=id, **message)
        answer = await self.hear("done", "refused")
        assert answer["id"] == id
        code: str = answer.get("code", "done")
        return code

    async def until(self, is_there: Callable[[Message], bool]) -> None:
        while not self.last or not is_there(self.last):
            await self.hear("update")


@asynccontextmanager
async def into(
    server: ServerProcess, code: str, cookie: str, protocol: int = 1, port: int = 0
) -> AsyncIterator[Socket]:
    ticket = await asyncio.to_thread(server.ticket, code, cookie) if code else ""
    uri = f"ws://127.0.0.1:{port or server.port}/ws/{code}?ticket={ticket}"
    headers = {"Cookie": cookie}  # a program names no origin
    async with connect(uri, additional_headers=headers, proxy=None, close_timeout=0.2) as socket:
        one = Socket(socket)
        await one.send(t="hello", protocol=protocol)
        yield one


# -- A: what is sent ---------------------------------------------------------------------------------------------------


def named(part: object, path: str = "") -> Iterator[tuple[str, str]]:
    """Where in a message words of the hidden half stand."""
    if isinstance(part, dict):
        for key, value in part.items():
            yield from named(value, f"{path}.{key}" if path else key)
    elif isinstance(part, list):
        for value in part:
            yield from named(value, path)
    elif isinstance(part, str) and part in SECRETS:
        yield path, part


def check_public(frame: Message) -> None:
    """Without what is its receiver's own, a message names only what the rules have shown (A1, A2, A5, A6)."""
    public = {key: value for key, value in frame.items() if key != "you"} | {"member": frame["you"]["member"]}
    places = set(named(public))
    assert {path for path, _ in places} <= MAY_NAME, places
    table = frame["table"]
    if table is not None:
        fired = {one["scroll"] for one in table["fired"]}
        assert {word for path, word in places if path.endswith("scroll")} <= fired
        assert table["reveal"] is None and table["result"] is None
    assert frame["room"]["secret"] is None and frame["room"]["contributions"] is None


def check_own(frame: Message, truth: Message) -> None:
    """And what is its receiver's own is about nobody else but where R11 says so."""
    you, table = frame["you"]["player"], frame["table"]
    if you is None:
        return
    turn = you["turn"]
    assert table["seats"][turn - 1] == frame["you"]["member"]["seat"]
    assert (you["role"], you["scroll"]) == (truth["roles"][turn - 1], truth["scrolls"][turn - 1])
    assert len(you["hand"]) == table["hand_sizes"][turn - 1]
    wakes = table["phase"] == "night" and you["role"] in NIGHTS
    others = [at for at, role in enumerate(truth["roles"], 1) if role in NIGHTS and at != turn]
    assert you["night"] == (others if wakes else None)
    assert not you["knows_roles"] or (you["role"] == "shadow_dragon" and table["announcing"])
    mine = [next((play["card"] for play in plays if play["turn"] == turn), None) for plays in truth["plays"]]
    assert you["plays"] == mine[: len(you["plays"])]


@pytest.mark.parametrize("persons", [8, 4, 1])
def test_nobody_is_sent_what_is_not_theirs_in_a_whole_game(server: ServerProcess, persons: int) -> None:
    ais = persons < 8
    host = Witness(server, "", "P0", persons, ais, first_holder="vote", kill_target=4, activation_target=3)
    host.persons = persons
    players = [host, *(Witness(server, host.code, f"P{n}", n + 1) for n in range(1, persons))]
    onlooker = Onlooker(server, host.code, "Eye", 9)
    asyncio.run(play(*players, onlooker))
    assert host.last
    truth = host.last["table"]["reveal"]
    for person in (*players, onlooker):
        going = [frame for frame in person.frames if frame["room"]["stage"] != "over"]
        assert len(going) > 10
        for frame in going:
            check_public(frame)
            check_own(frame, truth)
    assert all(frame["you"]["player"] is None for frame in onlooker.frames)
    publics = [{json.dumps([f["room"], f["table"]]) for f in person.frames if f["table"]} for person in players]
    assert all(public - publics[0] == set() for public in publics[1:]), "the public half is the same for all"


def test_a_private_room_that_plays_says_little_to_whoever_asks(server: ServerProcess) -> None:
    host = Witness(server, "", "Hostess", 1, seats=5, ais=True, preset="none")
    stranger = session(server)

    async def look() -> None:
        await host.live(lambda person: person.last is not None and person.last["table"] is not None)
        status, kind, body = await asyncio.to_thread(got, server, f"/api/rooms/{host.code}", stranger)
        assert status == 200 and kind == "application/json" and set(json.loads(body)) == PUBLIC_ROOM
        assert not set(named(json.loads(body)))
        async with into(server, host.code, stranger) as guest:
            await guest.until(lambda update: True)
            assert guest.last["table"] is None and guest.last["news"] == [] and guest.last["you"]["player"] is None
            assert not set(named(guest.last))

    asyncio.run(look())
    listed = json.loads(got(server, "/api/rooms")[2])["rooms"]
    assert host.code not in {room["code"] for room in listed}


def test_a_name_of_markup_is_never_a_page(server: ServerProcess) -> None:
    cookie, name = session(server), "<script>x=1</script>"
    code = server.opened(cookie, name)
    for path in (
        "/healthz",
        "/readyz",
        "/api/rooms",
        f"/api/rooms/{code}",
        "/api/none",
        f"/api/rooms/{code}/games/1/record",
    ):
        _, kind, body = got(server, path, cookie)
        assert "html" not in kind and ("<script>" not in body or kind == "application/json"), path
    for path in ("/", f"/room/{code}", f"/{name}"):
        assert "x=1" not in got(server, quote(path), cookie)[2]


# -- D: twice, at once -------------------------------------------------------------------------------------------------


async def at_the_vote(server: ServerProcess, persons: int = 2, **settings: object) -> tuple[str, list[str]]:
    """A room of persons and AIs at the vote, nobody's time limited, and the cookies of its persons."""
    cookies = [session(server) for _ in range(persons)]
    code = server.opened(cookies[0], "P0")
    for at, cookie in enumerate(cookies):
        async with into(server, code, cookie) as one:
            await one.until(lambda update: True)
            if at:
                assert await one.ask("join", t="join", name=f"P{at}") == "done"
    async with into(server, code, cookies[0]) as host:
        wanted = {"seats": 5, "first_holder": "vote", "preset": "none", "timers": {"away": 600}} | settings
        assert await host.ask("set", t="change", settings=wanted) == "done"
        assert await host.ask("fill", t="fill") == await host.ask("start", t="start") == "done"
        await host.until(lambda update: update["table"] is not None)
    for cookie in cookies:
        async with into(server, code, cookie) as one:
            await one.ask("seen", t="seen")
    async with into(server, code, cookies[0]) as host:
        await host.until(lambda update: update["table"]["phase"] == "vote")
    return code, cookies


def test_of_two_moves_sent_back_to_back_one_counts_and_each_is_answered(server: ServerProcess) -> None:
    async def both() -> None:
        code, cookies = await at_the_vote(server)
        async with into(server, code, cookies[0]) as one:
            await one.until(lambda update: True)
            mine = one.last["you"]["player"]["turn"]
            await one.send(t="vote", id="a", target=mine)
            await one.send(t="vote", id="b", target=None)
            await one.send(t="skip", id="c")
            answers = [await one.hear("done", "refused") for _ in range(3)]
            assert [(a["t"], a["id"]) for a in answers] == [("done", "a"), ("refused", "b"), ("refused", "c")]
            assert answers[1]["code"] == "not_your_turn" and answers[2]["code"] == "wrong_phase"
            await one.until(lambda update: update["you"]["player"]["ballot"] == mine)

    asyncio.run(both())


def test_thirty_come_and_go_while_a_game_is_played(server: ServerProcess) -> None:
    """Nothing breaks, and the players' news has no gap (`Person` looks after that)."""
    host = Witness(server, "", "P0", 1, seats=5, ais=True)
    players = [host, Onlooker(server, host.code, "steady", 2)]
    cookies = [session(server) for _ in range(30)]

    async def flit(cookie: str, number: int, done: asyncio.Event) -> int:
        times = 0
        while not done.is_set():
            async with into(server, host.code, cookie) as one:
                await one.until(lambda update: True)
                await one.send(t="watch", id=f"w{number}-{times}", name=f"W{number}")
                if times % 3 == 1:
                    await one.hear("done", "refused")
                if times % 3 == 2:
                    one.socket.transport.abort()
            times += 1
        return times

    async def both() -> list[int]:
        done = asyncio.Event()
        flitting = [asyncio.create_task(flit(cookie, number, done)) for number, cookie in enumerate(cookies)]
        await play(*players)
        done.set()
        return await asyncio.gather(*flitting)

    assert sum(asyncio.run(both())) > 30
    assert players[0].news == players[1].news and len(players[0].news) > 10


# -- E: lost and found -------------------------------------------------------------------------------------------------


def test_final_reasons_are_told_in_words_and_told_again_to_whoever_comes_back(server: ServerProcess) -> None:
    async def ends() -> None:
        cookies = [session(server) for _ in range(3)]
        code = server.opened(cookies[0], "P0")
        async with into(server, code, cookies[0]) as host, into(server, code, cookies[1]) as one:
            await host.until(lambda update: True)
            assert await one.ask("j", t="join", name="One") == "done"
            await one.until(lambda update: update["you"]["member"]["member"] is not None)
            async with into(server, code, cookies[1]) as newer:
                assert (await one.hear("bye"))["why"] == "replaced"
                await is_closed(one)
                assert await host.ask("k", t="kick", member=one.last["you"]["member"]["member"]) == "done"
                assert (await newer.hear("bye"))["why"] == "kicked"
                await is_closed(newer)
            for _ in range(3):
                async with into(server, code, cookies[1]) as again:
                    assert (await again.hear("bye"))["why"] == "kicked"
                    await is_closed(again)
            async with into(server, code, cookies[2], protocol=0) as old:
                assert (await old.hear("bye"))["why"] == "version"
                await is_closed(old)
            assert await host.ask("l", t="leave") == "done"
            assert (await host.hear("bye"))["why"] == "left"

    asyncio.run(ends())
    for path in ("/api/rooms/AAAAAA", "/api/rooms/AAAAAA/ticket"):
        assert got(server, path)[0] in (404, 405)


async def is_closed(one: Socket) -> None:
    with pytest.raises(ConnectionClosed):
        while True:
            await asyncio.wait_for(one.socket.recv(), 5)
    assert one.socket.close_code == 1000


def test_a_socket_that_was_cut_over_a_change_of_phase_is_shown_the_present(server: ServerProcess) -> None:
    async def cut() -> None:
        code, cookies = await at_the_vote(server)
        async with into(server, code, cookies[1]) as lost:
            await lost.until(lambda update: update["table"]["phase"] == "vote")
            turn = lost.last["you"]["player"]["turn"]
            assert await lost.ask("v", t="vote", target=turn) == "done"
            lost.socket.transport.abort()
        async with into(server, code, cookies[0]) as other:
            assert await other.ask("v", t="vote", target=turn) == "done"
            await other.until(lambda update: update["table"]["phase"] == "pass")
            async with into(server, code, cookies[1]) as back:
                await back.until(lambda update: True)
                assert (
                    back.last["table"] == other.last["table"]
                    and back.last["room"]["wait"] == other.last["room"]["wait"]
                )
                offer = back.last["you"]["player"]["offer"]
                if offer:
                    assert await back.ask("p", t="pass", to=offer["targets"][0]) == "done"

    asyncio.run(cut())


class Silence:
    """A network that can be made to swallow everything without closing anything."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.is_deaf = False
        self._ends: list[asyncio.StreamWriter] = []
        self._ways: list[asyncio.Task[None]] = []

    async def join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", self.port)
        self._ends += [writer, back]
        for source, target in ((reader, back), (there, writer)):
            self._ways.append(asyncio.create_task(self._carry(source, target)))

    async def _carry(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while data := await source.read(65536):
                if not self.is_deaf:
                    target.write(data)

    async def end(self) -> None:
        for end in self._ends:
            end.transport.abort()
        await asyncio.gather(*self._ways)
        for end in self._ends:
            with suppress(ConnectionError):
                await end.wait_closed()


@pytest.mark.parametrize("answer_alone", [False, True])
def test_a_move_into_a_dead_network_is_delivered_once_after_it(server: ServerProcess, answer_alone: bool) -> None:
    """Whether the move was swallowed or only its answer: sent again under its id it is done, once."""

    async def swallowed() -> None:
        code, cookies = await at_the_vote(server, first_holder="vote")
        silence = Silence(server.port)
        listening = await asyncio.start_server(silence.join, "127.0.0.1", 0)
        port = listening.sockets[0].getsockname()[1]
        async with into(server, code, cookies[1], port=port) as dead:
            await dead.until(lambda update: True)
            turn = dead.last["you"]["player"]["turn"]
            silence.is_deaf = not answer_alone
            await dead.send(t="vote", id="once", target=turn)
            if answer_alone:
                await asyncio.sleep(0.1)
            silence.is_deaf = True
            await asyncio.sleep(0.2)
            async with into(server, code, cookies[1]) as back:
                await back.until(lambda update: True)
                assert (back.last["you"]["player"]["ballot"] is not None) is answer_alone
                for _ in range(3):
                    assert await back.ask("once", t="vote", target=turn) == "done"
                assert await back.ask("again", t="vote", target=turn) == "not_your_turn"
            await silence.end()
        listening.close()
        await listening.wait_closed()

    asyncio.run(swallowed())


# -- J, K: several rooms, several games --------------------------------------------------------------------------------


def test_one_person_in_three_rooms_is_in_each_list_as_long_as_there(server: ServerProcess) -> None:
    async def visit() -> None:
        cookie = session(server)
        hosts = [session(server) for _ in range(3)]
        codes = [server.opened(host, f"H{at}") for at, host in enumerate(hosts)]

        async def lists() -> list[list[str]]:
            found = []
            for code, host in zip(codes, hosts, strict=True):
                async with into(server, code, host) as one:
                    await one.until(lambda update: True)
                    found.append([watcher["name"] for watcher in one.last["room"]["watchers"]])
            return found

        for number, code in enumerate(codes):
            async with into(server, code, cookie) as one:
                await one.until(lambda update: True)
                assert await one.ask("w", t="watch", name=f"Eve{number}") == "done"
                await one.until(lambda update: update["room"]["watchers"] != [])
                assert [watcher["name"] for watcher in one.last["room"]["watchers"]] == [f"Eve{number}"]
        assert await lists() == [["Eve0"], ["Eve1"], ["Eve2"]]
        async with into(server, codes[1], cookie) as one:
            assert await one.ask("l", t="leave") == "done"
        assert await lists() == [["Eve0"], [], ["Eve2"]]

    asyncio.run(visit())


def test_two_games_of_one_person_that_end_together_both_count(server: ServerProcess) -> None:
    one = Witness(server, "", "Twice", 1, seats=5, ais=True)
    other = Witness(server, "", "Twice", 2, seats=5, ais=True)
    other.cookie = one.cookie
    other.code = server.opened(one.cookie, "Twice")
    asyncio.run(play(one, other))
    records = []
    for person in (one, other):
        status, _, body = got(server, f"/api/rooms/{person.code}/games/1/record", one.cookie)
        assert status == 200 and verify(read(body)) == []
        records.append(body)
    assert records[0] != records[1]


def test_a_third_game_has_a_record_of_its_own(server: ServerProcess) -> None:
    host = Witness(server, "", "P0", 1, seats=5, ais=True)
    usual = host._wishes

    def again(update: Message) -> list[Message]:
        game = update["room"]["game"]
        if update["room"]["stage"] == "over" and game < 3:
            return host._once(f"rematch{game}", {"t": "rematch"})
        if update["room"]["stage"] == "waiting" and game:
            return host._once(f"start{game}", {"t": "start"})
        return usual(update)

    host._wishes = again  # type: ignore[method-assign]

    def is_third(person: Person) -> bool:
        return is_over(person) and person.last is not None and person.last["room"]["game"] == 3

    asyncio.run(asyncio.wait_for(host.live(is_third), 40))
    bodies = [got(server, f"/api/rooms/{host.code}/games/{game}/record", host.cookie) for game in (1, 2, 3, 4)]
    assert [status for status, _, _ in bodies] == [200, 200, 200, 404]
    assert len({body for _, _, body in bodies}) == 4
    assert all(verify(read(body)) == [] for _, _, body in bodies[:3])
