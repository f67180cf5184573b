import { beforeEach, describe, expect, it, vi } from 'vitest';

import { Asking } from '../src/aloud/asking.svelte';
import { isForTable } from '../src/aloud/letters';
import { handText, orderText, readTable, seatText, statusText, timeText } from '../src/aloud/tabletext';
import { actsAloud, privateText, resolvedAloud, toldAloud } from '../src/aloud/telling';
import { sentence, voice } from '../src/aloud/voice.svelte';
import { device } from '../src/device/device.svelte';
import { Game } from '../src/game/game.svelte';
import type { News, Update } from '../src/protocol/protocol.gen';
import { speech } from '../src/words/words.svelte';

const NAMES = ['Iris', 'Momo', 'Bea', 'Quill', 'Noor'];
const TALLY = { sage_activated: false, activated: 1, slain: 2, sage_slain: false };
const RESOLVED = {
  news: 'resolved',
  cards: ['adventurer', 'adventurer', 'blank'],
  sources: null,
  tally: { ...TALLY, activated: 2 },
} as const;

function gameAt(table: object, you: object = {}, news: News[] = []): Game {
  const game = new Game('ABC234');
  game.news = news;
  const update = {
    t: 'update',
    now: 0,
    game: 1,
    heard: 0,
    fresh: true,
    news: [],
    room: {
      stage: 'game',
      wait: { kind: 'play', until: null, whole: null, paused: false, left: null },
      settings: {},
      seats: NAMES.map((name, index) => ({
        ...{ seat: index + 1, name, kind: index === 3 ? 'ai' : 'person', member: index + 1, online: index !== 4 },
        ...{ stand_in: false },
      })),
    },
    table: {
      rules: { activation_target: 2, kill_target: 3 },
      seats: [1, 2, 3, 4, 5],
      ...{ phase: 'play', round: 2, holder: 3, giver: 1, awaited: [1], hand_sizes: [3, 2, 3, 1, 3] },
      ...{ unfired: [1, 2, 4, 5], choice: null, announcing: false, acts_last: [], order: [3, 4, 5, 1, 2] },
      fired: [{ turn: 3, scroll: 'force_play', round: 2, targets: [1], effect: true }],
      marks: [
        { mark: 'must_play', turn: 1 },
        { mark: 'linked', leader: 4, follower: 2 },
      ],
      acts: [
        { turn: 3, act: 'played', how: 'own' },
        { turn: 4, act: 'skipped', how: 'own' },
        { turn: 5, act: 'empty', how: 'own' },
      ],
      ...{ voted: [], ballots: null, tally: TALLY, past: [], result: null, reveal: null },
      ...table,
    },
    you: {
      member: { muted: [], seat: 1 },
      player: {
        ...{ turn: 1, role: 'sage', faction: 'human', hand: ['sage', 'blank', 'adventurer'], drawn: null },
        ...{ scroll: 'peek_hand', played: null, night: null, ballot: null, knows_cards: [], knows_roles: [] },
        offer: { offer: 'play', cards: ['sage', 'blank', 'adventurer'], may_skip: false },
        ...you,
      },
    },
  };
  game.update = update as unknown as Update;
  return game;
}
const bare = (text: string) => text.replace(/[\u2068\u2069]/g, '');

