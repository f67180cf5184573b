/** A replay as whole pictures, one after the other, and what an eye sees in each. No rule is in here: the server says all. */
import type {
  Card,
  News,
  PlayedView,
  PlayerView,
  Replay,
  Role,
  RoundView,
  ScrollUnrolled,
  TableView,
} from '../protocol/protocol.gen';

/** Whose eyes: a player's turn, or null for all of them together. */
export type Eye = number | null;

/** One moment: what has just happened, and the table after it. `players` has each player's own view, by turn. */
export interface Scene {
  moves: number;
  news: News[];
  table: TableView;
  players: PlayerView[];
}

/** The whole pictures, put together from what differs from one to the next. */
export function scenesOf(replay: Replay): Scene[] {
  let table: Partial<TableView> = {};
  let players: Partial<PlayerView>[] = [];
  return replay.moments.map((moment) => {
    table = { ...table, ...moment.table };
    players = [...players];
    for (const change of moment.players) {
      const at = (change.turn ?? 0) - 1;
      players[at] = { ...players[at], ...change };
    }
    // the first moment has every field
    return { moves: moment.moves, news: moment.news, table: table as TableView, players: players as PlayerView[] };
  });
}

/** Where each round begins: what came before the first round, then each round, by their first scenes. */
export function roundStarts(scenes: Scene[]): number[] {
  const starts = [0];
  scenes.forEach((scene, at) => {
    if (scene.news.some((one) => one.news === 'round_started')) starts.push(at);
  });
  return starts;
}

/** Which of the starts a scene belongs to. */
export const roundAt = (starts: number[], at: number): number => starts.findLastIndex((start) => start <= at);

/** What a step is, for its colour and shape on the timeline. */
export type Kind =
  'deal' | 'night' | 'vote' | 'round' | 'scroll' | 'played' | 'skipped' | 'activated' | 'slain' | 'over';

const KINDS: Partial<Record<News['news'], Kind>> = {
  night_fell: 'night',
  night_over: 'night',
  voted: 'vote',
  vote_opened: 'vote',
  round_started: 'round',
  passed: 'scroll',
  targets_named: 'scroll',
  drawn: 'scroll',
  peeked: 'scroll',
  scroll_done: 'scroll',
  ended: 'over',
};

export function kindOf(scene: Scene): Kind {
  const [first] = scene.news;
  if (!first) return 'deal';
  if (first.news === 'acted') return first.act === 'played' ? 'played' : 'skipped';
  if (first.news === 'resolved') return first.cards.some(isDragon) ? 'slain' : 'activated';
  return KINDS[first.news] ?? 'round';
}

export const isDragon = (card: string): boolean => card.endsWith('dragon');

/** Whose own views an eye has. */
export function seenBy(scene: Scene, eye: Eye): PlayerView[] {
  return eye === null ? scene.players : scene.players.filter((one) => one.turn === eye);
}

/** What an eye knows about a player at a moment. A card of a hand that it does not know is null. */
export interface Known {
  role: Role | null;
  hand: (Card | null)[];
  scroll: string | null;
  /** The card in the middle. */
  played: Card | null;
  /** Whom they vote for, null for nobody; undefined where nothing is known. */
  ballot: number | null | undefined;
  /** Seen in the night by the eye that looks. */
  seen: boolean;
}

export function known(scene: Scene, eye: Eye, turn: number): Known {
  const { table } = scene;
  const at = turn - 1;
  const own = seenBy(scene, eye).find((one) => one.turn === turn);
  const fired = table.fired.find((one) => one.turn === turn)?.scroll ?? null;
  const hasVoted = table.phase === 'vote' && table.voted.includes(turn);
  const isOpened = scene.news.some((one) => one.news === 'vote_opened');
  const ballot = isOpened ? table.ballots?.[at] : hasVoted ? own?.ballot : undefined;
  if (own)
    return {
      role: own.role,
      hand: own.hand,
      scroll: own.scroll,
      played: own.played,
      ballot,
      seen: seesAtNight(scene, eye, turn),
    };
  const viewer = scene.players.find((one) => one.turn === eye);
  const cards: (Card | null)[] = (viewer?.knows_cards ?? []).filter((one) => one.turn === turn).map((one) => one.card);
  const size = table.hand_sizes[at] ?? 0;
  return {
    role: table.reveal?.roles[at] ?? viewer?.knows_roles.find((one) => one.turn === turn)?.role ?? null,
    hand: table.reveal?.hands[at] ?? Array.from({ length: size }, (_, place) => cards[place] ?? null),
    scroll: fired ?? table.reveal?.scrolls[at] ?? null,
    played: null,
    ballot,
    seen: seesAtNight(scene, eye, turn),
  };
}

