"""`arena`: what it prints and writes, and that the number of processes changes nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cinderforge.cli.arena import pool_named
from cinderforge.cli.main import main


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    status = main(["arena", *map(str, arguments)])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def test_tables_name_seed_and_commit_and_files_are_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, out, _ = run(capsys, "dice", "plain", "--deals", 4, "--seats", 5, "--seed", "me", "--out", tmp_path / "new")
    assert status == 0
    assert out.startswith("arena: 4 deals, seed me, version ")
    assert "Nash" in out and "5 seats" in out
    kept = json.loads((tmp_path / "new" / "arena.json").read_text("utf-8"))
    assert kept["seed"] == "me" and kept["commit"] and kept["pool"] == ["dice", "plain"]
    assert (tmp_path / "new" / "arena.svg").read_text("utf-8").startswith("<svg")


def test_the_number_of_processes_changes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    ask = ("dice", "--deals", 25, "--seats", 5, "--set", "kill_target=3", "--json")
    one, two = (json.loads(run(capsys, *ask, "--jobs", jobs)[1]) for jobs in (1, 2))
    assert one == two
    assert one["settings"][0]["rules"]["kill_target"] == 3


@pytest.mark.parametrize(
    ("arguments", "says"),
    [(["nobody"], "expected some of"), (["dice", "--deals", 0], "--deals"), (["dice", "--seats", 4], "--seats")],
)
def test_a_wrong_option_is_one_clear_line(
    capsys: pytest.CaptureFixture[str], arguments: list[object], says: str
) -> None:
    status, out, err = run(capsys, *arguments)
    assert (status, out) == (2, "")
    assert err.startswith("cinderforge: ") and says in err and err.count("\n") == 1


def test_policies_of_the_kernel_play_among_themselves(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "kernel/dice", "kernel/plain", "--deals", 200, "--json")
    assert status == 0 and json.loads(out)["pool"] == ["kernel/dice", "kernel/plain"]
    assert run(capsys, "kernel/dice", "plain")[0] == 2
    assert run(capsys, "kernel/nobody")[0] == 2


def test_referees_play_in_the_arena_by_name_and_all_by_one_word(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "referee/first", "level1", "--deals", 2, "--seats", 5, "--json")
    assert status == 0 and json.loads(out)["pool"] == ["referee/first", "acolyte"]
    assert run(capsys, "referee/nobody")[0] == 2
    assert [name in pool_named(["referees", "dice"]) for name in ("referee/tree", "dice", "plain")] == [
        True,
        True,
        False,
    ]
