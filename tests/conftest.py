"""What all tests share."""

from __future__ import annotations

import pytest


@pytest.fixture
def anyio_backend() -> str:
    """Our loops are asyncio's; where uvloop is tried as well, the tests say so themselves."""
    return "asyncio"
