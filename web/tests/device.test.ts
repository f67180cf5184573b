import { describe, expect, it } from 'vitest';
import { device, read, USUAL } from '../src/device/device.svelte';

describe('what a device has kept', () => {
  it('is taken where it is of the right kind, and is as usual elsewhere', () => {
    expect(read('{"play":"at_once","effects":"loud","nonsense":1}')).toEqual({ ...USUAL, play: 'at_once' });
  });

  it.each([null, '', '{', '[]', '7', 'null'])('is as usual when it is %s', (kept) => {
    expect(read(kept)).toEqual(USUAL);
  });

  it('is taken only where it can be chosen', () => {
    expect(read('{"text":40,"motion":"wild","music":7,"turn":-1,"cards":"large","talk":0}')).toEqual({
      ...USUAL,
      cards: 'large',
      talk: 0,
    });
  });

  it('is what another tab has chosen, at once', () => {
    dispatchEvent(new StorageEvent('storage', { key: 'cinderforge.device', newValue: '{"text":1.3}' }));
    expect(device.choices.text).toBe(1.3);
    dispatchEvent(new StorageEvent('storage', { key: 'cinderforge.device', newValue: null }));
    expect(device.choices).toEqual(USUAL);
  });
});

describe('the root of the page', () => {
  it('says what was chosen, and asks the system where that was left to it', () => {
    const root = document.createElement('html');
    device.dress(root);
    expect({ ...root.dataset }).toEqual({ motion: 'less', contrast: 'usual', cards: 'usual', colours: 'usual' });
    device.set('motion', 'full');
    device.set('contrast', 'high');
    device.set('text', 1.15);
    device.dress(root);
    expect({ ...root.dataset }).toMatchObject({ motion: 'full', contrast: 'high' });
    expect(root.style.getPropertyValue('--text-scale')).toBe('1.15');
    device.reset();
  });
});
