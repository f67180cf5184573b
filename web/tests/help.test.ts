import { render, screen } from '@testing-library/svelte';
import { fireEvent } from '@testing-library/dom';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { shown } from '../src/board/shown';
import type { Game } from '../src/game/game.svelte';
import Help from '../src/teach/Help.svelte';
import Hints from '../src/teach/Hints.svelte';
import { help, listenForQuestions, topicsInSight } from '../src/teach/help.svelte';
import { forgetHints, Given, hintsAt, type Moment } from '../src/teach/hints';
import { pictures } from '../src/teach/pictures';
import { changes, moments } from '../src/teach/tutorial.gen';
import { help as english } from '../src/words/help.en.gen';
import { help as chinese } from '../src/words/help.zh-TW.gen';
import { speech } from '../src/words/words.svelte';

const sources = import.meta.glob<string>('../src/**/*.svelte', { query: '?raw', import: 'default', eager: true });
const all = pictures(changes);

/** What a player sees of a picture of the tutorial's game. */
function momentOf(name: keyof typeof moments, over: Partial<Moment> = {}): Moment {
  const update = all[moments[name]];
  const player = update?.you.player ?? null;
  const table = update?.table ?? null;
  const offer = table?.announcing === true ? null : (player?.offer ?? null);
  return { table, player, offer, showing: null, room: update?.room ?? null, ...over };
}

describe('help', () => {
  let stop: () => void;
  beforeEach(async () => {
    await speech.speak('en');
    document.body.innerHTML = '<p data-help="tallies">T <button data-help="hand">H</button></p><i>nothing</i>';
    for (const one of document.querySelectorAll('*'))
      one.getClientRects = () => [new DOMRect()] as unknown as DOMRectList;
    stop = listenForQuestions();
  });
  afterEach(() => {
    stop();
    help.close();
    document.body.innerHTML = '';
    vi.useRealTimers();
  });

  it('has a paragraph for whatever is marked, and marks whatever has a paragraph', () => {
    const marked = Object.values(sources).flatMap((text) =>
      [...text.matchAll(/data-help="([^"]*)"/g)].map((one) => one[1]),
    );
    const topics = Object.keys(chinese.topics);
    for (const name of marked) if (name && !name.includes('{')) expect(topics).toContain(name);
    const phases = marked.includes('phase_{table.phase}') ? topics.filter((topic) => topic.startsWith('phase_')) : [];
    expect(topics.filter((topic) => !marked.includes(topic) && !phases.includes(topic))).toEqual([]);
    expect(Object.keys(english.topics)).toEqual(topics);
  });

  it('explains by ? whatever has the focus, and is closed by ? or Escape', async () => {
    document.querySelector('button')?.focus();
    await fireEvent.keyDown(document.activeElement ?? document.body, { key: '?' });
    expect([help.isOpen, help.topic]).toEqual([true, 'hand']);
    await fireEvent.keyDown(document.body, { key: 'Escape' });
    expect(help.isOpen).toBe(false);
    expect(document.querySelector('button')).toHaveFocus();
  });

  it('lets one choose among what is in sight where nothing is pointed at', async () => {
    await fireEvent.keyDown(document.body, { key: '?' });
    expect([help.isOpen, help.topic]).toEqual([true, null]);
    expect(topicsInSight()).toEqual(['tallies', 'hand']);
  });

  it('explains by the right button what has no menu of its own', async () => {
    const text = document.querySelector('p') ?? document.body;
    expect(await fireEvent.contextMenu(text)).toBe(false);
    expect(help.topic).toBe('tallies');
    help.close();
    text.addEventListener('contextmenu', (event) => {
      event.preventDefault();
    });
    await fireEvent.contextMenu(text);
    expect(help.isOpen).toBe(false);
  });

  it('explains by a long press, but never what a press would do', async () => {
    vi.useFakeTimers();
    const touch = { pointerType: 'touch', isPrimary: true };
    const press = (on: Element) => on.dispatchEvent(Object.assign(new Event('pointerdown', { bubbles: true }), touch));
    press(document.querySelector('button') ?? document.body);
    vi.advanceTimersByTime(1_000);
    expect(help.isOpen).toBe(false);
    press(document.querySelector('p') ?? document.body);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(help.topic).toBe('tallies');
  });

  it("fills in this room's targets", async () => {
    const table = all[0]?.table;
    help.open('tallies');
    render(Help, { game: { table, room: null } as unknown as Game });
    expect(await screen.findByText(/The Sage and 1 other activated/)).toBeInTheDocument();
  });
});

describe('hints', () => {
  beforeEach(forgetHints);

  it('do not tell what lies on the table before it has been turned over', async () => {
    forgetHints();
    const showing = { resolved: { cards: ['red_dragon', 'adventurer'] } };
    render(Hints, { game: { ...momentOf('activated'), offer: null, showing } as unknown as Game });
    await vi.waitFor(() => expect(screen.queryByTestId('hint')?.dataset.hint).toBe('talk'));
    shown.tell('cards_sorted');
    await vi.waitFor(() => expect(screen.getByTestId('hint').dataset.hint).toBe('slain'));
  });

  it('come at their moment, the most pressing first', () => {
    expect(hintsAt(momentOf('vote'))).toEqual(['vote', 'talk']);
    expect(hintsAt(momentOf('first_pass'))[0]).toBe('pass');
    expect(hintsAt(momentOf('forced'))).toEqual(['scroll']);
    expect(hintsAt(momentOf('forced_play'))).toEqual(['must_play', 'play']);
    expect(hintsAt(momentOf('peek_whom'))).toEqual(['choose']);
    expect(hintsAt(momentOf('peeked'))).toEqual(['received']);
    expect(hintsAt(momentOf('lead'))).toEqual(['linked', 'play']);
    expect(hintsAt(momentOf('over'))).toEqual([]);
  });

  it('say of a round what came of it', () => {
    const shown = (cards: string[]) =>
      hintsAt(momentOf('activated', { showing: { resolved: { cards } } as unknown as Moment['showing'] }));
    expect(shown(['blank', 'mystic'])[0]).toBe('activated');
    expect(shown(['red_dragon', 'mystic'])[0]).toBe('slain');
    expect(shown(['red_dragon', 'blank'])).toEqual(['resolution', 'talk']);
  });

  it('say nothing of hidden cards in a round whose sources are open', () => {
    const marks = [{ mark: 'sources_open' }] as NonNullable<Moment['table']>['marks'];
    const table = momentOf('lead').table;
    expect(hintsAt(momentOf('lead', { table: table && { ...table, marks } }))).toEqual([]);
    const resolved = { cards: ['blank'], sources: [1] };
    const showing = { resolved } as unknown as Moment['showing'];
    expect(hintsAt(momentOf('activated', { showing }))).toEqual(['talk']);
  });

  it('are none for whoever only watches', () => {
    expect(hintsAt(momentOf('vote', { player: null }))).toEqual([]);
  });

  it('are given once, until they are asked for again', () => {
    const given = new Given();
    given.add('vote');
    expect(new Given().has('vote')).toBe(true);
    localStorage.setItem('cinderforge.hints', '{broken');
    expect(new Given().has('vote')).toBe(false);
  });

  it('have words in both languages', () => {
    expect(Object.keys(english.hints)).toEqual(Object.keys(chinese.hints));
  });
});
