/** News as what is said aloud about it: in brief what one must know to go on, in full all that happens. */
import type { Game } from '../game/game.svelte';
import { cardsText, lineOf, reasonText } from '../game/log';
import { teller } from '../game/teller';
import type { News, Resolved } from '../protocol/protocol.gen';
import { isolated } from '../words/isolate';
import { fill, speech } from '../words/words.svelte';
import { everyone, orderText, who } from './tabletext';
import { joined } from './voice.svelte';

/** What is said about these news, which came together. `isFull`: as one has chosen. */
export function toldAloud(news: News[], game: Game, isFull: boolean): string[] {
  return news.map((one) => aloud(one, news, game, isFull)).filter((text) => text !== null && text !== '') as string[];
}

function aloud(news: News, all: News[], game: Game, isFull: boolean): string | null {
  const t = speech.t;
  const me = game.player?.turn;
  const line = () => lineOf(news, teller(game));
  switch (news.news) {
    // the night is told by its seconds, cards as they lie open
    case 'night_fell':
    case 'resolved':
    case 'row_laid':
    case 'announcement_over':
      return null;
    case 'night_over':
      return joined([t.announce.day, t.night.dawn]);
    case 'voted':
      return isFull ? line() : null;
    case 'vote_opened':
      return votesText(news.ballots, game);
    case 'round_started': {
      const passed = all.find((one) => one.news === 'passed');
      const holder = passed?.giver ?? game.table?.holder ?? null;
      if (holder === null) return line();
      return holder === me
        ? fill(t.announce.round_yours, { n: news.number })
        : fill(t.announce.round, { n: news.number, name: isolated(game.name(holder)) });
    }
    case 'passed':
      return news.to === me ? joined([line() ?? '', t.announce.crystal_to_you]) : line();
    case 'scroll_unrolled': {
      const words = (t.scrolls as Record<string, { name: string; effect: string; lasting: string }>)[news.scroll];
      if (!isFull || !words) return line();
      const { name: scroll, effect, lasting } = words;
      return fill(t.aloud.scroll_long, { name: who(game, news.turn), scroll, effect, lasting });
    }
    case 'given':
      return news.to === me ? t.log.given_to_you : line();
    case 'order_set':
      return isFull ? orderText(game) : null;
    case 'acted':
      if (news.turn === me) return ownAct(news.act);
      return isFull ? line() : null;
    case 'ended':
      return fill(t.announce.game_over, {
        winner: t.factions[news.winner],
        reason: reasonText(news.reason, news.winner, teller(game)),
      });
    case 'first_holder':
    case 'targets_named':
    case 'drawn':
    case 'peeked':
    case 'mark_set':
    case 'scroll_done':
      return line();
    default:
      return news satisfies never;
  }
}

/** Not by its name: others may hear it, and `h` tells it. */
function ownAct(act: 'empty' | 'played' | 'skipped'): string {
  const { announce, aloud: words } = speech.t;
  return { skipped: announce.you_skipped, played: words.you_played, empty: announce.hand_empty }[act];
}

function votesText(ballots: (number | null)[], game: Game): string {
  const { aloud: words, vote } = speech.t;
  const votes = new Map<number, number>();
  for (const turn of ballots) if (turn !== null) votes.set(turn, (votes.get(turn) ?? 0) + 1);
  if (votes.size === 0) return vote.no_votes;
  const named = [...votes].sort((a, b) => b[1] - a[1]);
  const names = speech.list(named.map(([turn, n]) => fill(words.votes_for, { name: who(game, turn), n })));
  const most = named.filter(([, n]) => n === named[0]?.[1]).map(([turn]) => turn);
  const tie = most.length > 1 ? [fill(vote.tie, { names: everyone(game, most) })] : [];
  return joined([fill(words.votes, { names }), ...tie]);
}

/** A round's cards, once they lie open: in one sentence how it came out, and whose they were where that is open. */
export function resolvedAloud(resolved: Resolved, game: Game): string {
  const t = speech.t;
  const rules = game.table?.rules;
  const { activated, slain } = resolved.tally;
  const text = fill(t.announce.resolved, {
    cards: cardsText(resolved.cards, teller(game)) || t.common.none,
    ...{ activated, slain, target: rules?.activation_target ?? '', kill: rules?.kill_target ?? '' },
  });
  const before = game.showing?.before;
  const sage =
    resolved.tally.sage_activated && before?.sage_activated === false
      ? t.resolution.sage_activated
      : resolved.cards.includes('sage') && resolved.cards.some((card) => card.endsWith('dragon'))
        ? t.resolution.sage_slain
        : '';
  const sources = (resolved.sources ?? []).map((turn, index) => {
    const card = resolved.cards[index];
    return fill(t.aloud.source, { name: who(game, turn), card: card ? t.roles[card].name : '' });
  });
  return joined([text, sage, speech.list(sources)]);
}

/** Who played and who skipped, in one line: what was not told one by one. */
export function actsAloud(game: Game): string {
  const { aloud: words } = speech.t;
  const acts = game.table?.past.at(-1)?.acts ?? [];
  const of = (act: string) => acts.filter((one) => one.act === act).map((one) => one.turn);
  const [played, skipped] = [of('played'), of('skipped')];
  return joined([
    played.length > 0 ? fill(words.played, { names: everyone(game, played) }) : '',
    skipped.length > 0 ? fill(words.skipped, { names: everyone(game, skipped) }) : '',
  ]);
}

/** What the reading of a scroll shows to oneself alone. */
export function privateText(game: Game): string[] {
  const { table, player } = game;
  if (!table?.announcing || !player || table.phase === 'over') return [];
  const t = speech.t;
  return [
    ...player.knows_cards.map((one) =>
      fill(t.scroll.you_peeked, { name: who(game, one.turn), card: t.roles[one.card].name }),
    ),
    ...player.knows_roles.map((one) =>
      fill(t.common.labelled, { label: t.roles[one.role].name, text: who(game, one.turn) }),
    ),
  ];
}
