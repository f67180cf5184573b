"""The built web client, as files: what is compressed, what is kept for ever, and the page that any other address is."""

from __future__ import annotations

import html
import mimetypes
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

CLIENT: Final = Path(__file__).parent.parent / "_web"
SHARED_PICTURE: Final = "/share.jpg"
NO_CLIENT: Final = "The web client is not built. `make setup` builds it; see README.md.\n"


def route(public_url: str | None) -> BaseRoute:
    """What answers for all that is no other route: the client, or, where it is not built, what builds it."""
    if (CLIENT / "index.html").exists():
        return Mount("/", Client(public_url))
    return Route("/{path:path}", _no_client)


async def _no_client(request: Request) -> Response:
    return PlainTextResponse(NO_CLIENT, 503)


class Client(StaticFiles):
    """The built client: the compressed twin where a browser takes one; hashed names for ever, the rest revalidated.

    Any other address is a page of the client's own. Who shows a link to it takes only a whole address for its picture.
    """

    def __init__(self, public_url: str | None) -> None:
        super().__init__(directory=CLIENT, html=True)
        self._page: str | None = None
        if public_url is not None:
            whole = html.escape(public_url.rstrip("/") + SHARED_PICTURE)
            self._page = (CLIENT / "index.html").read_text("utf-8").replace(f'"{SHARED_PICTURE}"', f'"{whole}"')

    async def get_response(self, path: str, scope: MutableMapping[str, Any]) -> Response:
        name = "index.html" if path in ("", ".", "/") else path
        if not self._is_there(name):
            if "." in name.rsplit("/", 1)[-1]:
                raise HTTPException(404)
            name = "index.html"
        if name == "index.html" and self._page is not None:
            return HTMLResponse(self._page, headers={"cache-control": "no-cache"})
        response = await self._compressed(name, scope) or await super().get_response(name, scope)
        response.headers["vary"] = "accept-encoding"
        for_ever = name.startswith("assets/")
        response.headers["cache-control"] = "public, max-age=31536000, immutable" if for_ever else "no-cache"
        return response

    def _is_there(self, name: str) -> bool:
        try:
            return self.lookup_path(name)[1] is not None
        except (OSError, ValueError):  # too long, or with a NUL in it
            return False

    async def _compressed(self, name: str, scope: MutableMapping[str, Any]) -> Response | None:
        accepted = dict(scope["headers"]).get(b"accept-encoding", b"").decode("latin-1")
        for encoding, ending in (("br", ".br"), ("gzip", ".gz")):
            if encoding not in accepted or not self._is_there(name + ending):
                continue
            response = await super().get_response(name + ending, scope)
            kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
            text = kind.startswith("text/") or kind.endswith(("javascript", "json", "svg+xml"))
            response.headers["content-type"] = kind + ("; charset=utf-8" if text else "")
            if response.status_code == 200:
                response.headers["content-encoding"] = encoding
            return response
        return None
