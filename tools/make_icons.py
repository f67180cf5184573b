"""Takes the few icons that we use out of two large icon packages, with their authors, into content/icons.

Run it only to add or drop an icon: `npm pack` or install @iconify-json/game-icons and @iconify-json/lucide somewhere,
then `python tools/make_icons.py FOLDER`, where FOLDER holds the two packages. The result is committed, so that no build
needs the packages.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "content" / "icons"

# Emblem → author, as the folders of https://github.com/game-icons/icons say (CC BY 3.0 asks for the name).
EMBLEMS = {
    "all-seeing-eye": "Delapouite",
    "card-play": "Quoting",
    "crossed-swords": "Lorc",
    "crystal-ball": "Lorc",
    "double-dragon": "Lorc",
    "dragon-head": "Lorc",
    "fire-gem": "Delapouite",
    "hourglass": "Lorc",
    "linked-rings": "Lorc",
    "mailed-fist": "Lorc",
    "semi-closed-eye": "Lorc",
    "spiked-dragon-head": "Delapouite",
    "third-eye": "Lorc",
    "two-shadows": "Lorc",
    "wizard-face": "Delapouite",
}

INTERFACE = [
    "arrow-left",
    "arrow-right",
    "book-open",
    "bot",
    "check",
    "chevron-down",
    "chevron-left",
    "chevron-right",
    "chevron-up",
    "circle-help",
    "clock",
    "copy",
    "crown",
    "dices",
    "download",
    "ellipsis-vertical",
    "eye",
    "eye-off",
    "file-check",
    "flame",
    "gem",
    "globe",
    "hand",
    "home",
    "hourglass",
    "info",
    "languages",
    "layers",
    "link",
    "link-2",
    "list",
    "loader-circle",
    "lock",
    "log-in",
    "log-out",
    "menu",
    "message-circle",
    "minus",
    "moon",
    "notebook-pen",
    "pencil",
    "play",
    "plus",
    "qr-code",
    "refresh-cw",
    "rotate-ccw",
    "scroll-text",
    "search",
    "send",
    "settings",
    "share-2",
    "shield-check",
    "shuffle",
    "skip-forward",
    "skull",
    "sun",
    "swords",
    "timer",
    "triangle-alert",
    "trophy",
    "user",
    "user-minus",
    "user-plus",
    "users",
    "volume-2",
    "volume-x",
    "vote",
    "wifi",
    "wifi-off",
    "x",
]


def body(package: dict[str, Any], name: str) -> str:
    """An icon's inner SVG; some names are aliases of others."""
    while name in package.get("aliases", {}):
        name = package["aliases"][name]["parent"]
    return str(package["icons"][name]["body"])


def write(path: Path, value: dict[str, Any]) -> None:
    """One icon a line, so that a diff shows what came and went."""
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def main(folder: Path) -> None:
    """Read both packages below `folder` and write the two lists."""
    game = json.loads((folder / "game-icons" / "icons.json").read_text("utf-8"))
    lucide = json.loads((folder / "lucide" / "icons.json").read_text("utf-8"))
    OUT.mkdir(parents=True, exist_ok=True)
    write(OUT / "emblems.json", {n: {"author": a, "body": body(game, n)} for n, a in sorted(EMBLEMS.items())})
    write(OUT / "interface.json", {n: body(lucide, n) for n in sorted(INTERFACE)})


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python tools/make_icons.py FOLDER_WITH_THE_TWO_PACKAGES")
    main(Path(sys.argv[1]))
