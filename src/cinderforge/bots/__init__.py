"""The AIs that fill empty seats (R2.3), by the name under which they are chosen."""

from __future__ import annotations

from typing import Final

from cinderforge.bots.bot import Bot
from cinderforge.bots.dice import Dice

BOTS: Final[dict[str, Bot]] = {"dice": Dice()}
DEFAULT_BOT: Final = "dice"
