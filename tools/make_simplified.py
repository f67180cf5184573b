"""Makes content/languages/zh-CN out of Taiwan's texts; what OpenCC leaves or gets wrong is in content/simplified.toml.

`python tools/make_simplified.py` writes the files, `--check` says which are stale. They are committed, so that only who
changes a Chinese text needs OpenCC (`pip install .[dev]`); until then a new text is shown as Taiwan has it.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

from tools.make_content import CONTENT, MARKS, PARTS, ROOT, read_toml, texts

HEADER = "# Made by `python tools/make_simplified.py` out of zh-TW. Do not edit.\n"
TARGET = CONTENT / "languages" / "zh-CN"


def converter() -> Callable[[str], str]:
    """From one text to the other."""
    from opencc import OpenCC  # type: ignore[import-not-found,unused-ignore]

    ours = read_toml(CONTENT / "simplified.toml")
    words: dict[str, str] = ours["before"] | ours["after"]
    turned = OpenCC("tw2sp")

    def one_of(some: dict[str, str]) -> re.Pattern[str]:
        return re.compile("|".join(map(re.escape, sorted(some, key=len, reverse=True))))

    before, after = one_of(ours["before"]), one_of(ours["after"])

    def convert(text: str) -> str:
        kept = before.sub(lambda found: words[found[0]], text)
        return after.sub(lambda found: words[found[0]], str(turned.convert(kept)))

    return convert


def converted(value: Any, convert: Callable[[str], str]) -> Any:
    """All texts of a part, and what marks the places of a list; nothing else."""
    if isinstance(value, dict):
        return {key: converted(v, convert) for key, v in value.items() if isinstance(v, str | dict | list) and v != ""}
    if isinstance(value, list):
        marks = [{k: v for k, v in one.items() if k in MARKS} if isinstance(one, dict) else None for one in value]
        made = [converted(one, convert) for one in value]
        return [one if mark is None else one | mark for one, mark in zip(made, marks, strict=True)]
    return convert(value)


def as_toml(table: dict[str, Any], name: str = "") -> Iterator[str]:
    """The lines of a table and of those below it."""
    for key, value in table.items():
        if isinstance(value, str):
            yield f"{name_of(key)} = {json.dumps(value, ensure_ascii=False)}"
        elif isinstance(value, list) and isinstance(value[0], str):
            yield f"{name_of(key)} = ["
            yield from (f"  {json.dumps(text, ensure_ascii=False)}," for text in value)
            yield "]"
    for key, value in table.items():
        below = f"{name}.{name_of(key)}".removeprefix(".")
        if isinstance(value, dict):
            if any(isinstance(inner, str) for inner in value.values()):
                yield from ("", f"[{below}]")
            yield from as_toml(value, below)
        elif isinstance(value, list) and isinstance(value[0], dict):
            for one in value:
                yield from ("", f"[[{below}]]")
                yield from as_toml(one, below)


def name_of(key: str) -> str:
    """A key, quoted where TOML needs it."""
    return key if re.fullmatch(r"[\w-]+", key, re.ASCII) else json.dumps(key)


def main(arguments: list[str]) -> None:
    """Write, or check."""
    convert = converter()
    made = {
        TARGET / f"{part}.toml": HEADER + "\n".join(as_toml(converted(texts("zh-TW", part), convert))) + "\n"
        for part in PARTS
    }
    if arguments == ["--check"]:
        stale = [path for path, text in made.items() if not path.exists() or path.read_text("utf-8") != text]
        if stale:
            sys.exit(
                "stale, run python tools/make_simplified.py: " + ", ".join(str(p.relative_to(ROOT)) for p in stale)
            )
        return
    TARGET.mkdir(parents=True, exist_ok=True)
    for path, text in made.items():
        path.write_text(text, "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
