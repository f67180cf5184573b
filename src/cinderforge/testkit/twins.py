"""Another world: a game in which all that an eye was never told is dealt anew, and the rest is as it was (R11).

Who knows what is restated here on purpose: asking the code under test would hide its faults. A twin is a whole game,
legal by the rules; `replayed` plays its commands again and must come to the very same events.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from cinderforge.redaction.eye import Eye, PlayerEye
from cinderforge.rules import events as e
from cinderforge.rules import evolve as folding
from cinderforge.rules.commands import (
    CastVote,
    ChooseCard,
    ChooseTargets,
    ClockCommand,
    Command,
    EndAnnouncement,
    EndNight,
    EndReveal,
    PassCrystal,
    PlayCard,
    Skip,
    TimeOut,
)
from cinderforge.rules.game import Deal, begin, draw_deal, offers, take, take_clock
from cinderforge.rules.luck import Luck, SeededLuck
from cinderforge.rules.marks import OnlyCard
from cinderforge.rules.offers import commands_of
from cinderforge.rules.scrolls import CATALOG
from cinderforge.rules.settings import MAX_SEATS, MIN_SEATS, Settings, hand_of, others_dealt, settings_from
from cinderforge.rules.state import GameState, awaited
from cinderforge.rules.words import Card, How, Phase, Role, ScrollId, Turn

NIGHT_SET: Final = frozenset({Role.SAGE, Role.MYSTIC, Role.TWO_HEADED_DRAGON, Role.RED_DRAGON})
INSIGHT: Final = tuple(CATALOG)[9]
"""R6.10, the tenth of the catalogue: a twin world has to know who learns of it."""
SOLE: Final = (Role.SAGE, Role.MYSTIC, Role.RED_DRAGON, Role.TWO_HEADED_DRAGON, Role.SHADOW_DRAGON)
"""Roles of one player each, and their cards lie in no other starting hand."""


@dataclass(frozen=True, slots=True)
class Move:
    """One command, of a player or the clock, and all events that it led to: what is sent in one go."""

    turn: Turn | None
    command: Command | ClockCommand
    events: tuple[e.Event, ...]


@dataclass(frozen=True, slots=True)
class World:
    """A game up to some moment. `luck` is the hidden chance; the moves already hold what it gave."""

    settings: Settings
    deal: Deal
    luck: Luck
    moves: tuple[Move, ...]

    def states(self) -> Iterator[GameState]:
        """The state before the first move, then after each: what may be looked at."""
        state = begin(self.settings, self.deal, self.luck)
        yield state
        for move in self.moves:
            for event in move.events:
                state = folding.evolve(state, event)
            yield state

    def until(self, moves: int) -> World:
        return replace(self, moves=self.moves[:moves])

    @property
    def events(self) -> list[e.Event]:
        return [event for move in self.moves for event in move.events]


def any_settings(rng: random.Random, seats: int | None = None) -> Settings:
    """Settings of any table size, with every option one way or the other."""
    seats = seats or rng.randint(MIN_SEATS, MAX_SEATS)
    return settings_from(
        {
            "seats": seats,
            "first_holder": rng.choice(["vote", "random"]),
            "sage_slain_ends": rng.random() < 0.5,
            "act_last_lasts": rng.choice(["round", "game"]),
            "memory_aid": rng.random() < 0.5,
            "activation_target": rng.randint(1, others_dealt(seats)),
            "kill_target": rng.randint(1, others_dealt(seats)),
        }
    )


def any_world(rng: random.Random, settings: Settings | None = None, wanted: Sequence[ScrollId] = ()) -> World:
    """A whole game of random legal moves. The scrolls wanted are among those dealt, so that rare things happen."""
    settings = settings or any_settings(rng)
    luck = SeededLuck(rng.randbytes(32))
    deal = draw_deal(settings, luck)
    if wanted:
        rest = [scroll for scroll in CATALOG if scroll not in wanted]
        scrolls = [*wanted, *rng.sample(rest, max(0, settings.seats - len(wanted)))][: settings.seats]
        deal = replace(deal, scrolls=tuple(rng.sample(scrolls, settings.seats)))
    return play_out(settings, deal, luck, rng, timeouts=rng.choice([0.0, 0.1]), boldness=rng.choice([0.0, 0.5, 1.0]))


def play_out(
    settings: Settings, deal: Deal, luck: Luck, rng: random.Random, *, timeouts: float, boldness: float
) -> World:
    """Plays this deal to its end. Half of the announcements end by the clock before anybody moves.

    `timeouts` is how often time runs out, `boldness` how often a card is played where skipping was allowed, both from
    0 to 1; at 0 boldness every legal command is equally likely. Bold players have empty hands soon.
    """
    state = begin(settings, deal, luck)
    moves: list[Move] = []
    while state.table.phase is not Phase.OVER:
        turn, command = _next(state, rng, timeouts, boldness)
        if turn is None:
            assert isinstance(command, ClockCommand)
            events, state = take_clock(state, command)
        else:
            assert isinstance(command, Command)
            events, state = take(state, turn, command)
        moves.append(Move(turn, command, tuple(events)))
    return World(settings, deal, luck, tuple(moves))


def _next(
    state: GameState, rng: random.Random, timeouts: float, boldness: float
) -> tuple[Turn | None, Command | ClockCommand]:
    table = state.table
    if table.phase is Phase.REVEAL:
        return None, EndReveal()
    if table.phase is Phase.NIGHT:
        return None, EndNight()
    if table.announcing and rng.random() < 0.5:
        return None, EndAnnouncement()
    turn = rng.choice(awaited(table))
    if rng.random() < timeouts:
        return None, TimeOut(turn)
    offer = offers(state, turn)
    assert offer is not None
    commands = commands_of(offer)
    if len(commands) > 1 and rng.random() < boldness:
        commands = tuple(command for command in commands if not isinstance(command, Skip))
    return turn, rng.choice(commands)


# -- another world -----------------------------------------------------------------------------------------------------


def twin(world: World, eye: Eye, rng: random.Random, attempts: int = 40) -> World | None:
    """A world that this eye cannot tell from the one it sees; None where no other was found.

    The game must not be over: after the end everybody is told everything (R7.5).
    """
    me = eye.turn if isinstance(eye, PlayerEye) else None
    story = _Story(world, me)
    for attempt in range(attempts):
        roles = _other_roles(story, rng, attempt / attempts)
        if roles is None:
            continue
        cards = _other_cards(story, [hand_of(role) for role in roles], rng)
        if cards is not None:
            deal = replace(
                world.deal,
                roles=roles,
                hands=tuple(hand_of(role) for role in roles),
                scrolls=_other_scrolls(story, rng),
            )
            moves = _retold(story, deal, cards, rng)
            return World(world.settings, deal, SeededLuck(rng.randbytes(32)), moves)
    return None


@dataclass(frozen=True, slots=True)
class _Gift:
    """Everybody sees a blank card join a hand (R6.7)."""

    to: Turn


@dataclass(frozen=True, slots=True)
class _Draw:
    """A face-down card changes hands (R6.3). `told` where this eye is one of the two players."""

    drawer: Turn
    of: Turn
    told: Card | None


@dataclass(frozen=True, slots=True)
class _Peek:
    """A face-down card is looked at (R6.9). `told` where this eye looks."""

    of: Turn
    told: Card | None


@dataclass(frozen=True, slots=True)
class _Lay:
    """A card is played face down. `told` where this eye knows it: its own, or shown with its player (R6.2)."""

    turn: Turn
    round: int
    last: bool
    told: Card | None


_Deed = _Gift | _Draw | _Peek | _Lay


class _Story:
    """What an eye was told of a world, from its own point of view."""

    def __init__(self, world: World, me: Turn | None) -> None:
        self.world = world
        self.me = me
        self.deeds: list[_Deed] = []
        self.shown: list[Counter[Card]] = []
        """By round resolved: the cards that everybody saw."""
        self.played_in: list[set[Turn]] = [set()]
        self.fired: dict[Turn, ScrollId] = {}
        self.is_night_told = False
        self.is_vote_closed = False
        self.roles_told: dict[Turn, Role] = {}
        self._only: set[Turn] = set()
        self._open_from: dict[int, list[Turn]] = {}
        for event in world.events:
            self._hear(event)
        self._open_sources()

    def _hear(self, event: e.Event) -> None:
        match event:
            case e.NightBegan():
                self.is_night_told = True
            case e.VoteClosed():
                self.is_vote_closed = True
            case e.RoundBegan():
                self._only = set()
            case e.ScrollShown(turn, scroll, _):
                self.fired[turn] = scroll
            case e.RolesLearned(turn, roles) if turn == self.me:
                self.roles_told |= dict(roles)
            case e.Marked(OnlyCard(turn)):
                self._only.add(turn)
            case e.CardGiven(_, to, card):
                assert card is Card.BLANK
                self.deeds.append(_Gift(to))
            case e.CardDrawn(drawer, source, card, _):
                self.deeds.append(_Draw(drawer, source, card if self.me in (drawer, source) else None))
            case e.CardPeeked(turn, of, card):
                self.deeds.append(_Peek(of, card if self.me == turn else None))
            case e.CardPlayed(turn, card, _, _):
                self.played_in[-1].add(turn)
                told = card if self.me == turn else None
                self.deeds.append(_Lay(turn, len(self.shown), turn in self._only, told))
            case e.CardsResolved(cards, sources, _):
                if sources is not None:
                    self._open_from[len(self.shown)] = list(sources)
                self.shown.append(Counter(cards))
                self.played_in.append(set())
            case _:
                pass

    def _open_sources(self) -> None:
        """After a round with open sources everybody knows who played what in it (R6.2)."""
        if not self._open_from:
            return
        cards = {
            number: dict(zip(sources, event.cards, strict=True))
            for number, (event, sources) in enumerate(
                (event, event.sources) for event in self.world.events if isinstance(event, e.CardsResolved)
            )
            if sources is not None
        }
        self.deeds = [
            replace(deed, told=cards[deed.round][deed.turn]) if isinstance(deed, _Lay) and deed.round in cards else deed
            for deed in self.deeds
        ]


def _other_roles(story: _Story, rng: random.Random, despair: float) -> tuple[Role, ...] | None:
    """Roles dealt anew. After many failures, roles near those of the world, at last the same ones."""
    roles = list(story.world.deal.roles)
    if despair > 0.9:
        return tuple(roles)
    if despair > 0.6:
        one, other = rng.sample(range(len(roles)), 2)
        roles[one], roles[other] = roles[other], roles[one]
        return tuple(roles) if _may_be(story, roles) else None
    return _drawn_roles(story, rng)


def _drawn_roles(story: _Story, rng: random.Random) -> tuple[Role, ...] | None:
    """The sole roles go to players who could have played their cards when these were shown, one after the other."""
    dealt = story.world.deal.roles
    turns = [Turn(t) for t in range(1, len(dealt) + 1)]
    candidates = {role: [t for t in turns if _could_be(story, t, role)] for role in SOLE if role in dealt}
    given: dict[Turn, Role] = {}
    for role in sorted(candidates, key=lambda role: len(candidates[role])):
        free = [t for t in candidates[role] if t not in given]
        if not free:
            return None
        given[rng.choice(free)] = role
    roles = [given.get(t, Role.ADVENTURER) for t in turns]
    return tuple(roles) if _may_be(story, roles) else None


def _could_be(story: _Story, turn: Turn, role: Role) -> bool:
    """A first sieve: what this eye was told of roles, and who could have played this role's card when it was shown."""
    dealt = story.world.deal.roles
    if turn == story.me and role is not dealt[turn - 1]:
        return False
    if turn != story.me and story.me is not None and role is dealt[story.me - 1] and role in SOLE:
        return False
    if _saw_the_night(story) and (role in NIGHT_SET) != (dealt[turn - 1] in NIGHT_SET):
        return False
    if story.roles_told and (turn in story.roles_told or role in story.roles_told.values()):
        return story.roles_told.get(turn) is role
    carriers = {turn}
    for deed in story.deeds:
        if isinstance(deed, _Draw) and deed.of in carriers:
            carriers.add(deed.drawer)
    card = Card(role.value)
    return all(carriers & played for shown, played in zip(story.shown, story.played_in, strict=False) if shown[card])


