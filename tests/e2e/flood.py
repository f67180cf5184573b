"""Floods a room from a process of its own: `python -m tests.e2e.flood PORT CODE COOKIE KIND SECONDS`."""

from __future__ import annotations

import asyncio
import json
import sys
import time
import urllib.request
from collections import Counter

import websockets
from websockets.asyncio.client import ClientConnection, connect

HELLO = '{"t":"hello","protocol":1}'
SOCKETS = 4
AT_ONCE = 200

KINDS: dict[str, str | bytes] = {
    "commands": '{"t":"ready","id":"%d","ready":true}',
    "refusals": '{"t":"play","id":"%d","card":"blank"}',
    "pings": '{"t":"ping","n":%d}',
    "nonsense": '{"t":"nonsense %d"}',
    "huge frames": "x" * 100_000,
    "binary": b"\x00\xff" * 500,
}


async def flood(port: int, code: str, cookie: str, kind: str, seconds: float) -> Counter[str]:
    """Several sockets of one person, the newest of which replaces the last, say it all the time and read nothing."""
    end, seen = time.monotonic() + seconds, Counter[str]()

    async def one() -> None:
        while time.monotonic() < end:
            try:
                ticket = await asyncio.to_thread(ticket_of, port, code, cookie)
                uri = f"ws://127.0.0.1:{port}/ws/{code}?ticket={ticket}"
                async with connect(uri, additional_headers={"Cookie": cookie}, max_queue=None) as socket:
                    seen["sockets"] += 1
                    await say(socket, kind, end, seen)
            except (OSError, websockets.WebSocketException, AttributeError):  # websockets aborts what has ended already
                seen["refused"] += 1
                await asyncio.sleep(0.02)

    await asyncio.gather(*(one() for _ in range(SOCKETS)))
    return seen


async def say(socket: ClientConnection, kind: str, end: float, seen: Counter[str]) -> None:
    await socket.send(HELLO)
    message = KINDS[kind]
    while time.monotonic() < end:
        for _ in range(AT_ONCE):
            seen["messages"] += 1
            await socket.send(message % seen["messages"] if isinstance(message, str) and "%" in message else message)
        await asyncio.sleep(0)


def ticket_of(port: int, code: str, cookie: str) -> str:
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/api/rooms/{code}/ticket", b"", {"Cookie": cookie}, method="POST"
    )
    with urllib.request.urlopen(request, timeout=5) as answer:
        ticket: str = json.load(answer)["ticket"]
        return ticket


if __name__ == "__main__":
    told = asyncio.run(flood(int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4], float(sys.argv[5])))
    sys.stdout.write(json.dumps(told))
