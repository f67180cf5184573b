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
/** Lets the ticket come. */
const arrive = () => vi.advanceTimersByTimeAsync(0);
const last = () => FakeSocket.all.at(-1) as FakeSocket;

describe('the socket of a room', () => {
  let statuses: Status[];
  let socket: RoomSocket;
  let farewells: string[];
  let fetched: ReturnType<typeof vi.fn>;
  beforeEach(async () => {
    vi.useFakeTimers();
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    vi.stubGlobal('WebSocket', FakeSocket);
    FakeSocket.all = [];
    statuses = [];
    const events = { update: () => undefined, lines: () => undefined, farewell: (why: string) => farewells.push(why) };
    fetched = vi.fn(() =>
      Promise.resolve(Response.json({ ticket: `t${String(fetched.mock.calls.length)}` }, { status: 201 })),
    );
    vi.stubGlobal('fetch', fetched);
    farewells = [];
    socket = openRoom('ABC234', events, (status) => statuses.push(status));
    await arrive();
  });
  afterEach(() => {
    socket.close();
    vi.useRealTimers();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  it('greets first', async () => {
    expect(last().url).toMatch(/^ws:\/\/.*\/ws\/ABC234\?ticket=t1$/);
    last().open();
    expect(last().kinds()).toEqual(['hello']);
    expect(statuses).toEqual(['connecting', 'open']);
  });

  it('keeps what is asked while there is no connection, and sends it on the next', async () => {
    void socket.ask({ t: 'seen' });
    last().open();
    expect(last().kinds()).toEqual(['hello', 'seen']);
    const frame = last().sent[1];
    last().drop();
    await vi.advanceTimersByTimeAsync(500);
    last().open();
    expect(FakeSocket.all).toHaveLength(2);
    expect(last().sent[1]).toBe(frame);
  });

  it('pings, and takes silence beyond the deadline for loss', async () => {
    last().open();
    await vi.advanceTimersByTimeAsync(2_500);
    expect(last().kinds()).toEqual(['hello', 'ping']);
    last().hear({ t: 'pong', n: 1, now: 0 });
    await vi.advanceTimersByTimeAsync(2_500);
    expect(statuses.at(-1)).toBe('open');
    await vi.advanceTimersByTimeAsync(12_000);
    expect(statuses.at(-1)).toBe('lost');
    expect(FakeSocket.all.length).toBeGreaterThan(1);
  });

  it('does not take a tab whose timers slept for a lost connection', async () => {
    last().open();
    await vi.advanceTimersByTimeAsync(2_500);
    last().hear({ t: 'pong', n: 1, now: 0 });
    vi.setSystemTime(Date.now() + 60_000); // no timer ran meanwhile
    await vi.advanceTimersByTimeAsync(2_500);
    expect(statuses.at(-1)).toBe('open');
    expect(FakeSocket.all).toHaveLength(1);
  });

  it('comes back at once when the network does', async () => {
    last().open();
    last().drop();
    expect(FakeSocket.all).toHaveLength(1);
    window.dispatchEvent(new Event('online'));
    await arrive();
    expect(FakeSocket.all).toHaveLength(2);
  });

  it('comes back at once when the page is looked at again', async () => {
    last().open();
    last().drop();
    document.dispatchEvent(new Event('visibilitychange'));
    await arrive();
    expect(FakeSocket.all).toHaveLength(2);
  });

  it.each([
    ['the page is looked at again', () => document.dispatchEvent(new Event('visibilitychange'))],
    ['the network is another', () => window.dispatchEvent(new Event('online'))],
  ])('finds out soon whether a socket that seems open is dead when %s', async (_, comeBack) => {
    last().open();
    last().hear({ t: 'pong', n: 1, now: 0 });
    vi.setSystemTime(Date.now() + 20_000); // no timer ran meanwhile
    comeBack();
    expect(last().kinds()).toEqual(['hello', 'ping']);
    last().hear({ t: 'pong', n: 1, now: 0 });
    await vi.advanceTimersByTimeAsync(2_000);
    expect(statuses.at(-1)).toBe('open');
    last().hear({ t: 'pong', n: 2, now: 0 });
    comeBack();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(FakeSocket.all).toHaveLength(2);
    last().open();
    comeBack();
    socket.close();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(FakeSocket.all).toHaveLength(2);
  });

  it.each(['replaced', 'closed', 'kicked', 'left', 'version'])('never comes back after the goodbye %s', async (why) => {
    last().open();
    last().hear({ t: 'bye', why });
    last().drop();
    window.dispatchEvent(new Event('online'));
    document.dispatchEvent(new Event('visibilitychange'));
    await vi.advanceTimersByTimeAsync(120_000);
    expect(FakeSocket.all).toHaveLength(1);
    expect(statuses.at(-1)).toBe('closed');
  });

  it('takes a new ticket for every socket', async () => {
    last().open();
    last().drop();
    await vi.advanceTimersByTimeAsync(500);
    expect(last().url).toMatch(/ticket=t2$/);
  });

  it('comes back no more to a room that is not there', async () => {
    fetched.mockImplementation(() => Promise.resolve(Response.json({ code: 'unknown_room' }, { status: 404 })));
    last().open();
    last().drop();
    await vi.advanceTimersByTimeAsync(120_000);
    expect(farewells).toEqual(['unknown_room']);
    expect(fetched).toHaveBeenCalledTimes(2);
  });

  it('waits as long as it is told to when it has asked too often', async () => {
    const answer = { code: 'too_many_tries', detail: '20' };
    fetched.mockImplementation(() => Promise.resolve(Response.json(answer, { status: 429 })));
    last().open();
    last().drop();
    await vi.advanceTimersByTimeAsync(19_000);
    expect(fetched).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(fetched).toHaveBeenCalledTimes(3);
  });

  it('begins a session where there is none', async () => {
    fetched.mockImplementationOnce(() => Promise.resolve(Response.json({ code: 'unauthorised' }, { status: 401 })));
    fetched.mockImplementationOnce(() => Promise.resolve(new Response(null, { status: 204 })));
    last().open();
    last().drop();
    await vi.advanceTimersByTimeAsync(500);
    expect(FakeSocket.all).toHaveLength(2);
  });

  it('is quiet once closed', async () => {
    last().open();
    socket.close();
    await vi.advanceTimersByTimeAsync(120_000);
    expect(FakeSocket.all).toHaveLength(1);
    expect(last().kinds()).toEqual(['hello']);
  });
});
