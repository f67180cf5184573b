"""AIs claim things by a person's way, when it was drawn for them, and tell nothing by it (R9.1, R11)."""

from __future__ import annotations

from collections import Counter
from typing import Any

from cinderforge.redaction.claims import AgreeClaim, RoleClaim, ScrollSawClaim
from cinderforge.room import speeches
from cinderforge.room.inputs import AiSpoke, Leave, Poll
from cinderforge.room.presence import SHOWN_AFTER
from cinderforge.room.shapes import LineView
from cinderforge.room.talking import BURST
from cinderforge.rules.words import Card, Role, Seat, Turn
from tests.room.company import AT_LEISURE, Company, claimed


def talkative(persons: int = 2, seats: int = 8, **settings: Any) -> Company:
    company = Company(persons, seats, first_holder="random", **(AT_LEISURE | settings))
    company.hosting.ais_talk = True
    return company


def by_ais(company: Company, name: str) -> list[LineView]:
    return [line for line in claimed(company, name) if line.member is None]


def test_ais_claim_by_day_as_anybody_may_and_everybody_hears_it_in_order() -> None:
    company = talkative().to("over")
    lines = by_ais(company, "host")
    assert len(lines) >= 3 and lines == by_ais(company, "p2")
    names = {chair.name for chair in company.sees("host").room.seats if chair.kind == "ai"}
    running = company.room.running
    assert running and {line.name for line in lines} <= names
    for line in lines:
        assert line.claim and line.claim.round >= 1
        assert company.room.seats.ais[running.seat_of(line.claim.turn)].name == line.name
    per_round = Counter((line.claim.turn, line.claim.round) for line in lines if line.claim)
    assert max(per_round.values()) <= 2


def test_where_the_host_does_not_want_it_ais_are_silent() -> None:
    assert by_ais(talkative(ai_talk=False).to("over"), "host") == []


def speakers(company: Company) -> set[Turn]:
    """The AIs that have spoken in the present round."""
    running = company.room.running
    assert running
    claims = [line.claim for line in by_ais(company, "host") if line.claim]
    return {claim.turn for claim in claims if claim.round == running.table.round}


def test_what_ais_have_said_is_there_after_a_restart_and_who_has_spoken_in_a_round_is_not_asked_again() -> None:
    company = talkative().to("pass")
    company.until(lambda: company.wait.kind == "pass" and len(speakers(company)) >= 2)
    before, said = by_ais(company, "host"), speakers(company)
    company.restart()
    assert by_ais(company, "host") == before
    company.room.speeches.asked = (0, 0)
    assert said.isdisjoint(words.turn for words in speeches.ask(company.room, company.now))
    company.room.conversation.lines.clear()
    company.room.speeches.asked = (0, 0)
    assert said <= {words.turn for words in speeches.ask(company.room, company.now)}, "else they would be"


def test_an_ai_is_refused_what_a_person_would_be_and_nobody_hears_of_it() -> None:
    company = talkative().to("pass")
    room, running = company.room, company.room.running
    assert running
    chair = next(iter(room.seats.ais))
    turn = running.turn_of(chair)
    me = company.sees("host").player
    assert me
    told = company.told("host"), len(company.lines("host"))
    for game, who, claim in (
        (1, turn, ScrollSawClaim(me.turn, Card.SAGE)),
        (1, turn, AgreeClaim(99)),
        (2, turn, RoleClaim(1, Role.SAGE)),
        (1, me.turn, RoleClaim(1, Role.SAGE)),
    ):
        company.hosting.put(AiSpoke(game, who, claim))
    assert (company.told("host"), len(company.lines("host"))) == told
    for number in range(BURST + 3):
        company.hosting.put(AiSpoke(1, turn, RoleClaim(1, [*Role][number % 6])))
    assert len(by_ais(company, "host")) == BURST, "a flood is one, whoever makes it"


def test_a_stand_in_is_silent() -> None:
    company = talkative(3)
    company.to("pass")
    running = company.room.running
    assert running
    turn = running.turn_of(company.sees("p2").member.seat or Seat(1))
    company.does("p2", Leave())
    company.sockets.pop("p2")
    assert company.chair("p2").stand_in
    company.hosting.put(AiSpoke(1, turn, RoleClaim(1, Role.SAGE)))
    assert all(line.name != "p2" for line in claimed(company, "host"))
    company.to("over")
    assert all(line.claim and line.claim.turn != turn for line in by_ais(company, "host"))


def test_when_ais_speak_follows_from_the_chair_and_the_round_and_not_from_the_deal() -> None:
    spoken = 0
    for seed in range(1, 5):
        company = talkative(seed=seed).to("pass")
        room, running = company.room, company.room.running
        assert running
        moments = list[list[tuple[int, tuple[int, ...]]]]()
        for _ in range(2):
            room.speeches.asked = (0, 0)
            moments.append([(words.turn, words.at) for words in speeches.ask(room, 0)])
            vault = running.state.vault  # roles, hands and scrolls go round the table
            roles, hands, scrolls = ((*of[1:], of[0]) for of in (vault.roles, vault.hands, vault.scrolls))
            turned: Any = {"roles": roles, "hands": hands, "scrolls": scrolls}
            running.state = running.state._replace(vault=vault._replace(**turned))
        assert moments[0] == moments[1]
        spoken += len(moments[0])
    assert spoken > 3


def test_while_the_game_stands_still_an_ai_is_not_heard() -> None:
    company = talkative(3).to("pass")
    room, running = company.room, company.room.running
    assert running
    turn = running.turn_of(next(iter(room.seats.ais)))
    company.goes("p3")
    company.pass_time(SHOWN_AFTER)
    company.until(lambda: "pause" in company.polls())
    for name in ("host", "p2"):
        company.does(name, Poll("pause", None, on=True))
    before = by_ais(company, "host")
    for is_paused in (True, False):
        assert company.wait.is_paused == is_paused
        company.hosting.put(AiSpoke(1, turn, RoleClaim(1, Role.SAGE)))
        assert (by_ais(company, "host") == before) == is_paused
        company.pass_time(20_000)  # in which others would say what was drawn for them
        assert (by_ais(company, "host") == before) == is_paused
        company.comes("p3")
