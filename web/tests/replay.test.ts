import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { News, PlayerView, Replay, ReplayMoment, TableView } from '../src/protocol/protocol.gen';
import { addressOf, idIn, momentIn } from '../src/replay/address';
import { kindOf, known, laid, opened, ringSpots, roundStarts, scenesOf } from '../src/replay/course';
import { keyOf } from '../src/replay/keys';
import { linesOf } from '../src/replay/lines';
import { Reel } from '../src/replay/reel.svelte';
import { gameOf, gamesIn, Shelf } from '../src/replay/shelf.svelte';
import type { Teller } from '../src/game/log';
import { words } from '../src/words/zh-TW.gen';

const TALLY = { sage_activated: false, activated: 0, slain: 0, sage_slain: false };
const TABLE = {
  phase: 'reveal',
  seats: [1, 2, 3],
  hand_sizes: [2, 2, 2],
  unfired: [1, 2, 3],
  fired: [],
  choice: null,
  announcing: false,
  marks: [],
  acts: [],
  awaited: [],
  voted: [],
  ballots: null,
  tally: TALLY,
  past: [],
  holder: null,
  round: 0,
  reveal: null,
} as unknown as TableView;
const player = (turn: number, more: Partial<PlayerView>): Partial<PlayerView> => ({
  turn,
  role: 'adventurer',
  hand: ['adventurer', 'blank'],
  scroll: 'peek_hand',
  played: null,
  plays: [],
  night: null,
  knows_cards: [],
  knows_roles: [],
  ballot: null,
  ...more,
});
const acted = (turn: number, act: 'played' | 'skipped'): News => ({ news: 'acted', turn, act, how: 'own' });
const started = (number: number): News => ({ news: 'round_started', number });
function moment(news: News[], table: Partial<TableView>, players: Partial<PlayerView>[] = []): ReplayMoment {
  return { moves: 0, news, table, players };
}

/** A deal, a night, two rounds and the end. */
const REPLAY = {
  eye: null,
  players: [],
  moments: [
    moment([], TABLE, [player(1, { role: 'sage' }), player(2, {}), player(3, { role: 'red_dragon' })]),
    moment([{ news: 'night_fell' }], { phase: 'night' }, [
      { turn: 1, night: [3] },
      { turn: 3, night: [1] },
    ]),
    moment([started(1)], { phase: 'pass', round: 1, holder: 2 }, [
      { turn: 1, night: null },
      { turn: 3, night: null },
    ]),
    moment(
      [acted(1, 'played')],
      { phase: 'play', acts: [{ turn: 1, act: 'played', how: 'own' }], hand_sizes: [1, 2, 2] },
      [{ turn: 1, played: 'blank', hand: ['sage'] }],
    ),
    moment(
      [{ news: 'resolved', cards: ['blank'], sources: null, tally: TALLY }],
      { past: [{ number: 1, cards: ['blank'], sources: null }] as unknown as TableView['past'] },
      [
        { turn: 1, played: null, plays: ['blank'] },
        { turn: 2, plays: [null] },
        { turn: 3, plays: [null] },
      ],
    ),
    moment([started(2)], { phase: 'pass', round: 2, acts: [] }),
    moment([acted(2, 'skipped')], { phase: 'play' }),
    moment([{ news: 'ended', winner: 'human', reason: 'R7.2' }], { phase: 'over' }),
  ],
} as unknown as Replay;
const scenes = scenesOf(REPLAY);
const teller: Teller = {
  t: words,
  name: (turn) => `P${String(turn)}`,
  list: (parts) => parts.join('、'),
  targets: { activation: 2, kill: 3 },
};
const scene = (at: number) => {
  const found = scenes[at];
  if (!found) throw new RangeError(String(at));
  return found;
};

