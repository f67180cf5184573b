/** The conversation with a room, without a socket: numbers, resuming, re-sending, back-off, clock, final goodbyes. */
import {
  type Bye,
  type FromClient,
  type LineView,
  PROTOCOL,
  type ToClient,
  type Update,
} from '../protocol/protocol.gen';

/** A command as it is asked for: the link adds its id. */
export type Wish = DistributiveOmit<Exclude<FromClient, { t: 'hello' } | { t: 'ping' }>, 'id'>;
type DistributiveOmit<T, K extends string> = T extends unknown ? Omit<T, K> : never;

export type Outcome = { ok: true } | { ok: false; code: string; detail: string };

export interface LinkEvents {
  update(update: Update): void;
  /** Lines of talk; some may have come before. */
  lines(lines: LineView[]): void;
  /** The server will be back in a moment, and so shall we. */
  restarting?(): void;
  /** The socket is gone for good: nothing comes back by itself. */
  farewell(why: Bye['why']): void;
}

type TimedOf<W> = W extends { t: string } ? ('round' extends keyof W ? W['t'] : never) : never;
/** Of all wishes those that are a move in the game: they say of which round. */
const MOVES: Record<TimedOf<Wish>, true> = {
  vote: true,
  pass: true,
  targets: true,
  pick_card: true,
  play: true,
  skip: true,
};

const FIRST_PAUSE_MS = 500;
const SOON_MS = 2_000;
const SOON_ATTEMPTS = 8;
const LONGEST_PAUSE_MS = 15_000;

/** How long to wait before the n-th attempt in a row: full jitter, so that a restarted server is not stormed.

 A server that restarts has everybody back within three seconds; one that is away for long is asked seldom. */
export function pauseBefore(attempt: number, random: number): number {
  const most = attempt < SOON_ATTEMPTS ? SOON_MS : LONGEST_PAUSE_MS;
  return random * Math.min(most, FIRST_PAUSE_MS * 2 ** Math.min(attempt, 10));
}

export class Link {
  /** Server time minus our own, in ms. */
  offset = 0;
  isFinal = false;
  private game = 0;
  /** Which round of which game is shown. */
  private moment: { game?: number; round?: number } = {};
  private heard = 0;
  private lines = 0;
  private count = 0;
  private readonly waiting = new Map<string, { frame: string; settle: (outcome: Outcome) => void }>();

  constructor(
    private readonly events: LinkEvents,
    private readonly prefix: string,
    private readonly now: () => number,
  ) {}

  /** What to send when a socket opens: who we are, what we have heard, and whatever was not answered. */
  opening(): string[] {
    const hello = JSON.stringify({
      t: 'hello',
      protocol: PROTOCOL,
      game: this.game,
      heard: this.heard,
      lines: this.lines,
    });
    return [hello, ...[...this.waiting.values()].map((one) => one.frame)];
  }

  /** A command's frame, and what becomes of it. It is sent again under the same id until it is answered.

   A move says of which round it is: one that the network held up for long must not be made in another. */
  ask(wish: Wish): { frame: string; outcome: Promise<Outcome> } {
    const id = `${this.prefix}-${String(++this.count)}`;
    const frame = JSON.stringify({ ...wish, ...(wish.t in MOVES ? this.moment : {}), id });
    const outcome = new Promise<Outcome>((settle) => {
      this.waiting.set(id, { frame, settle });
    });
    return { frame, outcome };
  }

  /** How many commands wait for their answer. */
  get unanswered(): number {
    return this.waiting.size;
  }

  /** False where news is missing: a slow reader is sent the newest picture alone, and must resume to hear the rest. */
  hear(text: string): boolean {
    const message = JSON.parse(text) as ToClient;
    switch (message.t) {
      case 'update':
        this.offset = message.now - this.now();
        return this.take(message);
      case 'lines':
        this.lines = message.latest;
        this.events.lines(message.lines);
        break;
      case 'done':
        this.settle(message.id, { ok: true });
        break;
      case 'refused':
        this.settle(message.id, { ok: false, code: message.code, detail: message.detail });
        break;
      case 'pong':
        this.offset = message.now - this.now();
        break;
      case 'malformed':
        console.error('the server did not understand us', message.detail);
        break;
      case 'bye':
        if (message.why === 'restarting') this.events.restarting?.();
        else this.end(message.why);
        break;
      default:
        message satisfies never;
    }
    return true;
  }

  /** The conversation is over, and so is whatever was still to be answered. */
  end(why: Bye['why']): void {
    this.isFinal = true;
    for (const id of [...this.waiting.keys()]) this.settle(id, { ok: false, code: why, detail: '' });
    this.events.farewell(why);
  }

  private take(update: Update): boolean {
    this.moment = update.table ? { game: update.game, round: update.table.round } : {};
    const whole = update.fresh || update.heard - update.news.length === this.heard;
    if (whole) {
      this.game = update.game;
      this.heard = update.heard;
    }
    this.events.update(whole ? update : { ...update, news: [] });
    return whole;
  }

  private settle(id: string, outcome: Outcome): void {
    this.waiting.get(id)?.settle(outcome);
    this.waiting.delete(id);
  }
}
