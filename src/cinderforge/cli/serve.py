"""`cinderforge serve`: the server with the built client, on the embedded database."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from msgspec.structs import replace

from cinderforge.server.config import BadConfig, Config, config_from
from cinderforge.server.serve import run_serving, set_up_logging
from cinderforge.server.store import StoreUnusable


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("serve", help="run the server", description=__doc__)
    parser.add_argument("--host", help="address to listen on (default: HOST, or 127.0.0.1)")
    parser.add_argument("--port", type=int, help="port to listen on (default: PORT, or 8000)")
    parser.add_argument("--data", type=Path, help="folder of the embedded database (default: DATA, or data)")
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    try:
        given = {key: value for key in ("host", "port", "data") if (value := getattr(args, key)) is not None}
        config: Config = replace(config_from(), **given)
        set_up_logging("WARNING")
        run_serving(config, _announce)
    except KeyboardInterrupt:
        return 0
    except (BadConfig, StoreUnusable, OSError) as error:
        print(f"cinderforge serve: {error}", file=sys.stderr)
        return 2
    return 0


def _announce(address: str) -> None:
    print(f"Cinderforge 灼焰契約 is at {address}", flush=True)
