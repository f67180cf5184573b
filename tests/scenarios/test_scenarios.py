"""Every scenario of the project holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from cinderforge.scenarios.parse import parse
from cinderforge.scenarios.run import run

FOLDER = Path(__file__).parents[2] / "scenarios"
FILES = sorted(FOLDER.rglob("*.scenario.yaml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(FOLDER)))
def test_the_scenario_holds(path: Path) -> None:
    report = run(parse(path))
    assert report.is_ok, "\n".join(map(str, report.failures))


def test_there_are_enough_of_them() -> None:
    assert len(FILES) >= 80
