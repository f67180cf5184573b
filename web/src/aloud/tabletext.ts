/** The table in words, in order: what lies on it for everybody, and what one holds oneself. Built of the view alone. */
import type { Game } from '../game/game.svelte';
import { cardsText, lineOf } from '../game/log';
import { constraintsOn, drawnFrom, effectText, statusOf } from '../game/status';
import { teller } from '../game/teller';
import { choosable } from '../offers/choices';
import type { Card } from '../protocol/protocol.gen';
import { isolated } from '../words/isolate';
import { fill, speech } from '../words/words.svelte';

export interface Part {
  id: string;
  title: string;
  lines: string[];
  /** The lines are in an order that counts. */
  isOrdered?: boolean;
}

const scrollOf = (id: string) =>
  (speech.t.scrolls as Record<string, { name: string; effect: string; lasting: string }>)[id];

/** A player by number and name. */
export function who(game: Game, turn: number): string {
  return fill(speech.t.aloud.seat, { turn, name: isolated(game.name(turn)) });
}
export const everyone = (game: Game, turns: number[]) => speech.list(turns.map((turn) => who(game, turn)));

/** Where the game is and what it waits for. */
export function statusText(game: Game, isOpen: boolean): string[] {
  const { table } = game;
  if (!table) return [];
  const { phases } = speech.t;
  const phase = game.showing ? speech.t.resolution.title : phases[table.phase];
  const round = game.showing?.round ?? table.round;
  return [
    round > 0 ? fill(phases.round_and_phase, { round, phase }) : phase,
    ...(game.showing ? [] : [statusOf(game, []), ...constraintsOn(game)]),
    ...offerText(game, isOpen),
  ].filter((line) => line !== '');
}

/** What one may do now. `isOpen`: one's cards may be named. */
function offerText(game: Game, isOpen: boolean): string[] {
  const { aloud } = speech.t;
  const { offer, player } = game;
  switch (offer?.offer) {
    case 'vote':
    case 'pass':
    case 'targets': {
      const named = choosable(offer, []).map((turn) => (turn === player?.turn ? aloud.you : who(game, turn)));
      return [fill(aloud.may_choose, { names: speech.list(named) })];
    }
    case 'row':
      return [fill(aloud.row, { n: offer.cards })];
    case 'play':
      return [
        ...(offer.cards.length === 0
          ? [aloud.may_play_none]
          : isOpen
            ? [fill(aloud.may_play, { cards: cardsText(offer.cards, teller(game)) })]
            : []),
        offer.may_skip ? aloud.may_skip : aloud.may_not_skip,
      ];
    default:
      return [];
  }
}

export function talliesText(game: Game): string[] {
  const { table, tally } = game;
  if (!table) return [];
  const { resolution } = speech.t;
  return [
    fill(resolution.tally_activated, { n: tally.activated, target: table.rules.activation_target }),
    tally.sage_slain
      ? resolution.tally_sage_slain
      : tally.sage_activated
        ? resolution.tally_sage_activated
        : resolution.tally_sage_waiting,
    fill(resolution.tally_slain, { n: tally.slain, target: table.rules.kill_target }),
  ];
}

/** All that a seat shows to everybody. */
export function seatText(game: Game, turn: number): string {
  const { table, room } = game;
  if (!table) return '';
  const { aloud, common, effects, table: words } = speech.t;
  const seat = room?.seats.find((one) => one.seat === table.seats[turn - 1]);
  const fired = table.fired.find((one) => one.turn === turn);
  const act = game.showing ? undefined : table.acts.find((one) => one.turn === turn)?.act;
  const marks = table.marks.flatMap((mark) => {
    if (mark.mark === 'linked') {
      if (mark.leader === turn) return [fill(aloud.leads, { b: who(game, mark.follower) })];
      return mark.follower === turn ? [fill(aloud.follows, { a: who(game, mark.leader) })] : [];
    }
    if (mark.mark === 'must_play' && mark.turn === turn) return [effects.must_play];
    return mark.mark === 'only_card' && mark.turn === turn ? [effects.only_drawn] : [];
  });
  const isLast = table.acts_last.includes(turn) || table.marks.some((m) => m.mark === 'acts_last' && m.turn === turn);
  return [
    who(game, turn),
    turn === game.player?.turn ? aloud.you : seat?.kind === 'ai' ? common.ai : '',
    seat?.stand_in ? words.seat_stand_in : seat?.kind === 'person' && !seat.online ? words.seat_away : '',
    table.holder === turn ? words.seat_holder : '',
    fill(aloud.cards, { n: table.hand_sizes[turn - 1] ?? 0 }),
    fired ? fill(aloud.opened, { scroll: scrollOf(fired.scroll)?.name ?? fired.scroll }) : aloud.sealed,
    ...marks,
    isLast ? effects.acts_last : '',
    table.phase === 'vote' && table.voted.includes(turn) ? aloud.voted : '',
    actText(game, turn, act),
  ]
    .filter((piece) => piece !== '')
    .join(speech.t.common.comma);
}

