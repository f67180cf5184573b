/** The door to the loudspeaker: opens after a gesture only, and only for who wants to hear something. */
import { device } from '../device/device.svelte';
import type { Mixer } from './mixer';
import type { Mood } from './score';
import type { SoundName } from './sounds';

const GESTURES = ['pointerup', 'keydown'] as const;

class Sound {
  private mixer: Mixer | null = null;
  private opening: Promise<void> | null = null;
  private mood: Mood | null = null;
  private isTried = false;

  /** Opens with the first gesture on this page; browsers let nothing sound before. Gives what ends it. */
  watch(): () => void {
    const stop = new AbortController();
    const open = () => {
      if (device.choices.muted) return;
      void this.open().then(() => this.mixer?.wake());
    };
    for (const gesture of GESTURES) addEventListener(gesture, open, { signal: stop.signal });
    document.addEventListener('visibilitychange', () => this.tune(), { signal: stop.signal });
    if ('userActivation' in navigator && navigator.userActivation.hasBeenActive) open();
    return () => {
      stop.abort();
      this.music(null);
    };
  }

  /** Out of sight nothing sounds but the call of one's own turn. */
  play(name: SoundName): void {
    if (!device.choices.muted && (!document.hidden || name === 'turn')) this.mixer?.play(name);
  }

  music(mood: Mood | null): void {
    this.mood = mood;
    this.tune();
  }

  /** What was chosen, applied at once. */
  tune(): void {
    const { effects, turn, talk, music, muted } = device.choices;
    const mood = this.isTried ? 'day' : this.mood;
    this.mixer?.set({ effects, turn, talk, music });
    this.mixer?.music(muted || music === 0 || document.hidden ? null : mood);
    this.mixer?.rest(muted || document.hidden);
  }

  /** Lets one hear what one chooses; whoever asks for it has just made a gesture. */
  async try(what: SoundName | 'music' | 'silence'): Promise<void> {
    await this.open();
    this.isTried = what === 'music';
    this.tune();
    if (what !== 'music' && what !== 'silence') this.play(what);
  }

  private open(): Promise<void> {
    this.opening ??= import('./mixer').then(
      ({ Mixer }) => {
        this.mixer = new Mixer();
        this.tune();
      },
      () => {
        // offline, or another version by now: a game without sound
        this.opening = null;
      },
    );
    return this.opening;
  }
}

export const sound = new Sound();
