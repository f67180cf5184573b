/** A step in words: the log's lines, and what the eye that looks knows besides. */
import { lineOf, type Teller } from '../game/log';
import type { Card, News } from '../protocol/protocol.gen';
import { fill } from '../words/fill';
import { type Eye, known, type Scene, seenBy } from './course';

export interface Line {
  text: string;
  /** Not everybody knew it then. */
  isPrivate: boolean;
}

const open = (text: string): Line => ({ text, isPrivate: false });
const secret = (text: string): Line => ({ text, isPrivate: true });

/** All lines of a step. The first moment, the deal, has no news. */
export function linesOf(scene: Scene, eye: Eye, teller: Teller): Line[] {
  if (scene.news.length === 0) return [open(teller.t.log.began)];
  return scene.news.flatMap((news) => [...told(news, scene, eye, teller), ...besides(news, scene, eye, teller)]);
}

/** What everybody heard; where the eye knows more of the same thing, that instead. */
function told(news: News, scene: Scene, eye: Eye, teller: Teller): Line[] {
  const { t, name } = teller;
  if (news.news === 'voted') {
    const { ballot } = known(scene, eye, news.turn);
    if (ballot === null) return [secret(fill(t.log.abstained, { name: name(news.turn) }))];
    if (ballot !== undefined) return [secret(fill(t.log.voted, { name: name(news.turn), target: name(ballot) }))];
  }
  if (news.news === 'acted' && news.act === 'played') {
    const { played } = known(scene, eye, news.turn);
    if (played) return [secret(fill(t.replay.played_card, { name: name(news.turn), card: cardName(played, teller) }))];
  }
  const text = lineOf(news, teller);
  return text === null ? [] : [open(text)];
}

/** What the eye saw that others did not. */
function besides(news: News, scene: Scene, eye: Eye, teller: Teller): Line[] {
  const { t, name, list } = teller;
  const seen = seenBy(scene, eye);
  switch (news.news) {
    case 'night_fell': {
      const set = scene.table.seats.map((_, at) => at + 1).filter((turn) => known(scene, eye, turn).seen);
      if (eye === null) return [secret(fill(t.replay.night_set, { names: list(set.map(name)) }))];
      const text = set.length > 0 ? t.replay.night_saw : t.replay.night_nobody;
      return [secret(fill(text, { name: name(eye), names: list(set.map(name)) }))];
    }
    case 'vote_opened': {
      const ballots = news.ballots.map((target, at) =>
        target === null
          ? fill(t.replay.ballot_none, { name: name(at + 1) })
          : fill(t.replay.ballot, { name: name(at + 1), target: name(target) }),
      );
      return [open(list(ballots))];
    }
    case 'drawn': {
      const drawer = seen.find((one) => one.turn === news.drawer)?.hand.at(-1);
      const source = seen.find((one) => one.turn === news.source);
      const card = drawer ?? source?.knows_cards.findLast((one) => one.turn === news.drawer)?.card;
      return card ? [secret(fill(t.replay.drawn_card, { name: name(news.drawer), card: cardName(card, teller) }))] : [];
    }
    case 'peeked': {
      const found = seen.find((one) => one.turn === news.turn)?.knows_cards.findLast((one) => one.turn === news.of);
      if (!found) return [];
      const values = { name: name(news.turn), target: name(news.of), card: cardName(found.card, teller) };
      return [secret(fill(t.replay.peeked_card, values))];
    }
    case 'scroll_done': {
      const roles = scene.table.announcing ? (seen.find((one) => one.turn === news.turn)?.knows_roles ?? []) : [];
      if (roles.length === 0) return [];
      const learnt = roles.map((one) =>
        fill(t.common.labelled, { label: t.roles[one.role].name, text: name(one.turn) }),
      );
      return [secret(fill(t.replay.learned, { name: name(news.turn), roles: list(learnt) }))];
    }
    default:
      return [];
  }
}

const cardName = (card: Card, teller: Teller): string => teller.t.roles[card].name;
