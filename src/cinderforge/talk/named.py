"""Finds the names of scrolls in what is heard (R9.2)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from cinderforge.rules.scrolls import CATALOG
from cinderforge.rules.words import ScrollId
from cinderforge.talk.folding import folded
from cinderforge.talk.hearing import HAN, LATIN, Heard, Mention, Script, places
from cinderforge.talk.scroll_words import CALLED, EVERYDAY, SCROLLS, SPOKEN_OF

_LONG: Final = 9
"""Letters of a Latin name that stands in no other word."""
_I: Final = str.maketrans("l", "i")


def han_names(heard: Heard) -> Iterator[Mention]:
    """Names as they are, with a character between two, or with one exchanged where they are long."""
    signs = set(heard.text)
    for scroll, name, patterns in _HAN_NAMES:
        if len(signs & set(name)) >= len(set(name)) - 1:
            for loss, pattern in enumerate(patterns):
                for hit in pattern.finditer(heard.text):
                    yield Mention(len(name) - 1.5 * loss, hit.start(), hit.end(), scroll)


def _han_patterns(name: str) -> Iterator[re.Pattern[str]]:
    if len(name) < 4:
        yield re.compile(name)
        return
    yield re.compile(".?".join(name))
    if len(name) > 4:
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
    """Where a name stands: from, to, and 1 if a letter is wrong. One half of a long name is always right."""
    for at in places(text, name):
        yield at, at + len(name), 0
    if len(name) < _LONG:
        return
    middle = len(name) // 2
    head, tail = name[:middle], name[middle:]
    for at in places(text, head):
        for end in range(at + len(name) - 1, at + len(name) + 2):
            if text[at + middle : end] in _SLIPS[tail]:
                yield at, end, 1
    for at in places(text, tail):
        for start in range(max(at - middle - 1, 0), at - middle + 2):
            if text[start:at] in _SLIPS[head]:
                yield start, at + len(tail), 1


def _slips(part: str) -> frozenset[str]:
    """All that is one letter from a part of a name."""
    letters = "abcdefghijkmnopqrstuvwxyz"
    cuts = [(part[:at], part[at:]) for at in range(len(part) + 1)]
    return frozenset(
        {a + b[1:] for a, b in cuts if b}
        | {a + c + b[1:] for a, b in cuts if b for c in letters}
        | {a + c + b for a, b in cuts for c in letters}
    ) - {part}


def _names(script: Script) -> list[tuple[ScrollId, str, int]]:
    """What scrolls are called in one script, unless it is an everyday word, and the number of its words."""
    everyday = {script.stream(folded(word)).text for word in EVERYDAY}
    found = dict.fromkeys(
        (scroll, stream.text, len(stream.words))
        for scroll, words in zip(CATALOG, SCROLLS, strict=True)
        for stream in map(script.stream, map(folded, (*words.names, *words.shorts)))
        if stream.text
    )
    return [name for name in found if name[1] not in everyday]


_HAN_NAMES: Final = [(scroll, name, tuple(_han_patterns(name))) for scroll, name, _ in _names(HAN)]
_LATIN_NAMES: Final = _names(LATIN)
_SLIPS: Final = {
    part: _slips(part)
    for _, name, _ in _LATIN_NAMES
    if len(name) >= _LONG
    for part in (name[: len(name) // 2], name[len(name) // 2 :])
}


def short_name(plain: str, before: int) -> Iterator[ScrollId]:
    """Scrolls of which a short name, be it an everyday word, is said as such; ending after `before`."""
    for scroll, said in _SAID:
        if any(hit.end() > before for hit in said.finditer(plain)):
            yield scroll


def _any(phrases: tuple[str, ...]) -> str:
    return "|".join(sorted((re.escape(folded(phrase).plain) for phrase in phrases), key=len, reverse=True))


_SAID: Final = [
    (scroll, re.compile(rf"(?:{_any(SPOKEN_OF)})\W*(?:{_any(CALLED)})?\W*(?:{_any(words.shorts)})(?! ?\w)"))
    for scroll, words in zip(CATALOG, SCROLLS, strict=True)
]
