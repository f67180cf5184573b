"""Every clause of R4 to R8, and R10.1, is cited by the title of a scenario."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CLAUSES = [
    clause
    for clause in dict.fromkeys(
        re.findall(r"^(?:- |\| )(R\d+\.\d+)", (ROOT / "docs/rules.md").read_text("utf-8"), re.M)
    )
    if clause.split(".")[0] in ("R4", "R5", "R6", "R7", "R8") or clause == "R10.1"
]
CITED = {
    clause
    for path in (ROOT / "scenarios").rglob("*.scenario.yaml")
    for line in path.read_text("utf-8").splitlines()
    if line.startswith("title:")
    for clause in re.findall(r"R\d+\.\d+", line)
}


@pytest.mark.parametrize("clause", CLAUSES)
def test_a_clause_is_cited(clause: str) -> None:
    assert clause in CITED


def test_no_title_cites_a_clause_that_there_is_not() -> None:
    known = set(re.findall(r"R\d+\.\d+", (ROOT / "docs/rules.md").read_text("utf-8")))
    assert known >= CITED
