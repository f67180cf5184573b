"""Who somebody is: an opaque session in an HttpOnly cookie, kept by its hash. Seats belong to it, never to a name."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from contextlib import suppress
from hashlib import sha256
from typing import Final
from urllib.parse import urlsplit

from cinderforge.room.inputs import SessionKey
from cinderforge.server.clock import Clock
from cinderforge.server.store import Store, StoreFailed

COOKIE: Final = "cf_session"
TICKET_MS: Final = 30_000
"""How long a ticket is good for."""
MOST_TICKETS: Final = 50_000
SESSION_DAYS: Final = 180
"""How long a session is kept that nobody shows a cookie of, unless whoever runs the server says otherwise."""
MOST_COOKIE_DAYS: Final = 400
"""Browsers keep no cookie for longer."""
SEEN_EVERY_MS: Final = 86_400_000
"""How exactly it is known when a session was seen: a write for each request would be too much."""
_TOKEN_BYTES: Final = 24
_MOST_TOKEN_CHARS: Final = 64


class Tickets:
    """Each lets one socket of a session into one room, once and soon: a cookie alone opens none."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._good: OrderedDict[bytes, tuple[SessionKey, str, int]] = OrderedDict()

    def issue(self, session: SessionKey, room: str) -> str:
        """A new ticket. The oldest ones make room for it."""
        now = self._clock.now()
        while self._good and (len(self._good) >= MOST_TICKETS or next(iter(self._good.values()))[2] < now):
            self._good.popitem(last=False)
        ticket = secrets.token_urlsafe(_TOKEN_BYTES)
        self._good[digest_of(ticket)] = (session, room, now + TICKET_MS)
        return ticket

    def redeem(self, ticket: str, session: SessionKey, room: str) -> bool:
        """Whether the ticket is good for this; it is not a second time."""
        if len(ticket) > _MOST_TOKEN_CHARS:
            return False
        whose, where, until = self._good.pop(digest_of(ticket), (None, None, 0))
        return (whose, where) == (session, room) and self._clock.now() <= until


def digest_of(token: str) -> bytes:
    """What is kept of a token: its SHA-256."""
    return sha256(token.encode("utf-8", "surrogatepass")).digest()


async def begin_session(store: Store, now: int) -> str:
    """A new session's token; only its hash is kept."""
    token = secrets.token_urlsafe(_TOKEN_BYTES)
    await store.put_session(digest_of(token), b"{}", now)
    return token


async def session_of(store: Store, token: str | None, now: int | None = None) -> SessionKey | None:
    """The session a cookie belongs to, if there is one. `now`: note that it was shown; a full disk shuts nobody out."""
    if not token or len(token) > _MOST_TOKEN_CHARS:
        return None
    digest = digest_of(token)
    session = await store.get_session(digest)
    if session is None:
        return None
    if now is not None and now - session.seen_at >= SEEN_EVERY_MS:
        with suppress(StoreFailed):
            await store.touch_session(digest, now)
    return SessionKey(digest.hex())


def is_same_site(origin: str | None, host: str | None, public_url: str | None = None) -> bool:
    """Whether a request comes from our own pages: browsers always name their origin on POST and on sockets.

    Programs that are no browser send none, and have no cookies that a page could abuse. `public_url` is where our
    pages are when a proxy gives us another host than browsers see.
    """
    if origin is None or (public_url is not None and origin == public_url.rstrip("/")):
        return True
    try:
        return host is not None and urlsplit(origin).netloc == host
    except ValueError:  # no address that a page could have
        return False
