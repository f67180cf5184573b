import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { openRoom, type RoomSocket, type Status } from '../src/link/socket';

/** A socket without a network: the test opens it, speaks for the server and loses it. */
class Fake {
  static readonly OPEN = 1;
  static all: Fake[] = [];
  readyState = 0;
  sent: string[] = [];
  onopen?: () => void;
  onmessage?: (event: { data: string }) => void;
  onclose?: () => void;
  constructor(readonly url: string) {
    Fake.all.push(this);
  }
  send(frame: string) {
    this.sent.push(frame);
  }
  open() {
    this.readyState = 1;
    this.onopen?.();
  }
  say(message: object) {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  close() {
    this.readyState = 3;
    this.onclose?.();
  }
  get kinds() {
    return this.sent.map((frame) => (JSON.parse(frame) as { t: string }).t);
  }
}
const last = () => {
  const socket = Fake.all.at(-1);
  if (socket === undefined) throw new Error('no socket was opened');
  return socket;
};

describe('the socket of a room', () => {
  let room: RoomSocket;
  let states: Status[];
  const farewell = vi.fn();

  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal('WebSocket', Fake);
    vi.spyOn(Math, 'random').mockReturnValue(1);
    farewell.mockReset();
    Fake.all = [];
    states = [];
    room = openRoom('ABC234', { update: () => undefined, farewell }, (status) => states.push(status));
  });
  afterEach(() => {
    room.close();
    vi.useRealTimers();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  it('opens at the address of the room and says hello', () => {
    last().open();
    expect(last().url).toMatch(/^ws:\/\/.+\/ws\/ABC234$/);
    expect(last().kinds).toEqual(['hello']);
    expect(states).toEqual(['connecting', 'open']);
  });

  it('comes back after a loss and asks again for what was not answered', () => {
    last().open();
    void room.ask({ t: 'skip' });
    last().close();
    expect(states.at(-1)).toBe('lost');
    vi.advanceTimersByTime(500);
    expect(Fake.all).toHaveLength(2);
    last().open();
    expect(last().kinds).toEqual(['hello', 'skip']);
    expect(last().sent[1]).toBe(Fake.all[0]?.sent[1]);
  });

  it('waits longer each time nothing answers', () => {
    last().close();
    vi.advanceTimersByTime(500);
    last().close();
    vi.advanceTimersByTime(999);
    expect(Fake.all).toHaveLength(2);
    vi.advanceTimersByTime(1);
    expect(Fake.all).toHaveLength(3);
  });

  it('comes back at once when the network does', () => {
    last().close();
    dispatchEvent(new Event('online'));
    expect(Fake.all).toHaveLength(2);
  });

  it('gives up a socket that has been silent too long', () => {
    last().open();
    vi.advanceTimersByTime(7_500);
    expect(last().kinds.filter((kind) => kind === 'ping')).toHaveLength(3);
    last().say({ t: 'pong', n: 3, now: 0 });
    vi.advanceTimersByTime(7_500);
    expect(states.at(-1)).toBe('open');
    vi.advanceTimersByTime(2_500);
    expect(states.at(-1)).toBe('lost');
    expect(Fake.all[0]?.readyState).toBe(3);
  });

  it('never comes back by itself once another page has taken its place', () => {
    last().open();
    last().say({ t: 'bye', why: 'replaced' });
    last().close();
    vi.advanceTimersByTime(60_000);
    dispatchEvent(new Event('online'));
    expect(Fake.all).toHaveLength(1);
    expect(states.at(-1)).toBe('closed');
    expect(farewell).toHaveBeenCalledExactlyOnceWith('replaced');
  });

  it('stays away when it is closed', () => {
    last().open();
    room.close();
    vi.advanceTimersByTime(60_000);
    expect(Fake.all).toHaveLength(1);
  });
});
