"""What the server says about itself, as JSON lines or readable text. Nothing of a game gets into it.

Modules log through the standard library; here their words are put into form. Built from nothing, as a view is: a line
holds its event, the keys of `KEYS` and, for a fault, where it happened. What an exception says is left out unless we
know that it quotes nobody; of other people's loggers only the sentence stays, without what was to be put in.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import sqlite3
import threading
import traceback
from collections.abc import Iterator, MutableMapping
from hashlib import blake2s
from pathlib import PurePath
from typing import Any, Final, Literal

import msgspec
import structlog
from structlog.stdlib import ExtraAdder, ProcessorFormatter

from cinderforge.server.store import StoreFailed

LogFormat = Literal["text", "json"]
LogLevel = Literal["debug", "info", "warning", "error"]
Line = MutableMapping[str, Any]

KEYS: Final = ("room", "cause", "code", "rooms", "records", "sessions", "seconds", "conn", "version")
"""What a line may hold besides its sentence. Add a key only if no value of it can tell anything of a game."""

OURS: Final = "cinderforge"
TALKATIVE: Final = (StoreFailed, sqlite3.Error, OSError)
"""Exceptions whose words are about disks and sockets, never about what was said at a table."""

_KEY: Final = secrets.token_bytes(16)
LOG: Final = logging.getLogger(__name__)


def room_tag(code: str) -> str:
    """The name of a room in logs: short, the same while this process lives, and of no use to whoever wants in."""
    return blake2s(code.encode(), digest_size=4, key=_KEY).hexdigest()


def name_room(code: str) -> None:
    """From here on, what this task logs is about that room."""
    structlog.contextvars.bind_contextvars(room=room_tag(code))


def set_up_logs(level: LogLevel, form: LogFormat) -> None:
    """All loggers of this process write to stderr. Other people's are heard from warnings upwards, whatever `level`."""
    handler = logging.StreamHandler()
    handler.setFormatter(formatter(form))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    logging.getLogger(OURS).setLevel(level.upper())


def watch_loop(loop: asyncio.AbstractEventLoop) -> None:
    """What fails in a callback or a thread is logged by us: asyncio would write out what was handed to the callback."""
    threading.excepthook = _thread_failed
    loop.set_exception_handler(_callback_failed)


def formatter(form: LogFormat) -> ProcessorFormatter:
    """A line for each event: `text` for people, `json` for programs."""
    return ProcessorFormatter(
        use_get_message=False,
        pass_foreign_args=True,
        foreign_pre_chain=[
            _in_words,
            structlog.contextvars.merge_contextvars,
            ExtraAdder(allow=KEYS),
            structlog.processors.TimeStamper("iso", utc=True, key="at"),
            _fault,
        ],
        processors=[_in_order, _as_json if form == "json" else _as_text],
    )


def _in_words(_: Any, __: str, line: Line) -> Line:
    args, record = line.pop("positional_args"), line["_record"]
    if record.name.partition(".")[0] != OURS:
        line["event"] = line["event"].partition("\n")[0]
    elif args:
        line["event"] %= args
    return line


def _fault(_: Any, __: str, line: Line) -> Line:
    _, error, _ = line.pop("exc_info", None) or (None, None, None)
    if error is not None:
        line["fault"] = list(_chain(error))
    return line


def _chain(error: BaseException) -> Iterator[dict[str, Any]]:
    """An exception and what it followed from, the first one first: of what kind, and where."""
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if before is not None:
        yield from _chain(before)
    kind = type(error).__name__
    what = f"{kind}: {error}" if isinstance(error, TALKATIVE) else kind
    frames = traceback.extract_tb(error.__traceback__)
    yield {"what": what, "where": [f"{_short(one.filename)}:{one.lineno} {one.name}" for one in frames]}


def _short(file: str) -> str:
    return "/".join(PurePath(file).parts[-3:])


def _in_order(_: Any, __: str, line: Line) -> Line:
    record = line["_record"]
    head = {"at": line["at"], "level": record.levelname.lower(), "logger": record.name, "event": line["event"]}
    known = {key: _plain(line[key]) for key in KEYS if key in line}
    return head | known | ({"fault": line["fault"]} if "fault" in line else {})


def _as_json(_: Any, __: str, line: Line) -> str:
    return msgspec.json.encode(line).decode()


def _plain(value: object) -> object:
    """Of a value that nobody has thought of: its kind, not what is in it."""
    return value if isinstance(value, str | int | float) else f"<{type(value).__name__}>"


def _as_text(_: Any, __: str, line: Line) -> str:
    text = f"{line['at']} {line['level'].upper():7} {line['logger']}: {line['event']}"
    text += "".join(f" {key}={line[key]}" for key in KEYS if key in line)
    for one in line.get("fault", ()):
        text += "".join(f"\n    {said}" for said in (one["what"], *(f"  {where}" for where in one["where"])))
    return text


def _callback_failed(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    error = context.get("exception")
    LOG.error("something failed that nobody waited for", exc_info=_exc_info(error))


def _thread_failed(args: threading.ExceptHookArgs) -> None:
    LOG.critical("a thread failed", exc_info=_exc_info(args.exc_value))


def _exc_info(error: BaseException | None) -> Any:
    return None if error is None else (type(error), error, error.__traceback__)
