"""A cheater at the table: whatever a client may say during a game that is not its to say is refused by its code.

Nothing of the room changes by it, nothing is kept, and nobody else is told. Most of it happens in a room without
sockets, through the wire's own reader; the last tests are over real sockets, with a look into the database.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AsyncExitStack, asynccontextmanager, closing
from itertools import count
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from cinderforge.redaction.shapes import PlayOffer, RowOffer, TableView, TargetsOffer, View
from cinderforge.room.inputs import Move, SocketId
from cinderforge.room.outputs import Answer
from cinderforge.room.presence import SHOWN_AFTER
from cinderforge.room.room import Room
from cinderforge.room.shapes import MemberId
from cinderforge.room.waits import COUNTDOWN_SECONDS
from cinderforge.rules.rejection import Code
from cinderforge.rules.scrolls import CATALOG
from cinderforge.rules.words import Card, Role, Turn
from cinderforge.talk.scroll_words import SCROLLS
from cinderforge.testkit.hosting import Hosting
from cinderforge.wire import codec, messages
from tests.e2e.serving import ServerProcess
from tests.e2e.test_sockets import session
from tests.properties.test_codes import code_from

Message = dict[str, Any]

SEATS = 8
HEX = "ab" * 16
HUGE = 10**30
MALFORMED = "malformed"
"""Not a code but a message of its own: what arrived could not be read, and the room never hears of it."""

HOSTS_OWN: list[Message] = [
    {"t": "fill"},
    {"t": "fill", "seat": 2, "level": "plain"},
    {"t": "clear"},
    {"t": "clear", "seat": 2},
    {"t": "kick", "member": 1},
    {"t": "kick", "member": 2},
    {"t": "kick", "member": HUGE},
    {"t": "let_back", "member": 2},
    {"t": "hand_on", "member": 1},
    {"t": "hand_on", "member": 2},
    {"t": "hand_on", "member": -1},
    {"t": "admit", "member": 1},
    {"t": "admit", "member": HUGE},
    {"t": "change", "settings": {}},
    {"t": "change", "settings": {"kill_target": 1}},
    {"t": "change", "settings": {"no_such": []}},
    {"t": "start"},
    {"t": "rematch"},
]

MOVES: list[Message] = [
    *({"t": "vote", "target": target} for target in (None, 0, 1, 2, SEATS, 9, 10)),
    *({"t": "pass", "to": to} for to in (*range(SEATS + 1), 9, 10)),
    *(
        {"t": "targets", "targets": targets}
        for targets in (
            *([turn] for turn in range(10)),
            *([], [1, 1], [2, 2], [1, 2], [2, 1], [0, 1], [1, 9], [1, 2, 3], [1, 1, 1], [10] * 10),
            list(range(1, 9)),
        )
    ),
    *({"t": "pick_card", "position": at} for at in (-1000, -1, 0, 1, 2, 3, 4, 5, 99, 1000)),
    *({"t": "play", "card": card} for card in (*Card, "dragon", "unicorn", "", "0", "1", "SAGE", "sage ", "\x00")),
    {"t": "skip"},
]

NO_NUMBERS: list[object] = [True, False, "1", 1.0, 1.5, 11, 99, -1, HUGE, -HUGE, [], [1], {}]
"""What no place for a player has room for."""

NO_ROUNDS: list[object] = [True, "1", 1.0, 1.5, [1], {}]

NONSENSE: list[Message] = [
    *({"t": "pass", "to": odd} for odd in (*NO_NUMBERS, None)),
    *({"t": "vote", "target": odd} for odd in NO_NUMBERS),
    *({"t": "targets", "targets": [1, odd]} for odd in (*NO_NUMBERS, None)),
    *({"t": "targets", "targets": odd} for odd in (None, 1, "12", {"0": 1}, [1] * 11)),
    *({"t": "pick_card", "position": odd} for odd in (True, "1", 1.0, 1001, -1001, HUGE, None, [1])),
    *({"t": "play", "card": odd} for odd in (0, 1, True, None, ["blank"], {"card": "blank"}, "x" * 41)),
    {"t": "skip", "card": "blank"},
    *({"t": "skip", key: 1} for key in ("turn", "seat", "member", "session", "as", "token", "wait")),
    *({"t": "skip", key: odd} for key in ("game", "round") for odd in NO_ROUNDS),
    *({"t": "skip", "id": odd} for odd in ("", "x" * 41, 1, None, ["a"])),
    *({"t": kind} for kind in ("time_up", "bot", "timeout", "update", "deal", "resume", "", None, 1)),
]

ODD_NOTES: list[Message] = [
    *({"t": "mark", "turn": 2, "trust": trust} for trust in (3, -3, True, "1", 1.5)),
    *({"t": "mark", "turn": 2, "faction": faction} for faction in ("", "sage", 1, True)),
    *({"t": "mark", "turn": 2, "role": role} for role in ("", "human", "blank", 1)),
    *({"t": "mark", "turn": odd} for odd in (*NO_NUMBERS, None)),
    *({"t": "note", "turn": odd, "text": "x"} for odd in NO_NUMBERS),
    *({"t": kind, "turn": 2, "text": "x", "member": 3} for kind in ("mark", "note")),
    *({"t": "note", "text": odd} for odd in (None, 1, True, "x" * 2001)),
    *({"t": "claim", "claim": {"claim": "role", "turn": odd, "role": "sage"}} for odd in (0, *NO_NUMBERS, None)),
    *(
        {"t": "claim", "claim": {"claim": "suspect", "turn": 2, "because": odd}}
        for odd in (None, 1, [0], ["x"], [1] * 5)
    ),
    *({"t": "claim", "claim": {"claim": odd, "turn": 2}} for odd in ("", "scroll", "mine", 1, None)),
    *({"t": "claim", "claim": odd} for odd in (None, "role", 1)),
    {"t": "claim", "claim": {"claim": "suspect", "turn": 2, "as": 3}},
    {"t": "claim", "claim": {"claim": "suspect", "turn": 2}, "turn": 3},
    {"t": "claim", "claim": {"claim": "team", "turn": 2, "faction": "dragon", "sure": 4}},
    *({"t": "share_notes", "on": odd} for odd in (None, 1, "true")),
    {"t": "share_notes", "member": 2},
]
"""No notes and no claims."""


class Game:
    """Eight persons, a watcher and a stranger in one room; nobody's time runs out. Players are named by their turn."""

    def __init__(self, seed: int = 1, **settings: object) -> None:
        self.hosting = Hosting(seed)
        self.ids = count(1)
        self.met: set[str] = set()
        self.refused: set[tuple[str, str, str]] = set()
        """Which kind of message was refused at which moment, and to whom."""
        self.sockets = [self.hosting.arrive("host")]
        change = {"first_holder": "vote", "preset": "none", "kill_target": 5, "activation_target": 4} | settings
        self.does(self.sockets[0], {"t": "change", "settings": change})
        for number in range(2, SEATS + 1):
            self.sockets.append(self.hosting.arrive(f"p{number}"))
            self.does(self.sockets[-1], {"t": "join", "name": f"P{number}"})
        self.host = self.sockets[0]
        self.watcher = self.hosting.arrive("watcher")
        self.does(self.watcher, {"t": "watch", "name": "W"})
        self.stranger = self.hosting.arrive("stranger")

    # -- asking --------------------------------------------------------------------------------------------------------

    def ask(self, socket: SocketId, message: Message) -> str | None:
        """The code of the answer to what a client sends; None when it was done."""
        answer = self.answer(socket, message)
        return answer if isinstance(answer, str) else answer.code

    def answer(self, socket: SocketId, message: Message) -> Answer | str:
        try:
            said = codec.decode(json.dumps({"id": f"c{next(self.ids)}"} | message).encode())
        except msgspec.DecodeError:
            return MALFORMED
        wish = codec.wish_of(said)
        assert wish is not None
        return self.hosting.ask(socket, wish[1], wish[0])

    def does(self, socket: SocketId, message: Message) -> None:
        code = self.ask(socket, message)
        assert code is None, (message, code)

    def refuses(self, socket: SocketId, attempts: Iterable[tuple[Message, str]]) -> None:
        """Each is refused with its code; afterwards the room, its log and its alarms are what they were, and nobody
        has been told anything but the cheater his refusals.
        """
        before, told, kept = self.digest(), self.told(socket), len(self.hosting.log)
        for message, code in attempts:
            answer = self.answer(socket, message)
            found = answer if isinstance(answer, str) else answer.code
            assert found == code, (message, found, code, self.room.stage, self.table)
            assert len(self.hosting.log) == kept, message
            if code != MALFORMED:
                self.refused.add((message["t"], self.moment, self.who(socket)))
        assert self.digest() == before
        assert self.told(socket) == told

    @property
    def moment(self) -> str:
        """Where a room is: its stage, or what its game waits for."""
        if self.room.stage != "game" or self.table is None:
            return self.room.stage
        if self.room.wait and self.room.wait.is_paused:
            return "paused"
        return "announcing" if self.table.announcing else str(self.table.phase)

    def who(self, socket: SocketId) -> str:
        names = {self.host: "host", self.watcher: "watcher", self.stranger: "stranger"}
        return names.get(socket, "player")

    def told(self, cheater: SocketId) -> list[tuple[SocketId, int, int, int]]:
        """How much each socket has been sent, the cheater's answers aside."""
        return [
            (socket, len(seen.tells), len(seen.byes), 0 if socket == cheater else len(seen.answers))
            for socket, seen in self.hosting.seen.items()
        ]

    def digest(self) -> str:
        """Everything that the room knows, hidden and public, and what chance and clock will do next."""
        hosting = self.hosting
        room = {key: value for key, value in vars(self.room).items() if key != "now"}
        return repr((room, hosting.log, hosting.records, hosting.clock.waiting, hosting.rng.getstate()))

    # -- looking -------------------------------------------------------------------------------------------------------

    @property
    def room(self) -> Room:
        return self.hosting.room

    @property
    def table(self) -> TableView | None:
        return self.room.running.shown if self.room.running else None

    @property
    def shown(self) -> TableView:
        assert self.table
        return self.table

    def is_quiet(self, socket: SocketId) -> bool:
        """Whether this socket's person may not talk now (R9.1)."""
        return socket != self.watcher and self.shown.phase in ("reveal", "night")

    def socket(self, turn: int) -> SocketId:
        assert self.room.running
        return self.sockets[self.room.running.seat_of(Turn(turn)) - 1]

    def view(self, turn: int) -> View:
        assert self.table
        return View(self.table, self.hosting.seen[self.socket(turn)].last.player)

    def scroll_of(self, scroll: str) -> int | None:
        """Who was dealt it; a cheater could not know."""
        assert self.room.running
        scrolls = self.room.running.deal.scrolls
        return next((turn for turn, held in enumerate(scrolls, 1) if held == scroll), None)

    # -- playing on ----------------------------------------------------------------------------------------------------

    def start(self) -> None:
        self.does(self.host, {"t": "start"})

    def mix(self) -> None:
        for socket in self.sockets:
            self.does(socket, {"t": "contribute", "bytes": HEX})
        self.hosting.clock.pass_time(COUNTDOWN_SECONDS * 1000)

    def look(self) -> None:
        for socket in self.sockets:
            self.does(socket, {"t": "seen"})

    def dawn(self) -> None:
        while self.shown.phase == "night":
            assert self.hosting.clock.jump_to_next()
        assert self.shown.phase == "vote"

    def vote(self, holder: int) -> None:
        for turn in range(1, SEATS + 1):
            self.does(self.socket(turn), {"t": "vote", "target": holder})
        assert self.shown.holder == holder

    def announced(self) -> None:
        """Lets what is announced have its time."""
        while self.shown.announcing:
            assert self.hosting.clock.jump_to_next()

    def pass_to(self, to: int) -> None:
        assert self.shown.holder is not None
        self.does(self.socket(self.shown.holder), {"t": "pass", "to": to})

    def move(self, player: int, lavish: int | None = None) -> Message:
        """What this player does: whatever is first on offer; cards only where `lavish` or where they must."""
        you = self.view(player).you
        assert you
        match you.offer:
            case TargetsOffer(targets, wanted):
                return {"t": "targets", "targets": targets[:wanted]}
            case RowOffer():
                return {"t": "pick_card", "position": 1}
            case PlayOffer(cards, may_skip):
                if may_skip and (player != lavish or not cards):
                    return {"t": "skip"}
                return {"t": "play", "card": min(cards, key=lambda card: card != Card.BLANK)}
            case _:
                raise AssertionError(you.offer)

    def finish_round(self, lavish: int | None = None, before: Callable[[], None] = lambda: None) -> None:
        """The scroll's choices, then everybody's play; `before` each move and announcement."""
        number = self.shown.round
        while self.shown.round == number and self.shown.phase != "over":
            before()
            if self.shown.announcing:
                self.announced()
                continue
            turn = self.shown.awaited[0]
            self.does(self.socket(turn), self.move(turn, lavish))


