import { expect, it } from 'vitest';

import { Apart } from '../src/words/apart.svelte';

it('has its words for everybody who has waited, also for who asked while they were on their way', async () => {
  let come: (words: string) => void = () => undefined;
  const words = new Apart(() => new Promise<string>((resolve) => (come = resolve)));
  void words.follow('en');
  const second = words.follow('en').then(() => words.t);
  come('there');
  expect(await second).toBe('there');
});

it('is asked for again after it could not be had', async () => {
  let tries = 0;
  const words = new Apart(() => (++tries === 1 ? Promise.reject(new Error('offline')) : Promise.resolve('there')));
  await expect(words.follow('en')).rejects.toThrow('offline');
  await words.follow('en');
  expect(words.t).toBe('there');
});
