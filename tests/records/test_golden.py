"""Old records stay readable and true, and show every eye what they showed when they were made."""

from __future__ import annotations

import pytest

from cinderforge.records.record import read, write
from cinderforge.records.verify import verify
from cinderforge.rules.settings import MAX_SEATS, MIN_SEATS
from tools.make_records import GOLDEN, files, told

SIZES = range(MIN_SEATS, MAX_SEATS + 1)


def line_of(seats: int) -> str:
    return (GOLDEN / f"{seats}.cinder.jsonl").read_text("utf-8").removesuffix("\n")


@pytest.mark.parametrize("seats", SIZES)
def test_a_golden_record_reads_verifies_and_writes_the_same(seats: int) -> None:
    record = read(line_of(seats))
    assert record.settings.seats == seats
    assert verify(record) == []
    assert write(record) == line_of(seats)


@pytest.mark.parametrize("seats", SIZES)
def test_every_eye_is_shown_what_it_was_shown(seats: int) -> None:
    written = (GOLDEN / f"{seats}.txt").read_text("utf-8").splitlines()
    assert list(told(read(line_of(seats)))) == written


def test_the_golden_files_are_those_that_the_tool_makes() -> None:
    assert set(GOLDEN.iterdir()) == set(files())
    assert [path.name for path, text in files().items() if path.read_text("utf-8") != text] == []
