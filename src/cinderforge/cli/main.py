"""The command `cinderforge`. Each subcommand is a module that adds its own parser."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from cinderforge import __version__
from cinderforge.cli import arena, backup, balance, config, scenario, serve, show, simulate, verify
from cinderforge.cli.problem import Problem


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="cinderforge", description="灼焰契約 Cinderforge, a hidden-role card game.")
    top.add_argument("--version", action="version", version=f"cinderforge {__version__}")
    subparsers = top.add_subparsers(required=True, metavar="COMMAND")
    for module in (serve, config, backup, simulate, arena, balance, scenario, show, verify):
        module.add_parser(subparsers)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status: 0 all well, 1 something does not hold, 2 the command itself was wrong."""
    args = parser().parse_args(arguments)
    try:
        status: int = args.func(args)
        sys.stdout.flush()
    except Problem as problem:
        print(f"cinderforge: {problem}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # whoever reads us has had enough; Python must not complain when it closes the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return status


if __name__ == "__main__":
    sys.exit(main())
