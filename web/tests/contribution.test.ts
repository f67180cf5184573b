import { beforeEach, expect, it } from 'vitest';

import { contributionTo } from '../src/game/contribution';

beforeEach(() => {
  sessionStorage.clear();
});

it('draws the bytes asked for, once for each promise, and keeps them over a reload', () => {
  const first = contributionTo('c1', 32);
  expect(first).toMatch(/^[0-9a-f]{64}$/);
  expect(contributionTo('c1', 32)).toBe(first);
  expect(contributionTo('c1')).toBe(first);
  expect(contributionTo('c2', 32)).not.toBe(first);
});

it('knows of none for a game that nobody asked it about', () => {
  expect(contributionTo('c1')).toBeUndefined();
});
