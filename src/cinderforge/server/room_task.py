"""One queue and one task for a room: inputs one after the other; keep first, then tell."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from random import Random
from typing import Final

from cinderforge.bots import HABIT, bot_of, takes_long
from cinderforge.room.inputs import AiSpoke, BotAnswered, Input, SocketId, TimeIsUp
from cinderforge.room.keeping import kept
from cinderforge.room.outputs import (
    Answer,
    Archive,
    AskBot,
    AskWords,
    CloseRoom,
    Keep,
    Output,
    SayBye,
    Tell,
    TellLines,
    WakeAt,
)
from cinderforge.room.room import Room
from cinderforge.rules.commands import Command, Skip
from cinderforge.server import metrics
from cinderforge.server.clock import Alarm, Clock
from cinderforge.server.conn import CLOSE_FAULT, CLOSE_OK, CLOSE_RESTART, Conn
from cinderforge.server.logs import name_room, room_tag
from cinderforge.server.store import Claim, CmdId, GameId, Ok, RoomId, Store, StoreFailed
from cinderforge.server.thinkers import Thinkers, Thought, Words
from cinderforge.wire import codec
from cinderforge.wire.messages import Bye, Farewell

LOG: Final = logging.getLogger("cinderforge.room")


class _Lost(Exception):
    """An append did not go through: what is in memory may be ahead of the log."""


class RoomTask:
    """Runs one room. Dies with it; whoever asks for the room again gets one read back from the log."""

    def __init__(
        self,
        room: Room,
        store: Store,
        claim: Claim,
        head: int,
        clock: Clock,
        on_end: Callable[[RoomTask], None],
        thinkers: Thinkers | None = None,
    ) -> None:
        self.room = room
        self._store = store
        self._claim = claim
        self._head = head
        self._clock = clock
        self._on_end = on_end
        self._thinkers = thinkers
        self._inputs: asyncio.Queue[Input | None] = asyncio.Queue()
        self._conns: dict[SocketId, Conn] = {}
        self._alarms: dict[str, Alarm] = {}
        self._records: dict[int, str] = {}
        """Of ended games, those that are not in the store yet."""
        self._task = asyncio.create_task(self._run())
        self.is_ended = self.is_closed = False

    def put(self, what: Input) -> None:
        """An input for the room, after all that came before."""
        self._inputs.put_nowait(what)

    def enter(self, socket: SocketId, conn: Conn) -> None:
        self._conns[socket] = conn

    def leave(self, socket: SocketId) -> None:
        self._conns.pop(socket, None)

    async def begin(self, outputs: list[Output]) -> None:
        """Does what a room that was just made or read back wants done first. Raises StoreFailed."""
        try:
            await self._do(outputs)
        except BaseException as error:  # also where whoever asked for the room waits no longer
            self._end("restarting", CLOSE_RESTART)
            if isinstance(error, _Lost):
                raise StoreFailed(str(error)) from None
            raise

    async def stop(self) -> None:
        """Finish what was put before, tell everybody that the server restarts, then end."""
        self._inputs.put_nowait(None)
        with suppress(asyncio.CancelledError):
            await self._task

    async def _run(self) -> None:
        name_room(self.room.code)
        try:
            while (what := await self._inputs.get()) is not None:
                await self._take(what)
                if self.is_ended:
                    return
            self._end("restarting", CLOSE_RESTART)
        except _Lost as lost:
            LOG.error("%s is read back, because an append did not go through: %s", self._where(), lost)
            self._end("restarting", CLOSE_RESTART)
        except Exception:
            LOG.exception("%s failed and is read back", self._where())
            self._end("restarting", CLOSE_FAULT)

    async def _take(self, what: Input) -> None:
        """One input. What it led to is let go of at once: a thousand rooms' last pictures are many objects to keep."""
        outputs = self.room.take(what, self._clock.now())
        await self._do(outputs)
        metrics.answered(what, outputs)

    def _where(self) -> str:
        """Which log, and how much of it, tells what led to a failure."""
        return f"room {room_tag(self._claim.room)}, after event {self._head},"

    async def _do(self, outputs: list[Output]) -> None:
        tells: list[Tell] = []
        for output in outputs:
            if isinstance(output, Tell):
                tells.append(output)
                continue
            self._show(tells)
            tells = []
            match output:
                case Keep():
                    await self._keep(output)
                case Answer(socket):
                    self._send(socket, codec.encode_answer(output))
                case SayBye(socket, why):
                    self._dismiss(socket, why)
                case TellLines(socket):
                    self._send(socket, codec.encode_lines(output))
                case WakeAt(at):
                    self._wake(at)
                case AskBot():
                    self._ask(output)
                case AskWords():
                    self._ask_words(output)
                case Archive(game, record):
                    await self._archive(game, record)
                case CloseRoom():
                    closed = await self._store.close_room(self._claim, self._clock.now())
                    if not isinstance(closed, Ok):
                        LOG.error("%s was not closed for good: %s", self._where(), type(closed).__name__)
                    self._end("closed", CLOSE_OK)
        self._show(tells)

    async def _keep(self, keep: Keep) -> None:
        bodies = [kept(event) for event in keep.events]
        # An id that the room has forgotten may come again: for the log it is then another command.
        command = None if keep.command is None else CmdId(f"{self._head}:{keep.command}")
        done = await self._store.append(self._claim, self._head, bodies, cmd_id=command, at=keep.at)
        if not isinstance(done, Ok):
            raise _Lost(type(done).__name__)
        self._head = done.head
        if self._records:
            await self._put_records()

    async def _archive(self, game: int, record: str) -> None:
        self._records[game] = record
        await self._put_records()

    async def _put_records(self) -> None:
        """Those that could not be put are put again when the store next keeps something, or the room is read back."""
        room = self._claim.room
        for game, record in list(self._records.items()):
            try:
                await self._store.put_record(game_id(room, game), room, record.encode(), self._clock.now())
            except StoreFailed:
                LOG.exception("the record of game %d could not be put, and is put again later", game)
                return
            del self._records[game]

    def _show(self, tells: list[Tell]) -> None:
        for socket, message in codec.encode_tells(tells, self._clock.now()) if tells else ():
            if conn := self._conns.get(socket):
                conn.show(message)

    def _send(self, socket: SocketId, message: bytes) -> None:
        if conn := self._conns.get(socket):
            conn.send(message)

    def _dismiss(self, socket: SocketId, why: Farewell, code: int = CLOSE_OK) -> None:
        if conn := self._conns.pop(socket, None):
            conn.send(codec.encode(Bye(why)))
            conn.close(code, why)

    def _wake(self, at: int | None) -> None:
        """The room has one alarm."""
        if older := self._alarms.pop("room", None):
            older.cancel()
        if at is not None:
            self._alarms["room"] = self._clock.call_at(at, lambda: self.put(TimeIsUp()))

    def _ask(self, ask: AskBot) -> None:
        key = f"ai {ask.turn}"
        if older := self._alarms.pop(key, None):
            older.cancel()
        thought = None
        if self._thinkers and takes_long(ask.level, ask.view):
            thought = self._thinkers.think(ask)
        self._alarms[key] = self._clock.call_at(ask.at, lambda: self.put(_answer(ask, thought)))

    def _ask_words(self, ask: AskWords) -> None:
        """What an AI says is thought of elsewhere: without a process for that AIs are silent."""
        if self._thinkers is None:
            return
        words = self._thinkers.word(ask)
        for number, at in enumerate(ask.at):
            key = f"words {ask.turn} {number}"
            if older := self._alarms.pop(key, None):
                older.cancel()
            self._alarms[key] = self._clock.call_at(at, partial(self._speak, words, number))

    def _speak(self, words: Words, number: int) -> None:
        if number < len(words.claims):
            self.put(AiSpoke(words.ask.game, words.ask.turn, words.claims[number]))
        words.is_over = True  # what is not there for its first moment is not waited for

    def _silence(self) -> None:
        for alarm in self._alarms.values():
            alarm.cancel()
        self._alarms.clear()

    def _end(self, why: Farewell, code: int) -> None:
        if self.is_ended:
            return
        self.is_ended, self.is_closed = True, why == "closed"
        self._inputs.put_nowait(None)
        self._silence()
        for socket in list(self._conns):
            self._dismiss(socket, why, code)
        self._on_end(self)


def game_id(room: RoomId, game: int) -> GameId:
    """The id of a room's n-th game; unique for ever, as room ids are never given out twice."""
    return GameId(f"{room}-{game}")


def _answer(ask: AskBot, thought: Thought | None) -> BotAnswered:
    """What the AI does, at its moment, which no thought puts off: where one is not there yet, a habit is followed.

    One that fails is as one that answers nonsense: the room puts a legal command in its place.
    """
    if thought and (found := thought.take()):
        return BotAnswered(ask.ask, ask.turn, found)
    if thought:
        metrics.AI_LATE.inc()
    level = HABIT if thought else ask.level
    command: Command = Skip()
    try:
        with metrics.thinking(level).time():
            command = bot_of(level, ask.character).choose(ask.view, ask.recollection, Random(ask.seed))
    except Exception:
        LOG.exception("the AI %s failed", ask.level)
    return BotAnswered(ask.ask, ask.turn, command)
