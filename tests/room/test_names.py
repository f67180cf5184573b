"""Names: any script, measured in graphemes, shown harmlessly."""

from __future__ import annotations

import pytest

from cinderforge.room.names import MAX_GRAPHEMES, cleaned, distinct


@pytest.mark.parametrize(
    "name", ["阿狸", "𠮷野", "Zoë", "محمد", "ไทย", "👩‍👩‍👧‍👦 家", "🇹🇼", "a", "夜行者一二三四五六七八九"]
)
def test_names_of_any_script_stay_as_they_are(name: str) -> None:
    assert cleaned(name) == name


@pytest.mark.parametrize(
    "name", ["", "   ", "\u200b", "\x00", "\u202e\u2066", "\ud800", "\u0301", "\u2800", "\u3164\U0001d159"]
)
def test_what_cannot_be_seen_is_no_name(name: str) -> None:
    assert cleaned(name) == ""


def test_a_flood_of_marks_is_cut() -> None:
    assert len(cleaned("a" + "\u0336" * 10_000)) <= 6


def test_a_name_fits_a_seat() -> None:
    assert len(cleaned("x" * 500)) == MAX_GRAPHEMES
    assert cleaned("龍" * 50) == "龍" * 12


def test_controls_and_overrides_leave_the_rest() -> None:
    assert cleaned("A\u202eb\nc\x07") == "Ab c"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("  阿狸  ", "阿狸"),
        ("\u3000阿\u3000\u3000狸\u3000", "阿 狸"),
        ("Ann\n  Lee\t", "Ann Lee"),
        ("\u200bAnn\u200b \u200b Lee\ufeff", "Ann Lee"),
        ("A\u200bnn", "Ann"),
        ("\u00a0Ann\u2003\u2009Lee\u2028", "Ann Lee"),
        ("Ann \u2800 Lee", "Ann Lee"),
        ("e\u0301 \u202e", "\u00e9"),
        ("👩\u200d👩\u200d👧\u200d👦 家", "👩\u200d👩\u200d👧\u200d👦 家"),
        ("\u3164\u200b\u3000", ""),
    ],
)
def test_stray_spaces_go_as_they_do_in_the_client(name: str, shown: str) -> None:
    assert cleaned(name) == shown, "the same cases as in web/tests/tidy.test.ts"


def test_names_that_read_alike_get_a_number() -> None:
    assert distinct("Ann", ["Bea"]) == "Ann"
    assert distinct("Ann", ["ＡＮＮ"]) == "Ann 2"
    assert distinct("A nn", ["ann", "ANN 2"]) == "A nn 3"


@pytest.mark.parametrize(
    ("name", "other"),
    [
        *(("Аnn", "Ann"), ("ΑΝΝ", "ann"), ("Aldriс", "Aldric"), ("Aldrlc", "Aldric"), ("AI", "Al"), ("P0", "PO")),
        *(
            ("Ann.", "Ann"),
            ("Ann\u2060", "Ann"),
            ("𝐀𝐧𝐧", "Ann"),
            ("ann2", "Ann 2"),
            ("IRIS", "iris"),
            ("阿狸。", "阿狸"),
        ),
    ],
)
def test_nobody_passes_for_another_by_letters_that_look_the_same(name: str, other: str) -> None:
    assert distinct(name, [other]) == f"{name} 2"
    assert distinct(other, [name]) == f"{other} 2"


def test_names_that_are_told_apart_at_a_glance_stay_as_they_are() -> None:
    names = ["Ann", "Anna", "Änn", "阿狸", "阿貍", "Zoë", "Zoe", "ไทย", "ไท", "!", "?", "🐉", "🐲", "P1", "P2", "P10"]
    for name in names:
        assert distinct(name, [other for other in names if other != name]) == name
