"""Every screen: axe finds nothing, what is to be touched is large, and text of twice the size is all there.

`make test` looks at one screen of most kinds, in one language, on a phone or a desktop, in one theme, all by turns.
`make pages` looks at every screen, in both languages, on both, in both themes.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
from playwright.sync_api import Browser, Page

from tests.e2e.pages import DESKTOP, PHONE, needs_chromium
from tests.e2e.serving import ServerProcess
from tools.screens import SCREENS, Scene, Screen, Stage
from tools.staged_games import USUAL_SEATS, moments_of

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
pytestmark = [needs_chromium, pytest.mark.skipif(not AXE.exists(), reason="axe-core comes with the tools of web/")]

EVERYWHERE: Final = "CINDERFORGE_EVERYWHERE" in os.environ
LOCALES: Final = ("zh-TW", "en-US")
FORMS: Final[dict[str, dict[str, Any]]] = {"phone": PHONE, "desktop": DESKTOP}
THEMES: Final = ("usual", "high")
HIGH: Final = 2_400
"""As high as all of a waiting room: what sticks to the window's edge covers nothing."""


LEFT_OUT: Final = (
    *("join", "invite", "countdown", "phrases", "people", "table"),
    *("stand", "reconnecting", "watching", "lost"),
)
"""Kinds that are much like others, or little more than a line: `make pages` looks at them."""


class Look(NamedTuple):
    """At which screen, and how."""

    screen: Screen
    themes: tuple[str, ...] = THEMES
    texts: tuple[str, ...] = ("200%", "130%")


def looks(locale: str, form: str) -> list[Look]:
    screens = [screen for screen in SCREENS if not screen.is_whole or len(screen.seats) == 1]
    if EVERYWHERE:
        return [Look(screen) for screen in screens]
    kinds = [[*kind] for name, kind in groupby(screens, lambda one: one.name.partition("-")[0]) if name not in LEFT_OUT]
    share = [kind[len(kind) // 2] for kind in kinds][LOCALES.index(locale) + 2 * [*FORMS].index(form) :: 4]
    return [Look(screen, (THEMES[number % 2],), ("200%",)) for number, screen in enumerate(share)]


def shown(browser: Browser, address: str, locale: str, form: str) -> Iterator[tuple[Look, Page]]:
    """Each look, with a page of its own. Fails if a page tells of an error."""
    found = moments_of(locale, USUAL_SEATS)
    scene = Scene({(name, USUAL_SEATS): one for name, one in found.items()}, locale)
    # files come from the server, whatever a worker has kept
    context = browser.new_context(**FORMS[form], locale=locale, reduced_motion="reduce", service_workers="block")
    for look in looks(locale, form):
        stage = Stage(context, address, is_patient=True)
        if look.screen.name.startswith("waiting-"):
            stage.page.set_viewport_size({"width": FORMS[form]["viewport"]["width"], "height": HIGH})
        look.screen.show(stage, scene, USUAL_SEATS)
        yield look, stage.page
        assert stage.is_cut or [error for error in stage.errors if "404" not in error] == [], look.screen.name
        stage.page.close()
    context.close()


SETTLE_MS: Final = 100
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
IN_THEME = "theme => { document.documentElement.dataset.contrast = theme; }"
IN_SIZE = "size => document.documentElement.style.setProperty('font-size', size, 'important')"
LOOK = """async ([source, tags]) => {
  if (!window.axe) (0, eval)(source);
  const found = (await axe.run({ runOnly: tags, resultTypes: ['violations'] })).violations;
  return found.flatMap((one) => one.nodes.map((node) =>
    `${one.id}: ${node.html.slice(0, 160)} — ${node.any.concat(node.all, node.none).map((it) => it.message)}`));
}"""

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


CUT = """() => [...document.querySelectorAll('#app *')].filter((one) => {
  const style = getComputedStyle(one);
  const hasText = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
  if (!hasText || !one.checkVisibility() || one.closest('.sr, .skip, [inert], svg, .sheet')) return false;
  // a name may end in dots: all of it is read aloud, and shown by its menu
  if (style.textOverflow === 'ellipsis' || one.matches('option, select')) return false;
  // letters' boxes may be higher than their line
  const above = Math.max(4, parseFloat(style.fontSize) * 0.25);
  const range = document.createRange();
  range.selectNodeContents(one);
  const { left, right, top, bottom, width } = range.getBoundingClientRect();
  for (let at = one; at && width > 0; at = at.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(at);
    const box = at.getBoundingClientRect();
    if (/hidden|clip/.test(overflowX) && (left < box.left - 2 || right > box.right + 2)) return true;
    if (/hidden|clip/.test(overflowY) && (top < box.top - above || bottom > box.bottom + above)) return true;
    if (/auto|scroll/.test(overflowX + overflowY)) return false;
  }
  return false;
}).map((one) => one.outerHTML.slice(0, 140))"""
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("axe"), tempo=1) as server:
        yield server


def problems(page: Page, look: Look, source: str) -> Iterator[str]:
    page.wait_for_timeout(SETTLE_MS)
    for theme in look.themes:
        page.evaluate(IN_THEME, theme)
        for found in page.evaluate(LOOK, [source, TAGS]):
            yield f"in the theme {theme}: {found}"
    yield from page.evaluate(SMALL)
    for size in look.texts:
        page.evaluate(IN_SIZE, size)
        page.wait_for_timeout(SETTLE_MS)
        if (wide := page.evaluate(SIDEWAYS)) > 0:
            yield f"at {size} it scrolls {wide} sideways"
        for one in page.evaluate(CUT):
            yield f"at {size} it cuts {one}"


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("locale", LOCALES)
def test_axe_finds_nothing_all_that_is_touched_is_large_and_text_of_twice_the_size_is_all_there(
    server: ServerProcess, browser: Browser, locale: str, form: str
) -> None:
    source = AXE.read_text("utf-8")
    told = [
        f"{look.screen.name}: {one}"
        for look, page in shown(browser, server.address, locale, form)
        for one in problems(page, look, source)
    ]
    assert told == [], "\n".join(told)
