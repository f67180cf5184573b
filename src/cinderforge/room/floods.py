"""How much a person may say or write at once. What was said is in the log, so the same after a restart."""

from __future__ import annotations

from collections.abc import Sequence

from cinderforge.room.refused import RoomRefused


def refuse_flood(times: Sequence[int], burst: int, ms_each: int, now: int) -> None:
    """Refuses with how many seconds to wait where `burst` of these server times, the oldest first, are too near.

    So many may come at once, and from then on one every `ms_each`.
    """
    if len(times) < burst:
        return
    wait = times[-burst] + burst * ms_each - now
    if wait > 0:
        raise RoomRefused("too_fast", str(-(-wait // 1000)))
