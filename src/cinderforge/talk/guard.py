"""The guard of scrolls that have not fired (R9.2): does a line name one, or quote its effect, however it is written?

A name is looked for as it is, give or take a sign; a quote by its weight, in which roles and everyday words
count little (content/talk/everyday.toml), so that talk about the game stays free.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final

from cinderforge.rules.words import ScrollId
from cinderforge.talk.folding import folded
from cinderforge.talk.hearing import HAN, LATIN, Heard, Mention, Script, hear
from cinderforge.talk.named import han_names, latin_names, short_name, shown_name
from cinderforge.talk.quoted import Quotes

_Reader = Callable[[Heard], Iterator[Mention]]
_READERS: Final[tuple[tuple[Script, _Reader, _Reader], ...]] = (
    (HAN, han_names, Quotes(HAN)),
    (LATIN, latin_names, Quotes(LATIN)),
)


def find(line: str, earlier: Sequence[str], unfired: Collection[ScrollId]) -> ScrollId | None:
    """The unfired scroll that a line names or quotes (R9.2), together with the same speaker's `earlier` lines.

    Of earlier lines, oldest first, only what runs on into this line is held against it. Scrolls that have fired may
    be spoken of, even in words that an unfired one shares with them.

    >>> from cinderforge.rules.scrolls import CATALOG
    >>> find("我拿到強 制 出 牌", [], CATALOG) == next(iter(CATALOG))
    True
    >>> find("我最後才出牌，你們先", [], CATALOG)
    """
    now, before = folded(line), [folded(text) for text in earlier]
    for script, names, quotes in _READERS:
        heard = hear(script, now, before)
        for reader in (names, quotes):
            told = _told(list(reader(heard)), heard.before, unfired)
            if told is not None:
                return told
    last = before[-1].plain + " " if before else ""
    called = (*short_name(last + now.plain, len(last)), *shown_name(last + now.plain, len(last)))
    return next((scroll for scroll in called if scroll in unfired), None)


def _told(mentions: list[Mention], before: int, unfired: Collection[ScrollId]) -> ScrollId | None:
    """The unfired scroll of which most is said, where no fired one accounts for the same words as well."""
    fired = [mention for mention in mentions if mention.scroll not in unfired]
    for mention in sorted(mentions, reverse=True):
        excused = any(f.weight >= mention.weight and f.start < mention.end and mention.start < f.end for f in fired)
        if mention.end > before and mention.scroll in unfired and not excused:
            return mention.scroll
    return None
