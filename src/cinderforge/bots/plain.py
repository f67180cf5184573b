"""`plain`: a sensible scripted player who reads the public record and the tallies, and keeps one suspicion a seat.

What it does follows from a few judgements, each a small function: how likely each player is a dragon, how likely a
dragon card falls this round, and what winning or losing is near (A, K).
"""

from __future__ import annotations

from random import Random
from typing import Final

from cinderforge.redaction.recollection import Recollection
from cinderforge.redaction.shapes import (
    LinkedView,
    MustPlayView,
    PassOffer,
    PlayerView,
    PlayOffer,
    RowOffer,
    TableView,
    TargetsOffer,
    View,
    VoteOffer,
)
from cinderforge.rules.commands import CastVote, ChooseCard, ChooseTargets, Command, PassCrystal, PlayCard, Skip
from cinderforge.rules.settings import roles_for
from cinderforge.rules.words import DRAGON_CARDS, OTHERS, Card, Faction, Turn, faction_of

_STRIKES: Final = {
    Card.TWO_HEADED_DRAGON: (0, 2),
    Card.RED_DRAGON: (1,),
    Card.SHADOW_DRAGON: (3,),
}
"""Whose strike the next one is, by how many dragon cards were shown so far: nobody has to know who the others are."""


class Plain:
    """Answers each kind of offer with a judgement of `_Mind`."""

    def choose(self, view: View, recollection: Recollection, rng: Random) -> Command:
        assert view.you and view.you.offer
        mind = _Mind(view.table, view.you, rng)
        match view.you.offer:
            case VoteOffer(targets):
                return CastVote(mind.friendliest(targets))
            case PassOffer(targets):
                return PassCrystal(mind.next_holder(targets))
            case TargetsOffer(targets, count):
                return ChooseTargets(mind.targets(targets, count))
            case RowOffer(_, cards):
                return ChooseCard(rng.randint(1, cards))
            case PlayOffer():
                return mind.play(view.you.offer)


