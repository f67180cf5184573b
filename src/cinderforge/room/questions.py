"""What AIs are asked, by the server (`AskBot`), and which of their answers still count (R2.3, R10.2)."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

from cinderforge.bots.characters import character_of
from cinderforge.bots.pace import delay
from cinderforge.redaction.recollection import recollection
from cinderforge.redaction.shapes import View
from cinderforge.redaction.view import player_view
from cinderforge.room import talking, waits
from cinderforge.room.inputs import BotAnswered
from cinderforge.room.outputs import AskBot
from cinderforge.room.running import Running
from cinderforge.room.state import Wait
from cinderforge.rules.state import awaited
from cinderforge.rules.words import Turn

if TYPE_CHECKING:
    from cinderforge.room.room import Room


@dataclass(slots=True)
class Questions:
    """Which question each AI has before it. Nothing of this is kept: after a restart they are asked anew."""

    open: dict[Turn, tuple[int, Turn | None]] = field(default_factory=dict)
    """By who is asked: the number of the question, and whose row lay before them then."""
    asked: int = 0
    """The number of the last question."""


def is_open(room: Room, answer: BotAnswered) -> bool:
    """Whether the question still stands: it is void once a person has taken the chair over, or the wait is over or
    stands still.
    """
    question = room.questions.open.get(answer.turn)
    if room.running is None or question is None or question[0] != answer.ask:
        return False
    return answer.turn in awaited(room.running.table)


def ask(room: Room, now: int) -> list[AskBot]:
    """The AIs that the present wait awaits and that have not been asked yet."""
    wait, running = room.wait, room.running
    if wait is None or running is None or running.table.announcing or wait.kind == "mixing" or wait.is_paused:
        return []
    questions = room.questions
    due = {turn: room.seats.level_at(running.seat_of(turn)) for turn in awaited(running.table)}
    for turn in [turn for turn in questions.open if due.get(turn) is None]:
        del questions.open[turn]  # a person has taken over
    of = running.table.choice.of if running.table.choice else None
    asked: list[AskBot] = []
    for turn, level in due.items():
        if level is not None and (turn not in questions.open or questions.open[turn][1] != of):
            questions.asked += 1
            questions.open[turn] = (questions.asked, of)
            asked.append(_question(room, running, wait, turn, level, now))
    return asked


def _question(room: Room, running: Running, wait: Wait, turn: Turn, level: str, now: int) -> AskBot:
    """Its pace follows from the wait's number and the public table alone, its character from its chair, neither from
    what it knows (R11).
    """
    shown = View(running.shown, player_view(running.state, turn))
    seed = f"{room.bots_seed}:{running.number}:{wait.number}:{turn}"
    pause = waits.pause_before_bots(shown.table) + delay(Random(f"{seed}:pace"), shown.table)
    seat = running.seat_of(turn)
    recalled = recollection(running.state, turn, talking.heard_claims(room, seat))
    character = character_of(f"{room.bots_seed}:{running.number}", seat)
    return AskBot(room.questions.asked, turn, level, character, shown, recalled, seed, now + round(pause * 1000))
