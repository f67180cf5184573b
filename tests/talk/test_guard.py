"""R9.2: what names or quotes an unfired scroll is refused, however it is written; talk about the game is not."""

from __future__ import annotations

import re
import time
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cinderforge.rules.scrolls import CATALOG
from cinderforge.rules.words import ScrollId
from cinderforge.talk.folding import folded
from cinderforge.talk.guard import find
from cinderforge.talk.scroll_words import SCROLLS
from cinderforge.talk.sounding import pinyin
from cinderforge.talk.text import MAX_GRAPHEMES

CORPUS = Path(__file__).parent / "corpus"
CONTENT = Path(__file__).resolve().parents[2] / "content"
STRINGS = sorted([*CONTENT.glob("strings/*.toml"), *CONTENT.glob("roles/*/*.toml"), *CONTENT.glob("rules/*.toml")])
JAPANESE = [path for path in CONTENT.glob("languages/ja/*.toml") if path.stem != "scrolls"]
PARTS = [
    "tuned", "blind", "later",
    "first_seen", "first_unseen", "second_seen", "second_unseen", "third_seen", "third_unseen", "fourth",
]  # fmt: skip
"""By when they were written: before the guard was tuned, after it, after it was mended for the blind ones; then four
sets, each after it was mended for the one before. docs/measurements.md says what was refused at first sight."""
Said = str | list[str]


def read(name: str) -> Iterator[tuple[str, list[str]]]:
    """Key → the messages of one speaker, oldest first, for all lines of a file."""
    lists: dict[str, list[Said]] = tomllib.loads((CORPUS / f"{name}.toml").read_text("utf-8"))
    for key, lines in lists.items():
        for said in lines:
            yield key, [said] if isinstance(said, str) else said


def strings(value: object) -> Iterator[str]:
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from strings(inner)
    elif isinstance(value, str):
        yield value


def found(said: list[str], unfired: set[ScrollId]) -> ScrollId | None:
    return find(said[-1], said[:-1], unfired)


@pytest.mark.parametrize("part", PARTS)
def test_of_fifty_quotes_one_at_most_passes(part: str) -> None:
    lines = list(read(f"quotes_{part}"))
    passed = [(scroll, said) for scroll, said in lines if found(said, set(CATALOG)) is None]
    print(f"{part}: {len(lines) - len(passed)} of {len(lines)} quotes refused")  # noqa: T201
    assert len(passed) <= len(lines) / 50, passed


def test_of_two_hundred_quotes_of_all_parts_one_at_most_passes() -> None:
    lines = [line for part in PARTS for line in read(f"quotes_{part}")]
    passed = [(scroll, said) for scroll, said in lines if found(said, set(CATALOG)) is None]
    assert len(passed) <= len(lines) / 200, passed


def test_of_a_hundred_quotes_ninety_nine_are_laid_at_their_scroll() -> None:
    lines = [line for part in PARTS for line in read(f"quotes_{part}")]
    wrong = [(scroll, said) for scroll, said in lines if found(said, set(CATALOG)) != scroll]
    assert len(wrong) <= len(lines) / 100, wrong


@pytest.mark.parametrize("part", PARTS)
def test_of_a_hundred_innocent_lines_one_at_most_is_refused(part: str) -> None:
    lines = list(read(f"innocent_{part}"))
    refused = [(scroll, said) for _, said in lines if (scroll := found(said, set(CATALOG))) is not None]
    print(f"{part}: {len(refused)} of {len(lines)} innocent lines refused")  # noqa: T201
    assert len(refused) <= len(lines) / 100, refused


@pytest.mark.parametrize("part", PARTS)
def test_of_a_hundred_innocent_lines_after_five_others_one_at_most_is_refused(part: str) -> None:
    lines = [said for _, said in read(f"innocent_{part}")]
    after = [[*(before[-1] for before in lines[max(at - 5, 0) : at]), *said] for at, said in enumerate(lines)]
    refused = [said for said in after if found(said, set(CATALOG)) is not None]
    assert len(refused) <= len(lines) / 100, refused


def test_the_corpus_has_a_thousand_lines_of_either_kind() -> None:
    assert sum(1 for part in PARTS for _ in read(f"quotes_{part}")) >= 1000
    assert sum(1 for part in PARTS for _ in read(f"innocent_{part}")) >= 1000


def test_every_character_of_a_chinese_name_has_a_sound() -> None:
    names = [folded(name).han.text for words in SCROLLS for name in words.names]
    assert [name for name in names if "" in pinyin(name)] == []


# --- every scroll of the shelf, in every disguise -----------------------------------------------------------------

SIMPLIFIED = str.maketrans(
    "強為後動連贈鄰視窺師術賢誰開來從張這該與頭龍盤", "强为后动连赠邻视窥师术贤谁开来从张这该与头龙盘"
)
CYRILLIC = str.maketrans("aceiopsxy", "асеіорѕху")
DISGUISES: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "in a sentence": lambda text: f"well, {text} 就是這樣",
    "upper case": str.upper,
    "spaced": " ".join,
    "without spaces": lambda text: text.replace(" ", ""),
    "without punctuation": lambda text: "".join(char for char in text if char.isalnum() or char == " "),
    "dots between": ".".join,
    "zero-width signs between": "\u200b".join,
    "emoji between": "🔥".join,
    "flags between": "🇹🇼".join,
    "struck through": "\u0336".join,
    "full width": lambda text: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text),
    "bold": lambda text: "".join(chr(0x1D41A + ord(c) - 97) if "a" <= c <= "z" else c for c in text.lower()),
    "doubled": lambda text: "".join(char * 2 for char in text),
    "simplified": lambda text: text.translate(SIMPLIFIED),
    "Cyrillic": lambda text: text.lower().translate(CYRILLIC),
    "digits for letters": lambda text: text.lower().translate(str.maketrans("oieast", "013457")),
}
TEXTS = [
    pytest.param(scroll, text, id=f"{scroll}-{text[:20]}")
    for scroll, words in zip(CATALOG, SCROLLS, strict=True)
    for text in (*words.names, *words.effects)
]


