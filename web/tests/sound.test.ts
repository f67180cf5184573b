import { describe, expect, it } from 'vitest';

import type { News, Resolved, RoundStarted } from '../src/protocol/protocol.gen';
import { cueOf, cuesOf, newsSince, resultOf } from '../src/sound/cues';
import { Melody } from '../src/sound/score';
import { lengthOf, sounds, type SoundName } from '../src/sound/sounds';

const round = (number: number): RoundStarted => ({ news: 'round_started', number });
const acted = (act: 'played' | 'skipped'): News => ({ news: 'acted', turn: 3, act, how: 'own' });
const tally = { sage_activated: false, activated: 0, slain: 0, sage_slain: false };
const resolved = (cards: Resolved['cards']): Resolved => ({ news: 'resolved', cards, sources: null, tally });

describe('a sound', () => {
  it('is there for every event that one should notice', () => {
    const all = Object.keys(sounds) as SoundName[];
    expect(all.length).toBeGreaterThanOrEqual(8);
    for (const name of all) {
      expect(lengthOf(name), name).toBeLessThanOrEqual(2.5);
      expect(
        sounds[name].every((voice) => voice.gain > 0 && voice.from > 0),
        name,
      ).toBe(true);
    }
  });

  it('is the same whichever card is given and whoever acts', () => {
    expect(cueOf({ news: 'given', giver: 1, to: 2, card: 'blank' })).toBe('card');
    expect([1, 2].map((turn) => cueOf({ news: 'acted', turn, act: 'played', how: 'stand_in' }))).toEqual([
      'card',
      'card',
    ]);
  });

  it('tells which side has won', () => {
    expect(cueOf({ news: 'ended', winner: 'dragon', reason: 'R7.2' })).toBe('dragons_win');
    expect(cueOf({ news: 'ended', winner: 'human', reason: 'R7.1' })).toBe('humans_win');
  });

  it('is not heard a second time after a reload, nor for the game before', () => {
    const [first, second, third] = [round(1), round(2), round(3)];
    expect(newsSince([], [first, second], true)).toEqual([]);
    expect(newsSince([first], [first, second, third], false)).toEqual([second, third]);
    expect(newsSince([first, second], [third], false)).toEqual([]);
    expect(newsSince([], [first], false)).toEqual([first]);
  });

  it('comes with few others when much is told at once', () => {
    expect(cuesOf([acted('played'), acted('played'), acted('skipped'), round(2)])).toEqual(['card', 'skip']);
    expect(cuesOf([0, 1, 2, 3].flatMap(() => [acted('played'), acted('skipped')]))).toHaveLength(3);
  });
});

describe('a resolution', () => {
  it('sounds as what it came to; ashes make no sound', () => {
    expect(resultOf(resolved(['sage', 'blank']))).toBe('activated');
    expect(resultOf(resolved(['sage', 'red_dragon']))).toBe('slain');
    expect(resultOf(resolved(['blank']))).toBeNull();
    expect(resultOf(resolved([]))).toBeNull();
  });
});

describe('the music', () => {
  it.each(['day', 'night'] as const)('of the %s walks on, slowly, between a tower and its cellar', (mood) => {
    let seed = 7;
    const melody = new Melody(() => (seed = (seed * 16807) % 2147483647) / 2147483647);
    for (let i = 0; i < 200; i++) {
      const { voices, wait } = melody.next(mood);
      expect(wait).toBeGreaterThan(2);
      for (const voice of voices) {
        expect(voice.from).toBeGreaterThan(80);
        expect(voice.from).toBeLessThan(6_000);
      }
    }
  });
});
