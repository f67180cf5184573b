/** A moment of a replay as an address: `/replay/QXKMRT-1/17?as=3` is step 17 as player 3 saw it. */
import type { Eye } from './course';

export interface Moment {
  /** From 1. */
  step: number;
  eye: Eye;
}

export const idIn = (path: string): string => decodeURIComponent(/^\/replay\/([^/]+)/.exec(path)?.[1] ?? '');

/** Null where an address names the game only. */
export function momentIn(path: string, query: string): Moment | null {
  const step = /^\/replay\/[^/]+\/(\d{1,4})\/?$/.exec(path)?.[1];
  const eye = Number(new URLSearchParams(query).get('as'));
  if (step === undefined && !(eye > 0)) return null;
  return { step: Number(step ?? 1), eye: Number.isInteger(eye) && eye > 0 ? eye : null };
}

export function addressOf(id: string, { step, eye }: Moment): string {
  const game = `/replay/${encodeURIComponent(id)}`;
  return `${game}${step > 1 ? `/${String(step)}` : ''}${eye === null ? '' : `?as=${String(eye)}`}`;
}
