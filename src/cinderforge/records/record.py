"""The record of a game: written from its chronicle, read with clear errors, replayed through the rules.

A record keeps what it was read from: fields that this version does not know are written back as they were.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, Literal, TypeGuard

from cinderforge.rules.events import (
    BallotCast,
    CardPlayed,
    CardsResolved,
    CrystalPassed,
    Event,
    FirstHolderFound,
    GameEnded,
    PassedOver,
    RoundBegan,
    ScrollSettled,
    Skipped,
    Tally,
)
from cinderforge.rules.game import Deal
from cinderforge.rules.scrolls import CATALOG, CATALOGS
from cinderforge.rules.settings import RULES_VERSION, BadSettings, Settings, settings_from
from cinderforge.rules.words import Card, Faction, How, Reason, Role, ScrollId, Seat

FORMAT: Final = "cinderforge-record/1"
Kind = Literal["person", "ai"]
_HEX: Final = re.compile("(?:[0-9a-f]{2})*")
_MAJOR: Final = re.compile("[0-9]{1,9}")
MOVE_KINDS: Final = ("vote", "first", "pass", "scroll", "play", "skip", "empty", "resolve")


class BadRecord(ValueError):
    """A line that is no record: which file and line, what was expected, what was found."""

    def __init__(self, expected: str, found: object, file: str = "", line: int = 0) -> None:
        self.expected, self.found, self.file, self.line = expected, found, file, line
        where = f"{file}:{line}: " if file else ""
        super().__init__(f"{where}expected {expected}, found {_short(found)}")


@dataclass(frozen=True, slots=True)
class Fairness:
    """What makes a deal verifiable (R3.4)."""

    commitment: bytes
    secret: bytes
    contributions: tuple[bytes, ...]
    seed: bytes


@dataclass(frozen=True, slots=True)
class Player:
    """Who played, by turn order: index 0 has turn 1."""

    seat: Seat
    name: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended."""

    winner: Faction
    reason: Reason
    rounds: int


@dataclass(frozen=True, slots=True)
class Record:
    """One game. `raw` is the whole of it as plain values, in the order in which it is written."""

    raw: dict[str, Any]
    rules: int
    settings: Settings
    fairness: Fairness
    players: tuple[Player, ...]
    deal: Deal
    moves: tuple[tuple[Any, ...], ...]
    result: Result


def record_of(
    settings: Settings, deal: Deal, events: Iterable[Event], fairness: Fairness, players: Sequence[Player]
) -> Record:
    """The record of a game that has ended."""
    events = list(events)
    raw = {
        "format": FORMAT,
        "settings": _settings_raw(settings),
        "rules": RULES_VERSION,
        "fairness": {
            "commitment": fairness.commitment.hex(),
            "secret": fairness.secret.hex(),
            "contributions": [one.hex() for one in fairness.contributions],
            "seed": fairness.seed.hex(),
        },
        "players": [
            {"turn": turn, "seat": player.seat, "name": player.name, "kind": player.kind}
            for turn, player in enumerate(players, 1)
        ],
        "deal": {
            "roles": [role.value for role in deal.roles],
            "hands": [[card.value for card in hand] for hand in deal.hands],
            "scrolls": list(deal.scrolls),
        },
        "moves": moves_of(events),
        "result": _result_raw(events),
    }
    record = from_plain(raw)
    return from_plain(raw | {"digest": digest_of(record)})


def digest_of(record: Record) -> str:
    """SHA-256, as hex, over all that this version knows of a record. It tells of any change made without remaking it.

    Votes and choices are no draws, so the secret alone could not tell that one was altered to another legal one.
    """
    known = [
        record.rules,
        _settings_raw(record.settings),
        [record.fairness.commitment.hex(), record.fairness.secret.hex(), record.fairness.seed.hex()],
        [one.hex() for one in record.fairness.contributions],
        [[player.seat, player.name, player.kind] for player in record.players],
        [record.deal.roles, record.deal.hands, record.deal.scrolls],
        record.moves,
        [record.result.winner, record.result.reason, record.result.rounds],
    ]
    return sha256(json.dumps(known, ensure_ascii=False).encode("utf-8", "surrogatepass")).hexdigest()


def write(record: Record) -> str:
    """The record as its one line, without the line's end."""
    return json.dumps(record.raw, ensure_ascii=False)


def read(line: str, file: str = "", number: int = 0) -> Record:
    """The record that a line holds. Raises BadRecord."""
    try:
        raw = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadRecord("a game as a JSON object", str(error), file, number) from None
    try:
        return from_plain(raw)
    except BadRecord as bad:
        raise BadRecord(bad.expected, bad.found, file, number) from None


