/** Recomputes a deal in the browser, from the published secret and what was mixed in (R3.1, R3.4).

 The derivation is that of docs/formats.md; every play and shuffle besides is recomputed by `cinderforge verify`. */
import { blake2b } from '@noble/hashes/blake2.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';

import type { RoomView, TableView } from '../protocol/protocol.gen';
import { rolesAt } from '../waiting/settings';

const WORD = 2 ** 32;

/** The seed that nobody alone could choose; 32 bytes. */
export function seedFrom(secret: string, contributions: string[]): Uint8Array {
  const mixed = sha256.create().update(utf8ToBytes('cinderforge/1 seed')).update(hexToBytes(secret));
  for (const one of contributions.map(hexToBytes)) {
    const length = new Uint8Array(4);
    new DataView(length.buffer).setUint32(0, one.length);
    mixed.update(length).update(one);
  }
  return mixed.digest();
}

function* words(seed: Uint8Array, name: string): Generator<number> {
  for (let block = 0; ; block++) {
    const label = utf8ToBytes(name);
    const message = new Uint8Array(label.length + 4);
    message.set(label);
    new DataView(message.buffer).setUint32(label.length, block);
    const drawn = new DataView(blake2b(message, { key: seed, dkLen: 64 }).buffer);
    for (let at = 0; at < 64; at += 4) yield drawn.getUint32(at);
  }
}

/** The numbers 0…count−1 in the order of the draw of this name. */
export function orderOf(seed: Uint8Array, name: string, count: number): number[] {
  const row = Array.from({ length: count }, (_, index) => index);
  const stream = words(seed, name);
  for (let last = count - 1; last > 0; last--) {
    let word = WORD;
    while (word >= WORD - (WORD % (last + 1))) word = stream.next().value as number;
    const chosen = word % (last + 1);
    [row[last], row[chosen]] = [row[chosen] ?? 0, row[last] ?? 0];
  }
  return row;
}

export interface Proof {
  /** Hex. */
  seed: string;
  /** Whether turn order, roles and scrolls are those that follow from the seed. */
  order: boolean;
  roles: boolean;
  scrolls: boolean;
}

/** `catalog`: the ten scrolls in their order. Null where the game has not been opened. */
export function proofOf(room: RoomView, table: TableView, catalog: string[]): Proof | null {
  if (room.secret === null || room.contributions === null || !table.reveal) return null;
  const seed = seedFrom(room.secret, room.contributions);
  const count = table.seats.length;
  const chairs = orderOf(seed, 'order', count);
  const dealt = rolesAt(count).flatMap(([role, times]) => Array.from({ length: times }, () => role));
  const roles = orderOf(seed, 'roles', count);
  const scrolls = orderOf(seed, 'scrolls', catalog.length);
  const { reveal } = table;
  return {
    seed: bytesToHex(seed),
    order: chairs.every((chair, index) => table.seats[index] === chair + 1),
    roles: chairs.every((chair, index) => reveal.roles[index] === dealt[roles[chair] ?? 0]),
    scrolls: chairs.every((chair, index) => reveal.scrolls[index] === catalog[scrolls[chair] ?? 0]),
  };
}
