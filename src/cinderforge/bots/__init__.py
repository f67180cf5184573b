"""The AIs that fill empty seats (R2.3), by the name under which they are chosen."""

from __future__ import annotations

from typing import Final

from cinderforge.bots.blueprint import Blueprint
from cinderforge.bots.bot import Bot
from cinderforge.bots.dice import Dice
from cinderforge.bots.plain import Plain

BOTS: Final[dict[str, Bot]] = {"dice": Dice(), "plain": Plain(), "blueprint": Blueprint()}
DEFAULT_BOT: Final = "plain"
