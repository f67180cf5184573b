/** What one has picked at the table and not yet asked for: players, or one of one's cards. Offers say what may be. */
import type { Game } from '../game/game.svelte';
import type { Wish } from '../link/link';
import { choosable, playable, tapped, wanted, wishOf } from '../offers/choices';
import type { Card } from '../protocol/protocol.gen';

const NO_CARD = -1;

export class Picks {
  players = $state.raw<number[]>([]);
  /** A place in one's hand, 0…, or −1. */
  card = $state(NO_CARD);

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
    const table = this.game.table;
    return [table?.round, table?.phase, table?.acts.length, this.game.offer?.offer].join('/');
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

  /** The next card that may be played, or the one before it; gives its place in the hand. */
  step(by: 1 | -1): number {
    const choices = playable(this.game.offer, this.game.player);
    const at = choices.indexOf(this.card);
    const next = at < 0 ? (by > 0 ? 0 : choices.length - 1) : (at + by + choices.length) % choices.length;
    this.card = choices[next] ?? NO_CARD;
    return this.card;
  }

  play(card: Card): void {
    this.ask({ t: 'play', card });
  }
  playChosen(): void {
    if (this.chosen !== undefined) this.play(this.chosen);
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
