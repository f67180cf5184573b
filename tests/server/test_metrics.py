"""Numbers: what is counted, under closed sets of labels, and a loop that is late is seen."""

from __future__ import annotations

import urllib.request

from cinderforge.room.inputs import Asked, Move, SocketId, Start, TimeIsUp
from cinderforge.room.outputs import Answer
from cinderforge.rules.commands import Skip
from cinderforge.server.conn import Cause
from cinderforge.server.metrics import REGISTRY, LoopLag, answered, closed, serve_metrics, thinking
from cinderforge.testkit.clock import JumpingTimers
from tests.e2e.serving import free_port


def value(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0.0


def test_commands_are_counted_by_kind_and_outcome_and_refusals_by_code() -> None:
    done = value("cinderforge_commands_total", kind="skip", outcome="done")
    refused = value("cinderforge_commands_total", kind="start", outcome="refused")
    codes = value("cinderforge_refusals_total", code="not_host")
    one = SocketId(1)
    answered(Asked(one, "a", Move(Skip())), [Answer(one, "a")])
    answered(Asked(one, "b", Start()), [Answer(one, "b", "not_host")])
    answered(TimeIsUp(), [])
    assert value("cinderforge_commands_total", kind="skip", outcome="done") == done + 1
    assert value("cinderforge_commands_total", kind="start", outcome="refused") == refused + 1
    assert value("cinderforge_refusals_total", code="not_host") == codes + 1


def test_a_socket_that_ends_is_counted_by_why() -> None:
    open_before, before = value("cinderforge_sockets"), value("cinderforge_sockets_closed_total", cause="stalled")
    closed(Cause.STALLED)
    assert value("cinderforge_sockets") == open_before - 1
    assert value("cinderforge_sockets_closed_total", cause="stalled") == before + 1


def test_the_time_of_ais_is_measured_by_level() -> None:
    before = value("cinderforge_ai_seconds_count", level="plain")
    with thinking("plain").time():
        pass
    assert value("cinderforge_ai_seconds_count", level="plain") == before + 1


def test_a_late_loop_is_seen_and_forgotten_after_ten_seconds() -> None:
    timers = JumpingTimers()
    lag = LoopLag(timers)
    lag.start()
    timers.pass_time(1_000)
    assert lag.worst == 0
    timers.stand_still(2_250)
    assert lag.worst == 2.0
    timers.pass_time(11_000)
    assert lag.worst == 0
    lag.stop()
    assert timers.waiting == 0


def test_metrics_answer_over_http() -> None:
    port = free_port()
    stop = serve_metrics(port)
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
            assert b"cinderforge_rooms" in answer.read()
    finally:
        stop()
