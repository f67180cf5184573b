"""Every scroll of the catalogue has its file, its scenarios, its content and its clause."""

from __future__ import annotations

from pathlib import Path

import pytest

from cinderforge.rules.scrolls import CATALOG

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("scroll", CATALOG)
def test_a_scroll_has_all_that_it_needs(scroll: str) -> None:
    rules = (ROOT / "docs/rules.md").read_text("utf-8")
    scenarios = list((ROOT / "scenarios/scrolls" / scroll).glob("*.scenario.yaml"))
    missing = [
        f"{path} is missing"
        for path in (
            f"src/cinderforge/rules/scrolls/{scroll}.py",
            *(f"content/scrolls/{scroll}/{name}" for name in ("art.svg", "zh-TW.toml", "en.toml")),
        )
        if not (ROOT / path).exists()
    ]
    if len(scenarios) < 3:
        missing.append(f"scenarios/scrolls/{scroll} needs three: it works, nobody to choose, what the others see")
    if f"`{scroll}`" not in rules:
        missing.append(f"docs/rules.md has no clause for {scroll}")
    assert not missing, "; ".join(missing)
