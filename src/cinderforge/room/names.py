"""What a person may be called: text of any script, measured in graphemes, shown harmlessly."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Final

import regex

from cinderforge.talk.look_alikes import LATIN
from cinderforge.talk.text import harmless, seen

MAX_GRAPHEMES: Final = 24
MAX_WIDTH: Final = 24
"""In columns: a Han character takes two."""

_ONE_SIGN: Final = str.maketrans("l1|0", "iiio")

AI_NAMES: Final = (
    "Aldric",
    "Brenna",
    "Cassim",
    "Delwyn",
    "Eirlys",
    "Faolan",
    "Gwenda",
    "Hesper",
    "Ismay",
    "Joram",
)


def cleaned(name: str) -> str:
    r"""The name as it is shown, "" if nothing of it can be. Never longer than a seat has room for.

    >>> cleaned("  Ann\u202e \n Lee ")
    'Ann Lee'
    """
    kept, width = [], 0
    for grapheme in harmless(name, MAX_GRAPHEMES):
        width += 2 if unicodedata.east_asian_width(grapheme[0]) in "WF" else 1
        if width > MAX_WIDTH:
            break
        kept.append(grapheme)
    return seen(kept)


def distinct(name: str, others: Iterable[str]) -> str:
    """The name, with a number where somebody else's reads alike."""
    taken = {_skeleton(other) for other in others}
    number = 2
    tried = name
    while _skeleton(tried) in taken:
        tried = f"{name} {number}"
        number += 1
    return tried


def _skeleton(name: str) -> str:
    """What two names that read alike have in common: width, case, spacing, joiners and punctuation aside, letters of
    other scripts that look like Latin ones for these, and one sign for those that look the same in many fonts.
    """
    folded = unicodedata.normalize("NFKC", name).casefold().translate(LATIN).translate(_ONE_SIGN)
    return regex.sub(r"[\s\p{Cf}\p{P}]", "", folded) or folded
