"""--seats and --set of the commands that play games."""

from __future__ import annotations

from typing import Any

from cinderforge.cli.problem import Problem
from cinderforge.rules.settings import BadSettings, Settings, settings_from


def settings_of(seats: int, given: list[str]) -> Settings:
    """Settings from --seats and --set. Raises Problem."""
    values: dict[str, Any] = {"seats": seats}
    for pair in given:
        key, equals, text = pair.partition("=")
        if not equals:
            raise Problem(f"--set: expected KEY=VALUE, found {pair!r}")
        values[key] = _value(text)
    try:
        return settings_from(values)
    except BadSettings as bad:
        raise Problem(f"--set {bad}" if bad.key != "seats" else f"--{bad}") from None


def _value(text: str) -> object:
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.lstrip("-").isdigit() else text