def _saw_the_night(story: _Story) -> bool:
    return story.is_night_told and story.me is not None and story.world.deal.roles[story.me - 1] in NIGHT_SET


def _may_be(story: _Story, roles: Sequence[Role]) -> bool:
    """Whether these roles agree with all that this eye was told of roles: its own, the night's set, an insight."""
    dealt = story.world.deal.roles
    if story.me is not None and roles[story.me - 1] is not dealt[story.me - 1]:
        return False
    if _saw_the_night(story) and any((a in NIGHT_SET) != (b in NIGHT_SET) for a, b in zip(roles, dealt, strict=True)):
        return False
    return all(roles[turn - 1] is role for turn, role in story.roles_told.items())


def _other_scrolls(story: _Story, rng: random.Random) -> tuple[ScrollId, ...]:
    """Those that fired and one's own stay; the others come from all the rest of the ten (R3.1)."""
    dealt = story.world.deal.scrolls
    kept = {turn for turn in range(1, len(dealt) + 1) if turn in story.fired or turn == story.me}
    rest = [scroll for scroll in CATALOG if scroll not in {dealt[turn - 1] for turn in kept}]
    rng.shuffle(rest)
    return tuple(dealt[t - 1] if t in kept else rest.pop() for t in range(1, len(dealt) + 1))


