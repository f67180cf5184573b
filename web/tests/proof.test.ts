import { describe, expect, it } from 'vitest';

import { proofOf, seedFrom } from '../src/over/proof';
import type { RoomView, TableView } from '../src/protocol/protocol.gen';
import { words as zh } from '../src/words/zh-TW.gen';

const SECRET = '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f';
const MIXED = ['aa'.repeat(16), 'bb'.repeat(20)];
const CATALOG = Object.keys(zh.scrolls);
/** Dealt by the server's own rules from these (rules/game.py, `draw_deal`). */
const DEALS = [
  {
    seats: [2, 4, 5, 1, 3],
    roles: ['two_headed_dragon', 'sage', 'shadow_dragon', 'adventurer', 'mystic'],
    scrolls: ['link_play', 'draw_previous', 'act_last', 'peek_hand', 'reveal_sources'],
  },
  {
    seats: [4, 3, 5, 1, 7, 9, 6, 2, 10, 8],
    roles: [
      'adventurer',
      'red_dragon',
      'adventurer',
      'mystic',
      'adventurer',
      'adventurer',
      'two_headed_dragon',
      'adventurer',
      'shadow_dragon',
      'sage',
    ],
    scrolls: [
      'draw_previous',
      'reveal_sources',
      'act_last',
      'peek_hand',
      'insight',
      'gift_blank',
      'draw_next',
      'link_play',
      'force_neighbours',
      'force_play',
    ],
  },
];
const room = { secret: SECRET, contributions: MIXED } as unknown as RoomView;
const table = ({ seats, roles, scrolls }: (typeof DEALS)[number]) =>
  ({ seats, reveal: { roles, scrolls, hands: [], plays: [] } }) as unknown as TableView;

describe('a deal that is recomputed in the browser (R3.1, R3.4)', () => {
  it.each(DEALS)('is the one that the server draws from the same seed', (deal) => {
    const proof = proofOf(room, table(deal), CATALOG);
    expect(proof).toMatchObject({ order: true, roles: true, scrolls: true });
    expect(proof?.seed).toBe('2993baf1ae7cc7829af82ecc2c8fda9ec04bfca28dd2be37ed52c535b7d6b655');
  });

  it.each(['seats', 'roles', 'scrolls'] as const)('differs where its %s were chosen', (part) => {
    for (const deal of DEALS) {
      const proof = proofOf(room, table({ ...deal, [part]: deal[part].toReversed() }), CATALOG);
      expect(proof?.[part === 'seats' ? 'order' : part]).toBe(false);
    }
  });

  it('follows from every byte that was mixed in, and from their order', () => {
    const seed = String(seedFrom(SECRET, MIXED));
    expect(String(seedFrom(SECRET, MIXED.toReversed()))).not.toBe(seed);
    expect(String(seedFrom(SECRET, []))).not.toBe(seed);
  });

  it('cannot be recomputed before the game is opened', () => {
    const [deal] = DEALS;
    expect(proofOf({ ...room, secret: null }, table(deal as (typeof DEALS)[number]), CATALOG)).toBeNull();
  });
});
