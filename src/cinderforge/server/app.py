"""The HTTP half: sessions, making and finding rooms, records; the built client is in `server/client.py`."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cache
from typing import Final

import msgspec
from msgspec import Struct
from starlette.applications import Starlette
from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from cinderforge.bots.measured import settings_measured
from cinderforge.redaction.view import rules_view
from cinderforge.room.inputs import SessionKey
from cinderforge.room.picture import measured_views
from cinderforge.room.refused import RoomRefused
from cinderforge.room.room import Room
from cinderforge.room.telling import stage_seen
from cinderforge.rules.settings import default_settings
from cinderforge.server import client, metrics
from cinderforge.server.clock import Clock
from cinderforge.server.health import Health
from cinderforge.server.identity import (
    COOKIE,
    MOST_COOKIE_DAYS,
    SESSION_DAYS,
    Tickets,
    begin_session,
    digest_of,
    is_same_site,
    session_of,
)
from cinderforge.server.limits import Limits, TooOften
from cinderforge.server.lobby import Draining, Lobby, TooManyRooms, code_from
from cinderforge.server.proxies import line_of
from cinderforge.server.replays import EVERYBODY, MOST_RECORD_BYTES, NoReplay, pictures_of
from cinderforge.server.room_task import RoomTask, game_id
from cinderforge.server.store import Record, Store, StoreFailed
from cinderforge.wire.requests import (
    ApiRefused,
    Balance,
    MeasuredRules,
    NewRoom,
    PublicRooms,
    RoomMade,
    RoomSummary,
    Ticket,
)

MOST_BODY_BYTES: Final = 4096
MOST_LISTED: Final = 100
DAY_S: Final = 86_400

HEADERS: Final = {
    "content-security-policy": (
        "default-src 'self'; img-src 'self' data:; style-src 'self'; script-src 'self'; connect-src 'self' ws: wss:; "
        "frame-ancestors 'none'; base-uri 'none'; form-action 'self'; object-src 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
}
HTTPS_HEADERS: Final = {"cross-origin-opener-policy": "same-origin"}
"""Browsers ignore these on plain http, and complain."""


class GameNumber(IntegerConvertor):
    """Of a game in its room. With more digits Python would make no number of it."""

    regex = "[0-9]{1,6}"


register_url_convertor("game", GameNumber())


class SeatCount(IntegerConvertor):
    """Of players at a table."""

    regex = "[0-9]{1,2}"


register_url_convertor("seats", SeatCount())


@dataclass(frozen=True, slots=True)
class House:
    """What the HTTP half works with."""

    lobby: Lobby
    store: Store
    clock: Clock
    tickets: Tickets
    limits: Limits
    health: Health
    public_url: str | None = None
    session_days: int = SESSION_DAYS
    """How long a session is kept that nobody shows a cookie of; 0 is for ever."""


def build_app(house: House) -> Starlette:
    """The application. Sockets are let in by `server/socket.py`, on the same port."""
    app = Starlette(
        routes=[
            Route("/healthz", house.health.live),
            Route("/readyz", house.health.ready),
            Route("/api/session", _session, methods=["POST"]),
            Route("/api/session", _end_session, methods=["DELETE"]),
            Route("/api/rooms", _public_rooms, methods=["GET"]),
            Route("/api/rooms", _make_room, methods=["POST"]),
            Route("/api/rooms/{code}/ticket", _ticket, methods=["POST"]),
            Route("/api/rooms/{code}", _room),
            Route("/api/rooms/{code}/games/{game:game}/record", _record),
            Route("/api/rooms/{code}/games/{game:game}/replay", _replay),
            Route("/api/replay", _replay_file, methods=["POST"]),
            Route("/api/balance/{seats:seats}", _balance),
            Route("/api/{path:path}", _no_such, methods=["GET", "POST", "PUT", "DELETE", "PATCH"]),
            client.route(house.public_url),
        ],
        middleware=[Middleware(BaseHTTPMiddleware, dispatch=_guarded)],
        exception_handlers={StoreFailed: _store_failed, TooOften: _too_often, Draining: _draining},
    )
    app.state.house = house
    return app


def _house(request: Request) -> House:
    house: House = request.app.state.house
    return house


def _is_https(request: Request) -> bool:
    """Whether the browser came by https, to us or to a trusted proxy before us."""
    return request.url.scheme == "https"


def _json(body: Struct, status: int = 200) -> Response:
    if isinstance(body, ApiRefused):
        metrics.refused(body.code)
    return Response(msgspec.json.encode(body), status, media_type="application/json")


async def _guarded(request: Request, call_next: Callable[[Request], Awaitable[Response]]) -> Response:
    """Other sites' pages may ask for nothing that changes anything; every answer carries the same headers."""
    house, is_api = _house(request), request.url.path.startswith("/api/")
    try:
        if not _is_ours(request, is_api):  # first: what another page asks for uses nothing up
            response = _json(ApiRefused("not_yours", "from another site"), 403)
        else:
            if is_api:
                house.limits.question(_address(request))
            response = await call_next(request)
    except TooOften as error:
        response = await _too_often(request, error)
    response.headers.update(HEADERS | HTTPS_HEADERS if _is_https(request) else HEADERS)
    if is_api:
        response.headers["cache-control"] = "no-store"  # it is for one session, or for one moment
    return response


