"""`@value`: a small immutable record, for the many that are made at each step of a game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True)
def value(cls: type[T]) -> type[T]:
    """A dataclass with slots that the type checker holds frozen.

    At run time it is not: the `__init__` of a frozen dataclass calls `object.__setattr__` for each field, which made
    events and offers a fifteenth of the engine's time (docs/decisions/named-tuples-for-state.md).
    """
    return dataclass(slots=True, unsafe_hash=True)(cls)
