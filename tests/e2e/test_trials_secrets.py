"""What a page tells of covered cards by other ways than its looks (docs/trials-log.md, A12 and A13)."""

from __future__ import annotations

import re
import time
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, CDPSession

from tests.e2e.pages import needs_chromium
from tests.e2e.players import GAME_SECONDS, Player, acting, begin
from tests.e2e.serving import ServerProcess
from tests.e2e.test_talk_browser import enter

pytestmark = needs_chromium


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("secrets"), tempo=25) as server:
        yield server


# --- what is read aloud (A12) ---

CONTENT = Path(__file__).parents[2] / "content"
KINDS = ("sage", "mystic", "adventurer", "red_dragon", "two_headed_dragon", "shadow_dragon", "blank")


def words_of(shelf: str, entry: str) -> dict[str, str]:
    return tomllib.loads((CONTENT / shelf / entry / "en.toml").read_text("utf-8"))


CALLED = {word.lower(): kind for kind in KINDS for word in (kind, *list(words_of("roles", kind).values())[:2])}
CARD_WORDS = re.compile(r"\b(" + "|".join(sorted(CALLED, key=len, reverse=True)) + r")\b", re.IGNORECASE)
SCROLLS = [text for one in (CONTENT / "scrolls").iterdir() for text in words_of("scrolls", one.name).values()]
SCROLL_WORDS = re.compile("|".join(re.escape(text) for text in sorted(SCROLLS, key=len, reverse=True)))

PARTS = {
    **dict.fromkeys(("hand", "strip", "shown", "hold", "confirm"), "own"),
    **dict.fromkeys(("resolution", "record", "lines"), "told"),
    **dict.fromkeys(("heard", "called"), "said"),
    **dict.fromkeys(("tallies",), "tallies"),
    **dict.fromkeys(("private",), "known"),
    **dict.fromkeys(("pile", "backs"), "covered"),
}
"""Parts of the page by class or test id, and what may be named there. Elsewhere no card and no role is."""


BELOW = ("children", "pseudoElements", "shadowRoots")


def read_aloud(client: CDPSession) -> list[tuple[str, str]]:
    """What Chromium gives a screen reader: each name, description and value, and the part of the page it belongs to."""
    for _ in range(5):
        parts: dict[int, str] = {}
        heap = [(client.send("DOM.getDocument", {"depth": -1, "pierce": True})["root"], "")]
        while heap:
            node, part = heap.pop()
            flat = node.get("attributes", [])
            has = dict(zip(flat[::2], flat[1::2], strict=True))
            for mark in (*has.get("class", "").split(), has.get("data-testid", "")):
                part = PARTS.get(mark, part)
            parts[node["backendNodeId"]] = part
            heap += [(one, part) for below in BELOW for one in node.get(below, [])]
        nodes = client.send("Accessibility.getFullAXTree")["nodes"]
        nodes = [one for one in nodes if not one["ignored"] and one["role"]["value"] != "InlineTextBox"]
        if all(one["backendDOMNodeId"] in parts for one in nodes):
            return [
                (parts[one["backendDOMNodeId"]], str(said["value"]))
                for one in nodes
                for said in (one.get("name"), one.get("description"), one.get("value"))
                if said and said.get("value")
            ]
    return []  # the page changed between the two questions, each time


def kinds_in(text: str) -> set[str]:
    """The cards and roles that are named, apart from the texts of scrolls, which everybody may read."""
    return {CALLED[word.lower()] for word in CARD_WORDS.findall(SCROLL_WORDS.sub("", text))}


def test_no_covered_card_and_nobody_elses_role_is_read_aloud_in_a_whole_game(
    server: ServerProcess, browser: Browser
) -> None:
    one = Player(browser)
    one.hosts(server, "Alice", ai_talk="false")  # AIs may claim any kind
    begin(one)
    client = one.page.context.new_cdp_session(one.page)
    seen: dict[str, set[str]] = defaultdict(set)
    end = time.monotonic() + GAME_SECONDS
    while not one.there("result"):
        assert time.monotonic() < end, "the game does not end"
        before = one.last
        said = read_aloud(client)
        one.page.wait_for_timeout(40)
        if one.last["room"]["stage"] == "over":
            break
        told, own, known = set[str](), set[str](), set[str]()
        for update in (before, one.last):
            you = update["you"]["player"]
            told |= {card for past in update["table"]["past"] for card in past["cards"]}
            own |= {you["role"], you["played"], you["drawn"], *you["hand"], *you["plays"]} - {None}
            known |= {fact["card"] for fact in you["knows_cards"]} | {fact["role"] for fact in you["knows_roles"]}
        may = {"own": own, "told": told | {"blank", "sage"}, "tallies": {"sage"}, "known": known | own}
        may["said"] = told | own | known | {"blank", "sage"}
        for part, text in said:
            assert kinds_in(text) <= may.get(part, set()), (part, text, one.last)
            seen[part].add(text)
        acting(one)
    assert {kind for text in seen["own"] for kind in kinds_in(text)}, "one's own cards have names"
    covered = {re.sub(r"\d+", "#", text) for text in seen["covered"]}
    assert covered <= {"Card # of #", "The card you played: hold to look at it", ""} | {
        text for text in covered if text.startswith("Choose one card from the hand of ")
    }, covered
    one.leaves()


# --- a card on its way (A13) ---

