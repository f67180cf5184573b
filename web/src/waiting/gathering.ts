/** Where everybody sits in turn order as the game begins, and where their chairs stood before. No page in it. */

export const GATHERING_MS = 2_100;
const WIDE = 0.4;
const HIGH = 0.36;
const MIDDLE = 0.46;
const MARGIN_PX = 64;

/** By turn: the middle of each place on an oval, the player of turn `mine` at its foot, the next one to the left. */
export function placesRound(count: number, mine: number, width: number, height: number): { x: number; y: number }[] {
  const across = Math.min(width * WIDE, 460, width / 2 - MARGIN_PX);
  const up = Math.min(height * HIGH, 320);
  return Array.from({ length: count }, (_, index) => {
    const angle = (2 * Math.PI * (index + 1 - mine)) / count;
    return { x: width / 2 - across * Math.sin(angle), y: height * MIDDLE + up * Math.cos(angle) };
  });
}

/** By seat, where the chairs of the waiting room stand now. */
export function chairsOn(page: ParentNode): Map<number, DOMRect> {
  const chairs = page.querySelectorAll<HTMLElement>('[data-chair]');
  return new Map([...chairs].map((one) => [Number(one.dataset.chair), one.getBoundingClientRect()]));
}
