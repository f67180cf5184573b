"""Every message on the wire. `FromClient` is what a browser may say, `ToClient` what it hears; `t` names the kind.

A command carries an `id` of the client's choosing: sent twice it is answered twice and done once.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct

from cinderforge.redaction import claims
from cinderforge.redaction.shapes import News, PlayerView, TableView
from cinderforge.room.shapes import LineView, MemberView, PollKind, RoomView
from cinderforge.rules.settings import MAX_SEATS
from cinderforge.rules.words import Faction, Role

PROTOCOL: Final = 1
"""Raised when a client of the version before would misunderstand; it is then told to reload."""

CommandId = Annotated[str, Meta(min_length=1, max_length=40)]
TurnNumber = Annotated[int, Meta(ge=0, le=MAX_SEATS)]
SeatNumber = Annotated[int, Meta(ge=1, le=MAX_SEATS)]
Name = Annotated[str, Meta(max_length=200)]
Level = Annotated[str, Meta(max_length=40)]


# -- from the client ---------------------------------------------------------------------------------------------------


class Hello(Struct, frozen=True, gc=False, tag_field="t", tag="hello", forbid_unknown_fields=True):
    """The first message on a socket: which protocol, and how much of which game has been heard."""

    protocol: int
    game: int = 0
    heard: int = 0
    lines: int = 0
    """`latest` of the last `lines` message."""


class Ping(Struct, frozen=True, gc=False, tag_field="t", tag="ping", forbid_unknown_fields=True):
    """Asks for a `pong` with the same number, to see that the connection lives and what time it is."""

    n: Annotated[int, Meta(ge=0, le=2**53 - 1)]


class Join(Struct, frozen=True, gc=False, tag_field="t", tag="join", forbid_unknown_fields=True):
    """Take a free seat in the waiting room under this name."""

    id: CommandId
    name: Name


class Watch(Struct, frozen=True, gc=False, tag_field="t", tag="watch", forbid_unknown_fields=True):
    """Be present without a seat."""

    id: CommandId
    name: Name


class WantSeat(Struct, frozen=True, gc=False, tag_field="t", tag="want_seat", forbid_unknown_fields=True):
    """Take a seat as soon as one is free, and be shown in the room's `wanting` until then; or no longer."""

    id: CommandId
    name: Name
    on: bool = True


class Admit(Struct, frozen=True, gc=False, tag_field="t", tag="admit", forbid_unknown_fields=True):
    """By the host: a seat for somebody of the room's `wanting`; where none is free, that of an AI (R2.3)."""

    id: CommandId
    member: int


class Rename(Struct, frozen=True, gc=False, tag_field="t", tag="rename", forbid_unknown_fields=True):
    """Go by another name; not while a game is on."""

    id: CommandId
    name: Name


class Leave(Struct, frozen=True, gc=False, tag_field="t", tag="leave", forbid_unknown_fields=True):
    """Leave the room; from a game the chair stays one's own, and an AI plays (R10.2)."""

    id: CommandId


class Fill(Struct, frozen=True, gc=False, tag_field="t", tag="fill", forbid_unknown_fields=True):
    """Put an AI on a free seat (R2.3); without a seat, on all free ones."""

    id: CommandId
    seat: SeatNumber | None = None
    level: Level | None = None


class Clear(Struct, frozen=True, gc=False, tag_field="t", tag="clear", forbid_unknown_fields=True):
    """Take an AI off its seat; without a seat, all of them (R2.3)."""

    id: CommandId
    seat: SeatNumber | None = None


class Kick(Struct, frozen=True, gc=False, tag_field="t", tag="kick", forbid_unknown_fields=True):
    """Remove a person (R2.3)."""

    id: CommandId
    member: int


class LetBack(Struct, frozen=True, gc=False, tag_field="t", tag="let_back", forbid_unknown_fields=True):
    """Take back that somebody was removed."""

    id: CommandId
    member: int


class HandOn(Struct, frozen=True, gc=False, tag_field="t", tag="hand_on", forbid_unknown_fields=True):
    """Hand the host's role on (R2.3)."""

    id: CommandId
    member: int


