"""What was measured of the rules is read as it was written, and nothing is made up."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cinderforge.bots import measured as module
from cinderforge.bots.measured import SECOND, STRONG, measured, origins, settings_measured
from cinderforge.rules.settings import default_settings


def test_every_line_is_of_one_setting_and_whole() -> None:
    lines = [(rules, one) for rules in settings_measured() for one in measured(rules)]
    assert len(lines) == len({(rules, one.who) for rules, one in lines})
    assert len(lines) == sum(not line.startswith("#") for line in module._text().splitlines()) - 1
    for rules, one in lines:
        assert 0 <= one.wins <= one.games == sum(one.reasons.values())
        assert one.games <= one.rounds <= one.games * rules.seats
    assert set(origins()) == {one.who for _, one in lines}


@pytest.mark.parametrize("seats", range(5, 11))
def test_the_defaults_are_measured_among_the_strong_and_among_the_second_level(seats: int) -> None:
    assert [one.who for one in measured(default_settings(seats))] == [STRONG, SECOND]


def test_the_memory_aid_changes_nothing_for_ais() -> None:
    usual = default_settings()
    assert measured(replace(usual, memory_aid=True)) == measured(usual)


def test_what_was_not_played_has_no_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [line for line in module._text().splitlines() if ",8,2,3," not in line]
    monkeypatch.setattr(module, "_text", lambda: "\n".join(lines))
    module._all.cache_clear()
    try:
        assert measured(default_settings(8)) == ()
        assert measured(replace(default_settings(8), kill_target=2)) != ()
    finally:
        module._all.cache_clear()
