"""Whoever comes to watch a game brings a name, which the players see; and where nobody may watch nothing is shown."""

from __future__ import annotations

from cinderforge.room.inputs import Change, Leave, Mute, Report, Say, Watch
from cinderforge.room.seats import REMEMBERED_STRANGERS
from cinderforge.testkit.ledger import compare
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


def _comes_and_goes(table: Company, *names: str) -> None:
    for name in names:
        table.comes(name)
        table.does(name, Watch(name))
        table.does(name, Leave())


def test_who_has_left_is_known_again_until_many_others_have_come() -> None:
    table = Company()
    table.comes("loud")
    table.does("loud", Watch("loud"))
    table.does("loud", Say("la la la", sure=False))
    table.does("loud", Report(table.id_of("host"), "hush"))
    first = table.id_of("loud")
    table.does("p2", Mute(first, on=True))
    table.does("loud", Leave())
    _comes_and_goes(table, *(f"passer {number}" for number in range(REMEMBERED_STRANGERS - 1)), "loud")
    assert first in table.room.seats.muted[table.id_of("p2")]
    _comes_and_goes(table, *(f"walker {number}" for number in range(REMEMBERED_STRANGERS + 1)))
    table.comes("loud")
    table.does("loud", Watch("loud"))
    assert table.id_of("loud") > first, "a number is nobody else's, either"


def test_a_room_remembers_no_more_the_longer_it_is_open() -> None:
    table = Company()
    _comes_and_goes(table, *(f"passer {number}" for number in range(REMEMBERED_STRANGERS + 100)))
    seats = table.room.seats
    assert len(seats.known) == len(table.people) + REMEMBERED_STRANGERS + 1, "who goes is forgotten as others come"
    assert {m.id for m in seats.members.values()} <= set(seats.known.values()), "who is here stays known"
    before = table.room
    table.restart()
    compare(before, table.room, whole=True)
