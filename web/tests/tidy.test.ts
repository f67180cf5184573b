/** A name on its way: the same cases as in tests/room/test_names.py, as server and client must agree. */
import { expect, test } from 'vitest';
import { tidied } from '../src/game/tidy';

test.each([
  ['  阿狸  ', '阿狸'],
  ['\u3000阿\u3000\u3000狸\u3000', '阿 狸'],
  ['Ann\n  Lee\t', 'Ann Lee'],
  ['\u200bAnn\u200b \u200b Lee\ufeff', 'Ann Lee'],
  ['A\u200bnn', 'Ann'],
  ['\u00a0Ann\u2003\u2009Lee\u2028', 'Ann Lee'],
  ['Ann \u2800 Lee', 'Ann Lee'],
  ['e\u0301 \u202e', '\u00e9'],
  ['👩\u200d👩\u200d👧\u200d👦 家', '👩\u200d👩\u200d👧\u200d👦 家'],
  ['\u3164\u200b\u3000', ''],
])('%j is tidied as the server does it', (name, shown) => {
  expect(tidied(name)).toBe(shown);
});
