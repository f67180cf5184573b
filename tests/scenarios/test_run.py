"""Nothing that a scenario of ours says goes unchecked: change any expectation or code, and the file fails there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cinderforge.rules.rejection import Code
from cinderforge.scenarios.parse import ExpectStep, RejectStep, Scenario, Step, parse, parse_text
from cinderforge.scenarios.run import run

FOLDER = Path(__file__).parents[2] / "scenarios"
FILES = sorted(FOLDER.rglob("*.scenario.yaml"))


def otherwise(value: Any) -> Iterator[Any]:
    """Values that are each wrong in one place."""
    match value:
        case bool():
            yield not value
        case int():
            yield value + 1
        case None:
            yield "something"
        case str():
            yield value + "x"
            yield None
        case list():
            yield [*value, "more"]
            if value:
                yield value[:-1]
        case dict():
            for key, entry in value.items():
                for other in otherwise(entry):
                    yield {**value, key: other}
        case _:
            raise AssertionError(value)


def with_step(scenario: Scenario, at: int, step: Step) -> Scenario:
    return replace(scenario, steps=(*scenario.steps[:at], step, *scenario.steps[at + 1 :]))


def changed(scenario: Scenario) -> Iterator[tuple[int, str, Scenario]]:
    """The line and word of each change, and the scenario with it."""
    for at, step in enumerate(scenario.steps):
        if isinstance(step, RejectStep):
            code = next(code.value for code in Code if code.value != step.code)
            yield step.line, "reject", with_step(scenario, at, replace(step, code=code))
        elif isinstance(step, ExpectStep):
            for place, expected in enumerate(step.expectations):
                for value in otherwise(expected.value):
                    wrong = replace(expected, value=value)
                    row = (*step.expectations[:place], wrong, *step.expectations[place + 1 :])
                    yield expected.line, expected.key, with_step(scenario, at, replace(step, expectations=row))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(FOLDER)))
def test_any_other_expectation_fails_at_its_line(path: Path) -> None:
    checked = 0
    for line, word, other in changed(parse(path)):
        failures = run(other).failures
        assert [failure.line for failure in failures] == [line], f"line {line}, {word}: {failures}"
        checked += 1
    assert checked, "the file expects nothing"


SOURCES = """\
title: two cards in the open (R6.2)
players:
  - {name: A, role: sage, scroll: reveal_sources}
  - {name: B, role: mystic, scroll: insight}
  - {name: C, role: adventurer}
  - {name: D, role: two_headed_dragon}
  - {name: E, role: shadow_dragon}
first: E
steps:
  - E pass A
  - expect: {legal: {A: [skip, play]}, order: [A, B, C, D, E]}
  - A play blank
  - B play mystic
  - auto: skip
  - expect: {shown: [blank, mystic]}
  - expect: {sources: [[A, blank], [B, mystic]], fired: [A]}
  - A pass B
  - B play blank
  - C play adventurer
  - auto: skip
  - expect: {shown: [adventurer, blank], sources: null, fired: [B, A]}
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[A, B, C, D, E]", "[A, B, C, E, D]"),
        ("[blank, mystic]}", "[mystic, blank]}"),
        ("[[A, blank], [B, mystic]]", "[[B, mystic], [A, blank]]"),
    ],
)
def test_order_counts_where_the_format_says_so(old: str, new: str) -> None:
    assert run(parse_text(SOURCES)).is_ok
    assert not run(parse_text(SOURCES.replace(old, new))).is_ok


def test_order_does_not_count_elsewhere() -> None:
    other = SOURCES.replace("[skip, play]", "[play, skip]").replace("[adventurer, blank]", "[blank, adventurer]")
    assert run(parse_text(other)).is_ok


def test_a_card_named_in_legal_asks_for_every_play_by_its_card() -> None:
    assert run(parse_text(SOURCES.replace("[skip, play]", "[skip, play sage, play blank]"))).is_ok
    assert not run(parse_text(SOURCES.replace("[skip, play]", "[skip, play sage]"))).is_ok


def test_the_night_comes_first_without_a_first_holder() -> None:
    text = SOURCES.replace("first: E\n", "")
    night = (
        text[: text.index("steps:")]
        + "steps:\n"
        + """\
  - expect: {phase: night, round: 0, holder: null, to_act: null, order: null, shown: null}
  - expect: {sees: {B: {night_set: [A, D]}}}
  - reject: {move: A pass B, code: wrong_phase}
  - A timeout
  - night over
  - expect: {phase: pass, round: 1, holder: A, to_act: A, sees: {B: {night_set: null}}}
  - reject: {move: night over, code: wrong_phase}
"""
    )
    assert run(parse_text(night)).failures == []
