import { fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { words } from '../src/claims/words';
import { Game } from '../src/game/game.svelte';
import type { Outcome, Wish } from '../src/link/link';
import type { LineView, News, Update } from '../src/protocol/protocol.gen';
import Talk from '../src/talk/Talk.svelte';
import { entries, isIn, KEPT, Talk as Lines } from '../src/talk/talk.svelte';
import { graphemes, isSending } from '../src/talk/typing';
import { isolated, pieces } from '../src/words/isolate';
import { speech } from '../src/words/words.svelte';

function line(n: number, over: Partial<LineView> = {}): LineView {
  return {
    n,
    at: n,
    kind: 'said',
    channel: 'table',
    member: 2,
    name: 'Bob',
    text: `line ${String(n)}`,
    about: '',
    claim: null,
    ...over,
  };
}
function heard(news: News[], over: Partial<Update> = {}): Update {
  return { t: 'update', game: 1, fresh: false, news, table: null, ...over } as Update;
}
const NIGHT: News = { news: 'night_fell' };
const keys = (list: ReturnType<typeof entries>) => list.map((one) => one.key);

beforeEach(() => {
  sessionStorage.clear();
});

describe('the lines', () => {
  it('are kept once each, however often they come, and the newest of them only', () => {
    const talk = new Lines('A');
    talk.hear([line(1), line(2)], 1);
    talk.hear([line(2), line(3), line(3)], 1);
    expect(talk.lines.map((one) => one.n)).toEqual([1, 2, 3]);
    talk.hear(
      Array.from({ length: KEPT }, (_, i) => line(i + 4)),
      1,
    );
    expect(talk.lines).toHaveLength(KEPT);
    talk.hear([line(1)], 1);
    expect(talk.lines.at(-1)?.n).toBe(KEPT + 3);
  });

  it('that come late, as of a voice no longer muted, stand where they were said', () => {
    const talk = new Lines('A');
    talk.hear([line(1), line(3)], 1);
    talk.hear([line(2)], 1);
    expect(talk.lines.map((one) => one.n)).toEqual([1, 2, 3]);
  });

  it('are unread while nobody looks, but for notices and for what one says oneself', () => {
    const talk = new Lines('A');
    talk.hear([line(1)], 1);
    expect(talk.unread).toBe(0); // what was said before one came
    talk.hear([line(2), line(3, { member: 1 }), line(4, { kind: 'notice', text: 'came' })], 1);
    expect(talk.unread).toBe(1);
    talk.show(true);
    expect(talk.unread).toBe(0);
    talk.hear([line(5)], 1);
    expect(talk.unread).toBe(0);
  });

  it('know after a reload which of them were read', () => {
    const before = new Lines('A');
    before.show(true);
    before.hear([line(1), line(2)], 1);
    before.show(false);
    const after = new Lines('A');
    after.hear([line(1), line(2), line(3)], 1);
    expect(after.unread).toBe(1);
  });

  it('tell that an AI has played for one, until one has seen it', () => {
    const notices = [line(1, { kind: 'notice', text: 'stand_in' }), line(2, { kind: 'notice', text: 'returned' })];
    const others = new Lines('A');
    others.hear(notices, 1);
    expect(others.back).toBe(0);
    const mine = new Lines('A');
    mine.hear(notices, 2);
    expect(mine.back).toBe(2);
    mine.dismissReturn();
    const reloaded = new Lines('A');
    reloaded.hear(notices, 2);
    expect(reloaded.back).toBe(0);
  });
});

describe('lines and news together', () => {
  it('stand in the order in which they came, after a reload too', () => {
    const talk = new Lines('A');
    talk.note(heard([NIGHT], { fresh: true }));
    talk.hear([line(1)], 1);
    talk.note(heard([{ news: 'night_over' }]));
    talk.hear([line(2)], 1);
    const news: News[] = [NIGHT, { news: 'night_over' }];
    const order = ['news-0', 'line-1', 'news-1', 'line-2'];
    expect(keys(entries(talk.lines, news, talk.after))).toEqual(order);
    const reloaded = new Lines('A');
    reloaded.note(heard([...news, { news: 'round_started', number: 1 }], { fresh: true }));
    reloaded.hear([line(1), line(2)], 1);
    const all = entries(reloaded.lines, [...news, { news: 'round_started', number: 1 }], reloaded.after);
    expect(keys(all).filter((one) => one !== 'news-2')).toEqual(order);
  });

  it('tell no more news than is to be seen yet', () => {
    expect(keys(entries([line(1)], [NIGHT], [0, 1]))).toEqual(['news-0', 'line-1']);
  });

  it('tell a notice that comes twice in a row once', () => {
    const back = { kind: 'notice', text: 'returned' } as const;
    expect(keys(entries([line(1, back), line(2, back), line(3)], [], []))).toEqual(['line-1', 'line-3']);
  });

  it('show of whom one has muted only what the room says about them', () => {
    const of = (over: Partial<LineView>) => ({ key: '', line: line(1, over) });
    expect(isIn('all', of({}), [2])).toBe(false);
    expect(isIn('all', of({ kind: 'phrase' }), [2])).toBe(false);
    expect(isIn('all', of({ kind: 'notice' }), [2])).toBe(true);
    expect(isIn('all', of({}), [3])).toBe(true);
    expect(isIn('talk', of({ kind: 'notice' }), [])).toBe(false);
    expect(isIn('events', of({}), [])).toBe(false);
  });
});

describe('the length of a line', () => {
  it.each([
    ['', 0],
    ['  a   b  ', 3],
    ['晶核', 2],
    ['👨‍👩‍👧‍👦🇹🇼', 2],
    ['e\u0301', 1],
  ])('of %j is %i', (text, count) => {
    expect(graphemes(text)).toBe(count);
  });
});

describe('Enter', () => {
  const key = (over: Partial<KeyboardEvent>) => ({ key: 'Enter', isComposing: false, keyCode: 13, ...over });
  it('sends', () => {
    expect(isSending(key({}))).toBe(true);
  });
  it('does not send while an input method composes, nor after it in the order of Safari', () => {
    expect(isSending(key({ isComposing: true }))).toBe(false);
    expect(isSending(key({ isComposing: true, keyCode: 229 }))).toBe(false);
    expect(isSending(key({ keyCode: 229 }))).toBe(false);
  });
});

describe('names in texts', () => {
  it('are kept apart', () => {
    expect(pieces(`${isolated('שלום')} joined`)).toEqual([
      { text: 'שלום', isName: true },
      { text: ' joined', isName: false },
    ]);
    expect(pieces('nobody')).toEqual([{ text: 'nobody', isName: false }]);
  });
});

describe('the panel', () => {
  const asked: Wish[] = [];
  let outcome: Outcome;
  function room(member: object = {}): Game {
    const game = new Game('ABC234');
    game.update = {
      room: {
        seats: [{ seat: 2, kind: 'person', name: 'Bob', member: 2, online: true }],
        watchers: [],
        host: 1,
        settings: { spectator_delay: 0, rules: {} },
        wait: null,
      },
      table: null,
      you: { member: { member: 1, seat: 1, host: true, talk: 'table', quiet: '', muted: [], ...member }, player: null },
    } as unknown as Update;
    game.status = 'open';
    vi.spyOn(game, 'tryTo').mockImplementation((wish) => {
      asked.push(wish);
      return Promise.resolve(outcome);
    });
    return game;
  }
  const field = () => screen.getByTestId<HTMLInputElement>('say');
  beforeEach(async () => {
    asked.length = 0;
    outcome = { ok: true };
    await speech.speak('en');
  });

  it('sends with Enter and is empty then, but never in the middle of a composition', async () => {
    render(Talk, { game: room() });
    await fireEvent.input(field(), { target: { value: '你好' } });
    await fireEvent.keyDown(field(), { key: 'Enter', isComposing: true, keyCode: 229 });
    await fireEvent.keyDown(field(), { key: 'Enter', keyCode: 229 });
    expect(asked).toEqual([]);
    await fireEvent.keyDown(field(), { key: 'Enter', keyCode: 13 });
    expect(asked).toEqual([{ t: 'say', text: '你好' }]);
    await vi.waitFor(() => {
      expect(field().value).toBe('');
    });
  });

  it('keeps what was refused, says why beside it, and says it anyway if one is sure', async () => {
    render(Talk, { game: room() });
    outcome = { ok: false, code: 'may_name_scroll', detail: 'peek_hand' };
    await fireEvent.input(field(), { target: { value: 'a peek?' } });
    await fireEvent.keyDown(field(), { key: 'Enter', keyCode: 13 });
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent(speech.t.scrolls.peek_hand.name);
    expect(field().value).toBe('a peek?');
    outcome = { ok: true };
    await fireEvent.click(screen.getByTestId('say-anyway'));
    expect(asked.at(-1)).toEqual({ t: 'say', text: 'a peek?', sure: true });
  });

  it('does not send what is too long', async () => {
    render(Talk, { game: room() });
    await fireEvent.input(field(), { target: { value: '龍'.repeat(201) } });
    await fireEvent.keyDown(field(), { key: 'Enter', keyCode: 13 });
    expect(asked).toEqual([]);
    expect(screen.getByRole('alert')).toHaveTextContent('200');
  });

  it('is closed with its reason in the field, and no key reaches it', () => {
    render(Talk, { game: room({ talk: null, quiet: 'night' }) });
    expect(field()).toBeDisabled();
    expect(field().placeholder).toBe(speech.t.talk.quiet_night);
    expect(screen.getByTestId('phrases')).toBeDisabled();
    expect(screen.getByTestId('send')).toBeDisabled();
  });

  it('shows neither name nor words of somebody muted', async () => {
    const game = room({ muted: [2] });
    render(Talk, { game });
    game.talk.hear([line(1), line(2, { kind: 'phrase', text: 'hello' }), line(3, { kind: 'notice', text: 'came' })], 1);
    await tick();
    const list = screen.getByRole('log');
    expect(list).not.toHaveTextContent('Bob');
    expect(list).not.toHaveTextContent('line 1');
    expect(list).toHaveTextContent('Muted player 2 joined');
  });

  it('names whom a claim was about, when the room has gone on to another game or to none', async () => {
    const game = room();
    const seats = ['Ann', 'Bob', 'Cid'].map((name, i) => ({ seat: i + 1, name, member: i + 1 }));
    for (const [number, order] of [[1, [3, 1, 2]] as const, [2, [2, 3, 1]] as const])
      game.talk.note(
        heard([], { game: number, room: { seats }, table: { seats: order } } as unknown as Partial<Update>),
      );
    const claim = { game: 1, round: 1, turn: 3, said: { claim: 'suspect', turn: 1, because: [] } };
    game.talk.hear([line(1, { kind: 'claim', text: '', claim } as unknown as Partial<LineView>)], 1);
    await words.follow('en');
    render(Talk, { game });
    await tick();
    expect(screen.getByRole('log')).toHaveTextContent(/Cid/);
    expect(game.table).toBeNull();
  });

  it('shows what was said as text and nothing else', async () => {
    const game = room();
    render(Talk, { game });
    game.talk.hear([line(1, { name: '<b>B</b>', text: '<img src=x onerror=alert(1)>' })], 1);
    await tick();
    expect(screen.getByRole('log').querySelector('img, b')).toBeNull();
    expect(screen.getByText('<b>B</b>').closest('[translate="no"]')).not.toBeNull();
  });
});
