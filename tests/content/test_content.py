"""What content/ must keep true: both languages complete, official names, fresh files, a font that covers."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from cinderforge.room.refused import RoomCode
from cinderforge.room.shapes import NoticeCode, PollKind, Quiet

ROOT = Path(__file__).resolve().parents[2]
CONTENT = ROOT / "content"

# R1 and R6: the official Chinese names, which the product shows exactly so.
ROLE_NAMES = {
    "sage": "賢者",
    "mystic": "秘術師",
    "adventurer": "冒險者",
    "red_dragon": "紅龍",
    "two_headed_dragon": "雙頭巨龍",
    "shadow_dragon": "幽影龍",
    "blank": "空白卡",
}
SCROLL_NAMES = {
    "force_play": ("強制出牌", "當回合"),
    "reveal_sources": ("公開身分來源", "當回合"),
    "draw_next": ("抽取下家手牌", "當回合"),
    "draw_previous": ("抽取上家手牌", "當回合"),
    "link_play": ("連動出牌", "當回合"),
    "act_last": ("改為最後行動", "當回合起（可能延續）"),
    "gift_blank": ("贈送空白卡", "立即生效，永久持有空白卡"),
    "force_neighbours": ("左右鄰座強制出牌", "當回合"),
    "peek_hand": ("窺視手牌", "立即生效"),
    "insight": ("洞悉賢者秘術師", "公告當下短暫生效"),
}
TERMS = {
    "factions.human": "人類陣營",
    "factions.dragon": "龍族陣營",
    "terms.crystal": "晶核",
    "terms.holy_crystal": "聖之晶核",
    "terms.dragonblood_crystal": "龍血結晶",
    "terms.scroll": "魔法卷軸",
    "terms.turn_order": "順位",
    "terms.activated": "啟動水晶",
    "terms.slain": "斬殺",
    "terms.slain_area": "斬殺區",
    "terms.dragon_card": "龍牌",
    "terms.round": "回合",
    "terms.hand": "手牌",
    "terms.skip": "跳過",
    "terms.resolution": "結算",
    "terms.room": "遊戲房間",
    "phases.waiting": "預備房間",
    "phases.night": "夜晚階段",
    "phases.day": "白天階段",
    "common.host": "房主",
    "waiting.add_ai": "AI 補位",
    "settings.sage_slain_ends": "賢者被斬殺遊戲結束",
    "world.land": "艾爾多利亞",
    "world.chapter": "永夜的預言",
}
# The closed list of formats.md.
REJECTIONS = [
    "not_your_turn",
    "wrong_phase",
    "not_in_hand",
    "must_play",
    "must_skip",
    "only_drawn_card",
    "scroll_already_fired",
    "self_not_allowed",
    "target_has_no_cards",
    "duplicate_target",
    "unknown_player",
    "no_such_card",
    "bad_choice",
    "game_over",
]

# Texts that are put between or after others.
JOINERS = ("/common/you_mark", "/common/list_separator", "/common/comma")


def read(path: str) -> dict[str, Any]:
    return tomllib.loads((CONTENT / path).read_text("utf-8"))


def flat(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from flat(inner, f"{name}/{key}")
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from flat(inner, f"{name}/{number}")
    else:
        yield name, value


def placeholders(text: object) -> set[str]:
    return set(re.findall(r"\{(\w+)", str(text)))


def pairs() -> list[tuple[str, str]]:
    """Every Chinese file with its English counterpart."""
    found = sorted(p.relative_to(CONTENT).as_posix() for p in CONTENT.rglob("zh-TW.toml"))
    return [(p, p.replace("zh-TW", "en")) for p in found]


@pytest.mark.parametrize("role", ROLE_NAMES)
def test_every_role_has_its_picture_and_its_official_name(role: str) -> None:
    assert (CONTENT / "roles" / role / "art.svg").is_file()
    assert read(f"roles/{role}/zh-TW.toml")["name"] == ROLE_NAMES[role]
    assert read(f"roles/{role}/en.toml")["name"]


@pytest.mark.parametrize("scroll", SCROLL_NAMES)
def test_every_scroll_has_its_picture_and_its_official_name_and_lasting(scroll: str) -> None:
    texts = read(f"scrolls/{scroll}/zh-TW.toml")
    assert (CONTENT / "scrolls" / scroll / "art.svg").is_file()
    assert (texts["name"], texts["lasting"]) == SCROLL_NAMES[scroll]
    assert read(f"scrolls/{scroll}/en.toml")["effect"]


def test_no_role_or_scroll_is_drawn_that_the_rules_do_not_know() -> None:
    assert {p.name for p in (CONTENT / "roles").iterdir()} == set(ROLE_NAMES)
    assert {p.name for p in (CONTENT / "scrolls").iterdir()} == set(SCROLL_NAMES)


def test_official_terms_are_spelled_exactly() -> None:
    strings = read("strings/zh-TW.toml")
    for name, term in TERMS.items():
        section, key = name.split(".")
        assert strings[section][key] == term


@pytest.mark.parametrize(("zh", "en"), pairs())
def test_both_languages_have_the_same_texts_with_the_same_placeholders(zh: str, en: str) -> None:
    ours, theirs = dict(flat(read(zh))), dict(flat(read(en)))
    assert ours.keys() == theirs.keys()
    assert {k: placeholders(v) for k, v in ours.items()} == {k: placeholders(v) for k, v in theirs.items()}


def test_sections_and_clauses_of_the_rules_page_agree_in_both_languages() -> None:
    names = re.compile(r"/(id|clause|decided)$")
    ours, theirs = dict(flat(read("rules/zh-TW.toml"))), dict(flat(read("rules/en.toml")))
    assert {k: v for k, v in ours.items() if names.search(k)} == {k: v for k, v in theirs.items() if names.search(k)}


@pytest.mark.parametrize("path", [p for pair in pairs() for p in pair])
def test_no_text_is_empty_or_carries_stray_space(path: str) -> None:
    for name, text in flat(read(path)):
        if isinstance(text, str) and not (path.startswith("roles/blank/") and name == "/cards"):
            assert text.strip(), (path, name)
            assert text.strip() == text or name in JOINERS, (path, name)


def test_a_round_is_never_called_by_another_word() -> None:
    for path in CONTENT.rglob("zh-TW.toml"):
        assert "輪" not in path.read_text("utf-8"), path


def test_every_refusal_of_the_rules_has_words() -> None:
    assert set(REJECTIONS) <= read("strings/zh-TW.toml")["errors"].keys()


def test_every_refusal_and_farewell_that_the_server_can_give_has_words() -> None:
    strings = read("strings/zh-TW.toml")
    source = "".join(p.read_text("utf-8") for p in (ROOT / "src/cinderforge").rglob("*.py"))
    assert set(re.findall(r'Refused\(\s*"(\w+)"', source)) <= strings["errors"].keys()
    assert set(get_args(RoomCode)) <= strings["errors"].keys()
    farewell = re.search(r"Farewell = Literal\[([^\]]*)\]", source)
    assert farewell is None or set(re.findall(r'"(\w+)"', farewell[1])) == strings["farewells"].keys()
    waits = re.search(r"WaitKind = Literal\[([^\]]*)\]", source)
    assert waits is None or set(re.findall(r'"(\w+)"', waits[1])) == strings["waits"].keys()


def test_every_notice_of_a_room_and_every_poll_has_words() -> None:
    strings = read("strings/zh-TW.toml")
    assert set(get_args(NoticeCode)) == strings["notices"].keys()
    assert set(get_args(PollKind)) <= strings["absence"].keys()
    assert {f"quiet_{why}" for why in get_args(Quiet) if why} <= strings["talk"].keys()


def test_the_art_sheet_uses_nothing_that_it_does_not_hold() -> None:
    sheet = (ROOT / "web/src/board/art.gen.ts").read_text("utf-8").replace('\\"', '"')
    held = set(re.findall(r' id="([^"]+)"', sheet))
    used = set(re.findall(r'(?:href="#|url\(#)([^")]+)', sheet))
    assert used <= held, used - held


def test_every_emblem_names_its_author_in_the_credits() -> None:
    icons = json.loads((CONTENT / "icons/emblems.json").read_text("utf-8"))
    page = (CONTENT / "CREDITS.md").read_text("utf-8")
    for name, icon in icons.items():
        assert icon["author"] in page
        assert f"`{name}`" in page


@pytest.mark.parametrize("tool", ["make_content.py", "make_font.py"])
def test_generated_files_are_fresh_and_the_font_covers_every_heading(tool: str) -> None:
    run = subprocess.run(
        [sys.executable, str(ROOT / "tools" / tool), "--check"], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr


def test_the_font_is_small_enough_for_a_phone() -> None:
    assert (ROOT / "web/public/fonts/cinder-display.woff2").stat().st_size <= 50 * 1024


@pytest.mark.parametrize("name", ["hero.svg", "hero-tall.svg", "logo-zh.svg", "logo-en.svg"])
def test_the_pictures_of_the_first_page_are_small_enough(name: str) -> None:
    assert (ROOT / "web/public" / name).stat().st_size < 25_000
