import { beforeEach, expect, it } from 'vitest';

import { contributionTo, keptOf } from '../src/game/contribution';

beforeEach(() => {
  sessionStorage.clear();
});

it('draws the bytes asked for, once for each promise, and keeps both over a reload', () => {
  const first = contributionTo('ROOM', 1, 'c1', 32);
  expect(first).toMatch(/^[0-9a-f]{64}$/);
  expect(contributionTo('ROOM', 1, 'c1', 32)).toBe(first);
  expect(keptOf('ROOM', 1)).toEqual({ commitment: 'c1', bytes: first });
  expect(contributionTo('ROOM', 2, 'c2', 32)).not.toBe(first);
});

it('knows of none for a game that nobody asked it about', () => {
  expect(keptOf('ROOM', 1)).toBeNull();
});
