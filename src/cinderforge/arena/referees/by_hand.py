"""Referees written by hand, each with one idea; none was looked at by training, and none looks at a net."""

from __future__ import annotations

from cinderforge.arena.referees.seat import BLANK, SAGE, Referee, Seat, dice, dragons_in, players
from cinderforge.kernel import lib
from cinderforge.kernel.scripts import PLAIN
from cinderforge.rules.settings import roles_for
from cinderforge.rules.words import Role


class First(Referee):
    """Takes whatever stands first on the list."""

    def act(self, seat: Seat) -> int:
        return seat.legal[0]

    def pick(self, seat: Seat, turns: list[int]) -> int:
        return turns[0]


class Sleeper(Referee):
    """Sits still until the last two rounds, then plays what counts."""

    def act(self, seat: Seat) -> int:
        card = seat.dragon if seat.is_dragon else seat.best_person
        return card if card is not None and seat.rounds_left < 2 else seat.pass_over()


class Counter(Referee):
    """Counts cards: so many dragon and person cards are left among so many that nobody has seen; every one is alike."""

    def act(self, seat: Seat) -> int:
        roles = roles_for(seat.count)
        shown = [0] * 7
        for record in seat.past:
            for kind in range(7):
                shown[kind] += record.count[kind]
        strikes = sum(
            2 if role is Role.TWO_HEADED_DRAGON else role in (Role.RED_DRAGON, Role.SHADOW_DRAGON) for role in roles
        )
        dragons = strikes - sum(shown[3:6]) - sum(seat.private.hand[3:6])
        persons = seat.count - strikes + 2 - sum(shown[:3]) - sum(seat.private.hand[0:3])
        hidden = sum(seat.public.hand_size[turn] for turn in range(seat.count) if turn != seat.me) + len(seat.played)
        in_play = len(seat.played) + 0.5 * len(seat.later)
        if seat.is_dragon:
            hits = in_play * max(0, persons) / max(1, hidden)
            wants = seat.dragon is not None and (hits > 0.9 or seat.rounds_left < 2)
            return seat.dragon if wants and seat.dragon is not None else self._cover(seat)
        risk = 1 - (1 - min(1.0, max(0, dragons) / max(1, hidden))) ** in_play
        ready = seat.public.activated >= seat.public.rules.act_target
        if SAGE in seat.cards and (risk < (0.4 if ready else 0.2) or not seat.rounds_left):
            return SAGE
        if seat.person is not None and (risk < 0.4 or not seat.rounds_left):
            return seat.person
        return self._cover(seat)

    def _cover(self, seat: Seat) -> int:
        """A blank makes the heap look larger, every third time."""
        return BLANK if BLANK in seat.cards and seat.rng.random() < 1 / 3 else seat.pass_over()

    def pick(self, seat: Seat, turns: list[int]) -> int:
        sizes = seat.public.hand_size
        ranked = sorted(turns, key=lambda turn: (sizes[turn], turn))
        return ranked[-1] if seat.is_dragon else ranked[0]


class Cautious(Referee):
    """People go first or not at all, and the sage goes last or not at all; dragons wait until two have come out."""

    def act(self, seat: Seat) -> int:
        played, later = seat.played, seat.later
        if seat.is_dragon:
            card = seat.dragon
            is_time = len(played) >= 2 and seat.round_number >= 1
            return card if card is not None and (is_time or not seat.rounds_left) else seat.pass_over()
        if SAGE in seat.cards and not later and len(played) <= 2 and seat.public.activated:
            return SAGE
        if seat.person is not None and (not played or not seat.rounds_left):
            return seat.person
        return BLANK if BLANK in seat.cards and not played else seat.pass_over()

    def pick(self, seat: Seat, turns: list[int]) -> int:
        friends = [turn for turn in turns if (turn in seat.known_friends()) != seat.is_dragon]
        return (friends or turns)[-1]


class Mirror(Referee):
    """Does what the one before has just done, and gives back what it was given."""

    def act(self, seat: Seat) -> int:
        now = seat.now
        acts = [now.act[place] for place in range(now.acted) if now.act[place] != lib.CF_EMPTY]
        copies = acts[-1] == lib.CF_PLAYED if acts else seat.rng.random() < 1 / 3
        card = seat.dragon if seat.is_dragon else seat.best_person
        if card is None or (card == SAGE and not seat.public.activated) or len(seat.played) > 3:
            card = seat.own(BLANK)
        return card if copies and card is not None else seat.pass_over()

    def pick(self, seat: Seat, turns: list[int]) -> int:
        for record in reversed([*seat.past, *([seat.now] if seat.round_number >= 0 else [])]):
            if record.holder == seat.me and record.giver in turns:
                return int(record.giver)
            if seat.me in (record.t1, record.t2) and record.holder in turns:
                return int(record.holder)
        return turns[(seat.round_number + seat.me) % len(turns)]


