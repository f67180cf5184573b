"""What makes a command impossible, in one line for whoever gave it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path


class Problem(Exception):
    """Printed as it is; the exit status is 2."""


def lines_of(file: str) -> Iterator[tuple[int, str]]:
    """The lines of a text file that hold something, with their numbers. Raises Problem."""
    try:
        with Path(file).open("rb") as opened:
            for number, line in enumerate(opened, 1):
                if line.strip():
                    yield number, line.decode("utf-8").strip()
    except OSError as error:
        raise Problem(f"{file}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise Problem(f"{file}:{number}: expected text in UTF-8, found {error.reason}") from None
