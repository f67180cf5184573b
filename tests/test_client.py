"""The built client is whole, and small enough for a phone."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import cinderforge

WEB = Path(cinderforge.__file__).parent / "_web"
BUDGET = 90_000  # bytes of gzipped script before the first paint
CSS_BUDGET = 20_000


def first_scripts() -> set[Path]:
    """The entry and everything it imports statically."""
    page = (WEB / "index.html").read_text("utf-8")
    found: set[Path] = set()
    wanted = {WEB / name for name in re.findall(r'(?:src|href)="/(assets/[^"]+\.js)"', page)}
    while wanted:
        script = wanted.pop()
        found.add(script)
        static = re.findall(r"""(?:\bfrom|\bimport)\s*["']\./([\w.-]+\.js)["']""", script.read_text("utf-8"))
        wanted |= {script.parent / name for name in static} - found
    return found


def test_the_first_load_is_within_its_budget() -> None:
    scripts = first_scripts()
    assert scripts
    assert sum(len(gzip.compress(script.read_bytes(), 9)) for script in scripts) <= BUDGET
    assert sum(len(gzip.compress(sheet.read_bytes(), 9)) for sheet in WEB.rglob("*.css")) <= CSS_BUDGET


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
    served = {path for path in WEB.rglob("*") if path.is_file() and path.suffix not in {".br", ".gz"}}
    served -= {WEB / "index.html", WEB / "sw.js", WEB / ".stamp"}
    files = re.search(r"FILES = (\[.*?\]);", worker)
    assert files is not None
    listed = set(re.findall(r'"(/[^"]*)"', files[1]))
    assert listed == {f"/{path.relative_to(WEB).as_posix()}" for path in served} | {"/"}
