/** Things that fly: from where they last were to where they now are. Without motion they are simply there. */
import { cubicOut } from 'svelte/easing';
import type { TransitionConfig } from 'svelte/transition';
import { device } from '../device/device.svelte';

export interface Place {
  x: number;
  y: number;
  /** Height of what leaves from there, in px; 0 if it shall keep its own. */
  height: number;
}

const PX_PER_MS = 1.7;
const SHORTEST_MS = 180;
const LONGEST_MS = 500;
/** Until a card that changes hands lies in the other hand. */
export const HANDED_MS = 800;

const left = new Map<string, Place>();

export function placeOf(element: Element): Place {
  const { left: x, top: y, width, height } = element.getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2, height };
}

/** Remembers where a thing is, for the one that will take its place under the same key. */
export function leaveFrom(key: string, element: Element): void {
  left.set(key, placeOf(element));
}

/** Where the thing of this key left from; told once. */
export function leftFrom(key: string): Place | undefined {
  const place = left.get(key);
  left.delete(key);
  return place;
}

/** A Svelte transition: in from that place on the screen. Outside of it goes the flight, inside whatever turns. */
export function flyIn(
  node: Element,
  { from, delay = 0 }: { from: () => Place | undefined; delay?: number },
): TransitionConfig {
  const start = from();
  if (!start || !device.moves) return { duration: 0 };
  const end = placeOf(node);
  const [dx, dy] = [start.x - end.x, start.y - end.y];
  const scale = start.height === 0 || end.height === 0 ? 1 : start.height / end.height;
  const base = getComputedStyle(node).transform.replace('none', '');
  return {
    delay,
    duration: Math.min(LONGEST_MS, SHORTEST_MS + Math.hypot(dx, dy) / PX_PER_MS),
    easing: cubicOut,
    css: (_, u) =>
      `transform: translate(${String(dx * u)}px, ${String(dy * u)}px) scale(${String(1 + (scale - 1) * u)}) ${base}`,
  };
}

/** Whatever moves under this element and would come to an end is at its end. */
export function finishMotion(root: Element | null | undefined): void {
  for (const animation of root?.getAnimations({ subtree: true }) ?? []) {
    if (animation.effect?.getTiming().iterations !== Infinity) animation.finish();
  }
}
