"""The built client is whole, and small enough for a phone."""

from __future__ import annotations

import gzip
import json
import re
import struct
import tomllib
from pathlib import Path

import pytest

import cinderforge

ROOT = Path(__file__).parents[1]
WEB = Path(cinderforge.__file__).parent / "_web"
# Bytes of gzip before a page can be used: scripts with the words of one language, and styles.
HOME_BUDGET = 60_000
ROOM_BUDGET = 90_000
CSS_BUDGET = 20_000
ART_BUDGET = 40_000  # the sheet of all cards, scrolls and scenes, which everybody loads after the first paint
ALL_ART_BUDGET = 60_000  # with what one person sees besides: a landscape, the name, the table, the icons
# Asked for by launchers and by those who show a link, never by the page.
FOR_OTHERS = {"share.jpg", "apple-touch-icon.png", "icon-192.png", "icon-512.png", "icon-maskable-512.png"}


def first() -> set[Path]:
    """What the page itself asks for."""
    page = (WEB / "index.html").read_text("utf-8")
    return {WEB / name for name in re.findall(r'(?:src|href)="/(assets/[^"]+\.(?:js|css))"', page)}


def asked_for(name: str, files: set[Path]) -> set[Path]:
    """What one of these scripts asks for when it imports this chunk: Vite lists all that the chunk needs."""
    for script in (path for path in files if path.suffix == ".js"):
        text = script.read_text("utf-8")
        if needs := re.search(rf"import\(`\./{name}-[\w-]+\.js`\),__vite__mapDeps\(\[([\d,]+)\]\)", text):
            listed = re.findall(r'"(assets/[^"]+)"', text[text.index("m.f=[") :].partition("]")[0])
            return {WEB / listed[int(place)] for place in needs[1].split(",")}
        if alone := re.search(rf"import\(`\./({name}-[\w-]+\.js)`\)", text):
            return {WEB / "assets" / alone[1]}
    raise AssertionError(f"nothing imports {name}")


def gzipped(files: set[Path], suffix: str) -> int:
    return sum(len(gzip.compress(file.read_bytes(), 9)) for file in files if file.suffix == suffix)


@pytest.mark.parametrize("language", ["zh-TW", "en", "zh-CN", "ja"])
def test_what_a_page_needs_first_is_within_its_budget(language: str) -> None:
    home = first() | asked_for(language + r"\.gen", first())
    room = home | asked_for("Room", home)
    game = room | asked_for("Playing", room)
    assert 0 < gzipped(home, ".js") <= HOME_BUDGET
    assert gzipped(room, ".js") <= ROOM_BUDGET
    assert 0 < gzipped(game, ".css") <= CSS_BUDGET


def test_all_art_is_within_its_budget() -> None:
    size = {path: len(gzip.compress(path.read_bytes(), 9)) for path in WEB.rglob("*.*")}
    sheet = sum(n for path, n in size.items() if re.fullmatch(r"art\.gen-.*\.js", path.name))
    assert 0 < sheet <= ART_BUDGET
    icons = sum(n for path, n in size.items() if re.fullmatch(r"icons\.gen-.*\.js", path.name))
    seen = max(size[WEB / name] for name in ("hero.svg", "hero-tall.svg"))
    seen += max(size[WEB / name] for name in ("logo-zh.svg", "logo-en.svg"))
    assert sheet + icons + seen + size[WEB / "table.svg"] + size[WEB / "favicon.svg"] <= ALL_ART_BUDGET


def test_every_icon_of_the_manifest_is_there_in_its_size() -> None:
    for icon in json.loads((WEB / "manifest.webmanifest").read_text("utf-8"))["icons"]:
        picture = (WEB / icon["src"].lstrip("/")).read_bytes()
        if icon["type"] == "image/png":
            side = int(icon["sizes"].split("x")[0])
            assert struct.unpack(">II", picture[16:24]) == (side, side)


def test_each_compressed_twin_is_its_file() -> None:
    twins = list(WEB.rglob("*.gz"))
    assert twins
    for twin in twins:
        assert gzip.decompress(twin.read_bytes()) == twin.with_suffix("").read_bytes()
        assert twin.with_suffix(".br").exists()


def test_the_service_worker_knows_every_file_of_this_build() -> None:
    worker = (WEB / "sw.js").read_text("utf-8")
    assert "__FILES__" not in worker
    assert "__VERSION__" not in worker
    assert "__WORDS__" not in worker
    served = {path for path in WEB.rglob("*") if path.is_file() and path.suffix not in {".br", ".gz"}}
    served -= {WEB / "index.html", WEB / "sw.js", WEB / ".stamp", *(WEB / name for name in FOR_OTHERS)}
    files = re.search(r"FILES = (\[.*?\]);", worker)
    words = re.search(r"WORDS = (\{.*?\});", worker)
    assert files is not None and words is not None
    always = set(json.loads(files[1]))
    spoken: dict[str, list[str]] = json.loads(words[1])
    assert len({len(parts) for parts in spoken.values()}) == 1, "each language has as many parts"
    assert set(spoken) == set(tomllib.loads((ROOT / "content" / "languages.toml").read_text("utf-8")))
    listed = always.union(*spoken.values())
    assert listed == {f"/{path.relative_to(WEB).as_posix()}" for path in served} | {"/"}
    assert not any(always & set(parts) for parts in spoken.values())
