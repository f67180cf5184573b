import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { mind, watchForRelease } from '../src/renewal';

const reload = vi.fn();
watchForRelease(reload);
const miss = () => dispatchEvent(new Event('vite:preloadError'));

beforeEach(() => {
  vi.useFakeTimers();
  sessionStorage.clear();
  reload.mockClear();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('starts the page anew when a part of it is gone, once', () => {
  miss();
  miss();
  expect(reload).toHaveBeenCalledOnce();
});

it('waits while one is on turn', () => {
  let isOnTurn = true;
  const stop = mind(() => isOnTurn);
  miss();
  vi.advanceTimersByTime(5_000);
  expect(reload).not.toHaveBeenCalled();
  isOnTurn = false;
  vi.advanceTimersByTime(1_000);
  expect(reload).toHaveBeenCalledOnce();
  stop();
});

it('does nothing without a network', () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  miss();
  expect(reload).not.toHaveBeenCalled();
});
