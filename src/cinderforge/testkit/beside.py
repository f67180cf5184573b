"""The engine and the compiled kernel side by side: one game in both, compared at every step.

The engine leads. What it dealt, drew and decided is fed to the kernel; then everything that the kernel holds must be
what the engine's state, read anew here, says it is: the public record, what is legal, what each seat knows, the truth.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from cinderforge import kernel as built
from cinderforge.rules.commands import EndNight, EndReveal, TimeOut
from cinderforge.rules.events import (
    BallotCast,
    CardDrawn,
    CardGiven,
    CardPeeked,
    CardPlayed,
    CrystalPassed,
    Event,
    FirstHolderFound,
    RolesLearned,
    ScrollSettled,
    Skipped,
    TargetsChosen,
)
from cinderforge.rules.game import Deal, begin, draw_deal, offers, take, take_clock
from cinderforge.rules.luck import SeededLuck
from cinderforge.rules.marks import SourcesOpen
from cinderforge.rules.offers import Offer, OfferPass, OfferPlay, OfferRow, OfferTargets, OfferVote, commands_of
from cinderforge.rules.scrolls import CATALOG
from cinderforge.rules.settings import DEFAULT_TARGETS, MAX_SEATS, MIN_SEATS, Settings, others_dealt
from cinderforge.rules.state import (
    EMPTY,
    PLAYED,
    SKIPPED,
    Acted,
    Fired,
    GameState,
    Table,
    awaited,
    must_play,
    must_skip,
    only_drawn,
)
from cinderforge.rules.words import NIGHT_ROLES, Card, Faction, Phase, Reason, Role, Turn

_CARDS: Final = {card: number for number, card in enumerate(Card)}
_ROLES: Final = {role: _CARDS[Card(role.value)] for role in Role}
_SCROLLS: Final = {scroll: number for number, scroll in enumerate(CATALOG)}
_REASONS: Final = {reason: number for number, reason in enumerate(Reason)}
_ACTS: Final = {PLAYED: 1, SKIPPED: 2, EMPTY: 3}
_VOTE, _PASS, _TARGET, _ROW, _PLAY, _OVER = 0, 1, 2, 4, 5, 6
_SKIP, _CHOOSE, _NOBODY = 7, 8, 18
_NONE: Final = 255
"""-1, as the byte that it is."""
_NEVER: Final = bytes([_NONE] * 10)
_UNSOLVED: Final = bytes(8) + _NEVER
_BLANK_ROUND: Final = bytes([_NONE] * 16) + bytes(21) + _UNSOLVED


class Different(Exception):
    """The kernel holds something else than the engine says."""


@dataclass(frozen=True, slots=True)
class Kernel:
    """A compiled kernel: the product's, or in a test one with a fault in it."""

    ffi: Any = built.ffi
    lib: Any = built.lib


