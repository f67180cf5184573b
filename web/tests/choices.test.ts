import { describe, expect, it } from 'vitest';

import { choosable, tapped, wanted, wishOf } from '../src/offers/choices';
import type { OfferView } from '../src/protocol/protocol.gen';

const vote: OfferView = { offer: 'vote', targets: [1, 2, 3] };
const pass: OfferView = { offer: 'pass', targets: [2, 4] };
const two: OfferView = { offer: 'targets', targets: [1, 3, 5], count: 2 };
const play: OfferView = { offer: 'play', cards: ['sage'], may_skip: true };

describe('choosing players', () => {
  it('offers nobody without an offer of players', () => {
    for (const offer of [null, play]) {
      expect(choosable(offer, [])).toEqual([]);
      expect(wanted(offer)).toBe(0);
      expect(wishOf(offer, [1])).toBeNull();
    }
  });

  it('replaces a single choice and takes it back', () => {
    expect(tapped(pass, [], 2)).toEqual([2]);
    expect(tapped(pass, [2], 4)).toEqual([4]);
    expect(tapped(pass, [4], 4)).toEqual([]);
    expect(tapped(pass, [4], 3)).toEqual([4]);
  });

  it('collects several in the order of the taps, each once, no more than asked for', () => {
    expect(tapped(two, [], 5)).toEqual([5]);
    expect(tapped(two, [5], 1)).toEqual([5, 1]);
    expect(tapped(two, [5, 1], 3)).toEqual([5, 1]);
    expect(choosable(two, [5])).toEqual([1, 3]);
    expect(choosable(two, [5, 1])).toEqual([]);
  });

  it('becomes a wish when enough are chosen', () => {
    expect(wishOf(vote, [3])).toEqual({ t: 'vote', target: 3 });
    expect(wishOf(pass, [4])).toEqual({ t: 'pass', to: 4 });
    expect(wishOf(two, [5])).toBeNull();
    expect(wishOf(two, [5, 1])).toEqual({ t: 'targets', targets: [5, 1] });
  });
});
