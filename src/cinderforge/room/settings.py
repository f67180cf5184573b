"""What a host may set about a room beyond the rules (R2.6)."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Final, get_args

from msgspec.structs import replace as struct_replace

from cinderforge.bots import DEFAULT_BOT, NAMES, own_name
from cinderforge.redaction.view import rules_view
from cinderforge.room.shapes import ChatGuard, RoomSettingsView, TimerPreset, TimersView
from cinderforge.rules.settings import (
    BadSettings,
    Settings,
    default_settings,
    one_of_in,
    settings_from,
    truth_in,
    whole_in,
)

PRESETS: Final[dict[TimerPreset, TimersView]] = {
    "fast": TimersView(reveal=15, vote=20, passing=20, scroll=20, play=12, away=20),
    "normal": TimersView(reveal=30, vote=45, passing=45, scroll=45, play=30, away=30),
    "relaxed": TimersView(reveal=60, vote=120, passing=120, scroll=120, play=90, away=90),
    "none": TimersView(reveal=None, vote=None, passing=None, scroll=None, play=None, away=120),
}
MIN_SECONDS: Final = 5
MAX_SECONDS: Final = 600
MAX_SPECTATOR_DELAY: Final = 600


@dataclass(frozen=True, slots=True)
class RoomSettings:
    """What a host may set (R2.6). `timers` and `spectator_delay` in seconds; `ai_level` is a name in `bots.BOTS`."""

    rules: Settings
    preset: TimerPreset = "normal"
    timers: TimersView = PRESETS["normal"]
    ai_level: str = DEFAULT_BOT
    spectators: bool = True
    spectator_delay: int = 0
    public: bool = False
    chat_guard: ChatGuard = "block"
    ai_talk: bool = True
    """Whether AIs claim things at the table."""


_OF_RULES: Final = frozenset(field.name for field in fields(Settings))
_OF_ROOM: Final = frozenset(field.name for field in fields(RoomSettings)) - {"rules"}


def first_settings() -> RoomSettings:
    """Those of a new room."""
    return RoomSettings(default_settings())


def settings_view(settings: RoomSettings) -> RoomSettingsView:
    """The settings as everybody in the room sees them."""
    return RoomSettingsView(
        rules=rules_view(settings.rules),
        preset=settings.preset,
        timers=settings.timers,
        ai_level=settings.ai_level,
        spectators=settings.spectators,
        spectator_delay=settings.spectator_delay,
        public=settings.public,
        chat_guard=settings.chat_guard,
        ai_talk=settings.ai_talk,
    )


def changed(old: RoomSettings, given: dict[str, Any]) -> RoomSettings:
    """The settings with these changes. A table size brings its own A and K unless they are given as well.

    Raises BadSettings for an unknown key, a wrong type or a value out of range; then nothing is changed.
    """
    for key, value in given.items():
        if key not in _OF_RULES | _OF_ROOM:
            raise BadSettings(key, f"one of {', '.join(sorted(_OF_RULES | _OF_ROOM))}", value)
    preset, timers = _timers(old, given)
    return RoomSettings(
        rules=_rules(old.rules, {key: value for key, value in given.items() if key in _OF_RULES}),
        preset=preset,
        timers=timers,
        ai_level=own_name(one_of_in(given, "ai_level", old.ai_level, NAMES)) or old.ai_level,
        spectators=truth_in(given, "spectators", old.spectators),
        spectator_delay=whole_in(given, "spectator_delay", old.spectator_delay, 0, MAX_SPECTATOR_DELAY),
        public=truth_in(given, "public", old.public),
        chat_guard=one_of_in(given, "chat_guard", old.chat_guard, get_args(ChatGuard)),
        ai_talk=truth_in(given, "ai_talk", old.ai_talk),
    )


_FORMER_TARGETS: Final = {6: (2, 2)}
"""Seats → A, K of the sizes whose defaults were others while a log kept a size without them."""


def for_good(settings: RoomSettings, given: dict[str, Any]) -> dict[str, Any]:
    """A change as a log keeps it: the targets that a size brought are told, lest later defaults make them others."""
    if "seats" not in given:
        return dict(given)
    rules = settings.rules
    return given | {"activation_target": rules.activation_target, "kill_target": rules.kill_target}


def as_then(given: dict[str, Any]) -> dict[str, Any]:
    """A change out of a log, perhaps of an earlier version: a size alone brought the targets of its time."""
    former = _FORMER_TARGETS.get(given.get("seats", 0))
    if former is None:
        return given
    return dict(zip(("activation_target", "kill_target"), former, strict=True)) | given


def _rules(old: Settings, given: dict[str, Any]) -> Settings:
    kept = {field.name: getattr(old, field.name) for field in fields(Settings)}
    if "seats" in given:
        del kept["activation_target"], kept["kill_target"]
    return settings_from(kept | given)


def _timers(old: RoomSettings, given: dict[str, Any]) -> tuple[TimerPreset, TimersView]:
    preset: TimerPreset = one_of_in(given, "preset", old.preset, get_args(TimerPreset))
    timers = PRESETS.get(preset, old.timers)
    if "timers" not in given:
        return preset, timers
    by_hand = given["timers"]
    if not isinstance(by_hand, dict) or not set(by_hand) <= set(TimersView.__struct_fields__):
        raise BadSettings("timers", f"some of {', '.join(TimersView.__struct_fields__)}", by_hand)
    for key, seconds in by_hand.items():
        if seconds is not None and (type(seconds) is not int or not MIN_SECONDS <= seconds <= MAX_SECONDS):
            raise BadSettings(
                f"timers.{key}",
                f"{MIN_SECONDS} to {MAX_SECONDS} seconds, or null",
                seconds,
            )
    by_hand_timers = struct_replace(timers, **by_hand)
    same: TimerPreset = next((name for name, usual in PRESETS.items() if usual == by_hand_timers), "custom")
    return same, by_hand_timers
