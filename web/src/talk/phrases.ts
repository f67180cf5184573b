/** The quick phrases there are, by the ids of the protocol: each reader sees them in a language of their own. */
import type { Words } from '../words/zh-TW.gen';

export function phrases(t: Words): Record<string, string> {
  return t.phrases;
}

/** A reaction is one emoji: it is shown at the seat, too. */
export function isReaction(text: string): boolean {
  return /^\p{Extended_Pictographic}/u.test(text);
}

/** How long a reaction stays at its seat, by the server's clock. */
export const REACTION_MS = 6_000;
