"""Talk in a room (R9): where a line goes, when talk is closed, the guard of R9.2, mutes, reports, floods."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from heapq import merge
from itertools import chain
from typing import TYPE_CHECKING, Final, Literal

from cinderforge.redaction.claims import Claim, ClaimedView
from cinderforge.redaction.recollection import ClaimHeard
from cinderforge.redaction.shapes import Drawn, Peeked
from cinderforge.room.events import (
    Came,
    Claimed,
    ClaimedByAi,
    Dealt,
    HostIs,
    Left,
    Muted,
    Opened,
    Paused,
    Reported,
    Returned,
    RoomEvent,
    Said,
    StandInBegan,
    StandInEnded,
    StartHeld,
    Unpaused,
    Went,
)
from cinderforge.room.floods import refuse_flood
from cinderforge.room.refused import RoomRefused
from cinderforge.room.running import Running
from cinderforge.room.seats import Member, Seats
from cinderforge.room.shapes import Channel, LineView, MemberId, NoticeCode, Quiet, Stage
from cinderforge.rules.scrolls import CATALOG
from cinderforge.rules.words import Phase, ScrollId, Seat, Turn
from cinderforge.talk import guard
from cinderforge.talk.claims import problem_with
from cinderforge.talk.phrases import PHRASES
from cinderforge.talk.text import TextTooLong, cleaned

if TYPE_CHECKING:
    from cinderforge.room.room import Room

REMEMBERED_LINES: Final = 300
SPLIT_MS: Final = 90_000
"""How long earlier lines of the same person are read together with a new one, in ms (R9.2)."""
BURST: Final = 6
MS_PER_LINE: Final = 2_000
"""Lines that a person may say at once, and how soon the next one after that."""
SAME_AGAIN: Final = 3
"""How often the same line may be said within the time of `SPLIT_MS`."""
MOST_REPORTS: Final = 10
_QUIET: Final[dict[Phase, Quiet]] = {Phase.REVEAL: "look", Phase.NIGHT: "night"}


@dataclass(slots=True)
class Conversation:
    """The room's lines, the newest last; folded from events. Old ones are forgotten here, but stay in the log."""

    lines: deque[LineView] = field(default_factory=lambda: deque(maxlen=REMEMBERED_LINES))
    aside: deque[LineView] = field(default_factory=lambda: deque(maxlen=REMEMBERED_LINES))
    """Lines of those who watch, and reports: apart, so that no number of them puts one of the table's out of mind."""
    older_claims: deque[LineView] = field(default_factory=lambda: deque(maxlen=REMEMBERED_LINES))
    """Claims about the game that is on, or was last, that lie further back than `lines`: for the review at its end."""
    game: int = 0
    """Which game that is."""
    dealt_behind: int = 0
    """Behind which line it was dealt."""
    opened_at: int = 0
    latest: int = 0
    """The number of the last line. A number is the ms since the room was opened, if no line has it yet: counted
    through, it would tell everybody how many lines there are that they may not read (R11)."""
    said: dict[MemberId, deque[tuple[int, str | Claim]]] = field(default_factory=dict)
    """When each member said or claimed what last."""
    said_by_ais: dict[Seat, deque[tuple[int, str | Claim]]] = field(default_factory=dict)
    """The same of the AI of each chair."""
    reports: dict[MemberId, int] = field(default_factory=dict)
    about: dict[int, MemberId] = field(default_factory=dict)
    """Whom each report is about, by the number of its line."""
    muted_at: dict[tuple[MemberId, MemberId], int] = field(default_factory=dict)
    """By listener and speaker, behind which line the one has last muted the other."""

    def apply(self, event: RoomEvent, seats: Seats, at: int) -> None:
        """Folds talk, and what everybody should be told in words. `seats` as after the event, but see `Room.apply`."""
        match event:
            case Opened(_, when):
                self.opened_at = when
            case Said(member, channel, kind, text, when):
                self._add(when, kind, channel, seats.members[member], text)
                self.said.setdefault(member, deque(maxlen=BURST)).append((when, text))
            case Claimed(member, game, turn, round, claim, when):
                claimed = ClaimedView(game, turn, round, claim)
                self._add(when, "claim", "table", seats.members[member], "", claim=claimed)
                self.said.setdefault(member, deque(maxlen=BURST)).append((when, claim))
            case ClaimedByAi(seat, game, turn, round, claim, when):
                claimed = ClaimedView(game, turn, round, claim)
                name = seats.ais[seat].name
                self._append(LineView(self._number(when), when, "claim", "table", None, name, "", "", claimed))
                self.said_by_ais.setdefault(seat, deque(maxlen=BURST)).append((when, claim))
            case Dealt(game):
                self.older_claims.clear()
                self.game, self.dealt_behind = game, self.latest
            case Reported(member, about, text, when):
                self.reports[member] = self.reports.get(member, 0) + 1
                self._add(when, "report", "table", seats.members[member], text, seats.members[about].name)
                self.about[self.latest] = about
                self.about = {n: whom for n, whom in self.about.items() if n >= self.aside[0].n}
            case Muted(member, other, on=True):
                self.muted_at[member, other] = self.latest
            case _:
                if notice := _notice(event, seats):
                    code, member_of_it, name = notice
                    number = self._number(at)
                    self._append(LineView(number, at, "notice", "table", member_of_it, name, code, ""))

    def forget(self, members: set[MemberId]) -> None:
        """They are known no longer: what they have said stays, how much and how often does not."""
        for member in members:
            self.said.pop(member, None)
            self.reports.pop(member, None)
        for pair in [pair for pair in self.muted_at if not members.isdisjoint(pair)]:
            del self.muted_at[pair]

    def all(self) -> Iterable[LineView]:
        """All lines that are remembered, in their order."""
        told = chain(self.older_claims, self.lines)
        return merge(told, self.aside, key=lambda line: line.n) if self.aside else told

    def claims(self) -> Iterator[LineView]:
        """What has been claimed about the game that is on, or was last, as far as it is remembered."""
        for line in chain(self.older_claims, self.lines):
            if line.claim is not None and line.claim.game == self.game:
                yield line

    def withheld(self, seats: Seats, listener: MemberId, until: int) -> set[int]:
        """The numbers up to `until` of what this listener may not have been told: what was said by those whom they
        mute, since they have muted them; and to a host, what was reported since the last deal.
        """
        muted = seats.muted.get(listener, set())
        since = {other: self.muted_at.get((listener, other), 0) for other in muted}
        return {
            line.n
            for line in self.all()
            if (line.member in muted and since[line.member] < line.n <= until)
            or (line.kind == "report" and listener == seats.host and self.dealt_behind < line.n <= until)
        }

    def _add(
        self,
        at: int,
        kind: Literal["said", "phrase", "claim", "report"],
        channel: Channel,
        member: Member,
        text: str,
        about: str = "",
        claim: ClaimedView | None = None,
    ) -> None:
        self._append(LineView(self._number(at), at, kind, channel, member.id, member.name, text, about, claim))

    def _number(self, at: int) -> int:
        self.latest = max(self.latest + 1, at - self.opened_at)
        return self.latest

    def number_at(self, time: int) -> int:
        """The number of the last line not after this server time."""
        last = (next((line.n for line in reversed(of) if line.at <= time), 0) for of in (self.lines, self.aside))
        return max(last)

    def newest(self, now: int) -> int:
        """The highest number that somebody may have heard of; it does not tell when the last line came."""
        return max(self.latest, now - self.opened_at)

    def _append(self, line: LineView) -> None:
        if line.channel == "watchers" or line.kind == "report":
            self.aside.append(line)
            return
        oldest = self.lines[0] if len(self.lines) == REMEMBERED_LINES else None
        if oldest and oldest.claim is not None and oldest.claim.game == self.game:
            self.older_claims.append(oldest)
        self.lines.append(line)


