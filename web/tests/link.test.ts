import { describe, expect, it, vi } from 'vitest';

import { Link, pauseBefore } from '../src/link/link';
import type { Bye, Update } from '../src/protocol/protocol.gen';

function linked() {
  const heard: Update[] = [];
  const farewells: Bye['why'][] = [];
  const events = {
    update: (update: Update) => heard.push(update),
    farewell: (why: Bye['why']) => farewells.push(why),
  };
  return { link: new Link(events, 'me', () => 1_000), heard, farewells };
}
const say = (link: Link, message: object) => {
  link.hear(JSON.stringify(message));
};
const parsed = (frames: string[]) => frames.map((frame) => JSON.parse(frame) as Record<string, unknown>);

describe('a link', () => {
  it('says first which protocol it speaks and how much it has heard', () => {
    const { link } = linked();
    expect(parsed(link.opening())).toEqual([{ t: 'hello', protocol: 1, game: 0, heard: 0 }]);
    say(link, { t: 'update', now: 1_500, game: 2, heard: 17 });
    expect(parsed(link.opening())).toEqual([{ t: 'hello', protocol: 1, game: 2, heard: 17 }]);
  });

  it('numbers commands and settles each by its own answer', async () => {
    const { link } = linked();
    const skip = link.ask({ t: 'skip' });
    const play = link.ask({ t: 'play', card: 'sage' });
    expect(parsed([skip.frame, play.frame]).map((one) => one.id)).toEqual(['me-1', 'me-2']);
    say(link, { t: 'refused', id: 'me-2', code: 'not_your_turn', detail: '' });
    say(link, { t: 'done', id: 'me-1' });
    await expect(skip.outcome).resolves.toEqual({ ok: true });
    await expect(play.outcome).resolves.toEqual({ ok: false, code: 'not_your_turn', detail: '' });
    expect(link.unanswered).toBe(0);
  });

  it('sends what was not answered again, under the same id and in order', () => {
    const { link } = linked();
    link.ask({ t: 'seen' });
    link.ask({ t: 'skip' });
    say(link, { t: 'done', id: 'me-1' });
    expect(parsed(link.opening()).slice(1)).toEqual([{ t: 'skip', id: 'me-2' }]);
  });

  it('keeps the difference to the clock of the server', () => {
    const { link } = linked();
    say(link, { t: 'pong', n: 1, now: 4_000 });
    expect(link.offset).toBe(3_000);
  });

  it.each(['replaced', 'version', 'kicked', 'closed', 'left', 'unknown_room'] as const)(
    'is over after the goodbye %s, and so is what was asked',
    async (why) => {
      const { link, farewells } = linked();
      const { outcome } = link.ask({ t: 'skip' });
      say(link, { t: 'bye', why });
      expect(link.isFinal).toBe(true);
      expect(farewells).toEqual([why]);
      await expect(outcome).resolves.toMatchObject({ ok: false, code: why });
    },
  );

  it('waits for a server that restarts', () => {
    const { link, farewells } = linked();
    link.ask({ t: 'skip' });
    say(link, { t: 'bye', why: 'restarting' });
    expect(link.isFinal).toBe(false);
    expect(farewells).toEqual([]);
    expect(link.unanswered).toBe(1);
  });

  it('hands every picture on as it came', () => {
    const { link, heard } = linked();
    const error = vi.spyOn(console, 'error').mockReturnValue(undefined);
    say(link, { t: 'update', now: 1, game: 1, heard: 1, fresh: true, news: [] });
    say(link, { t: 'malformed', detail: 'no' });
    expect(heard).toEqual([{ t: 'update', now: 1, game: 1, heard: 1, fresh: true, news: [] }]);
    expect(error).toHaveBeenCalledOnce();
    error.mockRestore();
  });
});

describe('the pause before coming back', () => {
  it('is jittered over all of a span that doubles from half a second to fifteen', () => {
    expect(pauseBefore(0, 0)).toBe(0);
    expect(pauseBefore(0, 1)).toBe(500);
    expect(pauseBefore(3, 0.5)).toBe(2_000);
    expect(pauseBefore(4, 1)).toBe(8_000);
    expect(pauseBefore(5, 1)).toBe(15_000);
    expect(pauseBefore(1_000, 1)).toBe(15_000);
  });
});
