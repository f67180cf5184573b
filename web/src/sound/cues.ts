/** Which news sounds how. From what everybody is told alone, so that a sound can tell a neighbour nothing (R11). */
import type { News, Resolved } from '../protocol/protocol.gen';
import type { SoundName } from './sounds';

/** More than these at once, after a tab has been away, would be noise. */
const MOST_AT_ONCE = 3;

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
    // the resolution sounds as its cards turn
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

/** What a round came to, once its cards lie open and sorted; ashes make no sound. */
export function resultOf(resolved: Resolved): SoundName | null {
  if (resolved.cards.some((card) => card.endsWith('dragon'))) return 'slain';
  return resolved.cards.some((card) => card !== 'blank') ? 'activated' : null;
}
