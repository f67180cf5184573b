/** The steps of the tutorial: at which picture, what is pointed at, and the one thing to do. Their texts have the same ids. */
import type { Wish } from '../link/link';
import type { Learn } from '../words/learn.zh-TW.gen';
import { type moments, turns } from './tutorial.gen';

export interface Step {
  id: keyof Learn['steps'];
  at: keyof typeof moments;
  /** Selectors; of those that are there and usable the last one is pointed at. */
  points: string[];
  /** What has to be asked of the room; without it one only reads. */
  asks?: (wish: Wish) => boolean;
  /** The round's cards lie open, until one goes on. */
  showsCards?: true;
  /** Something is said here, by a button of the coach. */
  says?: 'refused' | 'heard';
}

const named = (id: string) => `[data-testid="${id}"]`;
const helped = (id: string) => `[data-help="${id}"]`;
const seat = (turn: number) => named(`seat-${String(turn)}`);
const scroll = 'section[aria-labelledby="scroll-title"]';
const only =
  <Kind extends Wish['t']>(kind: Kind, fits: (wish: Extract<Wish, { t: Kind }>) => boolean = () => true) =>
  (wish: Wish) =>
    wish.t === kind && fits(wish as Extract<Wish, { t: Kind }>);

export const steps: Step[] = [
  { id: 'welcome', at: 'reveal', points: [] },
  { id: 'look', at: 'reveal', points: [named('hold-role'), named('seen')], asks: only('seen') },
  { id: 'night', at: 'night', points: [named('sight'), '.sight'] },
  { id: 'goal', at: 'vote', points: ['.tallies', helped('tallies')] },
  {
    id: 'vote',
    at: 'vote',
    points: [seat(turns.adventurer), named('confirm')],
    asks: only('vote', (wish) => wish.target === turns.adventurer),
  },
  { id: 'guard', at: 'first_pass', points: [named('talk'), '.talk'], says: 'refused' },
  {
    id: 'first_pass',
    at: 'first_pass',
    points: [seat(turns.adventurer), named('confirm')],
    asks: only('pass', (wish) => wish.to === turns.adventurer),
  },
  { id: 'forced', at: 'forced', points: [scroll] },
  {
    id: 'forced_play',
    at: 'forced_play',
    points: [named('hand-0'), named('confirm')],
    asks: only('play', (wish) => wish.card === 'mystic'),
  },
  { id: 'activated', at: 'activated', points: [named('resolution')], showsCards: true },
  {
    id: 'peek_whom',
    at: 'peek_whom',
    points: [seat(turns.two_headed), named('confirm')],
    asks: only('targets', (wish) => wish.targets[0] === turns.two_headed),
  },
  { id: 'peek_which', at: 'peek_which', points: [scroll, named('confirm')], asks: only('pick_card') },
  { id: 'peeked', at: 'peeked', points: ['.found', named('found')] },
  { id: 'skip', at: 'skip', points: [named('skip')], asks: only('skip') },
  { id: 'slain', at: 'slain', points: [named('resolution')], showsCards: true },
  { id: 'tell', at: 'second_pass', points: [named('talk'), '.talk'], says: 'heard' },
  {
    id: 'second_pass',
    at: 'second_pass',
    points: [seat(turns.sage), named('confirm')],
    asks: only('pass', (wish) => wish.to === turns.sage),
  },
  { id: 'linked', at: 'linked', points: [scroll] },
  { id: 'lead', at: 'lead', points: [named('skip')], asks: only('skip') },
  { id: 'won', at: 'over', points: [named('resolution')], showsCards: true },
  { id: 'shown', at: 'over', points: [] },
];
