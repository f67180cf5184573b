/** What one has picked at the table and not yet asked for: players, or one of one's cards. Offers say what may be. */
import type { Game } from '../game/game.svelte';
import type { Wish } from '../link/link';
import { choosable, playable, tapped, wanted, wishOf } from '../offers/choices';
import type { Card } from '../protocol/protocol.gen';
import { leaveFrom } from './flight';

const NO_CARD = -1;
/** A tap meant for what stood there a moment ago does not send what stands there now. */
export const SETTLE_MS = 300;

export class Picks {
  players = $state.raw<number[]>([]);
  /** A place in one's hand, 0…, or −1. */
  card = $state(NO_CARD);
  /** The buttons have stood where they are long enough to be meant. */
  isSettled = $state(false);
  private settles: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly game: Game) {}

  /** Players that may be picked next. */
  get may(): number[] {
    return choosable(this.game.offer, this.players);
  }
  /** How many players have to be picked. */
  get need(): number {
    return wanted(this.game.offer);
  }
  get wish(): Wish | null {
    return wishOf(this.game.offer, this.players);
  }
  get chosen(): Card | undefined {
    return this.game.player?.hand[this.card];
  }
  /** A pick belongs to its wait: another wait starts afresh. */
  get wait(): string {
    const { table, offer } = this.game;
    if (offer === null) return String(table?.round);
    return [table?.round, table?.phase, table?.acts.length, offer.offer].join('/');
  }

  /** Another wait: nothing is picked but a card that may be played, and for a moment nothing is sent. */
  begin(): () => void {
    this.players = [];
    if (!playable(this.game.offer, this.game.player).includes(this.card)) this.card = NO_CARD;
    this.isSettled = false;
    clearTimeout(this.settles);
    this.settles = setTimeout(() => {
      this.isSettled = true;
    }, SETTLE_MS);
    return () => {
      clearTimeout(this.settles);
    };
  }

  /** Pointed at too soon to be meant; keys go by what has the focus, and are. */
  isSlip(event: MouseEvent): boolean {
    return event.detail > 0 && !this.isSettled;
  }

  tap(turn: number): void {
    this.players = tapped(this.game.offer, this.players, turn);
  }
  tapCard(index: number): void {
    this.card = this.card === index ? NO_CARD : index;
  }
  clear(): void {
    this.players = [];
    this.card = NO_CARD;
  }

  /** The next of these places in the hand, or the one before it. */
  step(by: 1 | -1, places: number[]): number {
    const at = places.indexOf(this.card);
    const next = at < 0 ? (by > 0 ? 0 : places.length - 1) : (at + by + places.length) % places.length;
    this.card = places[next] ?? NO_CARD;
    return this.card;
  }

  /** Plays the card at this place of the hand; it flies from where it is on the screen. */
  playAt(place: number): void {
    const card = this.game.player?.hand[place];
    if (card === undefined) return;
    const held = document.querySelector(`[data-testid="hand-${String(place)}"]`);
    if (held) leaveFrom('play', held);
    this.ask({ t: 'play', card });
  }
  playChosen(): void {
    this.playAt(this.card);
  }
  skip(): void {
    this.ask({ t: 'skip' });
  }
  confirm(): void {
    if (this.wish) this.ask(this.wish);
  }
  ask(wish: Wish): void {
    this.clear();
    void this.game.ask(wish);
  }
}
