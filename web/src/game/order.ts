/** A round's order beside the turn order: who does not stand where the turn order alone would have them (R6.12). */

/** Those who were moved: the fewest whose going leaves the others in turn order from the holder on. */
export function movedIn(order: number[], holder: number | null, count: number): number[] {
  const natural = order.map((turn) => (turn - (holder ?? order[0] ?? 1) + count) % count);
  const kept = longestRising(natural);
  return order.filter((_, index) => !kept.has(index));
}

/** The places of a longest rising row among numbers; of several, the one that ends earliest. */
function longestRising(numbers: number[]): Set<number> {
  const best: number[] = [];
  const before: number[] = [];
  numbers.forEach((number, index) => {
    best[index] = 1;
    before[index] = -1;
    for (let earlier = 0; earlier < index; earlier++) {
      if ((numbers[earlier] ?? 0) < number && (best[earlier] ?? 0) + 1 > (best[index] ?? 0)) {
        best[index] = (best[earlier] ?? 0) + 1;
        before[index] = earlier;
      }
    }
  });
  const kept = new Set<number>();
  for (let at = best.indexOf(Math.max(...best)); at >= 0; at = before[at] ?? -1) kept.add(at);
  return kept;
}
