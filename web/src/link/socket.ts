/** The browser's socket under a link: opens it, keeps it alive, comes back after a loss. */
import { ApiError, ticketFor } from './api';
import { Link, type LinkEvents, type Outcome, pauseBefore, type Wish } from './link';
import { randomHex } from './random';

const PING_MS = 2_500;
const PONG_MS = 9_000;
/** The same for whoever has just come back to the page, or into a network: a phone's socket is often dead by then. */
const BACK_MS = 1_500;

export type Status = 'connecting' | 'open' | 'lost' | 'closed';

export interface RoomSocket {
  ask(wish: Wish): Promise<Outcome>;
  now(): number;
  close(): void;
}

/** Joins the conversation of a room. `status` tells how the connection is. */
export function openRoom(code: string, events: LinkEvents, status: (status: Status) => void): RoomSocket {
  const link = new Link(events, randomHex(4), Date.now);
  let socket: WebSocket | null = null;
  let attempt = 0;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let look: ReturnType<typeof setTimeout> | undefined;
  /** When the oldest ping without an answer was sent, or the connection begun; null while all is answered. */
  let askedAt: number | null = null;
  let pings = 0;
  let closed = false;
  let isAsking = false;

  function connect(): void {
    clearTimeout(retry);
    if (closed || link.isFinal || socket !== null || isAsking) return;
    status(attempt === 0 ? 'connecting' : 'lost');
    isAsking = true;
    ticketFor(code)
      .finally(() => (isAsking = false))
      .then(open, refused);
  }

  function open(ticket: string): void {
    if (closed) return;
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const mine = new WebSocket(`${scheme}://${location.host}/ws/${encodeURIComponent(code)}?ticket=${ticket}`);
    socket = mine;
    askedAt = Date.now();
    mine.onopen = () => {
      for (const frame of link.opening()) mine.send(frame);
      status('open');
    };
    mine.onmessage = (event) => {
      askedAt = null;
      attempt = 0;
      if (typeof event.data === 'string' && !link.hear(event.data)) mine.close();
    };
    mine.onclose = () => {
      if (socket === mine) lost();
    };
  }

  /** No ticket: there is no such room any more, or it has to be asked for again later. */
  function refused(error: unknown): void {
    if (closed) return;
    if (error instanceof ApiError && error.code === 'unknown_room') {
      link.end('unknown_room');
      status('closed');
      return;
    }
    const wait = error instanceof ApiError && error.code === 'too_many_tries' ? Number(error.detail) * 1000 : 0;
    lost(wait);
  }

  function lost(soonest = 0): void {
    socket = null;
    if (closed || link.isFinal) {
      status('closed');
      return;
    }
    status('lost');
    retry = setTimeout(connect, soonest + pauseBefore(attempt++, Math.random()));
  }

  function drop(dead: WebSocket): void {
    socket = null;
    dead.close();
    lost();
  }

  /** A dead network closes no socket: a ping without an answer beyond the deadline counts as loss. */
  function beat(): void {
    if (socket !== null && askedAt !== null && Date.now() - askedAt > PONG_MS) drop(socket);
    else if (socket?.readyState === WebSocket.OPEN) {
      socket.send(JSON.stringify({ t: 'ping', n: ++pings }));
      askedAt ??= Date.now();
    }
  }
  const heartbeat = setInterval(beat, PING_MS);

  /** The page is looked at again, or the network is back: no pause, and a ping to see whether the socket lives. */
  function comeBack(): void {
    if (document.visibilityState === 'hidden') return;
    attempt = 0;
    if (socket === null) {
      connect();
      return;
    }
    const mine = socket;
    beat();
    if (mine.readyState !== WebSocket.OPEN) return;
    clearTimeout(look);
    look = setTimeout(() => {
      if (socket === mine && askedAt !== null) drop(mine);
    }, BACK_MS);
  }
  addEventListener('online', comeBack);
  document.addEventListener('visibilitychange', comeBack);
  connect();

  return {
    ask(wish) {
      const { frame, outcome } = link.ask(wish);
      if (socket?.readyState === WebSocket.OPEN) socket.send(frame);
      return outcome;
    },
    now: () => Date.now() + link.offset,
    close() {
      closed = true;
      clearInterval(heartbeat);
      clearTimeout(retry);
      clearTimeout(look);
      removeEventListener('online', comeBack);
      document.removeEventListener('visibilitychange', comeBack);
      socket?.close();
      socket = null;
    },
  };
}
