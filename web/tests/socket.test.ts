import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { openRoom, type RoomSocket, type Status } from '../src/link/socket';

/** A socket whose other end is the test. */
class FakeSocket {
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  readyState = 0;
  sent: string[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;
  constructor(readonly url: string) {
    FakeSocket.all.push(this);
  }
  send(frame: string): void {
    this.sent.push(frame);
  }
  close(): void {
    this.readyState = 3;
  }
  open(): void {
    this.readyState = 1;
    this.onopen?.();
  }
  drop(): void {
    this.readyState = 3;
    this.onclose?.();
  }
  hear(message: unknown): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  kinds(): unknown[] {
    return this.sent.map((one) => (JSON.parse(one) as { t: string }).t);
  }
}
const last = () => FakeSocket.all.at(-1) as FakeSocket;

describe('the socket of a room', () => {
  let statuses: Status[];
  let socket: RoomSocket;
  beforeEach(() => {
    vi.useFakeTimers();
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    vi.stubGlobal('WebSocket', FakeSocket);
    FakeSocket.all = [];
    statuses = [];
    const events = { update: () => undefined, farewell: () => undefined };
    socket = openRoom('ABC234', events, (status) => statuses.push(status));
  });
  afterEach(() => {
    socket.close();
    vi.useRealTimers();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  it('greets first', () => {
    expect(last().url).toMatch(/^ws:\/\/.*\/ws\/ABC234$/);
    last().open();
    expect(last().kinds()).toEqual(['hello']);
    expect(statuses).toEqual(['connecting', 'open']);
  });

  it('keeps what is asked while there is no connection, and sends it on the next', () => {
    void socket.ask({ t: 'seen' });
    last().open();
    expect(last().kinds()).toEqual(['hello', 'seen']);
    const frame = last().sent[1];
    last().drop();
    vi.advanceTimersByTime(500);
    last().open();
    expect(FakeSocket.all).toHaveLength(2);
    expect(last().sent[1]).toBe(frame);
  });

  it('pings, and takes silence beyond the deadline for loss', () => {
    last().open();
    vi.advanceTimersByTime(2_500);
    expect(last().kinds()).toEqual(['hello', 'ping']);
    last().hear({ t: 'pong', n: 1, now: 0 });
    vi.advanceTimersByTime(2_500);
    expect(statuses.at(-1)).toBe('open');
    vi.advanceTimersByTime(12_000);
    expect(statuses.at(-1)).toBe('lost');
    expect(FakeSocket.all.length).toBeGreaterThan(1);
  });

  it('does not take a tab whose timers slept for a lost connection', () => {
    last().open();
    vi.advanceTimersByTime(2_500);
    last().hear({ t: 'pong', n: 1, now: 0 });
    vi.setSystemTime(Date.now() + 60_000); // no timer ran meanwhile
    vi.advanceTimersByTime(2_500);
    expect(statuses.at(-1)).toBe('open');
    expect(FakeSocket.all).toHaveLength(1);
  });

  it('comes back at once when the network does', () => {
    last().open();
    last().drop();
    expect(FakeSocket.all).toHaveLength(1);
    window.dispatchEvent(new Event('online'));
    expect(FakeSocket.all).toHaveLength(2);
  });

  it('comes back at once when the page is looked at again', () => {
    last().open();
    last().drop();
    document.dispatchEvent(new Event('visibilitychange'));
    expect(FakeSocket.all).toHaveLength(2);
  });

  it.each(['replaced', 'closed', 'kicked', 'left', 'version'])('never comes back after the goodbye %s', (why) => {
    last().open();
    last().hear({ t: 'bye', why });
    last().drop();
    window.dispatchEvent(new Event('online'));
    document.dispatchEvent(new Event('visibilitychange'));
    vi.advanceTimersByTime(120_000);
    expect(FakeSocket.all).toHaveLength(1);
    expect(statuses.at(-1)).toBe('closed');
  });

  it('is quiet once closed', () => {
    last().open();
    socket.close();
    vi.advanceTimersByTime(120_000);
    expect(FakeSocket.all).toHaveLength(1);
    expect(last().kinds()).toEqual(['hello']);
  });
});
