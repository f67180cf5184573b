"""A page in a real browser, and what starts one."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
ARGUMENTS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
    "--host-resolver-rules=MAP cinderforge.test 127.0.0.1",
]

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
"""What a context of the browser is made with."""

CHOOSABLE = "button.choosable:not(:disabled):not([aria-pressed='true'])"
CHOICE = f"{CHOOSABLE}, button.seat[aria-pressed='true']"
"""A seat that may be picked next; and any seat of a choice that waits, picked or not."""

NIGHT = '.veil:not([data-help="announcement"])'
"""What covers the table until the first day. A scroll that waits for somebody's choice covers it too, for as long."""

needs_chromium = pytest.mark.skipif(not Path(CHROMIUM).exists(), reason="no Chromium: apt-get install chromium")


class Watched:
    """A page whose errors are kept; a test fails if there are any."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda said: self.errors.append(said.text) if said.type == "error" else None)

    def by(self, testid: str) -> Locator:
        return self.page.locator(f'[data-testid="{testid}"]:visible').first

    def there(self, testid: str) -> bool:
        return self.page.locator(f'[data-testid="{testid}"]:visible').count() > 0

    def chooses(self) -> bool:
        return self.page.locator(CHOICE).filter(visible=True).count() > 0

    def lacks(self) -> bool:
        """Nothing to confirm yet. A button that is only unsettled (`aria-disabled`) waits for no further pick."""
        return self.by("confirm").get_attribute("disabled") is not None

    def choose(self, press: Callable[[Locator], None] = Locator.click) -> None:
        """Picks as many seats as are asked for, and confirms."""
        for _ in range(2):
            if self.lacks():
                press(self.page.locator(CHOOSABLE).filter(visible=True).first)
        press(self.by("confirm"))

    def until(self, is_true: str, seconds: int = 10) -> None:
        """Waits as `wait_for_function` does, which our content security policy forbids."""
        for _ in range(seconds * 20):
            if self.page.evaluate(is_true):
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"never: {is_true}")
