"""Rooms that were opened and abandoned in every way leave nothing behind: the small version of a soak."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from cinderforge.server.lobby import Lobby
from cinderforge.server.room_task import RoomTask
from tests.soak.abandon import STORIES, run

ROOT = Path(__file__).resolve().parents[2]


def test_two_hundred_rooms_that_were_opened_and_abandoned_leave_nothing_behind() -> None:
    """In a process of its own, in which nobody else makes objects."""
    command = [sys.executable, "-m", "tests.soak.abandon", "--rooms", "200"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    told = re.search(r"records of games: (\d+); .*'done': (\d+)", ended.stdout)
    assert told and int(told[1]) >= 100 and int(told[2]) > 2000, ended.stdout


def test_a_room_that_is_kept_by_somebody_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[RoomTask] = []
    forget = Lobby._forget

    def keeps(lobby: Lobby, task: RoomTask) -> None:
        kept.append(task)
        forget(lobby, task)

    monkeypatch.setattr(Lobby, "_forget", keeps)
    rooms = len(STORIES)
    left = run(tmp_path / "abandon.db", rooms, rooms).left
    assert left["cinderforge.server.room_task.RoomTask"] == rooms
