"""Whoever has no manners at all asks a real server, byte by byte: nothing is a fault of ours, nothing opens a door.

What a player may not do at a table is in test_cheater.py; how connections are bounded, in tests/server/test_http.py.
"""

from __future__ import annotations

import asyncio
import base64
import socket
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.serving import ServerProcess
from tests.e2e.test_sockets import session

KEY = base64.b64encode(bytes(16)).decode()
NINES = "9" * 5000
ETC = "/etc/passwd"


@pytest.fixture(scope="module", params=["picows", "starlette"])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    server = ServerProcess(tmp_path_factory.mktemp("intruder"), tempo=1, conn=request.param)
    server.start()
    yield server
    assert server.stop() == 0
    said = server.said.read_text()
    assert " WARNING " not in said, "strangers write nothing into the log"
    assert " ERROR " not in said and " CRITICAL " not in said and "Traceback" not in said, said
    assert "cf_session" not in said and "ticket" not in said, "nor does the log tell of keys"


def say(server: ServerProcess, said: bytes, seconds: float = 5) -> bytes:
    """All that is answered, up to the end of the connection."""
    heard = b""
    with socket.create_connection(("127.0.0.1", server.port), seconds) as line:
        line.sendall(said)
        try:
            while data := line.recv(65536):
                heard += data
        except ConnectionResetError:
            pass
    return heard


def ask(server: ServerProcess, method: str, path: str, headers: str = "", body: bytes = b"") -> tuple[int, bytes]:
    head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nConnection: close\r\n{headers}"
    if body or method not in ("GET", "HEAD"):
        head += f"Content-Length: {len(body)}\r\n"
    heard = say(server, head.encode("latin-1") + b"\r\n" + body)
    return int(heard.split(b" ", 2)[1]), heard


PATHS = [
    *("/%00", "/a%00b", "/" + "a" * 300, "/assets/" + "b" * 5000, "/" + "a/" * 3000, "/assets", "/assets/%ff%fe"),
    *("/../../../../../.." + ETC, "/%2e%2e/%2e%2e" + ETC, "/" + ETC, "/\\..\\..\\x", "/assets/..%2f..%2f__init__.py"),
    *("/..%2f..%2f..%2fpyproject.toml", "/.git/config", "/cinderforge.db", "/data/cinderforge.db", "/metrics"),
    *("*", "http://elsewhere/healthz", "/?a", "/%", "/%zz", "/healthz/../metrics", "/ws/AAAAAA", "/api", "/api/"),
    *(f"/api/rooms/{code}" for code in ("", "%00", "%0a", "%ff", "A" * 10_000, "AAAAAA%0d%0aX:1")),
    *(f"/api/rooms/AAAAAA/games/{game}/{kind}" for game in ("1", NINES, "-1") for kind in ("record", "replay?eye=1")),
]
METHODS = ["HEAD", "OPTIONS", "TRACE", "PUT", "DELETE", "PATCH", "POST", "CONNECT", "PROPFIND", "NONSENSE", "get"]
ORIGINS = ["http://[", "http://[::1", "http://]", "null", "", "//", "http://127.0.0.1", "http://a\xff", "file://"]
BODIES = [
    *(
        b"",
        b"[",
        b"null",
        b'"x"',
        b"{}",
        b'{"name":1}',
        b'{"name":"\xff"}',
        b'{"name":"\\ud800"}',
        b'{"name":"\\u0000"}',
    ),
    *(
        b'{"name":' + b"[" * 4000,
        b'{"name":"A"}x',
        b'{"name":"A","x":1}',
        b"\xef\xbb\xbf{}",
        b'{"name":"' + b"a" * 9000,
    ),
    *('{"name":"A"}'.encode("utf-16"), '{"name":"⠀\u200b\u3164"}'.encode(), b"\x00" * 100),
]
RANGES = [
    "0-10",
    "-5",
    "5-1",
    "0-,0-,0-",
    "99999999999-",
    "a-b",
    "0-" + NINES,
    ",".join(f"{n}-{n}" for n in range(0, 3000, 2)),
]
RAW = [
    (
        b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        b"GET /healthz HTTP/1.1\r\n\r\n"
    ),
    b"POST /api/session HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nContent-Length: 5\r\n\r\n",
    b"POST /api/session HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    b"POST /api/session HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
    b"POST /api/session HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\nContent-Length: 0\r\n\r\n",
    b"GET /healthz HTTP/1.1\nHost: a\n\n",
    b"GET /healthz HTTP/1.1\r\nHost: a\r\nX: \x00\r\n\r\n",
    b"GET /healthz HTTP/9.9\r\nHost: a\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(256)),
    bytes(range(255, 0, -1)),
]
"""Which a server and a proxy in front could read in two ways, or which are no HTTP at all."""


def test_whatever_is_asked_for_is_no_fault_of_ours(server: ServerProcess) -> None:
    for path in PATHS:
        status, heard = ask(server, "GET", path)
        assert status in (200, 404, 429), path[:80]
        assert b"root:" not in heard and b"[project]" not in heard and b"SQLite" not in heard, path
        assert b"cinderforge_rooms" not in heard, "numbers are on a port of their own"
    for method in METHODS:
        for path in ("/", "/healthz", "/api/rooms", "/api/session", "/api/replay", "/api/x"):
            assert ask(server, method, path)[0] in (200, 204, 400, 401, 404, 405), (method, path)
    for asked in RANGES:
        assert ask(server, "GET", "/sw.js", f"Range: bytes={asked}\r\n")[0] in (200, 206, 400, 416), asked[:40]
    for raw in RAW:
        assert say(server, raw).startswith(b"HTTP/1.1 400 "), raw[:80]


