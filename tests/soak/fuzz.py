"""Looks for ways through the code that a message can take: `python -m tests.soak.fuzz --seconds 600`, in `make soak`.

Coverage-guided (atheris, which `requirements/soak.lock` brings). Lines are messages to one visitor's socket; whatever
raises there, or breaks what tests/wire/test_fuzz.py asks of an answer, is printed and written down as a file.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["cinderforge"], exclude=["cinderforge.testkit"]):
    from tests.wire.desk import Desk
    from tests.wire.test_fuzz import KINDS, MOMENTS, NONSENSE, check, tag_of

EXAMPLES = (
    b'{"t":"hello","protocol":1,"game":1,"heard":3,"lines":2}',
    b'{"t":"ping","n":1}',
    b'{"t":"join","id":"a","name":"Ann"}\n{"t":"watch","id":"b","name":"Ann"}\n{"t":"leave","id":"c"}',
    b'{"t":"rename","id":"a","name":"Ann"}\n{"t":"ready","id":"b","ready":true}\n{"t":"hold","id":"c"}',
    b'{"t":"fill","id":"a","seat":3,"level":"plain"}\n{"t":"clear","id":"b","seat":3}\n{"t":"start","id":"c"}',
    b'{"t":"kick","id":"a","member":2}\n{"t":"let_back","id":"b","member":2}\n{"t":"hand_on","id":"c","member":2}',
    b'{"t":"change","id":"a","settings":{"seats":5,"timers":{"play":null},"preset":"fast","memory_aid":true}}',
    b'{"t":"poll","id":"a","poll":"replace","seat":2,"on":true}\n{"t":"mute","id":"b","member":2,"on":true}',
    b'{"t":"say","id":"a","text":"hello","sure":true}\n{"t":"phrase","id":"b","phrase":"hello"}',
    b'{"t":"report","id":"a","member":2,"text":"rude"}\n{"t":"contribute","id":"b","bytes":"abababababababababababababababab"}',
    b'{"t":"seen","id":"a"}\n{"t":"rematch","id":"b"}\n{"t":"vote","id":"c","target":1}\n{"t":"pass","id":"d","to":1}',
    b'{"t":"targets","id":"a","targets":[1,2]}\n{"t":"pick_card","id":"b","position":1}\n{"t":"skip","id":"c"}',
    b'{"t":"play","id":"a","card":"blank"}',
    b'{"t":"claim","id":"a","claim":{"claim":"role","turn":2,"role":"sage"}}',
    b'{"t":"claim","id":"a","claim":{"claim":"suspect","turn":2,"because":[3]}}',
    b'{"t":"claim","id":"a","claim":{"claim":"intend","act":"play","card":"blank"}}',
    b'{"t":"mark","id":"a","turn":2,"faction":"dragon","role":"red_dragon","trust":-2}\n{"t":"share_notes","id":"b"}',
    b'{"t":"note","id":"a","turn":2,"text":"odd"}\n{"t":"note","id":"b","text":"a\\nb"}',
)


def one(data: bytes) -> None:
    """The first byte says at which moment and who; then each line is a message."""
    if not data:
        return
    desk = Desk(MOMENTS[data[0] % len(MOMENTS)], is_member=bool(data[0] & 64))
    for line in data[1:].split(b"\n")[:8]:
        if desk.line.closed is None:
            desk.counter.inputs.clear()
            check(desk, line)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("files", nargs="*", help="what was found before, to be played again")
    given = parser.parse_args()
    if given.files:
        for name in given.files:
            one(Path(name).read_bytes())
        return
    with tempfile.TemporaryDirectory() as folder, tempfile.NamedTemporaryFile("w", suffix=".dict") as words:
        words.write("".join(f'"\\"{word}\\""\n' for word in sorted(_words())))
        words.flush()
        for number, example in enumerate([*EXAMPLES, *(text for text in NONSENSE.values() if len(text) < 4000)]):
            for first in (b"@", b"A", b"B", b"C", b"D", b"\x00"):
                (Path(folder) / f"{number}{first.hex()}").write_bytes(first + example)
        limits = [f"-max_total_time={given.seconds}", "-max_len=2000", "-timeout=20", "-print_final_stats=1"]
        atheris.Setup([sys.argv[0], *limits, f"-dict={words.name}", folder], one)
        atheris.Fuzz()


def _words() -> set[str]:
    """Kinds and keys of all messages."""
    return {tag_of(kind) for kind in KINDS} | {key for kind in KINDS for key in kind.__struct_fields__}


if __name__ == "__main__":
    main()
