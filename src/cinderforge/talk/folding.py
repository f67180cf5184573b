"""All spellings of a text made one (R9.2): width, case, spacing, punctuation, marks, look-alikes, simplified forms."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

import regex

from cinderforge.talk.look_alikes import HAN, LATIN
from cinderforge.talk.scroll_words import MIXED, SAME
from cinderforge.talk.sounding import read_pinyin, read_zhuyin

_UNREAD: Final = regex.compile(r"[\p{M}\p{Cf}\p{DI}]+|[\U0001f1e6-\U0001f1ff]{2}")
"""Marks, joiners and flags; of a flag's letters one alone is read as the letter."""
_LEET: Final = str.maketrans("013456789l@$!|", "oieasgtbgiasii")
"""Digits and signs written for letters. I and l are one, as nobody can tell them apart."""
_WORD: Final = re.compile(r"(?:(?<!\S)[!|])?[a-z0-9@$]+(?:[!|]+[a-z0-9@$]+)*")
_HAN: Final = regex.compile(r"\p{Han}+")
_APOSTROPHE: Final = re.compile("(?<=[a-z])['’](?=[a-z])")
_TONE: Final = re.compile("(?<=[a-z]{2})[1-5]$")
"""Of a syllable of pinyin."""
_SAID: Final = {said.replace("'", ""): meant for said, meant in SAME.items()}
_MEANT: Final = {said.translate(HAN): meant.translate(HAN) for said, meant in (*MIXED.items(), *SAME.items())}
_MIXED: Final = re.compile(rf"(?<![a-z0-9])({'|'.join(MIXED)})s?(?![a-z0-9])")
_SAME: Final = re.compile(
    "|".join(sorted({said.translate(HAN) for said in SAME if not said.isascii()}, key=len, reverse=True))
)


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
    plain = read_zhuyin(_UNREAD.sub("", apart)).translate(LATIN).translate(HAN)
    return Folded(plain, _stream([_han(plain)]), _stream(_latin(plain)))


def _han(plain: str) -> str:
    """What is Chinese, and amid that the English words that have a Chinese one, and pinyin."""
    if not _HAN.search(plain):
        return ""
    mixed = read_pinyin(_MIXED.sub(lambda word: _MEANT[word[1]], plain))
    return _SAME.sub(lambda word: _MEANT[word[0]], "".join(_HAN.findall(mixed)))


def _latin(plain: str) -> Iterator[str]:
    """The words that are English."""
    for word in _WORD.findall(_APOSTROPHE.sub("", plain)):
        word = _TONE.sub("", word)
        for meant in _SAID.get(word, word).split():
            yield meant.translate(_LEET)


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
