"""Whether this server lives, and whether to send it people: for whoever watches over it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from cinderforge.server.metrics import LoopLag
from cinderforge.server.store import Store

MOST_LAG_S: Final = 1.0


class Health:
    """/healthz says no when only a restart helps; /readyz also while the server stops. Both say hardly more."""

    def __init__(self, store: Store, lag: LoopLag, is_draining: Callable[[], bool]) -> None:
        self._store, self._lag, self._is_draining = store, lag, is_draining

    async def live(self, request: Request) -> Response:
        return _answer(self._illness())

    async def ready(self, request: Request) -> Response:
        return _answer("draining" if self._is_draining() else self._illness())

    def _illness(self) -> str | None:
        if self._store.broken is not None:
            return "store broken"
        return "slow" if self._lag.worst > MOST_LAG_S else None


def _answer(illness: str | None) -> Response:
    return PlainTextResponse(f"{illness or 'ok'}\n", 503 if illness else 200, {"cache-control": "no-store"})
