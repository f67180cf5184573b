/** Who reads claims: one page's names and lines. */
import type { Game } from '../game/game.svelte';
import { speech } from '../words/words.svelte';
import type { Reader } from './said';

/** Names of the seats of the game that was on when something was claimed, whoever sits there now. */
export function namesThen(game: Game, number: number): (turn: number) => string {
  return (turn) => {
    const sat = game.talk.satAt(number, turn);
    return sat === undefined ? game.name(turn) : game.called(sat.member, sat.name);
  };
}

export function readerOf(game: Game, name = (turn: number) => game.name(turn)): Reader {
  const muted = game.member?.muted ?? [];
  return {
    t: speech.t,
    name,
    list: (parts) => speech.list(parts),
    line: (n) => game.talk.lines.find((one) => one.n === n && !muted.includes(one.member ?? -1)),
  };
}
