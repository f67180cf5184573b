/** What one has readied before one's turn: a skip or a card. It never leaves this page before the turn has begun.

 It is done a while after that, so that its speed tells nobody that it was readied; and not at all where the offer
 does not allow it. */
import { device } from '../device/device.svelte';
import { playable } from '../offers/choices';
import type { Card } from '../protocol/protocol.gen';
import { speech } from '../words/words.svelte';
import type { Picks } from './picks.svelte';

const SOONEST_MS = 600;
const LATEST_MS = 1_500;

/** A skip, or the card at this place of one's hand. */
export type Readied = { what: 'skip' } | { what: 'play'; place: number; card: Card };

export class Ready {
  wish = $state.raw<Readied | null>(null);
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly picks: Picks) {}

  private get game() {
    return this.picks.game;
  }
  /** One's turn of this round is still to come. */
  private get isAhead(): boolean {
    const { table, player } = this.game;
    return (
      player !== null &&
      table?.phase === 'play' &&
      table.order?.includes(player.turn) === true &&
      !table.acts.some((one) => one.turn === player.turn)
    );
  }
  get may(): boolean {
    return device.choices.premove && this.isAhead && !this.isTurn && this.game.showing === null;
  }
  get isTurn(): boolean {
    const { table, player } = this.game;
    return player !== null && table?.awaited.includes(player.turn) === true;
  }
  /** A skip may be readied: no scroll makes one play. */
  get maySkip(): boolean {
    const { table, player } = this.game;
    return !table?.marks.some((one) => one.mark === 'must_play' && one.turn === player?.turn);
  }
  /** Places of one's hand that may be readied: all, or the drawn card alone while it binds. */
  get places(): number[] {
    const { player } = this.game;
    if (!this.may || player === null) return [];
    const last = player.hand.length - 1;
    return player.hand.flatMap((_, place) => (player.drawn === null || place === last ? [place] : []));
  }

  skip(): void {
    if (this.maySkip) this.wish = { what: 'skip' };
  }
  play(place: number): void {
    const card = this.game.player?.hand[place];
    if (card !== undefined) this.wish = { what: 'play', place, card };
  }
  cancel(): void {
    clearTimeout(this.timer);
    this.wish = null;
  }

  /** Looks at where the round is: to be called whenever the picture changes. Gives how to stop. */
  follow(): () => void {
    const offer = this.game.offer;
    const wish = this.wish;
    if (wish !== null && !this.isAhead) this.cancel();
    else if (wish !== null && offer?.offer === 'play') {
      if (this.isAllowed(wish))
        this.timer = setTimeout(
          () => {
            this.fire();
          },
          SOONEST_MS + Math.random() * (LATEST_MS - SOONEST_MS),
        );
      else {
        this.cancel();
        this.game.say(speech.t.board.ready_refused);
      }
    }
    return () => {
      clearTimeout(this.timer);
    };
  }

  private isAllowed(wish: Readied): boolean {
    const { offer, player } = this.game;
    if (offer?.offer !== 'play') return false;
    if (wish.what === 'skip') return offer.may_skip;
    return player?.hand[wish.place] === wish.card && playable(offer, player).includes(wish.place);
  }

  private fire(): void {
    const wish = this.wish;
    this.wish = null;
    if (wish === null || !this.isAllowed(wish)) return;
    if (wish.what === 'skip') this.picks.skip();
    else this.picks.playAt(wish.place);
  }
}
