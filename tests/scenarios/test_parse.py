"""A file that is no scenario: which line, what was expected, what was found. And a wrong expectation fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from cinderforge.cli.scenario import run as run_files
from cinderforge.scenarios.parse import BadScenario, parse, parse_text
from cinderforge.scenarios.run import run

GOOD = """\
title: a good one (R5.6)
settings: {activation_target: 2, kill_target: 3}
players:
  - {name: A, role: sage, scroll: insight}
  - {name: B, role: mystic}
  - {name: C, role: adventurer}
  - {name: D, role: two_headed_dragon}
  - {name: E, role: shadow_dragon}
first: E
steps:
  - E pass A
  - expect: {phase: play, round: 1, holder: A, to_act: A, order: [A, B, C, D, E], legal: {A: [play, skip]}}
  - A play sage
  - B play mystic
  - auto: skip
  - expect: {shown: [sage, mystic], sources: null, activated: 1, slain: 0, sage_activated: true, sage_slain: false}
  - expect: {hand: {A: [blank, blank]}, fired: [A], winner: null, reason: null}
  - expect: {sees: {B: {hand_sizes: {A: 2}, night_set: null, knows_role: {}, knows_card: [], own_hand: [blank, blank]}}}
  - reject: {move: A pass A, code: self_not_allowed}
"""


def test_the_good_one_holds() -> None:
    assert run(parse_text(GOOD)).failures == []


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("title: a good one (R5.6)\n", "", 1),
        ("role: sage", "role: saint", 4),
        ("scroll: insight", "scroll: inside", 4),
        ("name: B", "name: A", 5),
        ("name: B", "name: spectator", 5),
        ("role: mystic}", "role: mystic, scroll: insight}", 5),
        ("role: mystic}", "role: mystic, hand: [ace]}", 5),
        ("role: mystic}", "role: mystic, age: 3}", 5),
        ("{activation_target: 2,", "{seats: 8, activation_target: 2,", 2),
        ("activation_target: 2", "activation_target: two", 2),
        ("activation_target", "target", 2),
        ("first: E", "first: Q", 9),
        ("  - E pass A", "  - E hand A", 11),
        ("  - E pass A", "  - E pass", 11),
        ("  - A play sage", "  - A choose one", 13),
        ("  - A play sage", "  - A choose --1", 13),
        ("  - A play sage", "  - A choose ²", 13),
        ("{activation_target: 2,", "{seats: 5.0, activation_target: 2,", 2),
        ("legal: {A: [play, skip]}", "legal: {A: skip}", 12),
        ("legal: {A: [play, skip]}", "legal: [skip]", 12),
        ("hand: {A: [blank, blank]}", "hand: {A: [blank, blank], A: []}", 17),
        ("hand: {A: [blank, blank]}", "hand: {A: 2}", 17),
        ("sees: {B: {", "sees: {B: {}, B: {", 18),
        ("hand_sizes: {A: 2}", "hand_sizes: 2", 18),
        ("hand_sizes: {A: 2}", "hand_sizes: {A: 2, A: 3}", 18),
        ("auto: skip", "auto: play", 15),
        ("auto: skip", "manual: skip", 15),
        ("shown:", "showed:", 16),
        ("night_set", "night", 18),
        ("code: self_not_allowed", "code: no", 19),
        ("steps:", "steps: [", 11),
        ("  - {name: E, role: shadow_dragon}\n", "", 4),
    ],
)
def test_what_is_wrong_is_told_with_its_line(old: str, new: str, line: int) -> None:
    text = GOOD.replace(old, new, 1)
    assert text != GOOD
    with pytest.raises(BadScenario) as caught:
        parse_text(text, "x.yaml")
    assert caught.value.line == line, str(caught.value)
    assert str(caught.value).startswith(f"x.yaml:{line}: expected ") and ", found " in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("phase: play", "phase: pass"),
        ("round: 1", "round: 2"),
        ("holder: A", "holder: B"),
        ("to_act: A", "to_act: null"),
        ("order: [A, B, C, D, E]", "order: [B, A, C, D, E]"),
        ("legal: {A: [play, skip]}", "legal: {A: [play]}"),
        ("shown: [sage, mystic]", "shown: [sage]"),
        ("sources: null", "sources: []"),
        ("activated: 1", "activated: 2"),
        ("slain: 0", "slain: 1"),
        ("sage_activated: true", "sage_activated: 1"),
        ("sage_slain: false", "sage_slain: true"),
        ("hand: {A: [blank, blank]}", "hand: {A: [blank]}"),
        ("fired: [A]", "fired: []"),
        ("winner: null", "winner: human"),
        ("reason: null", "reason: R7.2"),
        ("hand_sizes: {A: 2}", "hand_sizes: {A: 3}"),
        ("night_set: null", "night_set: [A]"),
        ("knows_role: {}", "knows_role: {E: shadow_dragon}"),
        ("knows_card: []", "knows_card: [[A, blank]]"),
        ("own_hand: [blank, blank]", "own_hand: [mystic, blank, blank]"),
        ("code: self_not_allowed", "code: not_your_turn"),
        ("move: A pass A", "move: A pass B"),
    ],
)
def test_a_wrong_expectation_fails_and_the_run_goes_on(old: str, new: str) -> None:
    text = GOOD.replace(old, new, 1)
    assert text != GOOD
    failures = run(parse_text(text)).failures
    assert len(failures) == 1, failures


def test_a_refused_move_ends_the_file() -> None:
    failures = run(parse_text(GOOD.replace("  - A play sage", "  - B play mystic"))).failures
    assert len(failures) == 1 and "not_your_turn" in str(failures[0])


def test_the_command_says_ok_or_failed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = tmp_path / "good.yaml", tmp_path / "bad.yaml"
    good.write_text(GOOD, "utf-8")
    bad.write_text(GOOD.replace("round: 1", "round: 7"), "utf-8")
    assert run_files([str(good)]) == 0
    assert run_files([str(good), str(bad), str(tmp_path / "missing.yaml")]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("ok") and any("bad.yaml:12: round: expected 7, found 1" in line for line in lines)
    with pytest.raises(BadScenario):
        parse(tmp_path / "missing.yaml")
