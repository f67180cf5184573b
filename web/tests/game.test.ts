import { expect, it, vi } from 'vitest';

import { keptOf } from '../src/game/contribution';
import { Game } from '../src/game/game.svelte';
import type { LinkEvents, Wish } from '../src/link/link';
import type { News, RoundView, TallyView, Update } from '../src/protocol/protocol.gen';

const room = vi.hoisted(() => ({ events: null as LinkEvents | null, asked: [] as Wish[] }));
vi.mock('../src/link/socket', () => ({
  openRoom: (_code: string, events: LinkEvents) => {
    room.events = events;
    return {
      ask: (wish: Wish) => {
        room.asked.push(wish);
        return Promise.resolve({ ok: true });
      },
      now: () => 0,
      close: () => undefined,
    };
  },
}));

const NOTHING: TallyView = { sage_activated: false, activated: 0, slain: 0, sage_slain: false };
const AFTER: TallyView = { ...NOTHING, activated: 1 };
const RESOLVED: News = { news: 'resolved', cards: ['adventurer'], sources: null, tally: AFTER };

function update(over: object, past: Partial<RoundView>[] = [], tally = NOTHING): Update {
  return {
    t: 'update',
    now: 0,
    room: { commitment: 'c', seats: [], wait: null },
    table: { past, tally, announcing: false, seats: [] },
    you: { member: { wanted: null, muted: [] }, player: { offer: { offer: 'pass', targets: [2] } } },
    game: 1,
    heard: 0,
    fresh: false,
    news: [],
    ...over,
  } as unknown as Update;
}
function opened() {
  const game = new Game('ABC234');
  game.open();
  const hear = (one: Update) => room.events?.update(one);
  return { game, hear };
}

it('tells nothing of a round before its cards have been shown', () => {
  const { game, hear } = opened();
  hear(update({ fresh: true, news: [{ news: 'round_started', number: 1 }] }));
  hear(update({ news: [RESOLVED, { news: 'round_started', number: 2 }] }, [{ tally: AFTER }], AFTER));
  expect(game.tally).toEqual(NOTHING);
  expect(game.past).toEqual([]);
  expect(game.told).toEqual([{ news: 'round_started', number: 1 }]);
  expect(game.offer).toBeNull();
  game.stopShowing();
  expect(game.tally).toEqual(AFTER);
  expect(game.past).toHaveLength(1);
  expect(game.told).toHaveLength(3);
  expect(game.offer).not.toBeNull();
  game.close();
});

it('shows no old round again to whoever comes back', () => {
  const { game, hear } = opened();
  hear(update({ fresh: true, news: [RESOLVED] }, [{ tally: AFTER }], AFTER));
  expect(game.showing).toBeNull();
  expect(game.past).toHaveLength(1);
  game.close();
});

it('gives its random bytes when it is asked, once while the answer is awaited', () => {
  const { game, hear } = opened();
  room.asked = [];
  const wanted = update({ you: { member: { wanted: 16, muted: [] }, player: null } });
  hear(wanted);
  hear(wanted);
  const { code, game: number } = wanted.room;
  const bytes = keptOf(code, number + 1)?.bytes ?? '';
  expect(bytes).toHaveLength(32);
  expect(room.asked).toEqual([{ t: 'contribute', bytes }]);
  game.close();
});

it('keeps the result while the room goes on, until the next game is dealt', () => {
  const { game, hear } = opened();
  const seats = [{ seat: 1, name: 'Alice' }];
  const room = (stage: string) => ({ room: { stage, commitment: stage, seats, wait: null } });
  hear(update({ ...room('over'), table: { past: [], seats: [1], announcing: false } }));
  hear(update({ ...room('waiting'), table: null }));
  expect(game.table).toBeNull();
  expect(game.ended?.name(1)).toBe('Alice');
  expect(game.ended?.room.commitment).toBe('over');
  hear(update(room('game')));
  expect(game.ended).toBeNull();
  game.close();
});

it('names nobody on a result whom one has muted since, nor anybody else less than before', () => {
  const { game, hear } = opened();
  const seats = [1, 2].map((seat) => ({ seat, member: seat, name: `P${String(seat)}` }));
  const room = (stage: string, muted: number[]) => ({
    room: { stage, commitment: stage, seats, watchers: [], wait: null },
    you: { member: { wanted: null, muted }, player: null },
  });
  hear(update({ ...room('over', []), table: { past: [], seats: [1, 2], announcing: false } }));
  const names = () => [game.ended?.name(1), game.ended?.name(2)];
  hear(update({ ...room('waiting', [2]), table: null }));
  expect(names()).toEqual(['P1', '已靜音的玩家 2']);
  hear(update({ ...room('waiting', []), table: null }));
  expect(names()).toEqual(['P1', 'P2']);
  game.close();
});

it('leaves a game only when one is sure, and the waiting room at once', async () => {
  const { game, hear } = opened();
  room.asked = [];
  const at = (stage: string) => update({ room: { stage, commitment: 'c', seats: [], wait: null } });
  hear(at('game'));
  void game.leave();
  expect(game.leaving).not.toBeNull();
  game.leaving?.(false);
  await Promise.resolve();
  expect([game.leaving, room.asked]).toEqual([null, []]);
  const left = game.leave();
  game.leaving?.(true);
  await left;
  expect(room.asked).toEqual([{ t: 'leave' }]);
  hear(at('waiting'));
  await game.leave();
  expect(room.asked).toHaveLength(2);
  game.close();
});

it('keeps a result through a reload until the next game is dealt', () => {
  sessionStorage.clear();
  const over = (stage: string, game: number) =>
    update({ fresh: true, game, room: { code: 'ABC234', commitment: 'c', seats: [], wait: null, stage, game } });
  opened().hear(over('over', 3));
  const { game, hear } = opened();
  hear(over('waiting', 3));
  expect(game.ended?.update.game).toBe(3);
  hear(over('game', 4));
  expect(game.ended).toBeNull();
  hear(over('waiting', 4));
  expect(game.ended).toBeNull();
});