def _is_ours(request: Request, is_api: bool) -> bool:
    """Whether no other site's page asks for this; to follow a link from there is allowed."""
    headers = request.headers
    if request.method != "GET" or (is_api and "origin" in headers):
        return is_same_site(headers.get("origin"), headers.get("host"), _house(request).public_url)
    is_foreign = headers.get("sec-fetch-site") == "cross-site" and headers.get("sec-fetch-mode") != "navigate"
    return not (is_api and is_foreign)


async def _session(request: Request) -> Response:
    """A session for this browser, unless it has one."""
    house = _house(request)
    response = Response(status_code=204)
    if await _known(request) is None:
        house.limits.new_session(_address(request))
        _give_cookie(request, response, await begin_session(house.store, house.clock.now()))
    return response


def _give_cookie(request: Request, response: Response, token: str) -> None:
    """A new session's cookie, or the same again: it ends so long after it was last shown."""
    response.set_cookie(
        COOKIE,
        token,
        max_age=(min(_house(request).session_days, MOST_COOKIE_DAYS) or MOST_COOKIE_DAYS) * DAY_S,
        httponly=True,
        samesite="lax",
        secure=_is_https(request),
        path="/",
    )


async def _end_session(request: Request) -> Response:
    """Takes the session back: its cookie opens nothing any more, in whatever hands it is."""
    if token := request.cookies.get(COOKIE):
        await _house(request).store.drop_session(digest_of(token))
    response = Response(status_code=204)
    response.delete_cookie(COOKIE, path="/")
    return response


async def _ticket(request: Request) -> Response:
    """For the next socket of this session into a room."""
    house, session = _house(request), await _known(request)
    if session is None:
        return _json(ApiRefused("unauthorised"), 401)
    house.limits.new_ticket(session)
    task = await _look_for(request)
    if task is None:
        return _json(ApiRefused("unknown_room"), 404)
    response = _json(Ticket(house.tickets.issue(session, task.room.code)), 201)
    _give_cookie(request, response, request.cookies[COOKIE])
    return response


async def _make_room(request: Request) -> Response:
    session = await _known(request)
    if session is None:
        return _json(ApiRefused("unauthorised"), 401)
    _house(request).limits.new_room(session, _address(request))
    try:
        wanted = msgspec.json.decode(await _body(request), type=NewRoom)
        task = await _house(request).lobby.create(session, wanted.name)
    except msgspec.DecodeError as error:
        return _json(ApiRefused("malformed", str(error)), 400)
    except RoomRefused as refused:
        return _json(ApiRefused(refused.code, refused.detail), 400)
    except TooManyRooms:
        return _json(ApiRefused("server_full"), 503)
    return _json(RoomMade(task.room.code), 201)


async def _public_rooms(request: Request) -> Response:
    """The rooms that anybody may come to, those first that wait for players."""
    now = _house(request).clock.now()
    rooms = [task.room for task in _house(request).lobby.rooms() if task.room.settings.public]
    rooms.sort(key=lambda room: (room.stage != "waiting", room.code))
    return _json(PublicRooms([_summary(room, now) for room in rooms[:MOST_LISTED]]))


async def _room(request: Request) -> Response:
    task = await _look_for(request)
    if task is None:
        return _json(ApiRefused("unknown_room"), 404)
    return _json(_summary(task.room, _house(request).clock.now()))


async def _look_for(request: Request) -> RoomTask | None:
    """The room of the code in the address; wrong codes are counted. Raises TooOften."""
    house, address = _house(request), _address(request)
    house.limits.may_look(address)
    code = code_from(request.path_params["code"])
    if task := house.lobby.open_room(code):
        return task
    house.limits.missed(address)
    try:
        task = await house.lobby.find(code)
    except (Draining, StoreFailed):
        house.limits.was_right(address)  # for all we know
        raise
    if task is not None:
        house.limits.was_right(address)
    return task


