"""When AIs say something at the table, and that it goes the way of a person's claim (R9.1).

How often and when is drawn as a round begins, from the room's seed and the chair alone (R11). Nothing of this is kept:
after a restart those who have not spoken in the round are asked anew.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from cinderforge.bots import LEVELS
from cinderforge.bots.characters import character_of
from cinderforge.bots.wording import moments
from cinderforge.redaction.recollection import recollection
from cinderforge.redaction.shapes import View
from cinderforge.redaction.view import player_view
from cinderforge.room import talking
from cinderforge.room.inputs import AiSpoke
from cinderforge.room.outputs import AskWords
from cinderforge.room.refused import RoomRefused
from cinderforge.room.running import Running
from cinderforge.rules.words import Phase, Seat

if TYPE_CHECKING:
    from cinderforge.room.room import Room


@dataclass(slots=True)
class Speeches:
    """For which round the AIs have been asked last: of which game, and its number."""

    asked: tuple[int, int] = (0, 0)


def ask(room: Room, now: int) -> list[AskWords]:
    """The AIs that will say something in a round that has just begun. Stand-ins are silent: it is not their word."""
    running = room.running
    if running is None or room.stage != "game" or running.table.phase is not Phase.PASS or not room.settings.ai_talk:
        return []
    this = (running.number, running.table.round)
    if room.speeches.asked == this:
        return []
    room.speeches.asked = this
    claims = (line.claim for line in room.conversation.claims())
    done = {claim.turn for claim in claims if claim is not None and claim.round == running.table.round}
    chairs = [seat for seat in sorted(room.seats.ais) if room.seats.ais[seat].level in LEVELS]
    asked = (_asked(room, running, seat, now) for seat in chairs if running.turn_of(seat) not in done)
    return [words for words in asked if words is not None]


def _asked(room: Room, running: Running, seat: Seat, now: int) -> AskWords | None:
    character = character_of(f"{room.bots_seed}:{running.number}", seat)
    turn = running.turn_of(seat)
    seed = f"{room.bots_seed}:{running.number}:words {running.table.round}:{seat}"
    times = [now + round(1000 * after) for after in moments(Random(f"{seed}:pace"), character)]
    if not times:
        return None
    shown = View(running.shown, player_view(running.state, turn))
    recalled = recollection(running.state, turn, talking.heard_claims(room, seat))
    level = room.seats.ais[seat].level
    return AskWords(running.number, turn, level, character, shown, recalled, seed, tuple(times))


def say(room: Room, what: AiSpoke, now: int) -> None:
    """An AI claims something. Refused as a person's claim is, and where the game stands still or is another."""
    running = room.running
    if running is None or running.number != what.game or (room.wait and room.wait.is_paused):
        raise RoomRefused("wrong_phase")
    seat = running.seat_of(what.turn)
    if seat not in room.seats.ais:
        raise RoomRefused("not_seated")
    talking.make_claim_of_ai(room, running, seat, what.claim, now)
