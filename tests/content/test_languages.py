"""What holds of every language: its texts fit in their places, and where it is silent another one speaks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tools.make_content import COMPLETE, CONTENT, LANGUAGES, MARKS, PARTS, filled, missing, own, texts

WORDS = Path(__file__).resolve().parents[2] / "web" / "src" / "words"
FURTHER = [language for language in LANGUAGES if language not in COMPLETE]
# Texts that are put between or after others.
JOINERS = ("/common/you_mark", "/common/list_separator", "/common/comma")


def flat(value: Any, at: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield at, value
    elif isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from flat(inner, f"{at}/{key}")


def placeholders(text: str) -> list[str]:
    return sorted(set(re.findall(r"\{(\w+)", text)))


def test_the_two_languages_that_define_the_others_are_complete() -> None:
    assert COMPLETE == ("zh-TW", "en")
    assert [missing(language) for language in COMPLETE] == [[], []]


@pytest.mark.parametrize("language", FURTHER)
@pytest.mark.parametrize("part", PARTS)
def test_every_text_has_a_place_and_the_values_of_that_place(language: str, part: str) -> None:
    asked, said = dict(flat(texts("zh-TW", part))), dict(flat(own(language, part)))
    assert said.keys() <= asked.keys(), "texts that nobody asks for"
    wrong = {
        at: (text, placeholders(asked[at]))
        for at, text in said.items()
        if placeholders(asked[at]) != placeholders(text)
    }
    assert wrong == {}
    assert [at for at, text in said.items() if not text or (text.strip() != text and at not in JOINERS)] == []
    marks = {at: text for at, text in said.items() if at.rpartition("/")[2] in MARKS and "{" not in text}
    assert {at: asked[at] for at in marks} == marks


@pytest.mark.parametrize("language", FURTHER)
@pytest.mark.parametrize("part", PARTS)
def test_what_is_shown_has_one_shape_in_every_language(language: str, part: str) -> None:
    assert dict(flat(texts(language, part))).keys() == dict(flat(texts("zh-TW", part))).keys()


@pytest.mark.parametrize("language", FURTHER)
def test_a_folder_holds_nothing_but_parts(language: str) -> None:
    assert {path.stem for path in (CONTENT / "languages" / language).iterdir()} <= set(PARTS)


def test_what_is_not_translated_is_told_in_the_language_that_stands_in() -> None:
    gaps: list[str] = []
    base = {"a": "one", "list": [{"clause": "R1", "text": "two", "right": 1}, {"clause": "R2", "text": "three"}]}
    said = {"list": [{"text": "zwei"}, {"clause": "R9", "text": "neun"}]}
    assert filled(base, said, gaps, "") == {
        "a": "one",
        "list": [{"clause": "R1", "text": "zwei", "right": 1}, {"clause": "R2", "text": "three"}],
    }
    assert gaps == ["/a", "/list/1/text"]
    assert filled(["one", "two"], ["eins"], [], "") == ["one", "two"], "nobody knows which of them it is"


def test_the_client_can_fetch_every_part_in_every_language() -> None:
    table = "".join((WORDS / f"{name}.gen.ts").read_text("utf-8") for name in ("languages", "parts"))
    for language in LANGUAGES:
        for part in {"words", *PARTS} - {"strings", "roles", "scrolls"}:
            name = f"{language}.gen" if part == "words" else f"{part}.{language}.gen"
            assert f"import('./{name}')" in table
            assert (WORDS / f"{name}.ts").is_file()


def test_simplified_texts_have_the_mainlands_quotes_and_none_of_taiwans_characters() -> None:
    said = "".join(text for part in PARTS for _, text in flat(own("zh-CN", part)))
    assert not set("「」『』") & set(said)
    assert not set("個這說來時會對為與後開關動發東車馬門見長請誰誤選過還進連遊戲龍賢聖結實體點關條盡階權") & set(said)
