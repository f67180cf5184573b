/** Who called a start off, from the notices of the talk. No page in it. */
import type { LineView } from '../protocol/protocol.gen';
import { fill } from '../words/fill';
import type { Words } from '../words/zh-TW.gen';

/** A start is also called off when somebody leaves their chair: then nobody asked to wait. */
export function heldText(lines: LineView[], after: number, me: number | null, t: Words): string {
  const notice = lines.findLast((one) => one.n > after && one.kind === 'notice' && one.text === 'held');
  if (notice === undefined) return t.waiting.start_held_unknown;
  return notice.member === me ? t.waiting.start_held_by_you : fill(t.waiting.start_held, { name: notice.name });
}
