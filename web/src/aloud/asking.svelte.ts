/** Questions about the table, each by a key and by a button: what is answered is said, and shown where one has asked. */
import { device } from '../device/device.svelte';
import type { Game } from '../game/game.svelte';
import { fill, speech } from '../words/words.svelte';
import { eventsText, handText, orderText, statusText, talliesText, timeText } from './tabletext';
import { joined } from './voice.svelte';

export const QUESTIONS = ['status', 'time', 'hand', 'last', 'order'] as const;
export type Question = (typeof QUESTIONS)[number];

/** Keys by what they ask. */
export const KEY: Record<Question, string> = { status: 's', time: 't', hand: 'h', last: 'l', order: 'o' };

export class Asking {
  /** How many events back the last answer was, and how many there were then. */
  private back = 0;
  private of = 0;

  constructor(private readonly game: Game) {}

  answer(question: Question): string {
    const { game } = this;
    if (question !== 'last') this.back = 0;
    switch (question) {
      case 'status':
        return joined([...statusText(game, !device.choices.private_screen), ...talliesText(game)]);
      case 'time':
        return timeText(game);
      case 'hand':
        return joined(handText(game, true));
      case 'order':
        return orderText(game);
      case 'last':
        return this.lastEvent();
      default:
        return question satisfies never;
    }
  }

  /** The latest event; asked again, the one before it. */
  private lastEvent(): string {
    const { aloud } = speech.t;
    const events = eventsText(this.game);
    if (events.length !== this.of) this.back = 0;
    this.of = events.length;
    this.back = Math.min(this.back + 1, events.length);
    const text = events.at(-this.back);
    if (text === undefined) return aloud.events_none;
    return this.back === events.length ? fill(aloud.events_first, { text }) : text;
  }
}

/** Whether the table lies open in words. */
class Reading {
  isOpen = $state(false);
}
export const reading = new Reading();
