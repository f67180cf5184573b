"""A connection without a network."""

from __future__ import annotations

import json
from typing import Any


class Wire:
    """A connection that keeps what it is given."""

    behind = False

    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = []
        self.closed: int | None = None

    def send(self, message: bytes) -> None:
        self.messages.append(json.loads(message))

    show = send

    def close(self, code: int, reason: str = "") -> None:
        self.closed = code

    def kinds(self) -> list[object]:
        """Of what came, the kinds in order; talk apart, which comes or does not."""
        return [message["t"] for message in self.messages if message["t"] != "lines"]
