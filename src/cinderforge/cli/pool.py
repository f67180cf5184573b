"""Many processes for one command, which end with it and leave Ctrl-C to it."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager


@contextmanager
def pool_of(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """What has not begun is dropped where the command is broken off."""
    pool = ProcessPoolExecutor(jobs, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN))
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)
