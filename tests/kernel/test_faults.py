"""What holds the kernel equal to the engine can fail: each fault planted in a copy of the C source is noticed."""

from __future__ import annotations

import importlib.util
import shutil
from importlib.machinery import ExtensionFileLoader
from pathlib import Path

import pytest

from cinderforge.kernel import build
from cinderforge.testkit.beside import Different, Kernel, play_both

_GAMES = 3_000

FAULTS = {
    "the crystal may go to whose scroll has fired": (
        "choices(n, me, unfired(p) & ~(1u << me))",
        "choices(n, me, ~(1u << me))",
    ),
    "who acts last acts first": (
        "for (int i = 0; i < lasts; i++)\n        is_last",
        "for (int i = 0; i < 0; i++)\n        is_last",
    ),
    "a linked player stands where he stood": ("if (follower < leader) {", "if (0) {"),
    "a linked player may skip": ("? CF_MUST_PLAY : CF_MUST_SKIP", "? CF_FREE : CF_MUST_SKIP"),
    "a drawn card leaves its owner unseen": ("        see(&g->priv[of], p->round, card, of);\n", ""),
    "the slain sage counts": (
        "p->slain = (int8_t)(p->slain + others)",
        "p->slain = (int8_t)(p->slain + others + sage)",
    ),
    "a dragon's person card matters": ("if (!is_dragon(g->hid.role[t]) && (hand", "if ((hand"),
    "twice A wins with the option on, too": ("!p->rules.sage_slain_ends && p->activated >= 2", "p->activated >= 2"),
    "a neighbour without cards is forced": ("p->hand_size[who] && (who == next_of", "(who == next_of"),
    "an empty hand is offered to the peek": (
        "return with_cards(p) & ~(1u << p->holder)",
        "return ~(1u << p->holder) & ((1u << p->rules.n) - 1)",
    ),
    "the shadow dragon sees the night": ("role != CF_ADVENTURER && role != CF_SHADOW", "role != CF_ADVENTURER"),
    "a tie goes to the first": ("if (tied == 1)\n        elected", "if (1)\n        elected"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_noticed(fault: str, tmp_path: Path) -> None:
    for path in build.sources():
        shutil.copy(path, tmp_path)
    source = tmp_path / "rules.c"
    right, wrong = FAULTS[fault]
    text = source.read_text("utf-8")
    assert text.count(right) == 1, "the fault has its place in the source"
    source.write_text(text.replace(right, wrong), "utf-8")
    kernel = compiled(tmp_path)
    with pytest.raises(Different):
        for number in range(_GAMES):
            play_both(f"faults/{number}", kernel)


def compiled(folder: Path) -> Kernel:
    out = folder / build.OUT.name
    build.compile_to(out, folder, ["-O1"])
    loader = ExtensionFileLoader(build.MODULE, str(out))
    spec = importlib.util.spec_from_loader(build.MODULE, loader)
    assert spec
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return Kernel(module.ffi, module.lib)
