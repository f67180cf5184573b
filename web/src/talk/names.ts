/** What somebody is called on this page: whom one has muted has no name on it, at the table as little as in the talk. */
import type { RoomView, TableView } from '../protocol/protocol.gen';
import { fill, speech } from '../words/words.svelte';

interface Seen {
  room: RoomView | null;
  table: TableView | null;
  muted: number[];
}

export function called({ room, table, muted }: Seen, member: number | null, name: string): string {
  if (member === null || !muted.includes(member)) return name;
  const t = speech.t.talk;
  const seat = room?.seats.find((one) => one.member === member)?.seat;
  if (seat !== undefined) {
    const turn = (table?.seats.indexOf(seat) ?? -1) + 1;
    return fill(t.muted_player, { n: turn > 0 ? turn : seat });
  }
  const watcher = room?.watchers.findIndex((one) => one.member === member) ?? -1;
  return watcher < 0 ? t.muted_gone : fill(t.muted_watcher, { n: watcher + 1 });
}
