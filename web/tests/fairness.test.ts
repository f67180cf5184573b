import { describe, expect, it } from 'vitest';

import { verdictOn } from '../src/game/fairness';

const SECRET = '00'.repeat(32);
// sha256('cinderforge/1 commitment' followed by 32 zero bytes)
const PROMISE = '558236ae92b27a660144ad46157f8c09264ad7960e32bfac026541e55c883736';
const kept = { commitment: PROMISE, bytes: 'bb' };

describe('the check of a deal (R3.4)', () => {
  it('is sound when the secret is the promised one and our bytes are in', () => {
    expect(verdictOn(PROMISE, SECRET, ['aa', 'bb'], kept)).toBe('sound');
  });

  it('is broken for another secret', () => {
    expect(verdictOn(PROMISE, `01${SECRET.slice(2)}`, ['bb'], kept)).toBe('broken');
    expect(verdictOn(PROMISE, `01${SECRET.slice(2)}`, [], null)).toBe('broken');
  });

  it('is broken when our bytes were left out', () => {
    expect(verdictOn(PROMISE, SECRET, ['aa'], kept)).toBe('broken');
  });

  it('is broken when secret and commitment were both put in place of those promised', () => {
    expect(verdictOn(PROMISE, SECRET, ['bb'], { ...kept, commitment: 'another' })).toBe('broken');
  });

  it('says so where this browser has nothing to hold against it', () => {
    expect(verdictOn(PROMISE, SECRET, [], null)).toBe('unwitnessed');
  });
});
