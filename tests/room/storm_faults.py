"""Faults as rooms of other games have had them, each a small change of the real code, planted to see the storm find it.

`python -m tests.room.storm_faults` prints which check found each, and in which storm.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import msgspec
import pytest

from cinderforge.room import absence, notebook, picture, playing, talking, telling, waiting
from cinderforge.room import room as room_module
from cinderforge.room.events import NotesShared, Paused, RoomEvent, SettingsChanged, Went
from cinderforge.room.inputs import Arrived, SessionKey
from cinderforge.room.outputs import AskBot, Keep, Output, WakeAt
from cinderforge.room.presence import Presence
from cinderforge.room.room import Room
from cinderforge.room.seats import Member, Seats
from cinderforge.room.shapes import RoomView, SharedNotesView
from cinderforge.room.telling import Telling
from cinderforge.rules.words import How, Seat, Turn
from cinderforge.testkit import audience
from tests.soak.storm import Failure, failure_of

MOST_SEEDS = 40
"""In so many storms each fault must be found."""


class Patch(Protocol):
    """What of pytest's monkeypatch is needed."""

    def setattr(self, target: Any, name: str, value: Any) -> None: ...


@dataclass(frozen=True, slots=True)
class Fault:
    """How it is planted, and which checks may be the one that finds it."""

    name: str
    plant: Callable[[Patch], None]
    found_by: tuple[str, ...]


FAULTS: list[Fault] = []


def planted(*found_by: str) -> Callable[[Callable[[Patch], None]], Callable[[Patch], None]]:
    def enlist(plant: Callable[[Patch], None]) -> Callable[[Patch], None]:
        FAULTS.append(Fault(plant.__name__.replace("_", " "), plant, found_by))
        return plant

    return enlist


def found(most: int = MOST_SEEDS) -> Failure | None:
    """What the first storm breaks that finds anything."""
    return next((failure for seed in range(most) if (failure := failure_of(seed))), None)


# -- kept and told -----------------------------------------------------------------------------------------------------


@planted("what happens is kept before anything is told")
def it_is_told_before_it_is_kept(patch: Patch) -> None:
    true = Room.take

    def take(room: Room, what: Any, now: int) -> list[Output]:
        outputs = true(room, what, now)
        return [o for o in outputs if not isinstance(o, Keep)] + [o for o in outputs if isinstance(o, Keep)]

    patch.setattr(Room, "take", take)


@planted("the log gives the same room")
def a_change_of_settings_is_not_kept(patch: Patch) -> None:
    true = Room.record

    def record(room: Room, *events: RoomEvent) -> None:
        true(room, *events)
        room._new = [event for event in room._new if not isinstance(event, SettingsChanged)]

    patch.setattr(Room, "record", record)


@planted("a refusal changes nothing and is told to nobody else", "AssertionError")
def a_refused_move_is_told_to_all(patch: Patch) -> None:
    true = Room._asked_for

    def asked_for(room: Room, asked: Any, now: int) -> list[Output]:
        outputs = true(room, asked, now)
        refused = len(outputs) == 1 and getattr(outputs[0], "code", None) is not None
        return outputs + telling.tell(room, now) if refused else outputs

    patch.setattr(Room, "_asked_for", asked_for)


@planted("a command's id is remembered", "a command is in the log once")
def ids_are_forgotten_by_a_restart(patch: Patch) -> None:
    patch.setattr(Room, "read_back", classmethod(_read_back_without_ids))


def _read_back_without_ids(cls: type[Room], code: str, entropy: Any, log: Any) -> Room:
    room = cls(code, entropy)
    for event, _, at in log:
        room.fold(event, None, at)
    return room


@planted("the news has no gap", "the news is what happened")
def who_comes_back_misses_a_line_of_news(patch: Patch) -> None:
    true = telling._news

    def news(room: Any, running: Any, presence: Presence, until: int) -> Any:
        if presence.told is None and presence.heard > 0:
            presence.heard += 1
        return true(room, running, presence, until)

    patch.setattr(telling, "_news", news)


@planted("a secret is told after the end", "a secret is never told")
def the_secret_is_in_the_public_half(patch: Patch) -> None:
    def shown(room: Room) -> RoomView:
        return msgspec.structs.replace(picture.room_view(room), secret=room.secret.hex())

    patch.setattr(telling, "room_view", shown)
    patch.setattr(audience, "room_view", shown)


@planted("who watches sees the game late")
def who_watches_sees_the_game_at_once(patch: Patch) -> None:
    patch.setattr(Telling, "seen_at", lambda self, time: self.moments[-1])


@planted("every line arrives")
def lines_are_told_to_the_table_alone(patch: Patch) -> None:
    true = talking.unheard

    def unheard(room: Room, member: Member | None, after: int, side_after: int, until: int) -> Any:
        return true(room, member, after, side_after, until) if member and member.seat else iter(())

    patch.setattr(talking, "unheard", unheard)


@planted("one reads what is meant for one")
def a_host_who_plays_is_told_of_a_report_at_once(patch: Patch) -> None:
    patch.setattr(talking, "is_withheld", lambda room, member, line: False)


@planted("one's notes are one's own", "what one notes is shown to nobody else")
def the_hosts_notes_are_in_everybodys_picture(patch: Patch) -> None:
    true = notebook.notes_of

    def notes_of(room: Room, member: Member | None) -> Any:
        host = room.seats.members.get(room.seats.host) if room.seats.host is not None else None
        return true(room, host or member)

    patch.setattr(notebook, "notes_of", notes_of)


