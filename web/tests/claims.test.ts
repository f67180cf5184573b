import { beforeAll, describe, expect, it } from 'vitest';

import { claimOf, type Draft, KINDS, partsOf, roundsOf, truthOf } from '../src/claims/build';
import { type Reader, sentenceOf } from '../src/claims/said';
import { words } from '../src/claims/words';
import type { Claim, LineView, TableView } from '../src/protocol/protocol.gen';
import { speech } from '../src/words/words.svelte';

const line = (n: number, said: Claim): LineView => ({
  n,
  at: 0,
  kind: 'claim',
  channel: 'table',
  member: 2,
  name: 'Bob',
  text: '',
  about: '',
  claim: { game: 1, turn: 2, round: 1, said },
});
const LINES = [line(7, { claim: 'role', turn: 2, role: 'sage' }), line(8, { claim: 'deny', line: 7 })];
const reader = (): Reader => ({
  t: speech.t,
  name: (turn) => `P${String(turn)}`,
  list: (parts) => speech.list(parts),
  line: (n) => LINES.find((one) => one.n === n),
});
const CLAIMS: Claim[] = [
  { claim: 'role', turn: 1, role: 'sage' },
  { claim: 'role', turn: 3, role: 'red_dragon' },
  { claim: 'not_role', turn: 1, role: 'mystic' },
  { claim: 'not_role', turn: 3, role: 'mystic' },
  { claim: 'team', turn: 1, faction: 'human', sure: 3 },
  ...[1, 2, 3].map((sure): Claim => ({ claim: 'team', turn: 3, faction: 'dragon', sure })),
  { claim: 'four', others: [2, 3, 4] },
  { claim: 'played', turn: 1, round: 2, card: 'blank' },
  { claim: 'played', turn: 3, round: 2, card: 'adventurer' },
  ...(['blank_hand', 'too_dangerous', 'saving', 'waiting'] as const).map((reason): Claim => ({
    claim: 'passed_because',
    reason,
  })),
  { claim: 'intend', act: 'play', card: 'sage', to: null },
  { claim: 'intend', act: 'pass', card: null, to: null },
  { claim: 'intend', act: 'crystal', card: null, to: 4 },
  ...(['play', 'pass', 'crystal'] as const).map((act): Claim => ({ claim: 'ask_to', turn: 3, act })),
  { claim: 'scroll_saw', turn: 3, card: 'blank' },
  { claim: 'suspect', turn: 3, because: [] },
  { claim: 'suspect', turn: 3, because: [7, 8] },
  { claim: 'trust', turn: 3, because: [7] },
  { claim: 'agree', line: 7 },
  { claim: 'deny', line: 8 },
  { claim: 'agree', line: 99 },
  ...(['role', 'faction', 'played', 'skipped', 'suspects'] as const).map((topic): Claim => ({
    claim: 'ask',
    turn: 3,
    topic,
  })),
];

describe.each(['zh-TW', 'en'] as const)('in %s', (language) => {
  beforeAll(async () => {
    await speech.speak(language);
    await words.follow(language);
  });
  it('every claim is a sentence of its own, with everything filled in', () => {
    const said = CLAIMS.map((claim) => sentenceOf(claim, 1, reader()));
    expect(new Set(said).size).toBe(CLAIMS.length);
    for (const one of said) expect(one).toMatch(/^[^{}]+[.。？?」”]$/u);
  });
  it('a sentence that is quoted within another ends without its full stop', () => {
    const all = [line(9, { claim: 'trust', turn: 3, because: [] })];
    const said = sentenceOf({ claim: 'agree', line: 9 }, 1, { ...reader(), line: () => all[0] });
    expect(said).toMatch(language === 'en' ? /P3\u2069?\.”$/u : /P3[^。]*」。$/u);
  });
  it('what one says of oneself is said so', () => {
    const mine = sentenceOf({ claim: 'role', turn: 1, role: 'sage' }, 1, reader());
    const another = sentenceOf({ claim: 'role', turn: 1, role: 'sage' }, 2, reader());
    expect(mine).not.toContain('P1');
    expect(another).toContain('P1');
  });
});

const act = (turn: number, act: 'played' | 'skipped') => ({ turn, act, how: 'own' as const });
const table = (over: Partial<TableView> = {}): TableView =>
  ({
    round: 3,
    seats: [1, 2, 3, 4, 5],
    past: [
      { number: 1, acts: [act(1, 'played'), act(2, 'skipped')] },
      { number: 2, acts: [act(1, 'skipped'), act(2, 'played')] },
    ],
    acts: [act(1, 'played')],
    reveal: null,
    ...over,
  }) as unknown as TableView;

describe('a claim is put together', () => {
  it('and is none until all is chosen', () => {
    const whole: Omit<Draft, 'kind'> = {
      turn: 2,
      others: [2, 3],
      role: 'sage',
      faction: 'human',
      sure: 2,
      round: 1,
      act: 'play',
      card: 'blank',
      to: 2,
      reason: 'saving',
      topic: 'role',
    };
    for (const kind of KINDS) {
      expect(claimOf({ kind }, 1, 2), kind).toBeNull();
      expect(claimOf({ kind, ...whole }, 1, 2)?.claim, kind).toBe(kind);
      for (const part of partsOf({ kind, ...whole }, 1))
        expect(claimOf({ kind, ...whole, [part]: undefined }, 1, 2), `${kind} without ${part}`).toBeNull();
    }
  });
  it('of rounds in which there was a card', () => {
    expect(roundsOf(table(), 1)).toEqual([1, 3]);
    expect(roundsOf(table(), 2)).toEqual([2]);
    expect(roundsOf(table(), 1, 'skipped')).toEqual([2]);
    expect(roundsOf(table({ round: 2, acts: [act(2, 'played')] }), 2)).toEqual([2]);
  });
});

describe('after the end', () => {
  const reveal = {
    roles: ['sage', 'mystic', 'two_headed_dragon', 'shadow_dragon', 'adventurer'],
    plays: [[{ turn: 1, card: 'sage' }], []],
  } as unknown as TableView['reveal'];
  it('a claim is true or not where the end has shown it', () => {
    const truth = (claim: Claim, speaker = 1) => truthOf(claim, speaker, table({ reveal }));
    expect(truth({ claim: 'role', turn: 1, role: 'sage' })).toBe(true);
    expect(truth({ claim: 'not_role', turn: 1, role: 'sage' })).toBe(false);
    expect(truth({ claim: 'team', turn: 4, faction: 'dragon', sure: 1 })).toBe(true);
    expect(truth({ claim: 'team', turn: 4, faction: 'human', sure: 1 })).toBe(false);
    expect(truth({ claim: 'four', others: [2, 3] })).toBe(true);
    expect(truth({ claim: 'four', others: [2, 3] }, 4)).toBe(false);
    expect(truth({ claim: 'played', turn: 1, round: 1, card: 'sage' })).toBe(true);
    expect(truth({ claim: 'played', turn: 1, round: 2, card: 'sage' })).toBe(false);
    expect(truth({ claim: 'suspect', turn: 4, because: [] })).toBeNull();
    expect(truthOf({ claim: 'role', turn: 1, role: 'sage' }, 1, table())).toBeNull();
  });
});
