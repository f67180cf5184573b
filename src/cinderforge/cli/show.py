"""`cinderforge show FILE`: a readable game, with hindsight or as one player saw it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import chain

from cinderforge.cli.problem import Problem, lines_of
from cinderforge.records.record import BadRecord, Record, read
from cinderforge.records.verify import chronicle_of, start_of
from cinderforge.redaction import shapes as s
from cinderforge.redaction.eye import HINDSIGHT, Eye, PlayerEye
from cinderforge.redaction.news import tell
from cinderforge.redaction.view import view
from cinderforge.rules.evolve import evolve
from cinderforge.rules.state import GameState
from cinderforge.rules.words import Phase, Turn


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("show", help="print a recorded game", description=__doc__)
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("--game", type=int, metavar="N", default=1, help="which game of the file, from 1")
    parser.add_argument("--as", type=int, metavar="TURN", dest="turn", help="as the player with this turn saw it")
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    number, record = _game(args.file, args.game)
    count = record.settings.seats
    if args.turn is not None and not 1 <= args.turn <= count:
        raise Problem(f"--as: expected a turn from 1 to {count}, found {args.turn}")
    try:
        for told in _told(record, None if args.turn is None else Turn(args.turn)):
            print(told)
    except BadRecord as bad:
        raise Problem(f"{args.file}:{number}: {bad}") from None
    return 0


def _game(file: str, wanted: int) -> tuple[int, Record]:
    """The line of a file's n-th game, and the game."""
    found = 0
    for number, line in lines_of(file):
        found += 1
        if found == wanted:
            try:
                return number, read(line, file, number)
            except BadRecord as bad:
                raise Problem(str(bad)) from None
    raise Problem(f"{file}: expected a game number {wanted}, found {found} game(s)")


def _told(record: Record, turn: Turn | None) -> Iterator[str]:
    names = {Turn(t): f"{t} {player.name}" for t, player in enumerate(record.players, 1)}
    eye: Eye = HINDSIGHT if turn is None else PlayerEye(turn)
    state = start_of(record)
    yield _headline(record)
    yield from _before(record, state, turn, names)
    known: list[str] = [] if turn is None else _private(state, turn, names)
    for event in chain.from_iterable(events for events, _ in chronicle_of(record)):
        state = evolve(state, event)
        news = tell(event, eye)
        if news is not None:
            yield from _lines(news, names)
        if turn is not None and state.table.phase is not Phase.SCROLL:  # a scroll is half unrolled there
            now = _private(state, turn, names)
            yield from (f"    ({line})" for line in now if line not in known)
            known = now
        elif turn is None and isinstance(news, s.Resolved):
            plays = state.vault.played[-1]
            yield "    " + ", ".join(f"{names[who]}: {card}" for who, card in plays) if plays else "    nobody played"
    yield from _after(state, names)


def _headline(record: Record) -> str:
    rules = record.settings
    return (
        f"{rules.seats} seats, A {rules.activation_target}, K {rules.kill_target}, first holder {rules.first_holder}, "
        f"sage slain ends {'yes' if rules.sage_slain_ends else 'no'}, act last lasts the {rules.act_last_lasts}"
    )


def _before(record: Record, state: GameState, turn: Turn | None, names: dict[Turn, str]) -> Iterator[str]:
    if turn is None:
        for t, name in names.items():
            deal = record.deal
            yield f"  {name}: {deal.roles[t - 1]}, {', '.join(deal.hands[t - 1])}; {deal.scrolls[t - 1]}"
        return
    you = view(state, PlayerEye(turn)).you
    assert you
    yield f"  you are {names[turn]}: {you.role}, {', '.join(you.hand)}; {you.scroll}"


def _private(state: GameState, turn: Turn, names: dict[Turn, str]) -> list[str]:
    """What this player alone sees now, apart from role and hand."""
    you = view(state, PlayerEye(turn)).you
    assert you
    if state.table.phase is Phase.OVER:
        return []
    lines = [f"your hand: {', '.join(you.hand) or 'nothing'}"]
    if you.night is not None:
        lines.append("you see " + ", ".join(names[t] for t in you.night))
    if you.played is not None:
        lines.append(f"you played {you.played}")
    lines += [f"you know that {names[one.turn]} holds {one.card}" for one in you.knows_cards]
    lines += [f"you learn that {names[one.turn]} is {one.role}" for one in you.knows_roles]
    return lines


def _lines(news: s.News, names: dict[Turn, str]) -> Iterator[str]:
    match news:
        case s.NightFell():
            yield "night falls"
        case s.NightOver():
            yield "day breaks"
        case s.Voted(turn, how):
            yield f"  {names[turn]} has voted{_by(how)}"
        case s.VoteOpened(ballots):
            shown = (f"{t}→{'nobody' if to is None else to}" for t, to in enumerate(ballots, 1))
            yield f"  the vote: {', '.join(shown)}"
        case s.FirstHolder(turn):
            yield f"  {names[turn]} holds the crystal first"
        case s.RoundStarted(number):
            yield f"round {number}"
        case s.Passed(giver, to, how):
            yield f"  {names[giver]} passes the crystal to {names[to]}{_by(how)}"
        case s.ScrollUnrolled(turn, scroll):
            yield f"  {names[turn]}'s scroll: {scroll}"
        case s.TargetsNamed(_, targets, how):
            yield f"    on {', '.join(names[t] for t in targets)}{_by(how)}"
        case s.Drawn(drawer, source):
            yield f"    {names[drawer]} draws a card of {names[source]}"
        case s.Given(_, to, card):
            yield f"    {names[to]} gets a {card} card"
        case s.Peeked(turn, of):
            yield f"    {names[turn]} looks at a card of {names[of]}"
        case s.ScrollDone(_, _, effect, how):
            if not effect:
                yield f"    no legal choice, no effect{_by(how)}"
        case s.Acted(turn, act, how):
            yield f"  {names[turn]} {'has no cards' if act == 'empty' else act}{_by(how)}"
        case s.Resolved(cards, sources, tally):
            shown_cards = list(map(str, cards))
            if sources is not None:
                shown_cards = [f"{names[t]}: {card}" for t, card in zip(sources, cards, strict=True)]
            sage = " + sage" * tally.sage_activated
            slain = " + sage" * tally.sage_slain
            yield f"  shown: {', '.join(shown_cards) or 'nothing'}"
            yield f"    activated {tally.activated}{sage}, slain {tally.slain}{slain}"
        case s.Ended(winner, reason):
            yield f"{winner}s win ({reason})"
        case s.MarkSet() | s.OrderSet() | s.RowLaid() | s.AnnouncementOver():
            pass


def _by(how: str) -> str:
    return "" if how == "own" else f" ({how.replace('_', ' ')})"


def _after(state: GameState, names: dict[Turn, str]) -> Iterator[str]:
    reveal = view(state, HINDSIGHT).table.reveal
    assert reveal
    for turn, name in names.items():
        at = turn - 1
        left = ", ".join(reveal.hands[at]) or "nothing"
        yield f"  {name}: {reveal.roles[at]}, {reveal.scrolls[at]}, left with {left}"