Hands = list[tuple[Card, ...]]


def _other_cards(story: _Story, hands: Hands, rng: random.Random, patience: int = 400) -> list[Card] | None:
    """A card for every deed, so that each round shows what was shown. Tries in random order, and goes back."""
    left = [patience]
    chosen: list[Card] = []

    def go_on(at: int, hands: Hands, shown: Counter[Card], number: int) -> bool:
        if at == len(story.deeds):
            return True
        left[0] -= 1
        if left[0] < 0:
            return False
        deed = story.deeds[at]
        if isinstance(deed, _Lay) and (deed.round != number):
            number = deed.round
            shown = story.shown[number].copy() if number < len(story.shown) else Counter()
            if not _can_show(story, number, hands):
                return False
        bound = isinstance(deed, _Lay) and number < len(story.shown)
        options = _options(deed, hands)
        rng.shuffle(options)
        for card in options:
            if bound and not shown[card]:
                continue
            chosen.append(card)
            if bound:
                shown[card] -= 1
            if go_on(at + 1, _done(deed, card, hands), shown, number):
                return True
            if bound:
                shown[card] += 1
            chosen.pop()
        return False

    return chosen if go_on(0, hands, Counter(), -1) else None


def _can_show(story: _Story, number: int, hands: Hands) -> bool:
    """A quick look ahead: for each kind shown in this round there are enough players who hold it and played."""
    if number >= len(story.shown):
        return True
    holders = Counter(card for turn in story.played_in[number] for card in set(hands[turn - 1]))
    return all(holders[card] >= count for card, count in story.shown[number].items())