@pytest.mark.parametrize(("scroll", "text"), TEXTS)
def test_a_name_and_a_whole_effect_are_known_in_every_disguise(scroll: ScrollId, text: str) -> None:
    known = {name: find(disguise(text), [], set(CATALOG)) for name, disguise in DISGUISES.items()}
    assert known == dict.fromkeys(DISGUISES, scroll)


@pytest.mark.parametrize(("scroll", "text"), TEXTS)
def test_it_is_known_over_two_messages_wherever_it_is_cut(scroll: ScrollId, text: str) -> None:
    assert {find(text[at:], [text[:at]], set(CATALOG)) for at in range(1, len(text) - 1)} == {scroll}


@pytest.mark.parametrize(("scroll", "text"), TEXTS)
def test_what_has_fired_may_be_named_and_quoted(scroll: ScrollId, text: str) -> None:
    assert {
        disguise(text) for disguise in DISGUISES.values() if find(disguise(text), [], set(CATALOG) - {scroll})
    } == set()


@pytest.mark.parametrize(("scroll", "text"), TEXTS)
def test_it_is_guarded_when_all_others_have_fired(scroll: ScrollId, text: str) -> None:
    assert find(text, [], {scroll}) == scroll


ELSEWHERE = [
    pytest.param(scroll, name, id=name)
    for scroll, words in zip(CATALOG, SCROLLS, strict=True)
    for name in words.elsewhere
]
KATAKANA = {kana - 0x60: kana for kana in range(ord("ァ"), ord("ヷ"))}


@pytest.mark.parametrize(("scroll", "name"), ELSEWHERE)
def test_a_name_is_known_as_a_further_language_shows_it(scroll: ScrollId, name: str) -> None:
    ways = (
        "as it is",
        "in a sentence",
        "spaced",
        "dots between",
        "zero-width signs between",
        "emoji between",
        "doubled",
    )
    said = [DISGUISES[way](name) for way in ways] + [name.translate(KATAKANA), f"私の巻物は「{name}」です"]
    assert {text: find(text, [], set(CATALOG)) for text in said} == dict.fromkeys(said, scroll)
    assert {find(name[at:], [name[:at]], set(CATALOG)) for at in range(1, len(name) - 1)} == {scroll}
    assert [text for text in said if find(text, [], set(CATALOG) - {scroll})] == []
    assert find("ok", [name], set(CATALOG)) is None


def test_an_unfired_scroll_is_known_beside_a_fired_one() -> None:
    first, *others = SCROLLS
    for scroll, words in zip(list(CATALOG)[1:], others, strict=True):
        line = f"{first.names[0]}用過了，我有{words.names[0]}"
        assert find(line, [], set(CATALOG) - {next(iter(CATALOG))}) == scroll


# --- what is not held against a line ------------------------------------------------------------------------------


def test_when_all_have_fired_talk_is_free() -> None:
    for part in PARTS:
        assert [said for _, said in read(f"quotes_{part}") if found(said, set()) is not None] == []


@pytest.mark.parametrize(("scroll", "text"), TEXTS)
def test_an_earlier_line_is_not_held_against_a_later_one(scroll: ScrollId, text: str) -> None:
    assert find("好，繼續 ok", [text], set(CATALOG)) is None
    assert find(text.strip(".。")[-1], [text], set(CATALOG)) is None
    assert find(text, ["好，繼續 ok"] * 9, set(CATALOG)) == scroll


def test_the_texts_of_the_product_pass_unless_they_name_a_scroll() -> None:
    """A second measure of innocent talk, which nobody wrote for the guard."""
    texts = [text for path in (*STRINGS, *JAPANESE) for text in strings(tomllib.loads(path.read_text("utf-8")))]
    naming = re.compile(
        "|".join(re.escape(name) for words in SCROLLS for name in words.names + words.shorts + words.elsewhere), re.I
    )
    assert len(texts) > 500
    assert [text for text in texts if find(text, [], set(CATALOG)) and not naming.search(text)] == []


# --- time ---------------------------------------------------------------------------------------------------------


def seconds(said: list[str]) -> float:
    """The best of three, each from nothing."""
    took = []
    for _ in range(3):
        folded.cache_clear()
        began = time.perf_counter()
        found(said, set(CATALOG))
        took.append(time.perf_counter() - began)
    return min(took)


def test_of_a_hundred_lines_ninety_nine_take_less_than_a_millisecond() -> None:
    lines = [said for name in ("quotes", "innocent") for part in PARTS for _, said in read(f"{name}_{part}")]
    with_earlier = [[*(said[-1] for said in lines[at : at + 5]), *said] for at, said in enumerate(lines)]
    assert sorted(map(seconds, with_earlier))[len(with_earlier) * 99 // 100] < 0.001


def test_a_hostile_line_takes_a_few_milliseconds_at_most() -> None:
    words = [text for words in SCROLLS for text in (*words.names, *words.effects)]
    hostile = [(text[:size] * MAX_GRAPHEMES)[:MAX_GRAPHEMES] for text in words for size in (2, 5, 10, 100)]
    assert max(seconds([line] * 6) for line in hostile) < 0.02
