/** The hints of a first game: one line at the moment at which something happens for the first time on this device. */
import type { Game } from '../game/game.svelte';
import type { Help } from '../words/help.zh-TW.gen';

export type Hint = keyof Help['hints'];
const KEY = 'cinderforge.hints';

/** What of a game the hints look at: only what this player is shown. */
export type Moment = Pick<Game, 'table' | 'player' | 'offer' | 'showing' | 'room'>;

/** What there is to be said now, the most pressing first. */
export function hintsAt({ table, player, offer, showing, room }: Moment): Hint[] {
  if (!table || !player || room?.stage !== 'game') return [];
  const me = player.turn;
  const marks = table.marks;
  const fired = table.fired.at(-1);
  const cards = showing?.resolved.cards ?? [];
  const hasDragon = cards.some((card) => card.endsWith('dragon'));
  const hasPersons = cards.some((card) => card !== 'blank' && !card.endsWith('dragon'));
  // a round in which all see whose card is whose: what is said of hidden ones would be false
  const isOpen = marks.some((one) => one.mark === 'sources_open') || Boolean(showing?.resolved.sources);
  const hints: (Hint | false | undefined)[] = [
    hasPersons && (hasDragon ? 'slain' : 'activated'),
    showing !== null && !isOpen && 'resolution',
    table.phase === 'night' && 'night',
    offer?.offer === 'vote' && 'vote',
    offer?.offer === 'pass' && 'pass',
    offer?.offer === 'targets' && 'choose',
    offer?.offer === 'play' && marks.some((one) => one.mark === 'must_play' && one.turn === me) && 'must_play',
    offer?.offer === 'play' &&
      marks.some((one) => one.mark === 'linked' && (one.leader === me || one.follower === me)) &&
      'linked',
    offer?.offer === 'play' && player.drawn === null && !isOpen && 'play',
    table.announcing && fired?.turn === me && 'received',
    table.announcing && fired?.turn !== me && 'scroll',
    (table.phase === 'vote' || table.phase === 'pass') && 'talk',
  ];
  return hints.filter((one): one is Hint => typeof one === 'string');
}

function read(): string[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(found) ? found.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

/** Which hints have been given on this device. */
export class Given {
  private given = read();

  has(hint: Hint): boolean {
    return this.given.includes(hint);
  }
  get count(): number {
    return this.given.length;
  }
  add(hint: Hint): void {
    if (this.has(hint)) return;
    this.given = [...this.given, hint];
    localStorage.setItem(KEY, JSON.stringify(this.given));
  }
}

/** All hints are given once more. */
export function forgetHints(): void {
  localStorage.removeItem(KEY);
}
