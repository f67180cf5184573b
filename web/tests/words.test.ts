import { describe, expect, it } from 'vitest';

import { words as english } from '../src/words/en.gen';
import { speech } from '../src/words/words.svelte';
import { words as chinese } from '../src/words/zh-TW.gen';

/** Every text with its path. */
function texts(of: unknown, path = ''): [string, string][] {
  if (typeof of === 'string') return [[path, of]];
  return Object.entries(of as Record<string, unknown>).flatMap(([key, one]) => texts(one, `${path}.${key}`));
}
const names = (text: string) => [...new Set([...text.matchAll(/\{(\w+)/g)].map((one) => one[1]))].sort();

describe('the texts', () => {
  it('are the same ones in both languages, with the same values in them', () => {
    const other = new Map(texts(english));
    expect([...other.keys()].sort()).toEqual(
      texts(chinese)
        .map(([path]) => path)
        .sort(),
    );
    for (const [path, text] of texts(chinese))
      expect([path, names(other.get(path) ?? '')]).toEqual([path, names(text)]);
  });

  it('change with the language, on the page as well', async () => {
    await speech.speak('en');
    expect(speech.t.roles.sage.name).toBe(english.roles.sage.name);
    expect(document.documentElement.lang).toBe('en');
    await speech.toggle();
    expect(speech.t.roles.sage.name).toBe('賢者');
    expect(document.documentElement.lang).toBe('zh-Hant-TW');
    expect(localStorage.getItem('cinderforge.language')).toBe('zh-TW');
  });

  it('has words for every refusal, and for a code it never heard of', () => {
    expect(speech.error('must_play')).not.toContain('must_play');
    expect(speech.error('no such code')).toContain('no such code');
  });
});
