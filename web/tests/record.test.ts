import { describe, expect, it } from 'vitest';

import { columnsOf, type Recorded } from '../src/game/record';
import { drawnFrom } from '../src/game/status';
import type { RoundView, TableView } from '../src/protocol/protocol.gen';

const ROUND = {
  ...{ number: 1, giver: 2, holder: 3, acts: [{ turn: 3, act: 'played', how: 'own' }], marks: [], cards: ['blank'] },
  ...{ sources: null, fired: { turn: 3, scroll: 'force_play', round: 1, targets: [1], effect: true } },
} as unknown as RoundView;
const TABLE = {
  ...{ phase: 'pass', round: 1, holder: 2, giver: null, fired: [], acts: [], marks: [], past: [] },
} as unknown as TableView;
const seen = (table: Partial<TableView>, past: RoundView[] = [], showing: unknown = null): Recorded => ({
  ...{ table: { ...TABLE, ...table }, past, showing },
});

describe('the record', () => {
  it('has no column before the first round, nor one that is on after the end', () => {
    expect(columnsOf(seen({ phase: 'vote', round: 0, holder: null }))).toEqual([]);
    const over = columnsOf(seen({ phase: 'over', past: [ROUND] }, [ROUND]));
    expect(over.map((one) => one.isOver)).toEqual([true]);
  });

  it('shows a round as soon as it begins: who holds the crystal, then who has it, the scroll and what was done', () => {
    expect(columnsOf(seen({}))).toMatchObject([{ number: 1, giver: null, holder: 2, scroll: null, isOver: false }]);
    const { giver, holder, acts, fired } = ROUND;
    const now = columnsOf(seen({ phase: 'play', giver, holder, acts, fired: [fired] }));
    expect(now).toMatchObject([{ giver: 2, holder: 3, scroll: 'force_play', acts, cards: [], isOver: false }]);
  });

  it('tells no card of a round before it has been flipped', () => {
    const now = columnsOf(seen({ round: 2, past: [ROUND] }, [], { round: 1 }));
    expect(now).toMatchObject([{ number: 1, acts: ROUND.acts, cards: [], sources: null, isOver: false }]);
  });
});

describe('whom a card was drawn from', () => {
  it('is told until the next scroll fires', () => {
    const drawn = { news: 'drawn', drawer: 3, source: 4 } as const;
    expect(drawnFrom([drawn], 3)).toBe(4);
    expect(drawnFrom([drawn], 4)).toBeUndefined();
    expect(drawnFrom([drawn, { news: 'scroll_unrolled', turn: 3, scroll: 'force_play' }], 3)).toBeUndefined();
  });
});
