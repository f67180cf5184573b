"""Faults put into belief.c on purpose: the test that compares with the plain reckoning must see each of them."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from cinderforge import kernel
from cinderforge.kernel import build

FAULTS: Final[dict[str, tuple[str, str]]] = {
    "a kind is drawn as often as any other": (
        "double w = s->w * count / f->size[source];",
        "double w = s->w / f->size[source];",
    ),
    "a drawn card may be any card of the hand": (
        "cards &= DRAWN(p) >= 0 ? 1 << DRAWN(p) : 0;",
        "cards &= 127;",
    ),
    "a peek tells nothing": (
        "if (r->scroll == PEEK && seen >= 0) {",
        "if (r->scroll == PEEK && seen < -1) {",
    ),
    "who had to play chose to": (
        "return q->how == CF_MUST_PLAY || q->how == CF_MUST_PLAY_DRAWN ? cards : cards | 1 << CF_SKIP;",
        "return cards | 1 << CF_SKIP;",
    ),
    "one's own acts are evidence": (
        "q->silent = f->has_mine && f->mine.me == q->who;",
        "q->silent = 0;",
    ),
    "what was open is shut": (
        "else if (is_over && r->open) q->known = r->source[q->who];",
        "else if (is_over && r->open) q->known = -1;",
    ),
    "states that differ are one": (
        "if (!memcmp(s->p, p, sizeof s->p)) {",
        "if (!memcmp(s->p, p, 2 * sizeof *p)) {",
    ),
    "the night tells nothing": (
        "if (me->night[turn] >= 0 && me->night[turn] != is_of_night(role)) continue;",
        "",
    ),
}


_SEEN = 3


def is_seen(fault: str, folder: Path) -> bool:
    """Whether a kernel with this fault, compiled into a folder of its own, is told from the plain reckoning."""
    for path in build.sources():
        shutil.copy(path, folder / path.name)
    right, wrong = FAULTS[fault]
    text = (folder / "belief.c").read_text("utf-8")
    assert text.count(right) == 1, f"belief.c has changed: where is {right!r}?"
    (folder / "belief.c").write_text(text.replace(right, wrong), "utf-8")
    build.compile_to(folder / "_kernel.abi3.so", folder, ["-O0"])
    command = [sys.executable, "-m", "tests.kernel.planted", str(folder / "_kernel.abi3.so")]
    paths = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    ended = subprocess.run(command, check=False, env=paths).returncode
    assert ended in (0, _SEEN), "the plain reckoning did not get to its end"
    return ended == _SEEN


def _stand_in(extension: str) -> None:
    """This extension is the kernel from now on; one process can have but one."""
    spec = importlib.util.spec_from_file_location("_kernel", extension)
    assert spec and spec.loader
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    kernel.ffi, kernel.lib = made.ffi, made.lib


if __name__ == "__main__":
    _stand_in(sys.argv[1])
    from cinderforge.kernel.belief import Filter
    from tests.kernel.test_belief import differs, stories

    believed = Filter()
    sys.exit(_SEEN if any(differs(game, who, believed) for game, who in stories("by hand", 250)) else 0)