def _notice(event: RoomEvent, seats: Seats) -> tuple[NoticeCode, MemberId | None, str] | None:
    match event:
        case Came(member, _, name, seat, wants):
            return ("came" if seat is not None else "wants_seat" if wants else "watches"), member, name
        case Went(member, banned) | Left(member, banned):
            return ("kicked" if banned else "left"), member, seats.members[member].name
        case Returned(member):
            return "returned", member, seats.members[member].name
        case HostIs(member) if member is not None and len(seats.members) > 1:
            return "host", member, seats.members[member].name
        case StandInBegan(seat, _) | StandInEnded(seat):
            person = seats.at(seat)
            assert person
            return ("stand_in" if isinstance(event, StandInBegan) else "returned"), person.id, person.name
        case StartHeld(member) if member is not None:
            return "held", member, seats.members[member].name
        case Paused():
            return "paused", None, ""
        case Unpaused():
            return "resumed", None, ""
        case _:
            return None


def channel_of(room: Room, member: Member | None, seen: Stage) -> tuple[Channel | None, Quiet]:
    """Where this member's lines go now; None and the reason where talk is closed (R9.1).

    `seen`: at which stage they see the room. Who still sees a game that is over goes on talking with those who watch,
    else the place for one's words would tell the end before it is shown.
    """
    if member is None:
        return None, "guest"
    if "game" not in (room.stage, seen):
        return "table", ""
    if member.seat is None:
        return "watchers", ""
    assert room.running
    if room.running.table.phase in _QUIET:
        return None, _QUIET[room.running.table.phase]
    return "table", ""


