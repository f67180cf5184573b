"""Lighthouse over the home page, a waiting room and the rules: `python -m bench.lighthouse`, or `make pages`.

Lighthouse comes into a folder of its own, for it brings as many packages as all of the rest. It plays a middling phone
on slow 4G. Printed: the four scores of each page, and whatever cost something; the status says whether all are 95.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from tests.e2e.pages import ARGUMENTS, CHROMIUM
from tests.e2e.serving import ServerProcess, free_port

VERSION = "12.8.2"
ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / ".lighthouse"
PROGRAM = FOLDER / "node_modules" / "lighthouse" / "cli" / "index.js"
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
LEAST = 0.95


def node(*command: str) -> None:
    program = shutil.which(command[0])
    assert program, f"no {command[0]}: make setup"
    subprocess.run([program, *command[1:]], check=True, cwd=FOLDER)


def install() -> None:
    if PROGRAM.exists() and json.loads((PROGRAM.parents[1] / "package.json").read_text())["version"] == VERSION:
        return
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / "package.json").write_text('{"private": true}\n')
    node("npm", "install", "--save-exact", "--no-audit", "--no-fund", "--loglevel=error", f"lighthouse@{VERSION}")


def look_at(address: str, port: int) -> dict[str, Any]:
    """What Lighthouse says of a page, in the browser that listens on this port; its cookies are kept."""
    report = FOLDER / "report.json"
    only = f"--only-categories={','.join(CATEGORIES)}"
    chosen = ("--quiet", "--output=json", f"--output-path={report}", "--disable-storage-reset")
    node("node", str(PROGRAM), address, f"--port={port}", only, *chosen)
    made: dict[str, Any] = json.loads(report.read_text("utf-8"))
    return made


def told(name: str, report: dict[str, Any]) -> bool:
    """Prints it; gives whether every score is high enough."""
    scores = {one: report["categories"][one]["score"] for one in CATEGORIES}
    print(f"{name}: " + ", ".join(f"{one} {round(score * 100)}" for one, score in scores.items()))
    for category in CATEGORIES:
        for reference in report["categories"][category]["auditRefs"]:
            audit = report["audits"][reference["id"]]
            if reference["weight"] and audit["score"] is not None and audit["score"] < 1:
                print(f"  {category}: {audit['title']} {audit.get('displayValue', '')} ({audit['score']})")
    return bool(min(scores.values()) >= LEAST)


def main() -> int:
    install()
    port = free_port()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = ServerProcess(Path(folder), tempo=1)
        server.start()
        context = playwright.chromium.launch_persistent_context(
            f"{folder}/profile",
            executable_path=CHROMIUM,
            args=[*ARGUMENTS, f"--remote-debugging-port={port}"],
            locale="zh-TW",
        )
        try:
            page = context.new_page()
            page.goto(server.address)
            page.get_by_test_id("name").fill("阿狸")
            page.get_by_test_id("create-room").click()
            page.get_by_test_id("code").wait_for()
            room = page.url
            page.goto("about:blank")
            pages = {"home": server.address, "waiting room": room, "rules": f"{server.address}/rules"}
            good = [told(name, look_at(address, port)) for name, address in pages.items()]
        finally:
            context.close()
            server.stop()
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
