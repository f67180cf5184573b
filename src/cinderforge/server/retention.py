"""What is deleted after a while: closed rooms' logs, in which the talk stands, the records of finished games, and
sessions whose cookie nobody has shown for long.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection
from typing import Final

from cinderforge.room.inputs import SessionKey
from cinderforge.server.clock import Alarm, Clock
from cinderforge.server.store import Forgotten, Store, StoreFailed

DAY_MS: Final = 86_400_000
AT_ONCE: Final = 20
"""Of each kind, so that players' moves need not wait long behind one deletion."""

SESSIONS_AT_ONCE: Final = 500
"""They are small."""

LOG: Final = logging.getLogger(__name__)


class Retention:
    """Sweeps at the start and once a day. Zero days mean for ever."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        *,
        log_days: int,
        record_days: int,
        session_days: int,
        members: Callable[[], Collection[SessionKey]],
    ) -> None:
        """`members` says whose sessions are in a room now: those are kept, whenever they were seen."""
        self._store, self._clock, self._members = store, clock, members
        self._log_days, self._record_days, self._session_days = log_days, record_days, session_days
        self._alarm: Alarm | None = None
        self._sweeping: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._sweeping = asyncio.create_task(self.sweep())
        self._alarm = self._clock.call_at(self._clock.now() + DAY_MS, self.start)

    async def stop(self) -> None:
        """Lets the deletion under way end, and begins no other."""
        if self._alarm is not None:
            self._alarm.cancel()
        if self._sweeping is not None:
            self._sweeping.cancel()
            await asyncio.gather(self._sweeping, return_exceptions=True)

    async def sweep(self) -> None:
        """Deletes all that is too old, in small steps. What fails is left for tomorrow."""
        logs_before, records_before = self._before(self._log_days), self._before(self._record_days)
        logs = records = sessions = 0
        try:
            while (gone := await self._store.forget(logs_before, records_before, AT_ONCE)) != Forgotten(0, 0):
                logs, records = logs + gone.logs, records + gone.records
            sessions = await self._sweep_sessions(self._before(self._session_days))
        except StoreFailed:
            LOG.exception("what is too old could not be deleted")
        if logs or records or sessions:
            LOG.info("what was too old is deleted", extra={"rooms": logs, "records": records, "sessions": sessions})

    async def _sweep_sessions(self, before: int) -> int:
        unseen = await self._store.unseen_sessions(before)
        members = self._members()
        stale = [digest for digest in unseen if digest.hex() not in members]
        gone = 0
        for first in range(0, len(stale), SESSIONS_AT_ONCE):
            gone += await self._store.forget_sessions(stale[first : first + SESSIONS_AT_ONCE], before)
        return gone

    def _before(self, days: int) -> int:
        return self._clock.now() - days * DAY_MS if days else 0
