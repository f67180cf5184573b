import { randomHex } from '../link/random';

/** What this browser mixed into a game's seed (R3.4), kept until the end so that it can be looked for there. */
const KEY = 'cinderforge.mixed.';

/** The bytes, as hex, for the game whose secret was promised so; drawn once if a count is given, and then the same. */
export function contributionTo(commitment: string, count = 0): string | undefined {
  const kept = sessionStorage.getItem(KEY + commitment);
  if (kept !== null || count === 0) return kept ?? undefined;
  const hex = randomHex(count);
  sessionStorage.setItem(KEY + commitment, hex);
  return hex;
}
