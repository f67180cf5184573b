"""How a game ends, in the order of the clauses (R7, R8)."""

from __future__ import annotations

import pytest

from cinderforge.rules.ending import ending
from cinderforge.rules.events import GameEnded, Tally
from cinderforge.rules.state import Fired, GameState
from cinderforge.rules.words import Card, Faction, Reason, ScrollId, Turn
from tests.redaction.deals import by_day

CAUGHT = [Card.SAGE, Card.RED_DRAGON]
HUMANS_HAVE_NONE = ((), (Card.BLANK,), (), (Card.ADVENTURER, Card.TWO_HEADED_DRAGON), (Card.SAGE,))


def state(
    tally: Tally, *, spent: bool = False, hands: tuple[tuple[Card, ...], ...] = (), **settings: object
) -> GameState:
    """A = 2, K = 2 at five seats."""
    table, vault = by_day(**{"activation_target": 2, "kill_target": 2, **settings})  # type: ignore[arg-type]
    fired = tuple(Fired(Turn(turn), ScrollId("any"), turn) for turn in range(1, 6 if spent else 3))
    return GameState(table._replace(tally=tally, fired=fired), vault._replace(hands=hands or vault.hands))


def reason(end: GameEnded | None) -> str | None:
    return end.reason.value if end else None


@pytest.mark.parametrize(
    ("tally", "shown", "expected"),
    [
        (Tally(), [], None),
        (Tally(sage_slain=True), CAUGHT, "R7.1"),
        (Tally(True, 2, 2, True), CAUGHT, "R7.1"),
        (Tally(True, 2), [], "R7.2"),
        (Tally(True, 3, 2), [], "R7.2"),
        (Tally(True, 1), [], None),
        (Tally(False, 4), [], None),
        (Tally(False, 3, 2), [], "R7.3"),
        (Tally(False, 0, 3), [], "R7.3"),
        (Tally(True, 1, 1), [], None),
    ],
)
def test_the_first_clause_that_holds_ends_the_game(tally: Tally, shown: list[Card], expected: str | None) -> None:
    assert reason(ending(state(tally), shown)) == expected


@pytest.mark.parametrize(
    ("tally", "shown", "expected"),
    [
        (Tally(sage_slain=True), CAUGHT, None),
        (Tally(False, 0, 2, True), CAUGHT, "R7.3"),
        (Tally(False, 4, 0, True), [], "R8.2"),
        (Tally(False, 4, 2), [], "R8.2"),
        (Tally(True, 4, 2), [], "R7.2"),
        (Tally(False, 3, 0, True), [], None),
    ],
)
def test_where_the_sage_may_fall(tally: Tally, shown: list[Card], expected: str | None) -> None:
    assert reason(ending(state(tally, sage_slain_ends=False), shown)) == expected


def test_scrolls_spent_asks_whether_humans_hold_persons() -> None:
    assert ending(state(Tally(), spent=True), []) == GameEnded(Faction.DRAGON, Reason.SCROLLS_SPENT)
    spent = state(Tally(), spent=True, hands=HUMANS_HAVE_NONE)
    assert ending(spent, []) == GameEnded(Faction.HUMAN, Reason.SCROLLS_SPENT)
    drawn = state(Tally(), spent=True, hands=((Card.MYSTIC,), *HUMANS_HAVE_NONE[1:]))
    assert ending(drawn, []) == GameEnded(Faction.DRAGON, Reason.SCROLLS_SPENT)
