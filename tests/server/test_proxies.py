"""From where somebody comes: only our own proxies are believed."""

from __future__ import annotations

import pytest

from cinderforge.server.proxies import Proxies, line_of


@pytest.mark.parametrize(
    ("peer", "forwarded", "origin"),
    [
        ("192.0.2.1", None, "192.0.2.1"),
        ("192.0.2.1", "203.0.113.9", "192.0.2.1"),
        ("127.0.0.1", None, "127.0.0.1"),
        ("127.0.0.1", "203.0.113.9", "203.0.113.9"),
        ("::ffff:127.0.0.1", "203.0.113.9", "203.0.113.9"),
        ("127.0.0.1", "198.51.100.7, 203.0.113.9", "203.0.113.9"),
        ("127.0.0.1", "198.51.100.7, 203.0.113.9, 10.1.2.3", "203.0.113.9"),
        ("127.0.0.1", "198.51.100.7, nonsense", "127.0.0.1"),
        ("127.0.0.1", "10.1.2.3", "10.1.2.3"),
        ("127.0.0.1", "", "127.0.0.1"),
        ("127.0.0.1", "2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", None, "2001:db8:1:2::/64"),
        ("", None, ""),
    ],
)
def test_the_last_address_that_is_no_proxy_of_ours_counts(peer: str, forwarded: str | None, origin: str) -> None:
    assert Proxies(["127.0.0.1", "10.0.0.0/8"]).origin_of(peer, forwarded) == origin


def test_without_proxies_nothing_is_believed() -> None:
    assert Proxies().origin_of("127.0.0.1", "203.0.113.9") == "127.0.0.1"


@pytest.mark.parametrize(
    ("address", "line"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("a pipe", "a pipe"),
        ("", ""),
    ],
)
def test_one_line_counts_as_one_address(address: str, line: str) -> None:
    assert line_of(address) == line


def test_only_our_own_proxies_are_trusted() -> None:
    proxies = Proxies(["127.0.0.1", "10.0.0.0/8"])
    trusted = [proxies.is_trusted(peer) for peer in ("127.0.0.1", "::ffff:10.9.9.9", "192.0.2.1", "::1", "a pipe", "")]
    assert trusted == [True, True, False, False, False, False]
