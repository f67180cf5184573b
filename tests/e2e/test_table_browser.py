"""The table in a real browser, moment by moment: its layouts, its hands, what is readied, covered, what moves."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.pages import PHONE, needs_chromium
from tests.e2e.serving import ServerProcess
from tests.e2e.staged import NAMES, NOTHING, Staged, played
from tests.e2e.test_browser import touch_drag

pytestmark = needs_chromium

LONG = ["守望城牆的老石匠與他的貓", "Sir Bartholomew Quillfan", "夜行者夜行者夜行者夜行者", "Alexandria Emberforge XI"]
SIZES = [(320, 568), (360, 640), (412, 839), (844, 390), (667, 375), (820, 1180), (1280, 800), (1920, 1080)]
OFFER: dict[str, Any] = {"offer": "play", "cards": ["adventurer", "blank"], "may_skip": True}
SKIP, PLAY = {"t": "skip"}, {"t": "play", "card": "adventurer"}
LOST = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
OUT_OF_SIGHT = """() => [...document.querySelectorAll('.held, .actions button, [data-testid=status]')].filter((one) => {
  const { left, right, top, bottom } = one.getBoundingClientRect();
  const found = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return left < 0 || right > innerWidth || top < 0 || bottom > innerHeight + 1 || !one.contains(found);
}).map((one) => one.outerHTML.slice(0, 80))"""

CUT_NAMES = """() => [...document.querySelectorAll('.seat .name')].filter((one) => {
  const text = document.createRange();
  text.selectNodeContents(one);
  const [words, box] = [text.getBoundingClientRect(), one.getBoundingClientRect()];
  return words.bottom > box.bottom + 5 || words.width > box.width + 1;
}).map((one) => one.textContent)"""

CLICK_AT_ONCE = """() => {
  window.clicked = false;
  const look = () => {
    const skip = document.querySelector('[data-testid=skip]');
    if (!skip) return requestAnimationFrame(look);
    const card = document.querySelector('[data-testid=hand-0]');
    for (const one of [skip, card]) one.dispatchEvent(new MouseEvent('click', { detail: 1, bubbles: true }));
    window.clicked = true;
  };
  look();
}"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("table"), tempo=1) as server:
        yield server


@pytest.fixture
def stage(server: ServerProcess, browser: Browser) -> Iterator[Callable[..., Staged]]:
    staged: list[Staged] = []

    def open_stage(names: list[str] | None = None, device: dict[str, Any] | None = None, **context: Any) -> Staged:
        kept = {"locale": "en-US", "reduced_motion": "reduce", **context}
        staged.append(Staged(browser, server.address, names, device=device, **kept))
        return staged[-1]

    yield open_stage
    for one in staged:
        assert one.errors == []
        one.close()


def before_my_turn(stage: Staged, **over: Any) -> None:
    stage.show(fresh=True, order=[8, 1, 2, 3, 4, 5, 6, 7], holder=8, giver=2, awaited=[8], **over)


def my_turn(stage: Staged, offer: dict[str, Any] = OFFER, **over: Any) -> None:
    acted = {"order": [8, 1, 2, 3, 4, 5, 6, 7], "holder": 8, "giver": 2, "awaited": [1], "acts": played(8), **over}
    stage.show([{"news": "acted", "turn": 8, "act": "played", "how": "own"}], you={"offer": offer}, **acted)


@pytest.mark.parametrize("seats", [5, 8, 10])
def test_no_size_scrolls_sideways_or_cuts_a_name_and_ones_turn_is_all_in_sight(
    stage: Callable[..., Staged], seats: int
) -> None:
    one = stage([*LONG, *NAMES][:seats])
    order = list(range(1, seats + 1))
    for width, height in SIZES:
        one.page.set_viewport_size({"width": width, "height": height})
        one.show(fresh=True, order=order, holder=1, giver=2, awaited=[1], you={"offer": OFFER})
        assert one.page.evaluate(LOST) <= 0, f"{width} × {height}"
        assert one.page.evaluate(OUT_OF_SIGHT) == [], f"{width} × {height}"
        assert one.page.evaluate(CUT_NAMES) == [], f"{width} × {height}"
        one.page.evaluate("document.documentElement.style.setProperty('font-size', '200%', 'important')")
        one.page.wait_for_timeout(30)
        assert one.page.evaluate(LOST) <= 0, f"{width} × {height}, text twice as large"
        one.page.evaluate("document.documentElement.style.removeProperty('font-size')")