class Grudge(Referee):
    """Remembers who had played whenever a dragon card fell, and never plays with them again."""

    def _grudges(self, seat: Seat) -> list[float]:
        found = [0.0] * seat.count
        for record in seat.past:
            played = players(record)
            if dragons_in(record):
                for turn in played:
                    found[turn] += dragons_in(record) / len(played)
        found[seat.me] = 0.0
        return found

    def act(self, seat: Seat) -> int:
        grudges, played = self._grudges(seat), seat.played
        if seat.is_dragon:
            prey = sum(grudges[turn] < 0.3 for turn in played)
            return seat.dragon if seat.dragon is not None and (prey >= 2 or not seat.rounds_left) else seat.pass_over()
        worst = max((grudges[turn] for turn in played), default=0.0)
        coming = max((grudges[turn] for turn in seat.later), default=0.0)
        is_calm = worst < 0.3 and len(played) <= 2 and (coming < 0.5 or seat.rng.random() < 0.4)
        if not seat.round_number:  # nobody has shown anything yet
            return BLANK if BLANK in seat.cards and seat.rng.random() < 0.5 else seat.pass_over()
        if SAGE in seat.cards and is_calm and seat.round_number >= 2:
            return SAGE
        return seat.person if seat.person is not None and is_calm else seat.pass_over()

    def pick(self, seat: Seat, turns: list[int]) -> int:
        grudges = self._grudges(seat)
        wants_foe = seat.public.phase in (lib.CF_TARGET1, lib.CF_TARGET2) and not seat.is_dragon
        ranked = sorted(turns, key=lambda turn: (grudges[turn], turn))
        return ranked[-1] if wants_foe or seat.is_dragon else ranked[0]


class Calendar(Referee):
    """Has a day for each card and keeps to it, whatever happens."""

    def act(self, seat: Seat) -> int:
        day = seat.round_number
        role_day = (3, 0, 1 + seat.me % 3, 2, 1, 3)[seat.private.role]
        card = seat.dragon if seat.is_dragon else seat.best_person
        return card if card is not None and day >= role_day else seat.pass_over()

    def pick(self, seat: Seat, turns: list[int]) -> int:
        return min(turns, key=lambda turn: (turn - seat.me) % seat.count)


class Herd(Referee):
    """Comes out where others have: people where one has, dragons where three have."""

    def act(self, seat: Seat) -> int:
        crowd = len(seat.played)
        if seat.is_dragon:
            wants = crowd >= 3 or (seat.rounds_left < 2 and crowd >= 1)
            return seat.dragon if seat.dragon is not None and wants else seat.pass_over()
        if SAGE in seat.cards and 1 <= crowd <= 3 and seat.public.activated:
            return SAGE
        if seat.person is not None and 1 <= crowd <= 3:
            return seat.person
        opens = not crowd and BLANK in seat.cards and seat.rng.random() < 0.5
        return BLANK if opens else seat.pass_over()

    def pick(self, seat: Seat, turns: list[int]) -> int:
        came = [sum(turn in players(record) for record in seat.past) for turn in range(seat.count)]
        return max(turns, key=lambda turn: (came[turn], turn))


class Tail(Referee):
    """Looks at its place in the round alone: acts among the last three, and never before."""

    def act(self, seat: Seat) -> int:
        if len(seat.later) > 2:
            return seat.pass_over()
        if seat.is_dragon:
            return seat.dragon if seat.dragon is not None and seat.played else seat.pass_over()
        if SAGE in seat.cards and len(seat.played) <= 1:
            return SAGE
        return seat.person if seat.person is not None else seat.pass_over()

    def pick(self, seat: Seat, turns: list[int]) -> int:
        """The crystal to whoever sits right behind, so that one is last oneself."""
        return min(turns, key=lambda turn: (turn - seat.me) % seat.count)


class Gambit(Referee):
    """Blanks first, to look harmless; then people come out right after a strike, and dragons after a quiet round."""

    def act(self, seat: Seat) -> int:
        past = seat.past
        struck = bool(past) and dragons_in(past[-1]) > 0
        if seat.round_number < 2 and BLANK in seat.cards and seat.rng.random() < 0.6:
            return BLANK
        if seat.is_dragon:
            wants = not struck and seat.round_number >= 2 and len(seat.played) >= 1
            return seat.dragon if seat.dragon is not None and (wants or not seat.rounds_left) else seat.pass_over()
        dragons_shown = sum(dragons_in(record) for record in past)
        wants = struck or dragons_shown >= 3
        if SAGE in seat.cards and wants and seat.public.activated:
            return SAGE
        return seat.person if seat.person is not None and (wants or not seat.rounds_left) else seat.pass_over()

    def pick(self, seat: Seat, turns: list[int]) -> int:
        friends = [turn for turn in turns if turn in seat.known_friends()]
        strangers = [turn for turn in turns if turn not in friends and turn != seat.me]
        return seat.rng.choice((strangers if seat.is_dragon else friends) or turns)


class Tremor(Referee):
    """`plain` with a shaking hand: one act in six is anything."""

    def act(self, seat: Seat) -> int:
        return self._shaken(seat)

    def pick(self, seat: Seat, turns: list[int]) -> int:
        action = self._shaken(seat)
        return next(turn for turn, one in seat.choosing().items() if one == action)

    def _shaken(self, seat: Seat) -> int:
        if seat.rng.random() < 1 / 6:
            return seat.rng.choice(seat.legal)
        mask = sum(1 << action for action in seat.legal)
        return int(lib.cf_script(PLAIN, seat.public, seat.private, mask, dice(seat.rng)))
