"""Cuts the display font: the characters of titles, role and scroll names out of Noto Serif CJK TC Bold (OFL 1.1).

Needs Debian's fonts-noto-cjk, fonttools and brotli; run it when a heading gains a character (a test says so).
`python tools/make_font.py [--check]`: --check only asks whether the committed font covers all headings.
"""

from __future__ import annotations

import json
import re
import string
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CONTENT = ROOT / "content"
SOURCE = Path("/usr/share/fonts/opentype/noto/NotoSerifCJK-Bold.ttc")
FACE = 3  # Traditional Chinese
TARGET = ROOT / "web" / "public" / "fonts" / "cinder-display.woff2"
COVERED = CONTENT / "font" / "covered.txt"
LIMIT = 50 * 1024

# Texts set in the display font, besides every key called title or *_title.
SECTIONS = ("phases", "factions")
# Titles of these are small headings in the body font.
NOT_FROM = ("connection", "credits", "effects", "keys", "log", "table")
KEYS = [
    "app.name",
    "app.full_name",
    "app.tagline",
    "world.chapter",
    "world.land",
    "over.human_win",
    "over.dragon_win",
    "over.you_win",
    "over.you_lose",
    "home.create_room",
    "home.join_room",
    "waiting.start",
    "home.story_page",
    "home.terms_page",
    "home.scroll_table",
    "home.read_rules",
]
ALWAYS = string.ascii_letters + string.digits + " .,:;!?'’“”&()/-–·×「」《》（），。、：！？・→"


def wanted(section: str, key: str) -> bool:
    """Is this string set in the display font?"""
    name = f"{section}.{key}"
    return section not in NOT_FROM and (
        section in SECTIONS
        or key == "title"
        or key.endswith("_title")
        or any(re.fullmatch(k.replace(".", r"\.").replace("*", ".*"), name) for k in KEYS)
    )


def headings() -> Iterator[str]:
    """Every text that the client sets in the display font, in all languages."""
    for path in sorted((CONTENT / "strings").glob("*.toml")):
        for section, entries in tomllib.loads(path.read_text("utf-8")).items():
            yield from (text for key, text in entries.items() if wanted(section, key))
    for path in sorted([*CONTENT.glob("roles/*/*.toml"), *CONTENT.glob("scrolls/*/*.toml")]):
        texts = tomllib.loads(path.read_text("utf-8"))
        yield from (texts[k] for k in ("name", "short"))
    for path in sorted((CONTENT / "teach" / "story").glob("*.toml")):
        yield tomllib.loads(path.read_text("utf-8"))["title"]


def characters() -> str:
    """What the font must hold, sorted."""
    text = "".join(re.sub(r"\{[^}]*\}", "", h) for h in headings())
    return "".join(sorted(set(text + ALWAYS) - {"\n"}))


def cut(text: str) -> None:
    """Write the subset."""
    from fontTools import subset  # type: ignore[import-not-found,import-untyped,unused-ignore]
    from fontTools.ttLib import TTFont  # type: ignore[import-not-found,import-untyped,unused-ignore]

    font = TTFont(SOURCE, fontNumber=FACE)
    options = subset.Options(flavor="woff2", layout_features=["kern"], hinting=False, desubroutinize=True)
    options.drop_tables += ["vhea", "vmtx", "VORG", "BASE", "GSUB"]
    options.name_IDs = [0, 1, 2, 13, 14]
    cutter = subset.Subsetter(options)
    cutter.populate(text=text)
    cutter.subset(font)
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    subset.save_font(font, str(TARGET), options)


def main(arguments: list[str]) -> None:
    """Cut the font, or check it."""
    text = characters()
    if arguments == ["--check"]:
        covered = COVERED.read_text("utf-8")
        missing = sorted(set(text) - set(covered))
        if missing:
            sys.exit("cinder-display.woff2 lacks " + json.dumps("".join(missing), ensure_ascii=False))
        return
    cut(text)
    COVERED.parent.mkdir(parents=True, exist_ok=True)
    COVERED.write_text(text + "\n", "utf-8")
    size = TARGET.stat().st_size
    print(f"{len(text)} characters, {size} bytes")
    if size > LIMIT:
        sys.exit(f"{size} bytes are more than {LIMIT}")


if __name__ == "__main__":
    main(sys.argv[1:])
