import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { intend, planFor } from '../src/entry/intent';
import { entry, Lobby } from '../src/entry/lobby.svelte';
import { Patience } from '../src/entry/patience.svelte';
import { kept } from '../src/game/kept.svelte';
import type { RoomSummary } from '../src/protocol/protocol.gen';

const ROOM: RoomSummary = {
  code: 'ABC234',
  host: 'Alice',
  taken: 3,
  seats: 8,
  stage: 'waiting',
  preset: 'normal',
  watchers: 0,
  spectators: true,
};
const answers = vi.fn<(path: string) => [status: number, body: unknown]>();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', (path: string) => {
    const [status, body] = answers(path);
    return Promise.resolve(new Response(JSON.stringify(body), { status }));
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  answers.mockReset();
  localStorage.clear();
  sessionStorage.clear();
});

describe('an intention', () => {
  it('is carried into the room that it is for, and done once', () => {
    intend('ABC234', 'join');
    const isPlanned = planFor('ABC234');
    expect(isPlanned('watch')).toBe(false);
    expect(isPlanned('join')).toBe(true);
    expect(isPlanned('join')).toBe(false);
    expect(planFor('ABC234')('join')).toBe(false);
  });

  it('is forgotten by any other room', () => {
    intend('ABC234', 'join');
    expect(planFor('XYZ789')('join')).toBe(false);
    expect(planFor('ABC234')('join')).toBe(false);
  });
});

describe('patience', () => {
  it('counts the seconds out, and ends', () => {
    const patience = new Patience();
    patience.wait('3');
    expect([patience.left, patience.asked]).toEqual([3, 3]);
    vi.advanceTimersByTime(1_100);
    expect([patience.left, patience.asked]).toEqual([2, 3]);
    vi.advanceTimersByTime(2_000);
    expect(patience.left).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('waits a while where the server gives no number', () => {
    const patience = new Patience();
    patience.wait('');
    expect(patience.left).toBeGreaterThan(0);
    patience.stop();
  });
});

describe('the public rooms', () => {
  it('offer a chair where one is free, else a look where that is allowed', () => {
    expect(entry(ROOM)).toBe('join');
    expect(entry({ ...ROOM, taken: 8 })).toBe('watch');
    expect(entry({ ...ROOM, stage: 'game' })).toBe('watch');
    expect(entry({ ...ROOM, stage: 'game', spectators: false })).toBeNull();
  });

  it('come with those to join first, the fullest at the top, and are asked for again now and then', async () => {
    const rooms = [
      { ...ROOM, code: 'GAME', stage: 'game' as const },
      { ...ROOM, code: 'EMPTY', taken: 1 },
      { ...ROOM, code: 'NEARLY', taken: 7 },
    ];
    answers.mockReturnValue([200, { rooms }]);
    const lobby = new Lobby();
    const stop = lobby.watch();
    await vi.advanceTimersByTimeAsync(0);
    expect(lobby.rooms.map((room) => room.code)).toEqual(['NEARLY', 'EMPTY', 'GAME']);
    await vi.advanceTimersByTimeAsync(15_000);
    expect(answers).toHaveBeenCalledTimes(2);
    dispatchEvent(new Event('focus'));
    await vi.advanceTimersByTimeAsync(0);
    expect(answers).toHaveBeenCalledTimes(3);
    stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(answers).toHaveBeenCalledTimes(3);
  });

  it('say why there is no list, and keep the last one', async () => {
    answers.mockReturnValueOnce([200, { rooms: [ROOM] }]).mockReturnValue([503, { code: 'internal' }]);
    const lobby = new Lobby();
    await lobby.refresh();
    await lobby.refresh();
    expect(lobby.problem).toBe('internal');
    expect(lobby.rooms).toHaveLength(1);
  });
});

describe('the way back', () => {
  it('is kept while one has a chair, and forgotten when one gives it up', () => {
    kept.keep('ABC234');
    expect(kept.code).toBe('ABC234');
    kept.leave('ABC234', false);
    expect(kept.code).toBeNull();
  });

  it('stays while the game runs that one has left, and no longer', async () => {
    kept.keep('ABC234');
    kept.leave('ABC234', true);
    expect([kept.code, kept.left]).toEqual(['ABC234', true]);
    answers.mockReturnValue([200, { ...ROOM, stage: 'game' }]);
    await kept.check();
    expect(kept.code).toBe('ABC234');
    answers.mockReturnValue([200, { ...ROOM, stage: 'over' }]);
    await kept.check();
    expect(kept.code).toBeNull();
  });

  it('ends with the room, and not with a moment without network', async () => {
    kept.keep('ABC234');
    answers.mockImplementation(() => {
      throw new Error('offline');
    });
    await kept.check();
    expect(kept.code).toBe('ABC234');
    answers.mockReset().mockReturnValue([404, { code: 'unknown_room' }]);
    await kept.check();
    expect(kept.code).toBeNull();
  });

  it('is not touched by another room', () => {
    kept.keep('ABC234');
    kept.forget('XYZ789');
    expect(kept.code).toBe('ABC234');
    kept.forget('ABC234');
  });
});
