/** A game that is over, as it was last seen: its result stays to be read while the room goes on without it. */
import type { RoomView, RoundView, TableView, Update } from '../protocol/protocol.gen';
import { called } from '../talk/names';
import { type Kept, keptOf } from './contribution';

/** What the pages that tell of a game need of it, whether it is on or over. */
export interface Picture {
  readonly room: RoomView | null;
  readonly table: TableView | null;
  readonly past: RoundView[];
  readonly showing: unknown;
  name(turn: number): string;
}

export class Ended implements Picture {
  readonly showing = null;
  constructor(readonly update: Update) {}

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
    const muted = this.update.you.member.muted;
    return seat ? called({ room: this.room, table: this.table, muted }, seat.member, seat.name) : String(turn);
  }
  /** What this browser was promised and mixed into the seed, if it was asked. */
  get kept(): Kept | null {
    return keptOf(this.room.code, this.room.game);
  }
}
