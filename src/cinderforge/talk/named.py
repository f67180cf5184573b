"""Finds the names of scrolls in what is heard (R9.2): Chinese and English ones however spelt, others as shown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import regex

from cinderforge.rules.scrolls import CATALOG
from cinderforge.rules.words import ScrollId
from cinderforge.talk.folding import folded
from cinderforge.talk.hearing import HAN, LATIN, Heard, Mention, Script, places
from cinderforge.talk.scroll_words import CALLED, ENDING, EVERYDAY, MINE, SCROLLS, SPOKEN_OF
from cinderforge.talk.sounding import pinyin, sounded

_LONG: Final = 9
"""Letters of a Latin name that stands in no other word."""
_HEARD: Final = 4
"""Characters of a Chinese name that is known by its sound alone."""
_FILL: Final = ("一", "一张", "的", "了")
"""What may stand between two characters of a Chinese name."""
_I: Final = str.maketrans("l", "i")
_UNLETTERED: Final = regex.compile(r"[^\p{Han}\p{Hiragana}\p{Katakana}]+")
_TWICE: Final = re.compile(r"(.)\1+")
_HIRAGANA: Final = {
    ord(plain): folded(chr(kana - 0x60)).plain
    for kana in range(ord("ァ"), ord("ヷ"))
    for plain in (folded(chr(kana)).plain,)
    if len(plain) == 1
}
"""From katakana, or what it is taken for."""


def han_names(heard: Heard) -> Iterator[Mention]:
    """Names as they are; from four characters on by their sound, with one between two; long ones with one exchanged."""
    sound = sounded(heard.text)
    signs = set(heard.text + sound)
    for scroll, name, patterns in _HAN_NAMES:
        if len(signs & set(name)) >= len(set(name)) - 1:
            for loss, pattern in enumerate(patterns):
                for hit in pattern.finditer(sound if len(name) >= _HEARD else heard.text):
                    yield Mention(len(name) - 1.5 * loss, hit.start(), hit.end(), scroll)


def _han_patterns(name: str) -> Iterator[re.Pattern[str]]:
    if len(name) < _HEARD:
        yield re.compile(f"(?:{'|'.join(_FILL)})?".join(name))
        return
    yield re.compile(f"(?:.|{'|'.join(map(sounded, _FILL))})?".join(name))
    if len(name) > _HEARD:
        yield re.compile("|".join(name[:at] + "." + name[at + 1 :] for at in range(len(name))))


def latin_names(heard: Heard) -> Iterator[Mention]:
    """Names as they are; long ones, too, with a letter too many, too few or exchanged; short ones as words alone."""
    for scroll, name, words in _LATIN_NAMES:
        for start, end, loss in _sightings(heard.text, name):
            whole = start in heard.starts and _ends(heard, end, words)
            # A name over two lines is told from chance: it is all of one of them.
            split = start < heard.before < end and start > heard.last and end < len(heard.text)
            if (whole or (len(name) >= _LONG and not loss and _glued(heard, start, end))) and not split:
                yield Mention(len(name) - 1.5 * loss, start, end, scroll)


def _ends(heard: Heard, end: int, words: int) -> bool:
    """Does a word end here, or after an ending that makes no other word of it?"""
    endings = ("", "s") if words > 1 else ("", "s", "ed", "ing")
    return any(end + len(rest) in heard.ends and heard.text.startswith(rest.translate(_I), end) for rest in endings)


def _glued(heard: Heard, start: int, end: int) -> bool:
    """Is it run together, or does at least a word end with it? Linked players are no linked play."""
    return end in heard.ends or not any(at in heard.ends for at in range(start + 1, end))


def _sightings(text: str, name: str) -> Iterator[tuple[int, int, int]]:
    """Where a name stands: from, to, and 1 if a letter is wrong: one half of a long name is right, but for its edge."""
    for at in places(text, name):
        yield at, at + len(name), 0
    if name not in _SLIPS:
        return
    middle = len(name) // 2
    wrong_head, wrong_tail = _SLIPS[name]
    for at in places(text, name[:middle]):
        for end in range(at + len(name) - 1, at + len(name) + 2):
            if text[at + middle : end] in wrong_tail:
                yield at, end, 1
    for at in places(text, name[middle + 1 :]):
        for start in range(max(at - middle - 2, 0), at - middle + 1):
            if text[start:at] in wrong_head:
                yield start, at + len(name) - middle - 1, 1


def _slips(part: str) -> frozenset[str]:
    """All that is one letter from a part of a name, or two exchanged."""
    letters = "abcdefghijkmnopqrstuvwxyz"
    cuts = [(part[:at], part[at:]) for at in range(len(part) + 1)]
    return frozenset(
        {a + b[1:] for a, b in cuts if b}
        | {a + b[1] + b[0] + b[2:] for a, b in cuts if len(b) > 1}
        | {a + c + b[1:] for a, b in cuts if b for c in letters}
        | {a + c + b for a, b in cuts for c in letters}
    ) - {part}


def _spellings(name: str) -> Iterator[str]:
    """A name backwards; in pinyin; with an article, another ending of its first word, its last word cut short."""
    yield name[::-1]
    han = folded(name).han.text
    if han:
        yield " ".join(pinyin(han))
    first, *others = name.lower().split()
    if not others or len(name) <= _LONG:
        return
    *middle, last = others
    yield from (" ".join((first, *middle, article, last)) for article in ("the", "a", "all", "my", "your"))
    yield f"{first} {last}"
    stem = first.removesuffix("ed")
    firsts = {first, stem, stem + "e", stem + "ing", stem + "s"}
    lasts = {last, *(last[:size] for size in range(4, len(last) - 2))}
    yield from (" ".join((first, *middle, last)) for first in firsts for last in lasts)


def _names(script: Script) -> list[tuple[ScrollId, str, int]]:
    """What scrolls are called in one script, unless it is an everyday word, and the number of its words."""
    everyday = {script.stream(folded(word)).text for word in EVERYDAY}
    found = dict.fromkeys(
        (scroll, stream.text, len(stream.words))
        for scroll, words in zip(CATALOG, SCROLLS, strict=True)
        for name in (*words.names, *words.shorts, *(spelt for name in words.names for spelt in _spellings(name)))
        for stream in (script.stream(folded(name)),)
        if stream.text
    )
    return [name for name in found if name[1] not in everyday]


_HAN_NAMES: Final = [
    (scroll, name, tuple(_han_patterns(name)))
    for scroll, sign, _ in _names(HAN)
    for name in (sounded(sign) if len(sign) >= _HEARD else sign,)
]
_LATIN_NAMES: Final = _names(LATIN)
_SLIPS: Final = {
    name: (_slips(name[: len(name) // 2 + 1]), _slips(name[len(name) // 2 :]))
    for words in SCROLLS
    for name in (LATIN.stream(folded(name)).text for name in words.names)
    if len(name) >= _LONG
}


def short_name(plain: str, before: int) -> Iterator[ScrollId]:
    """Scrolls of which a short name, be it an everyday word, is said as such; ending after `before`."""
    for scroll, said in _SAID:
        if any(hit.end() > before for hit in said.finditer(plain)):
            yield scroll


def _said(shorts: tuple[str, ...]) -> re.Pattern[str]:
    """The scroll is called so, or so is one's scroll called; and no other word goes on from there."""
    short, called, scroll = _any(shorts), _any(CALLED), _any(SPOKEN_OF)
    ways = rf"{scroll}\W*{called}?\W*{short}|{short}\W*{called}\W*{_any(MINE)}\W*{scroll}"
    return re.compile(rf"(?:{ways})\W*{_any(ENDING)}?(?! ?\w)")


def shown_name(plain: str, before: int) -> Iterator[ScrollId]:
    """Scrolls whose name in a further language is said, whatever stands between its signs; ending after `before`."""
    said, now = _signs(plain[:before]), _signs(plain)
    for scroll, name in _ELSEWHERE:
        if any(at + len(name) > len(said) for at in places(now, name)):
            yield scroll


def _signs(plain: str) -> str:
    """Han and kana alone, none twice in a row, all kana of one kind."""
    return _TWICE.sub(r"\1", _UNLETTERED.sub("", plain).translate(_HIRAGANA))


def _any(phrases: tuple[str, ...]) -> str:
    return f"(?:{'|'.join(sorted((re.escape(folded(phrase).plain) for phrase in phrases), key=len, reverse=True))})"


_SAID: Final = [(scroll, _said(words.shorts)) for scroll, words in zip(CATALOG, SCROLLS, strict=True)]
_ELSEWHERE: Final = [
    (scroll, name)
    for scroll, words in zip(CATALOG, SCROLLS, strict=True)
    for known in ({_signs(folded(name).plain) for name in words.names},)
    for name in (_signs(folded(name).plain) for name in words.elsewhere)
    if name and name not in known
]
