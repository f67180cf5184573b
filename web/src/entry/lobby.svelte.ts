/** The public rooms as the home page lists them: asked for at once, on return to the page, and now and then. */
import { ApiError, publicRooms } from '../link/api';
import type { RoomSummary } from '../protocol/protocol.gen';

const EVERY_MS = 15_000;

export class Lobby {
  rooms = $state.raw<RoomSummary[]>([]);
  /** Whether the server has answered at least once. */
  isKnown = $state(false);
  /** Why there is no list: a code of `errors`. */
  problem = $state('');
  private asking = false;

  constructor(private readonly also: () => void = () => undefined) {}

  async refresh(): Promise<void> {
    if (this.asking) return;
    this.asking = true;
    this.also();
    try {
      this.rooms = [...(await publicRooms())].sort(inviting);
      this.isKnown = true;
      this.problem = '';
    } catch (error) {
      this.problem = error instanceof ApiError ? error.code : 'internal';
    }
    this.asking = false;
  }

  /** Keeps the list fresh while somebody looks at the page; gives what ends that. */
  watch(): () => void {
    const look = () => {
      if (document.visibilityState !== 'hidden') void this.refresh();
    };
    look();
    const timer = setInterval(look, EVERY_MS);
    addEventListener('focus', look);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      removeEventListener('focus', look);
      document.removeEventListener('visibilitychange', look);
    };
  }
}

/** What one may do in a room of the list. */
export function entry(room: RoomSummary): 'join' | 'watch' | null {
  if (room.stage === 'waiting' && room.taken < room.seats) return 'join';
  return room.spectators ? 'watch' : null;
}

/** Rooms to join come first, the fullest of them at the top: there a game begins soonest. */
function inviting(one: RoomSummary, other: RoomSummary): number {
  const rank = (room: RoomSummary) => ({ join: 0, watch: 1, none: 2 })[entry(room) ?? 'none'];
  return rank(one) - rank(other) || one.seats - one.taken - (other.seats - other.taken);
}
