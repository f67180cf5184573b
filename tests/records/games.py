"""Games played at random, with their records."""

from __future__ import annotations

import random

from cinderforge.records.record import Fairness, Kind, Player, Record, record_of
from cinderforge.rules.luck import SeededLuck, commitment_to, seed_from
from cinderforge.rules.settings import Settings
from cinderforge.testkit.drive import Chronicle, at_random, drive

NAMES = ("Ann", "林黛玉", "Ünsal", '"quoted"', "נעמי", "👩‍🚀", "a\\b", "line\u2028end", "Bo", "C")


def recorded(game: Chronicle, secret: bytes, contributions: tuple[bytes, ...] = ()) -> Record:
    """The record of a game that was played from this secret."""
    fairness = Fairness(commitment_to(secret), secret, contributions, seed_from(secret, contributions))
    kinds: tuple[Kind, Kind] = ("person", "ai")
    players = [Player(seat, NAMES[seat - 1], kinds[seat % 2]) for seat in game.deal.seats]
    return record_of(game.settings, game.deal, game.events, fairness, players)


def random_record(rules: Settings, number: int, timeouts: float = 0.2) -> Record:
    """The record of game number `number` by these rules, always the same; in so many moves time ran out."""
    rng = random.Random(number)
    secret, contributions = rng.randbytes(32), tuple(rng.randbytes(16) for _ in range(number % 4))
    luck = SeededLuck(seed_from(secret, contributions))
    return recorded(drive(rules, luck, at_random(rng, timeouts)), secret, contributions)
