import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { Picks } from '../src/board/picks.svelte';
import { Ready } from '../src/board/ready.svelte';
import type { Game } from '../src/game/game.svelte';
import type { Wish } from '../src/link/link';

const OFFER = { offer: 'play', cards: ['sage', 'blank'], may_skip: true };

function seated(offer: object | null = null, hand = ['sage', 'blank']) {
  const asked: Wish[] = [];
  const game = {
    table: { phase: 'play', round: 1, order: [2, 1], acts: [], marks: [], awaited: offer ? [1] : [2] },
    player: { turn: 1, hand, drawn: null },
    offer,
    showing: null,
    say: vi.fn(),
    ask: (wish: Wish) => {
      asked.push(wish);
      return Promise.resolve({ ok: true });
    },
  };
  const ready = new Ready(new Picks(game as unknown as Game));
  return { game, ready, asked };
}
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('is done no sooner than 0.6 s and no later than 1.5 s after the turn has begun, and once', () => {
  const { game, ready, asked } = seated();
  ready.play(0);
  ready.follow();
  vi.advanceTimersByTime(5_000);
  expect(asked).toEqual([]);
  Object.assign(game, { offer: OFFER, table: { ...game.table, awaited: [1] } });
  ready.follow();
  vi.advanceTimersByTime(599);
  expect(asked).toEqual([]);
  vi.advanceTimersByTime(901);
  expect(asked).toEqual([{ t: 'play', card: 'sage' }]);
  vi.advanceTimersByTime(5_000);
  expect(asked).toHaveLength(1);
});

it('is dropped and told where the offer has no room for it', () => {
  const { game, ready, asked } = seated();
  ready.skip();
  Object.assign(game, { offer: { ...OFFER, may_skip: false } });
  ready.follow();
  vi.advanceTimersByTime(5_000);
  expect(asked).toEqual([]);
  expect(ready.wish).toBeNull();
  expect(game.say).toHaveBeenCalledOnce();
});

it('is no skip while a scroll makes one play', () => {
  const { game, ready } = seated();
  expect(ready.maySkip).toBe(true);
  const forced = (turn: number) => ({ ...game.table, marks: [{ mark: 'must_play', turn }] });
  Object.assign(game, { table: forced(2) });
  expect(ready.maySkip).toBe(true);
  Object.assign(game, { table: forced(1) });
  expect(ready.maySkip).toBe(false);
  ready.skip();
  expect(ready.wish).toBeNull();
});

it('is forgotten once one has acted', () => {
  const { game, ready } = seated();
  ready.skip();
  Object.assign(game.table, { acts: [{ turn: 1, act: 'skipped', how: 'timeout' }] });
  ready.follow();
  expect(ready.wish).toBeNull();
  expect(ready.may).toBe(false);
});

it('offers all cards, or the drawn one alone while it binds (R6.3)', () => {
  const { game, ready } = seated();
  expect(ready.places).toEqual([0, 1]);
  Object.assign(game.player, { drawn: 'blank' });
  expect(ready.places).toEqual([1]);
});
