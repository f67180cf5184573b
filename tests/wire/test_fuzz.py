"""Whatever arrives on a socket: no crash, one answer each, and the room is untouched by what is no message.

The messages are made from the types of `wire/messages.py`, whole or with one place spoilt; or of any bytes.
`python -m tests.soak.fuzz` lets a fuzzer look for new ways through the code.
"""

from __future__ import annotations

import json
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cinderforge.room.inputs import Asked
from cinderforge.room.refused import RoomCode
from cinderforge.rules.rejection import Code
from cinderforge.server.socket import CLOSE_POLICY, MOST_MALFORMED
from cinderforge.wire import codec
from cinderforge.wire import messages as w
from tests.wire.desk import HELLO, Desk

KINDS: tuple[type[msgspec.Struct], ...] = get_args(w.FromClient)
COMMANDS = tuple(kind for kind in KINDS if kind not in (w.Hello, w.Ping))
CODES = {*get_args(RoomCode), *(code.value for code in Code)}
MOMENTS = ("waiting", "mixing", "reveal", "play", "over")
OFTEN = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))

TEXT = st.text(max_size=60) | st.sampled_from(["", "\x00", "\u202e", "寶" * 30, "\ufffe", "🐉" * 10, "a" * 4001])
WHOLE = st.integers(-3, 12) | st.sampled_from([-(10**30), 10**30, 2**63, 2**64, -(2**63)])
JUNK = st.recursive(
    st.none() | st.booleans() | WHOLE | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=8,
)


def tag_of(kind: type[msgspec.Struct]) -> str:
    tag = kind.__struct_config__.tag
    assert isinstance(tag, str)
    return tag


def values_of(of: Any) -> st.SearchStrategy[Any]:
    """What a field of this type holds, as JSON would have it."""
    match of:
        case msgspec.inspect.StrType(max_length=most, min_length=least):
            return st.text(st.characters(codec="utf-8"), min_size=least or 0, max_size=min(most or 60, 60))
        case msgspec.inspect.StructType(cls=kind, tag_field=key, tag=tag, fields=fields):
            required = {field.encode_name: values_of(field.type) for field in fields if field.required}
            others = {field.encode_name: values_of(field.type) for field in fields if not field.required}
            return st.fixed_dictionaries({str(key): st.just(tag), **required}, optional=others)
        case msgspec.inspect.IntType(ge=least, le=most):
            return st.integers(least, most) if most is not None else WHOLE.filter(lambda n: -(2**63) < n < 2**63)
        case msgspec.inspect.BoolType():
            return st.booleans()
        case msgspec.inspect.NoneType():
            return st.none()
        case msgspec.inspect.LiteralType(values=values):
            return st.sampled_from(sorted(values, key=str))
        case msgspec.inspect.EnumType(cls=kind):
            return st.sampled_from([member.value for member in kind])
        case msgspec.inspect.UnionType(types=types):
            return st.one_of([values_of(one) for one in types])
        case msgspec.inspect.ListType(item_type=item, min_length=least, max_length=most):
            return st.lists(values_of(item), min_size=least or 0, max_size=most)
        case msgspec.inspect.DictType():
            return st.dictionaries(TEXT | st.sampled_from(["seats", "timers", "preset", "public"]), JUNK, max_size=4)
        case _:
            raise AssertionError(f"say what {of} holds")


def messages(kinds: tuple[type[msgspec.Struct], ...] = KINDS) -> st.SearchStrategy[dict[str, Any]]:
    """Messages that are right in every place."""
    return st.one_of([_of_kind(kind) for kind in kinds])


def _of_kind(kind: type[msgspec.Struct]) -> st.SearchStrategy[dict[str, Any]]:
    shape = msgspec.inspect.type_info(kind)
    assert isinstance(shape, msgspec.inspect.StructType)
    return values_of(shape)