def from_plain(raw: Any) -> Record:
    """The record that plain values hold, checked for shape; `records/verify.py` checks that it is true."""
    if not isinstance(raw, dict):
        raise BadRecord("a game as a JSON object", raw)
    _check_format(raw.get("format"))
    rules = _get(raw, "rules", int)
    if rules not in CATALOGS:
        raise BadRecord(f"rules {', '.join(map(str, CATALOGS))}", rules)
    settings = _settings(_get(raw, "settings", dict))
    players = _players(_get(raw, "players", list), settings.seats)
    return Record(
        raw=raw,
        rules=rules,
        settings=settings,
        fairness=_fairness(_get(raw, "fairness", dict)),
        players=players,
        deal=_deal(_get(raw, "deal", dict), players),
        moves=tuple(_move(move, settings.seats, at) for at, move in enumerate(_get(raw, "moves", list))),
        result=_result(_get(raw, "result", dict)),
    )


def moves_of(events: Iterable[Event]) -> list[list[Any]]:
    """What a chronicle's events are as moves of a record, in order."""
    return [move for event in events if (move := _move_of(event)) is not None]


def tally_raw(tally: Tally) -> dict[str, Any]:
    """The counts of R5.7 as plain values, in the order of the format."""
    return {
        "sage_activated": tally.sage_activated,
        "activated": tally.activated,
        "slain": tally.slain,
        "sage_slain": tally.sage_slain,
    }


def how_of(move: Sequence[Any]) -> How:
    """Whose doing a move was, by its last entry."""
    return How(move[-1]) if move[-1] in (How.TIMEOUT.value, How.STAND_IN.value) and move[0] != "resolve" else How.OWN


def _move_of(event: Event) -> list[Any] | None:
    match event:
        case BallotCast(turn, target, how):
            return ["vote", turn, target, *_mark(how)]
        case FirstHolderFound(turn):
            return ["first", turn]
        case CrystalPassed(giver, to, how):
            return ["pass", giver, to, *_mark(how)]
        case ScrollSettled(turn, scroll, targets, seen, effect, how):
            choices = [*targets, *([] if seen is None else [seen.value])]
            return ["scroll", turn, scroll, choices if effect else None, *_mark(how)]
        case CardPlayed(turn, card, _, how):
            return ["play", turn, card.value, *_mark(how)]
        case Skipped(turn, how):
            return ["skip", turn, *_mark(how)]
        case PassedOver(turn):
            return ["empty", turn]
        case CardsResolved(cards, _, tally):
            return ["resolve", [card.value for card in cards], tally_raw(tally)]
        case _:
            return None


def _mark(how: How) -> list[str]:
    return [] if how is How.OWN else [how.value]


def _settings_raw(settings: Settings) -> dict[str, Any]:
    raw: dict[str, Any] = {
        "seats": settings.seats,
        "first_holder": settings.first_holder,
        "sage_slain_ends": settings.sage_slain_ends,
        "activation_target": settings.activation_target,
        "kill_target": settings.kill_target,
        "act_last_lasts": settings.act_last_lasts,
    }
    return raw | ({"memory_aid": True} if settings.memory_aid else {})


def _result_raw(events: Sequence[Event]) -> dict[str, Any]:
    ended = events[-1]
    assert isinstance(ended, GameEnded), "only a game that has ended has a record"
    rounds = max(event.number for event in events if isinstance(event, RoundBegan))
    return {"winner": ended.winner.value, "reason": ended.reason.value, "rounds": rounds}


# -- reading -----------------------------------------------------------------------------------------------------------


def _check_format(found: object) -> None:
    if found == FORMAT:
        return
    name, _, major = found.partition("/") if isinstance(found, str) else ("", "", "")
    if name == FORMAT.partition("/")[0] and _MAJOR.fullmatch(major) and int(major) > 1:
        raise BadRecord(f"format {FORMAT} (this file comes from a newer version of the game)", found)
    raise BadRecord(f"format {FORMAT}", found)


def _get(raw: dict[str, Any], key: str, kind: type) -> Any:
    value = raw.get(key)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        names = {int: "a whole number", dict: "an object", list: "a list", str: "a text"}
        raise BadRecord(f"{key}: {names[kind]}", value if key in raw else "nothing")
    return value


def _settings(raw: dict[str, Any]) -> Settings:
    known = {key: value for key, value in raw.items() if key in Settings.__dataclass_fields__}
    for key in ("seats", "first_holder", "sage_slain_ends", "activation_target", "kill_target", "act_last_lasts"):
        if key not in known:
            raise BadRecord(f"settings.{key}", "nothing")
    try:
        return settings_from(known)
    except BadSettings as bad:
        raise BadRecord(f"settings.{bad.key}: {bad.allowed}", bad.found) from None


def _fairness(raw: dict[str, Any]) -> Fairness:
    given = _get(raw, "contributions", list)
    return Fairness(
        commitment=_bytes(raw.get("commitment"), "fairness.commitment"),
        secret=_bytes(raw.get("secret"), "fairness.secret"),
        contributions=tuple(_bytes(one, "fairness.contributions") for one in given),
        seed=_bytes(raw.get("seed"), "fairness.seed"),
    )


