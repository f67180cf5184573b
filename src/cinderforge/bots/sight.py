"""View and recollection in the compiled kernel's own numbers: what belief, nets and search are shown of a game.

From these two alone, so nothing else can get into what an AI thinks (R11).
"""

from __future__ import annotations

from typing import Any, Final

from cinderforge.kernel import ffi, lib
from cinderforge.redaction.recollection import Recollection
from cinderforge.redaction.shapes import ActView, PassOffer, PlayerView, PlayOffer, RowOffer, TableView, View, VoteOffer
from cinderforge.rules.scrolls import CATALOG
from cinderforge.rules.settings import hand_of
from cinderforge.rules.words import NIGHT_ROLES, Card, Phase, Role, Turn

CARDS: Final = (
    Card.SAGE,
    Card.MYSTIC,
    Card.ADVENTURER,
    Card.RED_DRAGON,
    Card.TWO_HEADED_DRAGON,
    Card.SHADOW_DRAGON,
    Card.BLANK,
)
"""By the kernel's numbers; roles have the numbers of their cards."""

NUMBER_OF: Final = {card: number for number, card in enumerate(CARDS)}
_ROLE: Final = {role: NUMBER_OF[Card(role.value)] for role in Role}
_SCROLL: Final = {scroll: number for number, scroll in enumerate(CATALOG)}
_ACT: Final = {"played": lib.CF_PLAYED, "skipped": lib.CF_SKIPPED, "empty": lib.CF_EMPTY}


def sight(view: View, recollection: Recollection) -> tuple[Any, Any]:
    """`cf_public` and `cf_private` for the player of this view, who is on offer."""
    assert view.you
    public = ffi.new("cf_public *")
    private = ffi.new("cf_private *")
    _public(view.table, view.you, public)
    _private(view.table, view.you, recollection, private)
    return public, private


def _public(table: TableView, you: PlayerView, out: Any) -> None:
    count, rules = len(table.seats), table.rules
    ffi.memmove(out, _EMPTY, ffi.sizeof("cf_public"))
    out.rules = (
        count,
        rules.activation_target,
        rules.kill_target,
        rules.sage_slain_ends,
        rules.act_last_lasts == "game",
        rules.first_holder == "vote",
    )
    out.phase = _phase(you)
    out.round = table.round - 1
    out.holder, out.giver = _at(table.holder), _at(table.giver)
    out.hand_size[0:count] = table.hand_sizes
    for fired in table.fired:
        out.fired_scroll[fired.turn - 1] = _SCROLL[fired.scroll]
        out.fired_round[fired.turn - 1] = fired.round - 1
        one = out.rounds[fired.round - 1]
        one.scroll = _SCROLL[fired.scroll]
        one.effect = -1 if fired.effect is None else fired.effect
        one.t1, one.t2 = _two(fired.targets)
    out.lasts = len(table.acts_last)
    out.last[0 : out.lasts] = _all(table.acts_last)
    for turn in table.voted:
        out.voted[turn - 1] = 1
    if table.ballots is not None:
        out.ballot[0:count] = [-2 if target is None else target - 1 for target in table.ballots]
    tally = table.tally
    out.sage_activated, out.activated = tally.sage_activated, tally.activated
    out.sage_slain, out.slain = tally.sage_slain, tally.slain
    for past in table.past:
        one = out.rounds[past.number - 1]
        one.giver, one.holder = past.giver - 1, past.holder - 1
        _acts(past.acts, one)
        one.order[0:count] = [act.turn - 1 for act in past.acts]
        for card in past.cards:
            one.count[NUMBER_OF[card]] += 1
        if past.sources is not None:
            one.open = 1
            for turn, card in zip(past.sources, past.cards, strict=True):
                one.source[turn - 1] = NUMBER_OF[card]
    _present(table, out)
    lib.cf_complete(out)


def _present(table: TableView, out: Any) -> None:
    """The round that is going on."""
    if table.order is None:
        return
    one = out.rounds[table.round - 1]
    one.giver, one.holder = _at(table.giver), _at(table.holder)
    one.order[0 : len(table.order)] = _all(table.order)
    one.open = any(mark.__struct_config__.tag == "sources_open" for mark in table.marks)
    _acts(table.acts, one)
    if table.choice is not None:
        one.t1, one.t2 = _two(table.choice.targets)
        if table.choice.of is not None:
            one.t1 = table.choice.of - 1


def _private(table: TableView, you: PlayerView, recalled: Recollection, out: Any) -> None:
    ffi.memmove(out, _UNKNOWN, ffi.sizeof("cf_private"))
    me, role = you.turn - 1, _ROLE[you.role]
    out.me, out.role, out.scroll = me, role, _SCROLL[you.scroll]
    _count(you.hand, out.hand)
    _count(hand_of(you.role), out.start_hand)
    if you.drawn is not None:
        out.drawn = NUMBER_OF[you.drawn]
    for number, card in enumerate((*you.plays, you.played)):
        if card is not None:
            out.plays[number] = NUMBER_OF[card]
    if recalled.night is None:
        out.night[me] = you.role in NIGHT_ROLES
    else:
        for turn in range(len(table.seats)):
            out.night[turn] = turn == me or Turn(turn + 1) in recalled.night
    for known in recalled.roles:
        if known.role is Role.SAGE:
            out.sage = known.turn - 1
        elif known.role is Role.MYSTIC:
            out.mystic = known.turn - 1
    for seen in recalled.cards:
        out.seen_card[seen.round - 1] = NUMBER_OF[seen.card]
        out.seen_of[seen.round - 1] = seen.of - 1


def phase_of_table(table: TableView) -> int:
    """The kernel's phase by day, for whoever is not on offer."""
    return int(
        {Phase.VOTE: lib.CF_VOTE, Phase.PASS: lib.CF_PASS, Phase.PLAY: lib.CF_PLAY}.get(table.phase, lib.CF_TARGET1)
    )


def _phase(you: PlayerView) -> int:
    match you.offer:
        case VoteOffer():
            return int(lib.CF_VOTE)
        case PassOffer():
            return int(lib.CF_PASS)
        case RowOffer():
            return int(lib.CF_ROW)
        case PlayOffer():
            return int(lib.CF_PLAY)
        case _:
            return int(lib.CF_TARGET1)


def _acts(acts: list[ActView], one: Any) -> None:
    one.acted = len(acts)
    one.act[0 : len(acts)] = [_ACT[act.act] for act in acts]


def _count(cards: Any, out: Any) -> None:
    out[0:7] = (0,) * 7
    for card in cards:
        out[NUMBER_OF[card]] += 1


def _at(turn: Turn | None) -> int:
    return -1 if turn is None else turn - 1


def _all(turns: list[Turn]) -> list[int]:
    return [turn - 1 for turn in turns]


def _two(targets: list[Turn]) -> tuple[int, int]:
    one, two, *_ = (*_all(targets), -1, -1)
    return one, two


def _empty() -> Any:
    """A public record of nothing yet."""
    out = ffi.new("cf_public *")
    ffi.memmove(out, b"\xff" * ffi.sizeof("cf_public"), ffi.sizeof("cf_public"))
    out.lasts = out.sage_activated = out.activated = out.slain = out.sage_slain = 0
    out.hand_size = out.voted = (0,) * 10
    for one in out.rounds:
        one.act = one.how = (0,) * 10
        one.count = (0,) * 7
        one.acted = one.open = 0
    return out


_EMPTY: Final = _empty()
_UNKNOWN: Final = b"\xff" * ffi.sizeof("cf_private")
