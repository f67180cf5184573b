/** The latest picture of a room, and what is being shown of the news. The view is the truth; news is for motion. */
import { device } from '../device/device.svelte';
import type { Outcome, Wish } from '../link/link';
import { openRoom, type RoomSocket, type Status } from '../link/socket';
import type { Bye, News, Resolved, RoomView, RoundView, TallyView, Update } from '../protocol/protocol.gen';
import type { Notes } from '../notes/notes.svelte';
import { called } from '../talk/names';
import { isReaction, phrases, REACTION_MS } from '../talk/phrases';
import { Talk } from '../talk/talk.svelte';
import { speech } from '../words/words.svelte';
import { contributionTo } from './contribution';
import { Ended } from './ended';
import { kept } from './kept.svelte';

/** A round's cards being shown, over the tally as it was before them. */
export interface Showing {
  round: number;
  resolved: Resolved;
  before: TallyView;
}

const NO_TALLY: TallyView = { sage_activated: false, activated: 0, slain: 0, sage_slain: false };
const NOTICE_MS = 4_000;
/** How often a countdown is looked at. */
const CLOCK_MS = 250;

export class Game {
  update = $state.raw<Update | null>(null);
  status = $state<Status>('connecting');
  farewell = $state<Bye['why'] | null>(null);
  news = $state.raw<News[]>([]);
  /** The news of the last update, if it came while one looked: for motion and sound. */
  live = $state.raw<News[]>([]);
  showing = $state.raw<Showing | null>(null);
  notice = $state('');
  /** The wish that is on its way, so that its button can say so. */
  pending = $state('');
  now = $state(Date.now());
  /** The latest game that is over: its result stays until the next game is dealt. */
  ended = $state.raw<Ended | null>(null);
  /** Somebody who plays wants to leave and has to confirm it: what to do with the answer. */
  leaving = $state.raw<((sure: boolean) => void) | null>(null);
  /** The server said that it restarts: the next connection is waited for in good hope. */
  isRestarting = $state(false);
  readonly talk: Talk;
  /** One's own notes; they come when there is a game to note something on. */
  notes = $state.raw<Notes | null>(null);

  private socket: RoomSocket | null = null;
  private clock: ReturnType<typeof setInterval> | undefined;
  private noticeEnds: ReturnType<typeof setTimeout> | undefined;
  private mixing = false;

  /** `opener` leads to the room; the tutorial has one of its own. */
  constructor(
    readonly code: string,
    private readonly opener: typeof openRoom = openRoom,
  ) {
    this.talk = new Talk(code);
  }

  get room() {
    return this.update?.room ?? null;
  }
  get table() {
    return this.update?.table ?? null;
  }
  get player() {
    return this.update?.you.player ?? null;
  }
  get member() {
    return this.update?.you.member ?? null;
  }
  get paused(): boolean {
    return this.room?.wait?.paused === true;
  }
  /** What may be done now; nothing while a scroll is read, cards are shown or the game is paused. */
  get offer() {
    if (this.table?.announcing === true || this.showing !== null || this.paused) return null;
    return this.player?.offer ?? null;
  }
  /** The counts, the record and the news as they may be seen now: what the flipping cards tell is not told before. */
  get tally(): TallyView {
    return this.showing?.before ?? this.table?.tally ?? NO_TALLY;
  }
  get past(): RoundView[] {
    const past = this.table?.past ?? [];
    return this.showing === null ? past : past.slice(0, this.showing.round - 1);
  }
  get told(): News[] {
    if (this.showing === null) return this.news;
    const from = this.news.lastIndexOf(this.showing.resolved);
    return from < 0 ? this.news : this.news.slice(0, from);
  }
  /** The cards that one has played, for oneself in the record, if one wants them there. */
  get mine() {
    return this.notes?.inRecord === true && !device.choices.private_screen ? this.player : null;
  }
  /** Seconds left of the present wait; null without a limit. */
  get left(): number | null {
    const ms = this.leftMs;
    return ms === null ? null : Math.max(0, Math.ceil(ms / 1000));
  }
  /** How much of the present wait is left, 1…0. */
  get share(): number {
    const whole = this.room?.wait?.whole;
    const ms = this.leftMs;
    return ms === null || !whole ? 1 : Math.min(1, Math.max(0, ms / whole));
  }
  /** In a pause, what will be left when the game goes on. */
  private get leftMs(): number | null {
    const wait = this.room?.wait;
    if (wait?.paused) return wait.left;
    return wait?.until ? wait.until - this.now : null;
  }

