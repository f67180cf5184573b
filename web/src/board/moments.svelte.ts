/** What of the latest news is shown for a while and then gone: motion that tells, never the only place of a fact. */
import type { Game } from '../game/game.svelte';
import { drawnAmong } from '../game/ballots';

const DAWN_MS = 6_000;
const VOTES_MS = 5_000;

export interface Votes {
  ballots: (number | null)[];
  /** Those among whom chance decided; one alone was elected. */
  among: number[];
  first: number;
}

export class Moments {
  isDawn = $state(false);
  votes = $state.raw<Votes | null>(null);
  private timers: ReturnType<typeof setTimeout>[] = [];

  constructor(readonly game: Game) {}

  /** Looks at the news that just came; to be called once for each update. */
  note(): void {
    const news = this.game.live;
    const opened = news.find((one) => one.news === 'vote_opened');
    const first = news.find((one) => one.news === 'first_holder');
    if (news.some((one) => one.news === 'night_over')) {
      this.isDawn = true;
      this.after(DAWN_MS, () => (this.isDawn = false));
    }
    if (opened && first) {
      this.votes = { ballots: opened.ballots, among: drawnAmong(opened.ballots), first: first.turn };
      this.after(VOTES_MS, () => (this.votes = null));
    }
  }

  /** One tap ends what is being shown, for oneself. */
  skip(): void {
    this.stop();
    this.isDawn = false;
    this.votes = null;
  }

  stop(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers = [];
  }

  private after(ms: number, then: () => unknown): void {
    this.timers.push(setTimeout(then, ms));
  }
}