async def _balance(request: Request) -> Response:
    """What was measured of the rules at one size of table."""
    found = _balance_of(request.path_params["seats"])
    return Response(found, media_type="application/json") if found else _json(ApiRefused("unknown"), 404)


@cache
def _balance_of(seats: int) -> bytes:
    """As it is sent, made once: it takes some ten milliseconds. Empty if nothing was measured."""
    found = [rules for rules in settings_measured() if rules.seats == seats]
    usual = default_settings(seats) if found else None
    measured = [MeasuredRules(rules_view(one), one == usual, measured_views(one)) for one in found]
    return msgspec.json.encode(Balance(measured)) if measured else b""


def _summary(room: Room, now: int) -> RoomSummary:
    count = room.settings.rules.seats
    host = room.seats.members.get(room.seats.host) if room.seats.host is not None else None
    return RoomSummary(
        code=room.code,
        host=host.name if host else "",
        taken=count - len(room.seats.free(count)),
        seats=count,
        stage=stage_seen(room, None, now),  # a stranger is told no more than who watches
        preset=room.settings.preset,
        watchers=sum(room.attendance.has(member) for member in room.seats.watching()),
        spectators=room.settings.spectators,
    )


def _address(request: Request) -> str:
    """Where a request comes from, for limits; uvicorn has put in what a trusted proxy says."""
    return line_of(request.client.host) if request.client else ""


async def _record(request: Request) -> Response:
    """The record of a finished game, for those who were in the room."""
    found = await _recorded(request)
    if isinstance(found, ApiRefused):
        return _json(found, 404)
    code, game = code_from(request.path_params["code"]), request.path_params["game"]
    name = f'attachment; filename="cinderforge-{code}-{game}.cinder.jsonl"'
    return Response(
        found.body.rstrip(b"\n") + b"\n", media_type="application/x-ndjson", headers={"content-disposition": name}
    )


async def _replay(request: Request) -> Response:
    """The pictures of a finished game, for those who may have its record."""
    _house(request).limits.new_replay(_address(request))
    found = await _recorded(request)
    return _json(found, 404) if isinstance(found, ApiRefused) else await _pictures(request, found.body)


async def _replay_file(request: Request) -> Response:
    """The pictures of the game in a file, which is looked at and forgotten."""
    _house(request).limits.new_replay(_address(request))
    return await _pictures(request, await _body(request, MOST_RECORD_BYTES))


async def _recorded(request: Request) -> Record | ApiRefused:
    """The record that the address names, if whoever asks was in the room and the game is over."""
    house, session = _house(request), await _known(request)
    task = await _look_for(request)
    member = task and session and task.room.seats.of_session(session)
    if not task or not member:
        return ApiRefused("unknown_room")
    code, game = code_from(request.path_params["code"]), request.path_params["game"]
    if game == task.room.games and stage_seen(task.room, member, house.clock.now()) == "game":
        return ApiRefused("not_over")  # nor is it for who watches late
    return await house.store.get_record(game_id(code, game)) or ApiRefused("not_over")


async def _pictures(request: Request, record: bytes) -> Response:
    """Made beside the loop: a game of ten takes as long as a hundred moves do."""
    try:
        pictures = await asyncio.to_thread(pictures_of, record, request.query_params.get("eye", EVERYBODY))
    except NoReplay as refused:
        return _json(ApiRefused(refused.code, refused.detail), 400)
    response = Response(pictures, media_type="application/json")
    if "gzip" in request.headers.get("accept-encoding", ""):
        response = Response(gzip.compress(pictures, 6), media_type="application/json")
        response.headers["content-encoding"] = "gzip"
    response.headers["vary"] = "accept-encoding"
    return response


async def _no_such(request: Request) -> Response:
    return _json(ApiRefused("unknown"), 404)


async def _store_failed(request: Request, error: Exception) -> Response:
    return _json(ApiRefused("internal"), 503)


async def _too_often(request: Request, error: Exception) -> Response:
    assert isinstance(error, TooOften)
    seconds = str(error.seconds)
    response = _json(ApiRefused("too_many_tries", seconds), 429)
    response.headers["retry-after"] = seconds
    return response


async def _draining(request: Request, error: Exception) -> Response:
    return _json(ApiRefused("draining"), 503)


async def _known(request: Request) -> SessionKey | None:
    """Whose cookie came with the request."""
    house = _house(request)
    return await session_of(house.store, request.cookies.get(COOKIE), house.clock.now())


async def _body(request: Request, most: int = MOST_BODY_BYTES) -> bytes:
    body = b""
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > most:
                raise HTTPException(413)
    except ClientDisconnect:
        raise HTTPException(400) from None  # nobody is there to hear it
    return body
