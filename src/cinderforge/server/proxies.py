"""From which address somebody really comes, when proxies of ours stand before us."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network


class Proxies:
    """Networks whose X-Forwarded-For is believed; whoever else sends one could write anything into it."""

    def __init__(self, trusted: Iterable[str] = ()) -> None:
        self._trusted = [ip_network(text) for text in trusted]

    def is_trusted(self, peer: str) -> bool:
        """Whether a proxy of ours is at the other end."""
        address = _address(peer)
        return address is not None and any(address in network for network in self._trusted)

    def origin_of(self, peer: str, forwarded_for: str | None) -> str:
        """The last address on the way that no trusted proxy has; a whole /64 counts as one address, as one line has."""
        origin = _address(peer)
        for hop in reversed(forwarded_for.split(",") if forwarded_for else []):
            if origin is None or not any(origin in network for network in self._trusted):
                break
            if (before := _address(hop.strip())) is None:
                break
            origin = before
        return peer if origin is None else _line(origin)


def line_of(address: str) -> str:
    """What limits are counted by: an address, or the whole /64 that one line has of IPv6.

    >>> line_of("2001:db8::1") == line_of("2001:db8::ffff"), line_of("::ffff:192.0.2.1")
    (True, '192.0.2.1')
    """
    found = _address(address)
    return address if found is None else _line(found)


def _line(address: IPv4Address | IPv6Address) -> str:
    return str(ip_network((address, 64), strict=False) if isinstance(address, IPv6Address) else address)


def _address(text: str) -> IPv4Address | IPv6Address | None:
    """IPv4 in IPv6's clothes is IPv4."""
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return (isinstance(address, IPv6Address) and address.ipv4_mapped) or address
