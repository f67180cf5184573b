/** How this device is to be used: chosen once, kept on it, applied at once. Nothing of a game or a person is in here. */

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
  effects: number;
  music: number;
  muted: boolean;
  vibration: boolean;
  notification: boolean;
  /** Patterns and letters beside colours. */
  colour_aid: boolean;
  /** How much a screen reader is told. */
  telling: 'short' | 'full';
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
  music: 0.4,
  muted: false,
  vibration: true,
  notification: false,
  colour_aid: false,
  telling: 'short',
  hints: true,
};
const KEY = 'cinderforge.device';

/** What was kept, as far as it is of the right kind; the rest is as usual. */
export function read(kept: string | null): Choices {
  let found: unknown = null;
  try {
    found = JSON.parse(kept ?? 'null');
  } catch {
    // what another build or a person has left there
  }
  if (typeof found !== 'object' || found === null) return { ...USUAL };
  const same = Object.entries(found).filter(
    ([name, value]) => name in USUAL && typeof value === typeof USUAL[name as keyof Choices],
  );
  return { ...USUAL, ...Object.fromEntries(same) };
}

class Device {
  choices = $state<Choices>(read(localStorage.getItem(KEY)));

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
    return !matchMedia('(prefers-reduced-motion: reduce)').matches;
  }
}

export const device = new Device();
