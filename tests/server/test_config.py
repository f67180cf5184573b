"""Settings: from whence, which wins, and what is said of one that cannot be."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from msgspec.structs import fields

from cinderforge.cli.main import main
from cinderforge.server.config import SETTINGS, BadConfig, Config, choose

ROOT = Path(__file__).resolve().parents[2]


def test_every_setting_has_its_line_its_own_name_in_the_environment_and_its_row_in_the_docs() -> None:
    keys = [field.name for field in fields(Config)]
    assert list(SETTINGS) == keys
    assert len({setting.env for setting in SETTINGS.values()}) == len(keys)
    text = (ROOT / "docs" / "run-a-server.md").read_text("utf-8")
    rows = re.findall(r"^\| `(\w+)` \| `(\w+)` \|", text, re.MULTILINE)
    assert rows == [(key, setting.env) for key, setting in SETTINGS.items()]


def test_the_command_line_wins_over_the_environment_and_that_over_the_file(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text('host = "::"\nport = 1\ndata = "there"\nmost_rooms = 7\n')
    chosen = choose({"PORT": "2", "DATA": "", "CINDERFORGE_CONFIG": str(file)}, given={"host": None, "port": 3})
    config = chosen.config
    assert (config.host, config.port, config.data, config.most_rooms) == ("::", 3, Path("there"), 7)
    origins = chosen.origins
    assert (origins["port"], origins["host"], origins["tempo"]) == ("--port", str(file), "default")
    assert choose({"PORT": "2"}, file).config.port == 2
    assert choose({}).config == Config()


def test_text_from_the_environment_is_read_as_what_it_stands_for() -> None:
    env = {
        "METRICS_PORT": " 9000 ",
        "CINDERFORGE_TEMPO": "2.5",
        "CINDERFORGE_TRUSTED_PROXIES": "10.0.0.0/8, ::1",
        "CINDERFORGE_PUBLIC_URL": "https://cinder.example:8443/",
    }
    config = choose(env).config
    assert (config.metrics_port, config.tempo) == (9000, 2.5)
    assert config.trusted_proxies == ("10.0.0.0/8", "::1")
    assert config.public_url == "https://cinder.example:8443/"


@pytest.mark.parametrize(
    ("env", "found"),
    [
        ({"PORT": "no"}, "PORT: expected a whole number from 0 to 65535, found 'no'"),
        ({"PORT": "65536"}, "PORT: expected a whole number from 0 to 65535, found '65536'"),
        ({"CINDERFORGE_TEMPO": "nan"}, "CINDERFORGE_TEMPO: expected a number from 0.01 to 1000, found 'nan'"),
        ({"CINDERFORGE_CONN": "tcp"}, "CINDERFORGE_CONN: expected picows or starlette, found 'tcp'"),
        (
            {"CINDERFORGE_MOST_ROOMS": "0"},
            "CINDERFORGE_MOST_ROOMS: expected a whole number from 1 to 1000000, found '0'",
        ),
        (
            {"CINDERFORGE_LOG_LEVEL": "loud"},
            "CINDERFORGE_LOG_LEVEL: expected debug, info, warning or error, found 'loud'",
        ),
        ({"CINDERFORGE_PUBLIC_URL": "cinder.example"}, "CINDERFORGE_PUBLIC_URL: expected an address"),
        ({"CINDERFORGE_PUBLIC_URL": "http://[x/"}, "CINDERFORGE_PUBLIC_URL: expected an address"),
        ({"CINDERFORGE_PUBLIC_URL": "https://cinder.example/game"}, "CINDERFORGE_PUBLIC_URL: expected an address"),
        ({"CINDERFORGE_TRUSTED_PROXIES": "10.0.0.1/8"}, "CINDERFORGE_TRUSTED_PROXIES: expected addresses or networks"),
    ],
)
def test_a_setting_that_cannot_be_is_named(env: dict[str, str], found: str) -> None:
    with pytest.raises(BadConfig, match=re.escape(found)):
        choose(env)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('port = "80"', "a.toml: port: expected a whole number from 0 to 65535, found '80'"),
        ("port = true", "a.toml: port: expected a whole number from 0 to 65535, found True"),
        ("data = 5", "a.toml: data: expected a folder, found 5"),
        ('host = ""', "a.toml: host: expected an address to listen on, found ''"),
        ('trusted_proxies = "::1"', "a.toml: trusted_proxies: expected addresses or networks"),
        ("prot = 80", "found 'prot'"),
        ("port 80", "a.toml: expected TOML, found: Expected '='"),
        ("\N{LATIN SMALL LETTER E WITH ACUTE} = 1", "a.toml: expected TOML"),
    ],
)
def test_a_file_that_cannot_be_is_named_with_the_key(tmp_path: Path, text: str, found: str) -> None:
    file = tmp_path / "a.toml"
    file.write_text(text, "latin-1")
    with pytest.raises(BadConfig, match=re.escape(found)):
        choose({}, file)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadConfig, match=r"none.toml: expected a file of settings, found: No such file"):
        choose({}, tmp_path / "none.toml")


def test_what_is_printed_is_a_file_that_chooses_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.toml"
    file.write_text('data = "a \\"quoted\\" \\\\ 灼焰\\tfolder"\nmetrics_port = 9\ntrusted_proxies = []\n')
    assert main(["config", "--config", str(file), "--port", "4"]) == 0
    printed = capsys.readouterr().out
    assert "port = 4  # --port" in printed
    assert f"metrics_port = 9  # {file}" in printed
    assert "# public_url is not set" in printed
    again = tmp_path / "b.toml"
    again.write_text(printed)
    assert tomllib.loads(printed)["data"] == 'a "quoted" \\ 灼焰\tfolder'
    assert choose({}, again).config == choose({}, file, {"port": 4}).config


def test_the_command_says_what_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", "--port", "70000"]) == 2
    assert capsys.readouterr().err == "cinderforge: --port: expected a whole number from 0 to 65535, found 70000\n"
