"""A real server in a process of its own, on a port and a database that are its alone."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Self


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class ServerProcess:
    """`cinderforge serve`; time runs `tempo` times as fast as for people. `program` is Python that runs it instead."""

    def __init__(
        self,
        data: Path,
        tempo: float = 20,
        conn: str = "picows",
        env: Mapping[str, str] | None = None,
        program: str = "",
    ) -> None:
        self.port = free_port()
        self.data = data
        self._env = os.environ | {"CINDERFORGE_TEMPO": str(tempo), "CINDERFORGE_CONN": conn, **(env or {})}
        self._program = ["-c", program] if program else ["-m", "cinderforge.cli.main"]
        self.said = data / "stderr.txt"
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        command = [sys.executable, *self._program, "serve", "--port", str(self.port), "--data", str(self.data)]
        with self.said.open("ab") as said:
            self.process = subprocess.Popen(command, env=self._env, stderr=said)
        end = time.monotonic() + 20
        while time.monotonic() < end:
            assert self.process.poll() is None, f"the server ended by itself: {self.said.read_text()}"
            try:
                with urllib.request.urlopen(f"{self.address}/healthz", timeout=1):
                    return
            except OSError:
                time.sleep(0.03)
        raise AssertionError("the server does not answer")

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def ticket(self, code: str, cookie: str) -> str:
        """For the next socket of this cookie into a room. Raises OSError while the server is away."""
        request = urllib.request.Request(
            f"{self.address}/api/rooms/{code}/ticket", b"", {"Cookie": cookie}, method="POST"
        )
        with urllib.request.urlopen(request, timeout=5) as answer:
            ticket: str = json.load(answer)["ticket"]
            return ticket

    def opened(self, cookie: str, name: str) -> str:
        """The code of a room that this person has just made."""
        request = urllib.request.Request(
            f"{self.address}/api/rooms", json.dumps({"name": name}).encode(), {"Cookie": cookie}, method="POST"
        )
        with urllib.request.urlopen(request, timeout=5) as answer:
            code: str = json.load(answer)["code"]
            return code

    def kill(self) -> None:
        """As a power cut or the kernel would: nothing is said, nothing is saved."""
        assert self.process
        self.process.kill()
        self.process.wait()

    def stop(self, how: signal.Signals = signal.SIGINT) -> int:
        """As Ctrl-C would; gives the exit status."""
        assert self.process
        self.process.send_signal(how)
        return self.process.wait(40)
