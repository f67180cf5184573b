/** What this browser was promised and mixed into a game's seed (R3.4), kept until the end to be looked for there. */
import { randomHex } from '../link/random';

export interface Kept {
  /** The commitment that was shown before the game. */
  commitment: string;
  /** Our own random bytes, as hex. */
  bytes: string;
}

const key = (code: string, game: number) => `cinderforge.mixed.${code}.${String(game)}`;

/** The bytes for the coming game of a room, drawn once for each promise, and kept with it. */
export function contributionTo(code: string, game: number, commitment: string, count: number): string {
  const kept = keptOf(code, game);
  if (kept?.commitment === commitment) return kept.bytes;
  const bytes = randomHex(count);
  sessionStorage.setItem(key(code, game), JSON.stringify({ commitment, bytes }));
  return bytes;
}

/** What is kept of a room's game; null where this browser was not asked. */
export function keptOf(code: string, game: number): Kept | null {
  const text = sessionStorage.getItem(key(code, game));
  return text === null ? null : (JSON.parse(text) as Kept);
}
