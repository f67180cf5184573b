"""Sits at a table from a process of its own: `python -m tests.e2e.sitter PORT CODE COOKIE NAME STALL_S`.

It looks at its role and does nothing else, comes back whenever its socket is lost, and says in a line of JSON at each
socket how many it has had. With STALL_S its loop stands still for so long, again and again.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path
from typing import Any

from tests.e2e.persons import Message, Person
from tests.e2e.serving import ServerProcess


class Sitter(Person):
    said = 0

    def _wishes(self, update: Message) -> list[Message]:
        if self.said < self.sockets:
            self.said = self.sockets
            sys.stdout.write(json.dumps({"sockets": self.sockets, "seat": update["you"]["member"]["seat"]}) + "\n")
            sys.stdout.flush()
        table = update["table"]
        return super()._wishes(update) if table is None or table["phase"] == "reveal" else []


async def sit(port: int, code: str, cookie: str, name: str, stall_s: float) -> None:
    server = ServerProcess(Path())
    server.port = port

    async def stall() -> None:
        while True:
            time.sleep(stall_s)  # noqa: ASYNC251 - that is the point
            await asyncio.sleep(0.05)

    def for_ever(person: Any) -> bool:
        return False

    tasks = [Sitter(server, cookie, code, name, 1).live(for_ever)]
    if stall_s:
        tasks.append(stall())
    await asyncio.gather(*tasks)


if __name__ == "__main__":
    asyncio.run(sit(int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4], float(sys.argv[5])))
