"""A browser for each file of tests of pages, and a second try for what runs by the clock of a busy machine."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.e2e.pages import ARGUMENTS, CHROMIUM

HERE = Path(__file__).parent


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A test of real processes that fails is run once more and named as RERUN at the end: to be looked at, too.

    What is marked `everywhere` is for `make pages`, which sets CINDERFORGE_EVERYWHERE.
    """
    if "CINDERFORGE_EVERYWHERE" not in os.environ:
        config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("everywhere")])
        items[:] = [item for item in items if not item.get_closest_marker("everywhere")]
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()
