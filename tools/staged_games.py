"""Games in the real room, without a server and without waiting, so that there is a picture of every moment of one.

A game's `shown` is all that one browser would be sent; `find` looks through many games for moments. Nothing of what is
shown is made up here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from msgspec import to_builtins

from cinderforge.redaction.claims import RoleClaim, TeamClaim
from cinderforge.redaction.shapes import OfferView, PassOffer, PlayOffer, RowOffer, TargetsOffer, VoteOffer
from cinderforge.room.inputs import (
    Change,
    Contribute,
    Fill,
    Join,
    MakeClaim,
    Mark,
    Move,
    Note,
    Phrase,
    Ready,
    Say,
    Seen,
    SocketId,
    Start,
)
from cinderforge.room.outputs import Output, Tell, TellLines
from cinderforge.rules.commands import CastVote, ChooseCard, ChooseTargets, Command, PassCrystal, PlayCard, Skip
from cinderforge.rules.scrolls import CATALOG
from cinderforge.rules.words import Card, Faction, Role, Turn
from cinderforge.testkit.hosting import Hosting

Update = dict[str, Any]
THOUGHT_MS: Final = 1_500
FEW_SEEDS: Final = 300
USUAL_SEATS: Final = 8

NAMES: Final = ["阿狸", "夜行者", "Momo", "小火龍", "Ravenna", "石頭"]
LONG_NAMES: Final = [
    "永夜守望者阿爾法德騎士團",
    "Wilhelmina the Undaunted",
    "灰燼之城第十三代守夜人長",
    "Bartholomew-Aurelius III",
    "梅子",
]
"""As long as names may be: 12 characters of Chinese, 24 Latin ones."""
SAID: Final = {
    "zh-TW": ["三號上一輪猶豫很久，我先記著。", "晶核給五號吧，我想看他怎麼出。", "等等，四號你剛剛為什麼不出牌？"],
    "en-US": [
        "Seat 3 took their time there; noted.",
        "Let us give the crystal to 5, I want to see that.",
        "Wait, 4, why did you skip?",
    ],
}


@dataclass(frozen=True, slots=True)
class Shown:
    """What one browser was sent, and the lines of talk that it has by then."""

    update: Update
    lines: tuple[dict[str, Any], ...]


class StagedGame(Hosting):
    """A room of persons, one of whom is looked at, and AIs. `said` is what they say by day, in turn."""

    def __init__(self, seed: int, names: list[str], seats: int, said: list[str]) -> None:
        super().__init__(seed, names[0])
        self.dice = Random(seed)
        self.names, self.seats, self.said = names, seats, said
        self.shown: list[Shown] = []
        self.eye: SocketId | None = None
        self.people: list[SocketId] = []
        self._lines: list[dict[str, Any]] = []
        self._done: set[tuple[SocketId, str]] = set()
        self._said = 0

    def _do(self, outputs: list[Output]) -> None:
        super()._do(outputs)
        for output in outputs:
            match output:
                case TellLines(socket) if socket == self.eye:
                    self._lines += [to_builtins(line) for line in output.lines]
                case Tell(socket) if socket == self.eye:
                    shown = to_builtins(output)
                    del shown["socket"]
                    you = {"member": shown.pop("member"), "player": shown.pop("player")}
                    self.shown.append(Shown({**shown, "you": you, "now": self.clock.now()}, tuple(self._lines)))

    def arrive_to_look(self, session: str) -> SocketId:
        """The socket that is looked at; what it is told in the same breath counts."""
        self.eye = SocketId(len(self.people) + 1)
        socket = self.arrive(session)
        assert socket == self.eye
        return socket

    def fill(self, *, as_host: bool = True) -> None:
        """Everybody comes in; the one who is looked at is the host or the second."""
        if as_host:
            self.people = [self.arrive_to_look(self.names[0])]
        else:
            self.people = [self.arrive(self.names[0])]
            self.people.append(self.arrive_to_look(self.names[1]))
            self.ask(self.people[1], Join(self.names[1]))
        host = self.people[0]
        self.ask(host, Change({"seats": self.seats, "first_holder": "vote"}))
        for name in self.names[len(self.people) :]:
            self.people.append(self.arrive(name))
            self.ask(self.people[-1], Join(name))
        self.ask(self.people[-1], Ready(True))
        self._talk(4)
        self.ask(host, Fill(None, None))

    def play(self, until: Callable[[Shown], bool] = lambda shown: False) -> None:
        """Deals, and plays to the end or until the one who is looked at has seen such a picture."""
        self.ask(self.people[0], Start())
        while self.room.stage != "over" and not until(self.shown[-1]):
            if not any(self._acts(socket) for socket in reversed(self.people)) and not self.clock.jump_to_next():
                raise AssertionError("the game stands still")

    def _acts(self, socket: SocketId) -> bool:
        told = self.seen[socket].last
        if told.member.wanted:
            return self._once(socket, "mix", Contribute(self.dice.randbytes(told.member.wanted).hex()))
        table, player = told.table, told.player
        if table is None or player is None:
            return False
        if table.phase == "reveal":
            return self._once(socket, "look", Seen())
        if table.announcing or player.offer is None:
            return False
        moment = f"{table.phase} {table.round} {len(table.acts)} {table.choice and len(table.choice.targets)}"
        if table.phase == "pass":
            self._talk(2)
        elif table.phase == "vote" and socket == self.eye:
            self._note(player.turn)
        return self._once(socket, moment, Move(self._move(player.offer)))

    def _once(self, socket: SocketId, what: str, wish: Any) -> bool:
        if (socket, what) in self._done:
            return False
        self._done.add((socket, what))
        self.clock.pass_time(THOUGHT_MS)
        self.ask(socket, wish)
        return True

    def _move(self, offer: OfferView) -> Command:
        match offer:
            case VoteOffer(targets):
                return CastVote(self.dice.choice(targets))
            case PassOffer(targets):
                return PassCrystal(self.dice.choice(targets))
            case TargetsOffer(targets, count):
                return ChooseTargets(tuple(self.dice.sample(targets, count)))
            case RowOffer(_, cards):
                return ChooseCard(self.dice.randint(1, cards))
            case PlayOffer(cards, may_skip):
                human = [card for card in cards if not card.endswith("dragon") and card != Card.BLANK]
                if not cards or (may_skip and self.dice.random() < 0.3):
                    return Skip()
                return PlayCard(self.dice.choice(human or cards))

    def _talk(self, count: int) -> None:
        """Some lines, each by another; claims and phrases among them."""
        for _ in range(count):
            number, self._said = self._said, self._said + 1
            speaker = self.people[number % len(self.people)]
            self.clock.pass_time(THOUGHT_MS)
            turn = Turn(number % self.seats + 1)
            if number % 5 == 3:
                self.ask(speaker, Phrase("thumbs_up"))
            elif number % 5 == 4:
                claim = TeamClaim(turn, Faction.DRAGON, 2) if number % 2 else RoleClaim(turn, Role.MYSTIC)
                self.ask(speaker, MakeClaim(claim))
            else:
                self.ask(speaker, Say(self.said[number % len(self.said)], True))

    def _note(self, own: Turn) -> None:
        assert self.eye is not None
        others = [Turn(turn) for turn in range(1, self.seats + 1) if turn != own]
        marks = [(Faction.HUMAN, Role.SAGE, 2), (Faction.DRAGON, Role.RED_DRAGON, -2), (Faction.DRAGON, None, -1)]
        for turn, (faction, role, trust) in zip(others, marks, strict=False):
            self.ask(self.eye, Mark(turn, faction, role, trust))
        self.ask(self.eye, Note(others[0], self.said[0]))
        self.ask(self.eye, Note(None, self.said[1]))


IsIt = Callable[[Update, Update | None], bool]


def _offer(update: Update) -> str:
    """What may be done now: nothing while a scroll is read."""
    player, table = update["you"]["player"], update["table"]
    offer = player and player["offer"]
    return "" if not offer or table["announcing"] else str(offer["offer"])


def _phase(update: Update) -> str:
    return str(update["table"]["phase"]) if update["table"] and update["room"]["stage"] == "game" else ""


def _news(update: Update, kind: str) -> list[dict[str, Any]]:
    return [one for one in update["news"] if one["news"] == kind]


def _resolves(update: Update, what: str) -> bool:
    """Cards of humans of this round are now activated, or slain, and the game goes on."""
    past = update["table"]["past"] if update["table"] else []
    if not _news(update, "resolved") or len(past) < 2 or update["room"]["stage"] != "game":
        return False
    return bool(past[-1]["tally"][what] > past[-2]["tally"][what] and len(past[-1]["cards"]) > 2)


def _announces(update: Update, scroll: str) -> bool:
    table = update["table"]
    return bool(table and table["announcing"] and table["fired"][-1]["scroll"] == scroll)


def _shows_card(update: Update) -> bool:
    player = update["you"]["player"]
    return bool(player and update["table"]["announcing"] and player["knows_cards"])


def _is_won_by(update: Update, winner: str) -> bool:
    return update["room"]["stage"] == "over" and _is_late(update) and update["table"]["result"]["winner"] == winner


def _has_choice(update: Update) -> bool:
    hand = update["you"]["player"]["hand"]
    return len(hand) > 1 and hand[0] != Card.BLANK


def _is_late(update: Update) -> bool:
    return bool(update["table"] and update["table"]["round"] >= 3)


MOMENTS: Final[dict[str, IsIt]] = {
    "reveal": lambda now, was: _phase(now) == "reveal",
    "night-seeing": lambda now, was: _phase(now) == "night" and bool(now["you"]["player"]["night"]),
    "night-alone": lambda now, was: _phase(now) == "night" and now["you"]["player"]["night"] is None,
    "vote": lambda now, was: _offer(now) == "vote" and len(now["table"]["voted"]) > 1,
    "vote-opened": lambda now, was: bool(_news(now, "vote_opened")),
    "pass-mine": lambda now, was: _offer(now) == "pass" and _is_late(now),
    "pass-other": lambda now, was: _phase(now) == "pass" and _offer(now) == "" and _is_late(now),
    **{
        f"announced-{scroll}": lambda now, was, scroll=scroll: _announces(now, scroll)  # type: ignore[misc]
        for scroll in CATALOG
    },
    "scroll-targets": lambda now, was: _offer(now) == "targets",
    "scroll-row": lambda now, was: _offer(now) == "row",
    "scroll-peeked": lambda now, was: _shows_card(now),
    "play-mine": lambda now, was: _offer(now) == "play" and _is_late(now) and _has_choice(now),
    "play-drawn": lambda now, was: _offer(now) == "play" and bool(now["you"]["player"]["drawn"]),
    "play-done": lambda now, was: _phase(now) == "play" and bool(now["you"]["player"]["played"]) and _is_late(now),
    "play-other": lambda now, was: (
        _phase(now) == "play" and _offer(now) == "" and _is_late(now) and len(now["table"]["acts"]) > 2
    ),
    "resolved-activated": lambda now, was: _resolves(now, "activated"),
    "resolved-slain": lambda now, was: _resolves(now, "slain"),
    "over-human": lambda now, was: _is_won_by(now, "human"),
    "over-dragon": lambda now, was: _is_won_by(now, "dragon"),
}


def games(names: list[str], seats: int, said: list[str]) -> Iterator[StagedGame]:
    for seed in range(1, FEW_SEEDS + 1):
        game = StagedGame(seed, names, seats, said)
        game.fill()
        game.play()
        yield game


@dataclass(frozen=True, slots=True)
class Found:
    """A moment, the picture before it, and what one had heard by then."""

    before: Shown | None
    moment: Shown
    record: str


def find(names: list[str], seats: int, said: list[str], wanted: dict[str, IsIt]) -> dict[str, Found]:
    """The first of each of these moments; what no game has is left out."""
    found: dict[str, Found] = {}
    for game in games(names, seats, said):
        for at, shown in enumerate(game.shown):
            before = game.shown[at - 1] if at else None
            for name, is_it in wanted.items():
                if name not in found and is_it(shown.update, before.update if before else None):
                    found[name] = Found(before and heard(game.shown[:at]), shown, game.records[1])
        if found.keys() == wanted.keys():
            break
    return found


def heard(shown: list[Shown]) -> Shown:
    """The last picture with all the news up to it, as who comes back is told."""
    last = shown[-1]
    news = [one for each in shown if each.update["game"] == last.update["game"] for one in each.update["news"]]
    return Shown({**last.update, "fresh": True, "news": news, "heard": len(news)}, last.lines)


def names_for(seats: int) -> list[str]:
    """At the usual table people have usual names."""
    return NAMES if seats == USUAL_SEATS else [NAMES[0], *LONG_NAMES][: seats - 1]


def moments_of(language: str, seats: int) -> dict[str, Found]:
    """Every moment of the tables of this size, before, in and after the game."""
    names, said = names_for(seats), SAID[language]
    found = find(names, seats, said, MOMENTS)

    host = StagedGame(7, names, seats, said)
    host.fill()
    few = [one for one in host.shown if one.update["room"]["missing"] > 2]
    found["waiting-few"] = Found(few[-2], heard(few), "")
    found["waiting-full"] = Found(None, host.shown[-1], "")
    host.play(lambda shown: shown.update["room"]["stage"] == "mixing" or _has_countdown(shown))
    found["countdown"] = Found(host.shown[-2], host.shown[-1], "")

    guest = StagedGame(7, names, seats, said)
    guest.fill(as_host=False)
    found["join"] = Found(None, guest.shown[0], "")
    found["waiting-guest"] = Found(None, guest.shown[-1], "")

    away = StagedGame(7, names, seats, said)
    away.fill()
    away.play(lambda shown: bool(shown.update["table"]) and shown.update["table"]["round"] == 2)
    away.vanish(away.people.pop(2))
    at = len(away.shown)
    away.clock.pass_time(4_000)
    found["away"] = Found(heard(away.shown[:at]), away.shown[-1], "")
    away.clock.pass_time(30_000)
    for number, one in enumerate(away.shown):
        if any(seat["stand_in"] for seat in one.update["room"]["seats"]):
            found["stand-in"] = Found(heard(away.shown[:number]), one, "")
            break

    middle = found["play-other"].moment
    you = {"member": {**middle.update["you"]["member"], "seat": None, "host": False}, "player": None}
    found["watching"] = Found(None, Shown({**middle.update, "you": you}, middle.lines), "")
    return found


def _has_countdown(shown: Shown) -> bool:
    wait = shown.update["room"]["wait"]
    return wait is not None and wait["kind"] == "mixing"
