/** The sounds of the table, as data: which voices sound when. None of them depends on what anybody holds (R11). */

/** One voice: a tone that may slide, or noise through a narrow filter. Times in seconds, pitches in Hz. */
export interface Voice {
  wave: 'sine' | 'triangle' | 'sawtooth' | 'noise';
  at: number;
  lasts: number;
  from: number;
  to?: number;
  gain: number;
  /** How long it takes to be there; the rest of its time it fades. */
  attack?: number;
  /** How narrow the filter of a noise is. */
  narrow?: number;
}

const bell = (at: number, pitch: number, gain: number, lasts: number): Voice[] => [
  { wave: 'sine', at, lasts, from: pitch, gain },
  { wave: 'sine', at, lasts: lasts * 0.6, from: pitch * 2.01, gain: gain * 0.35 },
  { wave: 'sine', at, lasts: lasts * 0.35, from: pitch * 3.02, gain: gain * 0.18 },
];
const brush = (at: number, from: number, to: number, lasts: number, gain: number, narrow = 1.1): Voice => ({
  ...{ wave: 'noise', at, lasts, from, to, gain, narrow, attack: lasts * 0.3 },
});
const thud = (at: number, from: number, to: number, lasts: number, gain: number): Voice => ({
  ...{ wave: 'sine', at, lasts, from, to, gain },
});

export const sounds = {
  /** Cards are dealt: five brush past each other. */
  deal: [0, 0.09, 0.18, 0.27, 0.36].flatMap((at, index) => [
    brush(at, 2600 - index * 140, 1100, 0.11, 0.75),
    thud(at + 0.07, 190, 120, 0.06, 0.16),
  ]),
  /** A card is laid down. */
  card: [brush(0, 1700, 700, 0.12, 0.7), thud(0.05, 170, 70, 0.16, 0.5)],
  /** Somebody skips: two soft knocks, falling. */
  skip: [
    { wave: 'triangle', at: 0, lasts: 0.14, from: 392, to: 370, gain: 0.3 },
    { wave: 'triangle', at: 0.13, lasts: 0.2, from: 294, to: 277, gain: 0.26 },
  ],
  /** The crystal is handed on: ice in a glass. */
  crystal: [
    ...bell(0, 1174.7, 0.26, 1.1),
    ...bell(0.09, 1760, 0.18, 1.2),
    ...bell(0.2, 2637, 0.1, 1.3),
    brush(0, 5200, 7800, 0.5, 0.1, 6),
  ],
  /** A scroll unrolls: parchment, and something old under it. */
  scroll: [
    brush(0, 700, 1500, 0.32, 0.6),
    brush(0.16, 1100, 2600, 0.4, 0.5),
    brush(0.42, 2400, 900, 0.28, 0.36),
    { wave: 'sine', at: 0.1, lasts: 0.9, from: 146.8, to: 220, gain: 0.2, attack: 0.3 },
    { wave: 'sine', at: 0.3, lasts: 0.8, from: 440, gain: 0.1, attack: 0.2 },
  ],
  /** A card is turned over. */
  flip: [brush(0, 3400, 1500, 0.09, 0.9), thud(0.04, 320, 210, 0.08, 0.4)],
  /** Persons are activated: a fifth opens upwards. */
  activated: [...bell(0, 587.3, 0.26, 0.9), ...bell(0.1, 880, 0.22, 1), ...bell(0.22, 1174.7, 0.16, 1.1)],
  /** Persons are slain: a tritone falls into the fire. */
  slain: [
    { wave: 'sawtooth', at: 0, lasts: 0.9, from: 155.6, to: 73.4, gain: 0.2, attack: 0.03 },
    { wave: 'sawtooth', at: 0.02, lasts: 0.9, from: 110, to: 51.9, gain: 0.2, attack: 0.03 },
    brush(0, 900, 180, 0.8, 0.6, 0.7),
    thud(0, 120, 38, 0.5, 0.5),
  ],
  /** It is one's turn: a call of two bells that nothing else sounds like. */
  turn: [...bell(0, 440, 0.34, 0.7), ...bell(0.2, 659.3, 0.38, 1)],
  /** A second of the last five. */
  tick: [{ wave: 'triangle', at: 0, lasts: 0.07, from: 1046, to: 880, gain: 0.6 }],
  /** The humans win: the chord of the morning. */
  humans_win: [
    ...[293.7, 370, 440, 587.3, 740].flatMap((pitch, index) => bell(index * 0.16, pitch, 0.2, 2.2 - index * 0.16)),
    { wave: 'triangle', at: 0, lasts: 2.4, from: 146.8, gain: 0.2, attack: 0.2 },
  ],
  /** The dragons win: a low cluster, and breath. */
  dragons_win: [
    ...[73.4, 87.3, 110, 155.6].map((pitch, index): Voice => ({
      ...{ wave: 'sawtooth', at: index * 0.22, lasts: 2.5 - index * 0.22, from: pitch, to: pitch * 0.97 },
      ...{ gain: 0.11, attack: 0.12 },
    })),
    brush(0.3, 240, 1200, 1.9, 0.55, 0.6),
    thud(0, 90, 34, 0.9, 0.4),
  ],
  /** Somebody has written. */
  message: [
    { wave: 'sine', at: 0, lasts: 0.1, from: 660, to: 784, gain: 0.34 },
    { wave: 'sine', at: 0.08, lasts: 0.2, from: 988, gain: 0.28 },
  ],
  /** Night falls, the same for everybody. */
  nightfall: [...bell(0, 146.8, 0.42, 2.2), ...bell(0.02, 155.6, 0.1, 1.8), brush(0.1, 500, 260, 1.6, 0.2, 0.8)],
  /** Day breaks. */
  daybreak: [...bell(0, 293.7, 0.3, 1.4), ...bell(0.24, 440, 0.22, 1.5), ...bell(0.5, 587.3, 0.14, 1.4)],
} satisfies Record<string, Voice[]>;

export type SoundName = keyof typeof sounds;

/** How long a sound is, in seconds. */
export function lengthOf(name: SoundName): number {
  return Math.max(...sounds[name].map((voice) => voice.at + voice.lasts));
}
