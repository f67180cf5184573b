import { describe, expect, it } from 'vitest';

import type { RoomView } from '../src/protocol/protocol.gen';
import {
  changesBetween,
  figuresOf,
  hostOf,
  othersDealt,
  rolesAt,
  secondsText,
  stopsWith,
  summaryOf,
  TIMERS,
  told,
  worthTelling,
} from '../src/waiting/settings';
import { words as en } from '../src/words/en.gen';
import { words as zh } from '../src/words/zh-TW.gen';
import { NORMAL } from './normal';

const FAST = { reveal: 15, vote: 20, passing: 20, scroll: 20, play: 12, away: 20 };

describe('the settings in words', () => {
  it('sum up in a sentence', () => {
    expect(summaryOf(NORMAL, zh)).toBe('8 人・啟動 2・斬殺 3・正常時限');
    expect(summaryOf({ ...NORMAL, preset: 'custom' }, en)).toContain('custom time');
  });

  it('come with what was measured, written short', () => {
    const found = figuresOf({ who: 'blueprint', games: 4000, wins: 1960, rounds: 21_200 });
    expect(found).toEqual({ percent: '49\u00a0%', margin: '1.5', rounds: '5.3', games: '4000' });
  });

  it('have a name and a value in both languages', () => {
    for (const t of [zh, en])
      for (const one of told(NORMAL, t)) {
        expect(one.name).not.toBe(one.key);
        expect(one.value).not.toBe('');
        expect(one.value).not.toContain('{');
      }
  });

  it('tell what has changed, and nothing else', () => {
    const after = { ...NORMAL, rules: { ...NORMAL.rules, memory_aid: true }, spectator_delay: 60 };
    expect(changesBetween(NORMAL, after, zh)).toEqual([
      { key: 'memory_aid', name: '記憶輔助', value: '開' },
      { key: 'spectator_delay', name: '旁觀延遲', value: '60 秒' },
    ]);
    expect(changesBetween(NORMAL, { ...NORMAL }, zh)).toEqual([]);
  });

  it('tell a new preset as one thing, a timer set by hand as itself', () => {
    const fast = changesBetween(NORMAL, { ...NORMAL, preset: 'fast', timers: FAST }, en);
    expect(fast.length).toBe(1 + TIMERS.length);
    expect(worthTelling(fast).map((one) => one.value)).toEqual(['Fast']);
    const timers = { ...NORMAL.timers, play: null };
    const byHand = changesBetween(NORMAL, { ...NORMAL, preset: 'custom', timers }, en);
    expect(worthTelling(byHand).map((one) => [one.key, one.value])).toEqual([
      ['preset', 'Custom'],
      ['timer_play', 'No limit'],
    ]);
  });

  it('say never where no AI stands in', () => {
    expect(secondsText(null, 'away', en)).toBe('never');
    expect(secondsText(null, 'play', en)).toBe('No limit');
  });
});

describe('a slider of seconds', () => {
  it('ends with no limit, and has a stop for every value', () => {
    expect(stopsWith(30).at(-1)).toBeNull();
    expect(stopsWith(null)).toEqual(stopsWith(30));
    expect(stopsWith(17)).toContain(17);
    const stops = stopsWith(17).slice(0, -1) as number[];
    expect([...stops].sort((a, b) => a - b)).toEqual(stops);
  });
});

describe('the deal beside the targets', () => {
  it('has a role for every seat (R3.2)', () => {
    for (const seats of [5, 6, 7, 8, 9, 10])
      expect(rolesAt(seats).reduce((sum, [, count]) => sum + count, 0)).toBe(seats);
    expect(rolesAt(6).map(([role]) => role)).not.toContain('red_dragon');
    expect([5, 6, 7, 8, 9, 10].map(othersDealt)).toEqual([3, 4, 4, 5, 6, 7]);
  });
});

it('names the host, seated or watching, unless one has muted them', () => {
  const room = { host: 2, seats: [{ member: 1, name: 'A' }], watchers: [{ member: 2, name: 'B' }] };
  const of = (seen: object, muted: number[] = []) =>
    hostOf({
      room: seen as RoomView,
      called: (member, name) => (muted.includes(member ?? 0) ? 'muted' : name),
    });
  expect(of(room)).toBe('B');
  expect(of(room, [2])).toBe('muted');
  expect(of({ ...room, host: null, seats: [{ member: null, name: 'AI' }] })).toBe('');
});
