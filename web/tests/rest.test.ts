import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { keepFocus } from '../src/rest';

let stop: () => void;
let hidden = new Set<Element>();

beforeEach(() => {
  vi.useFakeTimers();
  hidden = new Set();
  // nothing is laid out here: all that is not called hidden has a place
  vi.spyOn(Element.prototype, 'getClientRects').mockImplementation(function (this: Element) {
    return (hidden.has(this) ? [] : [{}]) as unknown as DOMRectList;
  });
  document.body.innerHTML = '<main><h1 tabindex="-1" data-rest>Night</h1><button>Seen</button></main><p></p>';
  stop = keepFocus();
});
afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function pressed(): void {
  const button = document.querySelector('button');
  button?.focus();
  button?.remove();
}

it('goes to the heading when what had it is gone', async () => {
  pressed();
  await vi.advanceTimersByTimeAsync(10);
  expect(document.activeElement).toBe(document.querySelector('h1'));
});

it('goes to a heading that is shown later, though no watched change says so', async () => {
  const heading = document.querySelector('h1') as Element;
  hidden.add(heading);
  pressed();
  await vi.advanceTimersByTimeAsync(500);
  expect(document.activeElement).toBe(document.body);
  hidden.delete(heading);
  await vi.advanceTimersByTimeAsync(100);
  expect(document.activeElement).toBe(heading);
});

it('follows one who leaves a button, comes back at once and presses it away', async () => {
  const button = document.querySelector('button');
  button?.focus();
  document.querySelector('h1')?.focus();
  button?.focus();
  await vi.advanceTimersByTimeAsync(10);
  button?.remove();
  await vi.advanceTimersByTimeAsync(10);
  expect(document.activeElement).toBe(document.querySelector('h1'));
});

it('leaves it where a person has taken it, and on nothing if they left it there themselves', async () => {
  const button = document.querySelector('button');
  button?.focus();
  button?.blur();
  await vi.advanceTimersByTimeAsync(10);
  document.querySelector('p')?.append('and more');
  await vi.advanceTimersByTimeAsync(500);
  expect(document.activeElement).toBe(document.body);
});
