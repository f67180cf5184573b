"""All spellings of a text made one (R9.2): width, case, spacing, punctuation, marks, look-alikes, simplified forms."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

import regex

from cinderforge.talk.look_alikes import HAN, LATIN

_UNREAD: Final = regex.compile(r"[\p{M}\p{Cf}\p{DI}]+|[\U0001f1e6-\U0001f1ff]{2}")
"""Marks, joiners and flags; of a flag's letters one alone is read as the letter."""
_LEET: Final = str.maketrans("013456789l@$!|", "oieasgtbgiasii")
"""Digits and signs written for letters. I and l are one, as nobody can tell them apart."""
_WORD: Final = re.compile(r"(?:(?<!\S)[!|])?[a-z0-9@$]+(?:[!|]+[a-z0-9@$]+)*")
_HAN: Final = regex.compile(r"\p{Han}+")


class Stream(NamedTuple):
    """The characters of one script alone, nothing between them, none twice in a row; and where words lie in it."""

    text: str
    words: tuple[tuple[int, int], ...]


class Folded(NamedTuple):
    """A text with its words still apart, and what of it is Han or Latin."""

    plain: str
    han: Stream
    latin: Stream


@lru_cache(4096)
def folded(text: str) -> Folded:
    """A text as the guard reads it.

    >>> folded("F0RСED  pĺay！").latin.text == folded("forced play").latin.text
    True
    """
    apart = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    plain = _UNREAD.sub("", apart).translate(LATIN).translate(HAN)
    latin = (word.translate(_LEET) for word in _WORD.findall(plain))
    return Folded(plain, _stream(_HAN.findall(plain)), _stream(latin))


def _stream(words: Iterable[str]) -> Stream:
    """Words run together. Color is colour: the u of ou is left out."""
    text: list[str] = []
    spans = []
    for word in words:
        start = end = len(text)
        for at, char in enumerate(word):
            last = text[-1] if text else ""
            if char == last or (char == "u" and last == "o"):
                start -= at == 0
            else:
                text.append(char)
            end = len(text)
        spans.append((start, end))
    return Stream("".join(text), tuple(spans))
