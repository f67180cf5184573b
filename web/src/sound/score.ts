/**
 * The music: a drone and slow notes of a mode, made up as it goes. By day embers in a dorian mode; by night glass over
 * a phrygian one. It knows day from night and nothing else: it is the same music for everybody (R11).
 */
import type { Voice } from './sounds';
import { voice } from './synth';

export type Mood = 'day' | 'night';

interface Colour {
  /** Semitones over D that may be played. */
  mode: number[];
  drone: number[];
  /** Seconds from note to note, at least and at most. */
  pace: [number, number];
  octave: number;
  wave: Voice['wave'];
  lasts: number;
}

const D2 = 73.42;
const COLOURS: Record<Mood, Colour> = {
  day: { mode: [0, 2, 3, 5, 7, 9, 10], drone: [0, 7, 12], pace: [2.2, 4.6], octave: 2, wave: 'triangle', lasts: 4.2 },
  night: { mode: [0, 1, 3, 5, 7, 8, 10], drone: [-5, 0, 1], pace: [3.4, 6.8], octave: 3, wave: 'sine', lasts: 6 },
};
const AHEAD_S = 3;
const FADE_S = 2.5;

const pitchOf = (semitones: number): number => D2 * 2 ** (semitones / 12);

/** A walk through the mode: mostly by step, home now and then. */
export class Melody {
  private degree = 0;
  constructor(private readonly random: () => number = Math.random) {}

  /** The next note's voices, from 0 on, and how long until the one after it. */
  next(mood: Mood): { voices: Voice[]; wait: number } {
    const { mode, pace, octave, wave, lasts } = COLOURS[mood];
    const step = [-2, -1, -1, 1, 1, 2, 3][Math.floor(this.random() * 7)] ?? 1;
    this.degree = this.random() < 0.18 ? 0 : Math.max(-3, Math.min(9, this.degree + step));
    const at = (degree: number): number => {
      const turn = Math.floor(degree / mode.length);
      return pitchOf((mode[degree - turn * mode.length] ?? 0) + 12 * (turn + octave));
    };
    const gain = 0.13 + this.random() * 0.07;
    const voices: Voice[] = [{ wave, at: 0, lasts, from: at(this.degree), gain, attack: 0.05 }];
    voices.push({
      wave: 'sine',
      at: 0.02,
      lasts: lasts * 0.5,
      from: at(this.degree) * 2,
      gain: gain * 0.2,
      attack: 0.05,
    });
    if (this.random() < 0.3)
      voices.push({ wave, at: 0.28, lasts, from: at(this.degree + 4), gain: gain * 0.6, attack: 0.2 });
    // an ember cracks
    if (mood === 'day' && this.random() < 0.5)
      for (let i = 0; i < 3; i++)
        voices.push({
          ...{ wave: 'noise', at: this.random() * 1.6, lasts: 0.03, from: 1800 + this.random() * 2600 },
          ...{ gain: 0.08, narrow: 3 },
        });
    return { voices, wait: pace[0] + this.random() * (pace[1] - pace[0]) };
  }
}

/** Two echoes that feed each other: the size of the tower. */
function hall(context: BaseAudioContext, out: AudioNode): AudioNode {
  const into = context.createGain();
  into.connect(out);
  for (const [time, back] of [
    [0.37, 0.42],
    [0.61, 0.34],
  ] as const) {
    const delay = context.createDelay(1);
    delay.delayTime.value = time;
    const dark = context.createBiquadFilter();
    dark.type = 'lowpass';
    dark.frequency.value = 1800;
    const feedback = context.createGain();
    feedback.gain.value = back;
    into.connect(delay).connect(dark).connect(feedback).connect(delay);
    feedback.connect(out);
  }
  return into;
}

export class Score {
  private readonly melody = new Melody();
  private readonly room: AudioNode;
  private drone: { gain: GainNode; stop: (at: number) => void } | null = null;
  private mood: Mood | null = null;
  private next = 0;

  constructor(
    private readonly context: BaseAudioContext,
    private readonly out: AudioNode,
  ) {
    this.room = hall(context, out);
  }

  /** Writes what will sound until `until`; to be called again before that time. Null lets the music end. */
  write(mood: Mood | null, now = this.context.currentTime, until = now + AHEAD_S): void {
    if (mood !== this.mood) this.turn(mood, now);
    if (mood === null) return;
    while (this.next < until) {
      const { voices, wait } = this.melody.next(mood);
      for (const one of voices) voice(this.context, this.room, one, this.next);
      this.next += wait;
    }
  }

  private turn(mood: Mood | null, now: number): void {
    this.mood = mood;
    this.drone?.gain.gain.setTargetAtTime(0, now, FADE_S / 3);
    this.drone?.stop(now + FADE_S * 2);
    this.drone = mood === null ? null : this.hum(mood, now);
    this.next = now + 1.2;
  }

  private hum(mood: Mood, now: number): { gain: GainNode; stop: (at: number) => void } {
    const gain = this.context.createGain();
    gain.gain.setValueAtTime(0, now);
    gain.gain.setTargetAtTime(0.1, now, FADE_S / 2);
    const dark = this.context.createBiquadFilter();
    dark.type = 'lowpass';
    dark.frequency.value = mood === 'day' ? 420 : 260;
    // the light of a fire is never still
    const breath = this.context.createOscillator();
    breath.frequency.value = mood === 'day' ? 0.09 : 0.05;
    const depth = this.context.createGain();
    depth.gain.value = 120;
    breath.connect(depth).connect(dark.frequency);
    dark.connect(gain).connect(this.out);
    const tones = COLOURS[mood].drone.map((semitones, index) => {
      const tone = this.context.createOscillator();
      tone.type = 'sawtooth';
      tone.frequency.value = pitchOf(semitones);
      tone.detune.value = index * 5 - 5;
      tone.connect(dark);
      return tone;
    });
    const all = [...tones, breath];
    for (const one of all) one.start(now);
    return {
      gain,
      stop: (at) => {
        for (const one of all) one.stop(at);
      },
    };
  }
}
