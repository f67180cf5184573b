"""The closed list of reasons for which the rules refuse a command."""

from __future__ import annotations

from enum import StrEnum


class Code(StrEnum):
    """In the order in which they apply (docs/formats.md, "Which code")."""

    GAME_OVER = "game_over"
    UNKNOWN_PLAYER = "unknown_player"
    WRONG_PHASE = "wrong_phase"
    NOT_YOUR_TURN = "not_your_turn"
    BAD_CHOICE = "bad_choice"
    SELF_NOT_ALLOWED = "self_not_allowed"
    DUPLICATE_TARGET = "duplicate_target"
    SCROLL_ALREADY_FIRED = "scroll_already_fired"
    TARGET_HAS_NO_CARDS = "target_has_no_cards"
    NO_SUCH_CARD = "no_such_card"
    MUST_PLAY = "must_play"
    MUST_SKIP = "must_skip"
    NOT_IN_HAND = "not_in_hand"
    ONLY_DRAWN_CARD = "only_drawn_card"


class Rejected(Exception):
    """A player asked for what is not on offer. The code follows from that player's own view."""

    def __init__(self, code: Code) -> None:
        super().__init__(code.value)
        self.code = code
