/** The pictures of the tutorial's game: kept as what differs from one to the next, shown as the socket would send them. */
import type { MemberView, News, PlayerView, RoomView, TableView, Update, WaitView } from '../protocol/protocol.gen';

/** What of a picture differs from the one before it. */
export interface Change {
  room?: Partial<RoomView>;
  table?: Partial<TableView>;
  member?: Partial<MemberView>;
  player?: Partial<PlayerView>;
  news?: News[];
}

/** The clock stands still in a lesson: every wait has just begun. */
const beginOf = (wait?: WaitView | null) => (wait?.until ? wait.until - (wait.whole ?? 0) : 0);

/** The whole pictures, each with the news that came with it. */
export function pictures(changes: Change[]): Update[] {
  let room: Partial<RoomView> = {};
  let table: Partial<TableView> = {};
  let member: Partial<MemberView> = {};
  let player: Partial<PlayerView> = {};
  let heard = 0;
  return changes.map((change) => {
    room = { ...room, ...change.room };
    table = { ...table, ...change.table };
    member = { ...member, ...change.member };
    player = { ...player, ...change.player };
    const news = change.news ?? [];
    heard += news.length;
    return {
      t: 'update',
      now: beginOf(room.wait),
      // the first picture has every field
      room: room as RoomView,
      table: table as TableView,
      you: { member: member as MemberView, player: player as PlayerView },
      game: room.game ?? 1,
      heard,
      fresh: false,
      news,
    };
  });
}

/** The same picture for somebody who has heard nothing yet. */
export function afresh(all: Update[], at: number): Update | undefined {
  const picture = all[at];
  return picture && { ...picture, fresh: true, news: all.slice(0, at + 1).flatMap((one) => one.news) };
}
