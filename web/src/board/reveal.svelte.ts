/** How a round's cards are shown: gathered and shuffled, flipped one by one, sorted. One tap takes all to the end. */
import { device } from '../device/device.svelte';
import type { Card } from '../protocol/protocol.gen';
import { shown } from './shown';

const GATHER_MS = 750;
const FIRST_MS = 200;
const EACH_MS = 250;
const FAST_MS = 110;
/** From this card on they are flipped faster: the whole takes four seconds at most. */
const FAST_FROM = 3;
const SORT_MS = 450;
const READ_MS = 1_900;

const turnedAt = (place: number) =>
  GATHER_MS + FIRST_MS + EACH_MS * Math.min(place, FAST_FROM) + FAST_MS * Math.max(0, place - FAST_FROM);

export const isDragon = (card: Card) => card.endsWith('dragon');

/** Dragons first, then persons, then blanks; each keeps the place in which it was shown. */
export function sorted(cards: Card[]): number[] {
  const rank = (card: Card) => (isDragon(card) ? 0 : card === 'blank' ? 2 : 1);
  return cards
    .map((card, place) => ({ place, rank: rank(card) }))
    .sort((a, b) => a.rank - b.rank || a.place - b.place)
    .map((one) => one.place);
}

export class Unfolding {
  isGathered = $state(false);
  /** How many lie face up. */
  flipped = $state(0);
  isSorted = $state(false);
  private timers: ReturnType<typeof setTimeout>[] = [];

  constructor(
    private readonly count: number,
    private readonly done: () => void,
  ) {}

  start(): () => void {
    if (!device.moves || this.count === 0) this.toEnd();
    else {
      this.after(GATHER_MS, () => (this.isGathered = true));
      for (let place = 0; place < this.count; place++)
        this.after(turnedAt(place), () => {
          this.flipped = place + 1;
          shown.tell('card_turned');
        });
      this.after(turnedAt(this.count - 1) + SORT_MS, () => {
        this.toEnd();
      });
    }
    return () => {
      this.stop();
    };
  }

  /** A tap: to the end of the motion, or on, if it is at its end. */
  tap(): void {
    if (this.isSorted) this.done();
    else this.toEnd();
  }

  private toEnd(): void {
    this.stop();
    this.isGathered = this.isSorted = true;
    this.flipped = this.count;
    shown.tell('cards_sorted');
    this.after(READ_MS, this.done);
  }
  private stop(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers = [];
  }
  private after(ms: number, then: () => unknown): void {
    this.timers.push(setTimeout(then, ms));
  }
}