def begun(seed: int = 1, **settings: object) -> Game:
    """At the vote."""
    game = Game(seed, **settings)
    game.start()
    game.mix()
    game.look()
    game.dawn()
    return game


def each(code: str, messages: Iterable[Message]) -> list[tuple[Message, str]]:
    return [(message, code) for message in messages]


def cheat_with_everything(game: Game) -> None:
    """Every move by everybody that is not theirs to make now. Which code is worked out from the player's own view."""
    for turn in range(1, SEATS + 1):
        view = game.view(turn)
        attempts: list[tuple[Message, str]] = []
        for message in MOVES:
            said = codec.wish_of(codec.decode(json.dumps(message | {"id": "x"}).encode()))
            assert said and isinstance(said[1], Move)
            code = "announcing" if view.table.announcing else code_from(view, Turn(turn), said[1].command)
            if code is not None:
                attempts.append((message, code))
                game.met.add(code)
        game.refuses(game.socket(turn), attempts)
    for outsider in (game.watcher, game.stranger):
        game.refuses(outsider, each("not_seated", MOVES))


def cheat_in_other_rounds(game: Game) -> None:
    """No move, right or wrong, counts in another round, or in another game, than the one it says it was made in."""
    here, number = game.room.games, game.shown.round
    odd = [{"round": at} for at in (number - 1, number + 1, -1, HUGE)]
    odd += [{"game": at} for at in (here - 1, here + 1, -HUGE)]
    late: list[Message] = [move | odd[at % len(odd)] for at, move in enumerate(MOVES)]
    for turn in range(1, SEATS + 1):
        game.refuses(game.socket(turn), each("too_late", late))
    for outsider in (game.watcher, game.stranger):
        game.refuses(outsider, each("not_seated", late))


