"""What happens in a storm: each deed is done to the room with dice of its own."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from random import Random
from typing import Final

from cinderforge.room.outputs import AskBot
from cinderforge.rules.commands import Command
from cinderforge.testkit import always, mischief
from cinderforge.testkit.ledger import Broken
from cinderforge.testkit.people import Person
from cinderforge.testkit.storm import Storm

LOG: Final = logging.getLogger(__name__)
STEPS: Final = 150
CALM_AFTER: Final = 4
"""One storm in so many is followed by a calm, in which the game must come to its end."""
MOST_TO_THE_END: Final = 400
MINUTE: Final = 60_000

Deed = Callable[[Storm, Random], None]


def run(seed: int, steps: Iterable[int] = range(STEPS)) -> Storm:
    """The storm of this seed, with these of its steps; leaving some out leaves the dice of the others as they were.

    Raises Broken, or whatever the room itself raises.
    """
    storm = Storm(seed)
    for step in steps:
        if storm.is_closed:
            break
        dice = Random(seed << 20 | step)
        deed = dice.choices(DEEDS, WEIGHTS)[0]
        LOG.debug("step %d: %s", step, deed.__name__)
        deed(storm, dice)
        if not storm.is_closed:
            always.check(storm)
    if seed % CALM_AFTER == 0:
        calm(storm, Random(seed))
    return storm


def calm(storm: Storm, dice: Random) -> None:
    """The storm is over: everybody is back and does what they should, and so the game comes to its end."""
    for _ in range(MOST_TO_THE_END):
        if storm.is_closed or storm.room.stage in ("waiting", "over"):
            return
        all_arrive(storm, dice)
        all_help(storm, dice)
        next_thing(storm, dice)
    raise Broken("a game comes to its end", storm.room.wait)


# -- time and AIs ------------------------------------------------------------------------------------------------------


def next_thing(storm: Storm, dice: Random) -> None:
    """Time passes until something is due, and that happens; or some of it, if nothing is for long."""
    due = storm.next_due()
    if due is None or due > storm.now + 11 * MINUTE:
        storm.now += 1000
        return
    storm.now = max(storm.now, due)
    if storm.alarm is not None and storm.alarm <= storm.now:
        storm.ring()
        return
    if storm.words and min(at for at, _ in storm.words) <= storm.now:
        storm.speak(mischief.any_claim(dice))
        return
    ask = min(storm.thinking.values(), key=lambda ask: ask.at)
    storm.answer(ask, _thought(ask, dice))


def _thought(ask: AskBot, dice: Random) -> Command:
    offer = ask.view.you.offer if ask.view.you else None
    return mischief.any_move(dice) if offer is None or dice.random() < 0.1 else mischief.legal(dice, offer)


def next_things(storm: Storm, dice: Random) -> None:
    for _ in range(dice.randint(2, 12)):
        next_thing(storm, dice)


def a_moment(storm: Storm, dice: Random) -> None:
    """Time passes, and less than is waited for."""
    due = storm.next_due()
    rest = 5000 if due is None else max(0, due - storm.now - 1)
    storm.now += min(rest, dice.choice([0, 1, 500, 3999, 4000, 4001]))


def at_the_edge(storm: Storm, dice: Random) -> None:
    """Somebody does something a millisecond before, at, or after a deadline whose alarm is about to ring."""
    wait = storm.ledger.room.wait
    due = wait.until if wait and wait.until is not None and dice.random() < 0.7 else storm.alarm
    if due is None or due > storm.now + 11 * MINUTE:
        return
    storm.now = max(storm.now, due + dice.choice([-1, 0, 1]))
    for _ in range(dice.randint(1, 2)):
        dice.choice([somebody_asks, somebody_asks, somebody_vanishes, somebody_arrives, an_ai_answers])(storm, dice)
    storm.ring()


def a_false_alarm(storm: Storm, dice: Random) -> None:
    """Early, and perhaps double."""
    for _ in range(dice.randint(1, 2)):
        storm.ring()


def a_stall(storm: Storm, dice: Random) -> None:
    """The process stands still; then everything that fell due happens at once."""
    storm.now += dice.choice([1, 1000, 30_000, MINUTE, dice.randrange(10 * MINUTE)])
    if dice.random() < 0.3:
        somebody_asks(storm, dice)
    storm.ring()


def hours(storm: Storm, dice: Random) -> None:
    """Nobody does anything for long; alarms ring in time."""
    end = storm.now + dice.randrange(70) * MINUTE
    for _ in range(400):
        due = storm.next_due()
        if due is None or due > end or storm.is_closed:
            break
        next_thing(storm, dice)
    storm.now = max(storm.now, end) if storm.next_due() is None else storm.now


def an_ai_answers(storm: Storm, dice: Random) -> None:
    """Early, late, again, or nonsense."""
    asks = [*storm.thinking.values(), *storm.thought]
    if asks:
        ask = dice.choice(asks)
        storm.answer(ask, _thought(ask, dice))


# -- people ------------------------------------------------------------------------------------------------------------


def _people(storm: Storm, *, here: bool) -> list[Person]:
    return [person for person in storm.people.values() if (person.socket is not None) == here]


def somebody_asks(storm: Storm, dice: Random) -> None:
    if people := _people(storm, here=True):
        person = dice.choice(people)
        storm.ask(person, mischief.wish(dice, person))


def all_help(storm: Storm, dice: Random) -> None:
    """Everybody here asks for what helps the game along, in any order and in one moment."""
    people = _people(storm, here=True)
    dice.shuffle(people)
    for person in people:
        if person.socket is not None and (wish := mischief.sensible(dice, person)):
            storm.ask(person, wish)


def somebody_asks_again(storm: Storm, dice: Random) -> None:
    """The same command once more, over any socket of that person; also one that is gone."""
    person = dice.choice(list(storm.people.values()))
    if not person.said:
        return
    command, wish = dice.choice(person.said)
    if person.old and dice.random() < 0.4:
        storm.send_from(dice.choice(person.old), command, wish)
    else:
        storm.send(person, command, wish)


def somebody_vanishes(storm: Storm, dice: Random) -> None:
    if people := _people(storm, here=True):
        storm.vanish(dice.choice(people))


def somebody_arrives(storm: Storm, dice: Random) -> None:
    """Mostly one who was away; else it is a second tab. Pages are reloaded, or were only cut off."""
    people = _people(storm, here=False)
    if not people or dice.random() < 0.15:
        people = list(storm.people.values())
    person = dice.choice(people)
    match dice.randrange(8):
        case 0 | 1:
            person.reload()
        case 2:
            person.game, person.news = dice.randrange(4), []
        case _:
            pass
    storm.arrive(person)


def an_absence(storm: Storm, dice: Random) -> None:
    """Somebody at the table drops; when the others see it they may vote, and the absent may come back in the midst."""
    players = [person for person in _people(storm, here=True) if person.last and person.last.member.seat]
    if not players:
        return
    absent = dice.choice(players)
    storm.vanish(absent)
    storm.now += dice.choice([3999, 4000, 4001])
    storm.ring()
    for _ in range(dice.randint(1, 4)):
        dice.choice([all_help, all_help, next_thing, a_crash, somebody_vanishes])(storm, dice)
    if dice.random() < 0.4:
        storm.arrive(absent)


def all_arrive(storm: Storm, dice: Random) -> None:
    people = _people(storm, here=False)
    dice.shuffle(people)
    for person in people:
        storm.arrive(person)


def an_old_socket_ends(storm: Storm, dice: Random) -> None:
    """The server hears late, or again, that a socket is gone."""
    person = dice.choice(list(storm.people.values()))
    if person.old:
        storm.hang_up(dice.choice(person.old))


# -- the process -------------------------------------------------------------------------------------------------------


def a_crash(storm: Storm, dice: Random) -> None:
    """At once, or at the next input between any two of its outputs."""
    storm.outage = dice.choice([0, 0, 1, 1000, dice.randrange(10 * MINUTE)])
    if dice.random() < 0.3:
        storm.crash()
    else:
        storm.fate = dice.choice(["lost", "kept", dice.randrange(8)])
        dice.choice([somebody_asks, next_thing, somebody_arrives, all_help])(storm, dice)
        storm.fate, storm.outage = None, 0
    if dice.random() < 0.6:
        all_arrive(storm, dice)


_DEEDS: Final[dict[Deed, int]] = {
    next_thing: 16,
    next_things: 16,
    a_moment: 6,
    at_the_edge: 8,
    a_false_alarm: 2,
    a_stall: 2,
    hours: 1,
    an_ai_answers: 4,
    somebody_asks: 22,
    all_help: 14,
    somebody_asks_again: 4,
    somebody_vanishes: 3,
    an_absence: 3,
    somebody_arrives: 8,
    all_arrive: 2,
    an_old_socket_ends: 1,
    a_crash: 4,
}
DEEDS: Final = list(_DEEDS)
WEIGHTS: Final = list(_DEEDS.values())
