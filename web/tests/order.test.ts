import { describe, expect, it } from 'vitest';

import { drawnAmong, votesFor } from '../src/game/ballots';
import { movedIn } from '../src/game/order';

describe('who was moved in the order of a round (R6.12)', () => {
  it.each([
    ['nobody, where it is the turn order from the holder on', [3, 4, 5, 1, 2], 3, []],
    ['who acts last', [4, 5, 1, 2, 3], 3, [3]],
    ['who follows a leader that sat behind', [3, 5, 1, 4, 2], 3, [4]],
    ['a follower next to the leader', [3, 5, 4, 1, 2], 3, [4]],
    ['two that act last', [3, 1, 2, 5, 4], 3, [5, 4]],
  ])('is %s', (_, order, holder, moved) => {
    expect(movedIn(order, holder, 5)).toEqual(moved);
  });
});

describe('the vote, once it is open (R5.1)', () => {
  it('counts what each got', () => {
    expect([...votesFor([2, 2, null, 3])]).toEqual([
      [2, 2],
      [3, 1],
    ]);
  });
  it('is drawn among the tied, or among all where nobody voted', () => {
    expect(drawnAmong([2, 3, 3, 2])).toEqual([2, 3]);
    expect(drawnAmong([2, 2, 3, null])).toEqual([2]);
    expect(drawnAmong([null, null, null])).toEqual([1, 2, 3]);
  });
});
