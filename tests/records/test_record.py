"""A record is written, read and replayed without losing a letter; what is no record is refused by name."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cinderforge.records.record import BadRecord, Record, read, write
from cinderforge.records.verify import chronicle_of, start_of, verify
from cinderforge.rules.commands import EndNight, EndReveal
from cinderforge.rules.game import begin, draw_deal, offers, take, take_clock
from cinderforge.rules.luck import SeededLuck, seed_from
from cinderforge.rules.offers import commands_of
from cinderforge.rules.settings import Settings, settings_from
from cinderforge.rules.state import GameState, awaited
from cinderforge.rules.words import How, Phase
from cinderforge.testkit.drive import Chronicle, at_random, drive
from tests.records.games import random_record, recorded

EVERY_SETTING = st.fixed_dictionaries(
    {
        "seats": st.integers(5, 10),
        "first_holder": st.sampled_from(["vote", "random"]),
        "sage_slain_ends": st.booleans(),
        "act_last_lasts": st.sampled_from(["round", "game"]),
        "memory_aid": st.booleans(),
    }
)


@given(EVERY_SETTING, st.integers(0, 1 << 30))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_what_is_written_is_read_replayed_and_written_again(given_rules: dict[str, Any], number: int) -> None:
    record = random_record(settings_from(given_rules), number)
    text = write(record)
    assert "\n" not in text
    again = read(text)
    assert again == record
    assert write(again) == text
    assert verify(again) == []


@given(st.integers(5, 10), st.integers(0, 1 << 30))
@settings(max_examples=30, deadline=None)
def test_a_record_tells_of_the_game_that_was_played(seats: int, number: int) -> None:
    rng = random.Random(number)
    secret = rng.randbytes(32)
    game = drive(settings_from({"seats": seats}), SeededLuck(seed_from(secret, ())), at_random(rng))
    told = list(chronicle_of(read(write(recorded(game, secret)))))
    # which place of the face-down row was pointed at is not on record, and makes no difference
    assert [event for events, _ in told for event in events] == game.events
    final = told[-1][1]
    assert final.table == game.final.table
    assert final.vault.hands == game.final.vault.hands


@pytest.mark.parametrize("how", [How.STAND_IN])
def test_moves_of_a_stand_in_are_marked(how: How) -> None:
    secret = b"stand-in".ljust(32)
    rules = settings_from({"seats": 6, "first_holder": "vote"})
    record = played_by(how, rules, secret)
    marked = [move for move in record.moves if move[-1] == how.value]
    assert {move[0] for move in marked} >= {"vote", "pass", "play"}
    assert verify(read(write(record))) == []


def played_by(how: How, rules: Settings, secret: bytes) -> Record:
    rng, luck = random.Random(7), SeededLuck(seed_from(secret, ()))
    deal = draw_deal(rules, luck)
    state: GameState = begin(rules, deal, luck)
    game = Chronicle(rules, deal, luck, state)
    for clock in (EndReveal(), EndNight()):
        events, state = take_clock(state, clock)
        game.events += events
    while state.table.phase is not Phase.OVER:
        turn = awaited(state.table)[0]
        offer = offers(state, turn)
        assert offer
        events, state = take(state, turn, rng.choice(commands_of(offer)), how)
        game.events += events
    return recorded(game, secret)


def test_the_keys_stand_in_the_order_of_the_paper() -> None:
    raw = json.loads(write(random_record(settings_from({}), 1)))
    known = ["format", "settings", "rules", "fairness", "players", "deal", "moves", "result"]
    assert list(raw)[: len(known)] == known
    assert list(raw["fairness"]) == ["commitment", "secret", "contributions", "seed"]
    assert list(raw["players"][0]) == ["turn", "seat", "name", "kind"]
    assert list(raw["deal"]) == ["roles", "hands", "scrolls"]
    assert list(raw["result"]) == ["winner", "reason", "rounds"]


def test_every_move_has_the_shape_of_the_paper() -> None:
    shapes: dict[str, list[Any]] = {}
    for number in range(80):
        rules = settings_from({"seats": 5 + number % 6, "first_holder": "vote" if number % 2 else "random"})
        for move in random_record(rules, number).moves:
            shapes.setdefault(f"{move[0]} {move[2]}" if move[0] == "scroll" else move[0], []).append(move)
    assert {kind.split()[0] for kind in shapes} == {
        *("vote", "first", "pass", "scroll", "play", "skip", "empty", "resolve")
    }
    for kind, moves in shapes.items():
        if not kind.startswith("scroll"):
            continue
        choices = [move[3] for move in moves]
        wanted = {
            "peek_hand": [int, str],
            "draw_next": [str],
            "draw_previous": [str],
            "link_play": [int, int],
            "force_play": [int],
            "gift_blank": [int],
        }.get(kind.split()[1], [])
        assert [c for c in choices if c is not None and list(map(type, c)) != wanted] == [], kind
        assert wanted or None not in choices, kind
    for *_, cards, counts in shapes["resolve"]:
        assert isinstance(cards, list)
        assert list(counts) == ["sage_activated", "activated", "slain", "sage_slain"]


def test_unknown_fields_are_kept_and_written_back() -> None:
    raw = json.loads(write(random_record(settings_from({"seats": 5}), 3)))
    raw["mood"] = {"of": ["Ann", None, 1.5]}
    raw["settings"]["house_rule"] = True
    raw["players"][0]["hat"] = "red"
    raw["moves"][-1][2]["crowns"] = 4
    text = json.dumps(raw, ensure_ascii=False)
    assert write(read(text)) == text
    assert verify(read(text)) == []


@pytest.mark.parametrize("version", ["cinderforge-record/2", "cinderforge-record/17"])
def test_a_newer_format_is_refused_as_newer(version: str) -> None:
    raw = json.loads(write(random_record(settings_from({}), 2)))
    with pytest.raises(BadRecord, match=f"^g:4: expected format cinderforge-record/1 .*newer.* found {version}"):
        read(json.dumps(raw | {"format": version}), "g", 4)


def _without(key: str) -> Any:
    return lambda raw: raw.pop(key)


def _put(*path: Any, to: Any) -> Any:
    def change(raw: Any) -> None:
        for key in path[:-1]:
            raw = raw[key]
        raw[path[-1]] = to

    return change


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (_without("format"), "format"),
        (_without("settings"), "settings: an object, found nothing"),
        (_without("rules"), "rules: a whole number"),
        (_without("fairness"), "fairness"),
        (_without("players"), "players"),
        (_without("deal"), "deal"),
        (_without("moves"), "moves"),
        (_without("result"), "result"),
        (_put("format", to="chess/1"), "format cinderforge-record/1, found chess/1"),
        (_put("format", to=["x"]), "format"),
        (_put("rules", to=99), "rules 1, found 99"),
        (_put("rules", to=True), "rules: a whole number"),
        (_put("settings", "seats", to=4), "settings.seats: a whole number from 5 to 10, found 4"),
        (_put("settings", "first_holder", to="host"), "settings.first_holder: random or vote, found host"),
        (_put("settings", "kill_target", to=True), "settings.kill_target"),
        (_put("fairness", "seed", to="xyz"), "fairness.seed: bytes as lower-case hex, found xyz"),
        (_put("fairness", "seed", to="AB"), "fairness.seed"),
        (_put("fairness", "seed", to="ab\n"), "fairness.seed"),
        (_put("fairness", "contributions", to=["a"]), "fairness.contributions"),
        (_put("players", 0, "turn", to=2), "the player with turn 1"),
        (_put("players", 0, "seat", to=9), "seat"),
        (_put("players", 0, "name", to="\ud800"), "name"),
        (_put("players", 0, "kind", to="robot"), "kind"),
        (_put("players", to=[]), "5 players, found 0"),
        (_put("deal", "roles", 0, to="king"), "a role, found king"),
        (_put("deal", "roles", 0, to=[]), "a role"),
        (_put("deal", "hands", 0, to="blank"), "each hand as a list"),
        (_put("deal", "hands", 0, 0, to="joker"), "a card, found joker"),
        (_put("deal", "scrolls", 0, to=["x"]), "a scroll of the catalogue"),
        (_put("moves", 0, to=["jump", 1]), "move 1: a list that begins with one of vote"),
        (_put("moves", 0, to={}), "move 1"),
        (_put("moves", 1, to=["pass", 1]), "move 2: what pass needs"),
        (_put("moves", 1, to=["pass", 1, 6]), "move 2: what pass needs"),
        (_put("moves", 1, to=["pass", True, 2]), "move 2: what pass needs"),
        (_put("moves", -1, 2, "slain", to="none"), "slain: a whole number, found none"),
        (_put("moves", -1, 2, "sage_slain", to=0), "sage_slain: true or false, found 0"),
        (_put("result", "winner", to="nobody"), "winner"),
        (_put("result", "reason", to="R1.1"), "reason"),
        (_put("result", "rounds", to="six"), "rounds"),
    ],
)
def test_what_is_no_record_is_refused_with_file_line_expected_and_found(change: Any, says: str) -> None:
    raw = json.loads(write(random_record(settings_from({"seats": 5}), 3, timeouts=0)))
    change(raw)
    with pytest.raises(BadRecord) as caught:
        read(json.dumps(raw), "games.cinder.jsonl", 12)
    assert str(caught.value).startswith("games.cinder.jsonl:12: expected ")
    assert ", found " in str(caught.value)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("line", ["", "{", "[]", "null", '"x"', "1" * 5000, "[" * 100_000, "{} {}"])
def test_what_is_no_object_is_refused(line: str) -> None:
    with pytest.raises(BadRecord, match=r"^f:1: expected "):
        read(line, "f", 1)


def test_a_replay_names_the_move_that_differs() -> None:
    record = random_record(settings_from({"seats": 5}), 3, timeouts=0)
    at = next(i for i, move in enumerate(record.moves) if move[0] == "play")
    moves = (*record.moves[:at], ("play", record.moves[at][1], "sage"), *record.moves[at + 1 :])
    if record.moves[at][2] == "sage":
        moves = (*record.moves[:at], ("skip", record.moves[at][1] % 5 + 1), *record.moves[at + 1 :])
    with pytest.raises(BadRecord, match=rf"^expected move {at + 1}: "):
        list(chronicle_of(replace(record, moves=moves)))


def test_a_game_starts_from_its_deal() -> None:
    record = random_record(settings_from({"seats": 7}), 5)
    assert start_of(record).vault.hands == record.deal.hands