def test_what_is_readied_waits_for_ones_turn_and_a_while_more(stage: Callable[..., Staged]) -> None:
    one = stage()
    before_my_turn(one)
    one.page.keyboard.press("k")
    expect(one.by("ready-cancel")).to_be_visible()
    one.page.wait_for_timeout(300)
    assert one.wishes() == [], "nothing leaves the page before the turn has come"
    my_turn(one)
    began = time.monotonic()
    while not one.asked:
        one.page.wait_for_timeout(20)
    assert 0.55 < time.monotonic() - began < 1.8
    assert one.wishes() == [SKIP]


def test_what_is_readied_is_taken_back_by_hand_and_by_an_offer_without_it(stage: Callable[..., Staged]) -> None:
    one = stage(**PHONE)
    before_my_turn(one)
    one.by("hand-0").tap()
    one.by("ready-play").tap()
    my_turn(one)
    one.by("ready-cancel").tap()
    before_my_turn(one)
    one.by("ready-skip").tap()
    my_turn(one, {**OFFER, "may_skip": False})
    expect(one.page.locator(".toast.shown")).to_contain_text("had readied was dropped")
    one.page.wait_for_timeout(1_600)
    assert one.wishes() == []
    one.by("hand-0").tap()
    one.by("confirm").tap()
    assert one.wishes() == [PLAY]


def test_a_click_too_soon_after_the_buttons_came_is_none(stage: Callable[..., Staged]) -> None:
    one = stage(device={"play": "at_once"})
    before_my_turn(one)
    one.page.evaluate(CLICK_AT_ONCE)
    my_turn(one)
    one.until("window.clicked")
    assert one.wishes() == []
    one.page.wait_for_timeout(400)
    one.by("hand-0").click()
    assert one.wishes() == [PLAY]


def test_a_drag_is_called_off_by_escape_or_a_second_finger_and_let_go_in_the_middle_it_plays(
    stage: Callable[..., Staged],
) -> None:
    one = stage()
    my_turn(one)
    box, zone = one.by("hand-0").bounding_box(), one.by("play-zone").bounding_box()
    assert box and zone
    mouse = one.page.mouse
    for called_off in (True, False):
        mouse.move(box["x"] + 20, box["y"] + 20)
        mouse.down()
        mouse.move(zone["x"] + zone["width"] / 2, zone["y"] + zone["height"] / 2)  # in one leap, as fast hands do
        expect(one.page.locator(".centre.over")).to_be_visible()
        if called_off:
            one.page.keyboard.press("Escape")
        mouse.up()
        assert one.wishes() == ([] if called_off else [PLAY])
    phone = stage(**PHONE)
    my_turn(phone)
    box = phone.by("hand-0").bounding_box()
    assert box
    client = phone.page.context.new_cdp_session(phone.page)
    first = {"x": box["x"] + 20, "y": box["y"] + 20, "id": 1}
    there = {"x": 195, "y": 270, "id": 1}
    for kind, points in (
        ("touchStart", [first]),
        ("touchMove", [there]),
        ("touchStart", [there, {"x": 30, "y": 300, "id": 2}]),
        ("touchEnd", []),
    ):
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    assert phone.wishes() == []
    touch_drag(phone.page, phone.by("hand-0"), phone.by("play-zone"))
    assert phone.wishes() == [PLAY]