def _options(deed: _Deed, hands: Hands) -> list[Card]:
    match deed:
        case _Gift():
            return [Card.BLANK]
        case _Draw(_, of, told) | _Peek(of, told):
            hand = hands[of - 1]
        case _Lay(turn, _, last, told):
            hand = hands[turn - 1][-1:] if last else hands[turn - 1]
    return [card for card in dict.fromkeys(hand) if told is None or card is told]


def _done(deed: _Deed, card: Card, hands: Hands) -> Hands:
    """The hands after a deed; cards leave and join as the rules have it (docs/formats.md, "Chance")."""
    hands = list(hands)
    match deed:
        case _Gift(to):
            hands[to - 1] = (*hands[to - 1], card)
        case _Peek():
            pass
        case _Draw(drawer, of):
            hands[of - 1] = _less(hands[of - 1], hands[of - 1].index(card))
            hands[drawer - 1] = (*hands[drawer - 1], card)
        case _Lay(turn, _, last):
            hand = hands[turn - 1]
            hands[turn - 1] = _less(hand, len(hand) - 1 if last else hand.index(card))
    return hands


def _less(hand: tuple[Card, ...], at: int) -> tuple[Card, ...]:
    return hand[:at] + hand[at + 1 :]


# -- telling it again --------------------------------------------------------------------------------------------------


