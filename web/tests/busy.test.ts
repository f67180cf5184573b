import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { watchPresses } from '../src/pages/busy';

beforeEach(() => {
  vi.useFakeTimers();
  document.body.innerHTML = '<button id="a"><b>go</b></button><button id="b"></button>';
});
afterEach(() => {
  vi.useRealTimers();
});
const busy = () => [...document.querySelectorAll('[data-busy]')].map((one) => one.id);
const press = (query: string) => document.querySelector<HTMLElement>(query)?.click();

it('marks the very button that was pressed until its wish is answered', () => {
  const { mark, stop } = watchPresses(document);
  press('#a b');
  const done = mark();
  press('#b');
  vi.advanceTimersByTime(1_000);
  expect(busy()).toEqual(['a']);
  done();
  expect(busy()).toEqual([]);
  stop();
});

it('marks nothing that is answered at once', () => {
  const { mark, stop } = watchPresses(document);
  press('#a');
  const done = mark();
  vi.advanceTimersByTime(100);
  done();
  vi.advanceTimersByTime(1_000);
  expect(busy()).toEqual([]);
  stop();
});
