"""What must be true of a room after every step, whatever has happened: restated here, and not asked of the room."""

from __future__ import annotations

from cinderforge.room.absence import LONGEST_PAUSE
from cinderforge.room.closing import EMPTY_GRACE
from cinderforge.room.presence import SHOWN_AFTER
from cinderforge.room.seats import Member
from cinderforge.room.waiting import HOST_GRACE
from cinderforge.rules.state import awaited
from cinderforge.testkit.ledger import compare, must
from cinderforge.testkit.storm import Storm


def check(storm: Storm) -> None:
    """Raises Broken for the first thing that does not hold."""
    compare(storm.room, storm.ledger.room, whole=False)
    _hosts(storm)
    _stand_ins(storm)
    _votes(storm)
    _waits(storm)
    _somebody_moves(storm)
    _seen_away(storm)
    storm.audience.check_pictures(storm.room, min(storm.now, storm.rung))


def _rings_by(storm: Storm, due: int, why: str) -> None:
    must(storm.alarm is not None and storm.alarm <= due, "the alarm is set", (why, storm.alarm, due))


def _hosts(storm: Storm) -> None:
    """Whoever is host is a member who has not left, and is here if anybody is, or their grace is running (R2.5)."""
    seats = storm.ledger.room.seats
    here = [m for m in seats.members.values() if m.id not in storm.absent]
    must(not any(m.left for m in here), "who is here has not left", here)
    if seats.host is None:
        must(not here, "there is a host when anybody is here", here)
        return
    must(seats.host in seats.members, "the host is a member", seats.host)
    must(not seats.members[seats.host].left, "the host has not left the game", seats.host)
    if here and seats.host in storm.absent:
        _rings_by(storm, storm.absent[seats.host] + HOST_GRACE, "the host is away")
    if not here:
        _rings_by(storm, storm.last_here + EMPTY_GRACE, "nobody is here")


def _stand_ins(storm: Storm) -> None:
    """A person who is back is never played by an AI; one who stays away is, in time (R10.2)."""
    room = storm.ledger.room
    for member in _seated(storm):
        stood_in_for = member.seat in room.seats.stand_ins
        must(not stood_in_for or member.id in storm.absent, "who is back plays", member)
        if room.stage != "game":
            continue
        must(stood_in_for or not member.left, "an AI plays for who has left", member)
        grace = room.settings.timers.away
        is_paused = room.wait is not None and room.wait.is_paused
        if not stood_in_for and member.id in storm.absent and grace is not None and not is_paused:
            _rings_by(storm, storm.absent[member.id] + grace * 1000, "an AI will stand in")


def _seated(storm: Storm) -> list[Member]:
    return [m for m in storm.ledger.room.seats.members.values() if m.seat is not None]


def _votes(storm: Storm) -> None:
    """Votes are only about what may be voted on: an absence that lasts, a pause that lasts (R10)."""
    room = storm.ledger.room
    missing = {m.seat for m in _seated(storm) if m.id in storm.absent and m.seat not in room.seats.stand_ins}
    is_paused = room.wait is not None and room.wait.is_paused
    for (poll, seat), voters in room.votes.items():
        if not voters or room.stage == "over":
            continue
        must(room.stage == "game", "votes belong to a game", (poll, voters))
        match poll:
            case "resume":
                must(is_paused, "no vote outlives its reason", (poll, voters))
            case "pause":
                must(missing and not is_paused, "no vote outlives its reason", (poll, voters))
            case "replace":
                must(seat in missing, "no vote outlives its reason", (poll, seat, voters))


def _waits(storm: Storm) -> None:
    """Every waiting state owns one deadline, and the alarm rings by it."""
    room = storm.ledger.room
    wait = room.wait
    must((wait is not None) == (room.stage in ("mixing", "game")), "what waits has a wait", (room.stage, wait))
    if wait is None:
        return
    must((wait.kind == "mixing") == (room.stage == "mixing"), "a wait is for what is on", (room.stage, wait))
    if wait.is_paused:
        must(wait.until is None, "what is paused does not run out", wait)
        must(wait.paused_at <= storm.now, "a pause began in the past", wait)
        _rings_by(storm, wait.paused_at + LONGEST_PAUSE, "a pause ends")
        must(_away(storm), "a pause has a reason", wait)
    elif wait.until is not None:
        _rings_by(storm, wait.until, "a wait runs out")
    else:
        must(wait.whole is None, "a wait without a limit is set so", wait)


def _away(storm: Storm) -> list[Member]:
    room = storm.ledger.room
    return [m for m in _seated(storm) if m.id in storm.absent and m.seat not in room.seats.stand_ins]


def _somebody_moves(storm: Storm) -> None:
    """From every state of a game the clock, an AI or a person can move."""
    room = storm.ledger.room
    wait, running = room.wait, room.running
    if room.stage != "game" or wait is None or running is None or wait.is_paused:
        return
    due = {turn: room.seats.level_at(running.seat_of(turn)) for turn in awaited(running.table)}
    if not running.table.announcing:
        lacking = [turn for turn, level in due.items() if level is not None and turn not in storm.thinking]
        must(not lacking, "an AI that is awaited thinks", (lacking, wait))
    if wait.until is None:
        look = [m for m in _seated(storm) if m.id not in running.looked and m.seat not in room.seats.stand_ins]
        must(look if wait.kind == "reveal" else due, "somebody can move", wait)


def _seen_away(storm: Storm) -> None:
    """Who is away is seen so after a moment, who is here at once."""
    kept = storm.ledger.room
    seen = next((p.last.room for p in storm.people.values() if p.last and not _watches(storm, p.session)), None)
    if seen is None:
        return
    online = {one.member: one.online for one in seen.seats if one.member is not None}
    online |= {one.member: one.online for one in seen.watchers}
    for member in kept.seats.members.values():
        since = storm.absent.get(member.id)
        if since is None:
            must(online[member.id], "who is here is seen", member)
        elif online[member.id] and not member.left:
            _rings_by(storm, since + SHOWN_AFTER, "somebody will be seen to be away")
        must(not member.left or not online[member.id], "who has left is seen to be away", member)


def _watches(storm: Storm, session: str) -> bool:
    return storm.audience.is_late(
        next((m for m in storm.ledger.room.seats.members.values() if m.session == session), None)
    )