@dataclass(slots=True)
class Pair:
    """One game in both. `hows` are the allowances of this round's acts, `past` the bytes of the rounds past."""

    kernel: Kernel
    settings: Settings
    deal: Deal
    state: GameState
    game: Any
    private: bytearray
    size: int
    hows: list[int] = field(default_factory=list)
    past: list[bytes] = field(default_factory=list)
    seen: bytearray = field(default_factory=lambda: bytearray(_NEVER))
    decisions: int = 0

    # -- leading the kernel --------------------------------------------------------------------------------------------

    def start(self, events: Sequence[Event], seed: int) -> None:
        """The kernel's game of the same deal, with the first holder of these events or a vote to come."""
        ffi, lib, rules = self.kernel.ffi, self.kernel.lib, self.settings
        first = next((event.turn - 1 for event in events if isinstance(event, FirstHolderFound)), -1)
        lib.cf_begin(
            self.game,
            ffi.new("cf_rules *", _rules(rules)),
            [_ROLES[role] for role in self.deal.roles],
            [_SCROLLS[scroll] for scroll in self.deal.scrolls],
            first,
            seed,
        )

    def follow(self, events: Sequence[Event]) -> None:
        """Does in the kernel what the engine's events say, and keeps what each seat was told of it."""
        for at, event in enumerate(events):
            match event:
                case CardPlayed(turn, card, _, _):
                    self._take(_CARDS[card])
                    self._holds(turn, card, -1)
                    self._put(turn, "plays", _CARDS[card], self.state.table.round - 1)
                    self._put(turn, "drawn", _NONE)
                case Skipped(turn, _):
                    self._take(_SKIP)
                    self._put(turn, "drawn", _NONE)
                case CrystalPassed(giver, to, _):
                    self._choose(giver, to)
                case TargetsChosen(turn, targets, _):
                    for target in targets:
                        self._choose(turn, target)
                case BallotCast(turn, target, _):
                    found = [later.turn - 1 for later in events[at:] if isinstance(later, FirstHolderFound)]
                    self._choose(turn, target, found[0] if found else -1)
                case CardDrawn(drawer, source, card, _):
                    self._holds(source, card, -1)
                    self._holds(drawer, card, 1)
                    self._put(drawer, "drawn", _CARDS[card])
                    self._sees(drawer, source, card)
                    self._sees(source, source, card)
                case CardPeeked(turn, of, card):
                    self._sees(turn, of, card)
                case CardGiven(_, to, card):
                    self._holds(to, card, 1)
                case RolesLearned(turn, roles):
                    for one, role in roles:
                        self._put(turn, role.value, one - 1)
                case ScrollSettled(_, _, _, Card() as card, _, _):
                    self._take(0, _CARDS[card])
                case _:
                    pass

    def _choose(self, turn: Turn, target: Turn | None, chance: int = -1) -> None:
        self._take(_NOBODY if target is None else _CHOOSE + (target - turn - 1) % self.settings.seats, chance)

    def _take(self, action: int, chance: int = -1) -> None:
        self.decisions += 1
        if self.kernel.lib.cf_take(self.game, action, chance):
            raise Different(f"the kernel refuses action {action} with chance {chance}")

    # -- what each seat was told ---------------------------------------------------------------------------------------

    def _put(self, turn: Turn, name: str, value: int, index: int = 0) -> None:
        self.private[(turn - 1) * self.size + _PRIVATE[name] + index] = value

    def _holds(self, turn: Turn, card: Card, change: int) -> None:
        self.private[(turn - 1) * self.size + _PRIVATE["hand"] + _CARDS[card]] += change

    def _sees(self, turn: Turn, of: Turn, card: Card) -> None:
        number = self.state.table.round - 1
        self._put(turn, "seen_card", _CARDS[card], number)
        self._put(turn, "seen_of", of - 1, number)
        self.seen[number] = _CARDS[card]

    # -- comparing -----------------------------------------------------------------------------------------------------

    def check(self) -> None:
        """Raises Different unless the kernel's public record and private views are the engine's."""
        buffer = self.kernel.ffi.buffer(self.game)
        public = _public(self.state.table, self.hows, self.past)
        if buffer[: len(public)] != public:
            raise Different(f"public: {_difference(self.kernel, 'cf_public', public, buffer[: len(public)])}")
        at = _PRIVATE_AT
        if buffer[at : at + len(self.private)] != self.private:
            self._tell_private(bytes(self.private), buffer[at : at + len(self.private)], "private")

    def check_legal(self, offer: Offer, turn: Turn) -> None:
        """Raises Different unless the kernel waits for this player and allows just what is offered."""
        kernel, n = self.kernel, self.settings.seats
        who = kernel.lib.cf_awaited(kernel.ffi.addressof(self.game, "pub"))
        if who != turn - 1:
            raise Different(f"the kernel waits for {who}, not {turn - 1}")
        masks = _masks(offer, turn, n)
        found = kernel.lib.cf_mask(self.game)
        if found != masks[0]:
            raise Different(f"legal: the engine allows {masks[0]:018b}, the kernel {found:018b}")
        for first, second in masks[1]:
            again = kernel.ffi.new("cf_game *", self.game[0])
            kernel.lib.cf_apply(again, first, -1)
            if kernel.lib.cf_mask(again) != second:
                raise Different(f"legal after {first}: {second:018b}, the kernel {kernel.lib.cf_mask(again):018b}")

    def check_allowances(self) -> None:
        """Raises Different unless the kernel knows what the marks allow everybody who has yet to act."""
        table, kernel = self.state.table, self.kernel
        public = kernel.ffi.addressof(self.game, "pub")
        for turn in table.order[len(table.acts) :]:
            found = kernel.lib.cf_how(public, turn - 1)
            if found != _how(table, turn):
                raise Different(f"player {turn - 1} is allowed {_how(table, turn)}, the kernel says {found}")

    def check_end(self) -> None:
        """Raises Different unless the whole truth is the same, and private views made anew are those that were kept."""
        kernel, vault = self.kernel, self.state.vault
        hidden = _hidden(self.settings.seats, self.deal, self.state, self.seen)
        found = kernel.ffi.buffer(kernel.ffi.addressof(self.game, "hid"))[:]
        if found != hidden:
            raise Different(f"truth: {_difference(kernel, 'cf_hidden', hidden, found)}")
        hands = [bytes(map(hand.count, Card)) for hand in vault.hands]
        at = _PRIVATE["hand"]
        told = [bytes(self.private[at + t * self.size :][:7]) for t in range(len(hands))]
        assert told == hands, "what the seats were told of their hands is what they hold"
        self.check_made_anew()

    def check_made_anew(self) -> None:
        """Raises Different unless the private views can be made from the public record and the truth."""
        kernel, game = self.kernel, self.game
        made = kernel.ffi.new("cf_private[]", self.settings.seats)
        for turn in range(self.settings.seats):
            args = kernel.ffi.addressof(game, "pub"), kernel.ffi.addressof(game, "hid"), turn
            kernel.lib.cf_private_of(*args, kernel.ffi.addressof(made, turn))
        self._tell_private(bytes(self.private), kernel.ffi.buffer(made)[:], "private, made anew")

    def _tell_private(self, expected: bytes, found: bytes, what: str) -> None:
        for at in range(0, len(expected), self.size):
            mine, theirs = expected[at : at + self.size], found[at : at + self.size]
            if mine != theirs:
                told = _difference(self.kernel, "cf_private", mine, theirs)
                raise Different(f"{what} of player {at // self.size}: {told}")


