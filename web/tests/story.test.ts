import { describe, expect, it } from 'vitest';
import { endingText } from '../src/game/log';
import { endingOf, scenes } from '../src/story/scenes';
import { words as en } from '../src/words/en.gen';
import { words as zh } from '../src/words/zh-TW.gen';

const ENDS = [
  ['R7.1', 'dragon'],
  ['R7.2', 'human'],
  ['R7.3', 'dragon'],
  ['R7.4', 'human'],
  ['R7.4', 'dragon'],
  ['R8.2', 'human'],
] as const;

describe('the story at the end', () => {
  it.each(ENDS)('has a picture, a title and a text for %s won by %s', (reason, winner) => {
    const key = endingOf(reason, winner);
    expect(scenes[key]).toBeDefined();
    for (const t of [zh, en]) {
      const titles: Record<string, string> = t.story;
      expect(titles[`${key}_title`]).toBeTruthy();
      expect(endingText(reason, winner, t)).not.toBe('');
    }
  });
  it('has a picture for nothing else', () => {
    expect(Object.keys(scenes).sort()).toEqual(ENDS.map(([reason, winner]) => endingOf(reason, winner)).sort());
  });
});
