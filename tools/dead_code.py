"""Tells what nothing uses: `python -m tools.dead_code`. Vulture, told apart from what only looks unused."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

from vulture import Vulture

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("src", "tests", "tools", "bench", "hatch_build.py")
CERTAIN = 60  # per cent; what vulture gives to any name that nobody mentions

# Called by the libraries whose classes we extend, never by us.
CALLED_BY_OTHERS = [
    *("WebBuildHook", "PLUGIN_NAME", "dependencies", "initialize", "build_data", "version"),  # hatchling
    *(
        "anyio_backend",
        "pytestmark",
        "pytest_*",
        "browser_type_launch_args",
        "browser_context_args",
    ),  # pytest and its plugins
    *("on_ws_*", "pause_writing", "resume_writing", "handle_*", "start_keepalive", "close_timeout"),  # picows, uvicorn
    *("config", "app_state", "force_exit", "logger", "sqlite_errorcode"),
    "_expect_*",  # scenarios/run.py finds them by the word in the file
    *("name_IDs", "drop_tables"),  # fontTools
]


def is_record(node: ast.ClassDef) -> bool:
    """Structs and dataclasses: their fields are read by the codec, the browser and by comparison."""
    named = [ast.unparse(base) for base in (*node.bases, *node.decorator_list, *(word.value for word in node.keywords))]
    return any(name.split("(")[0].split(".")[-1] in {"Struct", "dataclass"} for name in named) or any(
        word.arg in {"tag", "tag_field", "frozen"} for word in node.keywords
    )


def fields(path: Path) -> set[int]:
    """The lines on which a record declares a field."""
    return {
        line.lineno
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ClassDef) and is_record(node)
        for line in node.body
        if isinstance(line, ast.AnnAssign)
    }


REGISTERING = {"rule", "invariant", "initialize", "planted"}


def is_rule_of_a_machine(path: Path, line: int) -> bool:
    """Rules of state machines (Hypothesis finds them) and planted leaks: registered by their decorators."""
    return any(
        isinstance(node, ast.FunctionDef)
        and any(ast.unparse(mark).split("(")[0] in REGISTERING for mark in node.decorator_list)
        and node.decorator_list[0].lineno <= line <= node.lineno
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
    )


def private_names(path: Path) -> Iterator[tuple[int, str]]:
    """Private constants of a module that nothing in it uses: vulture passes over names with an underscore.

    Names with two of them, like __all__, are for Python itself.
    """
    tree = ast.parse(path.read_text("utf-8"))
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    for node in tree.body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        for target in targets:
            if (
                isinstance(target, ast.Name)
                and target.id.startswith("_")
                and target.id not in used
                and not target.id.startswith("__")
            ):
                yield node.lineno, target.id


def main() -> int:
    vulture = Vulture(ignore_names=CALLED_BY_OTHERS)
    vulture.scavenge([str(ROOT / name) for name in FOLDERS if (ROOT / name).exists()])
    found = 0
    for item in vulture.get_unused_code(min_confidence=CERTAIN):
        path, line = Path(item.filename), item.first_lineno
        if item.typ == "variable" and line in fields(path):
            continue
        if is_rule_of_a_machine(path, line):
            continue
        found += 1
        print(f"{path.relative_to(ROOT)}:{line}: nothing uses the {item.typ} {item.name}")
    for path in sorted(path for name in FOLDERS for path in (ROOT / name).rglob("*.py")):
        for line, private in private_names(path):
            found += 1
            print(f"{path.relative_to(ROOT)}:{line}: nothing uses {private}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
