"""Quick phrases."""

from __future__ import annotations

from typing import Final

PHRASES: Final = ("hello", "thanks")
