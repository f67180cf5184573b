"""What people ask of a room, at random: mostly what helps a game along, the rest whatever a client can send."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final, get_args

from cinderforge.bots.bot import offer_of
from cinderforge.redaction import claims
from cinderforge.redaction.shapes import OfferView
from cinderforge.room import inputs as i
from cinderforge.room.outputs import Tell
from cinderforge.room.shapes import MemberId, PollKind
from cinderforge.rules import commands as c
from cinderforge.rules.offers import commands_of
from cinderforge.rules.words import Card, Faction, Role, Seat, Turn
from cinderforge.talk.phrases import PHRASES
from cinderforge.testkit.people import Person

NAMES: Final = ("Ann", "ann", "Bea", "寶", "Ｂｅａ", " Cy ", "\u200b", "D" * 200, "Eve\u202e", "🐉🐉")
LINES: Final = ("hello", "不是我", "who played?", "", " ", "x" * 2000, "peek at a hand", "強制出牌", "\u202eabc")
SETTINGS: Final[tuple[dict[str, object], ...]] = (
    {"preset": "fast"},
    {"preset": "normal"},
    {"preset": "relaxed"},
    {"preset": "none"},
    {"preset": "none", "timers": {"away": None}},
    {"timers": {"away": None}},
    {"timers": {"reveal": None, "play": 5}},
    {"timers": {"play": None, "vote": 5, "away": 5}},
    {"seats": 5},
    {"seats": 6},
    {"seats": 7},
    {"first_holder": "vote"},
    {"first_holder": "random"},
    {"kill_target": 1},
    {"activation_target": 1},
    {"sage_slain_ends": False},
    {"memory_aid": True},
    {"act_last_lasts": "game"},
    {"spectators": False},
    {"spectators": True},
    {"spectator_delay": 0},
    {"spectator_delay": 20},
    {"spectator_delay": 600},
    {"public": True},
    {"chat_guard": "warn"},
    {"chat_guard": "off"},
    {"ai_level": "dice"},
    {},
    {"seats": 11},
    {"seats": "8"},
    {"no_such": 1},
    {"timers": {"play": 1}},
    {"preset": "fast", "seats": []},
)


def first_settings(dice: Random) -> i.Change:
    """Mostly small tables and short games, of every preset."""
    table = {"seats": dice.choice([5, 5, 5, 6, 7]), "kill_target": dice.choice([1, 2]), "activation_target": 1}
    more = {"spectator_delay": dice.choice([0, 0, 20]), "first_holder": dice.choice(["vote", "random"])}
    return i.Change(table | more | dice.choice(SETTINGS[:8]))


def wish(dice: Random, person: Person) -> i.Wish:
    """Something that this person asks for now, going by the last picture that the open socket was told."""
    helpful = sensible(dice, person) if dice.random() < 0.5 else None
    return anything(dice) if helpful is None else helpful


def sensible(dice: Random, person: Person) -> i.Wish | None:
    """What helps the game along, as far as this person has seen; from a host now and then what a host may."""
    seen = person.last
    if seen is None:
        return None
    room, me = seen.room, seen.member
    if me.member is None:
        if person.name[0] == "W":
            return i.Watch(person.name)
        return i.Join(person.name) if me.may_sit else i.WantSeat(person.name, on=True)
    if me.host and dice.random() < 0.1:
        return _hosts(dice, seen)
    match room.stage:
        case "waiting":
            return _prepares(dice, seen)
        case "mixing":
            return (i.Hold() if dice.random() < 0.1 else i.Contribute(dice.randbytes(16).hex())) if me.seat else None
        case "over":
            if dice.random() < 0.2:
                return i.ShareNotes(dice.random() < 0.7)
            return i.Rematch() if me.host else None
        case "game":
            return _plays(dice, seen)


def _hosts(dice: Random, seen: Tell) -> i.Wish:
    if seen.member.banned:
        return i.LetBack(dice.choice(seen.member.banned).member)
    others = [seat.member for seat in seen.room.seats if seat.member not in (None, seen.member.member)]
    wishes: list[i.Wish] = [i.Change(dict(dice.choice(SETTINGS)))]
    for other in others:
        if other is not None:
            wishes += [i.Kick(other), i.HandOn(other)]
    return dice.choice(wishes)


def _prepares(dice: Random, seen: Tell) -> i.Wish | None:
    if seen.member.host and seen.room.wanting and seen.member.yields and dice.random() < 0.5:
        return i.Admit(dice.choice(seen.room.wanting))
    if seen.member.host:
        return i.Fill(None, None) if seen.room.missing else i.Start()
    return i.Ready(dice.random() < 0.8) if seen.member.seat else None


def _plays(dice: Random, seen: Tell) -> i.Wish | None:
    room = seen.room
    if dice.random() < 0.1:
        return any_mark(dice) if dice.random() < 0.5 else i.MakeClaim(any_claim(dice))
    if seen.member.seat is None:
        return None
    if room.polls and dice.random() < 0.7:
        poll = room.polls[0] if dice.random() < 0.7 else dice.choice(room.polls)
        return i.Poll(poll.poll, poll.seat, dice.random() < 0.9)
    if room.wait and room.wait.kind == "reveal":
        return i.Seen()
    return i.Move(legal(dice, seen.player.offer)) if seen.player and seen.player.offer else None


def legal(dice: Random, offer: OfferView) -> c.Command:
    """One of the commands that an offer allows."""
    return dice.choice(commands_of(offer_of(offer)))


def any_move(dice: Random) -> c.Command:
    """A command of any kind, most of them out of place."""
    turn = Turn(dice.randrange(11))
    moves: list[c.Command] = [
        c.CastVote(None),
        c.CastVote(turn),
        c.PassCrystal(turn),
        c.ChooseTargets(tuple(Turn(dice.randrange(11)) for _ in range(dice.randrange(4)))),
        c.ChooseCard(dice.choice([-1000, 0, 1, 2, 3, 1000])),
        c.PlayCard(dice.choice([*Card, "kraken", ""])),
        c.Skip(),
    ]
    return dice.choice(moves)


def any_mark(dice: Random) -> i.Mark:
    """A mark on anybody, oneself and nobody included."""
    trust = dice.choice([None, -2, -1, 0, 1, 2])
    return i.Mark(Turn(dice.randrange(11)), dice.choice([None, *Faction]), dice.choice([None, *Role]), trust)


def any_claim(dice: Random) -> claims.Claim:
    """A claim of any kind, true or not, most of them fitting."""
    turn, card, role, line = dice.randint(1, 10), dice.choice([*Card]), dice.choice([*Role]), dice.randint(1, 40)
    said: list[claims.Claim] = [
        claims.RoleClaim(turn, role),
        claims.NotRoleClaim(turn, role),
        claims.TeamClaim(turn, dice.choice([*Faction]), dice.randint(1, 3)),
        claims.FourClaim([dice.randint(1, 5) for _ in range(dice.randint(2, 3))]),
        claims.PlayedClaim(turn, dice.randint(1, 4), card),
        claims.PassedClaim("saving"),
        claims.IntendClaim(
            dice.choice(["play", "pass", "crystal"]), dice.choice([None, card]), dice.choice([None, turn])
        ),
        claims.AskToClaim(turn, dice.choice(["play", "pass", "crystal"])),
        claims.ScrollSawClaim(turn, card),
        claims.SuspectClaim(turn, dice.choice([[], [line]])),
        claims.TrustClaim(turn),
        claims.AgreeClaim(line),
        claims.DenyClaim(line),
        claims.AskClaim(turn, "role"),
    ]
    return dice.choice(said)


def _member(dice: Random) -> MemberId:
    return MemberId(dice.choice([-1, 0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 10**30]))


def _chair(dice: Random) -> Seat | None:
    return dice.choice([None, Seat(dice.randint(1, 10))])


_ANYTHING: Final[tuple[Callable[[Random], i.Wish], ...]] = (
    lambda dice: i.Join(dice.choice(NAMES)),
    lambda dice: i.Join(dice.choice(NAMES)),
    lambda dice: i.Watch(dice.choice(NAMES)),
    lambda dice: i.WantSeat(dice.choice(NAMES), dice.random() < 0.7),
    lambda dice: i.Admit(_member(dice)),
    lambda dice: i.Rename(dice.choice(NAMES)),
    lambda dice: i.Leave(),
    lambda dice: i.Fill(_chair(dice), dice.choice([None, None, "dice", "plain", "god"])),
    lambda dice: i.Clear(_chair(dice)),
    lambda dice: i.Kick(_member(dice)),
    lambda dice: i.LetBack(_member(dice)),
    lambda dice: i.LetBack(_member(dice)),
    lambda dice: i.HandOn(_member(dice)),
    lambda dice: i.Change(dict(dice.choice(SETTINGS))),
    lambda dice: i.Start(),
    lambda dice: i.Ready(dice.random() < 0.5),
    lambda dice: i.Hold(),
    lambda dice: i.Poll(dice.choice(get_args(PollKind)), _chair(dice), dice.random() < 0.7),
    lambda dice: i.Say(dice.choice(LINES), dice.random() < 0.3),
    lambda dice: i.Say(f"line {dice.random()}", sure=False),
    lambda dice: i.Phrase(dice.choice([*PHRASES, "no such phrase"])),
    lambda dice: i.MakeClaim(any_claim(dice)),
    lambda dice: i.Mute(_member(dice), dice.random() < 0.6),
    lambda dice: i.Report(_member(dice), dice.choice(LINES)),
    lambda dice: any_mark(dice),
    lambda dice: i.Note(dice.choice([None, Turn(dice.randrange(11))]), dice.choice([*LINES, f"note {dice.random()}"])),
    lambda dice: i.ShareNotes(dice.random() < 0.7),
    lambda dice: i.Contribute(dice.choice(["", "xy", "ab" * 15, "ab" * 16, "AB" * 64, "ab" * 65])),
    lambda dice: i.Seen(),
    lambda dice: i.Rematch(),
    lambda dice: i.Move(any_move(dice)),
    lambda dice: i.Move(any_move(dice)),
)


def anything(dice: Random) -> i.Wish:
    """A wish of any kind, whoever asks and whatever the moment."""
    return dice.choice(_ANYTHING)(dice)
