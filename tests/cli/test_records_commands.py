"""`simulate`, `verify` and `show`: what they print, how they end, and that a seed is a seed."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cinderforge.bots import BOTS
from cinderforge.cli.main import main

BOT = "dice"


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    status = main([str(one) for one in arguments])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def simulate(capsys: pytest.CaptureFixture[str], file: Path, *more: object, games: int = 6) -> str:
    status, out, err = run(capsys, "simulate", "--games", games, "--bots", BOT, "--records", file, *more)
    assert (status, err) == (0, "")
    return out


@pytest.fixture
def games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    file = tmp_path / "games.cinder.jsonl"
    simulate(capsys, file, "--seats", 6, "--seed", "cli")
    return file


def alter(file: Path, number: int, **fields: Any) -> None:
    lines = file.read_text("utf-8").splitlines()
    lines[number - 1] = json.dumps(json.loads(lines[number - 1]) | fields)
    file.write_text("\n".join(lines) + "\n", "utf-8")


# -- simulate ----------------------------------------------------------------------------------------------------------


def test_a_summary_as_json_has_the_promised_keys(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "simulate", "--games", 20, "--bots", BOT, "--json")
    summary = json.loads(out)
    assert status == 0
    assert summary["games"] == 20 == sum(summary["reasons"].values())
    assert 0 <= summary["human_win_rate"] <= 1
    assert set(summary["reasons"]) <= {"R7.1", "R7.2", "R7.3", "R7.4", "R8.2"}
    assert 1 <= summary["mean_rounds"] <= 8


def test_a_summary_as_text_names_rates_intervals_reasons_and_rounds(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "simulate", "--games", 20, "--bots", BOT, "--seats", 5)
    assert status == 0
    for word in ("20 games, 5 seats", "human", "dragon", "95 %", "R7.", "rounds"):
        assert word in out


def test_a_seed_gives_the_same_games_in_one_process_or_two(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [tmp_path / name for name in ("one", "two", "other")]
    outs = [
        simulate(capsys, file, "--seed", seed, "--jobs", jobs, games=120)
        for file, seed, jobs in zip(files, ("a", "a", "b"), (1, 2, 1), strict=True)
    ]
    assert outs[0] == outs[1]
    one, two, other = (file.read_bytes() for file in files)
    assert one == two
    assert one != other


@pytest.mark.parametrize("option", ["--humans", "--dragons"])
def test_each_faction_may_have_its_own_bot(tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str) -> None:
    other = next(name for name in BOTS if name != BOT)
    file = tmp_path / "games"
    simulate(capsys, file, option, other, games=2)
    humans = {"sage", "mystic", "adventurer"}
    for line in file.read_text("utf-8").splitlines():
        raw = json.loads(line)
        for player, role in zip(raw["players"], raw["deal"]["roles"], strict=True):
            expected = other if (role in humans) == (option == "--humans") else BOT
            assert player["name"].startswith(expected)
            assert player["kind"] == "ai"


def test_settings_of_the_rules_are_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "games"
    pairs = ("sage_slain_ends=false", "first_holder=vote", "act_last_lasts=game", "activation_target=3")
    simulate(capsys, file, *(word for pair in pairs for word in ("--set", pair)), games=1)
    assert json.loads(file.read_text("utf-8"))["settings"] == {
        "seats": 8,
        "first_holder": "vote",
        "sage_slain_ends": False,
        "activation_target": 3,
        "kill_target": 3,
        "act_last_lasts": "game",
    }
    assert run(capsys, "verify", file)[0] == 0


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--seats", "4"], "--seats: expected a whole number from 5 to 10, found 4"),
        (["--games", "0"], "--games: expected 1 or more, found 0"),
        (["--bots", "nobody"], "--bots: expected one of "),
        (["--dragons", "nobody"], "--dragons: expected one of "),
        (["--set", "speed"], "--set: expected KEY=VALUE, found 'speed'"),
        (["--set", "speed=9"], "--set speed: expected one of "),
        (["--set", "first_holder=host"], "--set first_holder: expected random or vote, found 'host'"),
        (["--records", "/nowhere/at/all"], "/nowhere/at/all: No such file or directory"),
    ],
)
def test_a_wrong_option_is_one_clear_line(capsys: pytest.CaptureFixture[str], arguments: list[str], says: str) -> None:
    status, out, err = run(capsys, "simulate", "--games", 1, *arguments)
    assert (status, out) == (2, "")
    assert err.startswith(f"cinderforge: {says}")
    assert err.count("\n") == 1


# -- verify ------------------------------------------------------------------------------------------------------------


def test_verify_names_each_game_and_ends_well(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "verify", games)
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        *(f"ok       {games}:{line}" for line in range(1, 7)),
        "6 of 6 games verified, no difference",
    ]


def test_verify_names_the_line_that_differs(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    alter(games, 4, result={"winner": "human", "reason": "R7.4", "rounds": 77})
    status, out, _ = run(capsys, "verify", "--quiet", games)
    assert status == 1
    *lines, last = out.splitlines()
    assert lines and all(line.startswith(f"DIFFERS  {games}:4: ") for line in lines)
    assert any("result, rounds: expected " in line and line.endswith("found 77") for line in lines)
    assert last == "5 of 6 games verified, 1 DIFFER"


def test_verify_goes_on_after_a_line_that_is_no_game(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    alter(games, 2, format="cinderforge-record/9")
    status, out, _ = run(capsys, "verify", games)
    assert status == 1
    assert f"DIFFERS  {games}:2: expected format cinderforge-record/1" in out
    assert f"ok       {games}:6" in out


def test_verify_takes_many_files_and_many_processes(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As many as make it worth its while, in the order of the files."""
    status, out, _ = run(capsys, "verify", "--jobs", 2, *[games] * 90)
    assert status == 0
    assert out.splitlines()[-1] == "540 of 540 games verified, no difference"
    assert out.splitlines()[:6] == [f"ok       {games}:{line}" for line in range(1, 7)]