_PRIVATE: Final[dict[str, int]] = {name: kind.offset for name, kind in built.ffi.typeof("cf_private").fields}
_PRIVATE_AT: Final[int] = built.ffi.offsetof("cf_game", "priv")


def random_settings(rng: random.Random) -> Settings:
    """Any size and options; A and K at their defaults in half of the games, else anything that a table may have."""
    seats = rng.randint(MIN_SEATS, MAX_SEATS)
    targets = DEFAULT_TARGETS[seats]
    if rng.random() < 0.5:
        most = others_dealt(seats)
        targets = rng.randint(1, most), rng.randint(1, most)
    return Settings(
        seats=seats,
        first_holder=rng.choice(("random", "random", "vote")),
        sage_slain_ends=rng.random() < 0.6,
        activation_target=targets[0],
        kill_target=targets[1],
        act_last_lasts=rng.choice(("round", "game")),
    )


def play_both(seed: str, kernel: Kernel | None = None, watch: Callable[[Pair, Turn], None] | None = None) -> int:
    """One game of this seed in both; gives the number of decisions. Raises Different with the seed and the step.

    `watch` is called before each decision, with the player who makes it.
    """
    rng = random.Random(seed)
    settings = random_settings(rng)
    timeouts = rng.choice((0.0, 0.0, 0.0, 0.1))
    skips = rng.choice((0.0, 0.0, 0.4))
    pair = _opened(kernel or Kernel(), settings, rng)
    try:
        pair.check()
        while pair.state.table.phase is not Phase.OVER:
            if watch:
                watch(pair, awaited(pair.state.table)[0])
            _step(pair, rng, timeouts, skips)
        pair.check_end()
    except Different as different:
        raise Different(f"game {seed!r}, decision {pair.decisions}: {different}") from None
    return pair.decisions


