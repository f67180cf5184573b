import { describe, expect, it } from 'vitest';

import { choosable, tapped, wanted, wishOf } from '../src/offers/choices';
import type { OfferView } from '../src/protocol/protocol.gen';

const vote: OfferView = { offer: 'vote', targets: [1, 2, 3] };
const pass: OfferView = { offer: 'pass', targets: [2, 4] };
const one: OfferView = { offer: 'targets', targets: [1, 3], count: 1 };
const link: OfferView = { offer: 'targets', targets: [1, 3, 5], count: 2 };
const play: OfferView = { offer: 'play', cards: ['blank'], may_skip: true };
const row: OfferView = { offer: 'row', of: 2, cards: 3 };

describe('choosing players', () => {
  it('offers nobody where no player is asked for', () => {
    for (const offer of [null, play, row]) {
      expect(choosable(offer, [])).toEqual([]);
      expect(wanted(offer)).toBe(0);
      expect(tapped(offer, [], 1)).toEqual([]);
      expect(wishOf(offer, [1])).toBeNull();
    }
  });

  it('changes a single choice by the next tap and takes it back by the same', () => {
    expect(tapped(vote, [], 2)).toEqual([2]);
    expect(tapped(vote, [2], 3)).toEqual([3]);
    expect(tapped(vote, [2], 2)).toEqual([]);
  });

  it('ignores who is not on offer', () => {
    expect(tapped(pass, [], 3)).toEqual([]);
    expect(tapped(pass, [2], 3)).toEqual([2]);
  });

  it('links in the order of the taps, and never the same twice', () => {
    expect(tapped(link, [3], 1)).toEqual([3, 1]);
    expect(choosable(link, [3])).toEqual([1, 5]);
    expect(choosable(link, [3, 1])).toEqual([]);
    expect(tapped(link, [3, 1], 5)).toEqual([3, 1]);
  });

  it('asks only once enough are chosen', () => {
    expect(wishOf(vote, [])).toBeNull();
    expect(wishOf(link, [3])).toBeNull();
    expect(wishOf(vote, [2])).toEqual({ t: 'vote', target: 2 });
    expect(wishOf(pass, [4])).toEqual({ t: 'pass', to: 4 });
    expect(wishOf(one, [3])).toEqual({ t: 'targets', targets: [3] });
    expect(wishOf(link, [3, 1])).toEqual({ t: 'targets', targets: [3, 1] });
  });
});
