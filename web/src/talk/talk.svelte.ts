/** The lines of a room as this browser has heard them, what of them is unread, and the text that is being written. */
import type { LineView, News, Update } from '../protocol/protocol.gen';

export const KEPT = 300;

/** What outlives a reload of the page. */
interface Kept {
  /** The number of the newest line when they were last before one's eyes. */
  read: number;
  /** Of which game `after` is. */
  game: number;
  after: number[];
  /** The line that told of one's own return, once it has been seen. */
  back: number;
  /** Who sat where in each game, by turn: claims tell of turns, and a room plays many games. */
  sat: Record<number, Sitter[]>;
}

export interface Person {
  member: number;
  name: string;
}

/** Who sits or sat somewhere; AIs are no members. */
export interface Sitter {
  member: number | null;
  name: string;
}

export type Entry = { key: string; line: LineView } | { key: string; news: News };

export class Talk {
  lines = $state.raw<LineView[]>([]);
  /** What has been claimed about the game that is on, or was last; further back than the lines go. */
  claims = $state.raw<LineView[]>([]);
  unread = $state(0);
  draft = $state('');
  /** The number of the notice that one is back after an AI has played for one; 0 if there is none to be seen. */
  back = $state(0);
  /** By the game's news, the number of the line after which it came. */
  after = $state.raw<number[]>([]);

  /** About whom the menu is open that mutes and reports. */
  who = $state.raw<Person | null>(null);

  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing is drawn from it
  private readonly heard = new Set<number>();
  private readonly kept: Kept;
  private readonly isAnew: boolean;
  private isShown = false;
  private game = 0;

  constructor(private readonly code: string) {
    const kept = sessionStorage.getItem(this.key);
    this.isAnew = kept === null;
    this.kept = { read: 0, game: 0, after: [], back: 0, sat: {}, ...(JSON.parse(kept ?? '{}') as Partial<Kept>) };
  }

  /** Lines may come twice, after the connection was lost; a number is heard once. */
  hear(lines: LineView[], me: number | null): void {
    const fresh: LineView[] = [];
    for (const line of lines) {
      if (this.heard.has(line.n)) continue;
      this.heard.add(line.n);
      fresh.push(line);
    }
    if (fresh.length === 0) return;
    const isFirst = this.lines.length === 0;
    // of whom one mutes no more, earlier lines come late
    const all = (lines: LineView[]) => [...lines, ...fresh].sort((one, other) => one.n - other.n);
    this.lines = all(this.lines).slice(-KEPT);
    this.claims = all(this.claims).filter((line) => line.claim?.game === this.game);
    this.noteReturn(me);
    if (this.isShown || (isFirst && this.isAnew)) this.read();
    else {
      const read = isFirst ? this.kept.read : 0;
      this.unread += fresh.filter((line) => line.kind !== 'notice' && line.member !== me && line.n > read).length;
    }
  }

  /** Remembers where among the lines the news of an update came. */
  note(update: Update): void {
    this.game = update.game;
    this.noteSeats(update);
    this.claims = this.claims.filter((line) => line.claim?.game === this.game);
    const last = this.lines.at(-1)?.n ?? 0;
    const before = update.fresh ? (this.kept.game === update.game ? this.kept.after : []) : this.after;
    const count = (update.fresh ? 0 : before.length) + update.news.length;
    if (count === before.length && !update.fresh) return;
    const after: number[] = [];
    for (let i = 0; i < count; i++) after.push(before[i] ?? Math.max(last, after.at(-1) ?? 0));
    this.after = after;
    this.kept.game = update.game;
    this.kept.after = after;
    this.keep();
  }

  /** Whether the lines are before one's eyes now. */
  show(isShown: boolean): void {
    this.isShown = isShown;
    if (isShown) this.read();
  }

  dismissReturn(): void {
    this.kept.back = this.back;
    this.back = 0;
    this.keep();
  }

  /** The newest phrase of a member since a server time in ms. */
  phraseOf(member: number | null, since: number): string | undefined {
    if (member === null) return undefined;
    const line = this.lines.findLast((one) => one.member === member && one.kind === 'phrase');
    return line && line.at >= since ? line.text : undefined;
  }

  private read(): void {
    this.unread = 0;
    this.kept.read = Math.max(this.kept.read, ...this.lines.map((line) => line.n));
    this.keep();
  }

  /** Who had this turn in a game of the room, if this browser has seen it. */
  satAt(game: number, turn: number): Sitter | undefined {
    return this.kept.sat[game]?.[turn - 1];
  }

  private noteSeats({ table, room, game }: Update): void {
    if (table === null) return;
    const seats = table.seats.map((number) => room.seats.find((one) => one.seat === number));
    const sat = seats.map((seat) => ({ member: seat?.member ?? null, name: seat?.name ?? '' }));
    if (JSON.stringify(this.kept.sat[game]) === JSON.stringify(sat)) return;
    this.kept.sat[game] = sat;
    this.keep();
  }

  private noteReturn(me: number | null): void {
    const mine = this.lines.filter((line) => line.kind === 'notice' && line.member === me && me !== null);
    const at = mine.findLastIndex((line) => line.text === 'stand_in');
    const back = at < 0 ? undefined : mine.slice(at).findLast((line) => line.text === 'returned');
    this.back = back && back.n > this.kept.back ? back.n : 0;
  }

  private get key(): string {
    return `cinderforge.talk.${this.code}`;
  }
  private keep(): void {
    sessionStorage.setItem(this.key, JSON.stringify(this.kept));
  }
}

/** Lines and news in the order in which they came. Notices that say the same twice in a row are one. */
export function entries(lines: LineView[], news: News[], after: number[]): Entry[] {
  const all: Entry[] = [];
  let told = 0;
  const tell = (until: number) => {
    for (; told < news.length && (after[told] ?? Infinity) <= until; told++) {
      const one = news[told];
      if (one) all.push({ key: `news-${String(told)}`, news: one });
    }
  };
  tell((lines[0]?.n ?? 1) - 1);
  let latest = 0;
  let previous: LineView | undefined;
  for (const line of lines) {
    if (!isSaidAgain(line, previous)) all.push({ key: `line-${String(line.n)}`, line });
    previous = line;
    latest = Math.max(latest, line.n);
    tell(latest);
  }
  tell(Infinity);
  return all;
}

function isSaidAgain(line: LineView, previous: LineView | undefined): boolean {
  return (
    line.kind === 'notice' &&
    previous?.kind === 'notice' &&
    line.text === previous.text &&
    line.member === previous.member
  );
}

/** The news that belongs between the lines of a talk: where in the game one is. */
const OF_PHASES = new Set<News['news']>([
  'night_fell',
  'night_over',
  'first_holder',
  'round_started',
  'passed',
  'scroll_unrolled',
  'resolved',
  'ended',
]);

export type Tab = 'all' | 'talk' | 'events';
export const TABS: Tab[] = ['all', 'talk', 'events'];

/** Whether a tab shows an entry; of whom one has muted, nothing but what the room says about them is shown. */
export function isIn(tab: Tab, entry: Entry, muted: number[]): boolean {
  if ('news' in entry) return tab === 'events' || (tab === 'all' && OF_PHASES.has(entry.news.news));
  const { kind, member } = entry.line;
  if (kind === 'notice') return tab !== 'talk';
  if (kind !== 'report' && member !== null && muted.includes(member)) return false;
  return tab !== 'events';
}
