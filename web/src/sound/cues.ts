/** Which news sounds how. From what everybody is told alone, so that a sound can tell a neighbour nothing (R11). */
import { turnedAt } from '../board/turned';
import type { News, Resolved } from '../protocol/protocol.gen';
import type { SoundName } from './sounds';

/** More than these at once, after a tab has been away, would be noise. */
const MOST_AT_ONCE = 3;
const AFTER_LAST_CARD_MS = 350;

export function cueOf(news: News): SoundName | null {
  switch (news.news) {
    case 'night_fell':
      return 'nightfall';
    case 'night_over':
      return 'daybreak';
    case 'first_holder':
    case 'passed':
      return 'crystal';
    case 'scroll_unrolled':
      return 'scroll';
    case 'row_laid':
      return 'deal';
    case 'acted':
      return news.act === 'played' ? 'card' : 'skip';
    case 'vote_opened':
    case 'peeked':
      return 'flip';
    case 'drawn':
    case 'given':
      return 'card';
    case 'ended':
      return news.winner === 'human' ? 'humans_win' : 'dragons_win';
    // what the resolution sounds like is scored by its cards, as they turn
    case 'resolved':
    case 'voted':
    case 'round_started':
    case 'targets_named':
    case 'mark_set':
    case 'scroll_done':
    case 'order_set':
    case 'announcement_over':
      return null;
    default:
      return news satisfies never;
  }
}

/** What is new in `now`; nothing where the news starts over, as it does after a reload and with another game. */
export function newsSince(before: News[], now: News[], startsOver: boolean): News[] {
  return startsOver || (before.length > 0 && now[0] !== before[0]) ? [] : now.slice(before.length);
}

export function cuesOf(news: News[]): SoundName[] {
  const cues = news.map(cueOf).filter((cue) => cue !== null);
  return cues.filter((cue, index) => cue !== cues[index - 1]).slice(-MOST_AT_ONCE);
}

/** A round's cards being turned over: when, and what they came to. */
export function turning(resolved: Resolved, moves: boolean): [number, SoundName][] {
  const { cards } = resolved;
  const flips = moves ? cards.map((_, index): [number, SoundName] => [turnedAt(index), 'flip']) : [];
  const burn = cards.some((card) => card.endsWith('dragon'));
  if (!burn && cards.every((card) => card === 'blank')) return flips;
  return [...flips, [moves ? turnedAt(cards.length - 1) + AFTER_LAST_CARD_MS : 0, burn ? 'slain' : 'activated']];
}
