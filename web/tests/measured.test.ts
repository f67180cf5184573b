import { render, screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';

import Measured from '../src/waiting/Measured.svelte';

it('tells of the strong ones first, and of both below', () => {
  render(Measured, {
    seats: 8,
    measured: [
      { who: 'blueprint', games: 4000, wins: 1960, rounds: 21_200 },
      { who: 'scout', games: 1000, wins: 430, rounds: 3_900 },
    ],
  });
  expect(screen.getByTestId('measured-line')).toHaveTextContent('AI 對戰：人類勝 49 % · 平均 5.3 回合');
  expect(screen.getByRole('status')).toHaveTextContent('這組設定的實測：');
  expect(screen.getByText(/斥候/)).toHaveTextContent('43 %（±3.1），平均 3.9 回合；1000 場');
});

it('says plainly that settings have not been measured, and follows when others are chosen', async () => {
  const { rerender } = render(Measured, { seats: 5, measured: [] });
  expect(screen.getByTestId('measured-line')).toHaveTextContent('這組設定還沒有實測數字');
  expect(screen.getByTestId('measured')).not.toHaveTextContent('%');
  await rerender({ seats: 5, measured: [{ who: 'blueprint', games: 4000, wins: 2000, rounds: 16_000 }] });
  expect(screen.getByTestId('measured-line')).toHaveTextContent('AI 對戰：人類勝 50 % · 平均 4.0 回合');
});