def say(room: Room, member: Member, text: str, sure: bool, now: int, seen: Stage) -> None:
    """A line of talk; `sure` after a warning that it may name a scroll.

    Refused: `quiet` with why, `too_long`, `empty`, `said_before`, `too_fast` with how many seconds to wait, and with
    which scroll `names_scroll` or `may_name_scroll`.
    """
    channel = _open_channel(room, member, seen)
    try:
        line = cleaned(text)
    except TextTooLong:
        raise RoomRefused("too_long") from None
    if not line:
        raise RoomRefused("empty")
    _not_too_fast(room.conversation.said.get(member.id, ()), line, now)
    if channel == "table" and room.stage == "game":
        _guard(room, member, line, sure, now)
    room.record(Said(member.id, channel, "said", line, now))


def say_phrase(room: Room, member: Member, phrase: str, now: int, seen: Stage) -> None:
    """One of the quick phrases, where and as often as talk may be. Refused, beside that: `unknown_phrase`."""
    channel = _open_channel(room, member, seen)
    if phrase not in PHRASES:
        raise RoomRefused("unknown_phrase")
    _not_too_fast(room.conversation.said.get(member.id, ()), phrase, now)
    room.record(Said(member.id, channel, "phrase", phrase, now))


def make_claim(room: Room, member: Member, claim: Claim, now: int, seen: Stage) -> None:
    """Players alone claim, and about a game that is on; where and how often is as for all talk."""
    if _open_channel(room, member, seen) != "table":
        raise RoomRefused("not_seated")
    if room.running is None or room.stage != "game":
        raise RoomRefused("wrong_phase")
    if member.seat is None:
        raise RoomRefused("not_seated")
    running = room.running
    turn = running.turn_of(member.seat)
    _fits(room, running, turn, claim)
    _not_too_fast(room.conversation.said.get(member.id, ()), claim, now)
    room.record(Claimed(member.id, running.number, turn, running.table.round, claim, now))


def make_claim_of_ai(room: Room, running: Running, seat: Seat, claim: Claim, now: int) -> None:
    """The claim of the AI of this chair: when, what and how often is as for a person's."""
    if room.stage != "game":
        raise RoomRefused("wrong_phase")
    if running.table.phase in _QUIET:
        raise RoomRefused("quiet", _QUIET[running.table.phase])
    turn = running.turn_of(seat)
    _fits(room, running, turn, claim)
    _not_too_fast(room.conversation.said_by_ais.get(seat, ()), claim, now)
    room.record(ClaimedByAi(seat, running.number, turn, running.table.round, claim, now))


def _fits(room: Room, running: Running, turn: Turn, claim: Claim) -> None:
    claims = room.conversation.claims()
    earlier = {line.n for line in claims if line.claim is not None and line.claim.turn != turn}
    if problem := problem_with(claim, turn, running.shown, earlier, _looked_at(running, turn)):
        raise RoomRefused(problem)


def _looked_at(running: Running, turn: Turn) -> set[Turn]:
    """Whose card this player's scroll has shown them, as everybody was told (R6.3, R6.9)."""
    news = running.news(0, len(running.chronicle))
    drawn = {one.source for one in news if isinstance(one, Drawn) and one.drawer == turn}
    return drawn | {one.of for one in news if isinstance(one, Peeked) and one.turn == turn}


def heard_claims(room: Room, seat: Seat) -> list[ClaimHeard]:
    """What has been claimed about the game that is on, as this chair was told it: to an AI that plays for a person,
    nothing of those whom the person has muted.
    """
    person = room.seats.at(seat)
    withheld = room.conversation.withheld(room.seats, person.id, room.conversation.latest) if person else set()
    claims = ((line.n, line.claim) for line in room.conversation.claims())
    return [ClaimHeard(n, claim) for n, claim in claims if claim is not None and n not in withheld]


def mute(room: Room, member: Member, other: MemberId, on: bool) -> None:
    """A member wants to hear nothing more of another, or again. Refused: `unknown_member`."""
    if other == member.id or other not in room.seats.members:
        raise RoomRefused("unknown_member")
    if (other in room.seats.muted.get(member.id, ())) != on:
        room.record(Muted(member.id, other, on))


