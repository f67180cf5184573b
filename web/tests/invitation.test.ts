import { encode } from 'uqr';
import { expect, it } from 'vitest';

import { isLocalOnly, pathOf } from '../src/waiting/invitation';

it('a QR code is one path: a run of dark modules is one rectangle', () => {
  expect(
    pathOf([
      [true, true, false, true],
      [false, false, false, false],
    ]),
  ).toBe('M0 0h2v1H0zM3 0h1v1H3z');
});

it('every dark module of a real code is in the path, once', () => {
  const { data } = encode('https://example.org/r/ABC234', { ecc: 'M', border: 3 });
  const area = [...pathOf(data).matchAll(/h(\d+)/g)].reduce((sum, run) => sum + Number(run[1]), 0);
  expect(area).toBe(data.flat().filter(Boolean).length);
});

it('knows addresses that no other machine finds', () => {
  expect(['localhost', '127.0.0.1', '[::1]'].every(isLocalOnly)).toBe(true);
  expect(['192.168.1.7', 'cinderforge.example', '128.0.0.1'].some(isLocalOnly)).toBe(false);
});
