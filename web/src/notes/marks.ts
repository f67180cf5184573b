/** What one thinks of a player, in words and signs; and after the end, how right one was. */
import type { Faction, NotesView, Role, SuspicionView } from '../protocol/protocol.gen';
import type { Words } from '../words/zh-TW.gen';
import { words } from './words';

export const TRUST = [-2, -1, 0, 1, 2] as const;
export type Trust = (typeof TRUST)[number];
export const FACTIONS: Faction[] = ['human', 'dragon'];
export const ROLES: Role[] = ['sage', 'mystic', 'adventurer', 'red_dragon', 'two_headed_dragon', 'shadow_dragon'];
export const MOST_ON_A_PLAYER = 80;
export const MOST_ON_THE_GAME = 500;
/** Graphemes of a text on one player, and on the game as a whole. */

const WORDS: Record<Trust, 'trust_minus_2' | 'trust_minus_1' | 'trust_zero' | 'trust_plus_1' | 'trust_plus_2'> = {
  [-2]: 'trust_minus_2',
  [-1]: 'trust_minus_1',
  0: 'trust_zero',
  1: 'trust_plus_1',
  2: 'trust_plus_2',
};
const SIGNS: Record<Trust, string> = { [-2]: '−2', [-1]: '−1', 0: '0', 1: '+1', 2: '+2' };

export const isTrust = (trust: number | null): trust is Trust => trust !== null && Math.abs(trust) <= 2;
export const trustWord = (trust: Trust): string => words.t[WORDS[trust]];
export const trustSign = (trust: number | null): string => (isTrust(trust) ? SIGNS[trust] : '');

export function markOf(notes: Pick<NotesView, 'marks'> | null, turn: number): SuspicionView {
  return notes?.marks.find((one) => one.turn === turn) ?? { turn, faction: null, role: null, trust: null, text: '' };
}

export const isMarked = (mark: SuspicionView): boolean =>
  mark.faction !== null || mark.role !== null || mark.trust !== null;

/** A mark in words, for what is read aloud and for lists; empty where nothing is marked. */
export function markWords(mark: SuspicionView, t: Words): string[] {
  const said: string[] = [];
  if (mark.role !== null) said.push(t.roles[mark.role].name);
  else if (mark.faction !== null) said.push(t.factions[mark.faction]);
  if (isTrust(mark.trust)) said.push(trustWord(mark.trust));
  return said;
}

export type Verdict = 'right' | 'half' | 'wrong' | null;

/** How a guess stands against the truth; the factions of all roles are as the game was dealt. */
export function verdictOn(mark: SuspicionView, role: Role): Verdict {
  if (mark.faction === null) return null;
  if (mark.faction !== factionOf(role)) return 'wrong';
  return mark.role === null || mark.role === role ? 'right' : 'half';
}

/** A name of R1, not a rule: dragons are called so. */
export const factionOf = (role: Role): Faction => (role.endsWith('dragon') ? 'dragon' : 'human');

export interface Score {
  right: number;
  roles: number;
  total: number;
  guessed: number;
}

/** How many of the others one has put on the right side, and how many down to the role. */
export function scoreOf(notes: Pick<NotesView, 'marks'> | null, roles: Role[], me: number | null): Score {
  const score: Score = { right: 0, roles: 0, total: 0, guessed: 0 };
  roles.forEach((role, index) => {
    if (index + 1 === me) return;
    score.total += 1;
    const mark = markOf(notes, index + 1);
    const verdict = verdictOn(mark, role);
    if (verdict === null) return;
    score.guessed += 1;
    if (verdict !== 'wrong') score.right += 1;
    if (mark.role === role) score.roles += 1;
  });
  return score;
}
