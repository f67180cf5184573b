"""`balance`: it goes on where it was broken off, and a wrong option is one clear line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cinderforge.cli.main import main


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    status = main(["balance", *map(str, arguments)])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def test_what_is_there_is_not_played_again(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    ask = ("kernel/dice", "--seats", 6, "--games", 50, "--out", tmp_path / "new", "--jobs", 1)
    status, out, _ = run(capsys, *ask)
    assert status == 0 and out.startswith("balance: 6 points (0 were there), 50 games a point")
    file = tmp_path / "new" / "balance.jsonl"
    lines = file.read_text("utf-8").splitlines()
    file.write_text("\n".join(lines[:2]) + "\n", "utf-8")
    assert run(capsys, *ask)[1].startswith("balance: 6 points (2 were there)")
    assert sorted(file.read_text("utf-8").splitlines()) == sorted(lines)
    assert json.loads(lines[0])["rules"]["seats"] == 6
    assert "6 人" in (tmp_path / "new" / "balance.html").read_text("utf-8")
    assert run(capsys, *ask, "--seed", "other")[1].startswith("balance: 6 points (0 were there)")


def test_only_the_targets_asked_for_are_played_where_a_table_can_have_them(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    ask = ("kernel/dice", "--targets", "3,3", "--targets", "5,4", "--games", 2, "--out", tmp_path, "--jobs", 1)
    status, out, _ = run(capsys, *ask)
    assert status == 0 and out.startswith("balance: 9 points")
    rules = [json.loads(line)["rules"] for line in (tmp_path / "balance.jsonl").read_text("utf-8").splitlines()]
    assert [one["seats"] for one in rules if one["activation_target"] == 5] == [8, 9, 10]


def test_an_ai_that_the_kernel_has_not_is_played_by_the_engine(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    status, out, _ = run(capsys, "dice", "--seats", 5, "--games", 3, "--out", tmp_path, "--jobs", 1)
    assert status == 0 and out.startswith("balance: 2 points (0 were there), 3 games a point")
    lines = [json.loads(line) for line in (tmp_path / "balance.jsonl").read_text("utf-8").splitlines()]
    assert {line["policy"] for line in lines} == {"dice"} and all(line["games"] == 3 for line in lines)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["kernel/nobody"], "kernel/nobody"),
        (["kernel/dice", "--seats", 4], "--seats"),
        (["nobody"], "nobody"),
        (["dice", "--targets", "3"], "--targets"),
        (["dice", "--games", 0], "--games"),
    ],
)
def test_a_wrong_option_is_one_clear_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, arguments: list[object], says: str
) -> None:
    status, out, err = run(capsys, *arguments, "--out", tmp_path)
    assert (status, out) == (2, "")
    assert err.startswith("cinderforge: ") and says in err and err.count("\n") == 1