  open(): void {
    this.farewell = null;
    this.socket = this.opener(
      this.code,
      {
        update: (update) => {
          this.hear(update);
        },
        lines: (lines) => {
          this.talk.hear(lines, this.member?.member ?? null);
        },
        restarting: () => {
          this.isRestarting = true;
        },
        farewell: (why) => {
          this.farewell = why;
        },
      },
      (status) => {
        this.status = status;
        if (status === 'open') this.isRestarting = false;
      },
    );
    this.clock = setInterval(() => {
      this.now = this.socket?.now() ?? Date.now();
    }, CLOCK_MS);
  }

  close(): void {
    this.socket?.close();
    this.socket = null;
    clearInterval(this.clock);
  }

  /** Asks the room; a refusal is told in words. */
  async ask(wish: Wish): Promise<Outcome> {
    this.pending = wish.t;
    const outcome = await this.tryTo(wish);
    this.pending = '';
    if (!outcome.ok) this.say(speech.error(outcome.code, outcome.detail));
    return outcome;
  }

  /** Asks the room; the caller tells of a refusal. */
  tryTo(wish: Wish): Promise<Outcome> {
    return this.socket?.ask(wish) ?? Promise.resolve({ ok: false, code: 'offline', detail: '' });
  }

  /** Leaves the room; from a game only when one is sure. Ends only then: who stays after all hears nothing more of it. */
  async leave(): Promise<void> {
    const plays = this.room?.stage === 'game' && this.player !== null;
    if (plays && !(await this.isSure())) return new Promise(() => undefined);
    kept.leave(this.code, plays);
    await this.ask({ t: 'leave' });
  }

  private isSure(): Promise<boolean> {
    return new Promise((answer) => {
      this.leaving = (sure) => {
        this.leaving = null;
        answer(sure);
      };
    });
  }

  say(text: string): void {
    this.notice = text;
    clearTimeout(this.noticeEnds);
    this.noticeEnds = setTimeout(() => {
      this.notice = '';
    }, NOTICE_MS);
  }

  name(turn: number): string {
    const number = this.table?.seats[turn - 1];
    const seat = this.room?.seats.find((one) => one.seat === number);
    return seat === undefined ? String(turn) : this.called(seat.member, seat.name);
  }

  /** What somebody is called on this page: whom one has muted has no name on it. */
  called(member: number | null, name: string): string {
    return called({ room: this.room, table: this.table, muted: this.member?.muted ?? [] }, member, name);
  }

  /** The reaction that somebody has just shown, if one wants to see it. */
  reaction(member: number | null): string {
    const delay = this.member?.seat === null ? (this.room?.settings.spectator_delay ?? 0) * 1000 : 0;
    const phrase = this.talk.phraseOf(member, this.now - delay - REACTION_MS);
    const text = phrase === undefined ? '' : (phrases(speech.t)[phrase] ?? '');
    return isReaction(text) && !this.member?.muted.includes(member ?? 0) ? text : '';
  }

  stopShowing(): void {
    this.showing = null;
  }

  private hear(update: Update): void {
    this.now = update.now;
    const live = this.update !== null && !update.fresh;
    this.news = update.fresh ? update.news : [...this.news, ...update.news];
    this.live = live ? update.news : [];
    this.talk.note(update);
    if (live) this.show(update);
    else this.showing = null;
    this.update = update;
    if (this.notes !== null) this.notes.heard(update.game);
    else if (update.you.member.notes !== null) void this.fetchNotes();
    if (update.room.stage === 'over') {
      this.ended = new Ended(update);
      this.ended.keep();
    } else if (update.room.stage === 'game') this.ended = null;
    else this.ended = (this.ended ?? Ended.of(this.code, update.game))?.hearing(update.you.member.muted) ?? null;
    const wanted = update.you.member.wanted;
    if (wanted !== null) void this.contribute(wanted, update.room);
  }

  /** Where that fails, the next picture tries again. */
  private async fetchNotes(): Promise<void> {
    try {
      const { notesOf } = await import('../notes/kit');
      const notes = await notesOf(this);
      this.notes ??= notes;
    } catch {
      // the table is played as well without them
    }
  }

  private show(update: Update): void {
    const resolved = update.news.findLast((one) => one.news === 'resolved');
    const past = update.table?.past ?? [];
    if (resolved) this.showing = { round: past.length, resolved, before: past.at(-2)?.tally ?? NO_TALLY };
    else if (update.news.some((one) => one.news === 'passed')) this.showing = null;
  }

  /** Random bytes of our own for the coming seed, so that nobody alone can choose the deal (R3.4). */
  private async contribute(count: number, room: RoomView): Promise<void> {
    if (this.mixing) return;
    this.mixing = true;
    await this.ask({ t: 'contribute', bytes: contributionTo(room.code, room.game + 1, room.commitment, count) });
    this.mixing = false;
  }
}
