"""What an AI's net is shown is what its seat may know: a view and a recollection give the kernel's own numbers."""

from __future__ import annotations

from collections import Counter

import pytest

from cinderforge.bots.sight import CARDS, sight
from cinderforge.kernel import ffi
from cinderforge.redaction.eye import PlayerEye
from cinderforge.redaction.recollection import recollection
from cinderforge.redaction.view import view
from cinderforge.rules.words import Card, Phase, Turn
from cinderforge.testkit.beside import Pair, play_both

GAMES, PIECES = 1_200, 6


def as_bytes(pointer: object) -> bytes:
    return bytes(ffi.buffer(pointer))


@pytest.mark.parametrize("piece", range(PIECES))
def test_a_view_and_a_recollection_say_what_the_kernel_says_that_this_seat_knows(piece: int) -> None:
    """At every decision of games of all sizes and options, byte for byte: the public record, and the seat's own."""
    seen: Counter[Phase] = Counter()
    twice: Counter[int] = Counter()

    def watch(pair: Pair, turn: Turn) -> None:
        public, private = sight(view(pair.state, PlayerEye(turn)), recollection(pair.state, turn))
        assert as_bytes(public) == as_bytes(ffi.addressof(pair.game, "pub"))
        assert as_bytes(private) == as_bytes(ffi.addressof(pair.game, "priv", turn - 1))
        seen[pair.state.table.phase] += 1
        twice.update(one.t1 for one in public.rounds if one.t1 == one.t2 >= 0)

    for number in range(piece, GAMES, PIECES):
        play_both(f"sight/{number}", watch=watch)
    assert not twice, "nobody is chosen twice by one scroll"
    assert set(seen) == {Phase.VOTE, Phase.PASS, Phase.SCROLL, Phase.PLAY}


def test_cards_have_the_kernels_numbers() -> None:
    assert tuple(Card) == CARDS
