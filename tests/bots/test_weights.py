"""Files of nets: what is written is read, and whatever is not such a file, or not for this kernel, is refused."""

from __future__ import annotations

import hashlib
import json
import random

import pytest

from cinderforge.bots.weights import BadWeights, Weights, read_weights, shipped, write_weights
from cinderforge.kernel import ffi, lib

WIDTHS = (16, 32, 16)


def some_net(*, truth: bool = False) -> Weights:
    rng = random.Random(5)
    return Weights(truth, WIDTHS, [rng.gauss(0, 0.2) for _ in range(lib.cf_net_size(truth, *WIDTHS))])


def asked(net: object, *, truth: bool) -> list[float]:
    """What a net says of some numbers: the chance of winning, and the logits of a policy."""
    rng = random.Random(6)
    wide = (lib.CF_TRUTH_GLOBALS, lib.CF_TRUTH_FEATURES) if truth else (lib.CF_GLOBAL_FEATURES, lib.CF_PLAYER_FEATURES)
    numbers = [ffi.new("float[]", [rng.random() for _ in range(size)]) for size in (wide[0], wide[1] * lib.CF_SLOTS)]
    logits = ffi.new("float[]", lib.CF_ACTIONS)
    return [lib.cf_forward(net, 8, *numbers, logits), *logits]


def test_a_net_that_was_written_says_what_it_said() -> None:
    for truth in (False, True):
        one = some_net(truth=truth)
        made = ffi.gc(lib.cf_net_new(truth, *WIDTHS, one.row), lib.cf_net_free)
        (read,) = read_weights(write_weights([one]))
        assert asked(read, truth=truth) == pytest.approx(asked(made, truth=truth), abs=0.01)


def test_what_is_no_file_of_nets_is_refused() -> None:
    good = write_weights([some_net()])
    line, _, payload = good.partition(b"\n")
    head = json.loads(line)
    changed = bytes([payload[0] ^ 1]) + payload[1:]

    def with_head(**new: object) -> bytes:
        return json.dumps(head | new).encode() + b"\n" + payload

    wrong = [
        (b"", "not a file"),
        (b"{}\n", "not a file"),
        (b"\xff\n" + payload, "not a file"),
        (with_head(version=2), "version 1"),
        (with_head(format="other"), "expected cinderforge-net"),
        (line + b"\n" + changed, "not those that were written"),
        (with_head(nets=[{"truth": False, "widths": [16, 32, 17]}]), "another kernel"),
        (with_head(nets=[{"truth": True, "widths": [16, 32, 16]}]), "another kernel"),
        (with_head(nets=[]), "another kernel"),
    ]
    for data, words in wrong:
        with pytest.raises(BadWeights, match=words):
            read_weights(data)
    assert hashlib.sha256(payload).hexdigest() == head["sha256"]


def test_the_nets_that_come_with_the_package_are_small_and_can_be_read() -> None:
    policy, judge = shipped("blueprint")
    assert len(asked(policy, truth=False)) == 1 + lib.CF_ACTIONS
    assert 0 <= asked(judge, truth=True)[0] <= 1
