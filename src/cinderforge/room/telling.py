"""What each socket is told: the whole picture and its news, and the lines of talk; those who watch perhaps later."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from cinderforge.redaction.eye import SPECTATOR, Eye, PlayerEye
from cinderforge.redaction.shapes import News, TableView
from cinderforge.redaction.view import player_view
from cinderforge.room import talking
from cinderforge.room.inputs import SocketId
from cinderforge.room.outputs import Output, Tell, TellLines
from cinderforge.room.picture import member_view, room_view
from cinderforge.room.presence import Presence
from cinderforge.room.running import Running
from cinderforge.room.seats import Member
from cinderforge.room.shapes import MemberView, RoomView, Stage

if TYPE_CHECKING:
    from cinderforge.room.room import Room


MOST_MOMENTS: Final = 1_000
"""Kept for those who watch late: a game makes some hundred in the longest delay, who toggles something many more."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The public picture at a server time in ms; `events` of the game had happened. Several may fall on one time."""

    number: int
    at: int
    room: RoomView
    table: TableView | None
    game: int
    events: int


@dataclass(slots=True)
class Telling:
    """The moments that those who watch have yet to see, and the last that they have seen; none without a delay."""

    moments: deque[Moment] = field(default_factory=deque)
    made: int = 0
    """The number of the last moment."""

    def note(self, moment: Moment, delay: int) -> None:
        """Keeps a moment for as long as it takes to be seen `delay` ms later. Of too many, the last is left out."""
        if len(self.moments) >= MOST_MOMENTS:
            self.moments.pop()
        self.moments.append(moment)
        while len(self.moments) > 1 and self.moments[1].at <= moment.at - delay:
            self.moments.popleft()

    def seen_at(self, time: int) -> Moment:
        """The newest moment not after this time, or the first there is."""
        seen = self.moments[0]
        for moment in self.moments:
            if moment.at > time:
                break
            seen = moment
        return seen


def tell(room: Room, now: int, only: SocketId | None = None) -> list[Output]:
    """The whole picture for every socket, or for one that has just come; the shared parts are made once."""
    present = _moment(room, now)
    delay = delay_of(room)
    late = present
    if delay:
        room.telling.note(present, delay)
        late = _late(room, now, delay)
    told: list[tuple[int, SocketId, Tell]] = []
    for socket, presence in room.attendance.sockets.items():
        member = room.seats.of_session(presence.session)
        moment = late if _sees_late(room, member) else present
        mine = member_view(room, member, moment.room.stage)
        is_news = moment is present or moment.number != presence.seen or mine != presence.mine
        if socket == only or (only is None and is_news):
            picture = _picture(room, socket, presence, member, moment, mine)
            told.append((member.id if member else 1 << 30, socket, picture))
    return [tell for _, _, tell in sorted(told, key=lambda one: one[:2])]


def tell_own(room: Room, now: int) -> list[Output]:
    """The picture for those alone for whom something of their own has changed, and nothing else for anybody."""
    outputs: list[Output] = []
    for socket, presence in room.attendance.sockets.items():
        member = room.seats.of_session(presence.session)
        mine = member_view(room, member, stage_seen(room, member, now))
        if mine != presence.mine:
            delay = delay_of(room) if _sees_late(room, member) else 0
            moment = _late(room, now, delay) if delay and room.telling.moments else _moment(room, now)
            outputs.append(_picture(room, socket, presence, member, moment, mine))
    return outputs


def tell_late(room: Room, now: int) -> list[Output]:
    """The pictures that have become due for those who watch late, while nothing else has happened."""
    delay = delay_of(room)
    if not delay or not room.telling.moments:
        return []
    moment = _late(room, now, delay)
    outputs: list[Output] = []
    for socket, presence in room.attendance.sockets.items():
        member = room.seats.of_session(presence.session)
        if _sees_late(room, member) and moment.number != presence.seen:
            outputs.append(
                _picture(room, socket, presence, member, moment, member_view(room, member, moment.room.stage))
            )
    return outputs


