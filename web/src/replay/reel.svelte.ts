/** Where one is in a replay: stepping, running by itself, whose eyes, and how far one may be told of. */
import type { Moment } from './address';
import { type Eye, kindOf, roundAt, roundStarts, type Scene } from './course';

export const SPEEDS = [0.5, 1, 2, 4] as const;
const LOOK_MS = 1_300;
/** What takes longer to take in. */
const LONG_LOOK_MS = 2_800;
const LONG = new Set(['deal', 'night', 'scroll', 'activated', 'slain', 'over']);

export class Reel {
  at = $state(0);
  eye = $state<Eye>(null);
  speed = $state<number>(1);
  isRunning = $state(false);
  /** What one has not come to yet is not told of: neither how many steps there are nor how the game ends. */
  isGuarded = $state(false);
  readonly starts: number[];
  private reached = $state(0);
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly scenes: Scene[]) {
    this.starts = roundStarts(scenes);
  }

  get scene(): Scene {
    const scene = this.scenes[this.at];
    if (!scene) throw new RangeError(`the replay has no step ${String(this.at)}`);
    return scene;
  }
  /** The last step that may be told of. */
  get last(): number {
    return this.isGuarded ? this.reached : this.scenes.length - 1;
  }
  get isAtEnd(): boolean {
    return this.at === this.scenes.length - 1;
  }
  /** Which part of the game: 0 before the first round, then the rounds. */
  get round(): number {
    return roundAt(this.starts, this.at);
  }
  /** How many parts may be told of. */
  get rounds(): number {
    return roundAt(this.starts, this.last) + 1;
  }

  /** To a step that may be told of. */
  go(to: number): void {
    this.enter(Math.max(0, Math.min(to, this.last)));
  }
  /** One step on or back; on leads to what was not told of before, too. */
  step(by: 1 | -1): void {
    this.enter(Math.max(0, Math.min(this.at + by, this.scenes.length - 1)));
  }
  /** To the beginning of the next round, or of this one, or of the one before it. */
  stepRound(by: 1 | -1): void {
    const start = this.starts[this.round] ?? 0;
    if (by > 0) this.go(this.starts[this.round + 1] ?? this.scenes.length - 1);
    else this.go(this.at > start ? start : (this.starts[this.round - 1] ?? 0));
  }
  toStart(): void {
    this.go(0);
  }
  toEnd(): void {
    this.go(this.last);
  }

  /** To the moment that a link names, wherever it is: who follows one knows of it, and of what came before. */
  open({ step, eye }: Moment): void {
    this.enter(Math.max(0, Math.min(step, this.scenes.length) - 1));
    this.eye = eye !== null && eye <= this.scene.table.seats.length ? eye : null;
  }

  guard(on: boolean): void {
    this.isGuarded = on && !this.isAtEnd;
    this.reached = this.at;
  }

  /** Runs by itself, or stands still again; from the end it starts over. */
  toggle(): void {
    if (this.isRunning) {
      this.stop();
      return;
    }
    if (this.isAtEnd) this.enter(0);
    this.isRunning = true;
    this.wait();
  }
  stop(): void {
    clearTimeout(this.timer);
    this.isRunning = false;
  }
  setSpeed(speed: number): void {
    this.speed = speed;
    if (this.isRunning) this.wait();
  }
  nextSpeed(): void {
    const at = SPEEDS.findIndex((one) => one === this.speed);
    this.setSpeed(SPEEDS[(at + 1) % SPEEDS.length] ?? 1);
  }

  private enter(at: number): void {
    this.at = at;
    this.reached = Math.max(this.reached, at);
    if (this.isAtEnd) {
      this.isGuarded = false;
      this.stop();
    } else if (this.isRunning) this.wait();
  }
  private wait(): void {
    clearTimeout(this.timer);
    const look = LONG.has(kindOf(this.scene)) ? LONG_LOOK_MS : LOOK_MS;
    this.timer = setTimeout(() => {
      this.step(1);
    }, look / this.speed);
  }
}
