"""How long an AI takes: drawn without looking at anything hidden, so that its pace tells nothing (R11)."""

from __future__ import annotations

from random import Random
from typing import Final

from cinderforge.redaction.shapes import TableView
from cinderforge.rules.words import Phase

_SECONDS: Final[dict[Phase, tuple[float, float]]] = {
    Phase.VOTE: (1.5, 7.0),
    Phase.PASS: (2.0, 5.0),
    Phase.SCROLL: (2.0, 4.5),
    Phase.PLAY: (0.9, 3.2),
}


def delay(rng: Random, table: TableView) -> float:
    """Seconds until an AI moves. It gets the public table and nothing else."""
    least, most = _SECONDS.get(table.phase, (1.0, 2.0))
    return rng.uniform(least, most)
