"""The examples of talk run."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import cinderforge.talk

MODULES = sorted(m.name for m in pkgutil.walk_packages(cinderforge.talk.__path__, "cinderforge.talk."))


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_hold(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
