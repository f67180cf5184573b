"""What whoever runs a server may set: on the command line, by environment or in a TOML file, in this order.

Each setting is a field of `Config` and a line of `SETTINGS`; docs/run-a-server.md has the table for people.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from ipaddress import ip_network
from math import isfinite
from pathlib import Path
from typing import Annotated, Any, Final, Literal
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import FieldInfo, fields

from cinderforge.server.conn import ConnLimits
from cinderforge.server.identity import SESSION_DAYS
from cinderforge.server.lobby import MOST_ROOMS

_CONN: Final = ConnLimits()
FILE_ENV: Final = "CINDERFORGE_CONFIG"

ConnKind = Literal["picows", "starlette"]
"""Which of the two implementations of `server/conn.py` serves the sockets."""

Port = Annotated[int, Meta(ge=0, le=65535)]
Days = Annotated[int, Meta(ge=0, le=36_500)]
Count = Annotated[int, Meta(ge=1, le=1_000_000)]


class BadConfig(ValueError):
    """A setting that cannot be: which, what was expected, what was found."""


class Config(Struct, frozen=True):
    """All that may be set. `data` is the folder of the embedded database; `tempo` is for tests of whole games, `limits`
    for measurements: "off" lets everybody do as much as they like.
    """

    host: str = "127.0.0.1"
    port: Port = 8000
    data: Path = Path("data")
    public_url: str | None = None
    trusted_proxies: tuple[str, ...] = ("127.0.0.1", "::1")
    most_rooms: Count = MOST_ROOMS
    most_sockets: Count = _CONN.most_sockets
    most_sockets_per_address: Count = _CONN.most_sockets_per_address
    retention_days: Days = 365
    chat_days: Days = 30
    session_days: Days = SESSION_DAYS
    metrics_port: Port | None = None
    log_format: Literal["text", "json"] = "text"
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    conn: ConnKind = "picows"
    bot_workers: Annotated[int, Meta(ge=0, le=64)] = 1
    tempo: Annotated[float, Meta(ge=0.01, le=1000)] = 1.0
    limits: Literal["on", "off"] = "on"

    @property
    def database(self) -> Path:
        """The one file of the embedded database."""
        return self.data / "cinderforge.db"


@dataclass(frozen=True, slots=True)
class Setting:
    """How a setting is called in the environment, what it must be, and what its type cannot say of that (False, or a
    ValueError)."""

    env: str
    expected: str
    is_fit: Callable[[Any], bool] = lambda value: True


@dataclass(frozen=True, slots=True)
class Chosen:
    """The settings in force, and where each came from."""

    config: Config
    origins: Mapping[str, str]

    def as_toml(self) -> str:
        """As a file that would choose the same; what is not set stands there as a comment."""
        lines = []
        for key, origin in self.origins.items():
            value = getattr(self.config, key)
            lines.append(f"# {key} is not set" if value is None else f"{key} = {_toml(value)}  # {origin}")
        return "\n".join(lines) + "\n"


def _is_site(url: str) -> bool:
    parts = urlsplit(url)
    bare = not (parts.path.strip("/") or parts.query or parts.fragment or "@" in parts.netloc)
    return parts.scheme in ("http", "https") and bool(parts.hostname) and bare


def _are_networks(texts: tuple[str, ...]) -> bool:
    return all(ip_network(text) for text in texts)


SETTINGS: Final[Mapping[str, Setting]] = {
    "host": Setting("HOST", "an address to listen on", bool),
    "port": Setting("PORT", "a whole number from 0 to 65535"),
    "data": Setting("DATA", "a folder"),
    "public_url": Setting("CINDERFORGE_PUBLIC_URL", "an address such as https://cinderforge.example", _is_site),
    "trusted_proxies": Setting(
        "CINDERFORGE_TRUSTED_PROXIES", "addresses or networks such as 127.0.0.1, 10.0.0.0/8", _are_networks
    ),
    "most_rooms": Setting("CINDERFORGE_MOST_ROOMS", "a whole number from 1 to 1000000"),
    "most_sockets": Setting("CINDERFORGE_MOST_SOCKETS", "a whole number from 1 to 1000000"),
    "most_sockets_per_address": Setting("CINDERFORGE_MOST_SOCKETS_PER_ADDRESS", "a whole number from 1 to 1000000"),
    "retention_days": Setting("CINDERFORGE_RETENTION_DAYS", "a whole number from 0 (for ever) to 36500"),
    "chat_days": Setting("CINDERFORGE_CHAT_DAYS", "a whole number from 0 (for ever) to 36500"),
    "session_days": Setting("CINDERFORGE_SESSION_DAYS", "a whole number from 0 (for ever) to 36500"),
    "metrics_port": Setting("METRICS_PORT", "a whole number from 0 to 65535"),
    "log_format": Setting("CINDERFORGE_LOG_FORMAT", "text or json"),
    "log_level": Setting("CINDERFORGE_LOG_LEVEL", "debug, info, warning or error"),
    "conn": Setting("CINDERFORGE_CONN", "picows or starlette"),
    "bot_workers": Setting("CINDERFORGE_BOT_WORKERS", "a whole number from 0 to 64"),
    "tempo": Setting("CINDERFORGE_TEMPO", "a number from 0.01 to 1000", isfinite),
    "limits": Setting("CINDERFORGE_LIMITS", "on or off"),
}


def choose(
    env: Mapping[str, str] = os.environ, file: Path | None = None, given: Mapping[str, object] | None = None
) -> Chosen:
    """The settings in force. `given` comes from the command line, `file` too; CINDERFORGE_CONFIG names one, else.

    Raises BadConfig for the first setting that cannot be.
    """
    file = file or (Path(env[FILE_ENV]) if env.get(FILE_ENV) else None)
    written = _read(file) if file else {}
    given = given or {}
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    for field in fields(Config):
        key, setting = field.name, SETTINGS[field.name]
        if given.get(key) is not None:
            origins[key] = f"--{key.replace('_', '-')}"
            values[key] = _fit(field, setting, origins[key], given[key])
        elif env.get(setting.env):
            origins[key] = setting.env
            values[key] = _fit(field, setting, setting.env, env[setting.env], is_text=True)
        elif key in written:
            origins[key] = str(file)
            values[key] = _fit(field, setting, f"{file}: {key}", written[key])
        else:
            origins[key] = "default"
    return Chosen(Config(**values), origins)


def _read(file: Path) -> dict[str, Any]:
    try:
        written = tomllib.loads(file.read_text("utf-8"))
    except OSError as error:
        raise BadConfig(f"{file}: expected a file of settings, found: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadConfig(f"{file}: expected TOML, found: {error}") from None
    for key in written:
        if key not in SETTINGS:
            raise BadConfig(f"{file}: expected one of {', '.join(SETTINGS)}, found {key!r}")
    return written


def _fit(field: FieldInfo, setting: Setting, where: str, found: object, *, is_text: bool = False) -> Any:
    """A value of the setting's type. Text from the environment is read as what it stands for."""
    value = _unfolded(field, str(found)) if is_text else found
    try:
        fit = msgspec.convert(value, field.type, strict=not is_text, dec_hook=_decode)
        if fit is not None and setting.is_fit(fit):
            return fit
    except (msgspec.ValidationError, ValueError):
        pass
    raise BadConfig(f"{where}: expected {setting.expected}, found {found!r}") from None


def _unfolded(field: FieldInfo, text: str) -> object:
    return [part.strip() for part in text.split(",")] if isinstance(field.default, tuple) else text.strip()


def _decode(kind: type, value: object) -> object:
    if kind is Path and isinstance(value, str | Path) and str(value):
        return Path(value)
    raise ValueError(value)


def _toml(value: object) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return "".join(_escaped(str(value))) if isinstance(value, str | Path) else str(value)


def _escaped(text: str) -> Iterator[str]:
    """A basic string of TOML."""
    yield '"'
    for letter in text:
        is_plain = letter.isprintable() and letter not in '"\\'
        yield letter if is_plain else f"\\U{ord(letter):08x}"
    yield '"'
