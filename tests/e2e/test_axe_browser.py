"""Every screen, in both languages, on a phone and a desktop: axe finds nothing, and what is to be touched is large."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize

from tests.e2e.pages import DESKTOP, PHONE, needs_chromium
from tests.e2e.serving import ServerProcess
from tools.screens import SCREENS, Scene, Screen, Stage
from tools.staged_games import USUAL_SEATS, moments_of

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
pytestmark = [needs_chromium, pytest.mark.skipif(not AXE.exists(), reason="axe-core comes with the tools of web/")]

HIGH: ViewportSize = {"width": 390, "height": 1800}
"""As high as all of a waiting room: what sticks to the window's edge covers nothing."""
SAME = ("announced-", "learn-0", "learn-1", "night-", "resolved-", "over-")
"""Of screens that differ in little, the first is looked at."""


def screens() -> Iterator[Screen]:
    """Those of the gallery, without those that are another's like."""
    seen: set[str] = set()
    for screen in SCREENS:
        kind = next((one for one in SAME if screen.name.startswith(one)), screen.name)
        if kind not in seen and not screen.name.endswith("-whole"):
            yield screen
        seen.add(kind)


def shown(browser: Browser, address: str, locale: str) -> Iterator[tuple[str, Page]]:
    """Each screen on a page of its own. Fails if a page tells of an error."""
    # files come from the server, whatever a worker has kept
    context = browser.new_context(**PHONE, locale=locale, reduced_motion="reduce", service_workers="block")
    found = moments_of(locale, USUAL_SEATS)
    scene = Scene({(name, USUAL_SEATS): one for name, one in found.items()}, locale)
    for screen in screens():
        stage = Stage(context, address, is_patient=True)
        if screen.name.startswith("waiting-"):
            stage.page.set_viewport_size(HIGH)
        screen.show(stage, scene, USUAL_SEATS)
        stage.page.wait_for_timeout(150)
        yield screen.name, stage.page
        assert stage.is_cut or [error for error in stage.errors if "404" not in error] == [], screen.name
        stage.page.close()
    context.close()


TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
LOOK = """async ([source, runOnly]) => {
  if (!window.axe) (0, eval)(source);
  const look = (what) => axe.run({ runOnly: what, resultTypes: ['violations'] });
  const found = (await look(runOnly)).violations;
  const root = document.documentElement;
  const before = root.dataset.contrast;
  root.dataset.contrast = before === 'high' ? 'usual' : 'high';
  found.push(...(await look({ type: 'rule', values: ['color-contrast'] })).violations);
  root.dataset.contrast = before;
  return found.flatMap((one) => one.nodes.map((node) =>
    `${one.id}: ${node.html.slice(0, 160)} — ${node.any.concat(node.all, node.none).map((it) => it.message)}`));
}"""
"""All rules as the page is, and contrast in the other theme."""

SMALL = """() => {
  const open = document.querySelector('dialog:modal') ?? document;
  const all = [...open.querySelectorAll('button, a[href], input, select, summary, [role=button], [tabindex="0"]')];
  const isInText = (one) => one.matches('p a, li a, button.name') && one.parentElement.innerText !== one.innerText;
  const areaOf = (one) => (one.matches('[type=radio], [type=checkbox]') && one.closest('label')) || one;
  return all.filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('[inert], .sr'))
    .filter((one) => !one.matches('.skip, :disabled, .sr') && !isInText(one))
    .map((one) => [one, areaOf(one).getBoundingClientRect()])
    .filter(([, { width, height }]) => width > 0 && (width < 43.9 || height < 43.9))
    .map(([one, { width, height }]) => `${width.toFixed(0)} × ${height.toFixed(0)}: ${one.outerHTML.slice(0, 140)}`);
}"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("axe"), tempo=1) as server:
        yield server


def problems(page: Page, source: str) -> list[str]:
    """On a phone and, the same moment, on a desktop."""
    told: list[str] = []
    phone = page.viewport_size
    assert phone
    desktop: ViewportSize = {"width": DESKTOP["viewport"]["width"], "height": max(phone["height"], 800)}
    for size in (phone, desktop):
        page.set_viewport_size(size)
        page.wait_for_timeout(60)
        found = page.evaluate(LOOK, [source, TAGS]) + page.evaluate(SMALL)
        told += [f"{size['width']} wide: {one}" for one in found]
    page.set_viewport_size(phone)
    return told


@pytest.mark.parametrize("locale", ["en-US", "zh-TW"])
def test_axe_finds_nothing_on_any_screen_and_all_that_is_touched_is_large(
    server: ServerProcess, browser: Browser, locale: str
) -> None:
    source = AXE.read_text("utf-8")
    told = {name: problems(page, source) for name, page in shown(browser, server.address, locale)}
    assert not any(told.values()), "\n".join(f"{name}: {one}" for name, found in told.items() for one in found)


CUT = """() => [...document.querySelectorAll('#app *')].filter((one) => {
  const style = getComputedStyle(one);
  const hasText = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
  if (!hasText || !one.checkVisibility() || one.closest('.sr, .skip, [inert], svg, .sheet')) return false;
  // a name may end in dots: all of it is read aloud, and shown by its menu
  if (style.textOverflow === 'ellipsis' || one.matches('option, select')) return false;
  const range = document.createRange();
  range.selectNodeContents(one);
  const { left, right, top, bottom, width } = range.getBoundingClientRect();
  for (let at = one; at && width > 0; at = at.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(at);
    const box = at.getBoundingClientRect();
    if (/hidden|clip/.test(overflowX) && (left < box.left - 2 || right > box.right + 2)) return true;
    if (/hidden|clip/.test(overflowY) && (top < box.top - 4 || bottom > box.bottom + 4)) return true;
    if (/auto|scroll/.test(overflowX + overflowY)) return false;
  }
  return false;
}).map((one) => one.outerHTML.slice(0, 140))"""
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.mark.parametrize("locale", ["en-US", "zh-TW"])
def test_text_of_twice_the_size_is_all_there(server: ServerProcess, browser: Browser, locale: str) -> None:
    told = []
    for name, page in shown(browser, server.address, locale):
        for size in ("200%", "130%"):
            page.evaluate("size => document.documentElement.style.setProperty('font-size', size, 'important')", size)
            page.wait_for_timeout(60)
            if (wide := page.evaluate(SIDEWAYS)) > 0:
                told.append(f"{name} at {size} scrolls {wide} sideways")
            told += [f"{name} at {size} cuts {one}" for one in page.evaluate(CUT)]
        page.evaluate("document.documentElement.style.removeProperty('font-size')")
    assert told == [], "\n".join(told)
