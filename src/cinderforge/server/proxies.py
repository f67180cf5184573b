"""From which address somebody really comes, when proxies of ours stand before us."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network


class Proxies:
    """Networks whose X-Forwarded-For is believed; whoever else sends one could write anything into it."""

    def __init__(self, trusted: Iterable[str] = ()) -> None:
        self._trusted = [ip_network(text) for text in trusted]

    def origin_of(self, peer: str, forwarded_for: str | None) -> str:
        """The last address on the way that no trusted proxy has; a whole /64 counts as one address, as one line has."""
        origin = _address(peer)
        for hop in reversed(forwarded_for.split(",") if forwarded_for else []):
            if origin is None or not any(origin in network for network in self._trusted):
                break
            if (before := _address(hop.strip())) is None:
                break
            origin = before
        if isinstance(origin, IPv6Address):
            return str(ip_network((origin, 64), strict=False))
        return peer if origin is None else str(origin)


def _address(text: str) -> IPv4Address | IPv6Address | None:
    """IPv4 in IPv6's clothes is IPv4."""
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return (isinstance(address, IPv6Address) and address.ipv4_mapped) or address
