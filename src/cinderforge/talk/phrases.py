"""The quick phrases and reactions (R9.1): a closed list, so that all can talk at once, in any language, without typing.

Their texts are in content/strings, section `phrases`. None speaks of a scroll (R9.2); a test asks the guard.
"""

from __future__ import annotations

from typing import Final, Literal, get_args

Reaction = Literal["thumbs_up", "thumbs_down", "laugh", "shock", "doubt", "fire", "dragon", "clap"]
"""One emoji, shown at the seat."""
Phrase = Literal[
    "hello",
    "human",
    "trust_me",
    "i_play",
    "i_skip",
    "blanks_please",
    "people_please",
    "pass_to_me",
    "pass_elsewhere",
    "why",
    "who_played",
    "suspicious",
    "lie",
    "agree",
    "disagree",
    "thinking",
    "hurry",
    "well_done",
    "sorry",
    "good_game",
    Reaction,
]

PHRASES: Final[tuple[Phrase, ...]] = get_args(Phrase)
REACTIONS: Final[tuple[Reaction, ...]] = get_args(Reaction)
"""Those of the phrases that are reactions."""
