"""The kernel is built where a source has changed, and says what it lacks."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from cinderforge.kernel import build


def test_what_is_fresh_is_not_built_again() -> None:
    assert build.is_fresh(), "a source is newer than the extension: python src/cinderforge/kernel/build.py"
    assert build.build() == "fresh"


def test_without_a_compiler_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(SystemExit, match=r"apt-get install gcc .*no compiler found"):
        build.compile_to(tmp_path / "out.so")


def test_a_fault_in_the_source_fails_the_build(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "kernel.h").write_text((build.HERE / "kernel.h").read_text("utf-8"), "utf-8")
    (tmp_path / "rules.c").write_text("int broken(", "utf-8")
    with pytest.raises(SystemExit, match="compiling the kernel failed"):
        build.compile_to(tmp_path / "out.so", tmp_path)
    assert "rules.c" in capfd.readouterr().err
    assert not (tmp_path / "out.so").exists()


def test_without_the_extension_the_import_says_how_to_make_it() -> None:
    program = "import sys; sys.modules['cinderforge.kernel._kernel'] = None; import cinderforge.kernel"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "python src/cinderforge/kernel/build.py makes it" in done.stderr
