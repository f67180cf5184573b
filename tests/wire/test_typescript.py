"""The client's copy of the wire types says what the types say, and is fresh."""

from __future__ import annotations

from typing import Annotated, get_args

import pytest
from msgspec import Meta, Struct, inspect

from cinderforge.redaction.shapes import News, OfferView
from cinderforge.wire import messages as w
from cinderforge.wire.requests import BODIES
from cinderforge.wire.typescript import documentation, spelt, typescript
from tools.make_protocol import files, main

MESSAGES = [*get_args(w.FromClient), *get_args(w.ToClient)]


def block(name: str) -> list[str]:
    """The lines of one declared interface."""
    lines = typescript().splitlines()
    start = lines.index(f"export interface {name} {{")
    return lines[start + 1 : lines.index("}", start)]


def test_the_generated_files_are_fresh() -> None:
    assert main(["--check"]) == 0


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: message.__name__)
def test_every_message_is_told_by_its_tag(message: type[Struct]) -> None:
    kind = inspect.type_info(message)
    assert isinstance(kind, inspect.StructType)
    assert block(message.__name__)[0] == f'  t: "{kind.tag}";'


@pytest.mark.parametrize("body", BODIES, ids=lambda body: body.__name__)
def test_every_body_without_a_socket_is_declared_and_documented(body: type[Struct]) -> None:
    assert len(block(body.__name__)) == len(body.__struct_fields__)
    assert f"### {body.__name__}\n" in documentation()


def test_the_unions_name_every_message() -> None:
    text = typescript()
    for union, members in (("FromClient", w.FromClient), ("ToClient", w.ToClient)):
        names = " | ".join(cls.__name__ for cls in get_args(members))
        assert f"export type {union} = {names};" in text


@pytest.mark.parametrize(("family", "members"), [("News", News), ("OfferView", OfferView)])
def test_families_of_parts_name_every_member(family: str, members: object) -> None:
    line = next(line for line in typescript().splitlines() if line.startswith(f"export type {family} = "))
    assert set(line.removeprefix(f"export type {family} = ").rstrip(";").split(" | ")) == {
        cls.__name__ for cls in get_args(members)
    }


def test_defaults_are_optional_to_send_and_never_missing_when_heard() -> None:
    assert "  heard?: number;" in block("Hello")
    assert "  seat?: number | null;" in block("Fill")
    assert "  detail: string;" in block("Refused")


def test_docstrings_become_comments() -> None:
    assert "/** The command with this id is done, once. */\nexport interface Done {" in typescript()


def test_unions_in_lists_are_bracketed_and_enums_named() -> None:
    assert "  ballots: (number | null)[];" in block("VoteOpened")
    assert "  hand: Card[];" in block("PlayerView")


def test_a_type_without_a_typescript_form_is_an_error() -> None:
    class Odd(Struct):
        field: Annotated[bytes, Meta(max_length=3)]

    kind = inspect.type_info(Odd)
    assert isinstance(kind, inspect.StructType)
    with pytest.raises(TypeError, match="no TypeScript for"):
        spelt(kind.fields[0].type)


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: message.__name__)
def test_every_message_is_documented_with_its_fields(message: type[Struct]) -> None:
    section = documentation().split(f"### {message.__name__} ", 1)[1].split("\n### ", 1)[0]
    for field in message.__struct_encode_fields__:
        assert f"| `{field}` |" in section


def test_every_generated_file_is_below_the_root() -> None:
    assert sorted(path.name for path in files()) == ["protocol.gen.ts", "protocol.md"]
