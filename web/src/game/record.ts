/** The columns of the public record: the rounds that are over, and the one that is on, of which less is known. */
import type { RoundView } from '../protocol/protocol.gen';
import type { Picture } from './ended';

export type Column = Pick<RoundView, 'number' | 'holder' | 'acts' | 'marks' | 'cards' | 'sources'> & {
  /** Null while the holder has not passed the crystal. */
  giver: number | null;
  /** Null while none has fired. */
  scroll: string | null;
  isOver: boolean;
};

/** What they need of a game. */
export type Recorded = Pick<Picture, 'table' | 'past' | 'showing'>;

export function columnsOf(game: Recorded): Column[] {
  const over = game.past.map((past) => ({ ...past, scroll: past.fired.scroll, isOver: true }));
  const now = running(game);
  return now ? [...over, now] : over;
}

/** The round that is on, or whose cards still lie to be flipped: those are not told before. */
function running({ table, past, showing }: Recorded): Column | null {
  const shown = showing ? table?.past[past.length] : undefined;
  if (shown) return { ...shown, scroll: shown.fired.scroll, cards: [], sources: null, isOver: false };
  if (!table || table.phase === 'over' || table.round <= past.length || table.holder === null) return null;
  const { round: number, giver, holder, acts, marks } = table;
  const scroll = table.fired.find((one) => one.round === number)?.scroll ?? null;
  return { number, giver, holder, scroll, acts, marks, cards: [], sources: null, isOver: false };
}
