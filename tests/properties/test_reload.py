"""Reload, second tab and spectator go the same way as live play, and bring nothing back (R10.3, R11)."""

from __future__ import annotations

import msgspec
import pytest

from cinderforge.redaction.shapes import News
from cinderforge.room.inputs import Change, Contribute, Fill, Leave, Start, Watch
from cinderforge.testkit.hosting import Hosting


@pytest.mark.parametrize("seed", range(6))
def test_whoever_comes_back_is_sent_what_live_eyes_have(seed: int) -> None:
    """At every moment: the same room, table and private half, and all the news told so far, no more and no less."""
    hosting = Hosting(seed)
    host = hosting.arrive("host")
    hosting.ask(host, Change({"first_holder": "vote", "memory_aid": seed % 2 == 1}))
    for wish in (Fill(None, None), Start(), Contribute("ab" * 16)):
        assert hosting.ask(host, wish).code is None
    live: list[News] = []
    told = 0
    for _ in range(400):
        tells = hosting.seen[host].tells
        for tell in tells[told:]:
            if tell.game:
                live = [*tell.news] if tell.fresh else [*live, *tell.news]
        last = tells[-1]
        told = len(tells)
        if hosting.room.stage == "over":
            break
        if told % 3 == 0:
            host = hosting.arrive("host")
            back = hosting.seen[host].last
            told = 0
            assert back.fresh and list(back.news) == live and back.heard == len(live)
            for part in ("room", "table", "player", "member"):
                assert msgspec.json.encode(getattr(back, part)) == msgspec.json.encode(getattr(last, part))
            _looks_on(hosting, live, last.table)
        assert hosting.clock.jump_to_next()
    assert hosting.room.stage == "over"


def _looks_on(hosting: Hosting, live: list[News], table: object) -> None:
    """A guest sees nothing of the game; a newcomer who watches hears the same news and has no private half."""
    watcher = hosting.arrive(f"watcher {hosting.room.seats.next_id}")
    seen = hosting.seen[watcher]
    assert seen.last.table is None and not seen.last.news
    answer = hosting.ask(watcher, Watch("Ann"))
    if hosting.room.wait and hosting.room.wait.kind in ("reveal", "night"):
        assert answer.code == "quiet", "a new name would be talk (R9.1)"
        return
    assert answer.code is None
    assert seen.last.fresh and list(seen.last.news) == live and all(tell.player is None for tell in seen.tells)
    assert msgspec.json.encode(seen.last.table) == msgspec.json.encode(table)
    hosting.ask(watcher, Leave())
