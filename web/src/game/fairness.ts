/** Checks a deal's commitment in the browser (R3.4); the whole game is checked by `cinderforge verify`.

 The browser's own SHA-256 is there on https alone, and a club's tables run on plain http in its own network. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';

import type { Kept } from './contribution';

/** Sound: the secret is the one promised to this browser, and its bytes are in. Unwitnessed: the secret agrees with
 what the server says that it promised, but this browser has nothing of its own to hold against it. */
export type Verdict = 'sound' | 'broken' | 'unwitnessed';

export function verdictOn(commitment: string, secret: string, contributions: string[], kept: Kept | null): Verdict {
  const hash = sha256.create().update(utf8ToBytes('cinderforge/1 commitment')).update(hexToBytes(secret));
  if (bytesToHex(hash.digest()) !== commitment) return 'broken';
  if (kept === null) return 'unwitnessed';
  return kept.commitment === commitment && contributions.includes(kept.bytes) ? 'sound' : 'broken';
}