@st.composite
def spoilt(draw: st.DrawFn) -> bytes:
    """A message with one place spoilt: a value, a key too much or too few, a key twice, its kind, or some bytes."""
    message = draw(messages())
    key = draw(st.sampled_from(sorted(message)))
    match draw(st.integers(0, 5)):
        case 0:
            return written(message | {key: draw(JUNK)})
        case 1:
            return written(message | {draw(TEXT): draw(JUNK)})
        case 2:
            return written({name: value for name, value in message.items() if name != key})
        case 3:
            return written(message)[:-1] + b"," + written({key: draw(JUNK)})[1:]
        case 4:
            whole = written(message)
            at = draw(st.integers(0, len(whole)))
            return whole[:at] + draw(st.binary(max_size=6)) + whole[at + draw(st.integers(0, 3)) :]
        case _:
            return written(message)[: draw(st.integers(0, len(written(message))))]


def written(message: Any) -> bytes:
    return json.dumps(message, ensure_ascii=False).encode("utf-8", "surrogatepass")


def is_message(data: bytes) -> bool:
    try:
        codec.decode(data)
    except (msgspec.DecodeError, RecursionError):
        return False
    return True


def check(desk: Desk, data: bytes) -> None:
    """One message: what is none is told so and never reaches the room; a command is answered once, by its code."""
    before = desk.state()
    answers = desk.say(data)
    if not is_message(data):
        assert [type(answer) for answer in answers] == [w.Malformed]
        assert len(answers[0].detail) <= 200
        assert desk.state() == before and not desk.counter.inputs
        return
    assert len(answers) == 1
    match answers[0]:
        case w.Refused(_, code, _):
            assert code in CODES, code
            assert desk.state() == before
        case answer:
            assert isinstance(answer, w.Done | w.Pong | w.Malformed | w.Bye), answer
    assert len(desk.counter.inputs) == (1 if isinstance(answers[0], w.Done | w.Refused) else 0)


@given(message=messages())
@OFTEN
def test_what_the_types_allow_is_a_message_and_is_written_as_it_was_read(message: dict[str, Any]) -> None:
    read = codec.decode(written(message))
    assert codec.decode(msgspec.json.encode(read)) == read
    assert (codec.wish_of(read) is None) == (message["t"] in ("hello", "ping"))


@pytest.mark.parametrize("moment", MOMENTS)
@given(message=messages(COMMANDS))
@OFTEN
def test_any_command_is_done_or_refused_by_a_known_code(moment: str, message: dict[str, Any]) -> None:
    for is_member in (True, False):
        check(Desk(moment, is_member=is_member), written(message))


@given(data=spoilt())
@OFTEN
def test_a_spoilt_message_touches_nothing(data: bytes) -> None:
    check(Desk(), data)


@given(data=st.binary(max_size=200) | JUNK.map(written))
@OFTEN
def test_any_bytes_touch_nothing(data: bytes) -> None:
    check(Desk(), data)


@given(data=st.lists(spoilt() | messages().map(written), min_size=1, max_size=12), is_greeted=st.booleans())
@OFTEN
def test_after_three_that_are_none_the_socket_is_closed(data: list[bytes], is_greeted: bool) -> None:
    desk = Desk("waiting", is_greeted=is_greeted)
    strikes = 0
    for one in data:
        assert (desk.line.closed == CLOSE_POLICY) == (strikes >= MOST_MALFORMED)
        if desk.line.closed is not None:
            assert desk.say(one) == []
            continue
        strikes += sum(isinstance(answer, w.Malformed) for answer in desk.say(one))