describe('the table in words', () => {
  beforeEach(() => speech.speak('en'));

  it('has a line for each seat, in turn order, with all that lies there', () => {
    const seats = readTable(gameAt({}), true).find((part) => part.id === 'seats');
    expect(seats?.isOrdered).toBe(true);
    expect(seats?.lines.map(bare)).toEqual([
      '1 Iris, you, 3 cards, scroll closed, Must play, is acting',
      '2 Momo, 2 cards, scroll closed, linked to 4 Quill',
      '3 Bea, holds the crystal, 3 cards, scroll open: Forced Play, has played',
      '4 Quill, AI, 1 card, scroll closed, linked: 2 Momo follows, has skipped',
      '5 Noor, away, 3 cards, scroll closed, has no cards',
    ]);
  });

  it('says who acts last', () => {
    expect(seatText(gameAt({ acts_last: [2] }), 2)).toContain('Acts last');
  });

  it('says where the game is, what is awaited and what one may do', () => {
    expect(statusText(gameAt({}), true).map(bare)).toEqual([
      'Round 2 · Play',
      'Your turn: you must play a card',
      'You may play: Sage, Blank, Adventurer.',
      'You may not skip.',
    ]);
    const pass = gameAt({ phase: 'pass' }, { offer: { offer: 'pass', targets: [2, 4] } });
    expect(bare(statusText(pass, true).join(' '))).toContain('You may choose: 2 Momo, 4 Quill.');
  });

  it('tells who acts when, and what each has done', () => {
    expect(bare(orderText(gameAt({})))).toBe(
      'Order of this round: 3 Bea: has played, 4 Quill: has skipped, 5 Noor: has no cards, you: is acting, 2 Momo: yet to act.',
    );
    expect(bare(orderText(gameAt({ phase: 'pass', order: null })))).toBe(
      'Turn order: 1 Iris, 2 Momo, 3 Bea, 4 Quill, 5 Noor.',
    );
  });

  it('keeps the hand to itself where others may see the screen, until it is asked for', () => {
    const game = gameAt({});
    const all = (isOpen: boolean) =>
      readTable(game, isOpen)
        .flatMap((part) => part.lines)
        .join(' ');
    expect(all(true)).toContain('Your hand: Sage, Blank, Adventurer.');
    expect(all(false)).not.toMatch(/Sage,|Adventurer/);
    expect(handText(game, true).join(' ')).toContain('Sage');
    expect(handText(gameAt({ phase: 'reveal' }), true).join(' ')).not.toContain('Sage');
  });

  it('never tells what one does not see', () => {
    const text = readTable(gameAt({}, { hand: ['blank'], offer: null }), true).flatMap((part) => part.lines);
    expect(text.join(' ')).not.toMatch(/dragon|mystic/i);
  });

  it('says that there is no limit, and what is left in a pause', () => {
    const game = gameAt({});
    expect(timeText(game)).toBe('There is no time limit now.');
    const { update } = game;
    if (update?.room.wait) Object.assign(update.room.wait, { paused: true, left: 4_200 });
    expect(timeText(game)).toBe('The game is paused. 5 seconds left.');
  });
});

describe('what is asked', () => {
  beforeEach(() => speech.speak('en'));

  it('goes one event back each time, to the first', () => {
    const asking = new Asking(gameAt({}, {}, [{ news: 'night_fell' }, { news: 'night_over' }]));
    expect(asking.answer('last')).toBe('Day breaks');
    expect(asking.answer('last')).toBe('That was the first event: Night falls');
    expect(asking.answer('last')).toBe('That was the first event: Night falls');
    expect(asking.answer('time')).toContain('limit');
    expect(asking.answer('last')).toBe('Day breaks');
  });

  it('is no letter where one writes, and none where letters are switched off', () => {
    const field = document.createElement('input');
    const press = (key: string, target: HTMLElement, over = {}) =>
      Object.defineProperty(new KeyboardEvent('keydown', { key, ...over }), 'target', { value: target });
    expect(isForTable(press('s', document.body))).toBe(true);
    expect(isForTable(press('s', field))).toBe(false);
    expect(isForTable(press('s', document.body, { ctrlKey: true }))).toBe(false);
    device.set('letters', false);
    expect(isForTable(press('s', document.body))).toBe(false);
    expect(isForTable(press('ArrowLeft', document.body))).toBe(true);
    device.set('letters', true);
  });
});

