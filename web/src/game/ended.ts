/** A game that is over, as it was last seen: its result stays to be read while the room goes on without it. */
import type { Card, RoomView, RoundView, TableView, Update } from '../protocol/protocol.gen';
import { called } from '../talk/names';
import { type Kept, keptOf } from './contribution';

/** What the pages that tell of a game need of it, whether it is on or over. */
export interface Picture {
  readonly room: RoomView | null;
  readonly table: TableView | null;
  readonly past: RoundView[];
  readonly showing: unknown;
  /** One's own cards of the rounds past, where one wants to see them in the record. */
  readonly mine?: { turn: number; plays: (Card | null)[] } | null;
  name(turn: number): string;
}

const keyOf = (code: string) => `cinderforge.ended.${code}`;

export class Ended implements Picture {
  readonly showing = null;
  /** `muted`: whom one has muted by now. */
  constructor(
    readonly update: Update,
    readonly muted: number[] = update.you.member.muted,
  ) {}

  get room() {
    return this.update.room;
  }
  get table() {
    return this.update.table;
  }
  get player() {
    return this.update.you.player;
  }
  get past(): RoundView[] {
    return this.table?.past ?? [];
  }
  name(turn: number): string {
    const number = this.table?.seats[turn - 1];
    const seat = this.room.seats.find((one) => one.seat === number);
    return seat ? called(this, seat.member, seat.name) : String(turn);
  }
  /** The same with others muted, be it long after the game. */
  hearing(muted: number[]): Ended {
    return muted.join() === this.muted.join() ? this : new Ended(this.update, muted);
  }
  /** Kept on this device, to be there after a reload; all of it is known to everybody by now (R7.5). */
  keep(): void {
    const slim = { ...this.update, news: [] };
    try {
      sessionStorage.setItem(keyOf(this.room.code), JSON.stringify(slim));
    } catch {
      // no room left: then it is gone with the page
    }
  }
  /** The end of this very game of a room, as this browser has kept it. */
  static of(code: string, game: number): Ended | null {
    const text = sessionStorage.getItem(keyOf(code));
    const update = text === null ? null : (JSON.parse(text) as Update);
    return update?.t === 'update' && update.game === game && update.room.stage === 'over' ? new Ended(update) : null;
  }
  /** What this browser was promised and mixed into the seed, if it was asked. */
  get kept(): Kept | null {
    return keptOf(this.room.code, this.room.game);
  }
}

/** One has gone on from the result of this game of a room, and is not taken back to it by a reload. */
export function read(code: string, game: number): void {
  sessionStorage.setItem(`cinderforge.read.${code}`, String(game));
}
export function hasRead(code: string, game: number): boolean {
  return sessionStorage.getItem(`cinderforge.read.${code}`) === String(game);
}
