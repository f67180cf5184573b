"""The closed list of codes is that of the scenario format."""

from __future__ import annotations

import re
from pathlib import Path

from cinderforge.rules.rejection import Code, Rejected

ROOT = Path(__file__).parents[2]


def test_a_rejection_says_its_code() -> None:
    assert str(Rejected(Code.MUST_PLAY)) == "must_play"


def test_every_code_is_written_down() -> None:
    formats = (ROOT / "docs/formats.md").read_text("utf-8")
    assert [code.value for code in Code if f"`{code.value}`" not in formats] == []


def test_every_code_is_met_by_a_scenario() -> None:
    texts = [path.read_text("utf-8") for path in (ROOT / "scenarios").rglob("*.scenario.yaml")]
    met = {code for text in texts for code in re.findall(r"code: (\w+)", text)}
    assert met == {code.value for code in Code}
