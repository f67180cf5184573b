/** What the table waits for and what one may do about it, in one line; and the effects that hold, one line each. */
import type { MarkView, News, TableView } from '../protocol/protocol.gen';
import { fill, speech } from '../words/words.svelte';
import type { Game } from './game.svelte';

/** The line above one's own cards, given the players chosen so far. */
export function statusOf(game: Game, picked: number[]): string {
  const table = game.table;
  if (!table) return '';
  const t = speech.t;
  if (game.paused) return t.absence.paused;
  if (table.announcing) return t.waits.announcement;
  return ownStatus(game, picked) ?? tableStatus(game, table);
}

/** What one is asked oneself, or null. */
function ownStatus(game: Game, picked: number[]): string | null {
  const t = speech.t;
  const offer = game.offer;
  switch (offer?.offer) {
    case 'vote':
      return t.vote.lead;
    case 'pass':
      return t.pass.you_pass;
    case 'targets': {
      if (offer.count !== 2) return t.scroll.pick_player;
      const [first] = picked;
      return first === undefined ? t.scroll.pick_link_first : fill(t.scroll.pick_link_second, { a: game.name(first) });
    }
    case 'row':
      return fill(t.scroll.pick_card, { name: game.name(offer.of) });
    case 'play':
      if (offer.cards.length === 0) return t.play.your_turn_must_skip;
      if (game.player?.drawn) return t.play.your_turn_only_drawn;
      return offer.may_skip ? t.play.your_turn : t.play.your_turn_must_play;
    default:
      return null;
  }
}

/** What the others are waited for. */
function tableStatus(game: Game, table: TableView): string {
  const t = speech.t;
  const [who] = table.awaited;
  const name = who === undefined ? '' : game.name(who);
  // while one still looks at the last round's cards
  if (who !== undefined && who === game.player?.turn && table.phase !== 'vote') return t.table.you_are_next;
  switch (table.phase) {
    case 'vote': {
      const count = fill(t.vote.voted_count, { n: table.voted.length, total: table.seats.length });
      const ballot = game.player?.ballot ?? null;
      return ballot === null ? count : `${fill(t.vote.your_choice, { name: game.name(ballot) })} · ${count}`;
    }
    case 'pass':
      return fill(t.waits.pass, { name });
    case 'scroll':
      return fill(t.waits.scroll, { name });
    case 'play':
      return fill(t.waits.play, { name });
    case 'reveal':
      return t.waits.reveal;
    default:
      return '';
  }
}

/** From whose hand a player has drawn by the scroll that fired last, as the news say. */
export function drawnFrom(news: News[], drawer: number): number | undefined {
  const last = news.findLast((one) => one.news === 'drawn' || one.news === 'scroll_unrolled');
  return last?.news === 'drawn' && last.drawer === drawer ? last.source : undefined;
}

/** A mark of this round as a short text. */
export function effectText(mark: MarkView, game: Pick<Game, 'name' | 'told'>): string {
  const { effects } = speech.t;
  switch (mark.mark) {
    case 'must_play':
      return fill(effects.must_play_who, { name: game.name(mark.turn) });
    case 'only_card': {
      const from = drawnFrom(game.told, mark.turn);
      const name = game.name(mark.turn);
      if (from === undefined) return fill(effects.only_drawn_who, { name });
      return fill(effects.drawn_from_who, { name, from: game.name(from) });
    }
    case 'linked':
      return fill(effects.linked, { a: game.name(mark.leader), b: game.name(mark.follower) });
    case 'acts_last':
      return fill(effects.acts_last_who, { name: game.name(mark.turn) });
    case 'sources_open':
      return effects.sources_open;
    default:
      return mark satisfies never;
  }
}

/** Whether a mark tells this player what to do; to act last is told by the order. */
export function isOn(mark: MarkView, turn: number | undefined): boolean {
  if (mark.mark === 'must_play' || mark.mark === 'only_card') return mark.turn === turn;
  return mark.mark === 'linked' && (mark.leader === turn || mark.follower === turn);
}

/** What binds oneself in this round, each in words; on one's turn the status says itself that one has to play. */
export function constraintsOn(game: Game): string[] {
  const { table, player } = game;
  if (!table || !player) return [];
  const { play } = speech.t;
  const turn = player.turn;
  return table.marks.flatMap((mark) => {
    if (mark.mark === 'must_play' && mark.turn === turn) return game.offer === null ? [play.constraint_must_play] : [];
    if (mark.mark === 'only_card' && mark.turn === turn) {
      const from = drawnFrom(game.told, turn);
      return [
        from === undefined ? play.constraint_only_drawn : fill(play.constraint_drawn_from, { name: game.name(from) }),
      ];
    }
    if (mark.mark !== 'linked') return [];
    if (mark.leader === turn) return [fill(play.constraint_link_first, { b: game.name(mark.follower) })];
    if (mark.follower !== turn) return [];
    const act = table.acts.find((one) => one.turn === mark.leader)?.act;
    const a = game.name(mark.leader);
    if (act === undefined) return [fill(speech.t.board.linked_to, { a })];
    return [fill(act === 'played' ? play.constraint_link_second_play : play.constraint_link_second_skip, { a })];
  });
}
