"""Pictures of every screen (tools/screens.py), in both languages, on a phone both ways and on a desktop.

The pages are real and so are the games (tools/staged_games.py), but each page is handed the picture of a moment instead
of waiting for it. They go to screenshots/, with a page to look at them all; `--only PATTERN` takes those whose name has
the pattern in it. What could not be pictured is said at the end. `--docs` takes the few that docs/screens.md shows.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from base64 import b64decode
from collections import defaultdict
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from playwright.sync_api import Error as BrowserError

from tests.e2e.pages import ARGUMENTS, CHROMIUM
from tests.e2e.serving import ServerProcess
from tools.screens import SCREENS, Scene, Screen, Stage
from tools.staged_games import moments_of

TARGET: Final = Path(__file__).resolve().parent.parent / "screenshots"
LANGUAGES: Final = ("zh-TW", "en-US")
TOUCH: Final[dict[str, Any]] = {"has_touch": True, "is_mobile": True}
FORMS: Final[dict[str, dict[str, Any]]] = {
    "phone": {"viewport": {"width": 390, "height": 844}, **TOUCH},
    "landscape": {"viewport": {"width": 844, "height": 390}, **TOUCH},
    "desktop": {"viewport": {"width": 1280, "height": 800}},
}
NO_WORKER: Final = "navigator.serviceWorker.register = () => new Promise(() => {});"
"""Files come from the server, which may have been built anew."""
DOCS: Final = TARGET.parent / "docs" / "pictures"
SHOWN: Final = [
    "home.zh-TW.desktop",
    "waiting-host-8.en-US.phone",
    "reveal-held.zh-TW.phone",
    "night-seeing-8.en-US.phone",
    "vote-opened-8.zh-TW.landscape",
    "announced-link_play.en-US.phone",
    "play-mine-8.en-US.desktop",
    "play-mine-8.zh-TW.phone",
    "resolved-activated-8.en-US.phone",
    "over-human.zh-TW.phone",
    "replay-middle-8.en-US.desktop",
    "learn-07.zh-TW.phone",
]
NO_HINTS: Final = """localStorage.setItem('cinderforge.device', '{"hints": false}');"""
SETTLE_MS: Final = 700
TALLEST: Final = 3_000


@dataclass(frozen=True)
class Picture:
    screen: Screen
    language: str
    form: str
    seats: int

    @property
    def name(self) -> str:
        count = f"-{self.seats}" if len(self.screen.seats) > 1 else ""
        return f"{self.screen.name}{count}.{self.language}.{self.form}"


def webp(page: Page) -> bytes:
    """A picture of what is seen, small enough for a repository."""
    client = page.context.new_cdp_session(page)
    return b64decode(client.send("Page.captureScreenshot", {"format": "webp", "quality": 82})["data"])


def take(picture: Picture, context: BrowserContext, address: str, scene: Scene, *, is_for_docs: bool) -> str:
    """Takes it; gives what went wrong."""
    stage = Stage(context, address)
    problem = ""
    try:
        picture.screen.show(stage, scene, picture.seats)
        stage.page.wait_for_timeout(SETTLE_MS)
        clip = None
        if picture.screen.is_whole:
            width, height = stage.page.evaluate(
                "[document.documentElement.clientWidth, document.documentElement.scrollHeight]"
            )
            clip = {"x": 0, "y": 0, "width": width, "height": min(TALLEST, height)}
        if is_for_docs:
            (DOCS / f"{picture.name}.webp").write_bytes(webp(stage.page))
        else:
            path = TARGET / f"{picture.name}.png"
            stage.page.screenshot(path=path, full_page=clip is not None, clip=clip)  # type: ignore[arg-type]
    except KeyError as error:
        problem = f"no such moment: {error}"
    except (BrowserError, AssertionError) as error:
        problem = str(error).splitlines()[0]
    errors = [] if stage.is_cut else dict.fromkeys(stage.errors)
    problem = " | ".join(filter(None, [problem, *errors]))
    stage.page.close()
    return problem


def contact_sheet(names: list[str]) -> str:
    """A page with all of them: a row for each screen."""
    rows: dict[str, list[str]] = defaultdict(list)
    for name in names:
        rows[name.split(".")[0]].append(name)
    made = "".join(
        f"<h2>{escape(row)}</h2><p>"
        + "".join(
            f'<a href="{name}.png"><img src="{name}.png" alt="{name}" title="{name}" loading="lazy"></a>'
            for name in sorted(row_names)
        )
        + "</p>\n"
        for row, row_names in rows.items()
    )
    return (
        '<!doctype html><meta charset="utf-8"><title>Cinderforge, every screen</title><style>'
        "body{background:#222;color:#eee;font:14px sans-serif;margin:16px}"
        "p{display:flex;gap:12px;align-items:start;overflow-x:auto}img{height:420px}h2{margin:24px 0 8px}</style>\n"
        + made
    )


def wanted(only: str) -> list[Picture]:
    pictures = [
        Picture(screen, language, form, seats)
        for screen in SCREENS
        for language in LANGUAGES
        for form in FORMS
        for seats in screen.seats
        if form != "landscape" or seats != 5
    ]
    return [one for one in pictures if re.search(only, one.name)]


def take_all(browser: Browser, address: str, pictures: list[Picture], *, is_for_docs: bool) -> dict[str, str]:
    """Those that were not taken, or went wrong, and why."""
    problems: dict[str, str] = {}
    for language in LANGUAGES:
        seats = {one.seats for one in pictures if one.language == language}
        moments = {(name, count): one for count in seats for name, one in moments_of(language, count).items()}
        scene = Scene(moments, language)
        for form, kind in FORMS.items():
            scale = 1.5 if is_for_docs else 1
            context = browser.new_context(**kind, locale=language, reduced_motion="reduce", device_scale_factor=scale)
            context.add_init_script(NO_WORKER + (NO_HINTS if is_for_docs else ""))
            for one in pictures:
                if (one.language, one.form) != (language, form):
                    continue
                if problem := take(one, context, address, scene, is_for_docs=is_for_docs):
                    problems[one.name] = problem
            context.close()
    return problems


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", metavar="PATTERN")
    parser.add_argument("--docs", action="store_true")
    chosen = parser.parse_args(arguments)
    pictures = [one for one in wanted(chosen.only) if not chosen.docs or one.name in SHOWN]
    TARGET.mkdir(exist_ok=True)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        server = ServerProcess(Path(data), env={"CINDERFORGE_LIMITS": "off"})
        server.start()
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        try:
            problems = take_all(browser, server.address, pictures, is_for_docs=chosen.docs)
        finally:
            browser.close()
            server.stop()
    taken = [one.name for one in wanted("") if (TARGET / f"{one.name}.png").exists()]
    (TARGET / "index.html").write_text(contact_sheet(taken), "utf-8")
    for name, problem in problems.items():
        print(f"{name}: {problem}")
    took = time.monotonic() - began
    print(f"{len(pictures)} pictures in {took:.0f} s, {len(problems)} with a problem: {TARGET}/index.html")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
