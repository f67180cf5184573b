/** Where the others sit: evenly along a U from the lower left over the top to the lower right. One sits below it. */
export interface Spot {
  x: number;
  y: number;
}

/** A table much wider than high would have its players sit far from it: times as wide as high, at most. */
const WIDEST = 1.5;

/** How far below the middle of the top row its corners may lie, in heights of a seat. */
const BOW = 0.4;
/** Between a seat and the next one below, for what hangs over its edges. */
const BELOW = 14;

/** Centres in px of `others` seats of size `sw` × `sh` in a box of `w` × `h`. The first is the next player. */
export function seatSpots(others: number, w: number, h: number, sw: number, sh: number): Spot[] {
  const used = Math.min(w, Math.max(h * WIDEST, others * (sw / 2 + 8)));
  const left = (w - used) / 2 + sw / 2 + 4;
  const right = Math.max(left, w - left);
  const top = sh / 2 + 4;
  const bottom = Math.max(top, h - sh / 2 - 4);
  const along = topRow(others, (right - left) / sw, (bottom - top) / sh);
  const side = (others - along) / 2;
  const bow = along < 3 ? 0 : Math.max(0, Math.min(BOW * sh, bottom - top - side * (sh + BELOW)));
  return Array.from({ length: others }, (_, index) => {
    const row = Math.min(index, others - 1 - index);
    if (row < side) return { x: index === row ? left : right, y: bottom - (row * (bottom - top - bow)) / side };
    const part = along === 1 ? 0.5 : (index - side) / (along - 1);
    return { x: left + part * (right - left), y: top + bow * (2 * part - 1) ** 2 };
  });
}

/** How many sit along the top, so that all have most room; `width` and `height` between the corners, in seats. */
function topRow(others: number, width: number, height: number): number {
  let best = 1;
  let most = -Infinity;
  for (let along = others % 2 === 0 ? 2 : Math.min(3, others); along <= others; along += 2) {
    const room = Math.min(along > 1 ? width / (along - 1) : width, (2 * height) / Math.max(1, others - along));
    if (room > most) [best, most] = [along, room];
  }
  return best;
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
