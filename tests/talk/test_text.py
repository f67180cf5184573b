"""Chat text: hostile or of any script, it comes out harmless and otherwise as it was typed."""

from __future__ import annotations

import time
import unicodedata
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cinderforge.talk.text import MAX_GRAPHEMES, TextTooLong, cleaned

ZALGO = "".join(letter + "\u0316\u0317\u0318\u0319\u0300\u0301\u0302\u0303" * 20 for letter in "dragon")


@pytest.mark.parametrize(
    "line",
    [
        "我是冒險者，信我一次。",
        "I am the Adventurer; who isn't?",
        "𠮷野家",  # U+20BB7, beyond the basic plane
        "مرحباً، أنا لست التنين",
        "می‌خواهم",  # spelled with a zero-width non-joiner
        "क्‍ष और क्षत्रिय",  # spelled with a zero-width joiner
        "ฉันไม่ใช่มังกร ที่นี่",
        "Tiếng Việt, Zoë, Łódź",
        "한국어 がぎぐ ヷ",
        "👩‍👩‍👧‍👦 👩🏽‍🚀 🏳️‍🌈 ❤️ 👍🏿 1️⃣",
        "👩🏻‍❤️‍💋‍👨🏿",
        "🇹🇼🇯🇵",
        "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
        "葛󠄀城",  # an ideographic variation
        "a + b < c & <b>no markup</b>",
    ],
)
def test_what_people_write_stays_as_it_is(line: str) -> None:
    assert cleaned(line) == line


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("abc\x00def", "abcdef"),
        ("safe\u202egnp.exe", "safegnp.exe"),
        ("\u2066a\u2069\u200e\u200f\u061c", "a"),
        ("強\u200b制\u2060出\ufeff牌", "強制出牌"),
        ("a\u200db\u200cc", "abc"),
        ("a\U000e0041\U000e0042", "a"),  # tags outside a flag
        ("a\u3164b\u115fc\u00ad", "abc"),  # fillers, soft hyphen
        ("a\ufe0f", "a"),
        ("⠓⠑⠽\u2800\u2800⠽⠕⠥\u2800", "⠓⠑⠽ ⠽⠕⠥"),  # empty braille
        ("a\U0001d159\U00013441b", "a b"),  # a note and a hieroglyph that are not drawn
        ("\ud83d and \udc00", "and"),
        ("one\r\n\ttwo\u2028three\u3000four\x85", "one two three four"),
        ("e\u0301", "é"),
        ("\ue000\U0010ffff", ""),
        ("\u202e\u200b\x00 \n", ""),
        ("\u0301\u0301", ""),
        ("", ""),
    ],
)
def test_what_cannot_be_seen_is_taken_out(line: str, shown: str) -> None:
    assert cleaned(line) == shown


def test_zalgo_is_calmed() -> None:
    calm = cleaned(ZALGO)
    assert [char for char in unicodedata.normalize("NFD", calm) if char.isascii()] == list("dragon")
    assert len(calm) <= 5 * len("dragon")


@pytest.mark.parametrize("marks", ["\u0336" * 10_000, "\u0316\u0301\u0327" * 3_333, "\u0903" * 10_000])
def test_ten_thousand_marks_are_cut_to_four(marks: str) -> None:
    assert 1 <= len(cleaned("a" + marks)) <= 5


def test_a_chain_of_joined_emoji_is_no_way_round_the_limit() -> None:
    assert len(cleaned("👩" + "‍👩" * 5_000)) <= 16


def test_two_hundred_graphemes_are_enough() -> None:
    assert cleaned("👩‍👩‍👧‍👦" * MAX_GRAPHEMES) == "👩‍👩‍👧‍👦" * MAX_GRAPHEMES
    for line in ("龍" * (MAX_GRAPHEMES + 1), "👍🏿" * (MAX_GRAPHEMES + 1), "x " * MAX_GRAPHEMES):
        with pytest.raises(TextTooLong):
            cleaned(line)


def test_space_and_unseen_signs_do_not_count() -> None:
    assert cleaned("a" + " \u200b" * 10_000 + "b") == "a b"


@pytest.mark.parametrize(
    "piece", ["x", "龍", "\u0301\u0316", "\u202e", " ", "\x00", "👩\u200d", "\ud800", "\u1100", "🇹"]
)
def test_a_megabyte_is_answered_at_once(piece: str) -> None:
    began = time.process_time()
    with suppress(TextTooLong):
        assert len(cleaned(piece * (1_000_000 // len(piece)))) <= 16
    assert time.process_time() - began < 10, "the work grows with the square"


@given(st.text(max_size=60, alphabet=st.characters()))
def test_cleaning_twice_is_cleaning_once(line: str) -> None:
    shown = cleaned(line)
    assert cleaned(shown) == shown
    assert shown == unicodedata.normalize("NFC", shown)
    assert not any(unicodedata.category(char) in ("Cc", "Cs", "Co", "Zl", "Zp") for char in shown)
