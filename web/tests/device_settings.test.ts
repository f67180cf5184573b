import { fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, expect, it, vi } from 'vitest';

import { device, USUAL } from '../src/device/device.svelte';
import Settings from '../src/device/Settings.svelte';

afterEach(() => {
  device.reset();
  vi.unstubAllGlobals();
});

it('keeps each choice as it is made, and takes all of them back', async () => {
  render(Settings);
  await fireEvent.click(screen.getByTestId('text-1.3'));
  await fireEvent.click(screen.getByTestId('contrast-high'));
  await fireEvent.click(screen.getByTestId('play-at_once'));
  await fireEvent.click(screen.getByTestId('premove'));
  await fireEvent.input(screen.getByTestId('music'), { target: { value: '15' } });
  const kept = JSON.parse(localStorage.getItem('cinderforge.device') ?? '') as unknown;
  expect(kept).toEqual({ ...USUAL, text: 1.3, contrast: 'high', play: 'at_once', premove: false, music: 0.15 });
  await fireEvent.click(screen.getByTestId('reset-all'));
  expect(device.choices).toEqual(USUAL);
  expect(screen.getByTestId('text-1')).toBeChecked();
});

it('asks to notify when that is switched on, and leaves it off where it is refused', async () => {
  const asked = vi.fn(() => Promise.resolve('denied'));
  vi.stubGlobal('Notification', { permission: 'default', requestPermission: asked });
  render(Settings);
  expect(asked).not.toHaveBeenCalled();
  await fireEvent.click(screen.getByTestId('notification'));
  expect(asked).toHaveBeenCalledOnce();
  expect(await screen.findByText(/沒有允許/)).toBeInTheDocument();
  expect(screen.getByTestId('notification')).not.toBeChecked();
  expect(device.choices.notification).toBe(false);
});

it('names whose work this is, with a road to each licence', () => {
  render(Settings);
  expect(screen.getByRole('link', { name: 'CC BY 3.0' })).toHaveAttribute('href', expect.stringContaining('/by/3.0'));
  expect(screen.getByText(/Delapouite/)).toHaveTextContent('Lorc');
  expect(screen.getByText(/Open Font License/)).toHaveTextContent('OFL 1.1');
  expect(screen.getByText(/ISC/)).toBeInTheDocument();
});
