"""A page by the keyboard alone: Tab, Enter and Space, and whether one sees where one is."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

MOST_STOPS = 120

STOP = """() => {
  const one = document.activeElement;
  if (one === null || one === document.body) return null;
  const box = one.getBoundingClientRect();
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  const style = getComputedStyle(one);
  const top = document.elementFromPoint(x, y);
  window.stops ??= new Map();
  if (!window.stops.has(one)) window.stops.set(one, window.stops.size + 1);
  return {
    number: window.stops.get(one),
    what: one.dataset.testid ?? one.getAttribute('aria-label') ?? one.outerHTML.slice(0, 120),
    over: top?.outerHTML.slice(0, 120),
    isInSight: box.width > 0 && box.height > 0 && top !== null && (one.contains(top) || top.contains(one)),
    isMarked: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2,
  };
}"""
"""Where the focus is; null for nowhere."""

OFFERED = """() => [...(document.querySelector('dialog:modal') ?? document).querySelectorAll('[data-testid]')]
  .filter((one) => one.matches('button, input, select, a') && !one.disabled && one.checkVisibility())
  .filter((one) => one.closest('[inert]') === null)
  .map((one) => one.dataset.testid)"""
"""What can be used now."""


def stop(page: Page) -> dict[str, Any] | None:
    for _ in range(20):
        here: dict[str, Any] | None = page.evaluate(STOP)
        if here is None or (here["isInSight"] and here["isMarked"]):
            break
        page.wait_for_timeout(50)  # a scroll that is read, or a card on its way, may lie over it for a moment
    if here is not None:
        assert here["isInSight"], f"the focus cannot be seen: {here}"
        assert here["isMarked"], f"nothing marks the focus: {here}"
    return here


def walk(page: Page) -> list[str]:
    """Once round the page by Tab; gives what was passed. Fails where one is not seen or does not get out again."""
    passed: dict[int, str] = {}
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        here = stop(page)
        if here is None:
            continue
        if here["number"] in passed:
            assert here["number"] == next(iter(passed)), f"one is trapped: {list(passed.values())}, {here}"
            return list(passed.values())
        passed[here["number"]] = here["what"]
    raise AssertionError(f"Tab comes to no end: {list(passed.values())}")


def tab_to(page: Page, selector: str, key: str = "") -> None:
    """By Tab alone to the first that fits, and presses a key there."""
    for _ in range(MOST_STOPS):
        if page.evaluate("what => document.activeElement?.matches(what) === true", selector):
            stop(page)
            if key:
                page.keyboard.press(key)
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not come to {selector}")