class Change(Struct, frozen=True, gc=False, tag_field="t", tag="change", forbid_unknown_fields=True):
    """Change settings (R2.6): keys of the rules, preset, timers, ai_level, spectators, spectator_delay, public,
    chat_guard, ai_talk.
    """

    id: CommandId
    settings: dict[str, Any]


class Start(Struct, frozen=True, gc=False, tag_field="t", tag="start", forbid_unknown_fields=True):
    """Start the game, by the host, once every seat is taken (R2.4)."""

    id: CommandId


class Ready(Struct, frozen=True, gc=False, tag_field="t", tag="ready", forbid_unknown_fields=True):
    """In the waiting room: one is ready to start, or not."""

    id: CommandId
    ready: bool


class Hold(Struct, frozen=True, gc=False, tag_field="t", tag="hold", forbid_unknown_fields=True):
    """Call off the start that is being counted down; once before each game."""

    id: CommandId


class Poll(Struct, frozen=True, gc=False, tag_field="t", tag="poll", forbid_unknown_fields=True):
    """Vote, or no longer, for one of the room's `polls`: pause, resume, replace the absent player of a chair (R10)."""

    id: CommandId
    poll: PollKind
    seat: SeatNumber | None = None
    on: bool = True


class Say(Struct, frozen=True, gc=False, tag_field="t", tag="say", forbid_unknown_fields=True):
    """Talk (R9.1), to whom `you.member.talk` says. `sure` after the refusal `may_name_scroll`."""

    id: CommandId
    text: Annotated[str, Meta(max_length=4000)]
    sure: bool = False


class Phrase(Struct, frozen=True, gc=False, tag_field="t", tag="phrase", forbid_unknown_fields=True):
    """Say one of the quick phrases."""

    id: CommandId
    phrase: Annotated[str, Meta(max_length=40)]


class MakeClaim(Struct, frozen=True, gc=False, tag_field="t", tag="claim", forbid_unknown_fields=True):
    """Claim something about the game that is on, truly or not; only players, where `you.member.talk` is the table."""

    id: CommandId
    claim: claims.Claim


class Mute(Struct, frozen=True, gc=False, tag_field="t", tag="mute", forbid_unknown_fields=True):
    """Hear nothing more of a member, or again."""

    id: CommandId
    member: int
    on: bool = True


class Report(Struct, frozen=True, gc=False, tag_field="t", tag="report", forbid_unknown_fields=True):
    """Tell the host, and nobody else, about a member. A host who plays hears of it when the game is over."""

    id: CommandId
    member: int
    text: Annotated[str, Meta(max_length=4000)]


class Mark(Struct, frozen=True, gc=False, tag_field="t", tag="mark", forbid_unknown_fields=True):
    """What one thinks of a player, for oneself alone; all null takes the mark away. A role brings its faction along."""

    id: CommandId
    turn: TurnNumber
    faction: Faction | None = None
    role: Role | None = None
    trust: Annotated[int, Meta(ge=-2, le=2)] | None = None


class Note(Struct, frozen=True, gc=False, tag_field="t", tag="note", forbid_unknown_fields=True):
    """A text for oneself alone: on a player, or without `turn` on the whole game. An empty one takes it away."""

    id: CommandId
    text: Annotated[str, Meta(max_length=2000)]
    turn: TurnNumber | None = None


class ShareNotes(Struct, frozen=True, gc=False, tag_field="t", tag="share_notes", forbid_unknown_fields=True):
    """After the end: let everybody see one's notes as they now are, or no longer."""

    id: CommandId
    on: bool = True


class Contribute(Struct, frozen=True, gc=False, tag_field="t", tag="contribute", forbid_unknown_fields=True):
    """Random bytes for the coming game's seed, as hex (R3.4)."""

    id: CommandId
    bytes: Annotated[str, Meta(max_length=128)]


class Seen(Struct, frozen=True, gc=False, tag_field="t", tag="seen", forbid_unknown_fields=True):
    """One has looked at role, hand and scroll (R3.3)."""

    id: CommandId


class Rematch(Struct, frozen=True, gc=False, tag_field="t", tag="rematch", forbid_unknown_fields=True):
    """Back to the waiting room at the same table."""

    id: CommandId


