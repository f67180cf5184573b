"""The record of a game that has ended (docs/formats.md), as the room hands it on."""

from __future__ import annotations

from cinderforge.records.record import Fairness, Kind, Player, record_of, write
from cinderforge.room.running import Running
from cinderforge.room.seats import Seats
from cinderforge.rules.luck import commitment_to, seed_from
from cinderforge.rules.words import Seat


def record_text(running: Running, seats: Seats) -> str:
    """One line of a `.cinder.jsonl` file."""
    fairness = Fairness(
        commitment=commitment_to(running.secret),
        secret=running.secret,
        contributions=running.contributions,
        seed=seed_from(running.secret, running.contributions),
    )
    players = [_player(seats, seat) for seat in running.deal.seats]
    return write(record_of(running.table.settings, running.deal, running.chronicle, fairness, players))


def _player(seats: Seats, seat: Seat) -> Player:
    ai, member = seats.ais.get(seat), seats.at(seat)
    kind: Kind = "ai" if ai else "person"
    return Player(seat, ai.name if ai else member.name if member else "", kind)
