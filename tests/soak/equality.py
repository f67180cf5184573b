"""Engine and kernel side by side, a million games: `python -m tests.soak.equality --games 1000000 --jobs 2`.

Game n is the same in every run. With `--done FILE` what has agreed is noted piece by piece, and a run that was broken
off goes on from there; a change of the kernel or of the rules begins anew.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import cinderforge.rules
from cinderforge.kernel import build
from cinderforge.testkit.beside import Different, play_both

PIECE = 500


class Piece(NamedTuple):
    """So many games from this number on: how many decisions they had, or what differed."""

    first: int
    games: int
    decisions: int
    different: str | None


def played(seed: str, first: int, games: int) -> Piece:
    decisions = 0
    try:
        for number in range(first, first + games):
            decisions += play_both(f"{seed}/{number}")
    except Different as different:
        return Piece(first, games, decisions, str(different))
    return Piece(first, games, decisions, None)


def version() -> str:
    """What agreed: a digest of the kernel's sources and the engine's."""
    digest = sha256(build.fingerprint().encode())
    assert cinderforge.rules.__file__
    for path in sorted(Path(cinderforge.rules.__file__).parent.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def noted(file: Path | None, key: dict[str, str]) -> tuple[int, int]:
    """Games and decisions that have agreed before, under the same key."""
    if file is None or not file.exists():
        return 0, 0
    kept = json.loads(file.read_text("utf-8"))
    return (kept["games"], kept["decisions"]) if kept["key"] == key else (0, 0)


def pieces(seed: str, first: int, last: int, jobs: int) -> Iterator[Piece]:
    starts = range(first, last, PIECE)
    sizes = [min(PIECE, last - start) for start in starts]
    if jobs == 1:
        yield from map(played, [seed] * len(sizes), starts, sizes)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(played, [seed] * len(sizes), starts, sizes)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--seed", default="league")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--done", type=Path, help="a file that keeps how far one has come")
    parser.add_argument("--most", type=int, help="stop after so many games of this run")
    args = parser.parse_args()
    key = {"seed": args.seed, "version": version()}
    games, decisions = noted(args.done, key)
    before, began = games, time.monotonic()
    last = args.games if args.most is None else min(args.games, games + args.most)
    for piece in pieces(args.seed, games, last, args.jobs):
        if piece.different:
            sys.stdout.write(f"{piece.different}\n")
            return 1
        games, decisions = piece.first + piece.games, decisions + piece.decisions
        if args.done:
            args.done.write_text(json.dumps({"key": key, "games": games, "decisions": decisions}), "utf-8")
    rate = (games - before) / max(1e-9, time.monotonic() - began)
    sys.stdout.write(
        f"equality: {games} of {args.games} games, {decisions} decisions, no difference"
        f" (seed {args.seed}, version {key['version']}, {rate:.0f} games/s with {args.jobs} jobs)\n"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
