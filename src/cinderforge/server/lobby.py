"""All rooms of this process: making them, finding them, reading them back from the log."""

from __future__ import annotations

import asyncio
import logging
import secrets
from contextlib import suppress
from typing import Final

import msgspec

from cinderforge.room.events import RoomEvent
from cinderforge.room.inputs import SessionKey, TimeIsUp
from cinderforge.room.keeping import kept, unkept
from cinderforge.room.room import Entropy, Room
from cinderforge.server.clock import Alarm, Clock
from cinderforge.server.logs import room_tag
from cinderforge.server.room_task import RoomTask
from cinderforge.server.store import Kept, LiveRoom, Ok, RoomId, Store, StoreFailed, Taken
from cinderforge.server.thinkers import Thinkers

LOG: Final = logging.getLogger("cinderforge.lobby")
CODE_LETTERS: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Without I, L, O, 0 and 1, which are mistaken for one another when said or typed (R2.1)."""
CODE_LENGTH: Final = 6
BEAT_MS: Final = 1_000
"""How often it is noted that the server lives; so much at most is given back that was not lost."""
MOST_ROOMS: Final = 5_000
READ_AT_ONCE: Final = 100
"""How many rooms are read back together at the start: they wait for the same writes to the disk."""


class TooManyRooms(Exception):
    """This server holds as many rooms as it should."""


class Draining(Exception):
    """This server is about to stop: no room is opened or read back any more."""


def code_from(text: str) -> RoomId:
    """A code as somebody typed it: case, spaces and hyphens do not matter."""
    return RoomId("".join(text.split()).replace("-", "").upper())


def new_code(entropy: Entropy) -> RoomId:
    """A code that nobody can foresee, each of them as likely as any other."""
    count = len(CODE_LETTERS)
    letters = ""
    while len(letters) < CODE_LENGTH:
        drawn = [byte for byte in entropy(4 * CODE_LENGTH) if byte < 256 - 256 % count]
        letters += "".join(CODE_LETTERS[byte % count] for byte in drawn)
    return RoomId(letters[:CODE_LENGTH])


class Lobby:
    """Rooms by code. A room that is asked for and not in memory is read back from the log."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        most_rooms: int = MOST_ROOMS,
        entropy: Entropy = secrets.token_bytes,
        thinkers: Thinkers | None = None,
    ) -> None:
        self._store = store
        self._clock = clock
        self._most_rooms = most_rooms
        self._entropy = entropy
        self._thinkers = thinkers
        self._rooms: dict[RoomId, RoomTask] = {}
        self._reading: dict[RoomId, asyncio.Lock] = {}
        self.is_draining = False
        self._lived_until = 0
        self._ended_at: dict[RoomId, int] = {}
        self._beating: Alarm | None = None
        self._beats: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        return len(self._rooms)

    def rooms(self) -> list[RoomTask]:
        """All rooms in memory."""
        return list(self._rooms.values())

    def members(self) -> set[SessionKey]:
        """The sessions of all who are in one of these rooms, be they connected or not."""
        return {member.session for task in self.rooms() for member in task.room.seats.members.values()}

    async def open(self) -> None:
        """Reads back all rooms that were live: their waits and AIs go on, from where the last server left them."""
        self._lived_until = await self._store.last_beat()
        rooms = await self._store.live_rooms()
        self._clock.not_before(max([self._lived_until, *(live.touched_at for live in rooms)]))
        for first in range(0, len(rooms), READ_AT_ONCE):
            await asyncio.gather(*(self._read_again(live) for live in rooms[first : first + READ_AT_ONCE]))
        self._beat()

    async def _read_again(self, live: LiveRoom) -> None:
        try:
            await self.find(live.room)
        except Exception:
            LOG.exception("room %s, %d events, could not be read back", room_tag(live.room), live.head)

    def _beat(self) -> None:
        """Notes again and again that the server lives, so that after a crash it is known how much time was lost."""
        if not self._beats:  # a slow disk is not asked twice at once
            beat = asyncio.create_task(self._keep_beat())
            self._beats.add(beat)
            beat.add_done_callback(self._beats.discard)
        self._beating = self._clock.call_at(self._clock.now() + BEAT_MS, self._beat)

    async def _keep_beat(self) -> None:
        with suppress(StoreFailed):
            await self._store.beat(self._clock.now())

    async def close(self) -> None:
        """Finishes what was asked, says goodbye and lets go of all rooms; they are read back at the next start."""
        self.is_draining = True
        if self._beating:
            self._beating.cancel()
        await self._keep_beat()
        await asyncio.gather(*(task.stop() for task in list(self._rooms.values())))
        self._rooms.clear()

    async def create(self, host: SessionKey, name: str) -> RoomTask:
        """A new room (R2.1). Raises RoomRefused for a bad name, TooManyRooms, Draining, StoreFailed."""
        if self.is_draining:
            raise Draining
        if len(self._rooms) >= self._most_rooms:
            raise TooManyRooms
        now = self._clock.now()
        while True:
            code = new_code(self._entropy)
            room, keep = Room.open(code, host, name, self._entropy, now)
            claim = await self._store.create_room(code, now)
            if not isinstance(claim, Taken):
                break
        done = await self._store.append(claim, 0, [kept(event) for event in keep.events], cmd_id=None, at=now)
        if not isinstance(done, Ok):
            raise StoreFailed("a new room could not be kept")
        task = RoomTask(room, self._store, claim, done.head, self._clock, self._forget, self._thinkers)
        task.put(TimeIsUp())  # it sets its alarm
        self._rooms[code] = task
        LOG.info("a room is opened", extra={"room": room_tag(code)})
        return task

    def open_room(self, code: RoomId) -> RoomTask | None:
        """The room of this code, if it is in memory, as all open ones are unless one has just failed."""
        return self._rooms.get(code)

    async def find(self, code: RoomId) -> RoomTask | None:
        """The room of this code, if there is one. Raises Draining, StoreFailed."""
        if task := self._rooms.get(code):
            return task
        if len(code) != CODE_LENGTH or any(letter not in CODE_LETTERS for letter in code):
            return None
        lock = self._reading.setdefault(code, asyncio.Lock())
        try:
            async with lock:
                return self._rooms.get(code) or await self._read_back(code)
        finally:
            if not lock.locked():
                self._reading.pop(code, None)

    async def _read_back(self, code: RoomId) -> RoomTask | None:
        if self.is_draining:
            raise Draining
        claim = await self._store.claim(code)
        if claim is None:
            return None
        log = await self._store.read(code)
        if not log:
            await self._store.close_room(claim, self._clock.now())
            return None
        try:
            events = events_of(log)
        except msgspec.DecodeError as error:
            raise StoreFailed(f"the log of room {room_tag(code)} is damaged: {error}") from error
        room = Room.read_back(code, self._entropy, events)
        task = RoomTask(room, self._store, claim, log[-1].seq, self._clock, self._forget, self._thinkers)
        lived_until = self._ended_at.pop(code, self._lived_until)
        await task.begin(room.resume(max(log[-1].at, lived_until), self._clock.now()))
        self._rooms[code] = task
        return task

    def _forget(self, task: RoomTask) -> None:
        code = RoomId(task.room.code)
        if self._rooms.get(code) is task:
            del self._rooms[code]
            if not task.is_closed:
                self._ended_at[code] = self._clock.now()
        LOG.debug("a room is let go", extra={"room": room_tag(code)})


def events_of(log: list[Kept]) -> list[tuple[RoomEvent, str | None, int]]:
    """Events with the id of the command that caused them, as the room gave it, and their times."""
    return [(unkept(entry.body), entry.cmd_id and entry.cmd_id.partition(":")[2], entry.at) for entry in log]