def test_who_comes_from_elsewhere_or_says_nonsense_gets_nothing(server: ServerProcess) -> None:
    for origin in ORIGINS:
        for method, path in (("POST", "/api/session"), ("DELETE", "/api/session"), ("POST", "/api/rooms")):
            status, heard = ask(server, method, path, f"Origin: {origin}\r\n")
            assert status == 403 and b"set-cookie" not in heard, origin
    for body in BODIES:
        headers = f"Cookie: {session(server)}\r\n"
        assert ask(server, "POST", "/api/rooms", headers, body)[0] in (400, 413), body[:40]
    for cookie in ("", "x", "x" * 70, '"x"', "\xff", "; " * 3000, "\x01"):
        status, heard = ask(server, "POST", "/api/rooms", f"Cookie: cf_session={cookie}\r\n", b'{"name":"A"}')
        assert status in (400, 401), cookie[:40]


def upgrade(server: ServerProcess, path: str, headers: str) -> int:
    """The status that a wish for a socket is answered with."""
    asked = (
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {KEY}\r\n{headers}\r\n"
    ).encode("latin-1")
    with socket.create_connection(("127.0.0.1", server.port), 5) as line:
        line.sendall(asked)
        return int(line.recv(4096).split(b" ", 2)[1])


def test_a_ticket_opens_one_socket_of_its_own_session_into_its_own_room(server: ServerProcess) -> None:
    mine, theirs = session(server), session(server)
    code, other = (server.opened(cookie, "Host") for cookie in (mine, theirs))
    cookie = f"Cookie: {mine}\r\n"

    def fresh() -> str:
        return server.ticket(code, mine)

    for wrong in (
        "",
        "ticket=",
        "ticket=x",
        "ticket=%ff%00",
        "ticket=" + "a" * 8000,
        "a=b&" * 3000,
        f"tickets={fresh()}",
    ):
        assert upgrade(server, f"/ws/{code}?{wrong}", cookie) in (401, 414), wrong[:40]
    for headers in ("", f"Cookie: {theirs}\r\n", f"Cookie: {theirs}; {mine}\r\n", f"Authorization: {mine}\r\n"):
        assert upgrade(server, f"/ws/{code}?ticket={fresh()}", headers) == 401, "another's ticket is none"
    elsewhere = fresh()
    assert upgrade(server, f"/ws/{other}?ticket={elsewhere}", cookie) == 401
    assert upgrade(server, f"/ws/{code}?ticket={elsewhere}", cookie) == 401, "tried once, it is used up"
    for path in (f"/ws/{code}%00", f"/ws/{code}/x", f"/ws/../ws/{code}", f"/ws/{code}%2f", "/ws/"):
        assert upgrade(server, f"{path}?ticket={fresh()}", cookie) == 401, path
    for path in ("/", "/api/rooms", f"http://elsewhere/ws/{code}", f"/WS/{code}", f"//ws/{code}"):
        assert upgrade(server, f"{path}?ticket={fresh()}", cookie) == 404, path
    for origin in ORIGINS:
        assert upgrade(server, f"/ws/{code}?ticket={fresh()}", f"{cookie}Origin: {origin}\r\n") == 403, origin
    two = f"Origin: {server.address}\r\nOrigin: http://elsewhere\r\n"
    assert upgrade(server, f"/ws/{code}?ticket={fresh()}", cookie + two) in (400, 403)
    assert upgrade(server, f"/ws/{code}?ticket={fresh()}", f"{cookie}X: {'a' * 100_000}\r\n") == 431
    assert upgrade(server, f"/ws/{code}?ticket={fresh()}", f"{cookie}Content-Length: 1\r\n") == 400
    with_all = f"{cookie}Origin: {server.address}\r\n"
    assert upgrade(server, f"/ws/{code.lower()}?ticket={fresh()}", with_all) == 101


def test_of_many_who_hold_the_same_ticket_one_gets_in(server: ServerProcess) -> None:
    cookie = session(server)
    code = server.opened(cookie, "Host")
    path = f"/ws/{code}?ticket={server.ticket(code, cookie)}"

    async def all_at_once() -> list[int]:
        return await asyncio.gather(
            *(asyncio.to_thread(upgrade, server, path, f"Cookie: {cookie}\r\n") for _ in range(20))
        )

    assert Counter(asyncio.run(all_at_once())) == {101: 1, 401: 19}


def test_a_session_that_was_ended_opens_nothing(server: ServerProcess) -> None:
    cookie = session(server)
    code = server.opened(cookie, "Host")
    ticket = server.ticket(code, cookie)
    headers = f"Cookie: {cookie}\r\n"
    assert ask(server, "DELETE", "/api/session", headers)[0] == 204
    assert upgrade(server, f"/ws/{code}?ticket={ticket}", headers) == 401, "not even with a ticket from before"
    assert ask(server, "POST", f"/api/rooms/{code}/ticket", headers)[0] == 401
    assert ask(server, "POST", "/api/rooms", headers, b'{"name":"A"}')[0] == 401
    status, heard = ask(server, "POST", "/api/session", headers)
    assert status == 204 and b"set-cookie" in heard and cookie.encode() not in heard, "the same is not given again"


FEW_FILES = """
import resource, sys
from cinderforge.cli.main import main
resource.setrlimit(resource.RLIMIT_NOFILE, (64, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
sys.exit(main())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such limits")
def test_an_address_with_as_many_lines_as_it_may_have_shuts_nobody_out(tmp_path: Path) -> None:
    with ServerProcess(tmp_path, program=FEW_FILES) as server:
        lines = [socket.create_connection(("127.0.0.1", server.port), 5) for _ in range(200)]
        assert ask(server, "GET", "/healthz")[0] == 200
        for line in lines:
            line.close()
