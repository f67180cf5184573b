"""The guard of R9.2."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from cinderforge.rules.words import ScrollId


def find(line: str, earlier: Sequence[str], unfired: Collection[ScrollId]) -> ScrollId | None:
    """Which scroll that has not fired a line names or quotes."""
    return None
