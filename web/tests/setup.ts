// What jsdom lacks and the client uses.
import '@testing-library/jest-dom/vitest';
import { vi } from 'vitest';

import { speech } from '../src/words/words.svelte';

const animation = {
  cancel: () => undefined,
  finished: Promise.resolve(),
  onfinish: null,
  currentTime: 0,
  startTime: 0,
};
Element.prototype.animate ??= vi.fn(() => animation as unknown as Animation);

/** Answers as a browser whose owner wants reduced motion, so that nothing moves in a test. */
function matchMedia(query: string): MediaQueryList {
  const listening = { addEventListener: () => undefined, removeEventListener: () => undefined };
  const answer = { matches: query.includes('reduce'), media: query, onchange: null, dispatchEvent: () => false };
  return { ...answer, ...listening } as unknown as MediaQueryList;
}
window.matchMedia ??= matchMedia;

/** Nothing has a size in jsdom, so nothing changes it. */
class NoResizes implements ResizeObserver {
  observe = () => undefined;
  unobserve = () => undefined;
  disconnect = () => undefined;
}
window.ResizeObserver ??= NoResizes;

// Texts come when they are asked for (main.ts waits for them); tests read the Chinese ones.
await speech.speak('zh-TW');
localStorage.clear();
