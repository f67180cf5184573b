"""The minds that a belief takes others to have: how players of many kinds act, fitted by tools/fit_minds.py."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Any, Final

from cinderforge.kernel import ffi

FILE: Final = "minds.json"
ANYONE: Final = "anyone"
"""Whose kind is not known: a person, or an AI of another make."""


def model_of(values: dict[str, Any], kinds: Sequence[str] = ()) -> Any:
    """`cf_model *` of plain values. `kinds` says by turn what kind of player somebody is known to be (else anyone)."""
    priors = values["prior"]
    known = [*kinds, *[ANYONE] * (10 - len(kinds))]
    return ffi.new(
        "cf_model *",
        {
            "minds": len(priors[ANYONE]),
            "prior": [priors.get(kind, priors[ANYONE]) for kind in known],
            "heat": values["heat"],
            "slip": values["slip"],
            "weight": values["weight"],
        },
    )


@cache
def shipped(kinds: tuple[str, ...] = ()) -> Any:
    """The model that comes with the package, for players of these kinds by turn."""
    return model_of(_values(), kinds)


@cache
def _values() -> dict[str, Any]:
    values: dict[str, Any] = json.loads(resources.files(__package__).joinpath(FILE).read_text("utf-8"))
    return values