function seesAtNight(scene: Scene, eye: Eye, turn: number): boolean {
  if (scene.table.phase !== 'night') return false;
  return seenBy(scene, eye).some((one) => one.night?.includes(turn));
}

/** Who played which card in the rounds past, as far as an eye knows; everything after the end. */
export function playsSeen(scene: Scene, eye: Eye): PlayedView[][] {
  if (scene.table.reveal) return scene.table.reveal.plays;
  const seen = seenBy(scene, eye);
  return scene.table.past.map((_, round) =>
    seen.flatMap((one) => {
      const card = one.plays[round];
      return card ? [{ turn: one.turn, card }] : [];
    }),
  );
}

/** The table with the plays that an eye knows, for the record of the rounds. */
export function opened(scene: Scene, eye: Eye): TableView {
  const reveal = { roles: [], hands: [], scrolls: [], plays: playsSeen(scene, eye) };
  return { ...scene.table, reveal: scene.table.reveal ?? reveal };
}

/** What lies in the middle: this round's cards, or those just resolved, with their players as far as known. */
export interface Laid {
  turn: number | null;
  card: Card | null;
}

export function laid(scene: Scene, eye: Eye): Laid[] {
  const resolved = scene.news.find((one) => one.news === 'resolved');
  const round = scene.table.past.at(-1);
  if (resolved && round) return shown(round, playsSeen(scene, eye).at(-1) ?? []);
  if (scene.table.phase !== 'play') return [];
  return scene.table.acts
    .filter((one) => one.act === 'played')
    .map(({ turn }) => ({ turn, card: known(scene, eye, turn).played }));
}

/** The cards as they were shown, each with its player where that is known. */
function shown(round: RoundView, plays: PlayedView[]): Laid[] {
  const left = [...plays];
  return round.cards.map((card, at) => {
    const source = round.sources?.[at];
    if (source !== undefined) return { turn: source, card };
    const found = left.findIndex((one) => one.card === card);
    const [play] = found < 0 ? [] : left.splice(found, 1);
    return { turn: play?.turn ?? null, card };
  });
}

/** The scroll that is being read at this moment. */
export function unrolled(scene: Scene): ScrollUnrolled['scroll'] | null {
  const { table } = scene;
  return table.choice || table.announcing ? (table.fired.at(-1)?.scroll ?? null) : null;
}

export interface Spot {
  x: number;
  y: number;
}

const EDGE_PX = 4;
/** How many sit along the lower edge, on each side between the edges, and along the upper edge, by table size. */
const SIDES: Record<number, readonly [number, number, number]> = {
  5: [1, 1, 2],
  6: [1, 1, 3],
  7: [1, 2, 2],
  8: [3, 1, 3],
  9: [3, 2, 2],
  10: [3, 2, 3],
};

/** Centres of all seats round the table: the first in the middle of the lower edge, the next one to its left. */
export function ringSpots(count: number, w: number, h: number, sw: number, sh: number): Spot[] {
  const [low, side, top] = SIDES[count] ?? [3, 2, 3];
  const left = sw / 2 + EDGE_PX;
  const upper = sh / 2 + EDGE_PX;
  const at = (x: number, y: number): Spot => ({ x: left + x * (w - 2 * left), y: upper + y * (h - 2 * upper) });
  const rows = Array.from({ length: side }, (_, row) => (row + 1) / (side + (low === 1 ? 0.5 : 1)));
  const corners = low === 1 ? [] : [1];
  return [
    at(0.5, 1),
    ...corners.map((y) => at(0, y)),
    ...rows.toReversed().map((y) => at(0, y)),
    ...(top === 3 ? [0, 0.5, 1] : [0.18, 0.82]).map((x) => at(x, 0)),
    ...rows.map((y) => at(1, y)),
    ...corners.map((y) => at(1, y)),
  ];
}
