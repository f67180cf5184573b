"""Finds quotes of the effects of scrolls in what is heard (R9.2).

A quote is a chain of pieces of an effect, in their order and close together, that weighs enough.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from typing import Final, NamedTuple

from cinderforge.rules.scrolls import CATALOG
from cinderforge.rules.words import ScrollId
from cinderforge.talk.folding import Stream, folded
from cinderforge.talk.hearing import Heard, Mention, Script, places
from cinderforge.talk.scroll_words import FREE, LIGHT, ROLES, SCROLLS

_SHORTEST: Final = 8
"""Characters of an effect; else the letters A and B of a Chinese one were an English one."""
_LOOK_BACK: Final = 24
"""Pieces that one may be joined to; those further back are out of reach, but for lines made to be slow."""


class _Effect(NamedTuple):
    """A text that may be quoted, and the weight of all that stands before each of its characters."""

    scroll: ScrollId
    weights: tuple[float, ...]
    enough: float


class Quotes:
    """Finds chains of pieces of effects, in one script."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._effects: list[_Effect] = []
        self._places: dict[str, list[tuple[int, int]]] = {}
        for scroll, words in zip(CATALOG, SCROLLS, strict=True):
            for stream in map(script.stream, map(folded, words.effects)):
                if len(stream.text) >= _SHORTEST:
                    self._learn(scroll, stream)

    def _learn(self, scroll: ScrollId, stream: Stream) -> None:
        weights = tuple(accumulate(_weights(stream, self._script), initial=0.0))
        enough = max(min(self._script.enough, self._script.share * weights[-1]), self._script.least)
        for at in range(len(stream.text) - self._script.piece + 1):
            piece = stream.text[at : at + self._script.piece]
            self._places.setdefault(piece, []).append((len(self._effects), at))
        self._effects.append(_Effect(scroll, weights, enough))

    def __call__(self, heard: Heard) -> Iterator[Mention]:
        for number, pieces in self._pieces(heard.text).items():
            effect = self._effects[number]
            for weight, start, end in self._chains(effect, pieces):
                if weight >= effect.enough:
                    yield Mention(weight, start, end, effect.scroll)

    def _pieces(self, text: str) -> dict[int, list[list[int]]]:
        """By effect, its pieces in a text: where in the text, where in the effect, how long."""
        found: dict[int, list[list[int]]] = {}
        running: dict[tuple[int, int], list[int]] = {}
        size = self._script.piece
        for at in range(len(text) - size + 1):
            for number, place in self._places.get(text[at : at + size], ()):
                piece = running.get((number, place - at))
                if piece is not None and piece[0] + piece[2] == at + size - 1:
                    piece[2] += 1
                else:
                    running[number, place - at] = piece = [at, place, size]
                    found.setdefault(number, []).append(piece)
        return found

    def _chains(self, effect: _Effect, pieces: list[list[int]]) -> list[tuple[float, int, int]]:
        """For each piece the best chain that ends with it: its weight, from, to."""
        gap, cost = self._script.gap, self._script.cost
        chains: list[tuple[float, int, int]] = []
        for number, (at, place, size) in enumerate(pieces):
            best, start = effect.weights[place + size] - effect.weights[place], at
            for other in range(number - 1, max(number - _LOOK_BACK - 1, -1), -1):
                before, where, length = pieces[other]
                over, left = at - before - length, place - where - length
                if where >= place or max(over, left) > gap:
                    continue
                # Where two pieces overlap, the later one is the shorter.
                cut = max(-over, -left, 0)
                if cut < size:
                    more = effect.weights[place + size] - effect.weights[place + cut]
                    weight = chains[other][0] + more - cost * (max(over, left) + cut)
                    if weight > best:
                        best, start = weight, chains[other][1]
            chains.append((best, start, at + size))
        return chains


def _weights(stream: Stream, script: Script) -> list[float]:
    """Of each character: one, or its share of a word of one; light words half of it, free ones and roles nothing."""
    weights = [0.0] * len(stream.text)
    for start, end in stream.words:
        for at in range(start, end):
            weights[at] = max(weights[at], 1 / (end - start) if script.spaced else 1.0)
    for share, phrases in ((0.5, LIGHT), (0.0, (*ROLES, *FREE))):
        scaled = list(weights)
        for part in {script.stream(folded(phrase)).text for phrase in phrases} - {""}:
            for at in places(stream.text, part):
                if not script.spaced or _aligned(stream, at, at + len(part)):
                    scaled[at : at + len(part)] = [share * weight for weight in weights[at : at + len(part)]]
        weights = scaled
    return weights


def _aligned(stream: Stream, start: int, end: int) -> bool:
    """Are these whole words?"""
    return any(start == s for s, _ in stream.words) and any(end == e for _, e in stream.words)
