/** How long a text of several lines is: what is seen as one character is one. */
const segmenter =
  typeof Intl.Segmenter === 'function' ? new Intl.Segmenter(undefined, { granularity: 'grapheme' }) : null;

export function graphemes(text: string): number {
  const seen = text.trim();
  return segmenter === null ? [...seen].length : [...segmenter.segment(seen)].length;
}
