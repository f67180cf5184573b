"""The allow-list: what may be shown at all, field by field. A new field is added here knowingly or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args, get_type_hints

import pytest
from msgspec import Struct, inspect

from cinderforge.redaction import shapes
from cinderforge.redaction.shapes import News, PlayerView, RevealView, TableView, View
from cinderforge.rules.vault import Vault
from cinderforge.rules.words import Card, Role

TABLE = """
rules seats phase round holder giver awaited hand_sizes unfired fired choice announcing marks acts_last order acts
voted ballots tally past result reveal
"""
PLAYER = "turn role faction hand scroll played plays drawn ballot night knows_cards knows_roles offer"
INNER = {
    shapes.RulesView: """
        seats first_holder sage_slain_ends activation_target kill_target act_last_lasts memory_aid""",
    shapes.FiredView: "turn scroll round targets effect",
    shapes.ActView: "turn act how",
    shapes.ChoiceView: "turn scroll targets of cards",
    shapes.TallyView: "sage_activated activated slain sage_slain",
    shapes.RoundView: "number giver holder fired acts marks cards sources tally",
    shapes.ResultView: "winner reason",
    shapes.RevealView: "roles hands scrolls plays",
    shapes.PlayedView: "turn card",
    shapes.CardKnown: "turn card",
    shapes.RoleKnown: "turn role",
}
NEWS = {
    "night_fell": "",
    "night_over": "",
    "voted": "turn how",
    "vote_opened": "ballots",
    "first_holder": "turn",
    "round_started": "number",
    "passed": "giver to how",
    "scroll_unrolled": "turn scroll",
    "targets_named": "turn targets how",
    "row_laid": "turn of cards",
    "drawn": "drawer source",
    "given": "giver to card",
    "peeked": "turn of",
    "mark_set": "mark",
    "scroll_done": "turn scroll effect how",
    "order_set": "order",
    "announcement_over": "",
    "acted": "turn act how",
    "resolved": "cards sources tally",
    "ended": "winner reason",
}


def test_the_public_table_has_these_fields() -> None:
    assert list(TableView.__struct_fields__) == TABLE.split()


def test_the_private_half_has_these_fields() -> None:
    assert list(PlayerView.__struct_fields__) == PLAYER.split()
    assert list(View.__struct_fields__) == ["table", "you"]


@pytest.mark.parametrize("shape", INNER, ids=lambda shape: shape.__name__)
def test_what_lies_in_them_has_these_fields(shape: type[Struct]) -> None:
    assert list(shape.__struct_fields__) == INNER[shape].split()


def test_news_has_these_fields() -> None:
    found = {kind.__struct_config__.tag: " ".join(kind.__struct_fields__) for kind in get_args(News)}
    assert found == NEWS


def test_no_field_of_the_public_table_is_named_like_one_of_the_vault() -> None:
    """Ballots alone are in both: sealed there, and here once they are open."""
    assert set(TableView.__struct_fields__) & set(Vault._fields) == {"ballots"}


def test_cards_and_roles_are_in_public_shapes_only_where_the_rules_publish_them() -> None:
    """Shown at a resolution (R5.6), given for all to see (R6.7), or revealed after the end (R7.5)."""
    public = set(_structs(TableView)) | set(get_args(News))
    holding = {shape for shape in public if _holds(shape, Card) or _holds(shape, Role)}
    assert holding == {shapes.RoundView, RevealView, shapes.PlayedView, shapes.Given, shapes.Resolved}


def test_a_field_is_never_left_out() -> None:
    """Absent is null, for whoever may not see it: no key comes or goes with what is hidden."""
    for shape in {*_structs(View), *(one for kind in get_args(News) for one in _structs(kind))}:
        info = inspect.type_info(shape)
        assert isinstance(info, inspect.StructType)
        assert not shape.__struct_config__.omit_defaults
        assert all(field.required for field in info.fields), shape


def test_shapes_are_not_changed_once_made() -> None:
    assert all(shape.__struct_config__.frozen for shape in _structs(View))


def _structs(shape: type[Struct]) -> Iterator[type[Struct]]:
    """The shape and all that lie in its fields."""
    yield shape
    for hint in get_type_hints(shape).values():
        for inner in _parts(hint):
            if isinstance(inner, type) and issubclass(inner, Struct):
                yield from _structs(inner)


def _holds(shape: type[Struct], kind: type[Any]) -> bool:
    return any(part is kind for hint in get_type_hints(shape).values() for part in _parts(hint))


def _parts(hint: Any) -> Iterator[Any]:
    yield hint
    for inner in get_args(hint):
        yield from _parts(inner)
