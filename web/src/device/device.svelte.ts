/** How this device is to be used: chosen once, kept on it, applied at once. Nothing of a game or a person is in here. */
import { MediaQuery } from 'svelte/reactivity';

export interface Choices {
  /** Times the usual size of text. */
  text: 1 | 1.15 | 1.3;
  motion: 'system' | 'less' | 'full';
  contrast: 'usual' | 'high';
  cards: 'small' | 'usual' | 'large';
  /** How a card is played by tap: at once, or tapped and then confirmed. A drag confirms itself. */
  play: 'confirm' | 'at_once';
  /** Whether a card, or a skip, may be readied before one's turn. */
  premove: boolean;
  /** One's own hand lies face down until it is held. */
  private_screen: boolean;
  /** How loud, 0…1: what happens at the table, one's turn and the clock, messages, the music. */
  effects: number;
  turn: number;
  talk: number;
  music: number;
  muted: boolean;
  vibration: boolean;
  /** A notice of the system when it is one's turn and the page is out of sight. */
  notification: boolean;
  /** The screen stays on while one plays. */
  awake: boolean;
  /** Patterns and letters beside colours. */
  colour_aid: boolean;
  /** How much a screen reader is told. */
  telling: 'short' | 'full';
  /** Letters, numbers and signs are keys of the table. */
  letters: boolean;
  /** Hints of the first game. */
  hints: boolean;
}

export const USUAL: Choices = {
  text: 1,
  motion: 'system',
  contrast: 'usual',
  cards: 'usual',
  play: 'confirm',
  premove: true,
  private_screen: false,
  effects: 0.7,
  turn: 0.8,
  talk: 0.5,
  music: 0.4,
  muted: false,
  vibration: true,
  notification: false,
  awake: true,
  colour_aid: false,
  telling: 'short',
  letters: true,
  hints: true,
};
const KEY = 'cinderforge.device';

export const TEXT = [1, 1.15, 1.3] as const;
export const MOTION = ['system', 'less', 'full'] as const;
export const CONTRAST = ['usual', 'high'] as const;
export const CARDS = ['small', 'usual', 'large'] as const;
export const PLAY = ['confirm', 'at_once'] as const;
export const TELLING = ['short', 'full'] as const;
const OPEN: { [Name in keyof Choices]?: readonly Choices[Name][] } = {
  text: TEXT,
  motion: MOTION,
  contrast: CONTRAST,
  cards: CARDS,
  play: PLAY,
  telling: TELLING,
};

function fits(name: string, value: unknown): boolean {
  if (!(name in USUAL) || typeof value !== typeof USUAL[name as keyof Choices]) return false;
  const open: readonly unknown[] | undefined = OPEN[name as keyof Choices];
  if (open) return open.includes(value);
  return typeof value !== 'number' || (value >= 0 && value <= 1);
}

/** What was kept, as far as it can be chosen; the rest is as usual. */
export function read(kept: string | null): Choices {
  let found: unknown = null;
  try {
    found = JSON.parse(kept ?? 'null');
  } catch {
    // what another build or a person has left there
  }
  if (typeof found !== 'object' || found === null) return { ...USUAL };
  return { ...USUAL, ...Object.fromEntries(Object.entries(found).filter(([name, value]) => fits(name, value))) };
}

const lessMotion = new MediaQuery('prefers-reduced-motion: reduce');
const moreContrast = new MediaQuery('prefers-contrast: more');

class Device {
  choices = $state<Choices>(read(localStorage.getItem(KEY)));

  constructor() {
    // chosen in another tab of the same browser
    addEventListener('storage', (event) => {
      if (event.key === KEY) this.choices = read(event.newValue);
    });
  }

  set<Name extends keyof Choices>(name: Name, value: Choices[Name]): void {
    this.choices[name] = value;
    localStorage.setItem(KEY, JSON.stringify(this.choices));
  }

  reset(): void {
    this.choices = { ...USUAL };
    localStorage.removeItem(KEY);
  }

  /** Whether things move: asked by code; style sheets ask `html[data-motion]`. */
  get moves(): boolean {
    if (this.choices.motion !== 'system') return this.choices.motion === 'full';
    return !lessMotion.current;
  }

  /** Whether one wishes for more contrast, here or in the system's settings. */
  get contrasts(): boolean {
    return this.choices.contrast === 'high' || moreContrast.current;
  }

  /** Tells the style sheets, through the root of the page. To be called in an effect. */
  dress(root: HTMLElement): void {
    root.dataset.motion = this.moves ? 'full' : 'less';
    root.dataset.contrast = this.contrasts ? 'high' : 'usual';
    root.dataset.cards = this.choices.cards;
    root.dataset.colours = this.choices.colour_aid ? 'aided' : 'usual';
    root.style.setProperty('--text-scale', String(this.choices.text));
  }
}

export const device = new Device();
