"""What the server says: the sentence and the known keys, and of a fault where it happened, never what was in it."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterator

import pytest

from cinderforge.server.logs import LogFormat, formatter, name_room, room_tag, watch_loop
from cinderforge.server.store import StoreFailed

pytestmark = pytest.mark.anyio

OURS = logging.getLogger("cinderforge.test")
OTHERS = logging.getLogger("others.test")


class Said(logging.Handler):
    def __init__(self, form: LogFormat) -> None:
        super().__init__()
        self.setFormatter(formatter(form))
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@pytest.fixture(params=["json", "text"])
def said(request: pytest.FixtureRequest) -> Iterator[Said]:
    said = Said(request.param)
    root = logging.getLogger()
    root.addHandler(said)
    yield said
    root.removeHandler(said)


def test_json_is_one_object_a_line(said: Said) -> None:
    OURS.warning("slow by %d s\nor so", 3, extra={"room": "abc", "seconds": 3})
    (line,) = said.lines
    if line.startswith("{"):
        told = json.loads(line)
        told.pop("at")
        assert told == {
            "level": "warning",
            "logger": "cinderforge.test",
            "event": "slow by 3 s\nor so",
            "room": "abc",
            "seconds": 3,
        }
        assert "\n" not in line
    else:
        assert line.endswith(" WARNING cinderforge.test: slow by 3 s\nor so room=abc seconds=3")


def test_a_key_that_nobody_allowed_and_a_value_of_no_plain_kind_stay_out(said: Said) -> None:
    OURS.error("odd", extra={"hand": "dragon", "cause": ValueError("dragon")})
    assert "hand" not in said.lines[0]
    assert "dragon" not in said.lines[0]


def test_a_fault_tells_where_and_not_what(said: Said) -> None:
    def deal(hand: dict[str, str]) -> str:
        return hand["dragon"]

    try:
        try:
            deal({"sage": "blank"})
        except KeyError as error:
            raise StoreFailed("the disk is full") from error
    except StoreFailed:
        OURS.exception("a room failed")
    (line,) = said.lines
    assert "KeyError" in line
    assert "StoreFailed: the disk is full" in line
    assert "tests/server/test_logs.py" in line
    assert " deal" in line
    assert "dragon" not in line
    assert "blank" not in line


def test_of_other_loggers_only_the_sentence_is_told(said: Said) -> None:
    OTHERS.error('%s - "WebSocket %s" [accepted]\nfuture: dragon', "192.0.2.1", "/ws/EMBER2")
    (line,) = said.lines
    assert "[accepted]" in line
    assert not any(word in line for word in ("dragon", "EMBER2", "192.0.2.1"))


async def test_a_callback_that_fails_does_not_tell_what_it_was_given(said: Said) -> None:
    def play(card: str) -> None:
        raise ValueError(card)

    loop = asyncio.get_running_loop()
    watch_loop(loop)
    loop.call_soon(play, "dragon")
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    (line,) = said.lines
    assert "something failed that nobody waited for" in line
    assert "ValueError" in line
    assert "dragon" not in line


async def test_a_task_names_its_room_for_all_that_it_logs(said: Said) -> None:
    async def run(code: str) -> None:
        name_room(code)
        await asyncio.sleep(0)
        OURS.error("here")

    await asyncio.gather(run("EMBER2"), run("COALS2"))
    OURS.error("nowhere")
    assert [room_tag("EMBER2") in line for line in said.lines] == [True, False, False]
    assert [room_tag("COALS2") in line for line in said.lines] == [False, True, False]
    assert not any("EMBER2" in line for line in said.lines)