describe('the course of a replay', () => {
  it('is whole pictures, each made of the one before it and what differs', () => {
    expect(scenes).toHaveLength(8);
    expect(scene(3).table.holder).toBe(2);
    expect(scene(3).players[0]).toMatchObject({ role: 'sage', played: 'blank', night: null });
    expect(scene(0).players[0]?.played).toBeNull();
    expect(roundStarts(scenes)).toEqual([0, 2, 5]);
    expect(scenes.map(kindOf)).toEqual(['deal', 'night', 'round', 'played', 'activated', 'round', 'skipped', 'over']);
  });

  it('shows an eye what the server gave that eye, and no more', () => {
    expect(known(scene(3), null, 1)).toMatchObject({ role: 'sage', hand: ['sage'], played: 'blank' });
    expect(known(scene(3), 1, 1)).toMatchObject({ role: 'sage', hand: ['sage'], played: 'blank' });
    expect(known(scene(3), 2, 1)).toMatchObject({ role: null, hand: [null], scroll: null, played: null });
    expect(laid(scene(3), null)).toEqual([{ turn: 1, card: 'blank' }]);
    expect(laid(scene(3), 2)).toEqual([{ turn: 1, card: null }]);
    expect(laid(scene(4), null)).toEqual([{ turn: 1, card: 'blank' }]);
    expect(laid(scene(4), 2)).toEqual([{ turn: null, card: 'blank' }]);
    expect(opened(scene(4), null).reveal?.plays).toEqual([[{ turn: 1, card: 'blank' }]]);
    expect(opened(scene(4), 2).reveal?.plays).toEqual([[]]);
    expect([1, 2, 3].filter((turn) => known(scene(1), null, turn).seen)).toEqual([1, 3]);
    expect([1, 2, 3].filter((turn) => known(scene(1), 1, turn).seen)).toEqual([3]);
    expect([1, 2, 3].filter((turn) => known(scene(1), 2, turn).seen)).toEqual([]);
  });

  it('is told in words, with what only some knew marked as such', () => {
    const texts = (at: number, eye: number | null) => linesOf(scene(at), eye, teller);
    expect(texts(3, null)).toEqual([{ text: 'P1 出了空白卡', isPrivate: true }]);
    expect(texts(3, 2)).toEqual([{ text: 'P1 出了一張牌', isPrivate: false }]);
    expect(texts(1, 1)[1]).toEqual({ text: 'P1 看見 P3', isPrivate: true });
    expect(texts(1, 2)[1]).toEqual({ text: 'P2 沒有看見任何人', isPrivate: true });
    for (const at of scenes.keys()) expect(texts(at, null).length).toBeGreaterThan(0);
  });
});

describe('the address of a moment', () => {
  it.each([
    ['/replay/QXKMRT-1', '', null],
    ['/replay/QXKMRT-1/', '', null],
    ['/replay/QXKMRT-1/17', '', { step: 17, eye: null }],
    ['/replay/QXKMRT-1/17', '?as=3', { step: 17, eye: 3 }],
    ['/replay/QXKMRT-1', '?as=3', { step: 1, eye: 3 }],
    ['/replay/QXKMRT-1/x', '?as=-2', null],
    ['/replay/QXKMRT-1/2', '?as=1.5', { step: 2, eye: null }],
  ])('%s%s', (path, query, moment) => {
    expect(momentIn(path, query)).toEqual(moment);
    expect(idIn(path)).toBe('QXKMRT-1');
    if (moment !== null) expect(addressOf('QXKMRT-1', moment)).toBe(path + query.replace('?as=1.5', ''));
  });
});

describe('the reel', () => {
  let reel: Reel;
  beforeEach(() => {
    vi.useFakeTimers();
    reel = new Reel(scenes);
  });
  afterEach(() => {
    reel.stop();
    vi.useRealTimers();
  });
  const press = (key: string, more: KeyboardEventInit = {}) =>
    keyOf(new KeyboardEvent('keydown', { key, ...more }), reel);

  it('goes by steps and rounds and to both ends by keys', () => {
    press('ArrowRight');
    expect(reel.at).toBe(1);
    press('ArrowRight', { shiftKey: true });
    expect([reel.at, reel.round]).toEqual([2, 1]);
    press('ArrowRight');
    press('ArrowLeft', { shiftKey: true });
    expect(reel.at).toBe(2);
    press('ArrowLeft', { shiftKey: true });
    expect(reel.at).toBe(0);
    press('ArrowLeft');
    expect(reel.at).toBe(0);
    press('End');
    expect(reel.isAtEnd).toBe(true);
    press('ArrowRight', { shiftKey: true });
    press('ArrowRight');
    expect(reel.at).toBe(7);
    press('Home');
    expect(reel.at).toBe(0);
    expect(press('x')).toBe(false);
    expect(press('ArrowRight', { ctrlKey: true })).toBe(false);
  });

  it('opens at the moment that a link names, and tells of nothing that comes after', () => {
    reel.guard(true);
    reel.open({ step: 4, eye: 2 });
    expect([reel.at, reel.last, reel.eye]).toEqual([3, 3, 2]);
    press('End');
    expect(reel.at).toBe(3);
    reel.open({ step: 9_000, eye: 4 });
    expect([reel.isAtEnd, reel.isGuarded, reel.eye]).toEqual([true, false, null]);
    reel.open({ step: 0, eye: null });
    expect(reel.at).toBe(0);
  });

  it('leaves the keys to a list of choices, and Space to a button', () => {
    for (const [name, key] of [
      ['select', 'ArrowRight'],
      ['button', ' '],
    ] as const) {
      const element = document.body.appendChild(document.createElement(name));
      let taken = true;
      element.addEventListener('keydown', (event) => {
        taken = keyOf(event as KeyboardEvent, reel);
      });
      element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
      expect(taken).toBe(false);
      element.remove();
    }
    expect(reel.at).toBe(0);
  });

  it('runs by itself, at the speed one wishes, and stops at the end', () => {
    reel.setSpeed(4);
    press(' ');
    vi.advanceTimersByTime(750);
    expect(reel.at).toBe(1);
    reel.setSpeed(0.5);
    vi.advanceTimersByTime(2_700);
    expect(reel.at).toBe(1);
    vi.advanceTimersByTime(60_000);
    expect([reel.at, reel.isRunning]).toEqual([7, false]);
    press(' ');
    expect([reel.at, reel.isRunning]).toEqual([0, true]);
    press(' ');
    vi.advanceTimersByTime(60_000);
    expect(reel.at).toBe(0);
  });

  it('tells whoever wants no spoilers of nothing that they have not come to', () => {
    reel.guard(true);
    expect([reel.last, reel.rounds]).toEqual([0, 1]);
    reel.toEnd();
    reel.stepRound(1);
    expect(reel.at).toBe(0);
    for (let step = 0; step < 3; step++) reel.step(1);
    expect([reel.at, reel.last, reel.rounds]).toEqual([3, 3, 2]);
    reel.step(-1);
    expect(reel.last).toBe(3);
    reel.stepRound(1);
    expect(reel.at).toBe(3);
    for (let step = 0; step < 5; step++) reel.step(1);
    expect([reel.isGuarded, reel.at]).toEqual([false, 7]);
  });
});

