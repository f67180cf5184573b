import { describe, expect, it, vi } from 'vitest';

import { carry } from '../src/waiting/carry';
import { chairsOn, placesRound } from '../src/waiting/gathering';
import { isThis, RECIPES, settingsOf } from '../src/waiting/recipes';
import { NORMAL } from './normal';

describe('a ready-made set', () => {
  it('is known when a room has it, and only one is at a time', () => {
    expect(RECIPES.filter((one) => isThis(one, NORMAL))).toEqual(['standard']);
    expect(RECIPES.filter((one) => isThis(one, { ...NORMAL, preset: 'fast' }))).toEqual(['quick']);
    expect(isThis('standard', { ...NORMAL, rules: { ...NORMAL.rules, first_holder: 'vote' } })).toBe(false);
  });

  it('keeps the size of the table unless it is about it, and leaves A and K to the size', () => {
    const six = { ...NORMAL, rules: { ...NORMAL.rules, seats: 6 } };
    expect(settingsOf('quick', six).seats).toBe(6);
    expect(settingsOf('standard', six).seats).toBe(8);
    expect(settingsOf('standard', six)).not.toHaveProperty('activation_target');
  });
});

describe('the places round the table', () => {
  it('have oneself at the foot, the next player on the left and the previous on the right', () => {
    const places = placesRound(8, 3, 400, 800);
    const mine = places[2];
    expect(places.every((one) => one.y <= (mine?.y ?? 0))).toBe(true);
    expect(places[3]?.x).toBeLessThan(200);
    expect(places[1]?.x).toBeGreaterThan(200);
  });

  it('are on the page at every size', () => {
    for (const [width, height] of [
      [320, 568],
      [844, 390],
      [1920, 1080],
    ] as const) {
      for (const one of placesRound(10, 1, width, height)) {
        expect(one.x).toBeGreaterThan(0);
        expect(one.x).toBeLessThan(width);
        expect(one.y).toBeGreaterThan(0);
        expect(one.y).toBeLessThan(height);
      }
    }
  });

  it('are slid to from where the chairs stood', () => {
    document.body.innerHTML = '<ol><li data-chair="1"></li><li data-chair="2"></li></ol>';
    expect([...chairsOn(document).keys()]).toEqual([1, 2]);
  });
});

describe('a chair that is carried', () => {
  const by = {
    enabled: () => true,
    what: (grip: HTMLElement) => grip.parentElement,
    onstart: vi.fn(),
    onover: vi.fn(),
    onend: vi.fn(),
  };
  function carried() {
    document.body.innerHTML = '<ol><li><span></span></li></ol><p data-place="out"></p>';
    const grip = document.querySelector('span') as HTMLElement;
    grip.setPointerCapture = vi.fn();
    const place = document.querySelector('p') as HTMLElement;
    document.elementsFromPoint = (_x: number, y: number) => (y > 100 ? [place] : []);
    Object.values(by).forEach((one) => {
      if (vi.isMockFunction(one)) one.mockClear();
    });
    carry(by)(grip);
    const send = (kind: string, clientX: number, clientY: number) => {
      const event = new MouseEvent(kind, { clientX, clientY, bubbles: true, cancelable: true });
      grip.dispatchEvent(Object.assign(event, { pointerId: 1, isPrimary: true }));
    };
    return { send, chair: grip.parentElement as HTMLElement };
  }

  it('moves with the finger and is let go over a place', () => {
    const { send, chair } = carried();
    send('pointerdown', 10, 10);
    send('pointermove', 12, 12);
    expect(by.onstart).not.toHaveBeenCalled();
    send('pointermove', 20, 200);
    expect(chair.style.transform).toContain('190px');
    expect(by.onover).toHaveBeenLastCalledWith('out');
    send('pointerup', 20, 200);
    expect(by.onend).toHaveBeenCalledWith('out');
    expect(chair.style.transform).toBe('');
  });

  it('goes back when let go anywhere else, on Escape and when the touch is taken away', () => {
    for (const how of ['pointerup', 'pointercancel', 'Escape']) {
      const { send } = carried();
      send('pointerdown', 10, 10);
      send('pointermove', 60, 60);
      if (how === 'Escape') dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
      else send(how, 60, 60);
      expect(by.onend).toHaveBeenCalledExactlyOnceWith('');
    }
  });

  it('is no tap', () => {
    const { send } = carried();
    send('pointerdown', 10, 10);
    send('pointerup', 10, 10);
    expect(by.onend).not.toHaveBeenCalled();
  });
});
