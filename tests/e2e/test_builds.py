"""Two builds of the client, one after the other, in one browser with a service worker (docs/trials-log.md, K5)."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from playwright.sync_api import Browser

import cinderforge
from tests.e2e.pages import Watched, needs_chromium
from tests.e2e.serving import ServerProcess
from tests.e2e.test_trials_browser import begun

pytestmark = needs_chromium

WEB = Path(cinderforge.__file__).parent / "_web"

RUNS = """
import sys
from pathlib import Path
from cinderforge.server import client, socket
client.CLIENT = Path({client!r})
socket.PROTOCOL = {protocol}
from cinderforge.cli.main import main
sys.exit(main())
"""


def build_of(folder: Path, number: int) -> Path:
    """This build as another release would be: every hashed name is another, and so is the protocol that it speaks."""
    shutil.copytree(WEB, folder, ignore=shutil.ignore_patterns("*.br", "*.gz"))
    names = {path.name: f"{path.stem}{number}{path.suffix}" for path in (folder / "assets").iterdir()}
    for path in [*folder.rglob("*.js"), *folder.rglob("*.html"), *folder.rglob("*.css")]:
        text = path.read_text("utf-8")
        for old, new in names.items():
            text = text.replace(old, new)
        text = re.sub(r"\bprotocol:1\b", f"protocol:{number}", text)
        path.write_text(re.sub(r"'cinderforge-\w{12}'", f"'cinderforge-{number}'", text), "utf-8")
    for old, new in names.items():
        (folder / "assets" / old).rename(folder / "assets" / new)
    (folder / "table.svg").write_text(f'<svg xmlns="http://www.w3.org/2000/svg"><!-- of {number} --></svg>', "utf-8")
    page = (folder / "index.html").read_text("utf-8")
    (folder / "index.html").write_text(page.replace("<body>", f'<body data-build="{number}">'), "utf-8")
    return folder


def test_of_two_builds_one_after_the_other_no_page_is_a_mixture(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    servers = []
    for number in (1, 2):
        program = RUNS.format(client=str(build_of(tmp_path / str(number), number)), protocol=number)
        servers.append(ServerProcess(tmp_path / "data", tempo=20, program=program))
    first, second = servers
    second.port = first.port
    context = browser.new_context(locale="zh-TW", reduced_motion="reduce")
    seen, idle = Watched(context.new_page()), Watched(context.new_page())
    first.start()
    idle.page.goto(first.address)
    idle.page.evaluate("navigator.serviceWorker.ready")
    seen.page.goto(first.address)
    begun(seen, "Old")
    idle.until(f"({HAS_WORKER})(1)")
    first.stop()

    second.start()
    seen.page.get_by_text("有新版本").first.wait_for(timeout=15_000)
    assert build(seen) == 1, "no page is exchanged under one's eyes"
    assert seen.page.locator("main button").count() >= 2, "it says how to go on"
    fresh = Watched(context.new_page())
    fresh.page.goto(second.address)
    fresh.until(f"({HAS_WORKER})(2)")
    assert (build(idle), build(seen)) == (1, 1), "a new page changes none that is open"
    idle.by("lang").click()  # asks for a file of its own build, which the server has no longer
    idle.page.get_by_text("The embers remember").wait_for()

    seen.page.get_by_role("button", name="重新載入").click()
    seen.by("status").wait_for()
    for one in (seen, fresh):
        assert build(one) == 2
        loaded = one.page.evaluate("performance.getEntriesByType('resource').map((one) => one.name)")
        assets = [name for name in loaded if "/assets/" in name]
        assert len(assets) > 3 and all(re.search(r"2\.(js|css)$", name) for name in assets), assets
        # pictures have no number of their build in their names: the new worker sees to them, as soon as it is called
        one.until("async () => (await (await fetch('/table.svg')).text()).includes('of 2')")
    context.set_offline(True)
    fresh.page.reload()
    fresh.by("create-room").wait_for()
    assert build(fresh) == 2, "without a network, too, the newest build is there"
    context.set_offline(False)
    second.stop()
    for one in (seen, idle, fresh):
        assert [error for error in one.errors if "WebSocket" not in error and "ERR_" not in error] == []
    context.close()


HAS_WORKER = """async (number) => {
  const kept = await (await caches.open(`cinderforge-${number}`)).keys();
  const { installing, waiting, active } = await navigator.serviceWorker.getRegistration();
  const isDone = !installing && !waiting && active?.state === 'activated';
  return navigator.serviceWorker.controller !== null && kept.length > 5 && isDone;
}"""


def build(seen: Watched) -> int:
    number: str = seen.page.evaluate("document.body.dataset.build")
    return int(number)
