/** Clause numbers in texts lead to their paragraph of the rules. */
import { expect, it } from 'vitest';
import { clausesIn, placeOf } from '../src/teach/clauses';
import { help } from '../src/words/help.zh-TW.gen';
import { rules as english } from '../src/words/rules.en.gen';
import { rules } from '../src/words/rules.zh-TW.gen';

const told = (clause: string, page = rules) => {
  const id = placeOf(page, clause)?.id ?? '';
  const [section = '', index = ''] = id.split(/-(?=\d+$)/);
  return page.sections.find((one) => one.id === section)?.items[Number(index)]?.clause ?? id;
};

it('finds clause numbers, and nothing else', () => {
  expect(clausesIn('R7.2　賢者（R6）').filter((one) => one.isClause)).toEqual([
    { text: 'R7.2', isClause: true },
    { text: 'R6', isClause: true },
  ]);
  expect(clausesIn('賢者卡與龍牌').some((one) => one.isClause)).toBe(false);
});

it('opens the very paragraph, in its own section rather than in the summary', () => {
  for (const clause of ['R7.1', 'R7.2', 'R7.3', 'R7.4', 'R8.2', 'R5.5', 'R9.2', 'R6.11']) {
    expect(told(clause)).toBe(clause);
    expect(told(clause, english)).toBe(clause);
  }
  expect(placeOf(rules, 'R7.2')?.id).toMatch(/^end-/);
});

it('opens a scroll that has no paragraph of its own in the rules among the scrolls', () => {
  expect(placeOf(rules, 'R6.2')).toEqual({ part: 'scrolls', id: 'scroll-2' });
});

it('leads somewhere in its chapter from every help text', () => {
  for (const { clause } of Object.values(help.topics)) {
    const chapter = clause.split('.')[0] ?? '';
    expect(told(clause).split('.')[0]).toBe(chapter);
  }
  expect(placeOf(rules, 'R99')).toBeNull();
});
