"""The kinds of player that `scripts.c` knows, as numbers and by name; 0 is none of them: a net."""

from __future__ import annotations

from typing import Final

NET, DICE, SKIPPER, PLAIN, EAGER, BLANKS = range(6)
SCRIPTS: Final = {"dice": DICE, "skipper": SKIPPER, "plain": PLAIN, "eager": EAGER, "blanks": BLANKS}