@pytest.mark.parametrize("is_called_off", [False, True])
def test_a_card_that_is_moved_a_little_and_let_go_where_it_was_is_not_played(
    stage: Callable[..., Staged], is_called_off: bool
) -> None:
    """Where a click plays at once: a drag ends in one, for the browser."""
    one = stage(device={"play": "at_once"})
    my_turn(one)
    one.page.wait_for_timeout(400)
    box = one.by("hand-0").bounding_box()
    assert box
    mouse = one.page.mouse
    mouse.move(box["x"] + 20, box["y"] + 40)
    mouse.down()
    mouse.move(box["x"] + 40, box["y"] + 60)
    expect(one.page.locator(".dragging")).to_be_visible()
    if is_called_off:
        one.page.keyboard.press("Escape")
        expect(one.page.locator(".dragging")).to_have_count(0)
    mouse.up()
    one.page.wait_for_timeout(50)
    assert one.wishes() == []
    one.by("hand-0").click()
    assert one.wishes() == [PLAY]


def test_a_covered_hand_is_not_on_the_page_until_it_is_held(stage: Callable[..., Staged]) -> None:
    one = stage(device={"private_screen": True})
    my_turn(one)
    one.page.wait_for_timeout(350)
    page = one.page

    def is_told() -> bool:
        return any(word in page.locator("section.mine").inner_html() for word in ("adventurer", "Adventurer", "Blank"))

    assert not is_told()
    box = one.by("hand-0").bounding_box()
    assert box
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    page.wait_for_timeout(50)
    assert is_told()
    page.mouse.up()
    page.wait_for_timeout(50)
    assert not is_told(), "let go, it is covered again"
    expect(one.by("confirm")).to_have_text("Play: card 1")
    one.by("show-hand").click()
    assert is_told()
    page.evaluate("dispatchEvent(new Event('blur'))")
    page.wait_for_timeout(50)
    assert not is_told(), "looked away from, it is covered"
    one.by("confirm").click()
    assert one.wishes() == [PLAY]


def test_ones_own_played_card_is_seen_only_while_it_is_held(stage: Callable[..., Staged]) -> None:
    one = stage()
    order = [1, 2, 3, 4, 5, 6, 7, 8]
    you: dict[str, Any] = {"hand": ["blank", "blank"], "played": "adventurer"}
    one.show(fresh=True, order=order, holder=1, giver=2, awaited=[2], acts=played(1), you=you)
    centre = one.by("play-zone")
    assert "adventurer" not in centre.inner_html().lower()
    one.by("own-played").focus()
    one.page.keyboard.down(" ")
    expect(centre).to_contain_text("Adventurer")
    one.page.keyboard.up(" ")
    one.page.wait_for_timeout(50)
    assert "adventurer" not in centre.inner_html().lower()


CARDS = ["blank", "adventurer", "red_dragon", "mystic"]

TAP_HALF_SHOWN = """() => {
  const shown = document.querySelector('[data-testid=resolution]');
  const faces = shown.querySelectorAll('use[href^="#role-"]').length;
  if (faces === 0 || faces === 4 || shown.innerText.includes('Slain 2')) return false;
  shown.click();
  return true;
}"""


def resolve(one: Staged) -> None:
    before_my_turn(one)
    tally: dict[str, Any] = {**NOTHING, "slain": 2}
    fired = {"turn": 8, "scroll": "act_last", "round": 1, "targets": [], "effect": True}
    past: dict[str, Any] = {
        "number": 1,
        "giver": 2,
        "holder": 8,
        "fired": fired,
        "acts": played(1, 2, 3, 4),
        "marks": [],
    }
    past |= {"cards": CARDS, "sources": None, "tally": tally}
    news: list[dict[str, Any]] = [{"news": "resolved", "cards": CARDS, "sources": None, "tally": tally}]
    one.show(news, phase="pass", holder=8, giver=2, awaited=[8], tally=tally, past=[past])


def test_cards_are_shown_one_by_one_a_tap_shows_all_and_the_next_goes_on(stage: Callable[..., Staged]) -> None:
    one = stage(reduced_motion="no-preference")
    resolve(one)
    shown = one.by("resolution")
    faces = shown.locator('use[href^="#role-"]')
    assert faces.count() == 0, "face down while they are shuffled"
    one.until(TAP_HALF_SHOWN)
    expect(faces).to_have_count(4)
    expect(faces.first).to_have_attribute("href", "#role-red_dragon")
    expect(shown).to_contain_text("Slain 2")
    shown.click()
    expect(shown).to_have_count(0)


