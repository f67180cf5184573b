"""The room's own refusals, beside the rejections of the rules."""

from __future__ import annotations

from typing import Literal

RoomCode = Literal[
    "already_started",
    "announcing",
    "bad_claim",
    "bad_name",
    "bad_settings",
    "empty",
    "held_before",
    "internal",
    "malformed",
    "may_name_scroll",
    "names_scroll",
    "no_spectators",
    "no_such_poll",
    "not_an_ai",
    "not_host",
    "not_ready",
    "not_seated",
    "not_started",
    "notes_stand",
    "paused",
    "quiet",
    "room_full",
    "said_before",
    "seat_taken",
    "too_fast",
    "too_late",
    "too_long",
    "unfired_scroll",
    "unknown_member",
    "unknown_phrase",
    "unknown_seat",
    "wrong_phase",
]
"""The closed list; each has its words in content/strings."""


class RoomRefused(Exception):
    """The room does not do what was asked: a code, and what would be right."""

    def __init__(self, code: RoomCode, detail: str = "") -> None:
        super().__init__(code)
        self.code: RoomCode = code
        self.detail = detail
