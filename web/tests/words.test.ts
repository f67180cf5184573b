import { fireEvent, render, screen, waitFor } from '@testing-library/svelte';
import { afterEach, describe, expect, it } from 'vitest';

import { words as english } from '../src/words/en.gen';
import LanguageButton from '../src/words/LanguageButton.svelte';
import { languageFor, speech, TONGUES } from '../src/words/words.svelte';
import { words as chinese } from '../src/words/zh-TW.gen';

/** Every text with its path. */
function texts(of: unknown, path = ''): [string, string][] {
  if (typeof of === 'string') return [[path, of]];
  return Object.entries(of as Record<string, unknown>).flatMap(([key, one]) => texts(one, `${path}.${key}`));
}
const names = (text: string) => [...new Set([...text.matchAll(/\{(\w+)/g)].map((one) => one[1]))].sort();

describe('the texts', () => {
  it.each(TONGUES)('are the same ones in %s, with the same values in them', async (_, tongue) => {
    const other = new Map(texts((await tongue.words()).words));
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

describe('the language', () => {
  afterEach(() => speech.speak('zh-TW'));

  it.each([
    ['zh-TW', 'zh-TW'],
    ['zh-HK', 'zh-TW'],
    ['zh', 'zh-TW'],
    ['zh-Hant-CN', 'zh-TW'],
    ['zh-CN', 'zh-CN'],
    ['zh-SG', 'zh-CN'],
    ['zh-Hans-HK', 'zh-CN'],
    ['ja-JP', 'ja'],
    ['en-GB', 'en'],
    ['jam', 'en'],
    ['fr', 'en'],
  ])('of a browser that speaks %s is %s', (tag, language) => {
    expect(languageFor(tag)).toBe(language);
  });

  it('is said to the page, so that it reads and draws it right', async () => {
    await speech.speak('zh-CN');
    expect(document.documentElement.lang).toBe('zh-Hans-CN');
    expect(speech.t.roles.sage.name).toBe('贤者');
    await speech.speak('ja');
    expect(document.documentElement.lang).toBe('ja');
    expect(localStorage.getItem('cinderforge.language')).toBe('ja');
  });

  it('is one tap away between Chinese and English, else in a list', async () => {
    render(LanguageButton);
    expect(screen.queryByTestId('lang-list')).toBeNull();
    await fireEvent.click(screen.getByTestId('lang'));
    await waitFor(() => {
      expect(speech.language).toBe('en');
    });
    await speech.speak('ja');
    const list = await screen.findByTestId('lang-list');
    expect(screen.queryByTestId('lang')).toBeNull();
    expect(list).toHaveValue('ja');
    await fireEvent.change(list, { target: { value: 'zh-CN' } });
    await waitFor(() => {
      expect(speech.language).toBe('zh-CN');
    });
  });

  it('is offered in a list from the start where there is room', () => {
    render(LanguageButton, { all: true });
    expect([...(screen.getByTestId('lang-list') as HTMLSelectElement).options].map((one) => one.text)).toEqual(
      TONGUES.map(([, tongue]) => tongue.name),
    );
  });
});
