/** A claim as a sentence, in the reader's language: said by its speaker, who is "I" in it. */
import type { Claim, LineView } from '../protocol/protocol.gen';
import { fill } from '../words/fill';
import { isolated } from '../words/isolate';
import type { Words } from '../words/zh-TW.gen';
import { words } from './words';

export interface Reader {
  t: Words;
  name: (turn: number) => string;
  list: (parts: string[]) => string;
  /** A line of talk by its number, if it is still known and may be read. */
  line: (n: number) => LineView | undefined;
}

export function sentenceOf(claim: Claim, speaker: number, reader: Reader, depth = 0): string {
  const c = words.t;
  const { t } = reader;
  const name = (turn: number) => isolated(reader.name(turn));
  const role = (id: keyof Words['roles']) => t.roles[id].name;
  switch (claim.claim) {
    case 'role':
      return fill(claim.turn === speaker ? c.role_me : c.role_other, {
        name: name(claim.turn),
        role: role(claim.role),
      });
    case 'not_role':
      return fill(claim.turn === speaker ? c.not_role_me : c.not_role_other, {
        name: name(claim.turn),
        role: role(claim.role),
      });
    case 'team': {
      const sure = [c.team_1, c.team_2, c.team_3][claim.sure - 1] ?? c.team_3;
      return fill(claim.turn === speaker ? c.team_me : sure, {
        name: name(claim.turn),
        faction: t.factions[claim.faction],
      });
    }
    case 'four':
      return fill(c.four, { names: reader.list(claim.others.map(name)) });
    case 'played':
      return fill(claim.turn === speaker ? c.played_me : c.played_other, {
        name: name(claim.turn),
        n: claim.round,
        card: role(claim.card),
      });
    case 'passed_because':
      return c[`passed_${claim.reason}`];
    case 'intend':
      return fill(c[`intend_${claim.act}`], {
        card: claim.card ? role(claim.card) : '',
        name: claim.to ? name(claim.to) : '',
      });
    case 'ask_to':
      return fill(c[`ask_to_${claim.act}`], { name: name(claim.turn) });
    case 'scroll_saw':
      return fill(c.scroll_saw, { name: name(claim.turn), card: role(claim.card) });
    case 'suspect':
    case 'trust': {
      const said = fill(c[claim.claim], { name: name(claim.turn) });
      const because = claim.because.map((n) => {
        const { who, text } = quoted(n, reader, depth);
        return text ?? fill(c.unknown_line, { name: who });
      });
      return because.length === 0 ? said : fill(c.because, { said, claims: reader.list(because) });
    }
    case 'agree':
    case 'deny': {
      const { who, text } = quoted(claim.line, reader, depth);
      const isAgreed = claim.claim === 'agree';
      if (text === null) return fill(isAgreed ? c.agree_unknown : c.deny_unknown, { name: who });
      return fill(isAgreed ? c.agree_with : c.deny_of, { name: who, claim: text });
    }
    case 'ask':
      return fill(c[`ask_${claim.topic}`], { name: name(claim.turn) });
    default:
      claim satisfies never;
      return '';
  }
}

/** Who claimed what in a line; null for what is not known any more, or would be a quotation in a quotation. */
function quoted(n: number, reader: Reader, depth: number): { who: string; text: string | null } {
  const c = words.t;
  const line = reader.line(n);
  if (!line?.claim) return { who: c.somebody, text: null };
  const { turn, said } = line.claim;
  const who = isolated(reader.name(turn));
  if (depth > 0) return { who, text: null };
  // Chinese and Japanese end a quotation within a sentence without its full stop
  const text = sentenceOf(said, turn, reader, depth + 1).replace(/。$/u, '');
  return { who, text: fill(c.quoted, { text }) };
}
