/** Games to look at again: those played on this device, and the replays opened here, which stay readable offline. */
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { sha256 } from '@noble/hashes/sha2.js';

import { ApiError, replayOfFile, replayOfGame } from '../link/api';
import type { Replay } from '../protocol/protocol.gen';

/** A game that one has played, or a replay that one has opened. */
export interface Entry {
  /** `CODE-3` for a room's third game, else a file's fingerprint. */
  id: string;
  /** The file's name; empty for a game of a room. */
  file: string;
  /** When it was played, or opened. */
  at: number;
  winner: 'human' | 'dragon';
  rounds: number;
  seats: number;
  /** Whether one won oneself; null for who did not play. */
  won: boolean | null;
  /** How it ended is known on this device. */
  isKnown: boolean;
  isKept: boolean;
}

const KEY = 'cinderforge.replays';
/** A name of its own: the worker drops old caches of the client's files only (sw.js). */
const CACHE = 'replays';
const MOST_KEPT = 20;
const MOST_LISTED = 60;
const ID_LENGTH = 12;
const GAME = /^([A-Z0-9]{4,12})-(\d{1,6})$/;

const addressOf = (id: string) => `/api/replay/kept/${id}`;

export class Shelf {
  entries = $state.raw<Entry[]>(read());
  /** What this page has opened, for browsers that keep nothing. */
  private readonly opened: Record<string, Replay> = {};

  /** Where one was when one went to a replay from elsewhere: one is led back to there. */
  origin: { id: string; path: string } | null = null;

  /** A game has ended here. */
  played(entry: Pick<Entry, 'id' | 'winner' | 'rounds' | 'seats' | 'won'>): void {
    const before = this.entries.find((one) => one.id === entry.id);
    if (before?.isKnown !== true)
      this.put({ file: '', at: Date.now(), isKept: false, ...before, ...entry, isKnown: true });
  }

  /** The replay of this id: kept, or asked for. Null for a file that is not kept here. Raises ApiError. */
  async open(id: string): Promise<Replay | null> {
    const kept = this.opened[id] ?? (await this.kept(id));
    if (kept) return kept;
    const game = gameOf(id);
    if (!game) return null;
    const replay = await replayOfGame(game.code, game.number);
    await this.keep(id, '', replay);
    return replay;
  }

  /** The replay of a file's one game; `line` is where in the file it stands. Raises ApiError. */
  async openFile(name: string, text: string, line: number): Promise<string> {
    const id = bytesToHex(sha256(utf8ToBytes(text))).slice(0, ID_LENGTH);
    // empty lines before it, so that what is wrong with it is told with its line
    if (!(id in this.opened)) await this.keep(id, name, await replayOfFile('\n'.repeat(line - 1) + text));
    return id;
  }

  /** How it ended is no secret any more. */
  know(id: string): void {
    const entry = this.entries.find((one) => one.id === id);
    if (entry && !entry.isKnown) this.put({ ...entry, isKnown: true });
  }

  private async kept(id: string): Promise<Replay | null> {
    const cache = await cacheOf();
    const answer = await cache?.match(addressOf(id));
    return answer ? ((await answer.json()) as Replay) : null;
  }

  private async keep(id: string, file: string, replay: Replay): Promise<void> {
    this.opened[id] = replay;
    const cache = await cacheOf();
    await cache?.put(addressOf(id), new Response(JSON.stringify(replay)));
    const before = this.entries.find((one) => one.id === id);
    const { result, rounds, players } = replay;
    const found = { id, file, at: Date.now(), winner: result.winner, rounds, seats: players.length };
    this.put({ won: null, isKnown: false, ...found, ...before, isKept: cache !== null });
    for (const old of this.entries.filter((one) => one.isKept).slice(MOST_KEPT)) {
      await cache?.delete(addressOf(old.id));
      this.put({ ...old, isKept: false }, false);
    }
  }

  /** The newest stands first. */
  private put(entry: Entry, isNew = true): void {
    const others = this.entries.filter((one) => one.id !== entry.id);
    const list = isNew ? [entry, ...others] : this.entries.map((one) => (one.id === entry.id ? entry : one));
    this.entries = list.slice(0, MOST_LISTED);
    localStorage.setItem(KEY, JSON.stringify(this.entries));
  }
}

/** Which game of which room an id names. */
export function gameOf(id: string): { code: string; number: number } | null {
  const [, code, number] = GAME.exec(id) ?? [];
  return code !== undefined && number !== undefined ? { code, number: Number(number) } : null;
}

function read(): Entry[] {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(list) ? (list as Entry[]) : [];
  } catch {
    return [];
  }
}

/** There is none on a page without https, nor where the browser forbids it. */
async function cacheOf(): Promise<Cache | null> {
  try {
    return 'caches' in globalThis ? await caches.open(CACHE) : null;
  } catch {
    return null;
  }
}

/** The games of a file, each with its line, from 1. */
export function gamesIn(text: string): { line: number; text: string }[] {
  return text
    .replace(/^\ufeff/, '')
    .split('\n')
    .map((line, at) => ({ line: at + 1, text: line.trimEnd() }))
    .filter((one) => one.text !== '');
}

/** The server's bound for one game. */
const MOST_BYTES = 256 * 1024;

export function checkSize(text: string, line: number): void {
  if (text.length * 3 + line > MOST_BYTES && utf8ToBytes(text).length + line > MOST_BYTES)
    throw new ApiError('record_too_large');
}

export const shelf = new Shelf();
