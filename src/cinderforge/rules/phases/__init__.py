"""Which phase is in force when, and what each leads to (the picture in docs/architecture.md is drawn from here)."""

from __future__ import annotations

from typing import Final

from cinderforge.rules.words import Phase

LEADS_TO: Final[dict[Phase, tuple[Phase, ...]]] = {
    Phase.REVEAL: (Phase.NIGHT,),
    Phase.NIGHT: (Phase.VOTE, Phase.PASS),
    Phase.VOTE: (Phase.PASS,),
    Phase.PASS: (Phase.SCROLL, Phase.PLAY, Phase.PASS, Phase.OVER),
    Phase.SCROLL: (Phase.PLAY, Phase.PASS, Phase.OVER),
    Phase.PLAY: (Phase.PASS, Phase.OVER),
    Phase.OVER: (),
}
"""Pass → pass and scroll → pass: a round in which nobody holds a card resolves at once."""
