"""公開身分來源 (R6.2): this round's cards are shown with whoever played them."""

from cinderforge.rules.events import Event, Marked
from cinderforge.rules.marks import SourcesOpen
from cinderforge.rules.scrolls.scroll import Firing, Scroll
from cinderforge.rules.state import GameState
from cinderforge.rules.words import ScrollId


def _effect(state: GameState, firing: Firing) -> tuple[Event, ...]:
    return (Marked(SourcesOpen()),)


SCROLL = Scroll(ScrollId("reveal_sources"), _effect)
