import { expect, it } from 'vitest';

import type { LineView } from '../src/protocol/protocol.gen';
import { heldText } from '../src/waiting/held';
import { words as en } from '../src/words/en.gen';

const line = (n: number, text: string, member: number | null, name = 'Bea'): LineView => ({
  n,
  at: 0,
  kind: 'notice',
  channel: 'table',
  member,
  name,
  text,
  about: '',
  claim: null,
});

it('names who called the start off', () => {
  const lines = [line(4, 'came', 3), line(5, 'held', 3)];
  expect(heldText(lines, 4, 1, en)).toBe('Bea asked to wait');
  expect(heldText(lines, 4, 3, en)).toBe(en.waiting.start_held_by_you);
});

it('names nobody where somebody left, or for a start of long ago', () => {
  expect(heldText([line(5, 'held', 3), line(6, 'left', 2)], 5, 1, en)).toBe(en.waiting.start_held_unknown);
  expect(heldText([], 0, 1, en)).toBe(en.waiting.start_held_unknown);
});