def cheat_as_if_host(game: Game) -> None:
    """Every command of the host's by everybody else, and by the host those that the stage does not allow (R2.3)."""
    outsiders = [socket for socket in game.sockets if socket != game.host]
    for socket in (*outsiders, game.watcher, game.stranger):
        game.refuses(socket, each("not_host", HOSTS_OWN))
    stage = game.room.stage
    busy: list[tuple[Message, str]] = [
        *each(
            "already_started",
            [
                {"t": "fill"},
                {"t": "clear"},
                {"t": "admit", "member": 1},
                {"t": "change", "settings": {"kill_target": 1}},
                {"t": "change", "settings": {"no_such": 1}},
                {"t": "start"},
            ],
        ),
        ({"t": "kick", "member": 1}, "unknown_member"),
        ({"t": "kick", "member": HUGE}, "unknown_member"),
        ({"t": "hand_on", "member": 0}, "unknown_member"),
        *(({"t": "let_back", "member": odd}, "unknown_member") for odd in (1, 2, 0, 99, -1)),
    ]
    if stage != "over":
        busy += [({"t": "rematch"}, "wrong_phase")]
    game.refuses(game.host, busy)


def cheat_with_the_seats(game: Game) -> None:
    """No second seat, no getting up to watch, no seed and no look after their time."""
    for socket in (*game.sockets, game.stranger, game.watcher):
        game.refuses(socket, [({"t": "join", "name": "Second"}, "already_started")])
    for socket in game.sockets:
        game.refuses(socket, [({"t": "watch", "name": "Eye"}, "already_started")])
        if game.room.stage != "mixing":
            game.refuses(socket, each("wrong_phase", [{"t": "contribute", "bytes": h} for h in (HEX, "", "zz")]))
        if game.shown.phase != "reveal":
            game.refuses(socket, [({"t": "seen"}, "wrong_phase")])
    game.refuses(game.stranger, each("not_seated", MEMBERS_OWN))
    game.refuses(game.watcher, each("wrong_phase", [{"t": "seen"}, {"t": "contribute", "bytes": HEX}]))


def cheat_with_talk_and_votes(game: Game) -> None:
    """No word in the night (R9.1), no vote about somebody who is there (R10), no start to hold or be ready for."""
    everybody = (*game.sockets, game.watcher)
    polls = [
        {"t": "poll", "poll": poll, "seat": seat} for poll in ("pause", "resume", "replace") for seat in (None, 1, 9)
    ]
    for socket in everybody:
        game.refuses(socket, [({"t": "ready", "ready": True}, "already_started"), ({"t": "hold"}, "wrong_phase")])
        game.refuses(socket, each("unknown_member", [{"t": "mute", "member": m} for m in (0, -1, 99, HUGE)]))
        game.refuses(socket, [({"t": "report", "member": 99, "text": "?"}, "unknown_member")])
        game.refuses(
            socket,
            [
                ({"t": "phrase", "phrase": odd}, "quiet" if game.is_quiet(socket) else "unknown_phrase")
                for odd in ("", "no_such", "__class__")
            ],
        )
        for odd in ("", " \u202e\u200b\x00", "\u0301"):
            game.refuses(socket, [({"t": "say", "text": odd}, "quiet" if game.is_quiet(socket) else "empty")])
        if game.is_quiet(socket):
            game.refuses(
                socket, each("quiet", [{"t": "say", "text": "hello"}, {"t": "say", "text": "?", "sure": True}])
            )
    for socket in game.sockets:
        game.refuses(socket, each("no_such_poll", polls))
    if game.room.stage != "over":
        for socket in everybody:
            game.refuses(socket, [({"t": "rename", "name": "a new name"}, "already_started")])
    game.refuses(game.watcher, each("not_seated", polls))
    game.refuses(game.stranger, each("not_seated", [*polls, *MEMBERS_OWN]))
    if game.moment == "night":
        game.refuses(game.stranger, each("quiet", [{"t": t, "name": "3 is the sage"} for t in ("watch", "want_seat")]))
        game.refuses(game.watcher, [({"t": "want_seat", "name": "W"}, "quiet")])
    elif game.room.stage == "game":
        names = [words.names[0] for words in SCROLLS]
        game.refuses(
            game.stranger, each("bad_name", [{"t": t, "name": name} for t in ("watch", "want_seat") for name in names])
        )


def cheat_with_notes(game: Game) -> None:
    """No note on oneself or on nobody, no guess once the truth is known, nothing opened too early."""
    is_over = game.room.stage == "over"
    marks: list[Message] = [{"t": "mark", "turn": 2, "trust": 1}, {"t": "mark", "turn": 3, "role": "sage"}]
    for turn in range(1, SEATS + 1):
        nobody = [0, 9, 10, turn]
        game.refuses(game.socket(turn), each("unknown_seat", [{"t": "mark", "turn": one} for one in nobody]))
        game.refuses(
            game.socket(turn), each("unknown_seat", [{"t": "note", "turn": one, "text": "?"} for one in nobody])
        )
        game.refuses(game.socket(turn), each("too_long", [{"t": "note", "text": "ab " * 200}]))
        if is_over:
            game.refuses(game.socket(turn), each("notes_stand", [one for one in marks if one["turn"] != turn]))
        else:
            game.refuses(
                game.socket(turn), each("wrong_phase", [{"t": "share_notes"}, {"t": "share_notes", "on": False}])
            )
    game.refuses(game.watcher, each("not_seated", [{"t": "share_notes"}]))
    game.refuses(game.stranger, each("not_seated", [*marks, {"t": "note", "text": "?"}, {"t": "share_notes"}]))