def test_without_motion_the_cards_lie_sorted_at_once(stage: Callable[..., Staged]) -> None:
    one = stage()
    resolve(one)
    faces = [face.get_attribute("href") for face in one.by("resolution").locator('use[href^="#role-"]').all()]
    assert faces == ["#role-red_dragon", "#role-adventurer", "#role-mystic", "#role-blank"]


def test_a_vote_is_a_thin_line_and_all_are_once_it_is_over(stage: Callable[..., Staged]) -> None:
    one = stage()
    everybody = list(range(1, 9))
    empty: dict[str, Any] = {"round": 0, "holder": None, "giver": None, "unfired": everybody}
    one.show(fresh=True, phase="vote", awaited=[1], you={"offer": {"offer": "vote", "targets": everybody}}, **empty)
    one.by("seat-4").click()
    expect(one.page.locator("path.vote")).to_have_count(1)
    one.by("confirm-here").click()
    assert one.wishes() == [{"t": "vote", "target": 4}]
    ballots = [4, 4, 5, 5, None, 4, 5, 2]
    news: list[dict[str, Any]] = [{"news": "vote_opened", "ballots": ballots}, {"news": "first_holder", "turn": 5}]
    one.show(news, phase="pass", round=1, holder=5, giver=None, awaited=[5], ballots=ballots, unfired=everybody)
    expect(one.page.locator("path.vote")).to_have_count(7)
    expect(one.page.locator(".votes")).to_contain_text("Bea")
    one.page.locator(".felt .felt").click(position={"x": 5, "y": 5})
    expect(one.page.locator("path.vote")).to_have_count(0)


WATCH_HANDED = """() => {
  window.handed = null;
  const look = () => {
    const card = document.querySelector('[data-testid=handed]');
    const flights = card?.getAnimations({ subtree: true }) ?? [];
    const told = flights.map(({ effect }) => [effect.getTiming(), effect.getKeyframes()]);
    if (told.length > 0) window.handed = card.outerHTML + JSON.stringify(told);
    else requestAnimationFrame(look);
  };
  look();
}"""


def test_a_drawn_card_flies_into_the_other_hand_and_is_the_same_for_everybody_whatever_it_is(
    stage: Callable[..., Staged],
) -> None:
    flights = []
    for drawer, source, card in [(1, 2, "red_dragon"), (1, 2, "mystic"), (2, 1, "mystic"), (2, 1, "blank")]:
        one = stage(reduced_motion="no-preference", device={"hints": False}, **PHONE)
        phase: dict[str, Any] = {"order": None, "holder": drawer, "giver": 3, "awaited": [], "announcing": True}
        phase["fired"] = [{"turn": drawer, "scroll": "draw_next", "round": 3, "targets": [], "effect": True}]
        before, after = [["blank", "adventurer"], ["blank", "adventurer", card]][:: 1 if drawer == 1 else -1]
        one.show(fresh=True, phase="scroll", you={"hand": before}, **phase)
        one.page.evaluate(WATCH_HANDED)
        one.show([{"news": "drawn", "drawer": drawer, "source": source}], you={"hand": after}, **phase)
        one.until("window.handed !== null")
        flights.append(one.page.evaluate("window.handed"))
        assert flights[-1].count("#card-back") == 1
        assert '"transform":"translate(' in flights[-1], "it flies"
        expect(one.by("handed")).to_have_count(0)
    assert flights[0] == flights[1], "to whoever drew it"
    assert flights[2] == flights[3], "to whoever it is drawn from"


def test_a_drawn_card_does_not_fly_without_motion(stage: Callable[..., Staged]) -> None:
    one = stage()
    before_my_turn(one)
    one.show([{"news": "drawn", "drawer": 1, "source": 2}], you={"hand": ["blank", "mystic"]}, awaited=[8])
    one.page.wait_for_timeout(60)
    assert one.by("handed").count() == 0
    expect(one.by("hand-1")).to_be_visible()
