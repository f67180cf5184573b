/** Clause numbers in texts (R7.2), and where on the rules page each one stands. No page in it. */
import type { RulesPage } from '../words/rules';

const CLAUSE = /(R\d+(?:\.\d+)?)/;
const SCROLLS = 10;

export interface Piece {
  text: string;
  isClause: boolean;
}

/** A text in pieces, its clause numbers apart. */
export function clausesIn(text: string): Piece[] {
  return text
    .split(CLAUSE)
    .map((part, index) => ({ text: part, isClause: index % 2 === 1 }))
    .filter((one) => one.text !== '');
}

const numbersOf = (clause: string) => {
  const [chapter = 0, part = 0] = clause.slice(1).split('.').map(Number);
  return { chapter, part };
};

/** The paragraph that tells a clause, or the nearest one of its chapter: the id of its place, and on which part. */
export function placeOf(page: RulesPage, clause: string): { part: 'rules' | 'scrolls'; id: string } | null {
  const { chapter, part } = numbersOf(clause);
  const all = page.sections
    .filter((section) => section.id !== 'words' && section.id !== 'goal')
    .flatMap((section) =>
      section.items.map((item, index) => ({
        section: section.id,
        id: `${section.id}-${String(index)}`,
        clause: item.clause,
        ...numbersOf(item.clause),
      })),
    )
    .filter((one) => one.chapter === chapter);
  // a chapter is at home where most of it stands; elsewhere it is only mentioned
  const count = (section: string) => all.filter((one) => one.section === section).length;
  all.sort((one, other) => count(other.section) - count(one.section));
  const exact = all.find((one) => one.clause === clause);
  if (exact) return { part: 'rules', id: exact.id };
  if (chapter === 6 && part >= 1 && part <= SCROLLS) return { part: 'scrolls', id: `scroll-${String(part)}` };
  const home = all.filter((one) => one.section === all[0]?.section);
  const near = home.filter((one) => one.part <= part).at(-1) ?? home[0];
  return near ? { part: 'rules', id: near.id } : null;
}
