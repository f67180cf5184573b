/** What the field for talk has to know about typing: how long a text is, and when Enter means to send. */

/** Graphemes that a line may have. */
export const MOST = 200;

const segmenter =
  typeof Intl.Segmenter === 'function' ? new Intl.Segmenter(undefined, { granularity: 'grapheme' }) : null;

/** How many graphemes the server will count: what is seen as one character is one. */
export function graphemes(text: string): number {
  const line = text.replace(/\s+/gu, ' ').trim();
  return segmenter === null ? [...line].length : [...segmenter.segment(line)].length;
}

const BY_INPUT_METHOD = 229;

/**
 * Whether this key sends. Enter that confirms a candidate of an input method does not: browsers say so by `isComposing`,
 * or, where the composition ends before the key is told (Safari), by the key code 229 alone.
 */
export function isSending(event: Pick<KeyboardEvent, 'key' | 'isComposing' | 'keyCode'>): boolean {
  return event.key === 'Enter' && !isOfInputMethod(event);
}

export function isOfInputMethod(event: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean {
  return event.isComposing || event.keyCode === BY_INPUT_METHOD;
}
