"""Whoever comes to watch a game brings a name, which the players see; and where nobody may watch nothing is shown."""

from __future__ import annotations

from cinderforge.room.inputs import Change, Watch
from tests.room.company import Company


def test_nobody_comes_at_night_and_no_name_names_a_scroll() -> None:
    table = Company().to("night")
    table.comes("newcomer")
    assert table.code("newcomer", Watch("3 is the sage")) == "quiet"
    table.to("vote")
    assert table.code("newcomer", Watch("Force  Play")) == "bad_name"
    assert table.code("newcomer", Watch("Ann")) is None


def test_who_watches_where_nobody_may_any_more_sees_nothing_of_the_game() -> None:
    table = Company(watchers=1)
    table.does("host", Change({"spectators": False}))
    table.to("vote")
    told = [tell for tell in table.hosting.seen[table.sockets["w1"]].tells if tell.game]
    assert told and all(tell.table is None and not tell.news for tell in told)
    assert table.sees("host").table is not None