CLAIMS: list[Message] = [
    {"claim": "role", "turn": 10, "role": "sage"},
    {"claim": "four", "others": [1, 1, 2]},
    {"claim": "four", "others": [1, 2]},
    {"claim": "played", "turn": 1, "round": 10, "card": "sage"},
    {"claim": "intend", "act": "play"},
    {"claim": "intend", "act": "pass", "card": "sage"},
    {"claim": "intend", "act": "crystal", "to": 9},
    {"claim": "suspect", "turn": 9},
    {"claim": "trust", "turn": 1, "because": [10**9]},
    {"claim": "agree", "line": 10**9},
    {"claim": "deny", "line": 1},
]
"""What everybody sees to be no claim."""


def cheat_with_claims(game: Game) -> None:
    """No claim but a player's, by day, and none about one's own scroll before it has fired (R9.2)."""
    bad: list[Message] = [{"t": "claim", "claim": claim} for claim in CLAIMS]
    for turn in range(1, SEATS + 1):
        socket, code = game.socket(turn), "bad_claim"
        if game.room.stage == "over":
            code = "wrong_phase"
        elif game.is_quiet(socket):
            code = "quiet"
        saw = [{"t": "claim", "claim": {"claim": "scroll_saw", "turn": turn % SEATS + 1, "card": "sage"}}]
        game.refuses(socket, each(code, bad))
        if turn in game.shown.unfired:
            game.refuses(socket, each("unfired_scroll" if code == "bad_claim" else code, saw))
    right = {"t": "claim", "claim": {"claim": "role", "turn": 1, "role": "sage"}}
    game.refuses(game.watcher, each("wrong_phase" if game.room.stage == "over" else "not_seated", [*bad, right]))
    game.refuses(game.stranger, each("not_seated", [*bad, right]))


def cheat(game: Game) -> None:
    for socket in (*game.sockets, game.watcher, game.stranger):
        game.refuses(socket, each(MALFORMED, NONSENSE + ODD_NOTES))
    cheat_with_everything(game)
    cheat_in_other_rounds(game)
    cheat_as_if_host(game)
    cheat_with_the_seats(game)
    cheat_with_talk_and_votes(game)
    cheat_with_notes(game)
    cheat_with_claims(game)


def test_before_the_deal_nobody_moves() -> None:
    cheat_in_the_waiting_room(waiting_room())
    cheat_while_mixing(mixing_room())


def mixing_room() -> Game:
    game = Game()
    game.start()
    return game


def cheat_while_mixing(game: Game) -> None:
    cheat_before_the_deal(game)
    cheat_as_if_host(game)
    for socket in game.sockets:
        game.refuses(socket, each("already_started", [{"t": "watch", "name": "Eye"}, {"t": "join", "name": "Second"}]))
    for socket in (*game.sockets, game.watcher):
        game.refuses(socket, [({"t": "ready", "ready": True}, "already_started")])
    for socket in (game.stranger, game.watcher):
        game.refuses(socket, [({"t": "join", "name": "Second"}, "already_started"), ({"t": "hold"}, "not_seated")])
    for odd in ("", "zz", "a", "ab" * 15, HEX + "a"):
        game.refuses(game.sockets[1], [({"t": "contribute", "bytes": odd}, "malformed")])
    game.refuses(game.watcher, [({"t": "contribute", "bytes": HEX}, "wrong_phase")])
    game.does(game.sockets[1], {"t": "contribute", "bytes": HEX})
    before, kept = game.told(game.sockets[1]), len(game.hosting.log)
    game.does(game.sockets[1], {"t": "contribute", "bytes": "cd" * 16})
    assert (game.told(game.sockets[1]), len(game.hosting.log)) == (before, kept), "a second contribution is none"
    game.does(game.sockets[1], {"t": "hold"})
    game.start()
    game.refuses(game.sockets[1], [({"t": "hold"}, "held_before")])


def cheat_before_the_deal(game: Game) -> None:
    """What a game is needed for, and what a stranger may not."""
    for socket in (*game.sockets, game.watcher, game.stranger):
        game.refuses(socket, each(MALFORMED, NONSENSE + ODD_NOTES))
        seated, member = socket in game.sockets, socket != game.stranger
        game.refuses(socket, each("not_started" if seated else "not_seated", MOVES))
        notes: list[Message] = [{"t": "mark", "turn": 2, "trust": 1}, {"t": "note", "text": "?"}, {"t": "share_notes"}]
        game.refuses(socket, each("not_started" if member else "not_seated", notes))
        claim: Message = {"t": "claim", "claim": {"claim": "role", "turn": 1, "role": "sage"}}
        game.refuses(socket, each("wrong_phase" if member else "not_seated", [{"t": "seen"}, claim]))
        polls: list[Message] = [{"t": "poll", "poll": poll, "seat": 2} for poll in ("pause", "resume", "replace")]
        game.refuses(socket, each("no_such_poll" if seated else "not_seated", polls))
    game.refuses(game.stranger, each("not_seated", MEMBERS_OWN))


MEMBERS_OWN: list[Message] = [
    *({"t": "leave"}, {"t": "rename", "name": "Host"}, {"t": "say", "text": "hello"}, {"t": "phrase", "phrase": "why"}),
    *(
        {"t": "mute", "member": 1},
        {"t": "report", "member": 1, "text": "?"},
        {"t": "ready", "ready": True},
        {"t": "hold"},
    ),
    *({"t": "seen"}, {"t": "contribute", "bytes": HEX}),
]
"""What is nothing for strangers, whenever."""


def cheat_through(seed: int) -> Game:
    """A whole game with every cheat at every step."""
    game = Game(seed, sage_slain_ends=seed % 2 == 0, act_last_lasts="game")
    game.start()
    game.mix()
    phases: list[str] = []

    def at_every_step() -> None:
        phase = game.moment
        if phase not in phases:
            phases.append(phase)
            cheat(game)
        else:
            cheat_with_everything(game)

    at_every_step()
    game.look()
    at_every_step()
    game.dawn()
    at_every_step()
    for turn in range(1, SEATS + 1):
        game.does(game.socket(turn), {"t": "vote", "target": 1})
        at_every_step()
    lavish = 0
    while game.shown.phase != "over":
        lavish = lavish % SEATS + 1
        assert game.shown.phase == "pass"
        game.pass_to(game.shown.unfired[-1] if game.shown.unfired[-1] != game.shown.holder else game.shown.unfired[0])
        game.finish_round(lavish, before=at_every_step)
        at_every_step()
    assert set(phases) == {"reveal", "night", "vote", "pass", "scroll", "announcing", "play", "over"}
    before = game.room.running
    game.hosting.restart()
    after = game.room.running
    assert before and after
    assert (after.chronicle, after.table) == (before.chronicle, before.table), "the log tells the same game"
    return game


