import { describe, expect, it } from 'vitest';

import { fill } from '../src/words/fill';

describe('fill', () => {
  it('puts values in place of their names', () => {
    expect(fill('{name} 把晶核交給 {target}', { name: '阿狸', target: 'Momo' })).toBe('阿狸 把晶核交給 Momo');
  });

  it('chooses a word by whether a number is one', () => {
    expect(fill('{n} {n:card|cards}', { n: 1 })).toBe('1 card');
    expect(fill('{n} {n:card|cards}', { n: 0 })).toBe('0 cards');
  });

  it('leaves a name without a value as it is, and never reads values again', () => {
    expect(fill('{a} {b}', { a: '{b}' })).toBe('{b} {b}');
  });
});
