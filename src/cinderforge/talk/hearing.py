"""A line as the guard hears it (R9.2): in one script, after the end of what the same speaker said before it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from cinderforge.rules.words import ScrollId
from cinderforge.talk.folding import Folded, Stream


class Script(NamedTuple):
    """How one script is read, and how quotes in it are told from talk."""

    stream: Callable[[Folded], Stream]
    spaced: bool
    """Are words set apart?"""
    piece: int
    """Characters that a piece of a quote has at least."""
    gap: int
    """Characters that may stand between two pieces, or be left out."""
    cost: float
    """Of one such character."""
    enough: float
    """The weight of a quote; a Han character or a Latin word weighs one."""
    share: float
    """Or this share of the effect, where that is less,"""
    least: float
    """but so much at least."""
    clause: int
    """Words or characters of a clause of an effect that is a quote all by itself, however light."""
    reach: int
    """Characters of earlier lines that are read along."""


class Heard(NamedTuple):
    """The text ends with the line, which begins at `before`; the message before it begins at `last`."""

    text: str
    last: int
    before: int
    starts: set[int]
    ends: set[int]


class Mention(NamedTuple):
    """Where a text speaks of a scroll, and how much of it it says."""

    weight: float
    start: int
    end: int
    scroll: ScrollId


def hear(script: Script, now: Folded, earlier: Sequence[Folded]) -> Heard:
    """A line after the end of what was said before it."""
    lines = [script.stream(now)]
    read = 0
    for said in reversed(earlier):
        stream = script.stream(said)
        if stream.text and read < script.reach:
            lines.append(stream)
            read += len(stream.text)
    text, last, before = "", 0, 0
    starts: set[int] = set()
    ends: set[int] = set()
    for stream in reversed(lines):
        twice = _runs_on(text, stream.text)
        last, before = before, len(text)
        starts.update(before - twice + start for start, _ in stream.words)
        ends.update(before - twice + end for _, end in stream.words)
        text += stream.text[twice:]
    return Heard(text, last, before, starts, ends)


def _runs_on(text: str, more: str) -> bool:
    """Is the first sign of a line left out after the last one, as it is within a line (folding.py)?"""
    return (bool(text) and more[:1] == text[-1:]) or (text[-1:], more[:1]) == ("o", "u")


def places(text: str, part: str) -> Iterator[int]:
    """Wherever a part begins in a text."""
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + 1)


HAN: Final = Script(
    lambda text: text.han,
    spaced=False,
    piece=2,
    gap=4,
    cost=0.3,
    enough=6.7,
    share=0.52,
    least=4.8,
    clause=10,
    reach=60,
)
LATIN: Final = Script(
    lambda text: text.latin,
    spaced=True,
    piece=5,
    gap=14,
    cost=0.1,
    enough=3.9,
    share=0.54,
    least=3.2,
    clause=7,
    reach=120,
)
