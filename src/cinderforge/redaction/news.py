"""Event → what an eye is told of it, or nothing. News is built from nothing and holds no private thing.

What is private (a drawn or peeked card, roles learnt, one's own play) is shown in the view while it may be seen, so
that hearing the news again after a reload brings nothing back (R4.2, R6.10). Hence every eye is told the same.
"""

from __future__ import annotations

from typing import assert_never

from cinderforge.redaction import shapes
from cinderforge.redaction.eye import Eye
from cinderforge.redaction.view import mark_view, tally_view
from cinderforge.rules import events as e
from cinderforge.rules.words import How


def tell(event: e.Event, eye: Eye) -> shapes.News | None:
    """What this eye hears of an event; None where it must not notice that anything happened (R6.10)."""
    return _news(event)


def _news(event: e.Event) -> shapes.News | None:
    match event:
        case e.NightBegan():
            return shapes.NightFell()
        case e.NightEnded():
            return shapes.NightOver()
        case e.BallotCast(turn, _, how):
            return shapes.Voted(turn, how)
        case e.VoteClosed(ballots):
            return shapes.VoteOpened(list(ballots))
        case e.FirstHolderFound(turn):
            return shapes.FirstHolder(turn)
        case e.RoundBegan(number):
            return shapes.RoundStarted(number)
        case e.CrystalPassed(giver, to, how):
            return shapes.Passed(giver, to, how)
        case e.ScrollShown(turn, scroll, _):
            return shapes.ScrollUnrolled(turn, scroll)
        case e.TargetsChosen(turn, targets, how):
            return shapes.TargetsNamed(turn, list(targets), how)
        case e.CardsFanned(turn, of, row):
            return shapes.RowLaid(turn, of, len(row))
        case e.CardDrawn(drawer, source, _, _):
            return shapes.Drawn(drawer, source)
        case e.CardGiven(giver, to, card):
            return shapes.Given(giver, to, card)
        case e.CardPeeked(turn, of, _):
            return shapes.Peeked(turn, of)
        case e.RolesLearned():
            return None
        case e.Marked(mark):
            return shapes.MarkSet(mark_view(mark))
        case e.ScrollSettled(turn, scroll, _, _, effect, how):
            return shapes.ScrollDone(turn, scroll, effect, how)
        case e.PlayBegan(order):
            return shapes.OrderSet(list(order))
        case e.AnnouncementEnded():
            return shapes.AnnouncementOver()
        case e.CardPlayed(turn, _, _, how):
            return shapes.Acted(turn, "played", how)
        case e.Skipped(turn, how):
            return shapes.Acted(turn, "skipped", how)
        case e.PassedOver(turn):
            return shapes.Acted(turn, "empty", How.OWN)
        case e.CardsResolved(cards, sources, tally):
            return shapes.Resolved(
                list(cards),
                None if sources is None else list(sources),
                tally_view(tally),
            )
        case e.GameEnded(winner, reason):
            return shapes.Ended(winner, reason)
        case _:
            assert_never(event)
