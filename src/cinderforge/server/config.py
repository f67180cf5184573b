"""What whoever runs a server may set, by environment; `cinderforge serve` may override the first three."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Literal, cast, get_args

from msgspec import Struct
from msgspec.structs import replace

MOST_PORT: Final = 65535

ConnKind = Literal["picows", "starlette"]
"""Which of the two implementations of `server/conn.py` serves the sockets."""


LimitsKind = Literal["on", "off"]


class BadConfig(ValueError):
    """A setting that cannot be: which, what was expected, what was found."""


class Config(Struct, frozen=True):
    """`host` and `port` to listen on, `data` the folder of the embedded database.

    `conn` chooses the socket implementation, `tempo` how many seconds pass in one (for tests of whole games), `limits`
    "off" lets one address do as much as it likes (for measurements).
    """

    host: str = "127.0.0.1"
    port: int = 8000
    data: Path = Path("data")
    conn: ConnKind = "picows"
    tempo: float = 1.0
    limits: LimitsKind = "on"


def config_from(env: Mapping[str, str] = os.environ) -> Config:
    """The settings of an environment: HOST, PORT, DATA, CINDERFORGE_CONN, CINDERFORGE_TEMPO, CINDERFORGE_LIMITS.

    Raises BadConfig.
    """
    conn = env.get("CINDERFORGE_CONN", "picows")
    if conn not in get_args(ConnKind):
        raise BadConfig(f"CINDERFORGE_CONN: expected {' or '.join(get_args(ConnKind))}, found {conn!r}")
    limits = env.get("CINDERFORGE_LIMITS", "on")
    if limits not in get_args(LimitsKind):
        raise BadConfig(f"CINDERFORGE_LIMITS: expected {' or '.join(get_args(LimitsKind))}, found {limits!r}")
    tempo = _number(env, "CINDERFORGE_TEMPO", 1.0, 0.01, 1000)
    return Config(
        host=env.get("HOST") or "127.0.0.1",
        port=int(_number(env, "PORT", 8000, 0, MOST_PORT)),
        data=Path(env.get("DATA") or "data"),
        conn=cast(ConnKind, conn),
        tempo=tempo,
        limits=cast(LimitsKind, limits),
    )


def config_with(config: Config, given: Mapping[str, Any]) -> Config:
    """The settings with those given by hand. Raises BadConfig for a port that there cannot be."""
    changed = replace(config, **given)
    if not 0 <= changed.port <= MOST_PORT:
        raise BadConfig(f"port: expected a number from 0 to {MOST_PORT}, found {changed.port}")
    return changed


def _number(env: Mapping[str, str], key: str, default: float, least: float, most: float) -> float:
    text = env.get(key, "")
    try:
        value = float(text) if text else default
    except ValueError:
        value = float("nan")
    if not least <= value <= most:
        raise BadConfig(f"{key}: expected a number from {least:g} to {most:g}, found {text!r}")
    return value
