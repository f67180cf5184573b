"""docs/trials-log.md names only tests that there are, and each row has an outcome."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LOG = (ROOT / "docs" / "trials-log.md").read_text("utf-8")
ROWS = [line for line in LOG.splitlines() if re.match(r"\| [A-Z]\d", line)]
NAMED = sorted(set(re.findall(r"`((?:web/)?tests/[^`:]+)::([^`]+)`", LOG)))


def test_every_row_has_a_test_an_outcome_with_its_day_or_says_that_it_is_open() -> None:
    assert len(ROWS) > 60
    silent = [row for row in ROWS if "::" not in row and "**Open" not in row and not re.search(r"\d{4}-\d\d-\d\d", row)]
    assert silent == []


@pytest.mark.parametrize(("path", "name"), NAMED)
def test_a_named_test_is_there(path: str, name: str) -> None:
    text = (ROOT / path).read_text("utf-8")
    assert re.search(rf"def {re.escape(name)}\(" if path.endswith(".py") else rf"'{re.escape(name)}'", text)
