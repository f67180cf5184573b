/** Finding things in the rules: in two languages at once, whatever the width and case of what is typed. */
import type { RulesItem, RulesPage } from '../words/rules';
import type { Words } from '../words/zh-TW.gen';

export interface Entry {
  /** Unique among all entries, for links and keys. */
  id: string;
  section: string;
  title: string;
  text: string;
  clause: string;
  decided: boolean;
}

export interface Piece {
  text: string;
  isHit: boolean;
}

interface Named {
  name: string;
}

/** Everything that can be found, in the order in which it is shown. */
export function entriesOf(page: RulesPage, t: Words): Entry[] {
  const rule = (section: { id: string; title: string }, item: RulesItem, index: number): Entry => ({
    id: `${section.id}-${String(index)}`,
    section: section.title,
    title: item.title,
    text: item.text,
    clause: item.clause,
    decided: item.decided,
  });
  const plain = (id: string, section: string, title: string, text: string, clause = ''): Entry => ({
    ...{ id, section, title, text, clause },
    decided: false,
  });
  return [
    ...page.sections.flatMap((section) => [
      plain(`${section.id}-lead`, section.title, '', section.lead),
      ...section.items.map((item, index) => rule(section, item, index)),
    ]),
    ...Object.entries(t.scrolls as Record<string, Named & Record<'effect' | 'choice' | 'note', string>>).map(
      ([id, scroll], index) =>
        plain(
          `scroll-${id}`,
          t.rules_page.scroll_table_title,
          scroll.name,
          `${scroll.effect} ${scroll.note}`,
          `R6.${String(index + 1)}`,
        ),
    ),
    ...Object.entries(t.roles as Record<string, Named & { does: string }>).map(([id, role]) =>
      plain(`role-${id}`, t.rules_page.roles_title, role.name, role.does, 'R1'),
    ),
    ...page.keys.map((key, index) => plain(`keys-${String(index)}`, t.rules_page.keys_name, key.title, key.text)),
  ];
}

const folded = (text: string) => text.normalize('NFKC').toLowerCase();

/** The words that are looked for. */
const termsOf = (query: string) => folded(query).split(/\s+/).filter(Boolean);

const allOf = (entry: Entry) => folded(`${entry.section} ${entry.title} ${entry.text} ${entry.clause}`);

/** Those of `shown` in which every word occurs, here or at the same place in the other language. */
export function found(shown: Entry[], other: Entry[], query: string): Entry[] {
  const terms = termsOf(query);
  if (terms.length === 0) return [];
  const others = new Map(other.map((entry) => [entry.id, allOf(entry)]));
  return shown.filter((entry) => {
    const here = allOf(entry);
    const there = others.get(entry.id) ?? '';
    return terms.every((term) => here.includes(term)) || terms.every((term) => there.includes(term));
  });
}

/** A text cut where the words that were looked for begin and end. */
export function marked(text: string, query: string): Piece[] {
  const low = text.toLowerCase();
  const hits = new Array<boolean>(text.length).fill(false);
  for (const term of termsOf(query))
    for (let at = low.indexOf(term); at >= 0; at = low.indexOf(term, at + term.length))
      hits.fill(true, at, at + term.length);
  const pieces: Piece[] = [];
  for (const [index, isHit] of hits.entries()) {
    const last = pieces.at(-1);
    if (last?.isHit === isHit) last.text += text.charAt(index);
    else pieces.push({ text: text.charAt(index), isHit });
  }
  return pieces;
}
