"""What a person may be called: text of any script, measured in graphemes, shown harmlessly."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Final

import regex

MAX_GRAPHEMES: Final = 24
MAX_WIDTH: Final = 24
"""In columns: a Han character takes two."""
_MAX_MARKS: Final = 4
"""Combining marks that one grapheme may carry; the rest would only flood the line."""

_GRAPHEME: Final = regex.compile(r"\X")
_UNSEEN: Final = regex.compile(r"[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|(?![\u200c\u200d\U000E0020-\U000E007F])\p{Cf}")
"""Controls, lone surrogates, bidi overrides, zero-width spaces; but for joiners and the tags of flags."""

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
    text = unicodedata.normalize("NFC", name.encode("utf-8", "ignore").decode("utf-8"))
    text = " ".join(_UNSEEN.sub("", regex.sub(r"\s+", " ", text)).split())
    kept, width = [], 0
    for grapheme in _GRAPHEME.findall(text)[:MAX_GRAPHEMES]:
        width += 2 if unicodedata.east_asian_width(grapheme[0]) in "WF" else 1
        if width > MAX_WIDTH:
            break
        kept.append(_with_few_marks(grapheme))
    shown = "".join(kept).strip()
    return shown if regex.search(r"[\p{L}\p{N}\p{S}\p{P}]", shown) else ""


def distinct(name: str, others: Iterable[str]) -> str:
    """The name, with a number where somebody else's reads alike."""
    taken = {_skeleton(other) for other in others}
    number = 2
    tried = name
    while _skeleton(tried) in taken:
        tried = f"{name} {number}"
        number += 1
    return tried


def _with_few_marks(grapheme: str) -> str:
    marks = 0
    out = []
    for char in grapheme:
        if unicodedata.category(char) in ("Mn", "Me"):
            marks += 1
            if marks > _MAX_MARKS:
                continue
        out.append(char)
    return "".join(out)


def _skeleton(name: str) -> str:
    """What two names that read alike have in common: width, case, spacing and joiners aside."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return regex.sub(r"[\s\p{Cf}]", "", folded)