describe('what is said by itself', () => {
  beforeEach(() => speech.speak('en'));

  const NEWS: News[] = [
    { news: 'acted', turn: 3, act: 'played', how: 'own' },
    { news: 'acted', turn: 1, act: 'played', how: 'own' },
  ];

  it('is in brief what one must know, and in full all that happens', () => {
    expect(toldAloud(NEWS, gameAt({}), false)).toEqual(['You have played.']);
    expect(toldAloud(NEWS, gameAt({}), true).map(bare)).toEqual(['Bea plays a card', 'You have played.']);
    const acts = gameAt({}).table?.acts;
    expect(bare(actsAloud(gameAt({ past: [{ acts }] })))).toBe('Played: 3 Bea. Skipped: 4 Quill.');
  });

  it('tells of a scroll, in full with what it does and how long', () => {
    const news: News[] = [{ news: 'scroll_unrolled', turn: 3, scroll: 'force_play' }];
    expect(bare(toldAloud(news, gameAt({}), false).join())).toBe('Bea fires “Forced Play”');
    expect(bare(toldAloud(news, gameAt({}), true).join())).toMatch(/Forced Play.*may not skip.*Lasts: the round/);
  });

  it('tells the cards of a round in one sentence, and whose they were where that is open', () => {
    const game = gameAt({});
    expect(resolvedAloud({ ...RESOLVED, cards: [...RESOLVED.cards] }, game)).toBe(
      'Resolution: Adventurer ×2, Blank. Activated 2 of 2, slain 2 of 3.',
    );
    const open = resolvedAloud({ ...RESOLVED, cards: ['blank', 'sage'], sources: [2, 1] }, game);
    expect(bare(open)).toContain('2 Momo: Blank, 1 Iris: Sage.');
  });

  it('tells a vote with its counts and the tie', () => {
    const text = toldAloud([{ news: 'vote_opened', ballots: [2, 3, 2, 3, null] }], gameAt({}), false).join();
    expect(bare(text)).toBe('Votes: 2 Momo: 2 votes, 3 Bea: 2 votes. A tie, drawn at random among 2 Momo, 3 Bea.');
  });

  it('tells what a scroll shows to oneself only while it is read', () => {
    const seen = { knows_cards: [{ turn: 2, card: 'red_dragon' }], knows_roles: [{ turn: 4, role: 'mystic' }] };
    expect(privateText(gameAt({}, seen))).toEqual([]);
    expect(privateText(gameAt({ announcing: true }, seen)).map(bare)).toEqual([
      'One card of 2 Momo is: Red Dragon',
      'Mystic: 4 Quill',
    ]);
  });
});

describe('the voice', () => {
  beforeEach(async () => {
    await speech.speak('en');
    vi.useFakeTimers();
    voice.forget();
    vi.advanceTimersByTime(60_000);
  });

  it('gathers what comes together, says the same twice and keeps nothing', () => {
    voice.say('Night falls');
    voice.say('Day breaks');
    vi.advanceTimersByTime(100);
    expect(voice.polite).toBe('Night falls. Day breaks.');
    voice.say('Night falls. Day breaks.');
    vi.advanceTimersByTime(1_000);
    expect(voice.polite).not.toBe('Night falls. Day breaks.');
    expect(voice.polite.trim()).toBe('Night falls. Day breaks.');
    vi.advanceTimersByTime(20_000);
    expect(voice.polite).toBe('');
  });

  it('takes back what fades, and nothing else', () => {
    voice.say('You see: Momo', true);
    vi.advanceTimersByTime(100);
    expect(voice.polite).toContain('Momo');
    voice.say('Day breaks');
    voice.say('You see: Bea', true);
    voice.forget();
    expect(voice.polite).toBe('');
    vi.advanceTimersByTime(1_000);
    expect(voice.polite).toBe('Day breaks.');
  });

  it('ends each sentence as the language does', async () => {
    expect(sentence('Your turn')).toBe('Your turn.');
    expect(sentence('Who?')).toBe('Who?');
    await speech.speak('zh-TW');
    expect(sentence('換你了')).toBe('換你了。');
  });
});