def test_in_whole_games_a_cheater_gets_nowhere() -> None:
    games = [cheat_through(seed) for seed in (2, 3)]
    met = set().union(*(game.met for game in games))
    assert met == {code.value for code in Code} | {"announcing"}, "no refusal of a move was left untried"
    elsewhere = {
        waiting_room(): cheat_in_the_waiting_room,
        mixing_room(): cheat_while_mixing,
        absent_player(): cheat_in_a_pause,
    }
    for game, cheat_there in elsewhere.items():
        cheat_there(game)
    refused = set().union(*(game.refused for game in (*games, *elsewhere)))
    left = {
        (kind, who): untried
        for kind in KINDS
        for who in ("host", "player", "watcher", "stranger")
        if (untried := {at for at in MOMENTS if (kind, at, who) not in refused} - allowed(kind, who))
    }
    assert not left, "everything was tried by everybody at every moment at which it must be refused"


def allowed(kind: str, who: str) -> set[str]:
    """When this is for such a person to ask, if rightly put (docs/protocol.md, R2, R9, R10); restated."""
    day, game = {"vote", "pass", "scroll", "play", "announcing", "paused"}, set(MOMENTS[2:-1])
    always, between, seated = set(MOMENTS), {"waiting", "mixing", "over"}, who in ("host", "player")
    match kind:
        case "rename":
            return between if who != "stranger" else set()
        case "leave":
            return always if who != "stranger" else set()
        case "join":
            return {"waiting"}  # whoever sits already is answered that it is done
        case "watch":
            return always - {"night"} if who == "stranger" else {"waiting"} if seated else always
        case "want_seat":
            return always if seated else always - {"night"}  # who sits wants no other, and is answered that it is done
        case "say" | "phrase" | "mute" | "report":
            return always if who != "stranger" else set()
        case "claim":
            return day if seated else set()
        case "mark":
            return game if seated else game | {"over"} if who == "watcher" else set()
        case "note":
            return game | {"over"} if who != "stranger" else set()
        case "share_notes":
            return {"over"} if seated else set()
        case "ready":
            return {"waiting"} if seated else set()
        case "hold" | "contribute":
            return {"mixing"} if seated else set()
        case "seen":
            return {"reveal"} if seated else set()
        case "poll":
            return {"paused"} if seated else set()
        case "kick" | "let_back" | "hand_on":
            return set()  # also of the host: of nobody who is there
        case "fill" | "clear" | "change" | "start":
            return {"waiting"} if who == "host" else set()
        case "rematch":
            return {"over"} if who == "host" else set()
        case _:
            return set()  # moves: also of whose turn it is, with another choice


KINDS = sorted(
    str(kind.__struct_config__.tag)
    for kind in get_args(messages.FromClient)
    if kind not in (messages.Hello, messages.Ping)
)
MOMENTS = [
    *("waiting", "mixing", "reveal", "night", "vote", "pass", "scroll", "announcing", "play", "paused", "over"),
]


def waiting_room() -> Game:
    """Eight persons, of whom one got up: one chair is free, another is an AI's."""
    game = Game()
    game.does(game.sockets.pop(), {"t": "leave"})
    game.does(game.sockets.pop(), {"t": "leave"})
    game.does(game.host, {"t": "fill", "seat": 7})
    return game


BAD_SETTINGS: list[object] = [
    *({"seats": odd} for odd in (4, 11, 0, -1, HUGE, "8", 8.0, True, None, [8], {"8": 8})),
    *({"kill_target": odd} for odd in (0, 6, HUGE, "3", None)),
    *({"preset": odd} for odd in ("", "FAST", None, 1, ["fast"])),
    *(
        {"timers": odd}
        for odd in (None, [5], 1, {"night": 5}, {"play": 4}, {"play": 601}, {"play": "30"}, {"play": True})
    ),
    *({"ai_level": odd} for odd in ("", "Plain", None, 0)),
    *({"spectator_delay": odd} for odd in (-1, 601, None, 1.5, True)),
    *({key: odd} for key in ("spectators", "public", "memory_aid", "sage_slain_ends") for odd in (None, 0, 1, "true")),
    *({key: 1} for key in ("", "host", "secret", "stage", "code", "rules", "Seats", "__class__", "deal")),
    {"preset": "fast", "seats": 11},
    {"seats": 5},  # six people sit
]
"""No settings that a room may have."""


def cheat_in_the_waiting_room(game: Game) -> None:
    """Who is not host runs nothing, and the host nothing that cannot be (R2.3, R2.4)."""
    cheat_before_the_deal(game)
    for socket in (*game.sockets, game.watcher, game.stranger):
        if socket != game.host:
            game.refuses(socket, each("not_host", HOSTS_OWN))
        code = "not_seated" if socket == game.stranger else "wrong_phase"
        game.refuses(socket, each(code, [{"t": "hold"}, {"t": "contribute", "bytes": HEX}]))
        for name in ("", " ", "\u202e\u200b", "\u2800", "\u0301"):
            if socket == game.stranger:
                game.refuses(socket, each("bad_name", [{"t": "join", "name": name}, {"t": "watch", "name": name}]))
            else:
                game.refuses(socket, [({"t": "rename", "name": name}, "bad_name")])
    game.refuses(game.watcher, [({"t": "ready", "ready": True}, "not_seated")])
    mine = game.room.seats.members[game.room.seats.host or MemberId(0)].id
    game.refuses(
        game.host,
        [
            ({"t": "start"}, "not_ready"),
            ({"t": "rematch"}, "wrong_phase"),
            *(({"t": "fill", "seat": seat}, "seat_taken") for seat in (1, 2, 6)),
            *(({"t": "fill", "seat": seat}, "unknown_seat") for seat in (9, 10)),
            *(({"t": "fill", "seat": seat}, MALFORMED) for seat in (0, 11, -1, HUGE, "2", True)),
            *(({"t": "fill", "level": level}, "bad_settings") for level in ("Plain", "plain ", "__class__")),
            *(({"t": "clear", "seat": seat}, "not_an_ai") for seat in (1, 6, 8, 9, 10)),
            *(
                ({"t": kind, "member": odd}, "unknown_member")
                for kind in ("kick", "hand_on", "admit")
                for odd in (mine, 0, 99, HUGE)
            ),
            *(({"t": "let_back", "member": odd}, "unknown_member") for odd in (mine, 2, 0, 99, -1)),
            *(({"t": "change", "settings": odd}, "bad_settings") for odd in BAD_SETTINGS),
            *(({"t": "change", "settings": odd}, MALFORMED) for odd in (None, [1], 1, "seats")),
        ],
    )


def absent_player() -> Game:
    """In the pass a player is away, and the others have voted for a pause."""
    game = begun(1)
    game.vote(1)
    gone = game.socket(5 if game.socket(5) != game.host else 6)
    game.hosting.vanish(gone)
    game.hosting.clock.pass_time(SHOWN_AFTER)
    game.sockets.remove(gone)
    for socket in game.sockets[:4]:
        game.does(socket, {"t": "poll", "poll": "pause"})
    assert game.moment == "paused"
    return game


