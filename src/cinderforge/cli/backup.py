"""`cinderforge backup FILE` copies the database, of a running server too; `cinderforge restore FILE` puts it back."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from cinderforge.cli.config import add_place, chosen
from cinderforge.cli.problem import Problem
from cinderforge.server.backup import BackupFailed, Contents, back_up, restore
from cinderforge.server.store import StoreUnusable


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    backup = subparsers.add_parser("backup", help="copy the database, of a running server too", description=__doc__)
    backup.add_argument("file", type=Path, metavar="FILE", help="the copy; must not be there yet")
    add_place(backup)
    backup.set_defaults(func=run)
    back = subparsers.add_parser("restore", help="put a copy of the database back", description=__doc__)
    back.add_argument("file", type=Path, metavar="FILE", help="what `cinderforge backup` made")
    add_place(back)
    back.add_argument("--force", action="store_true", help="put a database that is there aside")
    back.set_defaults(func=run_restore)


def run(args: argparse.Namespace) -> int:
    """1 if the copy is made and a room in it cannot be read back."""
    try:
        contents = back_up(chosen(args).config.database, args.file)
    except BackupFailed as failed:
        raise Problem(f"backup: {failed}") from None
    return _report(args.file, contents)


def run_restore(args: argparse.Namespace) -> int:
    database = chosen(args).config.database
    try:
        contents, aside = restore(args.file, database, force=args.force)
    except (BackupFailed, StoreUnusable) as failed:
        raise Problem(f"restore: {failed}") from None
    if aside:
        print(f"{aside}: what was there before")
    return _report(database, contents)


def _report(file: Path, contents: Contents) -> int:
    print(
        f"{file}: {contents.rooms} open rooms, {contents.events} events, {contents.records} records,"
        f" {contents.size / 1e6:.1f} MB"
    )
    for why in contents.unreadable:
        print(f"cannot be read back: {why}", file=sys.stderr)
    return 1 if contents.unreadable else 0
