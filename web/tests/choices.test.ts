import { describe, expect, it } from 'vitest';

import { choosable, playable, tapped, wanted, wishOf } from '../src/offers/choices';
import type { OfferView, PlayerView } from '../src/protocol/protocol.gen';

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
    expect(tapped(one, [3], 1)).toEqual([1]);
    expect(choosable(one, [3])).toEqual([1, 3]);
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

describe('playing a card', () => {
  const player = (drawn: PlayerView['drawn']) =>
    ({ hand: ['blank', 'sage', 'blank'], drawn }) as Partial<PlayerView> as PlayerView;

  it('is on offer by kind, for each card of that kind', () => {
    expect(playable(play, player(null))).toEqual([0, 2]);
  });

  it('is the last card alone where a drawn one binds', () => {
    expect(playable(play, player('blank'))).toEqual([2]);
  });

  it('is not possible while something else is asked, or nothing, or to who only watches', () => {
    expect(playable(vote, player(null))).toEqual([]);
    expect(playable(null, player(null))).toEqual([]);
    expect(playable(play, null)).toEqual([]);
  });
});