def cheat_in_a_pause(game: Game) -> None:
    """Nobody moves, the host runs no more than else, and there is no vote but on what is put to the vote (R10)."""
    for socket in game.sockets:
        game.refuses(socket, each("paused", MOVES))
        odd: list[Message] = [{"t": "poll", "poll": "pause"}, {"t": "poll", "poll": "replace", "seat": None}]
        odd += [{"t": "poll", "poll": "resume", "seat": seat} for seat in (1, 5, 10)]
        game.refuses(socket, each("no_such_poll", odd))
    for outsider in (game.watcher, game.stranger):
        game.refuses(outsider, each("not_seated", MOVES))
        game.refuses(outsider, each("not_seated", [{"t": "poll", "poll": poll} for poll in ("pause", "resume")]))
    cheat_as_if_host(game)
    cheat_with_the_seats(game)
    claim: Message = {"t": "claim", "claim": {"claim": "role", "turn": 1, "role": "sage"}}
    notes: list[Message] = [{"t": "mark", "turn": 2, "trust": 1}, {"t": "note", "text": "?"}]
    for outsider in (game.watcher, game.stranger):
        game.refuses(outsider, each("not_seated", [claim, {"t": "share_notes"}]))
    game.refuses(game.stranger, each("not_seated", notes))
    for socket in (*game.sockets, game.watcher):
        game.refuses(socket, [({"t": "share_notes"}, "not_seated" if socket == game.watcher else "wrong_phase")])
        game.refuses(socket, [({"t": "ready", "ready": True}, "already_started"), ({"t": "hold"}, "wrong_phase")])
        game.refuses(socket, [({"t": "rename", "name": "a new name"}, "already_started")])


# -- the ten scrolls ---------------------------------------------------------------------------------------------------

ONE, TWO, CARD, NONE = "one", "two", "card", "none"
CHOICES = {
    "force_play": ONE,
    "reveal_sources": NONE,
    "draw_next": CARD,
    "draw_previous": CARD,
    "link_play": TWO,
    "act_last": NONE,
    "gift_blank": ONE,
    "force_neighbours": NONE,
    "peek_hand": ONE,
    "insight": NONE,
}
"""What each scroll asks for first (R6), restated."""
NOT_ONESELF = {"gift_blank", "peek_hand"}
NEEDS_CARDS = {"force_play", "link_play", "peek_hand"}


def about_to_fire(scroll: str) -> tuple[Game, int, int]:
    """A game in which this scroll has just been shown; by whom; and who holds no card any more."""
    for seed in range(1, 200):
        game = begun(seed)
        cheater = game.scroll_of(scroll)
        assert game.room.running
        deal = game.room.running.deal
        if cheater is None or game.socket(cheater) == game.host:
            continue
        near = {cheater % SEATS + 1, (cheater - 2) % SEATS + 1, cheater}
        poor = next((t for t in range(1, SEATS + 1) if t not in near and deal.roles[t - 1] is Role.ADVENTURER), None)
        if poor is None:
            continue
        game.vote(poor)
        while game.shown.hand_sizes[poor - 1] and game.shown.phase == "pass":
            to = next((t for t in game.shown.unfired if t not in (cheater, game.shown.holder)), None)
            if to is None:
                break
            game.pass_to(to)
            game.finish_round(lavish=poor)
        sizes = game.shown.hand_sizes
        if game.shown.phase == "pass" and not sizes[poor - 1] and all(sizes[turn - 1] for turn in near):
            game.pass_to(cheater)
            return game, cheater, poor
    raise AssertionError(f"no deal lets {scroll} be tried")


def odd_targets(scroll: str, cheater: int, poor: int, rich: list[int]) -> list[tuple[list[int], str]]:
    """Choices of players that this scroll cannot have, and why (docs/formats.md, "Which code")."""
    a, b, c = rich[:3]
    odd: list[tuple[list[int], str]] = [
        *(([absent], "unknown_player") for absent in (0, 9, 10)),
        *(([a, absent], "unknown_player") for absent in (0, 9, 10)),
        ([a, a, 0], "unknown_player"),
        *((chosen, "bad_choice") for chosen in ([], [a, b, c], [a, a, a], [cheater] * 10, list(range(1, 9)))),
    ]
    if CHOICES[scroll] == TWO:
        odd += [([one], "bad_choice") for one in (a, cheater, poor)]
        odd += [([one, one], "duplicate_target") for one in (a, cheater, poor)]
        odd += [(pair, "target_has_no_cards") for pair in ([a, poor], [poor, a], [cheater, poor])]
        return odd
    odd += [(pair, "bad_choice") for pair in ([a, a], [a, b], [a, cheater], [cheater, cheater])]
    if CHOICES[scroll] == CARD:
        odd += [([one], "bad_choice") for one in (a, cheater, poor)]
    if scroll in NOT_ONESELF:
        odd.append(([cheater], "self_not_allowed"))
    if scroll in NEEDS_CARDS:
        odd.append(([poor], "target_has_no_cards"))
    return odd


def try_cards(game: Game, cheater: int) -> None:
    """Places outside of the row, and players again, while a face-down card is asked for (R6.11)."""
    choice = game.shown.choice
    assert choice and choice.of and choice.cards
    positions = (-1000, -1, 0, choice.cards + 1, 99, 1000)
    game.refuses(
        game.socket(cheater),
        [
            *(({"t": "pick_card", "position": at}, "no_such_card") for at in positions),
            *(({"t": "targets", "targets": [turn]}, "bad_choice") for turn in range(1, SEATS + 1)),
            ({"t": "targets", "targets": []}, "bad_choice"),
            ({"t": "targets", "targets": [9]}, "unknown_player"),
        ],
    )
    picks: list[Message] = [{"t": "pick_card", "position": at} for at in (1, choice.cards, 99)]
    for turn in range(1, SEATS + 1):
        if turn != cheater:
            game.refuses(game.socket(turn), each("not_your_turn", picks))


