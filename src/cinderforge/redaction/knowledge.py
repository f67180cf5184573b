"""R11 as code: what a player knows of the others beyond the public table, and until when."""

from __future__ import annotations

from collections.abc import Iterable

from cinderforge.redaction.shapes import CardKnown, RoleKnown
from cinderforge.rules.state import GameState
from cinderforge.rules.vault import DrawnCard, Glimpse, Insight, Memory, Peek, Vault
from cinderforge.rules.words import NIGHT_ROLES, Card, Phase, Role, Turn


def night_sighting(state: GameState, turn: Turn) -> list[Turn] | None:
    """The others of the night's set, while the night lasts, for its members (R4.1); longer with the memory aid."""
    table, vault = state
    lasts = table.phase is Phase.NIGHT or (table.settings.memory_aid and table.phase is not Phase.REVEAL)
    return others_at_night(vault, turn) if lasts else None


def others_at_night(vault: Vault, turn: Turn) -> list[Turn] | None:
    """Whom this player sees at night (R4.1), whether it is night or not; None for whoever sees nobody."""
    if vault.roles[turn - 1] not in NIGHT_ROLES:
        return None
    return [Turn(t) for t, role in enumerate(vault.roles, 1) if role in NIGHT_ROLES and t != turn]


def cards_known(state: GameState, turn: Turn) -> list[CardKnown]:
    """Drawn cards that this player surely knows to lie with somebody (R6.3), and a peek while it is shown (R6.9)."""
    found = [(d.holder, d.card) for d in state.vault.drawn if _knows(d, turn)]
    found += [(seen.of, seen.card) for seen in _glimpses(state) if isinstance(seen, Peek) and seen.turn == turn]
    if state.table.settings.memory_aid:
        found += [(m.holder, m.card) for m in state.vault.memories if isinstance(m, Memory) and m.turn == turn]
    return [CardKnown(holder, card) for holder, card in _once(found)]


def roles_known(state: GameState, turn: Turn) -> list[RoleKnown]:
    """Other players' roles: those of an insight while it is shown (R6.10), all after the end (R7.5)."""
    table, vault = state
    if table.phase is Phase.OVER:
        return [RoleKnown(Turn(t), role) for t, role in enumerate(vault.roles, 1) if t != turn]
    seen = [g.roles for g in _glimpses(state) if isinstance(g, Insight) and g.turn == turn]
    learnt: dict[Turn, Role] = {t: role for roles in seen for t, role in roles}
    return [RoleKnown(t, learnt[t]) for t in sorted(learnt)]


def _glimpses(state: GameState) -> list[Glimpse]:
    """What is shown briefly now; with the memory aid, all that ever was."""
    vault = state.vault
    if state.table.settings.memory_aid:
        return [memory for memory in vault.memories if not isinstance(memory, Memory)]
    return [vault.glimpse] if vault.glimpse else []


def _knows(drawn: DrawnCard, turn: Turn) -> bool:
    return (drawn.holder_has and drawn.holder == turn) or (drawn.source_knows and drawn.source == turn)


def _once(found: Iterable[tuple[Turn, Card]]) -> list[tuple[Turn, Card]]:
    return list(dict.fromkeys(found))
