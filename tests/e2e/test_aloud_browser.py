"""A whole game without a picture: found by role and name, acted on by keys, decided by what is said aloud alone."""

from __future__ import annotations

import os
import re
import sys
import time
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page
from playwright.sync_api import TimeoutError as TooLate

from tests.e2e.pages import Watched, needs_chromium
from tests.e2e.serving import ServerProcess
from tests.e2e.staged import Staged, played

pytestmark = needs_chromium

STRINGS = Path(__file__).parents[2] / "content" / "strings"
GAME_SECONDS = 240

LISTENING = """
  window.heard = [];
  const isLive = '[role="status"], [role="alert"]';
  const before = new WeakMap();
  const hear = (node) => {
    const region = (node.nodeType === 1 ? node : node.parentElement)?.closest(isLive);
    if (!region || region.closest('[inert]')) return;
    const dialog = document.querySelector('dialog:modal');
    if (dialog !== null && !dialog.contains(region)) return;
    const text = region.textContent.replace(/\\s+/g, ' ');
    if (text.trim() === '' || before.get(region) === text) return before.set(region, text);
    before.set(region, text);
    window.heard.push([region.getAttribute('role'), text.trim()]);
  };
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      const isRegion = target.nodeType === 3 || target.closest?.(isLive);
      if (isRegion) hear(target);
      else for (const one of addedNodes) if (one.nodeType === 1 && one.matches('[role="alert"]')) hear(one);
    }
  }).observe(document, { subtree: true, childList: true, characterData: true });
"""
"""What a screen reader would say: changes of live regions, outside of which a modal dialog leaves nothing."""


