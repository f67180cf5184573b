import { describe, expect, it } from 'vitest';

import { lineOf, reasonText, type Teller } from '../src/game/log';
import type { News } from '../src/protocol/protocol.gen';
import { words as english } from '../src/words/en.gen';
import { words as chinese } from '../src/words/zh-TW.gen';

const NEWS: News[] = [
  { news: 'night_fell' },
  { news: 'voted', turn: 1, how: 'timeout' },
  { news: 'first_holder', turn: 2 },
  { news: 'round_started', number: 3 },
  { news: 'passed', giver: 1, to: 2, how: 'own' },
  { news: 'scroll_unrolled', turn: 2, scroll: 'peek' },
  { news: 'targets_named', turn: 2, targets: [1, 3], how: 'stand_in' },
  { news: 'mark_set', mark: { mark: 'linked', leader: 1, follower: 3 } },
  { news: 'acted', turn: 3, act: 'empty', how: 'own' },
  {
    news: 'resolved',
    cards: ['adventurer', 'adventurer', 'blank'],
    sources: null,
    tally: { sage_activated: false, activated: 2, slain: 0, sage_slain: false },
  },
  {
    news: 'resolved',
    cards: [],
    sources: null,
    tally: { sage_activated: false, activated: 0, slain: 0, sage_slain: false },
  },
  { news: 'ended', winner: 'dragon', reason: 'R7.3' },
  { news: 'ended', winner: 'human', reason: 'R7.1' },
];

describe.each([
  ['zh-TW', chinese, '、'],
  ['en', english, ', '],
] as const)('the log in %s', (_language, t, separator) => {
  const teller: Teller = {
    t,
    name: (turn) => `P${String(turn)}`,
    list: (parts) => parts.join(separator),
    targets: { activation: 2, kill: 3 },
  };

  it.each(NEWS)('leaves no gap in a line about $news', (news) => {
    const line = lineOf(news, teller);
    expect(line).toBeTruthy();
    expect(line).not.toMatch(/[{}]|undefined/);
  });

  it('gives every clause that ends a game a reason without gaps', () => {
    for (const reason of ['R7.1', 'R7.2', 'R7.3', 'R7.4', 'R8.2']) {
      for (const winner of ['human', 'dragon']) expect(reasonText(reason, winner, teller)).not.toMatch(/[{}]/);
    }
  });
});
