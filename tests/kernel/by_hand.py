"""The belief once more, as plainly as can be: every deal, card and history told out and held against the record.

Slow, and written without a look at belief.c: what the two agree on to the ninth place is likely right.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import permutations
from typing import Any

Hands = tuple[tuple[int, ...], ...]
Story = tuple[Hands, int, tuple[tuple[int, int], ...], float]
"""Hands, the card drawn this round (-1: none), who has laid what, and the chance of all that."""

SAGE, MYSTIC, ADVENTURER, RED, TWO_HEADED, SHADOW, BLANK = range(7)
ROLES = {5: (0, 1, 2, 4, 5), 6: (0, 1, 2, 2, 4, 5), 7: (0, 1, 2, 2, 3, 4, 5)}
FREE, MUST_PLAY, MUST_SKIP, ONLY_DRAWN = range(4)
DRAWS, GIFT, PEEK = (2, 3), 6, 8


def beliefs(
    public: Any, private: Any | None
) -> dict[tuple[tuple[int, ...], Hands, tuple[tuple[int, int], ...]], float]:
    """Roles, hands and this round's middle → how likely; evenly chosen acts."""
    n = public.rules.n
    found: dict[Any, float] = defaultdict(float)
    for roles in sorted(set(permutations(ROLES[n]))):
        if private and not _fits(roles, private):
            continue
        for hands, _, laid, chance in _told(public, private, roles):
            if private and list(hands[private.me]) != list(private.hand):
                continue
            found[roles, hands, laid] += chance
    whole = sum(found.values())
    return {key: chance / whole for key, chance in found.items()}


def _fits(roles: tuple[int, ...], private: Any) -> bool:
    night = {SAGE, MYSTIC, RED, TWO_HEADED}
    return (
        roles[private.me] == private.role
        and all(seen < 0 or seen == (role in night) for role, seen in zip(roles, private.night, strict=False))
        and (private.sage < 0 or roles[private.sage] == SAGE)
        and (private.mystic < 0 or roles[private.mystic] == MYSTIC)
    )


def _hand_of(role: int) -> tuple[int, ...]:
    cards = Counter([TWO_HEADED, TWO_HEADED, ADVENTURER] if role == TWO_HEADED else [role, BLANK, BLANK])
    return tuple(cards[kind] for kind in range(7))


def _changed(hands: Hands, who: int, kind: int, by: int) -> Hands:
    hand = list(hands[who])
    hand[kind] += by
    return (*hands[:who], tuple(hand), *hands[who + 1 :])


def _told(public: Any, private: Any | None, roles: tuple[int, ...]) -> list[Story]:
    stories: list[Story] = [(tuple(_hand_of(role) for role in roles), -1, (), 1.0)]
    for number in range(public.round + 1):
        record = public.rounds[number]
        stories = [
            after for hands, _, _, chance in stories for after in _scroll(record, private, number, hands, chance)
        ]
        for place in range(record.acted):
            stories = [after for story in stories for after in _act(record, private, number, place, story)]
        if record.acted == public.rules.n:
            stories = [story for story in stories if _is_shown(record, story[2])]
            stories = [(hands, -1, (), chance) for hands, _, _, chance in stories]
    return stories


def _scroll(record: Any, private: Any | None, number: int, hands: Hands, chance: float) -> Iterator[Story]:
    if record.effect == 1 and record.scroll == GIFT:
        yield _changed(hands, record.t1, BLANK, 1), -1, (), chance
    elif record.effect == 1 and (record.scroll in DRAWS or record.scroll == PEEK):
        seen = private.seen_card[number] if private else -1
        if record.scroll == PEEK and seen < 0:
            yield hands, -1, (), chance
            return
        size = sum(hands[record.t1])
        for kind, count in enumerate(hands[record.t1]):
            if not count or seen not in (-1, kind):
                continue
            after = hands
            if record.scroll in DRAWS:
                after = _changed(_changed(hands, record.t1, kind, -1), record.holder, kind, 1)
            yield after, kind if record.scroll in DRAWS else -1, (), chance * count / size
    else:
        yield hands, -1, (), chance


def _act(record: Any, private: Any | None, number: int, place: int, story: Story) -> Iterator[Story]:
    hands, drawn, laid, chance = story
    who, act, how = record.order[place], record.act[place], record.how[place]
    if act == 3:
        if not sum(hands[who]):
            yield story
        return
    if not sum(hands[who]):
        return
    kinds = [kind for kind, count in enumerate(hands[who]) if count and how != MUST_SKIP]
    if how == ONLY_DRAWN:
        kinds = [drawn]
    ways = len(kinds) + (how != MUST_PLAY)
    mine = private is not None and private.me == who
    each = chance if mine else chance / ways
    if act == 2:
        if how != MUST_PLAY:
            yield hands, drawn, laid, each
        return
    for kind in kinds:
        if mine and private.plays[number] != kind:  # type: ignore[union-attr]
            continue
        yield _changed(hands, who, kind, -1), drawn, (*laid, (who, kind)), each


def _is_shown(record: Any, laid: tuple[tuple[int, int], ...]) -> bool:
    if record.open:
        return all(record.source[who] == kind for who, kind in laid)
    shown = Counter(kind for _, kind in laid)
    return all(shown[kind] == record.count[kind] for kind in range(7))
