"""Provably fair chance (R3.4): every draw has a name and follows from the game's seed by a keyed function.

Whoever knows the seed can recompute each draw; whoever knows only the commitment learns nothing. The derivation:

    commitment = SHA-256("cinderforge/1 commitment" ‖ secret)
    seed       = SHA-256("cinderforge/1 seed" ‖ secret ‖ for each contribution: its length as 4 bytes ‖ itself)
    block i of the draw named N = BLAKE2b(N ‖ i as 4 bytes, key = seed), 64 bytes, read as 32-bit words, big-endian

A number below n is the first word w < 2³² − (2³² mod n), taken modulo n. A shuffle is Fisher–Yates, last place first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b, sha256
from itertools import chain, repeat
from struct import Struct
from typing import Final, Protocol

_WORD = 1 << 32
_WORDS = Struct(">16I").unpack
SECRET_BYTES: Final = 32
CONTRIBUTION_BYTES: Final = 16
"""How many random bytes a client is asked for (R3.4); fewer are refused."""
MAX_CONTRIBUTION_BYTES: Final = 64


def commitment_to(secret: bytes) -> bytes:
    """What is published before the deal (R3.4). It tells nothing about the secret."""
    return sha256(b"cinderforge/1 commitment" + secret).digest()


def seed_from(secret: bytes, contributions: Sequence[bytes]) -> bytes:
    """The seed that neither the server nor any player alone could choose (R3.4). 32 bytes."""
    mixed = sha256(b"cinderforge/1 seed" + secret)
    for contribution in contributions:
        mixed.update(len(contribution).to_bytes(4, "big") + contribution)
    return mixed.digest()


class Luck(Protocol):
    """Where draws come from. The same name gives the same draw."""

    def order(self, name: str, count: int) -> tuple[int, ...]:
        """The numbers 0…count−1 in drawn order."""

    def pick(self, name: str, count: int) -> int:
        """One of 0…count−1; count is 1 or more."""


class SeededLuck:
    """Draws that follow from a 32-byte seed."""

    __slots__ = ("seed",)

    def __init__(self, seed: bytes) -> None:
        self.seed = seed

    def order(self, name: str, count: int) -> tuple[int, ...]:
        row = list(range(count))
        words = self._words(name)
        sure = _WORD - count  # no limit is lower, and hardly a word is higher
        for last in range(count - 1, 0, -1):
            word = next(words)
            while word >= sure and word >= _WORD - _WORD % (last + 1):
                word = next(words)
            chosen = word % (last + 1)
            row[last], row[chosen] = row[chosen], row[last]
        return tuple(row)

    def pick(self, name: str, count: int) -> int:
        return _below(count, self._words(name))

    def _words(self, name: str) -> Iterator[int]:
        return chain.from_iterable(map(self._block, repeat(name.encode()), range(_WORD)))

    def _block(self, label: bytes, number: int) -> tuple[int, ...]:
        return _WORDS(blake2b(label + number.to_bytes(4, "big"), key=self.seed).digest())


def _below(count: int, words: Iterator[int]) -> int:
    """An evenly drawn number below count: words past the last whole multiple are thrown away."""
    limit = _WORD - _WORD % count
    for word in words:
        if word < limit:
            return word % count
    raise AssertionError("the stream of words never ends")


class StillLuck:
    """The chance of scenario files: shuffles leave the order, random choices take the first (docs/formats.md)."""

    __slots__ = ()

    def order(self, name: str, count: int) -> tuple[int, ...]:
        return tuple(range(count))

    def pick(self, name: str, count: int) -> int:
        return 0
