import { render, screen, waitFor } from '@testing-library/svelte';
import { fireEvent } from '@testing-library/dom';
import { beforeEach, describe, expect, it } from 'vitest';

import RulesText from '../src/pages/RulesText.svelte';
import { entriesOf, found, marked } from '../src/teach/search';
import { words as englishWords } from '../src/words/en.gen';
import { rules as english } from '../src/words/rules.en.gen';
import { rules as chinese } from '../src/words/rules.zh-TW.gen';
import { speech } from '../src/words/words.svelte';
import { words as chineseWords } from '../src/words/zh-TW.gen';

const zh = entriesOf(chinese, chineseWords);
const en = entriesOf(english, englishWords);
const ids = (query: string) => found(zh, en, query).map((entry) => entry.id);

describe('the search', () => {
  it('has the same entries in both languages', () => {
    expect(zh.map((entry) => entry.id)).toEqual(en.map((entry) => entry.id));
    expect(new Set(zh.map((entry) => entry.id)).size).toBe(zh.length);
    expect(zh.map((entry) => entry.decided)).toEqual(en.map((entry) => entry.decided));
  });

  it('finds in either language what either of them says', () => {
    expect(ids('記憶輔助')).toEqual(ids('memory aid'));
    expect(found(en, zh, '空白卡').length).toBeGreaterThan(2);
  });

  it('looks for every word, whatever its width and case, and for clauses', () => {
    expect(ids('ＡＩ')).toEqual(ids('ai'));
    expect(found(zh, en, '龍牌 賢者').every((entry) => /龍/.test(entry.text + entry.title))).toBe(true);
    expect(ids('R8.2')).toHaveLength(1);
    expect(ids('  ')).toEqual([]);
    expect(ids('no such thing')).toEqual([]);
  });

  it('finds every scroll by its name', () => {
    for (const [id, scroll] of Object.entries(chineseWords.scrolls)) expect(ids(scroll.name)).toContain(`scroll-${id}`);
  });

  it('marks what was looked for and loses no letter', () => {
    expect(marked('A Sage card, the sage.', 'sage')).toEqual([
      { text: 'A ', isHit: false },
      { text: 'Sage', isHit: true },
      { text: ' card, the ', isHit: false },
      { text: 'sage', isHit: true },
      { text: '.', isHit: false },
    ]);
    for (const entry of zh)
      expect(
        marked(entry.text, '牌 卡')
          .map((piece) => piece.text)
          .join(''),
      ).toBe(entry.text);
  });
});

describe('the rules', () => {
  beforeEach(() => speech.speak('zh-TW'));

  it('count what is found, mark it, and go through it by keys', async () => {
    render(RulesText, { activation: 2, kill: 3 });
    const field = await screen.findByRole('searchbox');
    await fireEvent.input(field, { target: { value: 'insight' } });
    await waitFor(() => {
      expect(screen.getByRole('status')).toHaveTextContent(/找到 \d+ 則/);
    });
    await fireEvent.keyDown(field, { key: 'Enter' });
    const first = document.activeElement;
    expect(first).toHaveAttribute('data-result');
    if (first) await fireEvent.keyDown(first, { key: 'ArrowDown' });
    expect(document.activeElement).not.toBe(first);
    if (document.activeElement) await fireEvent.keyDown(document.activeElement, { key: 'Escape' });
    expect(field).toHaveFocus();
    expect(field).toHaveValue('');
  });

  it('fill in this room and mark what has fired', async () => {
    render(RulesText, { activation: 2, kill: 3, lasts: 'game', fired: { peek_hand: '阿狸' }, part: 'scrolls' });
    await screen.findByText('阿狸 已發動');
    expect(screen.getByText('整場，直到遊戲結束')).toBeInTheDocument();
    expect(screen.queryByText('當回合起（可能延續）')).toBeNull();
  });

  it('hold every decision of our own', () => {
    const decided = new Set(
      chinese.sections.flatMap((one) => one.items.filter((it) => it.decided).map((it) => it.clause)),
    );
    const ours =
      'R1 R2.2 R2.5 R2.6 R3.2 R3.4 R4.2 R5.1 R5.3 R5.4 R5.5 R6 R6.1 R6.5 R6.6 R6.9 R6.10 R6.13 R7.2 R8.1 R8.2 R8.3 R9.1 R9.2 R10.1 R10.2 R10.3';
    expect(ours.split(' ').filter((clause) => !decided.has(clause))).toEqual([]);
  });
});
