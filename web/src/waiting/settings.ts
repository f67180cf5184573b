/** A room's settings in words, and what has changed between two of them. No page in it. */
import type { Game } from '../game/game.svelte';
import type { MeasuredView, RoomSettingsView, TimersView } from '../protocol/protocol.gen';
import { fill } from '../words/fill';
import type { Words } from '../words/zh-TW.gen';

/** How many may sit (R2.6). */
export const SEATS = [5, 6, 7, 8, 9, 10];
export const MOST_SEATS = Math.max(...SEATS);

export type TimerKey = keyof TimersView;
export const TIMERS: TimerKey[] = ['reveal', 'vote', 'passing', 'scroll', 'play', 'away'];

/** A change as it is told: which control, its name, its new value. */
export interface Change {
  key: string;
  name: string;
  value: string;
}

/** What the host is called here: one may have muted them, too. */
export function hostOf(game: Pick<Game, 'room' | 'called'>): string {
  const { room } = game;
  const all = room ? [...room.seats, ...room.watchers] : [];
  const host = all.find((one) => one.member !== null && one.member === room?.host);
  return host ? game.called(host.member, host.name) : '';
}

export function summaryOf(settings: RoomSettingsView, t: Words): string {
  const texts = t.settings as Record<string, string>;
  return fill(t.create.summary, {
    seats: settings.rules.seats,
    target: settings.rules.activation_target,
    kill: settings.rules.kill_target,
    timers: texts[`timers_${settings.preset}_label`] ?? settings.preset,
  });
}

/** What an AI level is called, and where it stands among those there are: 1 is the weakest. */
export function levelText(level: string | null, levels: string[], t: Words): string {
  const name = (t.settings as Record<string, string>)[`ai_level_${level ?? ''}`] ?? level ?? '';
  const at = levels.indexOf(level ?? '');
  return at < 0 ? name : fill(t.settings.ai_level_nth, { level: name, n: at + 1 });
}

/** A measured share in percent with half of its 95 % interval, and the mean length of a game, as they are written. */
export function figuresOf(one: MeasuredView): Record<'percent' | 'margin' | 'rounds' | 'games', string> {
  const share = one.wins / one.games;
  return {
    percent: `${(100 * share).toFixed(0)}\u00a0%`,
    margin: (196 * Math.sqrt((share * (1 - share)) / one.games)).toFixed(1),
    rounds: (one.rounds / one.games).toFixed(1),
    games: String(one.games),
  };
}

export function secondsText(seconds: number | null, key: TimerKey, t: Words): string {
  if (seconds === null) return key === 'away' ? t.settings.never : t.common.no_limit;
  return fill(t.common.seconds, { n: seconds });
}

export function delayText(seconds: number, t: Words): string {
  return seconds === 0 ? t.settings.spectator_delay_none : fill(t.common.seconds, { n: seconds });
}

/** Every setting by the name of its control: its own name and its value in words, in the order of the form. */
export function told(settings: RoomSettingsView, t: Words, levels: string[] = []): Change[] {
  const s = t.settings as Record<string, string>;
  const rules = settings.rules;
  const onOff = (value: boolean) => (value ? t.common.on : t.common.off);
  const of = (key: string, value: string | number): Change => ({ key, name: s[key] ?? key, value: String(value) });
  return [
    of('seats', rules.seats),
    of('activation_target', rules.activation_target),
    of('kill_target', rules.kill_target),
    of('first_holder', s[`first_holder_${rules.first_holder}`] ?? rules.first_holder),
    of('sage_slain_ends', onOff(rules.sage_slain_ends)),
    of('act_last_lasts', s[`act_last_lasts_${rules.act_last_lasts}`] ?? rules.act_last_lasts),
    of('memory_aid', onOff(rules.memory_aid)),
    { key: 'preset', name: t.settings.timers, value: s[`timers_${settings.preset}`] ?? settings.preset },
    ...TIMERS.map((key) => of(`timer_${key}`, secondsText(settings.timers[key], key, t))),
    of('ai_level', levelText(settings.ai_level, levels, t)),
    of('public', settings.public ? t.settings.public_yes : t.settings.public_no),
    of('spectators', onOff(settings.spectators)),
    of('spectator_delay', delayText(settings.spectator_delay, t)),
    of('ai_talk', onOff(settings.ai_talk)),
    of('chat_guard', s[`chat_guard_${settings.chat_guard}`] ?? settings.chat_guard),
  ];
}

export function changesBetween(before: RoomSettingsView, after: RoomSettingsView, t: Words): Change[] {
  const old = new Map(told(before, t).map((one) => [one.key, one.value]));
  return told(after, t).filter((one) => old.get(one.key) !== one.value);
}

/** What is told of several changes: a new preset stands for all the timers that come with it. */
export function worthTelling(changes: Change[]): Change[] {
  return changes.some((one) => one.key === 'preset' && changes.length > 2)
    ? changes.filter((one) => !one.key.startsWith('timer_'))
    : changes;
}

/** The stops of a timer's slider, in seconds; its last stop is no limit. A value in between gets a stop of its own. */
const STOPS = [5, 8, 10, 12, 15, 20, 25, 30, 45, 60, 90, 120, 180, 240, 300, 600];
export function stopsWith(seconds: number | null): (number | null)[] {
  const all = seconds === null || STOPS.includes(seconds) ? STOPS : [...STOPS, seconds].sort((a, b) => a - b);
  return [...all, null];
}

/** The roles of a table of this size as R3.2 has them, to be shown beside A and K. */
export function rolesAt(seats: number): [keyof Words['roles'], number][] {
  const reds = seats >= 7 ? 1 : 0;
  const all: [keyof Words['roles'], number][] = [
    ['sage', 1],
    ['mystic', 1],
    ['adventurer', seats - 4 - reds],
    ['red_dragon', reds],
    ['two_headed_dragon', 1],
    ['shadow_dragon', 1],
  ];
  return all.filter(([, count]) => count > 0);
}

/** How many mystic and adventurer cards that deals; the two-headed dragon brings one of them. */
export function othersDealt(seats: number): number {
  const count = (role: string) => rolesAt(seats).find(([one]) => one === role)?.[1] ?? 0;
  return count('mystic') + count('adventurer') + 1;
}
