import { describe, expect, it } from 'vitest';

import { othersFrom, seatSpots } from '../src/board/spots';

const SIZES = [5, 6, 7, 8, 9, 10];
/** Width and height of the felt, and of a seat, on a small phone, a phone, a phone lying down, a desktop. */
const FELTS: [string, number, number, number, number][] = [
  ['a phone', 374, 420, 91, 56],
  ['a large phone', 414, 480, 100, 56],
  ['a desktop', 900, 560, 138, 56],
];

describe('the seats around the table', () => {
  it('goes from the next player round to the previous one (R6)', () => {
    expect(othersFrom(1, 5)).toEqual([2, 3, 4, 5]);
    expect(othersFrom(3, 5)).toEqual([4, 5, 1, 2]);
    expect(othersFrom(5, 5)).toEqual([1, 2, 3, 4]);
  });

  it('puts the next player at the lower left and the previous one at the lower right', () => {
    const spots = seatSpots(7, 400, 420, 90, 56);
    expect(spots[0]?.x).toBeLessThan(100);
    expect(spots[6]?.x).toBeGreaterThan(300);
    expect(spots[0]?.y).toBe(spots[6]?.y);
    expect(spots[3]).toEqual({ x: 200, y: 32 });
  });

  for (const [name, w, h, sw, sh] of FELTS)
    it.each(SIZES)(`seats %i on ${name} without overlap and without leaving the felt`, (seats) => {
      const spots = seatSpots(seats - 1, w, h, sw, sh);
      for (const [index, a] of spots.entries()) {
        expect(a.x - sw / 2).toBeGreaterThanOrEqual(0);
        expect(a.x + sw / 2).toBeLessThanOrEqual(w);
        expect(a.y - sh / 2).toBeGreaterThanOrEqual(0);
        expect(a.y + sh / 2).toBeLessThanOrEqual(h);
        for (const b of spots.slice(index + 1))
          expect(Math.abs(a.x - b.x) >= sw || Math.abs(a.y - b.y) >= sh, `${String(index)} overlaps`).toBe(true);
      }
    });
});
