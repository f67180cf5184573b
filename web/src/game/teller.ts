/** What the log needs to put a game's news into words. */
import { isolated } from '../words/isolate';
import { speech } from '../words/words.svelte';
import type { Picture } from './ended';
import type { Teller } from './log';

export function teller(game: Picture): Teller {
  const rules = game.table?.rules ?? game.room?.settings.rules;
  return {
    t: speech.t,
    name: (turn) => isolated(game.name(turn)),
    list: (parts) => speech.list(parts),
    targets: { activation: rules?.activation_target ?? 0, kill: rules?.kill_target ?? 0 },
  };
}
