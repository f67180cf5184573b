"""洞悉賢者秘術師 (R6.10): the shadow dragon secretly learns who is sage and who mystic; nobody else learns anything."""

from cinderforge.rules.events import Event, RolesLearned
from cinderforge.rules.scrolls.scroll import Firing, Scroll
from cinderforge.rules.state import GameState
from cinderforge.rules.words import Role, ScrollId, Turn

_SHOWN = (Role.SAGE, Role.MYSTIC)


def _effect(state: GameState, firing: Firing) -> tuple[Event, ...]:
    roles = state.vault.roles
    if roles[firing.turn - 1] is not Role.SHADOW_DRAGON:
        return ()
    return (
        RolesLearned(
            firing.turn,
            tuple((Turn(t), role) for t, role in enumerate(roles, 1) if role in _SHOWN),
        ),
    )


SCROLL = Scroll(ScrollId("insight"), _effect, seconds=8)