def tell_lines(room: Room, now: int) -> list[Output]:
    """The lines of talk that each socket has not had; of whom one mutes no more, those from before as well."""
    delay, latest = delay_of(room), room.conversation.latest
    outputs: list[Output] = []
    for socket, presence in room.attendance.sockets.items():
        member = room.seats.of_session(presence.session)
        if member is None or (presence.lines == presence.side == latest and not presence.withheld):
            continue  # who joins reads what was said before, as after a reload
        until = now - delay if delay and _sees_late(room, member) else now
        due = list(talking.unheard(room, member, presence.lines, presence.side, until))
        if presence.withheld:
            earlier = (line for line in talking.unheard(room, member, 0, 0, until) if line.n in presence.withheld)
            due = sorted((*earlier, *due), key=lambda line: line.n)
        lines = tuple(line for line in due if not talking.is_withheld(room, member, line))
        presence.withheld = {line.n for line in due} - {line.n for line in lines}
        presence.side = latest
        # Of lines that are not this receiver's to read not even when the last one came.
        presence.named = max([presence.named, *(line.n for line in due if line.channel == "table")])
        # Never back: before the game, those who watch have heard everything at once.
        presence.lines = max(presence.lines, room.conversation.number_at(until))
        if lines:
            outputs.append(TellLines(socket, lines, presence.named))
    return outputs


def remember(room: Room, at: int) -> None:
    """While a room is read back: the moment that was told then, lest a restart show the present to who watches late."""
    delay = delay_of(room)
    if delay:
        room.telling.note(_moment(room, at), delay)


def delay_of(room: Room) -> int:
    """How much later than the players those who watch see the game, in ms."""
    return room.settings.spectator_delay * 1000 if room.running else 0


def stage_seen(room: Room, member: Member | None, now: int) -> Stage:
    """At which stage the room is for this member: those who watch late still see what is over."""
    delay = delay_of(room) if _sees_late(room, member) else 0
    return room.telling.seen_at(now - delay).room.stage if delay and room.telling.moments else room.stage


def due(room: Room) -> list[int]:
    """When somebody who watches late will see the next moment or line; server times in ms."""
    delay = delay_of(room)
    if not delay:
        return []
    here = [(presence, room.seats.of_session(presence.session)) for presence in room.attendance.sockets.values()]
    late = [(presence, member) for presence, member in here if _sees_late(room, member)]
    seen = min((presence.seen for presence, _ in late), default=room.telling.made)
    heard = min((presence.lines for presence, member in late if member), default=room.conversation.latest)
    times = [moment.at for moment in room.telling.moments if moment.number > seen][:1]
    times += [line.at for line in room.conversation.all() if line.n > heard and line.channel == "table"][:1]
    return [time + delay for time in times]


def _sees_late(room: Room, member: Member | None) -> bool:
    return room.running is not None and (member is None or member.seat is None)


def _late(room: Room, now: int, delay: int) -> Moment:
    """The moment to be seen now by those who watch, its deadline moved along with it."""
    moment = room.telling.seen_at(now - delay)
    wait = moment.room.wait
    if wait is None or wait.until is None:
        return moment
    shown = replace(moment.room, wait=replace(wait, until=wait.until + delay))
    return Moment(moment.number, moment.at, shown, moment.table, moment.game, moment.events)


def _moment(room: Room, now: int) -> Moment:
    running = room.running
    events = len(running.chronicle) if running else 0
    table = running.shown if running else None
    room.telling.made += 1
    return Moment(room.telling.made, now, room_view(room), table, room.games, events)


def _eye(room: Room, member: Member | None) -> Eye:
    if member is None or member.seat is None or room.running is None:
        return SPECTATOR
    return PlayerEye(room.running.turn_of(member.seat))


def _picture(
    room: Room, socket: SocketId, presence: Presence, member: Member | None, moment: Moment, mine: MemberView
) -> Tell:
    """One socket's picture. Who is no member, or watches where nobody may, sees nothing of the game."""
    presence.seen, presence.mine = moment.number, mine
    running = room.running
    watches_in_vain = member is None or (member.seat is None and not room.settings.spectators)
    if running is None or moment.table is None or watches_in_vain:
        presence.game, presence.heard, presence.told = room.games, 0, None
        return Tell(socket, moment.room, None, mine, None, room.games, 0, True, ())
    eye = _eye(room, member)
    news, fresh = _news(room, running, presence, moment.events)
    player = player_view(running.state, eye.turn) if isinstance(eye, PlayerEye) else None
    return Tell(socket, moment.room, moment.table, mine, player, room.games, presence.heard, fresh, news)


def _news(room: Room, running: Running, presence: Presence, until: int) -> tuple[tuple[News, ...], bool]:
    """What this socket has not heard of the first `until` events; from the start where its count cannot be ours."""
    same_game = presence.game == room.games
    if same_game and presence.told is not None:
        news, fresh = running.news(presence.told, until), False
        presence.heard += len(news)
    else:
        whole = running.news(0, until)
        fresh = not same_game or not 0 < presence.heard <= len(whole)
        news = whole if fresh else whole[presence.heard :]
        presence.heard = len(whole)
    presence.game, presence.told = room.games, until
    return news, fresh
