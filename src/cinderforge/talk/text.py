"""Text that people type, made harmless to show: of any script, measured in graphemes, with nothing unseen in it."""

from __future__ import annotations

import unicodedata
from itertools import islice
from typing import Final

import regex

MAX_GRAPHEMES: Final = 200
"""Of one line of chat."""
_MAX_MARKS: Final = 4
"""Marks that one grapheme may carry; the rest would only flood the line."""
_MAX_CHARS: Final = 16
"""Of one grapheme, else a chain of joined emoji would be as long as one likes; the longest in use have ten."""
_MAX_CHARS_PER_NOTE: Final = 3
"""Of a note's graphemes, on average."""

_GRAPHEME: Final = regex.compile(r"\X")
_FLOOD: Final = regex.compile(rf"(\p{{M}}{{{_MAX_MARKS}}})\p{{M}}+")
_JOINING: Final = (
    r"\p{Arabic}\p{Syriac}\p{Mongolian}\p{Devanagari}\p{Bengali}\p{Gurmukhi}\p{Gujarati}\p{Oriya}\p{Tamil}\p{Telugu}"
    r"\p{Kannada}\p{Malayalam}\p{Sinhala}\p{Khmer}"
)
_SEEN: Final = (
    # Joined emoji; joiners where a script spells with them; flags of regions; how a sign is to be drawn.
    r"(?<=[\p{ExtPict}\p{EMod}\ufe0f])\u200d(?=\p{ExtPict})"
    rf"|(?<=[{_JOINING}]\p{{M}}*)[\u200c\u200d](?=[{_JOINING}])"
    r"|\U0001f3f4[\U000e0020-\U000e007e]{1,6}\U000e007f"
    r"|(?<=[\p{Emoji}\p{Han}])[\ufe0e\ufe0f\U000e0100-\U000e01ef]"
)
_UNSEEN: Final = regex.compile(rf"({_SEEN})|[\p{{Cc}}\p{{Cs}}\p{{Co}}\p{{Cn}}\p{{Cf}}\p{{DI}}]")
"""Controls, NUL, lone surrogates, bidi overrides and isolates, zero-width signs and fillers."""
_SPACE: Final = regex.compile(r"[\s\u2800\U00013441\U00013442\U0001d159]+")
"""Also signs of other kinds that are drawn as nothing: braille, hieroglyphs and notes have such."""
_SOMETHING: Final = regex.compile(r"[\p{L}\p{N}\p{S}\p{P}]")


class TextTooLong(Exception):
    """More graphemes than a line of chat, or a note, may have."""


def cleaned(text: str) -> str:
    r"""A line of chat as it is shown, "" if nothing of it can be seen; `TextTooLong` beyond `MAX_GRAPHEMES`.

    >>> cleaned("  the\u202e red \n\n dragon\u200b ")
    'the red dragon'
    """
    graphemes = harmless(text, MAX_GRAPHEMES + 1)
    if len(graphemes) > MAX_GRAPHEMES:
        raise TextTooLong
    return seen(graphemes)


def cleaned_note(text: str, most: int) -> str:
    r"""A text of several lines, as long as `most` graphemes, breaks among them; `TextTooLong` beyond.

    >>> cleaned_note(" why did\tAnn \n\n\n\nskip? \n", 40)
    'why did Ann\n\nskip?'
    """
    found = [harmless(line, most + 1) for line in text.splitlines()]
    lines = [seen(graphemes) for graphemes in found]
    note = regex.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n")
    # What is seen as one may be made of many: a limit on both keeps a page of notes small.
    is_long = any(len(graphemes) > most for graphemes in found) or len(_GRAPHEME.findall(note)) > most
    if is_long or len(note) > _MAX_CHARS_PER_NOTE * most:
        raise TextTooLong
    return note


def harmless(text: str, most: int) -> list[str]:
    """The first graphemes of a text: NFC, on one line, single-spaced, with few marks each and nothing unseen."""
    # Marks are thinned out before they are put in order, which takes the square of their number.
    text = _FLOOD.sub(r"\1", _SPACE.sub(" ", text.encode("utf-8", "ignore").decode("utf-8")))
    text = unicodedata.normalize("NFC", _UNSEEN.sub(r"\1", text))
    # No more are looked for than are wanted: in a long row of flags, finding one takes the longer the later it comes.
    found = islice(_GRAPHEME.finditer(" ".join(text.split())), most)
    return [_thinned(grapheme[0]) for grapheme in found]


def seen(graphemes: list[str]) -> str:
    """The graphemes in one, or "" if there is only space and marks without a bearer."""
    text = "".join(graphemes).strip()
    return text if _SOMETHING.search(text) else ""


def _thinned(grapheme: str) -> str:
    return _FLOOD.sub(r"\1", grapheme)[:_MAX_CHARS]
