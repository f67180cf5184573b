/** Ready-made settings to begin with: what each of them sets, and whether a room has just that. No page in it. */
import type { RoomSettingsView } from '../protocol/protocol.gen';

export const RECIPES = ['standard', 'quick', 'beginner', 'practice'] as const;
export type Recipe = (typeof RECIPES)[number];

const USUAL = { first_holder: 'random', sage_slain_ends: true, act_last_lasts: 'round' };
const OWN = {
  standard: { seats: 8, preset: 'normal', memory_aid: false },
  quick: { preset: 'fast', memory_aid: false },
  beginner: { preset: 'relaxed', memory_aid: true },
  practice: { preset: 'none', memory_aid: true, public: false },
};

/** What the host asks for. The table keeps its size where the recipe has none; A and K come with the size. */
export function settingsOf(recipe: Recipe, now: RoomSettingsView): Record<string, string | number | boolean> {
  return { seats: now.rules.seats, ...USUAL, ...OWN[recipe] };
}

export function isThis(recipe: Recipe, now: RoomSettingsView): boolean {
  const has: Record<string, unknown> = { ...now, ...now.rules };
  return Object.entries(settingsOf(recipe, now)).every(([key, value]) => has[key] === value);
}
