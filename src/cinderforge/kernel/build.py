"""Compiles the kernel: `python src/cinderforge/kernel/build.py`. The build of a wheel and `make setup` call it, too.

One extension serves every later Python (the stable ABI), and is built anew only when a source has changed.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent
HEADERS = ("kernel.h", "net.h", "belief.h", "search.h")
"""What Python may call; other headers are between C files."""
MODULE = "cinderforge.kernel._kernel"
OUT = HERE / "_kernel.abi3.so"
STAMP = HERE / ".stamp"
FLAGS = ("-std=gnu11", "-O3", "-fPIC", "-shared", "-fvisibility=hidden", "-Wall", "-Wextra", "-g0")
REMEDY = (
    "the compiled kernel needs a C compiler and Python's headers (on Debian: apt-get install gcc libc6-dev python3-dev)"
)


def sources() -> list[Path]:
    return sorted([*HERE.glob("*.c"), *HERE.glob("*.h")])


def fingerprint() -> str:
    """One digest over all that the extension is made of."""
    digest = hashlib.sha256()
    for path in [Path(__file__), *sources()]:
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def is_fresh() -> bool:
    """True if there is nothing to build."""
    return OUT.exists() and STAMP.exists() and STAMP.read_text("utf-8") == fingerprint()


def declarations() -> str:
    """The headers as cffi reads them: without directives, but for numbers that have a name."""
    text = "\n".join((HERE / name).read_text("utf-8") for name in HEADERS)
    return re.sub(r"(?m)^\s*#(?!define +\w+ +\d+\s*$).*$", "", text)


def compiler() -> list[str]:
    """The compiler of CC, else the machine's. Raises SystemExit where there is none."""
    named = shlex.split(os.environ.get("CC", ""))
    found = named or [path for path in map(shutil.which, ("gcc", "cc", "clang")) if path][:1]
    if not found or shutil.which(found[0]) is None:
        raise SystemExit(f"{REMEDY}: no compiler found")
    return found


def compile_to(out: Path, folder: Path = HERE, flags: Sequence[str] = ()) -> None:
    """Compiles the C files of a folder into an extension. Raises SystemExit with the compiler's words."""
    from cffi import FFI

    include = sysconfig.get_path("include")
    if not (Path(include) / "Python.h").exists():
        raise SystemExit(f"{REMEDY}: there is no {include}/Python.h")
    ffi = FFI()
    ffi.cdef(declarations())
    ffi.set_source(MODULE, "\n".join(f'#include "{name}"' for name in HEADERS), compiler_verbose=0)
    with tempfile.TemporaryDirectory() as work:
        glue, made = Path(work) / "_kernel.c", Path(work) / out.name
        ffi.emit_c_code(str(glue))
        command = [*compiler(), *FLAGS, *flags, f"-I{folder}", f"-I{include}", str(glue)]
        command += [*map(str, sorted(folder.glob("*.c"))), "-o", str(made), "-lm"]
        done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if done.returncode:
            sys.stderr.write(done.stdout)
            raise SystemExit(f"compiling the kernel failed: {shlex.join(command[:1])} said the above")
        out.parent.mkdir(parents=True, exist_ok=True)
        # First beside, then in place: who has the old one open keeps it.
        beside = out.with_suffix(f".{os.getpid()}")
        shutil.copyfile(made, beside)
        beside.replace(out)


def build(*, force: bool = False) -> str:
    """Makes the extension what the sources say, and tells in one word what was done."""
    if not force and is_fresh():
        return "fresh"
    before = fingerprint()
    compile_to(OUT)
    STAMP.write_text(before, "utf-8")
    return "built"


if __name__ == "__main__":
    print(f"kernel: {build(force='--force' in sys.argv[1:])}")
