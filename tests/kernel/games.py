"""Random games of the kernel for tests: of every size, with every option, stopped at every decision."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from cinderforge.kernel import ffi, lib
from cinderforge.rules.settings import DEFAULT_TARGETS

SIZES = range(5, 11)


def rules(seats: int, rng: random.Random) -> Any:
    """The defaults of the size or, as often, so much more that the game goes on for long; every option by chance."""
    activation, kill = DEFAULT_TARGETS[seats] if rng.random() < 0.5 else (9, 9)
    return ffi.new(
        "cf_rules *",
        {
            "n": seats,
            "act_target": activation,
            "kill_target": kill,
            "sage_slain_ends": rng.randrange(2),
            "act_last_game": rng.randrange(2),
            "vote_first": rng.randrange(2),
        },
    )


def decisions(seats: int, rng: random.Random) -> Iterator[tuple[Any, int]]:
    """A random game, and who decides, at each decision of it and once it is over (then -1)."""
    game = ffi.new("cf_game *")
    lib.cf_deal(game, rules(seats, rng), rng.getrandbits(63))
    while (who := lib.cf_next(game)) >= 0:
        yield game, who
        mask = lib.cf_mask(game)
        assert not lib.cf_take(game, rng.choice([action for action in range(lib.CF_ACTIONS) if mask >> action & 1]), -1)
    yield game, -1


def seen_by(game: Any, who: int) -> tuple[Any, Any]:
    """The public record and what this seat knows, as the kernel wants them."""
    return ffi.addressof(game.pub), ffi.addressof(game.priv[who])


def bytes_of(thing: Any) -> bytes:
    return bytes(ffi.buffer(ffi.addressof(thing)))
