import { describe, expect, it } from 'vitest';

import { isAsPromised } from '../src/game/fairness';

const SECRET = '00'.repeat(32);
// sha256('cinderforge/1 commitment' followed by 32 zero bytes)
const PROMISE = '558236ae92b27a660144ad46157f8c09264ad7960e32bfac026541e55c883736';

describe('the check of a deal (R3.4)', () => {
  it('holds when the secret is the promised one and our bytes are in', () => {
    expect(isAsPromised(PROMISE, SECRET, ['aa', 'bb'], 'bb')).toBe(true);
    expect(isAsPromised(PROMISE, SECRET, [], undefined)).toBe(true);
  });

  it('fails for another secret', () => {
    expect(isAsPromised(PROMISE, `01${SECRET.slice(2)}`, [], undefined)).toBe(false);
  });

  it('fails when our bytes were left out', () => {
    expect(isAsPromised(PROMISE, SECRET, ['aa'], 'bb')).toBe(false);
  });
});
