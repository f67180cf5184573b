"""The house is as docs/architecture.md says: what a linter cannot see."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SRC = ROOT / "src" / "cinderforge"
WEB = ROOT / "web"
SCROLLS = SRC / "rules" / "scrolls"

ALLOWED_IN_RULES = {
    *("__future__", "bisect", "collections", "copy", "dataclasses", "enum", "functools", "hashlib", "heapq", "hmac"),
    *("itertools", "math", "operator", "reprlib", "struct", "types", "typing"),
}
FLOORS = {"rules", "redaction", "kernel", "bots", "records", "scenarios", "talk", "room", "wire", "server", "cli"}
FLOORS |= {"testkit", "arena"}
POINTLESS = {"utils", "util", "helpers", "helper", "common", "manager", "base", "misc"}


def python_files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*.py") if "_web" not in path.parts)


def scroll_ids() -> set[str]:
    """The catalogue, by its file names: a scroll is one file of its id."""
    return {path.stem for path in SCROLLS.glob("*.py")} - {"__init__", "scroll"}


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            yield from (node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names))


def scrolls_named_in_python(path: Path, ids: set[str]) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.Constant(value=str(text)) if text in ids:
                yield f"{path.relative_to(ROOT)}:{node.lineno}: {text!r}"
            case ast.Attribute(value=ast.Name(id="ScrollId"), attr=name):
                yield f"{path.relative_to(ROOT)}:{node.lineno}: ScrollId.{name}"
            case _:
                pass
    for name in imports(path):
        if name.removeprefix("cinderforge.rules.scrolls.") in ids:
            yield f"{path.relative_to(ROOT)}: imports {name}"


def scrolls_named_in_web(path: Path, ids: set[str]) -> Iterator[str]:
    """Quoted ids; unquoted ones, too, where they are no common word."""
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        for scroll in ids:
            bare = rf"(?<![\w-]){scroll}(?![\w-])"
            if re.search(bare if "_" in scroll else rf"(['\"`]){scroll}\1", line):
                yield f"{path.relative_to(ROOT)}:{number}: {scroll}"


def test_the_catalogue_is_the_files_of_the_shelf() -> None:
    from cinderforge.rules.scrolls import CATALOG

    assert {str(scroll) for scroll in CATALOG} == scroll_ids()


def test_no_module_outside_the_shelf_names_a_scroll() -> None:
    ids = scroll_ids()
    python = [
        path
        for folder in (SRC, ROOT / "tools", ROOT / "bench")
        for path in python_files(folder)
        if SCROLLS not in path.parents
    ]
    web = [
        path
        for path in sorted((WEB / "src").rglob("*"))
        if path.suffix in {".ts", ".js", ".svelte", ".css"} and ".gen." not in path.name
    ]
    named = [line for path in python for line in scrolls_named_in_python(path, ids)]
    named += [line for path in web for line in scrolls_named_in_web(path, ids)]
    assert named == []


def test_the_rules_import_values_only() -> None:
    strange = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in python_files(SRC / "rules")
        for name in imports(path)
        if name.split(".")[0] not in ALLOWED_IN_RULES and not f"{name}.".startswith("cinderforge.rules.")
    }
    assert strange == set()


def test_the_rules_call_nobody() -> None:
    """No clock, log, file or dice of their own, not even through a builtin."""
    calls = [
        f"{path.relative_to(ROOT)}:{node.lineno}: {node.func.id}"
        for path in python_files(SRC / "rules")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        if node.func.id in {"open", "print", "input", "exec", "eval", "__import__", "globals"}
    ]
    assert calls == []


def test_all_dice_are_seeded() -> None:
    """Random(seed) may be replayed; the shared dice of the random module, or Random(), may not."""
    shared = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in python_files(SRC)
        for name in imports(path)
        if name.startswith("random.") and name != "random.Random"
    ]
    unseeded = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in python_files(SRC)
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in {"Random", "random.Random"} and not node.args
    ]
    assert shared + unseeded == []


def test_the_room_never_awaits() -> None:
    waits = (ast.Await, ast.AsyncFunctionDef, ast.AsyncFor, ast.AsyncWith)
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in python_files(SRC / "room")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, waits)
    ]
    assert found == []


def test_the_floors_are_the_folders() -> None:
    packages = {path.parent.name for path in SRC.glob("*/__init__.py")} - {"_web"}
    assert packages == FLOORS
    assert sorted(path.name for path in SRC.glob("*.py")) == ["__init__.py"]


def test_every_package_is_a_package() -> None:
    missing = {path.parent for path in python_files(SRC) if not (path.parent / "__init__.py").exists()}
    assert missing == set()


def test_no_file_has_an_empty_name() -> None:
    folders = [folder for folder in (SRC, ROOT / "tools", ROOT / "tests", ROOT / "bench") if folder.exists()]
    assert [path for folder in folders for path in python_files(folder) if path.stem in POINTLESS] == []


def test_every_module_begins_with_a_line_of_what_it_is_for() -> None:
    silent = [path for path in python_files(SRC) if not ast.get_docstring(ast.parse(path.read_text("utf-8")))]
    assert silent == []


@pytest.mark.parametrize("lock", sorted(path.name for path in (ROOT / "requirements").glob("*.lock")))
def test_a_python_lock_has_exact_versions_and_no_address(lock: str) -> None:
    text = (ROOT / "requirements" / lock).read_text("utf-8")
    wanted = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    assert "://" not in text
    assert [line for line in wanted if not re.match(r"[\w.-]+==[\w.!+]+( |$)", line)] == []


def test_the_web_lock_has_no_address_of_a_registry() -> None:
    lock = json.loads((WEB / "package-lock.json").read_text("utf-8"))
    assert [name for name, package in lock["packages"].items() if "resolved" in package] == []


def test_web_versions_are_exact_and_only_what_a_build_needs_is_installed() -> None:
    package = json.loads((WEB / "package.json").read_text("utf-8"))
    assert set(package["dependencies"]) == {"@noble/hashes", "svelte", "uqr", "@sveltejs/vite-plugin-svelte", "vite"}
    versions = {**package["dependencies"], **package["devDependencies"]}
    assert {name: version for name, version in versions.items() if not re.fullmatch(r"\d+\.\d+\.\d+", version)} == {}


def test_the_version_is_written_the_same_everywhere() -> None:
    import cinderforge

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == cinderforge.__version__
    assert project["version"] == json.loads((WEB / "package.json").read_text("utf-8"))["version"]


def test_the_licence_is_apache_2() -> None:
    text = (ROOT / "LICENSE").read_text("utf-8")
    assert "Apache License" in text
    assert "Version 2.0, January 2004" in text
    assert "END OF TERMS AND CONDITIONS" in text
    assert tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["license"] == "Apache-2.0"


def test_the_first_screen_of_the_readme_names_the_two_commands() -> None:
    screen = "\n".join((ROOT / "README.md").read_text("utf-8").splitlines()[:40])
    assert "make play" in screen
    assert "make test" in screen


def test_ci_runs_the_commands_that_people_run() -> None:
    script = (ROOT / ".ci" / "run").read_text("utf-8")
    assert script.index("make test") < script.index("make check")
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for target in ("setup", "play", "test", "check", "format"):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_pre_commit_hooks_come_from_here() -> None:
    repos = re.findall(r"repo: (\S+)", (ROOT / ".pre-commit-config.yaml").read_text("utf-8"))
    assert set(repos) == {"local"}


def test_whatever_the_map_of_the_code_names_is_there() -> None:
    """Second column of "you look for | you open"; a bare name lies where the one before it does."""
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    rows = [
        line.split("|")[2]
        for line in text.splitlines()
        if re.match(r"\| (?!---|you look|verb|word)[^|]*\|[^|]*\|$", line)
    ]
    missing = []
    for row in rows:
        folder = SRC
        for name in re.findall(r"`([^`]+)`", row):
            pattern = re.sub(r"<\w+>", "*", name.rstrip("/"))
            found = [hit for place in (SRC, ROOT, folder) for hit in place.glob(pattern)]
            missing += [] if found else [name]
            folder = found[0].parent if found else folder
    assert len(rows) > 30
    assert missing == []