HELD_IN_FLIGHT = """
window.faces = [];
window.frames = 0;
window.shapes = new Set();
window.held = null;
window.queue = [];
let count = 0;
const look = () => {
  if (document.querySelector('[data-testid="result"]')) return;  // after the end all is shown
  const laid = document.querySelectorAll('.laid');
  if (laid.length > 0) window.frames++;
  for (const use of document.querySelectorAll('use')) {
    const may = '.hand, .shown, .hold, .private, [data-testid="resolution"], .sheet, [aria-hidden="true"] defs';
    if (/^#role-/.test(use.getAttribute('href')) && use.closest(may) === null)
      window.faces.push(use.parentElement.outerHTML.slice(0, 300));
  }
  for (const one of laid) {
    for (const flight of one.getAnimations())
      if (flight.playState !== 'paused' && flight.effect.getTiming().duration > 0) flight.pause();
    const bare = one.cloneNode(true);
    bare.removeAttribute('style');
    bare.classList.remove('probe');
    window.shapes.add(bare.outerHTML);
  }
  if (laid.length > count) window.held = window.shown;
  count = laid.length;
};
new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });
const frame = () => { look(); requestAnimationFrame(frame); };
requestAnimationFrame(frame);
const Socket = window.WebSocket;
window.WebSocket = class extends Socket {
  set onmessage(hear) { super.onmessage = (event) => { window.queue.push([hear, event]); }; }
};
setInterval(() => {
  if (window.held !== null || window.queue.length === 0) return;
  const [hear, event] = window.queue.shift();
  const message = JSON.parse(event.data);
  if (message.t === 'update') window.shown = message;
  hear(event);
}, 8);
"""
"""Looks at every frame and every change of the page for the face of a card where none may be. Each card that is laid
is stopped at the first moment of its flight, and the news with it, until it has been looked at."""

ALONE = """(index) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    #app * { visibility: hidden !important; }
    body { background: #000 !important; }
    .felt { position: fixed !important; inset: 0 auto auto 0 !important; }
    .felt { width: 600px !important; height: 600px !important; }
    .pile { --cw: 46px !important; }
    #app .probe, #app .probe * { visibility: visible !important; }
    .probe { transform: rotate(12deg) !important; transition: none !important; }
  `);
  document.adoptedStyleSheets = [sheet];
  document.querySelectorAll('.laid')[index].classList.add('probe');
}"""
"""One laid card alone. From where it comes, and so for how long it flies, is everybody's to see: it is held in one
place, against the flight, which is of nothing but its place."""

FLIES = "() => document.querySelector('.probe').getAnimations().some((one) => one.playState === 'paused')"
KEYFRAMES = """() => document.querySelector('.probe').getAnimations()
  .map((flight) => flight.effect.getKeyframes().map((frame) => Object.keys(frame))).flat(2)"""
NO_LOOKS = {"offset", "computedOffset", "easing", "composite", "transform"}

TOGETHER = """() => {
  document.adoptedStyleSheets = [];
  document.querySelectorAll('.probe').forEach((one) => one.classList.remove('probe'));
}"""
CLIP: Any = {"x": 0, "y": 0, "width": 600, "height": 600}


def flight(who: Player, index: int) -> list[bytes]:
    """The pictures of one laid card, from the hand to the table."""
    page = who.page
    page.evaluate(ALONE, index)
    who.until(FLIES)
    parts = set(page.evaluate(KEYFRAMES))
    assert "transform" in parts and parts <= NO_LOOKS, parts
    pictures = []
    for at in (0, 60, 179):
        page.evaluate("at => { document.querySelector('.probe').getAnimations()[0].currentTime = at }", at)
        pictures.append(page.screenshot(clip=CLIP, animations="allow"))
    page.evaluate(TOGETHER)
    return pictures


def card_of(who: Player, one: Player, turn: int) -> str:
    """Whose card was laid, as far as it matters to whoever looks, and of which kind where we know it."""
    if turn == who.you["turn"]:
        return f"own {who.you['played']}"
    return f"Alice's {one.you['played']}" if turn == one.you["turn"] else "an AI's"


def test_a_card_on_its_way_looks_the_same_in_every_frame_whatever_it_is(
    server: ServerProcess, browser: Browser
) -> None:
    one = Player(browser, HELD_IN_FLIGHT, reduced_motion="no-preference")
    other = Player(browser, HELD_IN_FLIGHT, reduced_motion="no-preference")
    address = one.hosts(server, "Alice")
    enter(other, address, "Bob", "join")
    other.by("code").wait_for()
    begin(one, other)
    own: dict[str, list[bytes]] = {}
    third: dict[str, list[bytes]] = {}
    end = time.monotonic() + GAME_SECONDS
    while min(len(own), len(third)) < 3 and not one.there("result"):
        assert time.monotonic() < end, "nobody played two kinds of cards"
        for who, pictures in ((one, own), (other, third)):
            held = who.page.evaluate("window.held")
            if held:
                pile = [act["turn"] for act in held["table"]["acts"] if act["act"] == "played"]
                card = card_of(who, one, pile[-1])
                if card not in pictures:
                    pictures[card] = flight(who, len(pile) - 1)
                who.page.evaluate("window.held = null")
            else:
                hand = who.you.get("hand", [])
                acting(who, next((at for at, card in enumerate(hand) if card not in own), -1))
        one.page.wait_for_timeout(20)
    # one's own card may be held to be looked at, so that it is another thing there; what kind it is, is all the same
    for who, pictures in ((one, own), (other, third)):
        for is_own in (True, False):
            alike = {tuple(each) for card, each in pictures.items() if card.startswith("own ") == is_own}
            assert len(alike) <= 1, f"{list(pictures)} can be told apart"
        assert who.page.evaluate("window.faces") == []
        assert who.page.evaluate("window.frames") > 10
        shapes = who.page.evaluate("[...window.shapes]")
        assert len(shapes) == len({'data-testid="own-played"' in shape for shape in shapes}), "its place alone differs"
        who.leaves()