@pytest.mark.parametrize("scroll", CATALOG)
def test_a_scroll_takes_no_odd_choice(scroll: str) -> None:
    game, cheater, poor = about_to_fire(scroll)
    socket = game.socket(cheater)
    rich = [turn for turn, size in enumerate(game.shown.hand_sizes, 1) if size and turn != cheater]
    odd = odd_targets(scroll, cheater, poor, rich)
    game.refuses(socket, each(MALFORMED, NONSENSE))
    if CHOICES[scroll] == NONE:
        assert game.shown.phase == "play" and game.shown.announcing
    else:
        assert game.shown.phase == "scroll" and not game.shown.announcing
        game.refuses(socket, [({"t": "targets", "targets": chosen}, code) for chosen, code in odd])
        game.refuses(socket, each("wrong_phase", [{"t": "skip"}, {"t": "play", "card": "blank"}]))
        game.refuses(
            socket, [({"t": "pass", "to": rich[0]}, "wrong_phase"), ({"t": "vote", "target": 1}, "wrong_phase")]
        )
        for turn in range(1, SEATS + 1):
            if turn != cheater:
                game.refuses(game.socket(turn), [({"t": "targets", "targets": rich[:2]}, "not_your_turn")])
        if CHOICES[scroll] in (ONE, TWO):
            game.refuses(socket, [({"t": "pick_card", "position": 1}, "bad_choice")])
            game.does(socket, {"t": "targets", "targets": rich[: 1 if CHOICES[scroll] == ONE else 2], "id": "chosen"})
        if game.shown.choice:
            try_cards(game, cheater)
            game.does(socket, {"t": "pick_card", "position": 1})
    assert game.shown.phase == "play" and game.shown.announcing
    cheat_with_everything(game)
    game.announced()
    game.refuses(socket, [({"t": "targets", "targets": rich[:1]}, "wrong_phase")])
    game.refuses(socket, [({"t": "pick_card", "position": 1}, "wrong_phase")])
    game.finish_round(before=lambda: cheat_with_everything(game))


# -- the same command again --------------------------------------------------------------------------------------------


def test_the_same_id_again_does_nothing_and_is_nobody_elses() -> None:
    game = begun()
    game.vote(1)
    holder, other = game.socket(1), game.socket(2)
    game.refuses(holder, [({"t": "pass", "to": 1, "id": "a"}, "self_not_allowed")])
    game.refuses(other, [({"t": "pass", "to": 3, "id": "a"}, "not_your_turn")])
    game.does(holder, {"t": "pass", "to": 2, "id": "a"})
    before, told = game.digest(), game.told(holder)
    again: list[Message] = [{"t": "pass", "to": 2}, {"t": "pass", "to": 3}, {"t": "skip"}, {"t": "rematch"}, *HOSTS_OWN]
    for message in again:
        game.does(holder, message | {"id": "a"})
    assert game.digest() == before and game.told(holder) == told, "done once"
    game.announced()
    game.refuses(other, [({"t": "pass", "to": 3, "id": "a"}, "wrong_phase")])
    game.hosting.restart()
    game.sockets = [game.hosting.arrive("host" if n == 1 else f"p{n}") for n in range(1, SEATS + 1)]
    before, holder = game.digest(), game.socket(1)
    for message in again:
        game.does(holder, message | {"id": "a"})
    assert game.digest() == before, "nor after a restart"


def test_who_comes_back_hears_of_the_own_seat_only_however_much_they_say_they_heard() -> None:
    game = begun()
    game.vote(1)
    game.pass_to(2)
    own = [news for tell in game.hosting.seen[game.socket(3)].tells for news in tell.news]
    mine, kept, table = game.view(3).you, len(game.hosting.log), game.shown
    assert mine
    session_of = game.room.attendance.sockets[game.socket(3)].session
    number = len(own)
    for game_heard, heard in ((0, 0), (1, 0), (1, 1), (1, number), (1, -5), (1, HUGE), (99, 3), (-1, -1)):
        told = game.hosting.seen[game.hosting.arrive(session_of, game_heard, heard)].last
        assert told.player == mine and told.table == table and told.heard == number
        assert list(told.news) == (own if told.fresh else own[heard:])
    assert len(game.hosting.log) == kept


# -- over real sockets -------------------------------------------------------------------------------------------------


class Client:
    """A raw socket: sends what it is told to, remembers what it hears."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.updates: list[Message] = []
        self._ids = count(1)

    async def hear(self) -> Message:
        """The next message that is no update."""
        while True:
            message: Message = json.loads(await asyncio.wait_for(self.socket.recv(), 10))
            if message["t"] == "update":
                self.updates.append(message)
            elif message["t"] != "lines":
                return message

    async def until(self, is_there: Callable[[Message], bool]) -> None:
        while not self.updates or not is_there(self.updates[-1]):
            message = json.loads(await asyncio.wait_for(self.socket.recv(), 10))
            assert message["t"] in ("update", "lines"), message
            if message["t"] == "update":
                self.updates.append(message)

    async def send(self, message: Message) -> None:
        await self.socket.send(json.dumps(message))

    async def ask(self, message: Message) -> str:
        await self.send({"id": f"{id(self)}-{next(self._ids)}"} | message)
        answer = await self.hear()
        code: str = answer["code"] if answer["t"] == "refused" else answer["t"]
        return code

    async def does(self, message: Message) -> None:
        assert await self.ask(message) == "done", message

    async def told_so_far(self) -> list[Message]:
        """All updates until now: what was sent before this question's answer has been heard."""
        await self.send({"t": "ping", "n": 7})
        assert (await self.hear())["t"] == "pong"
        return self.updates

    @property
    def last(self) -> Message:
        return self.updates[-1]

    @property
    def turn(self) -> int:
        turn: int = self.last["you"]["player"]["turn"]
        return turn


class House:
    """A server, five cookies and a room's code."""

    def __init__(self, server: ServerProcess) -> None:
        self.server = server
        self.cookies = [session(server) for _ in range(5)]
        self.code = server.opened(self.cookies[0], "P0")

    def connect(self, cookie: str, origin: str | None = None, ticket: str | None = None) -> connect:
        headers = {"Cookie": cookie, "Origin": origin or self.server.address}
        ticket = self.server.ticket(self.code, cookie) if ticket is None else ticket
        uri = f"ws://127.0.0.1:{self.server.port}/ws/{self.code}?ticket={ticket}"
        return connect(uri, additional_headers=headers, proxy=None)

    @asynccontextmanager
    async def client(self, cookie: str, **hello: Any) -> AsyncIterator[Client]:
        async with self.connect(cookie) as socket:
            client = Client(socket)
            await client.send({"t": "hello", "protocol": 1} | hello)
            await client.until(lambda update: True)
            yield client

    def log(self) -> list[tuple[int, bytes]]:
        """What is kept of the room, past the server."""
        path = self.server.data / "cinderforge.db"
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
            rows: list[tuple[int, bytes]] = db.execute(
                "SELECT seq, body FROM event WHERE room = ? ORDER BY seq", (self.code,)
            ).fetchall()
            return rows

    def record_status(self, cookie: str) -> int:
        url = f"{self.server.address}/api/rooms/{self.code}/games/1/record"
        try:
            with urllib.request.urlopen(urllib.request.Request(url, headers={"Cookie": cookie}), timeout=5) as answer:
                status: int = answer.status
                return status
        except urllib.error.HTTPError as error:
            error.close()
            return error.code


