"""What whoever runs a server may set, and what is said of what cannot be."""

from __future__ import annotations

import pytest

from cinderforge.server.config import BadConfig, Config, config_from, config_with


def test_an_empty_environment_gives_the_defaults() -> None:
    assert config_from({}) == Config()


@pytest.mark.parametrize(
    ("key", "value"),
    [("PORT", "70000"), ("PORT", "http"), ("CINDERFORGE_CONN", "carrier pigeon"), ("CINDERFORGE_TEMPO", "0")],
)
def test_what_cannot_be_is_named(key: str, value: str) -> None:
    with pytest.raises(BadConfig, match=key):
        config_from({key: value})


@pytest.mark.parametrize("port", [-1, 70000])
def test_a_port_given_by_hand_is_held_to_the_same_numbers(port: int) -> None:
    with pytest.raises(BadConfig, match="port: expected a number from 0 to 65535"):
        config_with(Config(), {"port": port})
