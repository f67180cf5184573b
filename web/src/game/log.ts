/** News as lines of the log: text only, from the dictionaries. */
import type { MarkView, News, TallyView } from '../protocol/protocol.gen';
import type { Words } from '../words/zh-TW.gen';
import { fill } from '../words/fill';

export interface Teller {
  t: Words;
  name: (turn: number) => string;
  list: (parts: string[]) => string;
  targets: { activation: number; kill: number };
}

export function cardsText(cards: string[], teller: Teller): string {
  const roles: Record<string, { name: string }> = teller.t.roles;
  const counts = new Map<string, number>();
  for (const card of cards) counts.set(card, (counts.get(card) ?? 0) + 1);
  return teller.list(
    [...counts].map(([card, n]) => {
      const name = roles[card]?.name ?? card;
      return n === 1 ? name : fill(teller.t.common.card_count, { card: name, n });
    }),
  );
}

export function tallyText(tally: TallyView, teller: Teller): string {
  const { activation, kill } = teller.targets;
  return fill(teller.t.log.tallies, { activated: tally.activated, target: activation, slain: tally.slain, kill });
}

/** A line of the log, or null for what needs none. */
export function lineOf(news: News, teller: Teller): string | null {
  const { log, scrolls } = teller.t;
  const who = teller.name;
  const scroll = (id: string) => (scrolls as Record<string, { name: string }>)[id]?.name ?? id;
  const late = (how: string) =>
    how === 'timeout' ? ` (${log.by_timeout})` : how === 'stand_in' ? ` (${log.by_stand_in})` : '';
  switch (news.news) {
    case 'night_fell':
      return log.night_fell;
    case 'night_over':
      return log.day_broke;
    case 'voted':
      return fill(log.voted_sealed, { name: who(news.turn) }) + late(news.how);
    case 'vote_opened':
      return log.vote_closed;
    case 'first_holder':
      return fill(log.first_holder, { name: who(news.turn) });
    case 'round_started':
      return fill(log.round_began, { n: news.number });
    case 'passed':
      return fill(log.passed, { name: who(news.giver), target: who(news.to) }) + late(news.how);
    case 'scroll_unrolled':
      return fill(log.fired, { name: who(news.turn), scroll: scroll(news.scroll) });
    case 'targets_named': {
      const [a, b] = news.targets;
      if (a === undefined) return null;
      const name = who(news.turn);
      const text =
        b === undefined
          ? fill(log.chosen, { name, target: who(a) })
          : fill(log.chosen_two, { name, a: who(a), b: who(b) });
      return text + late(news.how);
    }
    case 'drawn':
      return fill(log.drawn, { name: who(news.drawer), target: who(news.source) });
    case 'given':
      return fill(log.given, { target: who(news.to) });
    case 'peeked':
      return fill(log.peeked, { name: who(news.turn), target: who(news.of) });
    case 'mark_set':
      return markLine(news.mark, teller);
    case 'scroll_done':
      return news.effect ? null : fill(log.no_effect, { scroll: scroll(news.scroll) });
    case 'acted': {
      const text = news.act === 'played' ? log.played : news.act === 'skipped' ? log.skipped : log.passed_over;
      return fill(text, { name: who(news.turn) }) + late(news.how);
    }
    case 'resolved':
      if (news.cards.length === 0) return log.resolved_nothing;
      return fill(log.resolved, { cards: cardsText(news.cards, teller), tally: tallyText(news.tally, teller) });
    case 'ended':
      return fill(news.winner === 'human' ? log.won_human : log.won_dragon, {
        clause: news.reason,
        reason: reasonText(news.reason, news.winner, teller),
      });
    case 'row_laid':
    case 'order_set':
    case 'announcement_over':
      return null;
    default:
      news satisfies never;
      return null;
  }
}

export function reasonText(reason: string, winner: string, teller: Teller): string {
  const reasons: Record<string, string> = teller.t.reasons;
  const n =
    reason === 'R7.3'
      ? teller.targets.kill
      : reason === 'R8.2'
        ? 2 * teller.targets.activation
        : teller.targets.activation;
  return fill(reasons[reason] ?? reasons[`${reason}_${winner}`] ?? reason, { n });
}

export function endingText(reason: string, winner: string, t: Words): string {
  const endings: Record<string, string> = t.endings;
  return endings[reason] ?? endings[`${reason}_${winner}`] ?? '';
}

function markLine(mark: MarkView, teller: Teller): string {
  const { log } = teller.t;
  const who = teller.name;
  switch (mark.mark) {
    case 'must_play':
      return fill(log.must_play, { name: who(mark.turn) });
    case 'only_card':
      return fill(log.only_drawn, { name: who(mark.turn) });
    case 'linked':
      return fill(log.linked, { a: who(mark.leader), b: who(mark.follower) });
    case 'acts_last':
      return fill(mark.lasting === 'game' ? log.acts_last_game : log.acts_last_round, {
        name: who(mark.turn),
      });
    case 'sources_open':
      return log.sources_open;
  }
}