class Vote(Struct, frozen=True, gc=False, tag_field="t", tag="vote", forbid_unknown_fields=True):
    """Vote for the first holder, null for nobody (R5.1). Each move may say in which `game` and `round` it was made: one
    that arrives later, after an outage, is then refused as `too_late`.
    """

    id: CommandId
    target: TurnNumber | None
    game: int | None = None
    round: int | None = None


class Pass(Struct, frozen=True, gc=False, tag_field="t", tag="pass", forbid_unknown_fields=True):
    """Give the crystal to this player (R5.3)."""

    id: CommandId
    to: TurnNumber
    game: int | None = None
    round: int | None = None


class Targets(Struct, frozen=True, gc=False, tag_field="t", tag="targets", forbid_unknown_fields=True):
    """The players that one's scroll is turned on, in its order (R6)."""

    id: CommandId
    targets: Annotated[list[TurnNumber], Meta(max_length=MAX_SEATS)]
    game: int | None = None
    round: int | None = None


class PickCard(Struct, frozen=True, gc=False, tag_field="t", tag="pick_card", forbid_unknown_fields=True):
    """One of the face-down cards on offer, by its place 1… (R6.11)."""

    id: CommandId
    position: Annotated[int, Meta(ge=-1000, le=1000)]
    game: int | None = None
    round: int | None = None


class Play(Struct, frozen=True, gc=False, tag_field="t", tag="play", forbid_unknown_fields=True):
    """Play one card of this kind (R5.5)."""

    id: CommandId
    card: Annotated[str, Meta(max_length=40)]
    game: int | None = None
    round: int | None = None


class Skip(Struct, frozen=True, gc=False, tag_field="t", tag="skip", forbid_unknown_fields=True):
    """Play no card in this turn (R5.5)."""

    id: CommandId
    game: int | None = None
    round: int | None = None


FromClient = (
    Hello
    | Ping
    | Join
    | Watch
    | WantSeat
    | Admit
    | Rename
    | Leave
    | Fill
    | Clear
    | Kick
    | LetBack
    | HandOn
    | Change
    | Start
    | Ready
    | Hold
    | Poll
    | Say
    | Phrase
    | MakeClaim
    | Mute
    | Report
    | Mark
    | Note
    | ShareNotes
    | Contribute
    | Seen
    | Rematch
    | Vote
    | Pass
    | Targets
    | PickCard
    | Play
    | Skip
)


# -- to the client -----------------------------------------------------------------------------------------------------


class You(Struct, frozen=True, gc=False):
    """What is this receiver's own."""

    member: MemberView
    player: PlayerView | None


class Update(Struct, frozen=True, gc=False, tag_field="t", tag="update"):
    """The room as it now is, whole, and the news since the last update. `heard` counts the news of this game so far.

    `fresh` when the news starts over from the game's first: replace what was kept instead of adding to it.
    """

    now: int
    room: RoomView
    table: TableView | None
    you: You
    game: int
    heard: int
    fresh: bool
    news: list[News]


class Lines(Struct, frozen=True, gc=False, tag_field="t", tag="lines"):
    """Lines of talk that this receiver may read and may not have yet. Send `latest` back in `hello`."""

    lines: list[LineView]
    latest: int


class Done(Struct, frozen=True, gc=False, tag_field="t", tag="done"):
    """The command with this id is done, once."""

    id: str


class Refused(Struct, frozen=True, gc=False, tag_field="t", tag="refused"):
    """The command with this id was not done: a rejection of the rules or of the room, by its code."""

    id: str
    code: str
    detail: str = ""


class Malformed(Struct, frozen=True, gc=False, tag_field="t", tag="malformed"):
    """What arrived is no message. After a few the socket is closed."""

    detail: str


class Pong(Struct, frozen=True, gc=False, tag_field="t", tag="pong"):
    """The answer to a `ping`; `now` is the server's time in ms."""

    n: int
    now: int


Farewell = Literal["replaced", "closed", "kicked", "left", "version", "restarting", "unknown_room"]


class Bye(Struct, frozen=True, gc=False, tag_field="t", tag="bye"):
    """The last message on a socket. Only after `restarting` does it make sense to come back by oneself."""

    why: Farewell


ToClient = Update | Lines | Done | Refused | Malformed | Pong | Bye