function actText(game: Game, turn: number, act: 'empty' | 'played' | 'skipped' | undefined): string {
  const words = speech.t.table;
  if (act === 'played') return words.seat_played;
  if (act === 'skipped') return words.seat_skipped;
  if (act === 'empty') return words.seat_passed_over;
  const { table } = game;
  return table?.awaited.includes(turn) && !table.announcing && !game.showing ? words.seat_acting : '';
}

/** Who acts when, and what each has done; in the other phases, how all sit. */
export function orderText(game: Game): string {
  const { table } = game;
  if (!table) return '';
  const { aloud } = speech.t;
  const order = table.phase === 'play' && !game.showing ? table.order : null;
  if (order === null)
    return fill(aloud.order_turns, {
      names: everyone(
        game,
        Array.from(table.seats, (_, index) => index + 1),
      ),
    });
  const names = order.map((turn) => {
    const act = table.acts.find((one) => one.turn === turn)?.act;
    const done = actText(game, turn, act) || aloud.to_come;
    return fill(speech.t.common.labelled, {
      label: turn === game.player?.turn ? aloud.you : who(game, turn),
      text: done,
    });
  });
  return fill(aloud.order_round, { names: speech.list(names) });
}

/** What lies in the middle: the crystal, a scroll that is read, the cards played. */
function middleText(game: Game): string[] {
  const { table } = game;
  if (!table) return [];
  const { aloud, resolution } = speech.t;
  const crystal = table.holder === null ? aloud.holder_none : fill(aloud.holder, { name: who(game, table.holder) });
  if (game.showing) {
    const cards = cardsText(game.showing.resolved.cards, teller(game));
    return [crystal, cards === '' ? resolution.nothing : fill(resolution.cards_shown, { cards })];
  }
  const fired = table.fired.at(-1);
  const scroll = fired && scrollOf(fired.scroll);
  const isRead = table.choice !== null || table.announcing;
  const targets = table.choice?.targets.length ? table.choice.targets : (fired?.targets ?? []);
  const from = table.choice?.of ?? (fired ? drawnFrom(game.told, fired.turn) : undefined);
  const pile = table.acts.filter((one) => one.act === 'played').length;
  return [
    crystal,
    ...(isRead && scroll
      ? [
          fill(aloud.reading, { name: who(game, fired.turn), scroll: scroll.name, effect: scroll.effect }),
          ...(targets.length > 0
            ? [fill(aloud.chosen, { names: everyone(game, targets) })]
            : from === undefined
              ? []
              : [fill(speech.t.scroll.drawn_from, { name: who(game, from) })]),
        ]
      : []),
    pile > 0 ? fill(aloud.pile, { n: pile }) : aloud.pile_none,
  ];
}

/** One's own cards; `isOpen` is false where others may see or hear them and one has not asked. */
export function handText(game: Game, isOpen: boolean): string[] {
  const { aloud, announce, reveal } = speech.t;
  const { player, table } = game;
  if (!player) return [aloud.hand_none];
  if (table?.phase === 'reveal') return [fill(aloud.hand_look, { button: reveal.hold_to_see })];
  if (!isOpen) return [aloud.hand_hidden];
  if (player.hand.length === 0) return [announce.hand_empty];
  const kept: Card[] = player.drawn === null ? player.hand : player.hand.slice(0, -1);
  const drawn = player.drawn === null ? [] : [fill(aloud.drawn, { card: speech.t.roles[player.drawn].name })];
  const cards = speech.list([...(kept.length > 0 ? [cardsText(kept, teller(game))] : []), ...drawn]);
  return [fill(announce.hand, { cards }), ...(game.offer?.offer === 'play' ? offerText(game, true) : [])];
}

/** The events so far, each in a line, the latest last. */
export function eventsText(game: Game): string[] {
  return game.told.map((news) => lineOf(news, teller(game))).filter((line) => line !== null);
}

/** How long there is for what is waited for. */
export function timeText(game: Game): string {
  const { aloud, announce } = speech.t;
  const { left } = game;
  if (game.paused) return left === null ? aloud.paused : `${aloud.paused} ${fill(announce.time_left, { n: left })}`;
  if (!game.room?.wait) return aloud.no_wait;
  return left === null ? aloud.no_limit : fill(announce.time_left, { n: left });
}

const LATEST = 5;

export function readTable(game: Game, isOpen: boolean): Part[] {
  const { table } = game;
  if (!table) return [];
  const { aloud, table: words } = speech.t;
  const turns = Array.from(table.seats, (_, index) => index + 1);
  const effects = table.marks.map((mark) => effectText(mark, game));
  const events = eventsText(game).slice(-LATEST).reverse();
  return [
    { id: 'now', title: aloud.now, lines: [...statusText(game, isOpen), timeText(game)] },
    { id: 'tallies', title: aloud.tallies, lines: talliesText(game) },
    { id: 'middle', title: aloud.middle, lines: middleText(game) },
    { id: 'hand', title: aloud.hand, lines: handText(game, isOpen) },
    { id: 'seats', title: aloud.seats, lines: turns.map((turn) => seatText(game, turn)), isOrdered: true },
    { id: 'order', title: aloud.ask_order, lines: [orderText(game)] },
    { id: 'effects', title: words.effects, lines: effects.length > 0 ? effects : [aloud.nothing] },
    { id: 'last', title: aloud.last, lines: events.length > 0 ? events : [aloud.events_none] },
  ];
}