def _retold(story: _Story, deal: Deal, cards: Sequence[Card], rng: random.Random) -> tuple[Move, ...]:
    """The moves of the world with what this eye was never told exchanged."""
    teller = _Teller(story, deal, list(zip(story.deeds, cards, strict=True)), rng)
    return tuple(teller.move(number, move) for number, move in enumerate(story.world.moves))


class _Teller:
    def __init__(self, story: _Story, deal: Deal, deeds: list[tuple[_Deed, Card]], rng: random.Random) -> None:
        self.story = story
        self.deal = deal
        self.deeds = deeds
        self.rng = rng
        self.hands: Hands = list(deal.hands)
        self.seen: Card | None = None
        self.favourite = Turn(rng.randint(1, len(deal.roles)))
        self.loyalty = rng.choice([0.0, 0.9])

    def move(self, number: int, move: Move) -> Move:
        command = move.command
        if isinstance(command, CastVote) and self._is_sealed(move.turn):
            command = CastVote(self._ballot())
        events: list[e.Event] = []
        for event in move.events:
            events += self._event(number, event, command)
        if isinstance(command, PlayCard):
            command = PlayCard(next(event.card for event in events if isinstance(event, e.CardPlayed)))
        return Move(move.turn, command, tuple(events))

    def _is_sealed(self, turn: Turn | None) -> bool:
        return not self.story.is_vote_closed and turn != self.story.me

    def _ballot(self) -> Turn | None:
        """Anybody or nobody; in half of the worlds most vote for the same player."""
        if self.rng.random() < self.loyalty:
            return self.favourite
        turn = self.rng.randint(0, len(self.deal.roles))
        return Turn(turn) if turn else None

    def _event(self, number: int, event: e.Event, command: Command | ClockCommand) -> list[e.Event]:
        match event:
            case e.BallotCast(turn) if isinstance(command, CastVote) and self._is_sealed(turn):
                return [replace(event, target=command.target)]
            case e.ScrollShown(turn, scroll, _):
                self.seen = None
                return [event, *self._insight(turn)] if scroll == INSIGHT else [event]
            case e.RolesLearned():
                return []
            case e.CardsFanned(_, of, _):
                return [replace(event, row=self._row(number, of))]
            case e.CardGiven():
                self._next_deed()
                return [event]
            case e.CardDrawn(_, source, _, _):
                hand = self.hands[source - 1]
                self.seen = self._next_deed()
                return [replace(event, card=self.seen, position=hand.index(self.seen))]
            case e.CardPeeked():
                self.seen = self._next_deed()
                return [replace(event, card=self.seen)]
            case e.ScrollSettled():
                return [replace(event, seen=self.seen)]
            case e.CardPlayed(turn, _, _, _):
                deed, hand = self.deeds[0][0], self.hands[turn - 1]
                card = self._next_deed()
                assert isinstance(deed, _Lay)
                return [replace(event, card=card, position=len(hand) - 1 if deed.last else hand.index(card))]
            case _:
                return [event]

    def _next_deed(self) -> Card:
        deed, card = self.deeds.pop(0)
        self.hands = _done(deed, card, self.hands)
        return card

    def _insight(self, turn: Turn) -> list[e.Event]:
        """Only a shadow dragon learns anything (R6.10)."""
        if self.deal.roles[turn - 1] is not Role.SHADOW_DRAGON:
            return []
        shown = {Role.SAGE, Role.MYSTIC}
        return [e.RolesLearned(turn, tuple((Turn(t), r) for t, r in enumerate(self.deal.roles, 1) if r in shown))]

    def _row(self, number: int, of: Turn) -> tuple[int, ...]:
        """A fresh row. Whoever chose knows which place they chose, and met there what they were told (R6.11)."""
        hand = self.hands[of - 1]
        row = list(range(len(hand)))
        self.rng.shuffle(row)
        place = place_chosen(self.story.world.moves, number)
        if place is not None:
            met = next(card for deed, card in self.deeds if isinstance(deed, _Draw | _Peek))
            at = next(at for at, position in enumerate(row) if hand[position] is met)
            row[place - 1], row[at] = row[at], row[place - 1]
        return tuple(row)


