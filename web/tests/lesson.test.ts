import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { Wish } from '../src/link/link';
import { Lesson } from '../src/teach/lesson.svelte';
import { afresh, pictures } from '../src/teach/pictures';
import { arrow, overlap, placed } from '../src/teach/place';
import { steps } from '../src/teach/steps';
import { changes, moments, turns } from '../src/teach/tutorial.gen';
import { learn as english } from '../src/words/learn.en.gen';
import { learn as chinese } from '../src/words/learn.zh-TW.gen';

const BOTH = [chinese, english];

/** What a learner asks who does as they are told. */
const RIGHT: Partial<Record<string, Wish>> = {
  look: { t: 'seen' },
  vote: { t: 'vote', target: turns.adventurer },
  first_pass: { t: 'pass', to: turns.adventurer },
  forced_play: { t: 'play', card: 'mystic' },
  peek_whom: { t: 'targets', targets: [turns.two_headed] },
  peek_which: { t: 'pick_card', position: 3 },
  skip: { t: 'skip' },
  second_pass: { t: 'pass', to: turns.sage },
  lead: { t: 'skip' },
};

describe('the lesson', () => {
  let lesson: Lesson;
  beforeEach(() => {
    vi.useFakeTimers();
    lesson = new Lesson(() => 'Ann');
    lesson.start();
  });
  afterEach(() => {
    lesson.stop();
    vi.useRealTimers();
  });

  async function walkTo(id: string): Promise<void> {
    for (let tries = 0; lesson.step.id !== id && tries < 2 * steps.length; tries += 1) {
      const right = RIGHT[lesson.step.id];
      if (right) await lesson.game.ask(right);
      else lesson.next();
      vi.advanceTimersByTime(20_000);
    }
    expect(lesson.step.id).toBe(id);
  }

  it('is walked to its end by whoever does as the coach says', async () => {
    await walkTo('shown');
    expect(lesson.game.table?.result).toEqual({ winner: 'human', reason: 'R7.2' });
    expect(lesson.isLast).toBe(true);
  });

  it('explains a wrong move and stays where it is', async () => {
    await walkTo('forced_play');
    expect(await lesson.game.ask({ t: 'play', card: 'blank' })).toEqual({ ok: true });
    expect(lesson.isWrong).toBe(true);
    expect(lesson.step.id).toBe('forced_play');
    expect(lesson.game.player?.hand).toContain('mystic');
  });

  it('shows what the others do one after the other, and on demand at once', async () => {
    await walkTo('vote');
    await lesson.game.ask({ t: 'vote', target: turns.adventurer });
    expect(lesson.isPlaying).toBe(true);
    expect(lesson.game.table?.voted).toEqual([turns.me]);
    vi.advanceTimersByTime(600);
    expect(lesson.game.table?.voted).toHaveLength(2);
    lesson.next();
    expect(lesson.isPlaying).toBe(false);
    expect(lesson.game.table?.phase).toBe('pass');
  });

  it('lets the cards of a round lie until one goes on, and shows them again on the way back', async () => {
    await walkTo('slain');
    lesson.game.stopShowing();
    expect(lesson.game.showing?.resolved.cards).toContain('adventurer');
    lesson.next();
    expect(lesson.game.showing).toBeNull();
    expect(lesson.game.offer?.offer).toBe('pass');
    lesson.back();
    expect(lesson.game.showing?.resolved.cards).toContain('two_headed_dragon');
  });

  it('goes back to the very picture that a step began with', async () => {
    await walkTo('skip');
    lesson.back();
    expect(lesson.step.id).toBe('peeked');
    expect(lesson.game.player?.knows_cards).toEqual([{ turn: turns.two_headed, card: 'two_headed_dragon' }]);
    while (lesson.index > 0) lesson.back();
    expect(lesson.index).toBe(0);
    expect(lesson.game.table?.phase).toBe('reveal');
  });

  it('may be skipped through without doing anything', () => {
    for (let n = 0; n < 3 * steps.length && !lesson.isLast; n += 1) lesson.next();
    lesson.next();
    expect(lesson.step.id).toBe('shown');
    expect(lesson.game.table?.result?.winner).toBe('human');
  });

  it('calls the learner by their name, and lets them say what the coach says', async () => {
    expect(lesson.game.name(turns.me)).toBe('Ann');
    await walkTo('tell');
    lesson.say('I saw a dragon card');
    expect(lesson.hasSaid).toBe(true);
    expect(lesson.game.talk.unread + lesson.game.talk.lines.length).toBeGreaterThan(0);
    expect(await lesson.game.tryTo({ t: 'say', text: 'Hello', sure: false })).toMatchObject({ code: 'lesson' });
  });
});

