"""Provably fair luck (R3.4), recomputed here by the derivation that is written down."""

from __future__ import annotations

from hashlib import blake2b, sha256

import pytest

from cinderforge.rules.luck import SeededLuck, StillLuck, commitment_to, seed_from

SEED = bytes(range(32))


def words(seed: bytes, name: str, count: int) -> list[int]:
    stream = b"".join(blake2b(name.encode() + i.to_bytes(4, "big"), key=seed).digest() for i in range(count // 16 + 1))
    return [int.from_bytes(stream[4 * at : 4 * at + 4], "big") for at in range(count)]


def shuffled(seed: bytes, name: str, count: int) -> tuple[int, ...]:
    """Fisher and Yates as docs/formats.md has it; no word of these is past the last whole multiple."""
    row, drawn = list(range(count)), iter(words(seed, name, count))
    for last in range(count - 1, 0, -1):
        at = next(drawn) % (last + 1)
        row[last], row[at] = row[at], row[last]
    return tuple(row)


def test_the_commitment_and_the_seed_are_plain_hashes() -> None:
    secret = bytes(32)
    assert commitment_to(secret) == sha256(b"cinderforge/1 commitment" + secret).digest()
    mixed = b"cinderforge/1 seed" + secret + b"\0\0\0\1a" + b"\0\0\0\2bc"
    assert seed_from(secret, [b"a", b"bc"]) == sha256(mixed).digest()


@pytest.mark.parametrize("count", [1, 2, 5, 10, 24])
@pytest.mark.parametrize("name", ["order", "roles", "round 3 shuffle"])
def test_an_order_follows_from_seed_and_name(count: int, name: str) -> None:
    assert SeededLuck(SEED).order(name, count) == shuffled(SEED, name, count)


def test_a_pick_is_the_first_word_of_its_name() -> None:
    assert SeededLuck(SEED).pick("first holder", 7) == words(SEED, "first holder", 1)[0] % 7


def test_each_byte_of_seed_and_name_matters() -> None:
    orders = {
        SeededLuck(seed).order(name, 20)
        for seed in (SEED, bytes(32), SEED[::-1])
        for name in ("round 1 row", "round 2 row", "round 1 shuffle")
    }
    assert len(orders) == 9


def test_draws_do_not_hang_on_what_was_drawn_before() -> None:
    one, other = SeededLuck(SEED), SeededLuck(SEED)
    one.order("roles", 8)
    assert one.pick("round 1 pass", 6) == other.pick("round 1 pass", 6)


def test_in_scenarios_chance_stands_still() -> None:
    assert StillLuck().order("roles", 4) == (0, 1, 2, 3)
    assert StillLuck().pick("first holder", 9) == 0
