"""Who somebody is: an opaque session in an HttpOnly cookie, kept by its hash. Seats belong to it, never to a name."""

from __future__ import annotations

import secrets
from hashlib import sha256
from typing import Final
from urllib.parse import urlsplit

from cinderforge.room.inputs import SessionKey
from cinderforge.server.store import Store

COOKIE: Final = "cf_session"
COOKIE_DAYS: Final = 180
_TOKEN_BYTES: Final = 24
_MOST_TOKEN_CHARS: Final = 64


def digest_of(token: str) -> bytes:
    return sha256(token.encode("utf-8", "surrogatepass")).digest()


async def begin_session(store: Store, now: int) -> str:
    """A new session's token; only its hash is kept."""
    token = secrets.token_urlsafe(_TOKEN_BYTES)
    await store.put_session(digest_of(token), b"{}", now)
    return token


async def session_of(store: Store, token: str | None) -> SessionKey | None:
    """The session a cookie belongs to, if there is one."""
    if not token or len(token) > _MOST_TOKEN_CHARS:
        return None
    digest = digest_of(token)
    return SessionKey(digest.hex()) if await store.get_session(digest) else None


def is_same_site(origin: str | None, host: str | None) -> bool:
    """Whether a request comes from our own pages: browsers always name their origin on POST and on sockets.

    Programs that are no browser send none, and have no cookies that a page could abuse.
    """
    return origin is None or (host is not None and urlsplit(origin).netloc == host)
