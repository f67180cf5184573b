"""`dice`: any legal command, evenly."""

from __future__ import annotations

from random import Random

from cinderforge.bots.bot import offer_of
from cinderforge.redaction.recollection import Recollection
from cinderforge.redaction.shapes import View
from cinderforge.rules.commands import Command
from cinderforge.rules.offers import commands_of


class Dice:
    """Picks evenly among the commands on offer."""

    def choose(self, view: View, recollection: Recollection, rng: Random) -> Command:
        assert view.you and view.you.offer
        return rng.choice(commands_of(offer_of(view.you.offer)))