class Words:
    """The texts of a language, as they are and as patterns of what they become."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.texts: dict[str, Any] = tomllib.loads((STRINGS / f"{language}.toml").read_text("utf-8"))

    def __call__(self, path: str) -> str:
        section, _, key = path.partition(".")
        text: str = self.texts[section][key]
        return text

    def like(self, path: str) -> re.Pattern[str]:
        pieces = re.split(r"\{(\w+)(?::[^}]*)?\}", self(path))
        named: set[str] = set()
        pattern = ""
        for at, piece in enumerate(pieces):
            if at % 2 == 0:
                pattern += re.escape(piece)
            elif piece in named:
                pattern += ".*?"
            else:
                named.add(piece)
                pattern += f"(?P<{piece}>.*?)"
        return re.compile(pattern)


class Listener(Watched):
    """Somebody who sees nothing: hears what is said, finds by role and name, has a keyboard."""

    def __init__(self, browser: Browser, language: str) -> None:
        context = browser.new_context(viewport={"width": 1280, "height": 800}, locale=language, reduced_motion="reduce")
        context.add_init_script(LISTENING)
        super().__init__(context.new_page())
        self.words = Words(language)
        self.listened = 0

    @property
    def heard(self) -> list[list[str]]:
        texts: list[list[str]] = self.page.evaluate("window.heard")
        return texts

    def called(self) -> str:
        """The next that broke in since one last listened, if any."""
        heard = self.heard
        calls = [text for role, text in heard[self.listened :] if role == "alert"]
        if not calls:
            return ""
        self.listened = len(heard)
        return calls[-1]

    def waits_for(self, path: str, seconds: float = 5) -> re.Match[str]:
        """Until something like this text has been said."""
        pattern = self.words.like(path)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for _, text in reversed(self.heard):
                if found := pattern.search(text):
                    return found
            self.page.wait_for_timeout(50)
        raise AssertionError(f"nothing like {self.words(path)!r} is said: {self.heard[-12:]}")

    def answers(self, key: str) -> str:
        """What is said after a key."""
        before = len(self.heard)
        self.page.keyboard.press(key)
        end = time.monotonic() + 5
        while time.monotonic() < end:
            self.page.wait_for_timeout(50)
            for role, text in self.heard[before:]:
                if role == "status":
                    return text
        raise AssertionError(f"{key} is not answered")

    def button(self, name: str | re.Pattern[str]) -> Locator:
        return self.page.get_by_role("button", name=name, disabled=False)

    def press(self, name: str | re.Pattern[str], key: str = "Enter") -> None:
        button = self.button(name).first
        button.focus(timeout=5_000)
        button.press(key, timeout=3_000)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("aloud"), tempo=12) as server:
        yield server


def begin(one: Listener, address: str) -> None:
    """A practice table: no limit of time, AIs in all the other seats."""
    page, words = one.page, one.words
    page.goto(address)
    page.get_by_role("textbox", name=words("home.nickname")).focus()
    page.keyboard.type("Iris")
    one.press(re.compile(f"^{words('home.create_room')}"))
    one.press(re.compile(f"^{words('settings.title')}"))
    one.press(re.compile(words("create.preset_practice")))
    page.wait_for_timeout(300)
    page.keyboard.press("Escape")
    one.press(words("waiting.start"))
    hold = one.button(words("reveal.hold_to_see"))
    hold.focus(timeout=30_000)
    page.keyboard.down(" ")
    one.waits_for("reveal.spoken")
    page.keyboard.up(" ")
    one.press(words("reveal.done"))


def chosen(words: Words, call: str) -> list[str]:
    """The first of those whom one may choose, by the words of the call."""
    found = words.like("aloud.may_choose").search(call + "\n")
    if found is None:
        return []
    listed = call[found.start() :].removeprefix(words("aloud.may_choose").partition("{")[0])
    return [one.strip(" .。") for one in listed.split(words("common.list_separator").strip())]


def acts(one: Listener, call: str, takes: int) -> None:
    """Does what the call says that one may do."""
    words, page = one.words, one.page
    page.wait_for_timeout(350)
    if names := chosen(words, call):
        picks = names[:2] if words("scroll.pick_link_first") in call else names[:1]
        for name in picks:
            if name == words("aloud.you"):
                one.press(re.compile(f"^({words('vote.choose_self')}|{fill(words('scroll.choose_button'))})$"))
            else:
                number = name.split(" ")[0]
                label = words("table.seat_label").replace("{turn}", number).partition("{")[0]
                one.press(re.compile(f"^{re.escape(label)}"))
            page.wait_for_timeout(100)
        sure = "|".join(
            words.like(path).pattern.replace("?P<", "?P<x")
            for path in ("pass.confirm", "vote.confirm", "scroll.chosen")
        )
        one.press(re.compile(f"^({re.sub(r'[(][?]P<[^>]*>', '(', sure)})$"))
    elif words.like("aloud.row").search(call):
        one.press(re.compile(f"^{words('scroll.card_position').partition('{')[0]}1"))
        one.press(words("scroll.confirm_button"))
    elif found := words.like("aloud.may_play").search(call):
        if words("aloud.may_skip") in call and takes % 3 == 2:
            page.keyboard.press("k")
            return
        listed = call[found.start() :].removeprefix(words("aloud.may_play").partition("{")[0])
        card = re.split(r"[,、.。×]| ×", listed)[0].strip()
        one.press(re.compile(f"^{re.escape(card)}"))
        one.press(words("play.play_card").replace("{card}", card))
    else:
        assert words("aloud.may_skip") in call, call
        one.press(words("play.skip"))


def asks(one: Listener) -> None:
    """Every question by its key: each is answered, also twice, and in a field they are letters."""
    words, page = one.words, one.page
    for key, path in (("s", "resolution.tally_slain"), ("t", "aloud.no_limit"), ("h", "announce.hand")):
        for _ in range(2):
            assert words.like(path).search(one.answers(key)), key
    assert one.answers("l") != one.answers("l"), "asked again it goes one event back"
    assert one.answers("o").startswith(
        (words("aloud.order_turns").partition("{")[0], words("aloud.order_round").partition("{")[0])
    )
    assert one.answers("?").startswith(words("aloud.keys"))
    page.keyboard.press("Escape")
    page.keyboard.press("r")
    table = page.get_by_role("dialog", name=words("aloud.title"))
    seats = table.get_by_role("region", name=words("aloud.seats")).get_by_role("listitem")
    assert seats.count() == 8
    assert sum(words("aloud.you") in text for text in seats.all_inner_texts()) == 1
    assert table.get_by_role("heading").count() == 9
    ask = table.get_by_role("button", name=words("aloud.ask_time"))
    ask.focus()
    before = len(one.heard)
    ask.press("Enter")
    page.wait_for_timeout(900)
    assert ["status", words("aloud.no_limit")] in one.heard[before:], "in a dialog, too, there is an answer"
    page.keyboard.press("Escape")
    field = page.get_by_role("textbox", name=words("talk.message"))
    field.focus()
    before = len(one.heard)
    page.keyboard.type("sthlor")
    page.wait_for_timeout(900)
    assert field.input_value() == "sthlor" and len(one.heard) == before
    field.fill("")
    page.evaluate("document.activeElement.blur()")


def fill(text: str) -> str:
    return re.sub(r"\\?\{\w+\\?\}", ".*", text)


def has_ended(page: Page, words: Words) -> bool:
    either = re.compile(f"^({re.escape(words('over.human_win'))}|{re.escape(words('over.dragon_win'))})$")
    return page.get_by_role("heading", name=either).count() > 0


@pytest.mark.parametrize("language", ["zh-TW", pytest.param("en", marks=pytest.mark.everywhere)])
def test_a_whole_game_is_played_by_what_is_said_aloud(server: ServerProcess, browser: Browser, language: str) -> None:
    one = Listener(browser, language)
    page, words = one.page, one.words
    begin(one, server.address)
    one.waits_for("announce.night", 10)
    one.waits_for("announce.day", 20)
    takes = 0
    last = ""
    end = time.monotonic() + GAME_SECONDS
    while not has_ended(page, words):
        assert time.monotonic() < end, f"the game does not end: {one.heard[-8:]}"
        call = one.called()
        if call:
            if not last:
                asks(one)
            last = call
            acts(one, call, takes)
            takes += 1
        elif last and one.button(re.compile(words("resolution.skip_animation"))).count():
            with suppress(TooLate):  # it has gone by itself
                one.press(re.compile(words("resolution.skip_animation")))
        page.wait_for_timeout(100)
    assert takes, "a game may be over in its first round"
    one.waits_for("announce.game_over")
    one.waits_for("announce.resolved")
    one.waits_for("log.passed")
    one.waits_for("log.fired")
    if "CINDERFORGE_SAY" in os.environ:
        sys.stdout.write("\n".join(f"{role}: {text}" for role, text in one.heard))
    assert one.errors == []
    page.context.close()


# --- what is face down (R11) ---

COPIED = """() => {
  document.execCommand('selectAll');
  const text = getSelection().toString();
  getSelection().removeAllRanges();
  return text;
}"""
PLAY: dict[str, Any] = {"offer": "play", "cards": ["mystic", "blank"], "may_skip": True}
MINE: dict[str, Any] = {"role": "mystic", "hand": ["mystic", "blank", "blank"], "scroll": "gift_blank"}
SECRET = re.compile("mystic|blank|emptiness", re.IGNORECASE)


def there(stage: Staged) -> str:
    """All that can be selected and copied, and all that a screen reader can find."""
    return str(stage.page.evaluate(COPIED)) + stage.page.locator("body").aria_snapshot()


def test_what_is_face_down_is_neither_copied_nor_read_until_one_asks(server: ServerProcess, browser: Browser) -> None:
    private = {"private_screen": True, "hints": False}
    one = Staged(browser, server.address, device=private, locale="en-US", reduced_motion="reduce")
    one.show(fresh=True, phase="reveal", round=0, holder=None, giver=None, you=MINE)
    one.by("hold-role").wait_for()
    assert not SECRET.search(there(one))
    one.page.keyboard.press("h")
    one.page.wait_for_timeout(300)
    assert not SECRET.search(there(one)), "before the night it is read while it is held, and not else"
    turn: dict[str, Any] = {
        "order": [8, 1, 2, 3, 4, 5, 6, 7],
        "holder": 8,
        "giver": 2,
        "awaited": [1],
        "acts": played(8),
    }
    one.show(you={**MINE, "offer": PLAY}, **turn)
    one.by("skip").wait_for()
    one.page.wait_for_timeout(300)
    assert "You may skip." in there(one), "one's turn is called"
    assert not SECRET.search(there(one))
    one.page.keyboard.press("r")
    one.by("table-words").wait_for()
    assert not SECRET.search(there(one))
    one.page.keyboard.press("Escape")
    one.page.keyboard.press("h")
    one.page.get_by_text("Your hand: Mystic").wait_for(state="attached")
    one.page.evaluate("dispatchEvent(new Event('blur'))")
    one.page.wait_for_timeout(100)
    assert not SECRET.search(there(one)), "looked away from, it is gone"
    assert one.errors == []
    one.close()
