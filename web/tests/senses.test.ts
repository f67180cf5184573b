import { render } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { afterEach, expect, it, vi } from 'vitest';

import Resolution from '../src/board/Resolution.svelte';
import { device } from '../src/device/device.svelte';
import Senses from '../src/device/Senses.svelte';
import { Game } from '../src/game/game.svelte';
import type { LinkEvents } from '../src/link/link';
import type { LineView, News, Update } from '../src/protocol/protocol.gen';

const heard = vi.hoisted(() => ({ all: [] as string[] }));
vi.mock('../src/sound/sound.svelte', () => ({
  sound: {
    watch: () => () => undefined,
    tune: () => undefined,
    play: (name: string) => heard.all.push(name),
    music: (mood: string | null) => heard.all.push(`music: ${mood ?? 'none'}`),
  },
}));
const room = vi.hoisted(() => ({ events: null as LinkEvents | null }));
vi.mock('../src/link/socket', () => ({
  openRoom: (_code: string, events: LinkEvents) => {
    room.events = events;
    return { ask: () => Promise.resolve({ ok: true }), now: () => 0, close: () => undefined };
  },
}));

afterEach(() => {
  heard.all = [];
  device.reset();
  vi.useRealTimers();
});

interface Eye {
  role?: string;
  offer?: object | null;
  phase?: string;
  wait?: object | null;
  muted?: number[];
}
function update(
  news: News[],
  { role = 'sage', offer = null, phase = 'play', wait = null, muted = [] }: Eye = {},
): Update {
  return {
    t: 'update',
    now: 0,
    room: { stage: 'game', commitment: 'c', seats: [], wait },
    table: { past: [], announcing: false, seats: [], phase, round: 1, acts: [], rules: { activation_target: 2 } },
    you: { member: { member: 1, wanted: null, muted }, player: { role, hand: [role], night: null, offer } },
    game: 1,
    heard: 0,
    fresh: false,
    news,
  } as unknown as Update;
}
function line(n: number, over: Partial<LineView>): LineView {
  return {
    n,
    at: 0,
    kind: 'said',
    channel: 'table',
    member: 2,
    name: 'Bea',
    text: 'hm',
    about: '',
    claim: null,
    ...over,
  };
}
/** What is heard of these updates, in order; the timers between sounds are run. */
function sitting(): { game: Game; hear: (one: Update) => void; done: () => void } {
  vi.useFakeTimers();
  const game = new Game('ABC234');
  game.open();
  const { unmount } = render(Senses, { game });
  const hear = (one: Update) => {
    room.events?.update(one);
    flushSync();
    vi.advanceTimersByTime(600);
  };
  return {
    game,
    hear,
    done: () => {
      unmount();
      game.close();
    },
  };
}

const NIGHT: News = { news: 'night_fell' };
const PLAYED: News = { news: 'acted', turn: 2, act: 'played', how: 'own' };
const PLAY = { offer: 'play', cards: ['blank'], may_skip: true };

it('sounds the news as it comes, and nothing of what was before a reload', () => {
  const { hear, done } = sitting();
  hear({ ...update([NIGHT, PLAYED]), fresh: true });
  expect(heard.all.filter((one) => !one.startsWith('music'))).toEqual([]);
  hear(update([PLAYED]));
  expect(heard.all).toContain('card');
  done();
});

it('sounds the same to all eyes, whatever they hold and have seen (R11)', () => {
  const nights = ['sage', 'shadow_dragon', 'blank'].map((role) => {
    heard.all = [];
    const { hear, done } = sitting();
    hear(update([], { role, phase: 'reveal' }));
    hear(update([NIGHT], { role, phase: 'night' }));
    hear(update([{ news: 'night_over' }], { role, phase: 'vote' }));
    done();
    return heard.all;
  });
  expect(nights[0]).toEqual([
    ...['music: none', 'music: day', 'deal', 'music: night', 'nightfall', 'music: day', 'daybreak'],
  ]);
  expect(nights[1]).toEqual(nights[0]);
  expect(nights[2]).toEqual(nights[0]);
});

it('keeps time with the cards as they turn', () => {
  const { game, hear, done } = sitting();
  device.set('motion', 'full');
  hear({ ...update([]), fresh: true });
  const cards = ['adventurer', 'blank', 'sage'];
  hear(update([{ news: 'resolved', cards, sources: null, tally: {} } as unknown as News]));
  const props = { game, showing: game.showing ?? expect.fail(), seatPlace: () => undefined };
  const { unmount } = render(Resolution, props);
  expect(heard.all).not.toContain('flip');
  vi.advanceTimersByTime(6_000);
  expect(heard.all.filter((one) => !one.startsWith('music'))).toEqual(['flip', 'flip', 'flip', 'activated']);
  unmount();
  done();
});

it('calls once for each question, counts its last five seconds, and says so in the title', () => {
  const { game, hear, done } = sitting();
  hear({ ...update([]), fresh: true });
  const until = { kind: 'play', until: 9_000, whole: 30_000, paused: false, left: null };
  hear(update([], { offer: PLAY, wait: until }));
  hear(update([], { offer: PLAY, wait: until }));
  expect(heard.all.filter((one) => one === 'turn')).toHaveLength(1);
  expect(document.title).toMatch(/^● /);
  for (const now of [3_000, 4_100, 5_100, 6_100, 7_100, 8_100, 9_100]) {
    game.now = now;
    flushSync();
  }
  expect(heard.all.filter((one) => one === 'tick')).toHaveLength(5);
  hear(update([PLAYED]));
  expect(document.title).not.toMatch(/^● /);
  done();
});

it('tells of what others write, unless one has muted them', () => {
  const { hear, done } = sitting();
  hear({ ...update([], { muted: [3] }), fresh: true });
  const say = (...lines: LineView[]) => {
    room.events?.lines(lines);
    flushSync();
    return heard.all.filter((one) => one === 'message').length;
  };
  expect(say(line(1, {}))).toBe(0);
  expect(say(line(2, {}))).toBe(1);
  expect(say(line(3, { member: 1 }))).toBe(1);
  expect(say(line(4, { member: 3 }))).toBe(1);
  expect(say(line(5, { kind: 'notice' }))).toBe(1);
  expect(say(line(6, { kind: 'phrase' }))).toBe(2);
  done();
});
