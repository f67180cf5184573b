/** Where the others sit: evenly along a U from the lower left over the top to the lower right. One sits below it. */
export interface Spot {
  x: number;
  y: number;
}

/** A table much wider than high would have its players sit far from it: times as wide as high, at most. */
const WIDEST = 1.5;

/** Centres in px of `others` seats of size `sw` × `sh` in a box of `w` × `h`. The first is the next player. */
export function seatSpots(others: number, w: number, h: number, sw: number, sh: number): Spot[] {
  const used = Math.min(w, Math.max(h * WIDEST, others * (sw / 2 + 8)));
  const left = (w - used) / 2 + sw / 2 + 4;
  const right = Math.max(left, w - left);
  const top = sh / 2 + 4;
  const bottom = Math.max(top, h - sh / 2 - 4);
  const rail = bottom - top;
  const length = 2 * rail + (right - left);
  return Array.from({ length: others }, (_, index) => {
    const along = others === 1 ? length / 2 : (index * length) / (others - 1);
    if (along < rail) return { x: left, y: bottom - along };
    if (along <= rail + right - left) return { x: left + along - rail, y: top };
    return { x: right, y: top + (along - rail - (right - left)) };
  });
}

/** The other players' turn numbers from the next one on, round to the previous one. */
export function othersFrom(turn: number, count: number): number[] {
  return Array.from({ length: count - 1 }, (_, step) => ((turn + step) % count) + 1);
}

/** A curve from spot to spot that bends towards the middle of the table, as an SVG path. */
export function arc(from: Spot, to: Spot, middle: Spot, bend = 0.45): string {
  const x = (from.x + to.x) / 2;
  const y = (from.y + to.y) / 2;
  const round = (value: number) => value.toFixed(1);
  const [cx, cy] = [x + (middle.x - x) * bend, y + (middle.y - y) * bend];
  return `M${round(from.x)} ${round(from.y)}Q${round(cx)} ${round(cy)} ${round(to.x)} ${round(to.y)}`;
}
