/** Names inside texts: whatever script they are in, they turn nothing around them, and the page can mark them as names. */
const OPEN = '\u2068';
const CLOSE = '\u2069';

/** A name, isolated, to be put into a text. The server lets no such sign into a name. */
export function isolated(name: string): string {
  return OPEN + name + CLOSE;
}

export interface Piece {
  text: string;
  isName: boolean;
}

/** A text in pieces, its isolated names apart. */
export function pieces(text: string): Piece[] {
  return text
    .split(/(\u2068[^\u2068\u2069]*\u2069)/)
    .filter((part) => part !== '')
    .map((part) => (part.startsWith(OPEN) ? { text: part.slice(1, -1), isName: true } : { text: part, isName: false }));
}
