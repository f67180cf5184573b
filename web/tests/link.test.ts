import { beforeEach, describe, expect, it, vi } from 'vitest';

import { Link, pauseBefore } from '../src/link/link';
import type { Bye, Update } from '../src/protocol/protocol.gen';

const heardUpdate = (over: Partial<Update> = {}) =>
  JSON.stringify({ t: 'update', now: 5_000, game: 2, heard: 7, fresh: true, news: [], ...over });
const parsed = (frames: string[]) => frames.map((one) => JSON.parse(one) as Record<string, unknown>);

describe('a link', () => {
  const updates = vi.fn();
  const farewell = vi.fn();
  const lines = vi.fn();
  let link: Link;
  beforeEach(() => {
    updates.mockReset();
    farewell.mockReset();
    lines.mockReset();
    link = new Link({ update: updates, lines, farewell }, 'me', () => 1_000);
  });

  it('opens with what it has heard, so that the server tells only the rest', () => {
    expect(parsed(link.opening())).toEqual([{ t: 'hello', protocol: 1, game: 0, heard: 0, lines: 0 }]);
    link.hear(heardUpdate());
    expect(parsed(link.opening())).toEqual([{ t: 'hello', protocol: 1, game: 2, heard: 7, lines: 0 }]);
  });

  it('keeps its count where news is missing, so that the server tells it again', () => {
    link.hear(heardUpdate());
    expect(link.hear(heardUpdate({ fresh: false, heard: 9, news: [{ news: 'night_over' }] }))).toBe(false);
    expect(updates).toHaveBeenLastCalledWith(expect.objectContaining({ heard: 9, news: [] }));
    expect(parsed(link.opening())).toEqual([{ t: 'hello', protocol: 1, game: 2, heard: 7, lines: 0 }]);
    expect(link.hear(heardUpdate({ fresh: false, heard: 8, news: [{ news: 'night_over' }] }))).toBe(true);
  });

  it('sends again under the same id whatever was not answered, in order', () => {
    const first = link.ask({ t: 'play', card: 'blank' });
    const second = link.ask({ t: 'seen' });
    expect(link.opening().slice(1)).toEqual([first.frame, second.frame]);
    expect(new Set(parsed([first.frame, second.frame]).map((one) => one.id)).size).toBe(2);
  });

  it('says of a move, and of nothing else, in which round of which game it was made, whenever it is sent', () => {
    link.hear(heardUpdate({ table: { round: 3 } as Update['table'] }));
    const { frame } = link.ask({ t: 'skip' });
    expect(JSON.parse(frame)).toEqual({ t: 'skip', game: 2, round: 3, id: 'me-1' });
    expect(JSON.parse(link.ask({ t: 'phrase', phrase: 'why' }).frame)).toEqual({
      t: 'phrase',
      phrase: 'why',
      id: 'me-2',
    });
    link.hear(heardUpdate({ table: { round: 4 } as Update['table'] }));
    expect(link.opening()[1]).toBe(frame);
  });

  it('settles a command once it is done, and never sends it again', async () => {
    const { outcome } = link.ask({ t: 'skip' });
    link.hear(JSON.stringify({ t: 'done', id: 'me-1' }));
    await expect(outcome).resolves.toEqual({ ok: true });
    expect(link.opening()).toHaveLength(1);
    link.hear(JSON.stringify({ t: 'done', id: 'me-1' }));
    expect(link.unanswered).toBe(0);
  });

  it('settles a refused command with its code', async () => {
    const { outcome } = link.ask({ t: 'skip' });
    link.hear(JSON.stringify({ t: 'refused', id: 'me-1', code: 'must_play', detail: '' }));
    await expect(outcome).resolves.toEqual({ ok: false, code: 'must_play', detail: '' });
  });

  it('keeps the distance to the clock of the server', () => {
    link.hear(heardUpdate({ now: 61_000 }));
    expect(link.offset).toBe(60_000);
    link.hear(JSON.stringify({ t: 'pong', n: 1, now: 500 }));
    expect(link.offset).toBe(-500);
  });

  it.each<Bye['why']>(['replaced', 'closed', 'kicked', 'left', 'version', 'unknown_room'])(
    'is over for good after the goodbye %s',
    async (why) => {
      const { outcome } = link.ask({ t: 'seen' });
      link.hear(JSON.stringify({ t: 'bye', why }));
      expect(link.isFinal).toBe(true);
      expect(farewell).toHaveBeenCalledWith(why);
      await expect(outcome).resolves.toEqual({ ok: false, code: why, detail: '' });
    },
  );

  it('comes back after a server that restarts, with its commands', () => {
    const { frame } = link.ask({ t: 'seen' });
    link.hear(JSON.stringify({ t: 'bye', why: 'restarting' }));
    expect(link.isFinal).toBe(false);
    expect(farewell).not.toHaveBeenCalled();
    expect(link.opening()).toContain(frame);
  });
});

describe('the pause before an attempt', () => {
  it('doubles from half a second up to two, and is long once the server has been away for long', () => {
    expect([0, 1, 2, 3, 7, 8, 50].map((attempt) => pauseBefore(attempt, 1))).toEqual([
      500, 1_000, 2_000, 2_000, 2_000, 15_000, 15_000,
    ]);
  });

  it('is drawn from all of that span', () => {
    expect(pauseBefore(3, 0)).toBe(0);
    expect(pauseBefore(3, 0.5)).toBe(1_000);
  });
});
