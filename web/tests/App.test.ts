import { render, screen } from '@testing-library/svelte';
import { expect, test } from 'vitest';

import App from '../src/App.svelte';

test('the page names the game', () => {
  render(App);
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Cinderforge');
});