async def sit_and_start(people: list[Client]) -> None:
    """To the vote; neither it nor a wait for a move has a limit."""
    await people[0].does(
        {"t": "change", "settings": {"seats": 5, "first_holder": "vote", "preset": "none", "timers": {"away": None}}}
    )
    for number, person in enumerate(people[1:], 1):
        await person.does({"t": "join", "name": f"P{number}"})
    await people[0].does({"t": "start"})
    for person in people:
        await person.until(lambda update: update["table"] is not None)  # nobody need have mixed in
    for person in people:
        await person.does({"t": "seen"})
    for person in people:
        await person.until(lambda update: update["table"] is not None and update["table"]["phase"] == "vote")


async def refuses(house: House, people: list[Client], cheater: Client, attempts: list[tuple[Message, str]]) -> None:
    """Each is refused with its code, the log stays, and not a byte goes to anybody else."""
    before, told = house.log(), [len(await person.told_so_far()) for person in people]
    for message, code in attempts:
        assert await cheater.ask(message) == code, message
    assert [len(await person.told_so_far()) for person in people] == told
    assert house.log() == before


async def cheat_over_the_wire(house: House, people: list[Client]) -> None:
    await sit_and_start(people)
    cheater = people[4]
    wrong: list[Message] = [
        {"t": "skip"},
        {"t": "play", "card": "blank"},
        {"t": "targets", "targets": [1]},
        {"t": "pick_card", "position": 1},
        {"t": "pass", "to": 1},
    ]
    await cheater.does({"t": "vote", "target": cheater.turn, "id": "ballot"})
    kept = house.log()
    for target in (1, 2, None):
        await cheater.does({"t": "vote", "target": target, "id": "ballot"})
    assert house.log() == kept
    for_vote = [({"t": "vote", "target": 1}, "not_your_turn"), ({"t": "vote", "target": 6}, "unknown_player")]
    await refuses(house, people, cheater, each("not_host", HOSTS_OWN) + each("wrong_phase", wrong) + for_vote)
    for person in people[:4]:
        await person.does({"t": "vote", "target": people[0].turn})
    for person in people:
        await person.until(lambda update: update["table"]["phase"] == "pass")
    others = [person.turn for person in people[1:]]
    passes = [({"t": "pass", "to": to}, "not_your_turn") for to in others]
    passes += [({"t": "pass", "to": to}, "unknown_player") for to in (0, 6, 10)]
    await refuses(house, people, cheater, each("wrong_phase", wrong[:4]) + passes)
    await people[0].does({"t": "pass", "to": others[0]})
    for person in people:
        await person.until(lambda update: update["table"]["holder"] == others[0] and not update["table"]["announcing"])
    await refuses(house, people, cheater, each("not_host", HOSTS_OWN))


def serving(tmp_path: Path, play: Callable[[House], Any]) -> None:
    """A server whose night is over at once, so that only what has no limit is ever waited for."""
    server = ServerProcess(tmp_path, tempo=1000)
    server.start()
    try:
        asyncio.run(play(House(server)))
    finally:
        assert server.stop() == 0


@asynccontextmanager
async def table(house: House) -> AsyncIterator[list[Client]]:
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(house.client(cookie)) for cookie in house.cookies]


def test_over_a_socket_a_cheater_gets_a_code_and_the_others_nothing(tmp_path: Path) -> None:
    async def play(house: House) -> None:
        async with table(house) as people:
            await cheat_over_the_wire(house, people)

    serving(tmp_path, play)


def test_nonsense_is_told_apart_and_after_three_the_socket_is_closed(tmp_path: Path) -> None:
    async def play(house: House) -> None:
        async with table(house) as people:
            await sit_and_start(people)
            kept, public = house.log(), people[0].last["table"]
            for at in range(0, len(NONSENSE), 3):
                async with house.client(house.cookies[4]) as cheater:
                    for odd in NONSENSE[at : at + 3]:
                        assert await cheater.ask(odd) == MALFORMED, odd
                    if len(NONSENSE[at : at + 3]) == 3:
                        with pytest.raises(ConnectionClosed) as closed:
                            await cheater.hear()
                        assert closed.value.rcvd and closed.value.rcvd.code == 1008
            for person in people[:4]:
                news = [update["news"] for update in (await person.told_so_far()) if update["table"] == public]
                assert not any(news[1:]), "others hear that somebody comes and goes, and no more"
                assert person.last["table"] == public
            assert house.log() == kept

    serving(tmp_path, play)


def test_a_seat_belongs_to_its_cookie_whatever_is_claimed(tmp_path: Path) -> None:
    async def play(house: House) -> None:
        async with table(house) as people:
            await sit_and_start(people)
            victim, mine = people[1], people[4].last["you"]
            kept, told = house.log(), len(await victim.told_so_far())
            secret = house.cookies[1].partition("=")[2]
            for forged in ("", "cf_session=", f"cf_session={secret[:-1]}", f"cf_session={secret.swapcase()}"):
                with pytest.raises(InvalidStatus) as refused:
                    await house.connect(forged, ticket=house.server.ticket(house.code, house.cookies[1]))
                assert refused.value.response.status_code == 401
                with pytest.raises(urllib.error.HTTPError):
                    house.server.ticket(house.code, forged)
            used = house.server.ticket(house.code, house.cookies[4])
            async with house.connect(house.cookies[4], ticket=used):
                pass
            for ticket in ("", used, "x" * 32, house.server.ticket(house.code, house.cookies[1])):
                with pytest.raises(InvalidStatus) as refused:
                    await house.connect(house.cookies[4], ticket=ticket)
                assert refused.value.response.status_code == 401, "a ticket is one session's, and good once"
            for member in ("P1", "2", str(victim.last["you"]["member"]["member"])):
                with pytest.raises(InvalidStatus):
                    await house.connect(f"cf_session={member}", ticket="")
            with pytest.raises(InvalidStatus) as refused:
                await house.connect(house.cookies[4], origin="https://elsewhere.example")
            assert refused.value.response.status_code == 403
            for claim in ({"seat": 2}, {"member": 2}, {"session": secret}, {"turn": victim.turn}, {"heard": "1"}):
                async with house.connect(house.cookies[4]) as socket:
                    cheater = Client(socket)
                    await cheater.send({"t": "hello", "protocol": 1} | claim)
                    assert (await cheater.hear())["t"] == MALFORMED
                    assert await cheater.ask({"t": "skip"}) == MALFORMED, "hello comes first"
            assert len(await victim.told_so_far()) == told, "and nobody was told"
            for game, heard in ((1, 0), (1, victim.last["heard"]), (0, 10**6)):
                async with house.client(house.cookies[4], game=game, heard=heard) as cheater:
                    assert cheater.last["you"]["player"] == mine["player"]
                    assert cheater.last["you"]["member"] == mine["member"]
                    await cheater.send({"t": "hello", "protocol": 1, "game": 1, "heard": 0})
                    assert (await cheater.hear())["t"] == MALFORMED, "hello comes once"
            assert [house.record_status(cookie) for cookie in (house.cookies[4], session(house.server))] == [404, 404]
            assert house.log() == kept

    serving(tmp_path, play)
