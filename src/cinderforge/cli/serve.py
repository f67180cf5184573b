"""`cinderforge serve`: the server with the built client, on the embedded database."""

from __future__ import annotations

import argparse
import socket
import sys
from urllib.parse import urlsplit

from cinderforge.cli.config import add_settings, chosen
from cinderforge.server.logs import set_up_logs
from cinderforge.server.serve import run_serving
from cinderforge.server.store import StoreFailed


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("serve", help="run the server", description=__doc__)
    add_settings(parser)
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Serves until it is stopped; 2 where it cannot begin."""
    config = chosen(args).config
    set_up_logs(config.log_level, config.log_format)
    try:
        run_serving(config, _announce)
    except KeyboardInterrupt:
        return 0
    except (StoreFailed, OSError) as error:
        print(f"cinderforge serve: {error}", file=sys.stderr)
        return 2
    return 0


def _announce(address: str) -> None:
    """Prints the address; where every interface is listened on, the one that phones in this network can open."""
    url = urlsplit(address)
    if url.hostname == "0.0.0.0":  # noqa: S104 - asked, not bound
        print(f"Cinderforge 灼焰契約 is at http://127.0.0.1:{url.port}, for your network at", end=" ")
        address = f"http://{_own_address()}:{url.port}"
    else:
        print("Cinderforge 灼焰契約 is at", end=" ")
    print(address, flush=True)


def _own_address() -> str:
    """This machine's address in its network. Nothing is sent: connecting a datagram socket only picks the way out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way_out:
        try:
            way_out.connect(("192.0.2.1", 9))  # an address of RFC 5737, that no machine has
        except OSError:
            return socket.gethostname()
        name: str = way_out.getsockname()[0]
        return name
