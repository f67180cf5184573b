"""The room's own refusals, beside the rejections of the rules."""

from __future__ import annotations


class RoomRefused(Exception):
    """The room does not do what was asked: a code from docs/protocol.md, and what would be right."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.detail = detail
