/** One's own notes on a game: as the server keeps them, with what is on its way there. Nothing of them is kept here. */
import type { Outcome, Wish } from '../link/link';
import type { NotesView, SuspicionView } from '../protocol/protocol.gen';
import { fill, speech } from '../words/words.svelte';
import type { Kit } from './kit';
import { markOf } from './marks';

const PAUSE_MS = 900;
const KEY = 'cinderforge.notes';

export type Mark = Pick<SuspicionView, 'faction' | 'role' | 'trust'>;

/** What the notes need of a game. */
export interface Desk {
  readonly member: { notes: NotesView | null } | null;
  tryTo(wish: Wish): Promise<Outcome>;
}

/** How one wants to see one's notes on this device; nothing of what is in them. */
interface Seen {
  atSeats: boolean;
  inRecord: boolean;
}

function seen(): Seen {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Record<keyof Seen, unknown>> | null;
    return { atSeats: found?.atSeats === true, inRecord: found?.inRecord === true };
  } catch {
    return { atSeats: false, inRecord: false };
  }
}

interface Draft {
  text: string;
  isKept: boolean;
}

export class Notes {
  /** About whom the notes are open: a player's turn number, 0 for all, null when they are closed. */
  open = $state<number | null>(null);
  atSeats = $state(seen().atSeats);
  inRecord = $state(seen().inRecord);
  problem = $state('');
  /** Marks that are on their way, by turn; they are shown until the picture has them. */
  private coming = $state.raw<Record<number, Mark>>({});
  /** Texts that are being written, by turn, 0 for the whole game. */
  private drafts = $state.raw<Record<number, Draft>>({});
  /** In whose text the cursor is: that one is not put right under the fingers. */
  private writing: number | null = null;
  private game = 0;
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing is drawn from it
  private readonly settled = new Set<Mark>();
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- nor from this
  private readonly timers = new Map<number, ReturnType<typeof setTimeout>>();

  constructor(
    private readonly desk: Desk,
    readonly kit: Kit,
  ) {}

  /** Null where there is no game to note anything on. */
  get view(): NotesView | null {
    return this.desk.member?.notes ?? null;
  }
  get isFinal(): boolean {
    return this.view?.final === true;
  }

  mark(turn: number): SuspicionView {
    return { ...markOf(this.view, turn), ...this.coming[turn] };
  }

  text(turn: number): string {
    return this.drafts[turn]?.text ?? (turn === 0 ? (this.view?.text ?? '') : markOf(this.view, turn).text);
  }

  isUnsaved(turn: number): boolean {
    return this.drafts[turn]?.isKept === false;
  }

  /** A new picture: what it has need not be remembered here. */
  heard(game: number): void {
    if (game !== this.game) {
      for (const timer of this.timers.values()) clearTimeout(timer);
      this.coming = {};
      this.drafts = {};
    }
    this.game = game;
    for (const [turn, mark] of Object.entries(this.coming))
      if (this.settled.delete(mark)) this.coming = without(this.coming, Number(turn));
    this.drop();
  }

  /** Marks at once, here and at the server; where that refuses, the mark is again as it was. */
  async put(turn: number, change: Partial<Mark>): Promise<void> {
    const { faction, role, trust } = { ...this.mark(turn), ...change };
    const mark: Mark = { faction, role, trust };
    this.coming = { ...this.coming, [turn]: mark };
    const outcome = await this.desk.tryTo({ t: 'mark', turn, ...mark });
    if (outcome.ok && this.coming[turn] === mark) this.settled.add(mark);
    else if (this.coming[turn] === mark) this.coming = without(this.coming, turn);
    this.tell(outcome);
  }

  /** Writes after a pause in typing; `leave` does it at once. */
  write(turn: number, text: string): void {
    this.writing = turn;
    this.drafts = { ...this.drafts, [turn]: { text, isKept: false } };
    clearTimeout(this.timers.get(turn));
    this.timers.set(
      turn,
      setTimeout(() => void this.keep(turn), PAUSE_MS),
    );
  }

  leave(turn: number): void {
    this.writing = null;
    if (this.isUnsaved(turn)) void this.keep(turn);
    else this.drop();
  }

  private async keep(turn: number): Promise<void> {
    clearTimeout(this.timers.get(turn));
    const draft = this.drafts[turn];
    if (draft === undefined) return;
    const { text } = draft;
    const outcome = await this.desk.tryTo(turn === 0 ? { t: 'note', text } : { t: 'note', turn, text });
    this.tell(outcome);
    // what was written meanwhile, or could not be kept, stays before one's eyes
    if (outcome.ok && this.drafts[turn] === draft) this.drafts = { ...this.drafts, [turn]: { text, isKept: true } };
  }

  private drop(): void {
    for (const [turn, draft] of Object.entries(this.drafts))
      if (draft.isKept && Number(turn) !== this.writing) this.drafts = without(this.drafts, Number(turn));
  }

  async share(on: boolean): Promise<void> {
    this.tell(await this.desk.tryTo({ t: 'share_notes', on }));
  }

  show(what: keyof Seen, on: boolean): void {
    this[what] = on;
    localStorage.setItem(KEY, JSON.stringify({ atSeats: this.atSeats, inRecord: this.inRecord }));
  }

  private tell(outcome: Outcome): void {
    if (outcome.ok) this.problem = '';
    else if (outcome.code === 'too_fast' && outcome.detail !== '')
      this.problem = fill(speech.t.talk.too_fast_for, { n: Number(outcome.detail) });
    else this.problem = speech.error(outcome.code, outcome.detail);
  }
}

function without<T>(all: Record<number, T>, turn: number): Record<number, T> {
  return Object.fromEntries(Object.entries(all).filter(([key]) => Number(key) !== turn)) as Record<number, T>;
}
