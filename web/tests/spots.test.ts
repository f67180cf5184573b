import { describe, expect, it } from 'vitest';

import { othersFrom, seatSpots } from '../src/board/spots';

const BOXES = [
  { name: 'a phone upright', w: 374, h: 420 },
  { name: 'a phone on its side', w: 470, h: 340 },
  { name: 'a desktop', w: 900, h: 520 },
];

describe('the seats', () => {
  it('begin with the next player and end with the one before', () => {
    expect(othersFrom(3, 5)).toEqual([4, 5, 1, 2]);
    expect(othersFrom(5, 5)).toEqual([1, 2, 3, 4]);
  });

  describe.each(BOXES)('on $name', ({ w, h }) => {
    it.each([4, 7, 9])('stay in the box and apart for %i others', (others) => {
      const width = Math.max(74, Math.min(138, w / 4.1));
      const height = 46;
      const spots = seatSpots(others, w, h, width, height);
      expect(spots).toHaveLength(others);
      for (const [index, a] of spots.entries()) {
        expect(a.x - width / 2).toBeGreaterThanOrEqual(0);
        expect(a.x + width / 2).toBeLessThanOrEqual(w);
        expect(a.y - height / 2).toBeGreaterThanOrEqual(0);
        expect(a.y + height / 2).toBeLessThanOrEqual(h);
        for (const b of spots.slice(index + 1)) {
          expect(Math.abs(a.x - b.x) >= width || Math.abs(a.y - b.y) >= height).toBe(true);
        }
      }
    });
  });

  it('mirror left and right', () => {
    const spots = seatSpots(7, 400, 400, 80, 50);
    for (const [index, spot] of spots.entries()) {
      const other = spots[spots.length - 1 - index];
      expect(spot.x + (other?.x ?? 0)).toBeCloseTo(400);
      expect(spot.y).toBeCloseTo(other?.y ?? 0);
    }
  });
});
