"""Chinese by its sound (R9.2): what is typed in zhuyin, in pinyin, or with another character that is said alike."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

import regex

from cinderforge.talk.sounds import SOUNDS

_SYLLABLES: Final = [line.split() for line in SOUNDS.splitlines()]
_PINYIN: Final = {char: pinyin for pinyin, _, chars in _SYLLABLES for char in chars}
_BY_PINYIN: Final = {pinyin: chars[0] for pinyin, _, chars in _SYLLABLES}
_BY_ZHUYIN: Final = {zhuyin: chars[0] for _, zhuyin, chars in _SYLLABLES}


def _any(syllables: Iterable[str]) -> str:
    return f"(?:{'|'.join(sorted(syllables, key=len, reverse=True))})"


_SYLLABLE: Final = re.compile(_any(_BY_PINYIN))
_BESIDE: Final = regex.compile(
    rf"(?<=\p{{Han}}){_any(_BY_PINYIN)}++(?![a-z])|(?<![a-z]){_any(_BY_PINYIN)}++(?=\p{{Han}})"
)
"""Pinyin right beside a character; else every other English word were some."""
_ZHUYIN: Final = re.compile(_any(_BY_ZHUYIN))


def _slurred(pinyin: str) -> str:
    """As it is said where zh is z, and ing is in."""
    return re.sub("(?<=[zcs])h|(?<=[ei]n)g", "", pinyin)


def _alike() -> dict[int, str]:
    """Each character to the first one that sounds like it."""
    first: dict[str, str] = {}
    return {ord(char): first.setdefault(_slurred(pinyin), char) for char, pinyin in _PINYIN.items()}


_ALIKE: Final = _alike()


def sounded(han: str) -> str:
    """Simplified characters by sound: those that are said alike are one, whatever their tone.

    >>> sounded("强制出牌") == sounded("强至初排")
    True
    """
    return han.translate(_ALIKE)


def pinyin(han: str) -> Iterator[str]:
    """The syllables of simplified characters.

    >>> list(pinyin("出牌"))
    ['chu', 'pai']
    """
    return (_PINYIN.get(char, "") for char in han)


def read_zhuyin(text: str) -> str:
    """A text with characters for its zhuyin.

    >>> sounded(read_zhuyin("ㄔㄨ ㄆㄞˊ")) == sounded("出 牌ˊ")
    True
    """
    return _ZHUYIN.sub(lambda syllable: _BY_ZHUYIN[syllable[0]], text)


def read_pinyin(text: str) -> str:
    """A text with characters for the pinyin that stands right beside others.

    >>> sounded(read_pinyin("chu牌")) == sounded("出牌")
    True
    """
    return _BESIDE.sub(lambda spelt: _SYLLABLE.sub(lambda syllable: _BY_PINYIN[syllable[0]], spelt[0]), text)
