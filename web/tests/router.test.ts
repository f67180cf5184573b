import { expect, it } from 'vitest';

import { router } from '../src/router.svelte';

it.each([
  ['/', 'home'],
  ['/learn', 'learn'],
  ['/settings/', 'settings'],
  ['/rules/terms', 'rules'],
  ['/balance/7', 'balance'],
  ['/r/abc234', 'room'],
  ['/r/a', 'lost'],
  ['/setting', 'lost'],
  ['/learning', 'lost'],
  ['/nowhere/at/all', 'lost'],
])('%s leads to %s, and to nothing else', (path, page) => {
  router.go(path);
  expect(router.at.page).toBe(page);
  router.go('/');
});