def _bytes(value: object, where: str) -> bytes:
    if isinstance(value, str) and _HEX.fullmatch(value):
        return bytes.fromhex(value)
    raise BadRecord(f"{where}: bytes as lower-case hex", value)


def _players(raw: list[Any], seats: int) -> tuple[Player, ...]:
    if len(raw) != seats:
        raise BadRecord(f"{seats} players", len(raw))
    players = []
    for turn, one in enumerate(raw, 1):
        if not isinstance(one, dict) or type(one.get("turn")) is not int or one["turn"] != turn:
            raise BadRecord(f"the player with turn {turn}", one)
        seat, name, kind = one.get("seat"), one.get("name"), one.get("kind")
        if type(seat) is not int or not _is_text(name) or kind not in ("person", "ai"):
            raise BadRecord("a player's seat, name and kind (person or ai)", one)
        players.append(Player(Seat(seat), name, kind))
    if sorted(player.seat for player in players) != list(range(1, seats + 1)):
        raise BadRecord(f"each seat from 1 to {seats} once", [player.seat for player in players])
    return tuple(players)


def _is_text(value: object) -> TypeGuard[str]:
    """JSON can spell halves of characters, which no file can hold."""
    return isinstance(value, str) and not any("\ud800" <= char <= "\udfff" for char in value)


def _deal(raw: dict[str, Any], players: Sequence[Player]) -> Deal:
    count = len(players)
    roles, hands, scrolls = (_get(raw, key, list) for key in ("roles", "hands", "scrolls"))
    if not len(roles) == len(hands) == len(scrolls) == count:
        raise BadRecord(f"{count} roles, hands and scrolls", [len(roles), len(hands), len(scrolls)])
    if not all(isinstance(hand, list) for hand in hands):
        raise BadRecord("each hand as a list", hands)
    for scroll in scrolls:
        if not isinstance(scroll, str) or scroll not in CATALOG:
            raise BadRecord("a scroll of the catalogue", scroll)
    return Deal(
        seats=tuple(player.seat for player in players),
        roles=tuple(_one_of(Role, role, "a role") for role in roles),
        hands=tuple(tuple(_one_of(Card, card, "a card") for card in hand) for hand in hands),
        scrolls=tuple(ScrollId(scroll) for scroll in scrolls),
    )


def _one_of(kind: Any, value: object, what: str) -> Any:
    try:
        return kind(value)
    except ValueError:
        raise BadRecord(what, value) from None


def _result(raw: dict[str, Any]) -> Result:
    return Result(
        winner=_one_of(Faction, raw.get("winner"), "result.winner: human or dragon"),
        reason=_one_of(Reason, raw.get("reason"), "result.reason: a clause that ends games"),
        rounds=_get(raw, "rounds", int),
    )


def _move(move: object, seats: int, at: int) -> tuple[Any, ...]:
    """A move of the right shape; whether it is legal is for the rules to say."""
    where = f"move {at + 1}"
    if not isinstance(move, list) or not move or move[0] not in MOVE_KINDS:
        raise BadRecord(f"{where}: a list that begins with one of {', '.join(MOVE_KINDS)}", move)
    body = move[:-1] if how_of(move) is not How.OWN else move
    if not _has_shape(body, seats):
        raise BadRecord(f"{where}: what {move[0]} needs", move)
    if move[0] == "resolve":
        return ("resolve", move[1], _counts(move[2], where))
    return tuple(move)


def _counts(raw: dict[str, Any], where: str) -> dict[str, Any]:
    """The counts that this version knows, in their order."""
    for key, default in tally_raw(Tally()).items():
        if type(raw.get(key)) is not type(default):
            kind = "true or false" if type(default) is bool else "a whole number"
            raise BadRecord(f"{where}: {key}: {kind}", raw.get(key, "nothing"))
    return {key: raw[key] for key in tally_raw(Tally())}


def _has_shape(move: list[Any], seats: int) -> bool:
    def is_turn(value: object) -> bool:
        return type(value) is int and 1 <= value <= seats

    match move:
        case ["vote", turn, target]:
            return is_turn(turn) and (target is None or is_turn(target))
        case ["first" | "skip" | "empty", turn]:
            return is_turn(turn)
        case ["pass", turn, to]:
            return is_turn(turn) and is_turn(to)
        case ["scroll", turn, str(), None | list()]:
            return is_turn(turn)
        case ["play", turn, str()]:
            return is_turn(turn)
        case ["resolve", list(), dict()]:
            return True
        case _:
            return False


def _short(found: object) -> str:
    """On one line, of bounded length, and writable anywhere."""
    plain = isinstance(found, str) and found.isprintable() and found
    try:
        text = str(found) if plain else json.dumps(found, ensure_ascii=False, default=str)
    except RecursionError:
        text = "one that is nested too deeply"
    text = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return text if len(text) <= 200 else text[:200] + "…"
