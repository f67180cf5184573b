import { createHash } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { isAsPromised } from '../src/game/fairness';

const secret = '00ff10'.padEnd(64, 'a');
const commitment = createHash('sha256')
  .update('cinderforge/1 commitment')
  .update(Buffer.from(secret, 'hex'))
  .digest('hex');

describe('the promise of a deal (R3.4)', () => {
  it('holds for the secret that was promised', async () => {
    await expect(isAsPromised(commitment, secret, [], undefined)).resolves.toBe(true);
  });
  it('is broken by any other secret', async () => {
    await expect(isAsPromised(commitment, `${secret.slice(2)}00`, [], undefined)).resolves.toBe(false);
  });
  it('needs our own bytes among those that were mixed in', async () => {
    await expect(isAsPromised(commitment, secret, ['ab', 'cd'], 'cd')).resolves.toBe(true);
    await expect(isAsPromised(commitment, secret, ['ab'], 'cd')).resolves.toBe(false);
  });
});