describe('the pictures', () => {
  it('are whole from the first on, and told afresh with all the news up to there', () => {
    const all = pictures(changes);
    for (const picture of all) expect(picture.table?.seats).toHaveLength(5);
    const last = afresh(all, all.length - 1);
    expect(last?.news).toHaveLength(last?.heard ?? -1);
    expect(last?.news.at(-1)?.news).toBe('ended');
  });

  it('show a learner nothing before the end that their role may not know', () => {
    const all = pictures(changes);
    for (const [at, { table, you }] of all.entries()) {
      if (at >= moments.over) break;
      expect(table?.reveal).toBeNull();
      expect(you.player?.knows_roles).toEqual([]);
      if (at !== moments.night) expect(you.player?.night).toBeNull();
    }
  });
});

describe('the texts', () => {
  it('explain every step at which something has to be done', () => {
    for (const text of BOTH)
      for (const step of steps) {
        const words = text.steps[step.id] as { wrong?: string; say?: string; said?: string };
        if (step.asks) expect(words.wrong, step.id).toBeTruthy();
        if (step.says) expect([words.say, words.said], step.id).not.toContain(undefined);
      }
  });

  it('ask ten questions, each with one right answer, a reason and its clause', () => {
    for (const text of BOTH) {
      expect(text.questions).toHaveLength(10);
      for (const { answers, right, why, clause } of text.questions) {
        expect(new Set(answers).size).toBe(3);
        expect(answers[right]).toBeTruthy();
        expect(why).not.toBe('');
        expect(clause).toMatch(/^R\d+(\.\d+)?$/);
      }
    }
    expect(chinese.questions.map((one) => [one.right, one.clause])).toEqual(
      english.questions.map((one) => [one.right, one.clause]),
    );
  });

  it('do not let the place of an answer tell that it is right', () => {
    const places = chinese.questions.map((one) => one.right);
    for (const place of [0, 1, 2]) expect(places.filter((one) => one === place).length).toBeGreaterThan(2);
  });
});

describe('the bubble', () => {
  const seen = { left: 0, top: 0, width: 390, height: 844 };
  const size = { left: 0, top: 0, width: 360, height: 200 };
  it('lies in the window and never over what it points at', () => {
    for (const top of [0, 200, 400, 600, 790])
      for (const left of [4, 150, 300]) {
        const target = { left, top, width: 80, height: 50 };
        const place = placed(size, seen, target, [{ left: 0, top: 700, width: 390, height: 144 }]);
        expect(overlap({ ...size, ...place }, target)).toBe(0);
        expect(place.left).toBeGreaterThanOrEqual(0);
        expect(place.top + size.height).toBeLessThanOrEqual(seen.height);
      }
  });
  it('keeps clear of the hand where it can', () => {
    const hand = { left: 0, top: 600, width: 390, height: 244 };
    const place = placed(size, seen, { left: 10, top: 100, width: 80, height: 50 }, [hand]);
    expect(overlap({ ...size, ...place }, hand)).toBe(0);
  });
  it('points from its edge to that of the target', () => {
    const bubble = { left: 0, top: 0, width: 100, height: 50 };
    expect(arrow(bubble, { left: 20, top: 200, width: 20, height: 20 })).toEqual({ x1: 30, y1: 50, x2: 30, y2: 200 });
  });
});
