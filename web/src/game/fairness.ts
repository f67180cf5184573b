/** Checks a deal's commitment in the browser (R3.4); the whole game is checked by `cinderforge verify`.

 The browser's own SHA-256 is there on https alone, and a club's tables run on plain http in its own network. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';

/** Whether the published secret is the one that was promised, and our own bytes were mixed in. */
export function isAsPromised(
  commitment: string,
  secret: string,
  contributions: string[],
  mine: string | undefined,
): boolean {
  const hash = sha256.create().update(utf8ToBytes('cinderforge/1 commitment')).update(hexToBytes(secret));
  const found = bytesToHex(hash.digest());
  return found === commitment && (mine === undefined || contributions.includes(mine));
}
