"""The AIs that fill empty seats (R2.3), by the name under which they are chosen."""

from __future__ import annotations

from functools import cache
from typing import Final

from cinderforge.bots.blueprint import Blueprint
from cinderforge.bots.bot import Bot
from cinderforge.bots.characters import CHARACTERS, Character
from cinderforge.bots.dice import Dice
from cinderforge.bots.levels import SKILLS, Level
from cinderforge.bots.plain import Plain
from cinderforge.redaction.shapes import View
from cinderforge.rules.words import Phase

BOTS: Final[dict[str, Bot]] = {
    "dice": Dice(),
    "plain": Plain(),
    "blueprint": Blueprint(),
    **{name: Level(skill) for name, skill in SKILLS.items()},
}
LEVELS: Final = tuple(SKILLS)
"""What a waiting room offers, from the weakest to the strongest; the others are for research."""
DEFAULT_BOT: Final = "knight"
HABIT: Final = "blueprint"
"""What plays at once where a thought is not there in time: it asks no belief, whose time could be felt."""
THINKING: Final = frozenset(name for name, skill in SKILLS.items() if skill.care)
"""Whoever looks ahead at every act."""
DEFAULT_IN_RESEARCH: Final = "plain"

_ALIASES: Final = {f"level{number}": name for number, name in enumerate(LEVELS, 1)}
NAMES: Final = (*BOTS, *_ALIASES)
"""All names by which one may be asked for; `own_name` gives the one that is kept and shown."""


def takes_long(name: str, view: View) -> bool:
    """Whether it must not be asked in an event loop, where the time that it takes could be felt: a belief takes the
    longer the less a seat knows (R11), and a level that is to play may ask one, of claims or of what would be absurd.
    Hence told by what everybody sees, not by whether there is much to think.
    """
    return name in THINKING or (name in SKILLS and view.table.phase is Phase.PLAY)


def own_name(name: str) -> str | None:
    """The name that an AI goes by: `level1` … `level5` are other names of the levels. Null where there is none."""
    name = _ALIASES.get(name, name)
    return name if name in BOTS else None


def bot_of(name: str, character: Character | None = None) -> Bot:
    """The AI of this name; a character is for the levels alone."""
    bot = BOTS[name]
    return _of_character(name, character) if character and isinstance(bot, Level) else bot


@cache
def _of_character(name: str, character: Character) -> Bot:
    return Level(SKILLS[name], character)


def bot_called(name: str) -> Bot | None:
    """The AI of a name as research has it: with `knight:bold` one of that character."""
    first, _, character = name.partition(":")
    found = own_name(first)
    if found is None:
        return None
    if not character:
        return BOTS[found]
    known = next((one for one in CHARACTERS if one == character), None)
    return bot_of(found, known) if known and found in LEVELS else None
