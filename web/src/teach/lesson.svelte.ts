/** The tutorial as it is walked: where one is, what was done wrong, and the real table fed with the recorded pictures. */
import { Game } from '../game/game.svelte';
import type { LinkEvents, Outcome, Wish } from '../link/link';
import type { RoomSocket, Status } from '../link/socket';
import type { News, Update } from '../protocol/protocol.gen';
import { afresh, pictures } from './pictures';
import { type Step, steps } from './steps';
import { changes, moments, turns } from './tutorial.gen';

/** How long one looks at what the others do, by the news that comes with it. */
const LOOK_MS: Partial<Record<News['news'], number>> = { voted: 500, scroll_unrolled: 1_400 };
const USUAL_LOOK_MS = 900;
const DONE: Outcome = { ok: true };

/** A game whose room is a book of pictures: nobody leaves it, and cards that are shown stay until one goes on. */
class LessonGame extends Game {
  isHeld = true;

  override stopShowing(): void {
    if (!this.isHeld) super.stopShowing();
  }
  /** There is no seat that an AI would have to take. */
  override leave(): Promise<void> {
    return Promise.resolve();
  }
}

export class Lesson {
  readonly game: LessonGame;
  index = $state(0);
  /** What the learner did was not this step's: its explanation is shown. */
  isWrong = $state(false);
  /** The coach's words were said. */
  hasSaid = $state(false);
  /** The others are acting: the pictures up to the step's own go by. */
  isPlaying = $state(false);
  private readonly shown: Update[];
  private events: LinkEvents | null = null;
  private picture = 0;
  private now = 0;
  private lines = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `nameOf` says what the learner is called at the table. */
  constructor(private readonly nameOf: () => string) {
    this.shown = pictures(changes);
    this.game = new LessonGame('LESSON', (_code, events, status) => this.open(events, status));
  }

  get step(): Step {
    const step = steps[this.index];
    if (!step) throw new RangeError(`the tutorial has no step ${String(this.index)}`);
    return step;
  }
  get total(): number {
    return steps.length;
  }
  get isLast(): boolean {
    return this.index === steps.length - 1;
  }

  /** What the coach calls the others, by their words in its text. */
  get names(): Record<string, string> {
    return Object.fromEntries(
      Object.entries(turns).map(([word, turn]) => [word, `${String(turn)} ${this.game.name(turn)}`]),
    );
  }
  /** The learner's scroll, which the coach speaks of. */
  get scroll(): string {
    return this.game.player?.scroll ?? '';
  }

  start(): void {
    this.game.open();
  }
  stop(): void {
    clearTimeout(this.timer);
    this.game.close();
  }

  /** On to the next step; what had to be done is taken as done, and what the others do may be cut short. */
  next(): void {
    if (this.isPlaying) this.arrive();
    else if (!this.isLast) this.enter(this.index + 1);
  }
  /** Back to the step before, as it was when one came to it. */
  back(): void {
    if (this.index === 0) return;
    clearTimeout(this.timer);
    this.index -= 1;
    this.begin();
    this.arrive();
  }
  again(): void {
    clearTimeout(this.timer);
    this.index = 0;
    this.begin();
    this.arrive();
  }

  /** The coach's words are said aloud: the room let them pass, or it did not. */
  say(text: string): void {
    this.hasSaid = true;
    if (this.step.says !== 'heard') return;
    const me = this.game.member?.member ?? null;
    const n = ++this.lines;
    const line = { n, at: 0, channel: 'table', member: me, name: this.nameOf(), text, about: '', claim: null } as const;
    this.events?.lines([{ ...line, kind: 'said' }]);
  }

  private open(events: LinkEvents, status: (status: Status) => void): RoomSocket {
    this.events = events;
    status('open');
    this.begin();
    this.arrive();
    return { ask: (wish) => this.ask(wish), now: () => this.now, close: () => undefined };
  }

  /** What the real room would answer, as far as the script goes; everything else is explained by the coach. */
  private ask(wish: Wish): Promise<Outcome> {
    if (wish.t === 'say' || wish.t === 'phrase') return Promise.resolve({ ok: false, code: 'lesson', detail: '' });
    if (this.isPlaying) return Promise.resolve(DONE);
    if (this.step.asks?.(wish) === true) this.enter(this.index + 1);
    else this.isWrong = true;
    return Promise.resolve(DONE);
  }

  private enter(index: number): void {
    this.index = index;
    this.begin();
    this.play();
  }
  private begin(): void {
    this.isWrong = this.hasSaid = false;
    clearTimeout(this.timer);
  }

  /** The pictures between go by, so that one sees what the others do. */
  private play(): void {
    const goal = moments[this.step.at];
    if (this.picture >= goal) {
      this.arrive();
      return;
    }
    this.isPlaying = true;
    this.picture += 1;
    this.send(this.shown[this.picture]);
    const last = this.shown[this.picture]?.news.at(-1)?.news;
    if (this.picture === goal) this.arrive();
    else
      this.timer = setTimeout(
        () => {
          this.play();
        },
        (last && LOOK_MS[last]) ?? USUAL_LOOK_MS,
      );
  }

  /** At the step's picture, however one has come to it. */
  private arrive(): void {
    clearTimeout(this.timer);
    const goal = moments[this.step.at];
    this.game.isHeld = this.step.showsCards === true;
    const hasLeftCards = this.game.isHeld && this.game.showing === null;
    if (this.picture !== goal || this.game.update === null || hasLeftCards) {
      if (goal > 0) this.send(afresh(this.shown, goal - 1));
      this.send(goal > 0 ? this.shown[goal] : afresh(this.shown, 0));
    }
    this.picture = goal;
    if (!this.game.isHeld) this.game.stopShowing();
    this.isPlaying = false;
  }

  private send(update: Update | undefined): void {
    if (!update) return;
    this.now = update.now;
    const member = update.you.member.member;
    const seats = update.room.seats.map((seat) => (seat.member === member ? { ...seat, name: this.nameOf() } : seat));
    this.events?.update({ ...update, room: { ...update.room, seats } });
  }
}