describe('the shelf', () => {
  const cache = new Map<string, string>();
  beforeEach(() => {
    cache.clear();
    localStorage.clear();
    vi.stubGlobal('caches', {
      open: () =>
        Promise.resolve({
          match: (key: string) => Promise.resolve(cache.has(key) ? new Response(cache.get(key)) : undefined),
          put: async (key: string, answer: Response) => void cache.set(key, await answer.text()),
          delete: (key: string) => Promise.resolve(cache.delete(key)),
        }),
    });
    const answer = { ...REPLAY, result: { winner: 'human', reason: 'R7.2' }, rounds: 2 };
    vi.stubGlobal(
      'fetch',
      vi.fn(() => Promise.resolve(new Response(JSON.stringify(answer)))),
    );
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it('keeps the last twenty replays, and asks for none of them again', async () => {
    const shelf = new Shelf();
    for (let game = 1; game <= 22; game++) await shelf.open(`ABC234-${String(game)}`);
    expect(cache.size).toBe(20);
    const later = new Shelf();
    expect(later.entries.filter((one) => one.isKept)).toHaveLength(20);
    vi.mocked(fetch).mockClear();
    expect(await later.open('ABC234-22')).not.toBeNull();
    expect(fetch).not.toHaveBeenCalled();
    await later.open('ABC234-1');
    expect(fetch).toHaveBeenCalledOnce();
  });

  it('knows a file again, and says when it is not kept', async () => {
    const shelf = new Shelf();
    const id = await shelf.openFile('a.cinder.jsonl', '{"a":1}', 3);
    expect(vi.mocked(fetch).mock.calls[0]?.[1]).toMatchObject({ method: 'POST', body: '\n\n{"a":1}' });
    expect(await shelf.openFile('b.cinder.jsonl', '{"a":1}', 1)).toBe(id);
    expect(fetch).toHaveBeenCalledOnce();
    expect(await new Shelf().open(id)).not.toBeNull();
    cache.clear();
    expect(await new Shelf().open(id)).toBeNull();
  });

  it('tells how a game ended only to whoever knows', async () => {
    const shelf = new Shelf();
    const id = await shelf.openFile('a.cinder.jsonl', '{}', 1);
    expect(shelf.entries[0]?.isKnown).toBe(false);
    shelf.know(id);
    expect(new Shelf().entries[0]?.isKnown).toBe(true);
    shelf.played({ id: 'ABC234-1', winner: 'dragon', rounds: 3, seats: 5, won: false });
    expect(shelf.entries.map((one) => [one.id, one.isKnown, one.won])).toEqual([
      ['ABC234-1', true, false],
      [id, true, null],
    ]);
  });

  it('does without a cache, and with a spoilt list', async () => {
    vi.stubGlobal('caches', undefined);
    localStorage.setItem('cinderforge.replays', '{');
    const shelf = new Shelf();
    expect(await shelf.open('ABC234-1')).not.toBeNull();
  });
});

it('finds the games of a file by their lines', () => {
  expect(gamesIn('\ufeff{"a":1}\r\n\n{"b":2}\n')).toEqual([
    { line: 1, text: '{"a":1}' },
    { line: 3, text: '{"b":2}' },
  ]);
  expect(gameOf('ABC234-12')).toEqual({ code: 'ABC234', number: 12 });
  expect(gameOf('0123456789ab')).toBeNull();
});

it.each([5, 6, 7, 8, 9, 10])('seats %i players apart from one another in every window', (count) => {
  for (const [w, h, sw, sh] of [
    [374, 360, 90, 72],
    [490, 280, 118, 48],
    [860, 460, 156, 84],
  ] as const) {
    const spots = ringSpots(count, w, h, sw, sh);
    expect(spots).toHaveLength(count);
    spots.forEach((a, i) => {
      expect(a.x - sw / 2).toBeGreaterThanOrEqual(0);
      expect(a.y + sh / 2).toBeLessThanOrEqual(h);
      for (const b of spots.slice(i + 1))
        expect(Math.abs(a.x - b.x) >= sw - 1 || Math.abs(a.y - b.y) >= sh - 1).toBe(true);
    });
  }
});
