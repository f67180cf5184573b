"""`cinderforge config`: the settings in force, as a TOML file, each with where it came from. None is a secret."""

from __future__ import annotations

import argparse
from pathlib import Path

from cinderforge.cli.problem import Problem
from cinderforge.server.config import BadConfig, Chosen, choose


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("config", help="print the settings in force", description=__doc__)
    add_settings(parser)
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    print(chosen(args).as_toml(), end="")
    return 0


def add_settings(parser: argparse.ArgumentParser) -> None:
    """The options that choose settings: a file of them, and the first few by name."""
    parser.add_argument("--host", help="address to listen on (default: HOST, or 127.0.0.1)")
    parser.add_argument("--port", type=int, help="port to listen on (default: PORT, or 8000)")
    add_place(parser)


def add_place(parser: argparse.ArgumentParser) -> None:
    """The options that choose where the database is."""
    parser.add_argument("--config", type=Path, metavar="FILE", help="file of settings (default: CINDERFORGE_CONFIG)")
    parser.add_argument("--data", type=Path, help="folder of the embedded database (default: DATA, or data)")


def chosen(args: argparse.Namespace) -> Chosen:
    """Raises Problem for a setting that cannot be."""
    given = {key: getattr(args, key, None) for key in ("host", "port", "data")}
    try:
        return choose(file=args.config, given=given)
    except BadConfig as error:
        raise Problem(str(error)) from None
