"""A replay ends where its record ends, and each eye sees in it what the server showed it then, and no more."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any, get_args

import msgspec
import pytest

from cinderforge.records.record import BadRecord, Record, from_plain, read, write
from cinderforge.records.replay import Replay, course_of, moments, replay
from cinderforge.records.replay import pictures as seen
from cinderforge.redaction.eye import HINDSIGHT, PlayerEye
from cinderforge.redaction.news import tell
from cinderforge.redaction.view import view
from cinderforge.rules import events as e
from cinderforge.rules.game import begin
from cinderforge.rules.words import Phase, Turn
from cinderforge.testkit.leaks import eyes_of
from cinderforge.testkit.twins import World, any_settings, any_world, twin
from tests.records.games import random_record

Picture = dict[str, Any]


def any_record(number: int) -> Record:
    rng = random.Random(number)
    return random_record(any_settings(rng, 5 + number % 6), number)


def plain(value: object) -> Any:
    return json.loads(msgspec.json.encode(value))


def pictures(told: Replay) -> list[tuple[Picture, dict[int, Picture]]]:
    """The whole pictures, put together as the client does it: the table, and each player's own by turn."""
    table: Picture = {}
    players: dict[int, Picture] = {}
    found = []
    for moment in plain(told)["moments"]:
        table = table | moment["table"]
        players = players | {one["turn"]: players.get(one["turn"], {}) | one for one in moment["players"]}
        found.append((table, players))
    return found


def test_the_replays_of_500_games_end_as_their_records_do() -> None:
    met: Counter[str] = Counter()
    for number in range(500):
        record = any_record(number)
        steps = list(moments(record))
        last = steps[-1]
        assert last.moves == len(record.moves)
        table = last.state.table
        assert (table.phase, table.winner, table.reason, table.round) == (
            Phase.OVER,
            record.result.winner,
            record.result.reason,
            record.result.rounds,
        )
        assert [len(step.events) > 0 for step in steps] == [False] + [True] * (len(steps) - 1)
        met.update(type(event).__name__ for step in steps for event in step.events)
    assert {kind.__name__ for kind in get_args(e.Event)} - set(met) == {"AnnouncementEnded"}


@pytest.mark.parametrize("number", range(30))
def test_each_picture_is_the_view_of_that_moment(number: int) -> None:
    """Of every eye, put together from what differs, byte for byte what `redaction` shows and tells."""
    record = read(write(any_record(number)))
    steps = list(moments(record))
    everything = pictures(replay(record))
    for turn in map(Turn, range(1, record.settings.seats + 1)):
        mine = replay(record, turn)
        for step, moment, (table, players), (whole, all_players) in zip(
            steps, mine.moments, pictures(mine), everything, strict=True
        ):
            expected = plain(view(step.state, PlayerEye(turn)))
            assert (table, players) == (expected["table"], {turn: expected["you"]})
            assert (whole, all_players[turn]) == (table, players[turn])
            heard = [news for event in step.events if (news := tell(event, PlayerEye(turn)))]
            assert moment.news == heard


def test_everybody_together_see_what_hindsight_sees_at_the_end() -> None:
    record = any_record(3)
    final = list(moments(record))[-1].state
    assert pictures(replay(record))[-1][0] == plain(view(final, HINDSIGHT))["table"]


@pytest.mark.parametrize("number", range(24))
def test_an_eye_is_given_nothing_that_it_did_not_know_then(number: int) -> None:
    """Another game, alike but for what this eye was never told, is replayed to it as the same bytes up to there."""
    rng = random.Random(number)
    world = any_world(rng, any_settings(rng, 5 + number % 6))
    for eye in (eye for eye in eyes_of(world) if isinstance(eye, PlayerEye)):
        now = world.until(rng.randrange(2, len(world.moves)))
        other = twin(now, eye, rng)
        if other is None:
            continue
        assert seen_by(eye, now) == seen_by(eye, other)


def seen_by(eye: PlayerEye, world: World) -> bytes:
    """All that a replay up to this moment shows and tells this eye, as sent."""
    start = begin(world.settings, world.deal, world.luck)
    return msgspec.json.encode(list(seen(course_of(start, [move.events for move in world.moves]), eye.turn)))


def test_moves_that_do_not_follow_have_no_replay() -> None:
    raw = json.loads(write(any_record(2)))
    raw["moves"].pop()
    with pytest.raises(BadRecord, match="move"):
        replay(from_plain(raw))