def test_empty_lines_are_passed_over(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games.write_bytes(b"\r\n" + games.read_bytes().replace(b"\n", b"\r\n\r\n"))
    assert run(capsys, "verify", games)[0] == 0


@pytest.mark.parametrize("command", ["verify", "show"])
@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, ": No such file or directory"),
        (b"", ": expected a game"),
        (b"\xff\xfe", ":1: expected text in UTF-8, found invalid start byte"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_clear_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, content: bytes | None, says: str
) -> None:
    file = tmp_path / "broken"
    if content is not None:
        file.write_bytes(content)
    status, out, err = run(capsys, command, file)
    assert (status, out) == (2, "")
    assert err.startswith(f"cinderforge: {file}{says}")
    assert err.count("\n") == 1


# -- show --------------------------------------------------------------------------------------------------------------


def test_show_tells_a_game_with_hindsight(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "show", games, "--game", 3)
    raw = json.loads(games.read_text("utf-8").splitlines()[2])
    assert status == 0
    for player, role, scroll in zip(raw["players"], raw["deal"]["roles"], raw["deal"]["scrolls"], strict=True):
        assert f"  {player['turn']} {player['name']}: {role}, " in out
        assert scroll in out
    assert f"round {raw['result']['rounds']}" in out
    assert f"{raw['result']['winner']}s win ({raw['result']['reason']})" in out


def test_show_as_a_player_hides_what_that_player_did_not_see(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    raw = json.loads(games.read_text("utf-8").splitlines()[0])
    shadow = raw["deal"]["roles"].index("shadow_dragon") + 1
    status, out, _ = run(capsys, "show", games, "--as", shadow)
    assert status == 0
    before_the_end = out.split("s win (")[0]
    assert f"you are {shadow} {BOT}" in before_the_end
    assert "you see" not in before_the_end  # R4.1
    assert not any(f": {role}, {role}" in before_the_end for role in ("sage", "mystic", "adventurer", "red_dragon"))


def test_every_player_of_every_game_can_be_looked_over_the_shoulder(
    games: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(1, 7):
        for turn in range(1, 7):
            status, out, _ = run(capsys, "show", games, "--game", number, "--as", turn)
            assert status == 0
            assert f"you are {turn} " in out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--as", "7"], "--as: expected a turn from 1 to 6, found 7"),
        (["--as", "0"], "--as: expected a turn from 1 to 6, found 0"),
        (["--game", "7"], "expected a game number 7, found 6 game(s)"),
    ],
)
def test_show_refuses_what_is_not_there(
    games: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], says: str
) -> None:
    status, out, err = run(capsys, "show", games, *arguments)
    assert (status, out) == (2, "")
    assert says in err


def test_show_says_where_a_game_goes_astray(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    raw = json.loads(games.read_text("utf-8").splitlines()[0])
    raw["moves"][-1][2]["slain"] += 5
    alter(games, 1, moves=raw["moves"])
    status, _, err = run(capsys, "show", games)
    assert status == 2
    assert f"{games}:1: expected move {len(raw['moves'])}: ['resolve', " in err


# -- the command as a process --------------------------------------------------------------------------------------


def test_a_reader_that_has_enough_is_no_error(games: Path) -> None:
    command = [sys.executable, "-m", "cinderforge.cli.main", "verify", *[str(games)] * 80]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout and process.stderr
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 0


@pytest.mark.parametrize("arguments", [[], ["dance"], ["show"], ["simulate", "--games", "many"]])
def test_the_command_line_itself_may_be_wrong(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert "usage: cinderforge" in capsys.readouterr().err


def test_a_port_that_cannot_be_had_is_told_in_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        wrong = "cinderforge: --port: expected a whole number from 0 to 65535, found 99999"
        for asked, why in ((port, f"cinderforge serve: 127.0.0.1:{port}: "), (99_999, wrong)):
            status, out, err = run(capsys, "serve", "--port", asked, "--data", tmp_path)
            assert (status, out, err.count("\n")) == (2, "", 1)
            assert err.startswith(why)


def test_a_folder_of_scenarios_is_walked_to_the_bottom(capsys: pytest.CaptureFixture[str]) -> None:
    there = sum(1 for _ in Path("scenarios/scrolls").rglob("*.scenario.yaml"))
    status, out, _ = run(capsys, "scenario", "scenarios/scrolls")
    assert (status, out.splitlines()[-1]) == (0, f"{there} of {there} scenarios hold")