def _opened(kernel: Kernel, settings: Settings, rng: random.Random) -> Pair:
    luck = SeededLuck(rng.randbytes(32))
    deal = draw_deal(settings, luck)
    state = begin(settings, deal, luck)
    _, state = take_clock(state, EndReveal())
    events, state = take_clock(state, EndNight())
    private = bytearray().join(_private(deal, turn) for turn in range(settings.seats))
    game = kernel.ffi.new("cf_game *")
    pair = Pair(kernel, settings, deal, state, game, private, len(private) // settings.seats)
    pair.start(events, rng.getrandbits(64))
    return pair


def _step(pair: Pair, rng: random.Random, timeouts: float, skips: float) -> None:
    """One command of the engine, done in the kernel, too."""
    state = pair.state
    table = state.table
    turn = awaited(table)[0]
    offer = offers(state, turn)
    assert offer is not None
    pair.check_legal(offer, turn)
    how = 0
    if table.phase is Phase.PLAY and table.marks:
        pair.check_allowances()
        how = _how(table, turn)
    if timeouts and rng.random() < timeouts:
        events, after = take_clock(state, TimeOut(turn))
    else:
        commands = commands_of(offer)
        skip = skips and isinstance(offer, OfferPlay) and offer.may_skip and rng.random() < skips
        chosen = commands[-1] if skip else commands[int(rng.random() * len(commands))]
        events, after = take(state, turn, chosen)
    pair.follow(events)
    if len(after.table.past) > len(table.past):
        _close_round(pair, table, how, after)
    elif table.phase is Phase.PLAY:
        pair.hows += [how, *[0] * (len(after.table.acts) - len(table.acts) - 1)]
    else:
        pair.hows = [0] * len(after.table.acts)
    pair.state = after
    pair.check()


def _close_round(pair: Pair, before: Table, how: int, after: GameState) -> None:
    """Rounds that are over do not change: their bytes are kept."""
    past = after.table.past[-1]
    hows = [*pair.hows, how] if before.phase is Phase.PLAY else []
    order = [act.turn for act in past.acts]
    counts = bytes(map(past.cards.count, Card))
    sources = bytearray(_NEVER)
    for turn, card in zip(past.sources or (), past.cards, strict=False):
        sources[turn - 1] = _CARDS[card]
    shown = counts + bytes([past.sources is not None]) + sources
    pair.past.append(_round(after.table, past.giver, past.holder, past.fired, order, past.acts, hows, shown))
    pair.hows = []


# -- the engine's state as the kernel would hold it --------------------------------------------------------------------


def _rules(rules: Settings) -> list[int]:
    return [
        rules.seats,
        rules.activation_target,
        rules.kill_target,
        int(rules.sage_slain_ends),
        int(rules.act_last_lasts == "game"),
        int(rules.first_holder == "vote"),
    ]


def _public(table: Table, hows: list[int], past: list[bytes]) -> bytes:
    n = len(table.seats)
    scrolls, rounds, voted = bytearray(_NEVER), bytearray(_NEVER), bytearray(10)
    for fired in table.fired:
        scrolls[fired.turn - 1] = _SCROLLS[fired.scroll]
        rounds[fired.turn - 1] = fired.round - 1
    for turn in table.voted:
        voted[turn - 1] = 1
    tally = table.tally
    blank = 10 - len(past)
    current = b""
    if table.giver is not None and table.phase is not Phase.OVER:
        opened = any(isinstance(mark, SourcesOpen) for mark in table.marks)
        shown = bytes(7) + bytes([opened]) + _NEVER
        assert table.holder is not None
        current = _round(table, table.giver, table.holder, table.fired[-1], table.order, table.acts, hows, shown)
        blank -= 1
    return b"".join(
        (
            bytes(_rules(table.settings)),
            bytes((_phase(table), (table.round - 1) & 255, _index(table.holder), _index(table.giver))),
            scrolls,
            rounds,
            bytes(table.hand_sizes) + bytes(10 - n),
            _players(table.acts_last),
            bytes([len(table.acts_last)]),
            voted,
            _ballots(table.ballots),
            bytes((tally.sage_activated, tally.activated, tally.slain, tally.sage_slain)),
            bytes((_winner(table), _NONE if table.reason is None else _REASONS[table.reason])),
            *past,
            current,
            _BLANK_ROUND * blank,
        )
    )


def _round(
    table: Table,
    giver: Turn,
    holder: Turn,
    fired: Fired,
    order: Sequence[Turn],
    acts: Sequence[Acted],
    hows: list[int],
    shown: bytes,
) -> bytes:
    missing = 10 - len(acts)
    return b"".join(
        (
            bytes((giver - 1, holder - 1, _SCROLLS[fired.scroll], _NONE if fired.effect is None else fired.effect)),
            _turned_on(table, fired),
            _players(order),
            bytes([_ACTS[act.act] for act in acts]) + bytes(missing),
            bytes(hows) + bytes(10 - len(hows)),
            bytes([len(acts)]),
            shown,
        )
    )


def _turned_on(table: Table, fired: Fired) -> bytes:
    """The players of a scroll; where it chooses none but draws from a hand, whose hand that is."""
    scroll = CATALOG[fired.scroll]
    targets = fired.targets
    if fired.effect is None and table.choice:
        targets = table.choice.targets
    if scroll.card_of and not scroll.players and fired.effect is not False:
        targets = (scroll.card_of(table, fired.turn, ()),)
    return bytes([turn - 1 for turn in targets] + [_NONE] * (2 - len(targets)))


def _hidden(n: int, deal: Deal, state: GameState, seen: bytearray) -> bytes:
    vault = state.vault
    nobody = bytes([_NONE]) * (10 - n)
    ballots = dict(vault.ballots)
    cast = [254 if (to := ballots[turn]) is None else to - 1 for turn in sorted(ballots)]
    drawn = bytearray(_NEVER)
    played = []
    for middle in vault.played:
        row = bytearray(_NEVER)
        for turn, card in middle:
            row[turn - 1] = _CARDS[card]
        played.append(bytes(row))
    return b"".join(
        (
            bytes([_ROLES[role] for role in vault.roles]) + nobody,
            b"".join(bytes(map(hand.count, Card)) for hand in vault.hands) + bytes(7 * (10 - n)),
            bytes([_SCROLLS[scroll] for scroll in vault.scrolls]) + nobody,
            drawn,
            b"".join(played) + _NEVER * (10 - len(played)),
            b"".join(bytes(map(hand.count, Card)) for hand in deal.hands) + bytes(7 * (10 - n)),
            seen,
            bytes(cast) + bytes([_NONE]) * (10 - len(cast)),
        )
    )


def _private(deal: Deal, at: int) -> bytes:
    """What a seat knows before the first pass (R3.3, R4.1)."""
    role, hand = deal.roles[at], bytes(map(deal.hands[at].count, Card))
    in_set = [one in NIGHT_ROLES for one in deal.roles]
    if in_set[at]:
        night = bytes(in_set) + bytes([_NONE] * (10 - len(in_set)))
    else:
        night = bytes([0 if t == at else _NONE for t in range(10)])
    head = bytes((at, _ROLES[role], _SCROLLS[deal.scrolls[at]]))
    return head + hand + bytes([_NONE]) + hand + _NEVER + night + bytes([_NONE] * 22)


def _phase(table: Table) -> int:
    match table.phase:
        case Phase.VOTE:
            return _VOTE
        case Phase.PASS:
            return _PASS
        case Phase.SCROLL:
            return _ROW if table.choice and table.choice.of is not None else _TARGET
        case Phase.PLAY:
            return _PLAY
        case _:
            return _OVER


def _how(table: Table, turn: Turn) -> int:
    """What the marks allow this player now, by the numbers of kernel.h."""
    if must_skip(table, turn):
        return 2
    return 3 * only_drawn(table, turn) + must_play(table, turn)


def _winner(table: Table) -> int:
    return _NONE if table.winner is None else int(table.winner is Faction.DRAGON)


def _index(turn: Turn | None) -> int:
    return _NONE if turn is None else turn - 1


def _players(turns: Sequence[Turn]) -> bytes:
    return bytes([turn - 1 for turn in turns] + [_NONE] * (10 - len(turns)))


def _ballots(ballots: tuple[Turn | None, ...] | None) -> bytes:
    cast = [254 if to is None else to - 1 for to in ballots or ()]
    return bytes(cast + [_NONE] * (10 - len(cast)))


def _masks(offer: Offer, turn: Turn, n: int) -> tuple[int, list[tuple[int, int]]]:
    """The actions that an offer allows, and for a choice of two those that each first one leaves."""
    match offer:
        case OfferPlay(cards, may_skip):
            return sum(1 << _CARDS[card] for card in cards) | may_skip << _SKIP, []
        case OfferRow():
            return 0, []
        case OfferPass(targets) | OfferVote(targets) | OfferTargets(targets):
            bits = [_CHOOSE + (target - turn - 1) % n for target in targets]
            whole = sum(1 << bit for bit in bits)
            is_double = isinstance(offer, OfferTargets) and offer.count == 2
            return whole, [(bit, whole & ~(1 << bit)) for bit in bits] if is_double else []


def _difference(kernel: Kernel, kind: str, expected: bytes, found: bytes) -> str:
    """The fields that differ, in words."""
    mine, theirs = (kernel.ffi.from_buffer(f"{kind} *", bytearray(one)) for one in (expected, found))
    names = [name for name, _ in kernel.ffi.typeof(kind).fields]
    told = [
        f"{path}: engine {one}, kernel {other}"
        for name in names
        for path, one, other in _unequal(kernel, name, getattr(mine, name), getattr(theirs, name))
    ]
    return "; ".join(told)


def _unequal(kernel: Kernel, path: str, one: Any, other: Any) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(one, int):
        if one != other:
            yield path, one, other
    elif kernel.ffi.typeof(one).kind == "array":
        for at in range(len(one)):
            yield from _unequal(kernel, f"{path}[{at}]", one[at], other[at])
    else:
        for name, _ in kernel.ffi.typeof(one).fields:
            yield from _unequal(kernel, f"{path}.{name}", getattr(one, name), getattr(other, name))
