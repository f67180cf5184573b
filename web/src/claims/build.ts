/** A claim being put together: which choices each kind asks for, and what may be chosen. The server has the last word. */
import type { Card, Claim, Faction, Role, TableView } from '../protocol/protocol.gen';

export type Kind = Exclude<Claim['claim'], 'agree' | 'deny'>;
export type Part =
  'turn' | 'others' | 'role' | 'faction' | 'sure' | 'round' | 'act' | 'card' | 'to' | 'reason' | 'topic';
type Of<K extends Claim['claim']> = Extract<Claim, { claim: K }>;

export const REASONS: Of<'passed_because'>['reason'][] = ['blank_hand', 'too_dangerous', 'saving', 'waiting'];
export const TOPICS: Of<'ask'>['topic'][] = ['role', 'faction', 'played', 'skipped', 'suspects'];
export const ACTS: Of<'intend'>['act'][] = ['play', 'pass', 'crystal'];
export const KINDS: Kind[] = [
  'role',
  'suspect',
  'trust',
  'played',
  'team',
  'not_role',
  'four',
  'intend',
  'passed_because',
  'ask_to',
  'ask',
  'scroll_saw',
];

export interface Draft {
  kind: Kind;
  turn?: number;
  others?: number[];
  role?: Role;
  faction?: Faction;
  sure?: number;
  round?: number;
  act?: Of<'intend'>['act'];
  card?: Card;
  to?: number;
  reason?: Of<'passed_because'>['reason'];
  topic?: Of<'ask'>['topic'];
}

/** What has to be chosen for this claim, in order. */
export function partsOf(draft: Draft, me: number): Part[] {
  switch (draft.kind) {
    case 'role':
    case 'not_role':
      return ['turn', 'role'];
    case 'team':
      return draft.turn === undefined || draft.turn === me ? ['turn', 'faction'] : ['turn', 'faction', 'sure'];
    case 'four':
      return ['others'];
    case 'played':
      return ['turn', 'round', 'card'];
    case 'passed_because':
      return ['reason'];
    case 'intend':
      return draft.act === 'play' ? ['act', 'card'] : draft.act === 'crystal' ? ['act', 'to'] : ['act'];
    case 'ask_to':
      return ['turn', 'act'];
    case 'scroll_saw':
      return ['turn', 'card'];
    case 'suspect':
    case 'trust':
      return ['turn'];
    case 'ask':
      return ['turn', 'topic'];
    default:
      draft.kind satisfies never;
      return [];
  }
}

/** Whether one may be the player of this claim oneself. */
export const isOfOneself = (kind: Kind): boolean => ['role', 'not_role', 'team', 'played'].includes(kind);

/** The rounds in which somebody has played a card, or skipped, as everybody saw. */
export function roundsOf(table: TableView, turn: number, act: 'played' | 'skipped' = 'played'): number[] {
  const played = (acts: TableView['acts']) => acts.some((one) => one.turn === turn && one.act === act);
  const rounds = table.past.filter((one) => played(one.acts)).map((one) => one.number);
  return played(table.acts) && !rounds.includes(table.round) ? [...rounds, table.round] : rounds;
}

/** The claim, once everything is chosen. */
export function claimOf(draft: Draft, me: number, night: number): Claim | null {
  const { kind: claim, turn, others, role, faction, round, act, card, to, reason, topic } = draft;
  const isWhole = partsOf(draft, me).every((part) =>
    part === 'others' ? others?.length === night : draft[part] !== undefined,
  );
  if (!isWhole) return null;
  const sure = draft.sure ?? 3;
  switch (claim) {
    case 'role':
    case 'not_role':
      return turn && role ? { claim, turn, role } : null;
    case 'team':
      return turn && faction ? { claim, turn, faction, sure } : null;
    case 'four':
      return others ? { claim, others } : null;
    case 'played':
      return turn && round && card ? { claim, turn, round, card } : null;
    case 'passed_because':
      return reason ? { claim, reason } : null;
    case 'intend':
      return act
        ? { claim, act, card: act === 'play' ? (card ?? null) : null, to: act === 'crystal' ? (to ?? null) : null }
        : null;
    case 'ask_to':
      return turn && act ? { claim, turn, act } : null;
    case 'scroll_saw':
      return turn && card ? { claim, turn, card } : null;
    case 'suspect':
    case 'trust':
      return turn ? { claim, turn, because: [] } : null;
    case 'ask':
      return turn && topic ? { claim, turn, topic } : null;
    default:
      claim satisfies never;
      return null;
  }
}

/** How many others one saw at night if one was of those who see each other: told by the rules of this table's size. */
export const nightOthers = (seats: number): number => (seats >= 7 ? 3 : 2);

/** Whether a claim was true, where the end has shown it; null where it shows nothing. */
export function truthOf(claim: Claim, speaker: number, table: TableView): boolean | null {
  const reveal = table.reveal;
  if (!reveal) return null;
  const role = (turn: number) => reveal.roles[turn - 1];
  switch (claim.claim) {
    case 'role':
      return role(claim.turn) === claim.role;
    case 'not_role':
      return role(claim.turn) !== claim.role;
    case 'team':
      return (role(claim.turn)?.endsWith('dragon') === true) === (claim.faction === 'dragon');
    case 'four': {
      const night = reveal.roles.flatMap((one, index) =>
        ['sage', 'mystic', 'two_headed_dragon', 'red_dragon'].includes(one) ? [index + 1] : [],
      );
      return night.length === claim.others.length + 1 && [speaker, ...claim.others].every((one) => night.includes(one));
    }
    case 'played':
      return reveal.plays[claim.round - 1]?.some((one) => one.turn === claim.turn && one.card === claim.card) === true;
    default:
      return null;
  }
}
