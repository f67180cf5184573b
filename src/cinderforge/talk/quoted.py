"""Finds quotes of the effects of scrolls in what is heard (R9.2).

A quote is made of pieces of an effect, close together, that weigh enough; or it is nearly all of a long clause.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Final, NamedTuple

from cinderforge.rules.scrolls import CATALOG
from cinderforge.rules.words import ScrollId
from cinderforge.talk.folding import Stream, folded
from cinderforge.talk.hearing import Heard, Mention, Script, places
from cinderforge.talk.scroll_words import FREE, LIGHT, ROLES, SCROLLS, TELLING

_SHORTEST: Final = 8
"""Characters of an effect; else the letters A and B of a Chinese one were an English one."""
_TURN: Final = 0.5
"""What it costs to go back in an effect."""
_WHOLE: Final = 0.85
"""Of a clause, to be all of it."""
_JOINED: Final = 1.5
"""So much more than is enough must be said where it is said over several lines: they may meet by chance."""
_CLAUSE: Final = re.compile("[,，;；：:。.]")


@dataclass(slots=True)
class _Piece:
    """Where it begins in the text and in the effect, and how long it is."""

    at: int
    place: int
    size: int

    def gain(self, effect: _Effect, end: int, told: set[int]) -> float:
        """The weight of what it says after the `end` of other pieces, and that is not told yet."""
        begin = self.place + max(end - self.at, 0)
        return sum(effect.weights[at] for at in range(begin, self.place + self.size) if at not in told)


class _Effect(NamedTuple):
    """A text that may be quoted: the weight of each of its characters, and how much of it is a quote."""

    scroll: ScrollId
    weights: tuple[float, ...]
    enough: float


class Quotes:
    """Finds quotes of effects, in one script."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._effects: list[_Effect] = []
        self._places: dict[str, list[tuple[int, int]]] = {}
        for scroll, words in zip(CATALOG, SCROLLS, strict=True):
            for text in words.effects:
                stream = script.stream(folded(text))
                if len(stream.text) >= _SHORTEST:
                    self._learn(scroll, stream)
                for clause in map(script.stream, map(folded, _CLAUSE.split(text))):
                    if (len(clause.words) if script.spaced else len(clause.text)) >= script.clause:
                        self._learn_whole(scroll, clause)

    def _learn(self, scroll: ScrollId, stream: Stream) -> None:
        weights = tuple(_weights(stream, self._script))
        enough = max(min(self._script.enough, self._script.share * sum(weights)), self._script.least)
        self._keep(scroll, stream.text, weights, enough)

    def _learn_whole(self, scroll: ScrollId, clause: Stream) -> None:
        """However light its words are, they count alike here."""
        weight, size = sum(_weights(clause, self._script)), len(clause.text)
        self._keep(scroll, clause.text, (weight / size,) * size, _WHOLE * weight)

    def _keep(self, scroll: ScrollId, text: str, weights: tuple[float, ...], enough: float) -> None:
        for at in range(len(text) - self._script.piece + 1):
            piece = text[at : at + self._script.piece]
            self._places.setdefault(piece, []).append((len(self._effects), at))
        self._effects.append(_Effect(scroll, weights, enough))

    def __call__(self, heard: Heard) -> Iterator[Mention]:
        for number, pieces in self._pieces(heard.text).items():
            effect = self._effects[number]
            line = [piece for piece in pieces if piece.at >= heard.before]
            joined = min(effect.enough * _JOINED, sum(effect.weights))
            for enough, said in ((effect.enough, line), (joined, pieces)):
                for weight, start, end in self._runs(effect, said):
                    if weight >= enough:
                        yield Mention(weight, start, end, effect.scroll)

    def _pieces(self, text: str) -> dict[int, list[_Piece]]:
        """By effect, the pieces of it in a text."""
        found: dict[int, list[_Piece]] = {}
        running: dict[tuple[int, int], _Piece] = {}
        size = self._script.piece
        for at in range(len(text) - size + 1):
            for number, place in self._places.get(text[at : at + size], ()):
                piece = running.get((number, place - at))
                if piece is not None and piece.at + piece.size == at + size - 1:
                    piece.size += 1
                else:
                    running[number, place - at] = piece = _Piece(at, place, size)
                    found.setdefault(number, []).append(piece)
        return found

    def _runs(self, effect: _Effect, pieces: list[_Piece]) -> Iterator[tuple[float, int, int]]:
        """Of pieces close together, in any order: the weight of what they say of the effect, each once; from, to."""
        weight, start, end, last = 0.0, 0, 0, 0
        told: set[int] = set()
        for at, alike in groupby(pieces, lambda piece: piece.at):
            apart = max(at - end, 0)
            weight -= self._script.cost * apart
            if apart > self._script.gap or weight <= 0:
                weight, start, end, last = 0.0, at, at, 0
                told.clear()
            gain, place, size = max(
                (piece.gain(effect, end, told) - (_TURN if piece.place < last else 0), piece.place, piece.size)
                for piece in alike
            )
            if gain > 0:
                told.update(range(place, place + size))
                weight += gain
                end, last = max(end, at + size), place
                yield weight, start, end


def _weights(stream: Stream, script: Script) -> list[float]:
    """Of each character: one, or its share of a word of one; light words less, roles least, telling more."""
    weights = [0.0] * len(stream.text)
    for start, end in stream.words:
        for at in range(start, end):
            weights[at] = max(weights[at], 1 / (end - start) if script.spaced else 1.0)
    for share, phrases in ((0.5, LIGHT), (0.1, (*ROLES, *FREE)), (1.5, TELLING)):
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
