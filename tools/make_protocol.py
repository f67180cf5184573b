"""Writes the client's copy of the wire types and their page of documentation; `--check` says what is stale."""

from __future__ import annotations

import sys
from pathlib import Path

from cinderforge.wire.typescript import documentation, typescript

ROOT = Path(__file__).resolve().parent.parent


def files() -> dict[Path, str]:
    """Each generated file with what should stand in it."""
    return {
        ROOT / "web/src/protocol/protocol.gen.ts": typescript(),
        ROOT / "docs/protocol.md": documentation(),
    }


def main(arguments: list[str]) -> int:
    stale = [path for path, text in files().items() if not path.exists() or path.read_text("utf-8") != text]
    if "--check" in arguments:
        for path in stale:
            print(f"{path.relative_to(ROOT)} is stale: run python -m tools.make_protocol")
        return 1 if stale else 0
    for path in stale:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(files()[path], "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
