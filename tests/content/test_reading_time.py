"""The tutorial promises five minutes: so long takes who reads all of it, acts and watches the others act."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

LEARN = Path(__file__).parents[2] / "content" / "teach" / "learn"
PROMISED_S = 300
ACTING_S = 50
"""Thirty taps, and the others' moves going by (18 s, measured)."""
NAME = "2 Eirlys"


def words_of(text: str) -> float:
    """Words, or characters of Chinese; a Latin word among these counts as one and a half."""
    shown = re.sub(r"\{\w+\}", NAME, text)
    chinese = len(re.findall(r"[\u4e00-\u9fff]", shown))
    latin = re.findall(r"[A-Za-z0-9'’-]+", shown)
    return chinese + 1.5 * len(latin) if chinese else len(latin)


@pytest.mark.parametrize(("language", "a_minute"), [("zh-TW", 300), ("en", 200)])
def test_the_tutorial_is_read_and_played_in_five_minutes(language: str, a_minute: int) -> None:
    learn = tomllib.loads((LEARN / f"{language}.toml").read_text("utf-8"))
    read = [step[part] for step in learn["steps"].values() for part in ("title", "text", "say", "said") if part in step]
    read.append(learn["coach"]["done"])
    assert sum(map(words_of, read)) / a_minute * 60 + ACTING_S <= PROMISED_S