def report(room: Room, member: Member, other: MemberId, text: str, now: int) -> None:
    """Something about another, for the host alone. Refused: `unknown_member`, `too_long`, `too_fast` for good."""
    if other == member.id or other not in room.seats.members:
        raise RoomRefused("unknown_member")
    if room.conversation.reports.get(member.id, 0) >= MOST_REPORTS:
        raise RoomRefused("too_fast")
    try:
        line = cleaned(text)
    except TextTooLong:
        raise RoomRefused("too_long") from None
    room.record(Reported(member.id, other, line, now))


def unheard(room: Room, member: Member | None, after: int, side_after: int, until: int) -> Iterator[LineView]:
    """The lines meant for this member: the table's behind number `after` and not from after server time `until`, the
    watchers' own behind number `side_after`. Who is no member reads none; what is not for now is `is_withheld`.
    """
    if member is None:
        return
    for line in room.conversation.all():
        if line.channel == "watchers":
            if member.seat is None and line.n > side_after:
                yield line
        elif line.n <= after or line.at > until:
            continue
        elif line.kind == "report":
            # Never to those whom it is about, even where they are host, or become it.
            told_host = member.id == room.seats.host and member.id != room.conversation.about[line.n]
            if told_host or member.id == line.member:
                yield line
        else:
            yield line


def is_withheld(room: Room, member: Member, line: LineView) -> bool:
    """Whether this member is not to hear it now: of whom they have muted, all but what happens and what is reported.

    A host who plays reads reports when the game is over: a word for one player alone would be talk, even at night (R9).
    Where nobody may watch, who waits for a chair hears what the players say when the game is over.
    """
    if line.kind == "report":
        return line.member != member.id and member.seat is not None and room.stage == "game"
    in_vain = member.seat is None and room.stage == "game" and not room.settings.spectators
    if in_vain and line.channel == "table" and line.kind != "notice":
        return True
    return line.kind != "notice" and line.member in room.seats.muted.get(member.id, ())


def check_name(room: Room, name: str) -> None:
    """A name that is brought to a game is seen by the players, and so is talk: none comes at night (R4.2, R9).

    It names no scroll at all, fired or not: else whoever is to see the game late could ask which have.
    """
    if room.running is None or room.stage != "game":
        return
    check_night(room)
    if room.settings.chat_guard != "off" and guard.find(name, (), frozenset(CATALOG)) is not None:
        raise RoomRefused("bad_name")


def check_night(room: Room) -> None:
    """Nobody gives the players a sign at night, not even by what all see of those who watch (R4.2)."""
    if room.stage == "game" and room.running and room.running.table.phase is Phase.NIGHT:
        raise RoomRefused("quiet", "night")


def _open_channel(room: Room, member: Member, seen: Stage) -> Channel:
    channel, quiet = channel_of(room, member, seen)
    if channel is None:
        raise RoomRefused("quiet", quiet)
    return channel


def _recent(said: Iterable[tuple[int, str | Claim]], now: int) -> list[tuple[int, str | Claim]]:
    return [(at, line) for at, line in said if at > now - SPLIT_MS]


def _not_too_fast(said: Iterable[tuple[int, str | Claim]], line: str | Claim, now: int) -> None:
    """Refuses a flood in words: how many seconds to wait."""
    recent = _recent(said, now)
    if sum(said == line for _, said in recent) >= SAME_AGAIN:
        raise RoomRefused("said_before")
    refuse_flood([at for at, _ in recent], BURST, MS_PER_LINE, now)


def _guard(room: Room, member: Member, line: str, sure: bool, now: int) -> None:
    """Nobody may name a scroll that has not fired yet, nor quote its effect (R9.2)."""
    if room.settings.chat_guard == "off" or (room.settings.chat_guard == "warn" and sure):
        return
    recent = _recent(room.conversation.said.get(member.id, ()), now)
    earlier = [said for _, said in recent if isinstance(said, str)]
    found = guard.find(line, earlier, _unfired(room))
    if found is not None:
        raise RoomRefused("names_scroll" if room.settings.chat_guard == "block" else "may_name_scroll", found)


def _unfired(room: Room) -> frozenset[ScrollId]:
    """Every scroll of the catalogue but those that have been shown: which of them are in play is nobody's business."""
    assert room.running
    shown = {fired.scroll for fired in room.running.table.fired}
    return frozenset(CATALOG) - shown
