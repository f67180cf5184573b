/** The loudspeaker of a page: what sounds when, music that makes room for it, sleep when nobody listens. A lazy chunk. */
import { Desk, type Group, groupOf } from './desk';
import { type Mood, Score } from './score';
import type { SoundName } from './sounds';
import { sound } from './synth';

const DUCKED = 0.3;
const WRITE_MS = 1_000;
const GONE_MS = 1_600;

export class Mixer {
  private readonly context = new AudioContext();
  private readonly desk = new Desk(this.context);
  private readonly score = new Score(this.context, this.desk.into.music);
  private clock: ReturnType<typeof setInterval> | undefined;
  private sleep: ReturnType<typeof setTimeout> | undefined;
  private isAtRest = false;

  set(volumes: Record<Group, number>): void {
    this.desk.set(volumes);
  }

  play(name: SoundName): void {
    void this.wake();
    const from = this.context.currentTime + 0.02;
    const length = sound(this.context, this.desk.into[groupOf(name)], name, from);
    if (groupOf(name) !== 'talk') this.duck(from, length);
    if (this.isAtRest) this.fallAsleep(length * 1_000 + GONE_MS);
  }

  /** The music for this mood; null lets it end. */
  music(mood: Mood | null): void {
    clearInterval(this.clock);
    this.score.write(mood);
    if (mood !== null)
      this.clock = setInterval(() => {
        this.score.write(mood);
      }, WRITE_MS);
  }

  /** At rest the context sleeps, which spares a phone; what is played all the same wakes it for its length. */
  rest(isAtRest: boolean): void {
    this.isAtRest = isAtRest;
    if (isAtRest) this.fallAsleep(GONE_MS);
    else void this.wake();
  }

  async wake(): Promise<void> {
    clearTimeout(this.sleep);
    if (this.context.state !== 'running') await this.context.resume();
  }

  private fallAsleep(ms: number): void {
    clearTimeout(this.sleep);
    this.sleep = setTimeout(() => void this.context.suspend(), ms);
  }

  private duck(from: number, length: number): void {
    const gain = this.desk.duck.gain;
    gain.cancelScheduledValues(from);
    gain.setTargetAtTime(DUCKED, from, 0.04);
    gain.setTargetAtTime(1, from + Math.min(length, 1.5), 0.5);
  }
}
