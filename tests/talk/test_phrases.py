"""Quick phrases: every one has words in both languages, and none speaks of a scroll."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from cinderforge.rules.scrolls import CATALOG
from cinderforge.talk.guard import find
from cinderforge.talk.phrases import PHRASES, REACTIONS
from cinderforge.talk.text import cleaned, harmless

CONTENT = Path(__file__).resolve().parents[2] / "content"


@pytest.mark.parametrize("path", ["strings/zh-TW", "strings/en", "languages/zh-CN/strings", "languages/ja/strings"])
def test_every_phrase_has_words_that_pass_the_guard(path: str) -> None:
    texts = tomllib.loads((CONTENT / f"{path}.toml").read_text("utf-8"))["phrases"]
    assert tuple(texts) == PHRASES
    assert {phrase: text for phrase, text in texts.items() if cleaned(text) != text} == {}
    assert {phrase: text for phrase, text in texts.items() if find(text, [], set(CATALOG))} == {}
    assert {phrase for phrase, text in texts.items() if len(harmless(text, 9)) == 1} == set(REACTIONS)