def place_chosen(moves: Sequence[Move], number: int) -> int | None:
    """The place chosen in the row that the move of this number laid; None where the clock chose, or nobody yet."""
    for move in moves[number + 1 : number + 2]:
        if isinstance(move.command, ChooseCard):
            return move.command.position
    return None


# -- the rules' own word for it ----------------------------------------------------------------------------------------


class ScriptedLuck:
    """Chance that gives what a chronicle says it gave."""

    __slots__ = ("orders", "picks")

    def __init__(self, world: World) -> None:
        self.orders: dict[str, tuple[int, ...]] = {}
        self.picks: dict[str, int] = {}
        middle: list[Card] = []
        number = 0
        ballots: tuple[Turn | None, ...] = ()
        for event in world.events:
            match event:
                case e.RoundBegan(number):
                    middle = []
                case e.VoteClosed(ballots):
                    pass
                case e.FirstHolderFound(turn):
                    self.picks["first holder"] = _tied(ballots, world.settings.seats).index(turn)
                case e.CardsFanned(_, _, row):
                    self.orders[f"round {number} row"] = row
                case e.CardPlayed(_, card, _, _):
                    middle.append(card)
                case e.CardsResolved(cards, None, _):
                    self.orders[f"round {number} shuffle"] = _shuffle(middle, cards)
                case _:
                    pass

    def order(self, name: str, count: int) -> tuple[int, ...]:
        row = self.orders.get(name, ())
        return row if len(row) == count else tuple(range(count))

    def pick(self, name: str, count: int) -> int:
        return min(self.picks.get(name, 0), count - 1)


def _tied(ballots: Sequence[Turn | None], seats: int) -> list[Turn]:
    votes = Counter(target for target in ballots if target is not None)
    most = max(votes.values(), default=0)
    return [Turn(t) for t in range(1, seats + 1) if votes[Turn(t)] == most]


def _shuffle(middle: Sequence[Card], shown: Sequence[Card]) -> tuple[int, ...]:
    """A shuffle of the middle that shows these cards in this order."""
    places: dict[Card, list[int]] = {}
    for at, card in enumerate(middle):
        places.setdefault(card, []).append(at)
    return tuple(places[card].pop() for card in shown)


def replayed(world: World) -> Iterator[tuple[list[e.Event], GameState]]:
    """What the rules make of this world's commands, move by move. Raises Rejected where they refuse one."""
    state = begin(world.settings, world.deal, ScriptedLuck(world))
    for move in world.moves:
        events: list[e.Event] = []
        if isinstance(move.command, TimeOut):
            for command in _for_the_clock(move):
                more, state = take(state, move.command.turn, command, How.TIMEOUT)
                events += more
            if (met := _met(move)) is not None:
                of, card = met
                place = state.vault.row.index(state.vault.hands[of - 1].index(card)) + 1
                more, state = take(state, move.command.turn, ChooseCard(place), How.TIMEOUT)
                events += more
        elif move.turn is None:
            assert isinstance(move.command, ClockCommand)
            events, state = take_clock(state, move.command)
        else:
            assert isinstance(move.command, Command)
            events, state = take(state, move.turn, move.command)
        yield events, state


def _for_the_clock(move: Move) -> Iterator[Command]:
    """The commands that do what the clock did for a player (R10.1)."""
    for event in move.events:
        match event:
            case e.BallotCast(_, target):
                yield CastVote(target)
            case e.CrystalPassed(_, to):
                yield PassCrystal(to)
            case e.TargetsChosen(_, targets):
                yield ChooseTargets(targets)
            case e.CardPlayed(_, card):
                yield PlayCard(card)
            case e.Skipped():
                yield Skip()
            case _:
                pass


def _met(move: Move) -> tuple[Turn, Card] | None:
    """Whose card this move met, and which."""
    for event in move.events:
        match event:
            case e.CardDrawn(_, of, card) | e.CardPeeked(_, of, card):
                return of, card
            case _:
                pass
    return None
