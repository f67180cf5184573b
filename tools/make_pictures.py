"""Turns content/art into the few pictures that must be pixels: icons for home screens, and the one shown with a link.

Needs Chromium and the test tools; run `python -m tools.make_pictures` when the logo, a hero or a card has changed.
"""

from __future__ import annotations

import sys
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tools.make_content import CONTENT, sheet

PUBLIC = Path(__file__).resolve().parent.parent / "web" / "public"
CHROMIUM = "/usr/bin/chromium"
GROUND = "radial-gradient(circle at 50% 40%, #5a2412, #1d0f0b 62%, #120a08)"
# File → its side, and how much of it the emblem takes: a launcher may cut a fifth off each side of a maskable one.
ICONS = {
    "icon-192.png": (192, 0.92),
    "icon-512.png": (512, 0.92),
    "icon-maskable-512.png": (512, 0.72),
    "apple-touch-icon.png": (180, 0.78),
}
BARE = ("icon-192.png", "icon-512.png")
SHARE = "share.jpg"
# The cards in the picture shown with a link, each with its tilt.
FAN = {"shadow_dragon": -24, "mystic": -12, "sage": 0, "red_dragon": 12, "two_headed_dragon": 24}


def art(name: str) -> str:
    """A drawing as it stands in content/art."""
    return (CONTENT / "art" / name).read_text("utf-8")


def icon_page(share: float, ground: str) -> str:
    """The emblem alone, in the middle."""
    return (
        f"<style>html,body{{margin:0;height:100%;background:{ground}}}body{{display:grid;place-items:center}}"
        f"svg{{width:{share:.0%};height:{share:.0%}}}</style>{art('favicon.svg')}"
    )


def share_page() -> str:
    """The city under its barrier, a fan of cards, and the name."""
    cards = "".join(
        f'<svg class="card" viewBox="0 0 200 280" style="transform:rotate({tilt}deg)"><use href="#role-{role}"/></svg>'
        for role, tilt in FAN.items()
    )
    return (
        "<style>html,body{margin:0}body{position:relative;width:1200px;height:630px;overflow:hidden;background:#160f0c}"
        ".hero>svg{position:absolute;left:-90px;top:-60px;width:1380px;height:776px}.sheet{position:absolute}"
        ".shade{position:absolute;inset:0;background:linear-gradient(#0b0608b0,#0b060800 40%,#0b060800 70%,#0b0608cc)}"
        ".names{position:absolute;left:44px;top:32px}.names svg{display:block;width:500px}"
        ".fan{position:absolute;left:760px;bottom:-6px}"
        ".card{position:absolute;width:226px;height:316px;left:0;bottom:0;transform-origin:50% 165%;"
        "filter:drop-shadow(0 10px 18px #000b)}</style>"
        f'{sheet()}<div class="hero">{art("hero.svg")}</div><div class="shade"></div>'
        f'<div class="names">{art("logo-zh.svg")}</div>'
        f'<div class="fan">{cards}</div>'
    )


def draw(page: Page) -> None:
    """Write all pictures."""
    for name, (side, share) in ICONS.items():
        page.set_viewport_size({"width": side, "height": side})
        bare = name in BARE
        page.set_content(icon_page(share, "transparent" if bare else GROUND))
        page.screenshot(path=PUBLIC / name, omit_background=bare)
    page.set_viewport_size({"width": 1200, "height": 630})
    page.set_content(share_page())
    page.screenshot(path=PUBLIC / SHARE, type="jpeg", quality=84)


def main() -> None:
    """Start Chromium, draw, say how large each picture is."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        draw(browser.new_page())
        browser.close()
    for name in (*ICONS, SHARE):
        sys.stdout.write(f"{name} {(PUBLIC / name).stat().st_size} bytes\n")


if __name__ == "__main__":
    main()