class _Mind:
    """What one player thinks at one moment."""

    def __init__(self, table: TableView, you: PlayerView, rng: Random) -> None:
        self.table, self.you, self.rng = table, you, rng
        self.count = len(table.seats)
        self.is_human = you.faction is Faction.HUMAN
        self.doubt = self._doubts()

    # -- who is what ---------------------------------------------------------------------------------------------------

    def _doubts(self) -> dict[Turn, float]:
        """How likely each other player is a dragon, as far as rounds and one's own night tell."""
        others = [Turn(turn) for turn in range(1, self.count + 1) if turn != self.you.turn]
        dragons_dealt = sum(faction_of(role) is Faction.DRAGON for role in roles_for(self.count))
        left = dragons_dealt - (not self.is_human)
        odds = dict.fromkeys(others, left / len(others))
        for past in self.table.past:
            played = [act.turn for act in past.acts if act.act == "played"]
            dragons = sum(card in DRAGON_CARDS for card in past.cards)
            if past.sources is not None:
                for turn, card in zip(past.sources, past.cards, strict=True):
                    if turn in odds and card is not Card.BLANK:
                        odds[turn] = 0.98 if card in DRAGON_CARDS else min(odds[turn], 0.25)
                continue
            for turn in odds:
                if turn not in played:
                    odds[turn] *= 0.75 if dragons else 1.1
                elif dragons:
                    odds[turn] = max(odds[turn], dragons / len(played)) * 1.15
                else:
                    odds[turn] *= 0.8
        for one in self.you.knows_cards:
            if one.turn in odds:
                odds[one.turn] = 0.97 if one.card in DRAGON_CARDS else odds[one.turn]
        for learnt in self.you.knows_roles:
            odds[learnt.turn] = 0.02 if faction_of(learnt.role) is Faction.HUMAN else 0.98
        return {turn: min(0.98, max(0.02, chance)) for turn, chance in odds.items()}

    def friendliest(self, targets: list[Turn]) -> Turn:
        """A vote goes to oneself, or to the least doubtful: with the crystal one steers the first round."""
        return self.you.turn if self.you.turn in targets else min(targets, key=self._doubt_of)

    def _doubt_of(self, turn: Turn) -> float:
        return self.doubt.get(turn, 0.0) + self.rng.random() * 0.05

    def next_holder(self, targets: list[Turn]) -> Turn:
        """Humans keep the crystal among the trusted, dragons hand it to likely friends: the holder acts first."""
        if self.is_human:
            return max(targets, key=self._doubt_of) if self._late() else min(targets, key=self._doubt_of)
        return max(targets, key=self._doubt_of)

    def _late(self) -> bool:
        return len(self.table.unfired) <= 2

    # -- scrolls -------------------------------------------------------------------------------------------------------

    def targets(self, targets: list[Turn], count: int) -> tuple[Turn, ...]:
        """The most doubtful for humans, likely humans for dragons; never oneself if others will do."""
        others = [turn for turn in targets if turn != self.you.turn]
        ranked = sorted(others, key=self._doubt_of, reverse=self.is_human)
        if self.is_human and count == 1 and self._forces():
            ranked.reverse()
        chosen = ranked[:count]
        if len(chosen) < count:
            chosen += [turn for turn in targets if turn not in chosen][: count - len(chosen)]
        return tuple(chosen)

    def _forces(self) -> bool:
        """Whether the scroll that asks would make somebody play: humans would rather force a friend."""
        choice = self.table.choice
        return choice is not None and choice.of is None and self.you.turn in self._offered()

    def _offered(self) -> list[Turn]:
        offer = self.you.offer
        return offer.targets if isinstance(offer, TargetsOffer) else []

    # -- cards ---------------------------------------------------------------------------------------------------------

    def play(self, offer: PlayOffer) -> Command:
        cards = offer.cards
        if not cards:
            return Skip()
        card = self._human_card(offer) if self.is_human else self._dragon_card(offer)
        if card is None:
            return Skip() if offer.may_skip else PlayCard(self._least_harm(cards))
        return PlayCard(card)

    def _least_harm(self, cards: list[Card]) -> Card:
        """Forced: a blank costs nothing; else what the moment makes cheapest."""
        if Card.BLANK in cards:
            return Card.BLANK
        if self.is_human:
            return min(cards, key=lambda card: (card is Card.SAGE, card in DRAGON_CARDS))
        return max(cards, key=lambda card: card in DRAGON_CARDS)

    def _danger(self) -> float:
        """How likely a dragon card is or will be among this round's cards."""
        safe = 1.0
        acts = {act.turn: act.act for act in self.table.acts}
        forced = {mark.turn for mark in self.table.marks if isinstance(mark, MustPlayView)}
        forced |= {mark.follower for mark in self.table.marks if isinstance(mark, LinkedView)}
        for turn, doubt in self.doubt.items():
            act = acts.get(turn)
            if act in ("skipped", "empty") or (act is None and not self.table.hand_sizes[turn - 1]):
                continue
            willing = 0.75 if act == "played" else 0.6 if turn in forced else 0.5
            safe *= 1 - doubt * willing
        return 1 - safe

    def _human_card(self, offer: PlayOffer) -> Card | None:
        tally, rules = self.table.tally, self.table.rules
        danger = self._danger()
        if self.you.drawn is not None and self.you.drawn in DRAGON_CARDS:
            return None
        persons = [card for card in offer.cards if card in OTHERS]
        if Card.SAGE in offer.cards and not tally.sage_activated:
            needed = tally.activated >= rules.activation_target
            limit = 0.62 if needed else 0.45
            if danger < limit or self._last_chance():
                return Card.SAGE
        if persons:
            near_loss = tally.slain + 1 >= rules.kill_target
            limit = 0.42 if near_loss else 0.66
            if danger < limit or self._last_chance():
                return persons[0]
        if Card.BLANK in offer.cards and self.rng.random() < 0.35:
            return Card.BLANK
        return None

    def _last_chance(self) -> bool:
        """In the last round a person card held is a lost one (R7.4)."""
        return not self.table.unfired

    def _dragon_card(self, offer: PlayOffer) -> Card | None:
        """Strike in turns, so that few rounds go without a dragon and none wastes two; blend in otherwise."""
        dragons = [card for card in offer.cards if card in DRAGON_CARDS]
        if dragons and (self._last_chance() or self.rng.random() < self._eagerness(dragons[0])):
            return dragons[0]
        if Card.BLANK in offer.cards and self.rng.random() < 0.45:
            return Card.BLANK
        return None

    def _eagerness(self, card: Card) -> float:
        """How gladly one's dragon card is played now (0…1): whose strike it is, and how near the humans are."""
        tally, rules = self.table.tally, self.table.rules
        order = _STRIKES[card]
        struck = sum(card in DRAGON_CARDS for past in self.table.past for card in past.cards)
        if struck % 4 in order:
            return 0.94
        played = sum(act.act == "played" for act in self.table.acts)
        threat = tally.activated + tally.sage_activated >= rules.activation_target
        return 0.1 + (0.04 * played) + (0.3 if threat else 0)
