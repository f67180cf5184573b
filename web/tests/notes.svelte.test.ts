import { fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import type { Outcome, Wish } from '../src/link/link';
import { graphemes } from '../src/notes/graphemes';
import type { Kit } from '../src/notes/kit';
import { markOf, scoreOf, verdictOn } from '../src/notes/marks';
import { Notes } from '../src/notes/notes.svelte';
import PlayerMarks from '../src/notes/PlayerMarks.svelte';
import { words } from '../src/notes/words';
import type { NotesView, Role, SuspicionView } from '../src/protocol/protocol.gen';
import { speech } from '../src/words/words.svelte';

const NOTHING: NotesView = { marks: [], text: '', final: false, shared: false };
const on = (turn: number, over: Partial<SuspicionView>): SuspicionView => ({
  turn,
  faction: null,
  role: null,
  trust: null,
  text: '',
  ...over,
});

/** A server that answers as it is told, and what it was asked. */
class Desk {
  member = $state.raw<{ notes: NotesView | null }>({ notes: NOTHING });
  asked: Wish[] = [];
  outcome: Outcome = { ok: true };
  tryTo = (wish: Wish): Promise<Outcome> => {
    this.asked.push(wish);
    return Promise.resolve(this.outcome);
  };
}

function notesAt(desk: Desk): Notes {
  const notes = new Notes(desk, {} as Kit);
  notes.heard(1);
  return notes;
}

beforeEach(async () => {
  localStorage.clear();
  await words.follow('zh-TW');
});

describe('marks', () => {
  it('stand at once, and are again as they were where the server refuses', async () => {
    const desk = new Desk();
    const notes = notesAt(desk);
    const done = notes.put(3, { trust: -2 });
    expect(notes.mark(3).trust).toBe(-2);
    await done;
    expect(desk.asked).toEqual([{ t: 'mark', turn: 3, faction: null, role: null, trust: -2 }]);
    desk.member = { notes: { ...NOTHING, marks: [on(3, { trust: -2 })] } };
    notes.heard(1);
    desk.outcome = { ok: false, code: 'too_fast', detail: '4' };
    await notes.put(3, { trust: 1 });
    expect(notes.mark(3).trust).toBe(-2);
    expect(notes.problem).toContain('4');
  });

  it('of another device are seen as soon as they come', async () => {
    const desk = new Desk();
    const notes = notesAt(desk);
    await notes.put(3, { trust: 1 });
    desk.member = { notes: { ...NOTHING, marks: [on(3, { trust: 2 })] } };
    notes.heard(1);
    expect(notes.mark(3).trust).toBe(2);
  });

  it('are put by one tap each and taken away by the same again; a role brings its faction along', async () => {
    const desk = new Desk();
    const notes = notesAt(desk);
    render(PlayerMarks, { notes, turn: 4 });
    await fireEvent.click(screen.getByTestId('role-red_dragon'));
    expect(notes.mark(4)).toMatchObject({ role: 'red_dragon', faction: 'dragon' });
    expect(screen.getByTestId('role-red_dragon')).toHaveAttribute('aria-pressed', 'true');
    await fireEvent.click(screen.getByTestId('faction-human'));
    expect(notes.mark(4)).toMatchObject({ role: null, faction: 'human' });
    await fireEvent.click(screen.getByTestId('faction-human'));
    await fireEvent.click(screen.getByTestId('trust-1'));
    expect(notes.mark(4)).toMatchObject({ faction: null, trust: 1 });
    await fireEvent.click(screen.getByTestId('trust-1'));
    expect(notes.mark(4)).toEqual(on(4, {}));
  });

  it('have names that are read aloud, and stand when the game is over', async () => {
    const desk = new Desk();
    desk.member = { notes: { ...NOTHING, final: true } };
    render(PlayerMarks, { notes: notesAt(desk), turn: 4 });
    expect(screen.getByRole('button', { name: `−2 ${words.t.trust_minus_2}` })).toBeDisabled();
    expect(screen.getByRole('group', { name: words.t.role })).toBeInTheDocument();
    await speech.speak('en');
    await words.follow('en');
    await tick();
    expect(screen.getByRole('button', { name: '−2 no trust at all' })).toBeInTheDocument();
    await speech.speak('zh-TW');
  });
});

describe('texts', () => {
  it('are kept after a pause, or when one goes, and not put right under the fingers', async () => {
    vi.useFakeTimers();
    const desk = new Desk();
    const notes = notesAt(desk);
    notes.write(2, 'why');
    notes.write(2, 'why? ');
    expect(desk.asked).toEqual([]);
    expect(notes.isUnsaved(2)).toBe(true);
    await vi.advanceTimersByTimeAsync(1000);
    expect(desk.asked).toEqual([{ t: 'note', turn: 2, text: 'why? ' }]);
    desk.member = { notes: { ...NOTHING, marks: [on(2, { text: 'why?' })] } };
    notes.heard(1);
    expect(notes.text(2)).toBe('why? ');
    notes.leave(2);
    expect(notes.text(2)).toBe('why?');
    notes.write(0, 'all');
    notes.leave(0);
    await vi.advanceTimersByTimeAsync(0);
    expect(desk.asked.at(-1)).toEqual({ t: 'note', text: 'all' });
    vi.useRealTimers();
  });

  it('that could not be kept stay before one’s eyes, until another game', async () => {
    const desk = new Desk();
    const notes = notesAt(desk);
    desk.outcome = { ok: false, code: 'too_long', detail: '' };
    notes.write(0, 'x'.repeat(900));
    notes.leave(0);
    await tick();
    await tick();
    expect(notes.text(0)).toHaveLength(900);
    expect(notes.isUnsaved(0)).toBe(true);
    expect(notes.problem).not.toBe('');
    notes.heard(2);
    expect(notes.text(0)).toBe('');
  });

  it('are measured as they are seen', () => {
    expect(graphemes(' 👨‍👩‍👧‍👦龍\n\n灼 ')).toBe(5);
  });
});

describe('what is on this device', () => {
  it('is how one sees the notes, and nothing that is in them', async () => {
    const desk = new Desk();
    const notes = notesAt(desk);
    notes.show('atSeats', true);
    notes.write(0, 'secret');
    await notes.put(2, { trust: 1 });
    expect(localStorage.length + sessionStorage.length).toBe(1);
    expect(localStorage.getItem('cinderforge.notes')).toBe('{"atSeats":true,"inRecord":false}');
    expect(new Notes(desk, {} as Kit).atSeats).toBe(true);
    localStorage.setItem('cinderforge.notes', 'null');
    expect(new Notes(desk, {} as Kit).atSeats).toBe(false);
  });
});

describe('the truth', () => {
  const roles: Role[] = ['sage', 'red_dragon', 'adventurer', 'shadow_dragon'];
  it('counts the others alone, and what was not guessed as not right', () => {
    const marks = [
      on(1, { faction: 'human', role: 'mystic' }),
      on(2, { faction: 'dragon', role: 'red_dragon' }),
      on(4, { faction: 'human', trust: 2 }),
    ];
    expect(scoreOf({ marks }, roles, 3)).toEqual({ right: 2, roles: 1, total: 3, guessed: 3 });
    expect(scoreOf(null, roles, null)).toEqual({ right: 0, roles: 0, total: 4, guessed: 0 });
    const verdicts = roles.map((role, index) => verdictOn(markOf({ marks }, index + 1), role));
    expect(verdicts).toEqual(['half', 'right', null, 'wrong']);
  });
});
