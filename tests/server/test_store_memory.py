"""The store in memory can be ambushed: an answer is lost, and what was asked is lost with it or is not."""

import pytest

from cinderforge.server.store import Appended, Claim, CmdId, Ok, Repeated, RoomId, Unknown
from cinderforge.server.store_memory import MemoryStore

pytestmark = pytest.mark.anyio

ROOM = RoomId("EMBER")


async def append(store: MemoryStore, claim: Claim, head: int) -> Appended:
    return await store.append(claim, head, [b"a"], cmd_id=CmdId("x"), at=1)


async def test_after_an_unknown_answer_the_log_is_the_truth_and_the_command_is_done_once() -> None:
    store = MemoryStore()
    claim = await store.create_room(ROOM, 1)
    assert isinstance(claim, Claim)
    store.ambushes.extend(["lost", "kept"])
    assert await append(store, claim, 0) == Unknown("ambushed")
    assert await store.read(ROOM) == []
    assert await append(store, claim, 0) == Unknown("ambushed")
    assert len(await store.read(ROOM)) == 1
    assert await append(store, claim, 1) == Repeated(head=1, seq=1)
    assert await store.append(claim, 1, [b"b"], cmd_id=None, at=1) == Ok(2)
