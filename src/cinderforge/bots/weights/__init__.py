"""Files of nets: a line of JSON that says what is in them and its digest, then half-precision numbers.

`cinderforge-net` version 1: the line has `nets`, each with `truth` and `widths` in the order of the payload, and the
payload's `sha256`. Where a net's numbers stand is kernel/net.c's business.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final

from cinderforge.kernel import ffi, lib

_MAGIC: Final = "cinderforge-net"
_VERSION: Final = 1


class BadWeights(ValueError):
    """A file of nets is not what it says, or not for this kernel."""


@dataclass(frozen=True, slots=True)
class Weights:
    """One net: whether it sees the truth, how wide it is, and its numbers."""

    truth: bool
    widths: tuple[int, int, int]
    row: Sequence[float]


def write_weights(nets: Sequence[Weights]) -> bytes:
    """A file of nets, at half precision."""
    payload = b"".join(struct.pack(f"<{len(net.row)}e", *net.row) for net in nets)
    head = {
        "format": _MAGIC,
        "version": _VERSION,
        "nets": [{"truth": net.truth, "widths": net.widths} for net in nets],
        "sha256": hashlib.sha256(payload).hexdigest(),
    }
    return json.dumps(head).encode() + b"\n" + payload


def read_weights(data: bytes) -> list[Any]:
    """The nets of a file, compiled (`cf_net *`). Raises BadWeights."""
    line, _, payload = data.partition(b"\n")
    try:
        head = json.loads(line)
        kinds = [(bool(net["truth"]), tuple(net["widths"])) for net in head["nets"]]
    except (ValueError, KeyError, TypeError):
        raise BadWeights("not a file of nets") from None
    if head.get("format") != _MAGIC or head.get("version") != _VERSION:
        raise BadWeights(f"expected {_MAGIC} version {_VERSION}, found {head.get('format')} {head.get('version')}")
    if hashlib.sha256(payload).hexdigest() != head.get("sha256"):
        raise BadWeights("the numbers are not those that were written")
    sizes = [lib.cf_net_size(truth, *widths) for truth, widths in kinds]
    if min(sizes, default=-1) < 0 or 2 * sum(sizes) != len(payload):
        raise BadWeights("for another kernel: the sizes of the nets do not fit")
    nets, at = [], 0
    for (truth, widths), size in zip(kinds, sizes, strict=True):
        row = struct.unpack_from(f"<{size}e", payload, at)
        nets.append(ffi.gc(lib.cf_net_new(truth, *widths, row), lib.cf_net_free))
        at += 2 * size
    return nets


@cache
def digest_of(name: str) -> str:
    """What tells the nets that come with the package from all others: the digest of the file, in hex."""
    return hashlib.sha256((resources.files(__package__) / f"{name}.net").read_bytes()).hexdigest()


@cache
def shipped(name: str) -> list[Any]:
    """The nets that come with the package: a policy for every seat, and the judge who sees all."""
    return read_weights((resources.files(__package__) / f"{name}.net").read_bytes())