DEEP = 100_000
NONSENSE: dict[str, bytes] = {
    "nothing": b"",
    "null": b"null",
    "a list": b"[]",
    "a number": b"1",
    "a text": b'"skip"',
    "an empty object": b"{}",
    "a deep list": b"[" * DEEP,
    "a deep list that ends": b"[" * DEEP + b"]" * DEEP,
    "a deep object": b'{"a":' * DEEP,
    "deep settings": b'{"t":"change","id":"a","settings":{"seats":' + b"[" * DEEP + b"]" * DEEP + b"}}",
    "a huge number": b'{"t":"kick","id":"a","member":' + b"9" * 5000 + b"}",
    "a number beyond numbers": b'{"t":"kick","id":"a","member":1e999}',
    "not a number": b'{"t":"kick","id":"a","member":NaN}',
    "a fraction": b'{"t":"kick","id":"a","member":1.5}',
    "a megabyte": b'{"t":"say","id":"a","text":"' + b"x" * 1_000_000 + b'"}',
    "a megabyte of id": b'{"t":"skip","id":"' + b"x" * 1_000_000 + b'"}',
    "a megabyte of nothing": b" " * 1_000_000,
    "binary": bytes(range(256)),
    "broken UTF-8 in a text": b'{"t":"say","id":"a","text":"\xff\xfe"}',
    "broken UTF-8 in a key": b'{"t":"skip","\xff":1,"id":"a"}',
    "UTF-8 cut short": b'{"t":"say","id":"a","text":"\xe5\xaf"}',
    "an overlong zero": b'{"t":"say","id":"a","text":"\xc0\x80"}',
    "half a character in bytes": b'{"t":"say","id":"a","text":"\xed\xa0\x80"}',
    "half a character": b'{"t":"say","id":"a","text":"\\ud800"}',
    "half a character as an id": b'{"t":"skip","id":"\\udc00"}',
    "a byte order mark": b'\xef\xbb\xbf{"t":"skip","id":"a"}',
    "two kinds": b'{"t":"skip","t":"leave","id":"a"}',
    "no kind": b'{"id":"a"}',
    "a kind that is none": b'{"t":"update","id":"a"}',
    "a kind that is no text": b'{"t":1,"id":"a"}',
    "two messages": b'{"t":"skip","id":"a"}{"t":"skip","id":"b"}',
    "a key too much": b'{"t":"skip","id":"a","as":"host"}',
    "an empty id": b'{"t":"skip","id":""}',
    "UTF-16": '{"t":"skip","id":"a"}'.encode("utf-16"),
}


@pytest.mark.parametrize("name", NONSENSE)
@pytest.mark.parametrize("is_greeted", [True, False])
def test_nonsense_is_told_so_thrice_and_then_the_socket_is_closed(name: str, is_greeted: bool) -> None:
    desk = Desk(is_greeted=is_greeted)
    before = desk.state()
    for strike in range(1, MOST_MALFORMED + 1):
        answers = desk.say(NONSENSE[name])
        assert [type(answer) for answer in answers] == [w.Malformed] and len(answers[0].detail) <= 200
        assert (desk.line.closed == CLOSE_POLICY) == (strike == MOST_MALFORMED)
    assert desk.state() == before and not desk.counter.inputs
    assert desk.say(HELLO) == []


def test_a_key_twice_is_a_message_once_and_the_last_counts() -> None:
    desk = Desk("waiting")
    (answer,) = desk.say(b'{"t":"rename","id":"a","name":"One","id":"b","name":"Two"}')
    assert answer == w.Done("b")
    assert [wish.id for wish in desk.counter.inputs if isinstance(wish, Asked)] == ["b"]


@pytest.mark.parametrize("kind", COMMANDS, ids=tag_of)
def test_every_kind_is_nonsense_before_hello(kind: type[msgspec.Struct]) -> None:
    desk = Desk(is_greeted=False)
    example = {"t": tag_of(kind)} | {
        name: {"id": "a", "settings": {}, "targets": [], "poll": "pause"}.get(name, 1) for name in _required(kind)
    }
    (answer,) = desk.say(written(example))
    assert isinstance(answer, w.Malformed) and not desk.counter.inputs


def _required(kind: type[msgspec.Struct]) -> list[str]:
    shape = msgspec.inspect.type_info(kind)
    assert isinstance(shape, msgspec.inspect.StructType)
    return [field.encode_name for field in shape.fields if field.required]


def test_every_place_for_a_number_has_bounds_or_takes_any() -> None:
    """A room must not stumble over any number that the decoder lets through (`member` above all)."""
    for number in (2**63, 2**64, -(10**40)):
        for kind in ("kick", "let_back", "hand_on"):
            (answer,) = Desk("waiting").say(written({"t": kind, "id": "a", "member": number}))
            assert isinstance(answer, w.Refused) and answer.code == "unknown_member"