@planted("what one notes is shown to nobody else")
def everybody_is_told_when_somebody_notes_something(patch: Patch) -> None:
    patch.setattr(room_module, "IN_NO_PICTURE", ())


@planted("notes are seen by consent")
def notes_are_open_to_all_without_anybodys_consent(patch: Patch) -> None:
    true = notebook.Notebook.apply

    def apply(book: notebook.Notebook, event: RoomEvent) -> None:
        true(book, event)
        if isinstance(event, NotesShared):
            other = Turn(event.turn % 5 + 1)
            book.shared[other] = SharedNotesView(other, [], "")

    patch.setattr(notebook.Notebook, "apply", apply)


# -- who plays ---------------------------------------------------------------------------------------------------------


@planted("who is back plays", "who is here has not left")
def an_ai_goes_on_for_who_is_back(patch: Patch) -> None:
    patch.setattr(absence, "come_back", lambda room, member: None)


@planted("a move says whose it was", "the record says whose each move was")
def a_stand_ins_move_is_marked_as_the_persons(patch: Patch) -> None:
    true = playing._move

    def move(room: Room, turn: Any, command: Any, how: How) -> None:
        true(room, turn, command, How.OWN)

    patch.setattr(playing, "_move", move)


@planted("nobody's membership is lost", "in a game every chair is taken", "KeyError")
def who_leaves_a_game_loses_the_chair(patch: Patch) -> None:
    def leave_game(room: Room, member: Member, *, banned: bool) -> None:
        room.record(Went(member.id, banned))

    patch.setattr(absence, "leave_game", leave_game)


@planted("who was removed does not come back, all others do")
def who_was_removed_may_come_back(patch: Patch) -> None:
    patch.setattr(Seats, "is_banned", lambda self, session: False)


@planted("there is a host when anybody is here", "the alarm is set")
def the_hosts_role_stays_with_who_is_gone(patch: Patch) -> None:
    patch.setattr(waiting, "host_due", lambda room: [])


@planted("nobody's chair moves", "no chair is doubled")
def a_newcomer_is_given_the_first_chair(patch: Patch) -> None:
    true = waiting.settle_down

    def first(room: Room, session: SessionKey, member: Any, name: str, chair: Any, *, wants: bool = False) -> None:
        true(room, session, member, name, chair and Seat(1), wants=wants)

    patch.setattr(waiting, "settle_down", first)


# -- waits -------------------------------------------------------------------------------------------------------------


@planted("no vote outlives its reason")
def votes_are_never_forgotten(patch: Patch) -> None:
    patch.setattr(Room, "_forget_votes", lambda room, poll: None)
    patch.setattr(absence, "_void", lambda room, poll, seat: None)


@planted("the alarm is set")
def no_alarm_is_set_for_the_end_of_a_pause(patch: Patch) -> None:
    true = absence.due
    patch.setattr(absence, "due", lambda room: [] if room.wait and room.wait.is_paused else true(room))


@planted("the alarm is set")
def the_alarm_is_not_set_again_after_a_pause(patch: Patch) -> None:
    true = Room.take

    def take(room: Room, what: Any, now: int) -> list[Output]:
        was_paused = room.wait is not None and room.wait.is_paused
        outputs = true(room, what, now)
        is_over = was_paused and not (room.wait and room.wait.is_paused)
        return [o for o in outputs if not (is_over and isinstance(o, WakeAt))]

    patch.setattr(Room, "take", take)


@planted("a wait gets back what was lost")
def the_time_of_an_outage_is_lost(patch: Patch) -> None:
    true = Room.resume
    patch.setattr(Room, "resume", lambda room, last, now: true(room, now, now))


@planted("an AI that is awaited thinks")
def ais_are_not_asked_again_after_a_restart(patch: Patch) -> None:
    true = Room.resume

    def resume(room: Room, last: int, now: int) -> list[Output]:
        return [output for output in true(room, last, now) if not isinstance(output, AskBot)]

    patch.setattr(Room, "resume", resume)


@planted("an alarm that has rung is done with")
def an_alarm_stays_in_the_past(patch: Patch) -> None:
    true = absence.look_after

    def look_after(room: Room, now: int) -> None:
        if not (room.wait and room.wait.is_paused):
            true(room, now - 60_000)

    patch.setattr(absence, "look_after", look_after)


@planted("what is paused does not run out", "the alarm is set")
def a_pause_leaves_the_deadline(patch: Patch) -> None:
    true = Room._apply_to_wait

    def apply(room: Room, event: Any) -> None:
        before = room.wait
        true(room, event)
        if isinstance(event, Paused) and room.wait and before:
            room.wait = dataclasses.replace(room.wait, until=before.until)

    patch.setattr(Room, "_apply_to_wait", apply)


@planted("who comes is shown the room", "nobody's picture is stale", "nobody's own picture is stale")
def who_comes_back_soon_is_told_nothing(patch: Patch) -> None:
    true = Room._arrived

    def arrived(room: Room, what: Arrived, now: int) -> list[Output]:
        outputs = true(room, what, now)
        return [o for o in outputs if getattr(o, "socket", None) != what.socket] if what.heard else outputs

    patch.setattr(Room, "_arrived", arrived)


if __name__ == "__main__":
    for fault in FAULTS:
        with pytest.MonkeyPatch.context() as patching:
            fault.plant(patching)
            failure = found()
        where = f"{failure.what}, seed {failure.seed}" if failure else "NOT FOUND"
        sys.stdout.write(f"{fault.name}: {where}\n")
