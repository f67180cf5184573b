"""AIs that think for long do so in processes of their own: tables are held up by no thought.

A process is started when it is first needed, started anew when it has died or hangs, and ends with the server. It gets
one question at a time. A question whose moment has come without an answer is let go; the room has an answer of its own.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import subprocess
import sys
from contextlib import suppress
from typing import Final, TypeAlias

import msgspec

from cinderforge.bots.bot import offer_of
from cinderforge.redaction.claims import Claim
from cinderforge.room.outputs import AskBot, AskWords
from cinderforge.rules.commands import Command
from cinderforge.rules.offers import commands_of
from cinderforge.server import metrics
from cinderforge.server.thinker import HEAD, Question, Reply, framed

LOG: Final = logging.getLogger("cinderforge.thinkers")
STUCK_S: Final = 10.0
"""So long no thought takes on any machine: a process that has not answered then hangs, and is killed."""
PATIENCE_S: Final = 60.0
"""How long at most no process is started where one after the other has died."""
_GRACE_S: Final = 2.0


class Thought:
    """One question on its way. `take` it when its moment has come."""

    def __init__(self, ask: AskBot) -> None:
        self.ask = ask
        self.is_over = False
        self.found: asyncio.Future[Command | None] = asyncio.get_running_loop().create_future()

    def take(self) -> Command | None:
        """The answer, if there is one; what comes later is not wanted any more."""
        self.is_over = True
        return self.found.result() if self.found.done() else None

    def question(self) -> Question:
        return Question(self.ask.level, self.ask.character, self.ask.view, self.ask.recollection, self.ask.seed)

    def answered(self, reply: Reply) -> None:
        metrics.thinking(self.ask.level).observe(reply.seconds)
        assert self.ask.view.you and self.ask.view.you.offer
        commands = commands_of(offer_of(self.ask.view.you.offer))
        self.found.set_result(None if reply.place is None else commands[reply.place])


class Words:
    """What an AI is to say, on its way: none of it until it is there, and perhaps never."""

    def __init__(self, ask: AskWords) -> None:
        self.ask = ask
        self.is_over = False
        self.claims: list[Claim] = []

    def question(self) -> Question:
        ask = self.ask
        return Question(ask.level, ask.character, ask.view, ask.recollection, ask.seed, len(ask.at))

    def answered(self, reply: Reply) -> None:
        self.claims = reply.claims


Line: TypeAlias = asyncio.PriorityQueue[tuple[int, int, int, Thought | Words]]
"""What waits: acts before words, then what is wanted first, then what came first."""


class Thinkers:
    """So many processes, and what waits for them."""

    def __init__(self, count: int) -> None:
        self._waiting: Line = asyncio.PriorityQueue()
        self._asked = 0
        self.processes = [_Process(self._waiting) for _ in range(count)]
        self._tasks = [asyncio.create_task(process.run()) for process in self.processes]

    def think(self, ask: AskBot) -> Thought:
        """Begins as soon as a process is free."""
        thought = Thought(ask)
        self._wait(0, ask.at, thought)
        return thought

    def word(self, ask: AskWords) -> Words:
        """The same for what an AI is to say."""
        words = Words(ask)
        self._wait(1, min(ask.at, default=0), words)
        return words

    def _wait(self, rank: int, wanted_at: int, what: Thought | Words) -> None:
        self._asked += 1
        self._waiting.put_nowait((rank, wanted_at, self._asked, what))

    async def close(self) -> None:
        """Ends all processes and waits for their end."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


class _Process:
    """One process, in the course of time perhaps several, one after the other."""

    def __init__(self, waiting: Line) -> None:
        self._waiting = waiting
        self.child: subprocess.Popen[bytes] | None = None
        self._deaths = 0
        """How many have died one after the other without an answer."""
        self._not_before = 0.0

    async def run(self) -> None:
        """Answers what waits, until it is cancelled."""
        loop = asyncio.get_running_loop()
        try:
            while True:
                *_, thought = await self._waiting.get()
                for _ in range(2):  # once more if the process has died of something else
                    if thought.is_over or loop.time() < self._not_before or await self._has_answered(thought):
                        break
        finally:
            await self._end()

    async def _has_answered(self, thought: Thought | Words) -> bool:
        try:
            if self.child is None:
                await self._start()
            async with asyncio.timeout(STUCK_S):
                reply = await self._asked(thought.question())
        except (OSError, EOFError, TimeoutError, msgspec.MsgspecError) as error:
            await self._died(error)
            return False
        self._deaths = 0
        thought.answered(reply)
        return True

    async def _asked(self, question: Question) -> Reply:
        self._writer.write(framed(question))
        await self._writer.drain()
        size = int.from_bytes(await self._reader.readexactly(HEAD), "big")
        return msgspec.msgpack.decode(await self._reader.readexactly(size), type=Reply)

    async def _start(self) -> None:
        ours, theirs = socket.socketpair()
        command = [sys.executable, "-m", "cinderforge.server.thinker", str(theirs.fileno())]
        with theirs:
            self.child = subprocess.Popen(command, pass_fds=[theirs.fileno()])  # noqa: ASYNC220 - a fork is short
        self._reader, self._writer = await asyncio.open_connection(sock=ours)
        LOG.info("an AI process is started")

    async def _died(self, error: Exception) -> None:
        self._deaths += 1
        if self._deaths > 1:
            self._not_before = asyncio.get_running_loop().time() + min(PATIENCE_S, 2.0**self._deaths)
        metrics.AI_DEATHS.inc()
        LOG.error("an AI process has died or hangs, and is started anew: %r", error)
        if self.child:
            self.child.kill()
        await self._end()

    async def _end(self) -> None:
        """The other end hears of it and goes; if it does not, it is killed."""
        child, self.child = self.child, None
        if child is None:
            return
        with suppress(OSError):
            self._writer.close()
        try:
            await asyncio.to_thread(child.wait, _GRACE_S)
        except subprocess.TimeoutExpired:
            child.kill()
            await asyncio.to_thread(child.wait)
